"""The method `given`: allocations are judged, and compared with the optimum of any."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.domain.job import Bound, Objective, Options, Outcome, relative_gap
from steadygrid.engine.allocations.columns import Column
from steadygrid.engine.allocations.exact_pricing import cheapest_allocation, searched_allocation
from steadygrid.engine.allocations.optimum import MOST_PAIRS_OF_A_PROGRAM
from steadygrid.engine.allocations.room import Exhausted, Room
from steadygrid.engine.allocations.workload import workload_of
from steadygrid.engine.solver import Reconstructible, Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.schemas import (
    MissingAllocation,
    PricedSearchCertificate,
    RestrictedCertificate,
    TaskGraphInstance,
    TaskGraphResult,
)
from steadygrid.kinds.task_graph.solver import column_generation
from steadygrid.kinds.task_graph.solver.answer import (
    Answer,
    certificate_of,
    printable,
    rated,
    rated_transfers,
)
from steadygrid.kinds.task_graph.solver.column_generation import all_pools, first_answer, problem_of
from steadygrid.kinds.task_graph.solver.judging import Judgement, judge, judge_late

LATE_SHARE = 0.3
"""Of the grace time, for rates that are found when the time is over."""
NOT_SOUGHT = (
    "the allocation that is missing most was not looked for: there are too many pairs of processors"
    " to price"
)
NOT_PROVED = "an integer program looked for the allocation that is missing most, in floating point"

NO_BOUND = "there was no time left for a bound: nothing is said of other allocations"


@dataclass(frozen=True)
class _Comparison:
    """What is known of other allocations.

    Attributes
    ----------
    bounds
        Proved each by its own means; empty until one is.
    missing
        What improves on the given ones.
    complete
        Whether it is proved that nothing does.
    """

    bounds: tuple[Answer, ...] = ()
    missing: MissingAllocation | None = None
    complete: bool = False
    notes: tuple[str, ...] = ()


class Unfinished(OutOfTime):
    """The time is over before all was compared. What is known is kept."""

    def __init__(self, judgement: Judgement, known: _Comparison, interruption: OutOfTime) -> None:
        super().__init__()
        self.judgement, self.known, self.interruption = judgement, known, interruption


def solve(instance: TaskGraphInstance, options: Options, control: Control) -> Solution:
    """Judge the allocations of an instance.

    Parameters
    ----------
    instance
        With `allocations`, and without faults.
    options
        `mip_gap` and `max_labelling_entries` are read, where the optimum or what is missing is
        looked for.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Unfinished
        When the time is over, but the allocations are judged.
    Cancelled, OutOfTime, CertificationError, SolverError
        See `judge`.
    """
    judgement = judge(instance, control)
    known = _Comparison()
    try:
        if instance.rates is None:
            known = _with_missing(judgement, options, control)
        if not known.complete and instance.bound_method == "free":
            known = _with_bound(known, _free(instance, options, control))
        if not known.complete and not known.bounds:
            known = _with_bound(known, _rough(instance, control))
    except OutOfTime as interruption:
        raise Unfinished(judgement, known, interruption) from interruption
    return _solution(instance, judgement, known)


def best_without_solver(
    instance: TaskGraphInstance, control: Control, interruption: OutOfTime
) -> Solution:
    """Answer when the time is over: the judgement, and the best bound so far.

    Parameters
    ----------
    instance
        With `allocations`, and without faults.
    control
        Grace time that is left, and cancellation.
    interruption
        What ended the solve. An `Unfinished` one brings the judgement.
    """
    if isinstance(interruption, Unfinished):
        judgement, known = interruption.judgement, interruption.known
        interruption = interruption.interruption
    else:
        judgement, known = _judged_late(instance, control), _Comparison()
    try:
        known = _with_bound(known, column_generation.best_so_far(instance, control, interruption))
    except OutOfTime:
        if not known.bounds:
            known = replace(known, notes=(*known.notes, NO_BOUND))
    return _solution(instance, judgement, known)


def _judged_late(instance: TaskGraphInstance, control: Control) -> Judgement:
    part = control.limited(LATE_SHARE * control.remaining)
    try:
        return judge(instance, part)
    except (OutOfTime, SolverError):
        return judge_late(instance, control)


def _with_missing(judgement: Judgement, options: Options, control: Control) -> _Comparison:
    """Look for the allocation that costs least at the judgement's prices."""
    problem, prices = judgement.problem, judgement.prices
    if problem.too_large:
        return _Comparison(notes=(NOT_SOUGHT,))
    missing: tuple[Fraction, Column] | None
    held = problem.elimination.held(problem.label_counts)
    most = options.max_labelling_entries
    by_tables = most is None or held <= most
    if by_tables:
        try:
            missing = cheapest_allocation(problem, prices, Room(control))
            known = _Comparison(complete=missing is None)
        except Exhausted:
            by_tables = False
    if not by_tables:
        if problem.num_pairs > MOST_PAIRS_OF_A_PROGRAM:
            return _Comparison(notes=(NOT_SOUGHT,))
        try:
            found = searched_allocation(problem, prices, control, float(options.mip_gap))
        except SolverError:
            return _Comparison(notes=(NOT_PROVED,))
        missing = None if found.cost >= 1 else (found.cost, found.column)
        known = _Comparison(notes=(NOT_PROVED,))
    if missing is None:
        return known
    cost, column = missing
    plan = column.plan(problem.instance, Fraction(0))
    named = MissingAllocation(
        tasks={task: place for task, (place,) in plan.tasks.items()},
        transfers=rated_transfers(plan),
        cost=cost,
        reduced_cost=1 - cost,
        cheapest=not known.notes,
    )
    known = replace(known, missing=named)
    if cost and not known.notes:
        known = _with_bound(known, _scaled(judgement.answer, cost))
    return known


