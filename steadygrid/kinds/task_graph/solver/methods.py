"""The methods of `task_graph`, and the answer that all of them give."""

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import (
    Bound,
    Objective,
    Options,
    Outcome,
    relative_gap,
)
from steadygrid.domain.problem import Sizing
from steadygrid.engine.allocations.workload import workload_of
from steadygrid.engine.solver import Reconstructible, Solution, without_schedule
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.schemas import (
    TaskGraphInstance,
    TaskGraphResult,
)
from steadygrid.kinds.task_graph.solver import column_generation, given
from steadygrid.kinds.task_graph.solver.answer import Answer, certificate_of, printable, rated
from steadygrid.kinds.task_graph.solver.by_arcs import price_by_arcs
from steadygrid.kinds.task_graph.solver.constraint_lists import method as constraint_lists
from steadygrid.kinds.task_graph.solver.in_slots import in_slots

LATE_SHARE = 0.3
"""Of the grace time, for slots of half-duplex links."""


def solve(
    instance: TaskGraphInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Find the optimal throughput and its allocations by the method that `sizing` chose.

    Parameters
    ----------
    instance
        Without faults.
    options
        `mip_gap` and `max_labelling_entries` are read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Deadline, cancellation and progress of the solve.
    """
    if sizing.method == "given":
        return given.solve(instance, options, control)
    if sizing.method == "constraint_lists":
        answer = constraint_lists.solve(instance, control)
    else:
        answer = column_generation.solve(
            instance,
            control,
            mip_gap=float(options.mip_gap),
            most_entries=options.max_labelling_entries,
        )
    priced = price_by_arcs(instance, options.max_labelling_entries, control)
    return _solution(instance, sizing.method, in_slots(instance, answer, control, priced))


def best_without_solver(
    instance: TaskGraphInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over: the best allocations so far, and the best proved bound.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Grace time that is left, and cancellation.
    interruption
        What ended the solve. It may bring what was found so far.
    """
    if sizing.method == "given":
        return given.best_without_solver(instance, control, interruption)
    answer = column_generation.best_so_far(instance, control, interruption)
    part = control.limited(LATE_SHARE * control.remaining)
    return _solution(instance, sizing.method, in_slots(instance, answer, part))


def _solution(instance: TaskGraphInstance, method: str, answer: Answer) -> Solution:
    if answer.infeasible is not None:
        return Solution(_infeasible(method, answer))
    answer = printable(answer)
    bound = answer.bound
    if bound is None:
        raise AssertionError("a feasible instance has a bound")
    plans, throughput = answer.plans, answer.throughput
    # The referee takes no search's word for an optimum where it has nothing to check.
    reached = throughput == bound and (answer.exact or bool(answer.prices))
    result = TaskGraphResult(
        outcome=_outcome(bool(plans), reached),
        method=method,
        objective=Objective.throughput(throughput) if plans else None,
        bound=Bound.from_value(bound, exact=answer.exact),
        gap=relative_gap(throughput, bound) if plans else None,
        certificate=certificate_of(answer),
        allocations=[rated(index, plan) for index, plan in enumerate(plans)],
        classes=[] if answer.pools is None else answer.pools.names,
        statistics=answer.statistics,
        notes=list(answer.notes),
        warnings=list(answer.warnings),
    )
    if not plans:
        return Solution(result)
    workload = workload_of(instance)
    return Solution(
        result, Reconstructible(workload, plans, throughput, answer.slots, answer.pools)
    )


def _outcome(found: bool, reached: bool) -> Outcome:
    if not found:
        return Outcome.BOUND_ONLY
    return Outcome.OPTIMAL if reached else Outcome.FEASIBLE


def _infeasible(method: str, answer: Answer) -> TaskGraphResult:
    return without_schedule(
        TaskGraphResult,
        Outcome.INFEASIBLE,
        method,
        statistics=answer.statistics,
        notes=[*answer.notes, answer.infeasible or ""],
    )
