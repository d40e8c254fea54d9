"""The searches: the best mapping in the time there is, and what no mapping exceeds."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from time import monotonic
from typing import NamedTuple

from steadygrid.domain.certificate import (
    DualityCertificate,
    NoCertificate,
    SearchCertificate,
)
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Bound, Options, Outcome, Phase, relative_gap
from steadygrid.engine.solver import Solution, without_schedule
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.replicated_workflow.faults import num_leaves
from steadygrid.kinds.replicated_workflow.limits import MOST_LEAVES
from steadygrid.kinds.replicated_workflow.schemas import (
    ComparedMapping,
    CopiesCertificate,
    ReplicatedWorkflowInstance,
    ReplicatedWorkflowResult,
)
from steadygrid.kinds.replicated_workflow.solver.answer import answer, order_notes
from steadygrid.kinds.replicated_workflow.solver.evaluation import Evaluation, evaluate
from steadygrid.kinds.replicated_workflow.solver.mappings.bounds import (
    UpperBound,
    by_prices,
    by_speeds,
    by_stages,
)
from steadygrid.kinds.replicated_workflow.solver.mappings.copies import Counted, by_copies
from steadygrid.kinds.replicated_workflow.solver.mappings.counting import proves_bound
from steadygrid.kinds.replicated_workflow.solver.mappings.exhaustive import all_better
from steadygrid.kinds.replicated_workflow.solver.mappings.first import TooLong, first_mapping
from steadygrid.kinds.replicated_workflow.solver.mappings.greedy import greedy
from steadygrid.kinds.replicated_workflow.solver.mappings.local_search import local_search
from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space, Tuples
from steadygrid.kinds.replicated_workflow.solver.model import Service, Workflow
from steadygrid.kinds.replicated_workflow.solver.orders import with_lags
from steadygrid.kinds.replicated_workflow.stages import able_on_all, listed_stages

SEARCH_SHARE = 0.4
"""Of the time left, for each search before the bounds."""
BOUND_SHARE = 0.4
"""Of the time left, for each bound."""
COUNT_SHARE = 0.2
"""Of the time left, for numbers of processors before the searches."""
PROOF_SHARE = 0.04
"""Of the time left, for prices where numbers of processors bound what was found."""
_TOO_LONG = "whether there is a mapping at all takes too many steps to find out"
_NONE = "there is none: some stages find no processors that have links with each other"
_LATE = "the time limit of {limit:g} s ended a search early; more time may find a better mapping"
_STOPPED = "it was stopped when its part of the time was over"
_UNBOUNDED = "a mapping was found, but nothing that bounds the throughput of all others"


class Run(NamedTuple):
    """A method that ran, what it found, and whether its time was over before it ended."""

    method: str
    value: Fraction | None
    seconds: float
    stopped: bool


@dataclass
class Searched:
    """What a search has found so far.

    Attributes
    ----------
    best, period
        The best mapping. None while there is none.
    service
        Its order of service. None where it is that in which files are listed, or that of their names.
    bound
        The best bound of the throughput.
    counted
        The bound by numbers of processors. None where it was not found, or not looked for yet.
    counts_prove
        Whether numbers of processors are known to prove the bound, exactly.
    complete
        Whether all mappings were looked at.
    rows
        Of the comparison: what each method found, and the time it took.
    """

    best: Tuples | None = None
    period: Fraction | None = None
    service: Service | None = None
    bound: UpperBound | None = None
    counted: Counted | None = None
    counts_prove: bool = False
    complete: bool = False
    rows: list[Run] = field(default_factory=list)

    def take(self, space: Space, mapping: Tuples) -> None:
        """Keep a mapping if it is better.

        Parameters
        ----------
        space
            The mappings of an instance.
        mapping
            By stage, its processors in turn, by position.
        """
        period = space.period(mapping)
        if period is not None and (self.period is None or period < self.period):
            self.best, self.period = mapping, period
            self.service = space.services.get(mapping)


def search(
    instance: ReplicatedWorkflowInstance,
    options: Options,
    method: str,
    control: Control,
    found: Searched,
) -> Solution:
    """Search by a method. What is found is kept in `found` even if the time ends it.

    Parameters
    ----------
    instance
        Without faults.
    options
        `max_labelling_entries` and `time_limit` are read.
    method
        Name of the one that was asked for.
    control
        Deadline, cancellation and progress of the solve.
    found
        Where mapping and bound are kept.

    Raises
    ------
    Cancelled
        When cancelled.
    OutOfTime
        When the time is over before any mapping or bound was found.
    """
    control.phase(Phase.BUILDING)
    space = Space(instance, control.check)
    control.phase(Phase.SOLVING)
    start = first(space, method)
    if isinstance(start, Solution):
        return start
    if method != "upper_bound":
        _search_mappings(space, method, control, found, start, instance.seed)
    if not found.complete:
        _find_bounds(space, options, control, found, method)
    if method in ("exact", "portfolio") and not found.complete and not _met(found):
        _exhaust(space, control, found, method)
    solution = written(space, method, found)
    if solution.result.outcome is Outcome.FEASIBLE and any(run.stopped for run in found.rows):
        solution.result.notes.append(_LATE.format(limit=options.time_limit))
    return solution


def first(space: Space, method: str) -> Tuples | Solution:
    """Give a mapping to start with, or the answer where none is found.

    Parameters
    ----------
    space
        The mappings of an instance.
    method
        Name of the one that was asked for.
    """
    try:
        start = first_mapping(space)
    except TooLong:
        return _nothing(method, Outcome.UNKNOWN, _TOO_LONG)
    return _nothing(method, Outcome.INFEASIBLE, _NONE) if start is None else start


def best_so_far(
    instance: ReplicatedWorkflowInstance,
    options: Options,
    method: str,
    control: Control,
    found: Searched,
) -> Solution:
    """Answer when the time is over, quickly: the best mapping so far, or any, and a bound.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    method
        Name of the one that was asked for.
    control
        Grace time that is left, and cancellation.
    found
        Where mapping and bound are kept.
    """
    space = Space(instance, control.check)
    if found.best is None:
        start = first(space, method)
        if isinstance(start, Solution):
            return start
        if method != "upper_bound":
            found.take(space, start)
    if found.bound is None:
        found.bound = by_speeds(space) or by_stages(space)
    return written(space, method, found)


def _search_mappings(
    space: Space, method: str, control: Control, found: Searched, start: Tuples, seed: int
) -> None:
    """Find good mappings: by the one method, or by each, from what the one before found."""
    found.take(space, start)
    _count(space, control, found)
    grown = found.best or start
    _run("greedy", found, space, control, lambda: greedy(space, grown))
    if method in ("local_search", "portfolio") and not _as_counted(found):
        best = found.best or start
        _run("local_search", found, space, control, lambda: local_search(space, best, seed))


def _count(space: Space, control: Control, found: Searched) -> None:
    """Find the bound by numbers of processors, and take the mapping that it comes from."""
    part = control.limited(control.remaining * COUNT_SHARE)
    space.heartbeat = part.check
    try:
        found.counted = by_copies(space, part, found.period)
        if found.counted is not None and found.counted.mapping is not None:
            found.take(space, found.counted.mapping)
    except OutOfTime:
        pass
    finally:
        space.heartbeat = control.check


def _run(
    name: str,
    found: Searched,
    space: Space,
    control: Control,
    mappings: Callable[[], Iterator[Tuples]],
) -> None:
    """Take what a method finds within its share of the time."""
    began, value, stopped = monotonic(), None, False
    part = control.limited(control.remaining * SEARCH_SHARE)
    space.heartbeat = part.check
    try:
        for mapping in mappings():
            value = _taken(space, mapping, control, found)
            if _as_counted(found):
                break
    except OutOfTime:
        stopped = True
    finally:
        space.heartbeat = control.check
    found.rows.append(Run(name, value, monotonic() - began, stopped))


def _taken(space: Space, mapping: Tuples, control: Control, found: Searched) -> Fraction:
    """Take a mapping that a method gives, and tell its throughput."""
    period = space.period(mapping)
    assert period is not None
    found.take(space, mapping)
    control.progress(value=1 / period)
    return 1 / period


def _find_bounds(
    space: Space, options: Options, control: Control, found: Searched, method: str
) -> None:
    """Find both bounds; keep the lower one, of equal ones that which is proved."""
    share = 1.0 if method == "upper_bound" else BOUND_SHARE
    for_prices = PROOF_SHARE if _as_counted(found) else share
    found.bound = by_prices(
        space, control.limited(control.remaining * for_prices), options.max_labelling_entries
    )
    if _met(found):
        return
    if found.counted is None or not found.counted.complete:
        part = control.limited(control.remaining * share)
        found.counted = by_copies(space, part, found.period)
    counted = found.counted
    other = by_stages(space) if counted is None else UpperBound(counted.value, {})
    if other is not None and (found.bound is None or other.value < found.bound.value):
        found.bound = other
        found.counts_prove = proves_bound(space, other.value)
    if found.period is not None and found.bound is not None and not found.counts_prove:
        value = 1 / found.period
        if found.bound.value < value:
            # Only the word of a search in floating point can be below what was found.
            found.bound = UpperBound(value, {})


def _as_counted(found: Searched) -> bool:
    if found.counted is None or found.period is None:
        return False
    return found.counted.value * found.period == 1


def _met(found: Searched) -> bool:
    if found.bound is None or found.period is None:
        return False
    return found.bound.value * found.period == 1


def _exhaust(space: Space, control: Control, found: Searched, method: str) -> None:
    """Look at all mappings that may be better, if there are not too many, with the time left."""
    instance = space.instance
    if num_leaves(instance, able_on_all(instance, listed_stages(instance))) > MOST_LEAVES:
        return
    began = monotonic()
    try:
        for mapping in all_better(space, found.period):
            _taken(space, mapping, control, found)
        found.complete = True
    finally:
        value = None if found.period is None else 1 / found.period
        found.rows.append(Run("exact", value, monotonic() - began, not found.complete))


def written(space: Space, method: str, found: Searched) -> Solution:
    """Answer with the best mapping, its schedule, and the bound of all mappings.

    Parameters
    ----------
    space
        The mappings of an instance.
    method
        Name of the one that was asked for.
    found
        Mapping and bound, as far as they are known.
    """
    if found.best is None or found.period is None:
        if found.bound is None:
            raise OutOfTime
        return _bound_only(method, found)
    if found.bound is None and not found.complete:
        return _nothing(method, Outcome.UNKNOWN, _UNBOUNDED)
    workflow = Workflow(space.instance, space.mapped(found.best))
    if found.service is not None:
        workflow = with_lags(workflow, found.service, space.heartbeat)
    evaluation = Evaluation()
    evaluate(workflow, evaluation, space.heartbeat)
    solution = answer(workflow, method, evaluation)
    value = 1 / found.period
    bound, certificate = _bound(found, value)
    result = solution.result
    assert isinstance(result, ReplicatedWorkflowResult)
    ended = found.complete or value == bound.value
    listed = (
        result.length is not None
        and result.period is not None
        and result.time == result.length * result.period
    )
    update = {
        "outcome": Outcome.OPTIMAL if ended else Outcome.FEASIBLE,
        "bound": bound,
        "gap": relative_gap(value, bound.value),
        "certificate": certificate,
        "notes": [*order_notes(workflow, evaluation.period)],
        "comparison": _comparison(found, bound.value) if method == "portfolio" else None,
        "statistics": result.statistics.model_copy(update={"mappings": space.evaluated}),
    }
    if not listed:
        update |= {"critical_cycle": None, "length": None, "time": None}
    return Solution(result.model_copy(update=update), schedule=solution.schedule)


def _bound(
    found: Searched, value: Fraction
) -> tuple[Bound, DualityCertificate | CopiesCertificate | SearchCertificate | NoCertificate]:
    best = found.bound
    if best is not None and found.counts_prove and (not found.complete or best.value == value):
        return Bound.from_value(best.value, exact=True), CopiesCertificate()
    if best is not None and best.prices and (not found.complete or best.value == value):
        return Bound.from_value(best.value, exact=True), DualityCertificate(
            prices=dict(best.prices)
        )
    if found.complete or best is None:
        return Bound.from_value(value, exact=False), SearchCertificate()
    return Bound.from_value(best.value, exact=False), SearchCertificate()


def _comparison(found: Searched, bound: Fraction) -> list[ComparedMapping] | None:
    """Put the methods side by side. None where time was over before the first of them began."""
    rows = [
        ComparedMapping(
            method=run.method,
            throughput=run.value,
            ratio_to_bound=None if run.value is None else run.value / bound,
            seconds=run.seconds,
            note=_STOPPED if run.stopped else None,
        )
        for run in found.rows
    ]
    return rows or None


def _bound_only(method: str, found: Searched) -> Solution:
    assert found.bound is not None
    bound, certificate = _bound(found, found.bound.value)
    return Solution(
        without_schedule(
            ReplicatedWorkflowResult,
            Outcome.BOUND_ONLY,
            method,
            bound=bound,
            certificate=certificate,
        )
    )


def _nothing(method: str, outcome: Outcome, note: str) -> Solution:
    return Solution(without_schedule(ReplicatedWorkflowResult, outcome, method, notes=[note]))
