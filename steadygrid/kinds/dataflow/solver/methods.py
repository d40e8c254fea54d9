"""The method of `dataflow`."""

from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options, Outcome, Phase
from steadygrid.domain.problem import Sizing
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.collection import uncollected
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.dataflow.schemas import DataflowInstance, DataflowResult
from steadygrid.kinds.dataflow.solver import answer
from steadygrid.kinds.dataflow.solver.capacities import explore
from steadygrid.kinds.dataflow.solver.circuits import walk_of
from steadygrid.kinds.dataflow.solver.lower_bounds import best_known
from steadygrid.kinds.dataflow.solver.model import MOST_EDGES, MOST_NODES, TooLargeError
from steadygrid.kinds.dataflow.solver.net import Net, net_of
from steadygrid.kinds.dataflow.solver.rounds import OnRound, Progress, make_first_round, run_rounds

_SHARE = 0.5
"""Of the time that is left, for a circuit that bounds the period where the rounds have not ended."""
_SEARCH_SHARE = 0.85
"""Of the time that is left, for the fewest places."""
_LATE_SECONDS = 1.0
"""For the same where the time limit is over: the schedule without limits is an answer already."""
_LAST_SECONDS = 2.0
"""Where even the grace time was not enough for the schedule."""


class _Interrupted(OutOfTime):
    """The time was over between two rounds, or in one."""

    def __init__(self, net: Net, progress: Progress) -> None:
        super().__init__()
        self.net, self.progress = net, progress


def solve(
    instance: DataflowInstance, _options: Options, _sizing: Sizing, control: Control
) -> Solution:
    """Find the least time per iteration, with a schedule and the circuit that decides it.

    Parameters
    ----------
    instance
        Without faults.
    _options
        Not read.
    _sizing
        Not read.
    control
        Deadline, cancellation and progress of the solve.
    """
    control.phase(Phase.BUILDING)
    with uncollected():
        return _solved(instance, control)


def _solved(instance: DataflowInstance, control: Control) -> Solution:
    net, progress = net_of(instance), Progress()
    control.phase(Phase.SOLVING)

    def on_round(number: int, period: Fraction) -> None:
        control.progress(iterations=number, value=1 / period if period else None)

    if instance.even:
        return _evenly(net, progress, on_round, control)
    try:
        run_rounds(net, progress, control.check, on_round, lambda: control.remaining)
        base = _answered(net, progress, control)
    except OutOfTime:
        raise _Interrupted(net, progress) from None
    return _with_fewest_places(instance, net, progress, base, control, control.remaining)


def _evenly(net: Net, progress: Progress, on_round: OnRound, control: Control) -> Solution:
    """Find the best schedule in which starts repeat after each cycle of an actor."""
    try:
        ordered = make_first_round(net, progress, control.check, on_round)
    except TooLargeError:
        note = (
            f"the round would have more than {MOST_NODES:,} firings or {MOST_EDGES:,} dependencies"
        )
        return answer.only_bound(net, progress, None, note)
    if progress.schedule is not None and not progress.schedule.critical.ratio:
        return answer.only_bound(net, progress, None, answer.NO_LIMIT)
    if not ordered:
        note = (
            "firings without time may wait for each other in a circle: give them times above 0, or ask"
            " for schedule: k_periodic"
        )
        return answer.only_bound(net, progress, None, note)
    return answer.evenly(net, progress, control.check)


def best_without_solver(
    instance: DataflowInstance,
    _options: Options,
    _sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer with the schedule of the last round, and the best circuit that is quickly found.

    Parameters
    ----------
    instance
        Without faults.
    _options
        Not read.
    _sizing
        Not read.
    control
        Grace time that is left, and cancellation; extended where it does not do.
    interruption
        What ended the solve. It may bring the rounds so far.
    """
    if instance.even:
        net, note = net_of(instance), "there was no time left for the schedule"
        return answer.only_bound(net, Progress(), None, note)
    if isinstance(interruption, _Interrupted):
        net, progress = interruption.net, interruption.progress
    else:
        net, progress = net_of(instance), Progress()
    try:
        found = _answered(net, progress, control)
    except OutOfTime:
        control.extend(_LAST_SECONDS)
        walk = best_known(net, progress, control.limited(_LAST_SECONDS / 2))
        found = answer.only_bound(net, progress, walk, "there was no time left for the schedule")
    return _with_fewest_places(instance, net, progress, found, control, _LATE_SECONDS)


def _with_fewest_places(
    instance: DataflowInstance,
    net: Net,
    progress: Progress,
    base: Solution,
    control: Control,
    seconds: float,
) -> Solution:
    """Choose the places of channels if asked to, where the answer without limits is known."""
    assert isinstance(base.result, DataflowResult)
    target, unlimited = instance.target_period, base.result.period
    if not instance.chooses_places or base.result.outcome in (Outcome.INFEASIBLE, Outcome.UNKNOWN):
        return base
    if unlimited is None:
        return answer.only_bound(net, progress, None, answer.NO_LEAST_PERIOD)
    if target is not None and target < unlimited and progress.circuit is not None:
        walk = walk_of(progress.circuit)
        if walk.time > target * walk.iterations:
            return answer.too_short(net, progress, walk)
    if base.result.outcome is not Outcome.OPTIMAL and (target is None or target < unlimited):
        return answer.only_bound(net, progress, None, answer.NO_LEAST_PERIOD)
    reachable = unlimited if target is None else target
    needed = {i: one.tokens for i, one in enumerate(base.result.buffers or ())}
    search = control.limited(_SEARCH_SHARE * min(seconds, control.remaining))
    found = explore(instance, net, reachable, needed, progress.schedule, search)
    return answer.with_fewest_places(net, base, found, control.check)


def _answered(net: Net, progress: Progress, control: Control) -> Solution:
    schedule = progress.schedule
    if schedule is not None and not schedule.critical.ratio:
        return answer.only_bound(net, progress, None, answer.NO_LIMIT)
    walk = None if progress.circuit is None else walk_of(progress.circuit)
    if walk is not None and progress.deadlock:
        return answer.in_deadlock(net, progress, walk)
    notes = []
    if progress.too_long:
        notes.append(
            "the next round would take longer than there is time: ask for a longer time_limit"
        )
    elif progress.too_large:
        notes.append(
            f"the next round would have more than {MOST_NODES:,} firings or {MOST_EDGES:,}"
            " dependencies"
        )
    if walk is None:
        walk = best_known(net, progress, control.limited(_SHARE * control.remaining))
    if schedule is None:
        solution = answer.only_bound(net, progress, walk, "not one round of schedules has ended")
    elif walk is None:
        note = (
            "a schedule was found, but no circuit that bounds all schedules: ask for concurrency"
            " sequential" + ("" if notes else ", or for a longer time_limit")
        )
        solution = answer.only_bound(net, progress, None, note)
    else:
        solution = answer.scheduled(net, progress, schedule, walk, control.check)
    if solution.result.outcome is not Outcome.OPTIMAL:
        solution.result.notes.extend(notes)
    return solution