def _scaled(answer: Answer, cost: Fraction) -> Answer:
    """Prove a bound of any allocations where none costs less than this: by the prices over it."""
    prices = {name: price / cost for name, price in answer.prices.items()}
    bound = Fraction(0) if answer.bound is None else answer.bound / cost
    return printable(replace(answer, plans=(), bound=bound, prices=prices))


def _with_bound(known: _Comparison, bound: Answer) -> _Comparison:
    return replace(known, bounds=(*known.bounds, bound))


def _free(instance: TaskGraphInstance, options: Options, control: Control) -> Answer:
    """Solve the program over all allocations."""
    answer = column_generation.solve(
        instance,
        control,
        mip_gap=float(options.mip_gap),
        most_entries=options.max_labelling_entries,
    )
    return printable(answer)


def _rough(instance: TaskGraphInstance, control: Control) -> Answer:
    """Bound the throughput without a program."""
    pools = all_pools(instance)
    return printable(first_answer(problem_of(instance, pools, control), pools, control))


def _solution(instance: TaskGraphInstance, judgement: Judgement, known: _Comparison) -> Solution:
    answer, missing = judgement.answer, known.missing
    bound = answer if known.complete else _best(known.bounds)
    value = answer.throughput
    most = None if bound is None else bound.bound
    # The referee takes no search's word for an optimum where it has nothing to check.
    reached = value == most and bound is not None and (bound.exact or bool(bound.prices))
    certificate: DualityCertificate | PricedSearchCertificate | RestrictedCertificate
    if bound is not None and (known.complete or reached):
        missing = None
        certificate = certificate_of(bound)
    else:
        proved = bound if bound is not None and bound.exact else None
        certificate = RestrictedCertificate(
            prices=_listed(answer.prices),
            classes=judgement.pools.names,
            bound_prices={} if proved is None else _listed(proved.prices),
            bound_classes=[] if proved is None else _names(proved),
        )
    gap = None if most is None else relative_gap(value, most)
    told = answer.statistics if bound is None else bound.statistics
    notes = (*answer.notes, *known.notes, *(() if bound is None else bound.notes))
    result = TaskGraphResult(
        outcome=Outcome.OPTIMAL if reached else Outcome.FEASIBLE,
        method="given",
        objective=Objective.throughput(value),
        bound=None if bound is None or most is None else Bound.from_value(most, exact=bound.exact),
        gap=gap,
        certificate=certificate,
        allocations=[rated(index, plan) for index, plan in enumerate(answer.plans)],
        classes=_names(answer),
        given_rates=list(judgement.given_rates),
        factor=judgement.factor,
        bottlenecks=list(judgement.bottlenecks),
        distance=gap if instance.bound_method == "free" else None,
        missing=missing,
        statistics=told.model_copy(update={"columns": answer.statistics.columns}),
        notes=list(dict.fromkeys(notes)),
        warnings=[] if bound is None else list(bound.warnings),
    )
    return Solution(
        result,
        Reconstructible(workload_of(instance), answer.plans, value, answer.slots, answer.pools),
    )


def _best(bounds: Sequence[Answer]) -> Answer | None:
    """Choose the least bound that is proved; else the least."""
    return min(bounds, key=lambda one: (not one.exact, one.bound or 0), default=None)


def _listed(prices: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {name: price for name, price in sorted(prices.items()) if price}


def _names(answer: Answer) -> list[list[str]]:
    return [] if answer.pools is None else answer.pools.names
