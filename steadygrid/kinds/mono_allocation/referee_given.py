"""What the referee asks of the answer about a mapping that was given, by sums of its own."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.domain.slots import FileName
from steadygrid.kinds.mono_allocation.referee_limits import Limits, check_limits
from steadygrid.kinds.mono_allocation.schemas import (
    MonoAllocationInstance,
    MonoAllocationResult,
    Move,
)
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.occupation import occupation
from steadygrid.verification.odd_sets import least_period
from steadygrid.verification.routes import FixedRoutes, Path
from steadygrid.verification.steady import SteadyInstance

MOST_STEPS = 60_000
"""Moves of a mapping that are tried, and files that move with them; with more, none but the move that
was named is tried."""

Tasks = Mapping[str, tuple[str, ...]]
Placing = tuple[str, str, str]
"""A task, the processor that runs it, and the one to which it moves."""


@dataclass(frozen=True)
class Period:
    """How long an instance takes.

    Attributes
    ----------
    least
        No schedule takes less.
    exact
        Whether there is a schedule that takes no longer.
    """

    least: Fraction
    exact: bool


class GivenPathRule:
    """The rule by which files of a given mapping find their routes.

    A processor that needs a file and does not make it gets it over the paths that were given from
    where it is made. Else it gets the file over the route (where routing is fixed) or the shortest
    path. That begins at the processor from which it takes the least time per unit of data. Ties go
    to the fewest hops, then to the identifiers along it.
    """

    def __init__(
        self, instance: MonoAllocationInstance, steady: SteadyInstance, routes: FixedRoutes | None
    ) -> None:
        self.steady = steady
        self._routes = FixedRoutes(steady.network, ()) if routes is None else routes
        self._given: dict[tuple[FileName, str, str], list[Transfer]] = {}
        for path in instance.paths or ():
            pair = path.file, path.source, path.target
            self._given.setdefault(pair, []).append(Transfer(path.file, path.path, path.share))

    def allocation(
        self, tasks: Tasks, files: Collection[FileName] | None = None
    ) -> Allocation | None:
        """Give the allocation of a mapping. None where a file has no route.

        Parameters
        ----------
        files
            That are sent. None: all.
        """
        transfers: list[Transfer] = []
        for file in self.steady.sizes if files is None else files:
            makers = tasks[file[0]]
            for user in tasks[file[1]]:
                if user in makers:
                    continue
                sent = self._sent(file, makers, user)
                if not sent:
                    return None
                transfers += sent
        return Allocation(0, Fraction(0), Fraction(1), tasks, tuple(transfers))

    def _sent(self, file: FileName, makers: tuple[str, ...], user: str) -> list[Transfer]:
        for maker in sorted(makers):
            if (file, maker, user) in self._given:
                return self._given[file, maker, user]
        found = [taken for maker in makers if (taken := self._routes.path(maker, user)) is not None]
        if not found:
            return []
        return [Transfer(file, min(found, key=self._length), Fraction(1))]

    def _length(self, path: Path) -> tuple[Fraction, int, Path]:
        hops = self.steady.network.hops
        return sum((hops[hop].unit_time for hop in pairwise(path)), Fraction(0)), len(path), path

    def period(self, allocation: Allocation) -> Period:
        """Give the period of an allocation.

        It is the longest occupation. Where a processor takes part in one transfer at a time, that of
        the fullest odd set. With half-duplex links in use, which a port uses in one direction at a
        time, it may be longer.
        """
        network = self.steady.network
        longest = max(occupation(self.steady, allocation).values(), default=Fraction(0))
        if network.one_transfer_each:
            times: Amounts[tuple[str, str]] = Amounts()
            for file, path, share in allocation.transfers:
                for ends in pairwise(path):
                    data = self.steady.sizes[file] * share
                    if data and network.switches.isdisjoint(ends):
                        times[min(ends), max(ends)] += data * network.hops[ends].unit_time
            return Period(least_period(times, longest), exact=True)
        hops = {hop for transfer in allocation.transfers for hop in pairwise(transfer.path)}
        shared = any(network.hops[hop].half is not None for hop in hops)
        return Period(longest, not (network.rates_need_slots and shared))


def check_given(
    instance: MonoAllocationInstance,
    steady: SteadyInstance,
    routes: FixedRoutes | None,
    limits: Limits,
    result: MonoAllocationResult,
    findings: Findings,
) -> None:
    """Check an answer about a given mapping, beyond what holds of every allocation.

    Parameters
    ----------
    instance
        Without faults.
    steady
        The instance in the terms of periodic schedules.
    routes
        Fixed routes. None where the routing is not fixed.
    limits
        Memory and intervals, as the instance has them.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ================================================================ ====================
    1  the answer has a value                                           `wrong_outcome`
    2  it has a bound only where one was asked for                      `wrong_bound_source`
    3  where that is missing, there is a note                           `no_note`
    4  the mapping is the one that was given                            `other_mapping`
    5  files take the paths that were given, or else the usual ones     `other_ways`
    6  a value of 0 is that of a mapping without a route for some file  `wrong_throughput`
    7  the bottlenecks are all resources that are busy for longest      `wrong_bottleneck`
    8  the distance is what is missing to the bound                     `wrong_distance`
    9  no more moves were tried than there are                          `wrong_moves`
    10 where not all were, there is a note                              `no_note`
    11 the better move is a move, and the best                          see `_check_better`
    == ================================================================ ====================
    """
    if result.objective is None:
        findings.add(("result", "outcome"), "wrong_outcome", "A given mapping has a throughput.")
        return
    if result.bound is not None and instance.bound_method == "none":
        findings.add(("result", "bound"), "wrong_bound_source", "No bound was asked for.")
    if result.bound is None and instance.bound_method != "none" and not result.notes:
        findings.add(("result", "notes"), "no_note", "A bound that is missing needs a note.")
    asked = {task: tuple(names) for task, names in (instance.mapping or {}).items()}
    told = {task: tuple(names) for task, names in result.mapping.items()}
    at = ("result", "mapping")
    if {task: sorted(names) for task, names in told.items()} != {
        task: sorted(names) for task, names in asked.items()
    }:
        findings.add(at, "other_mapping", "This is not the mapping that was to be evaluated.")
        return
    path_rule = GivenPathRule(instance, replace(steady, times=limits.alone(steady.times)), routes)
    allocation = path_rule.allocation(asked)
    value = result.objective.value
    sent = sorted(Transfer(t.file, tuple(t.path), t.share) for t in result.transfers)
    if sent != ([] if allocation is None else sorted(allocation.transfers)):
        findings.add(
            ("result", "transfers"),
            "other_ways",
            "The files take other paths than those that were given, or are usual.",
        )
    if (allocation is None) != (value == 0):
        what = "has no route for a file" if allocation is None else "has routes for all its files"
        findings.add(
            ("result", "objective"),
            "wrong_throughput",
            f"The mapping {what}: its throughput is not {show(value)}.",
        )
        return
    _check_summary(result, value, findings)
    _check_moves(path_rule, asked, result, findings)
    _check_better(path_rule, asked, allocation, limits, result, value, findings)


def _check_summary(result: MonoAllocationResult, value: Fraction, findings: Findings) -> None:
    """Check the bottlenecks, by an occupation that has been checked, and the distance."""
    longest = max((use.time for use in result.occupation), default=Fraction(0))
    full = sorted(use.resource for use in result.occupation if use.time == longest)
    if sorted(result.bottlenecks) != full:
        findings.add(
            ("result", "bottlenecks"),
            "wrong_bottleneck",
            f"The resources that are busy for longest are {', '.join(full) or 'none'}.",
        )
    missing = None
    if result.bound is not None and result.bound.value:
        missing = 1 - value / result.bound.value
    if result.distance != missing:
        findings.add(
            ("result", "distance"),
            "wrong_distance",
            "There is no distance without a bound."
            if missing is None
            else f"What is missing to the bound is {show(missing)} of it.",
        )


def _check_moves(
    path_rule: GivenPathRule, asked: Tasks, result: MonoAllocationResult, findings: Findings
) -> None:
    """Check how many moves were tried; of interchangeable processors some may not count."""
    at = ("result", "moves")
    able = path_rule.steady.times
    most = sum(len(names) * len(able[task].keys() - {*names}) for task, names in asked.items())
    moves = result.moves
    if moves is None or moves.tried > moves.total or moves.total > most:
        findings.add(at, "wrong_moves", "More moves were tried than there are, or none.")
    elif moves.tried < moves.total and not result.notes:
        findings.add(at, "no_note", "Moves that were not tried need a note.")


def _check_better(
    path_rule: GivenPathRule,
    asked: Tasks,
    allocation: Allocation | None,
    limits: Limits,
    result: MonoAllocationResult,
    value: Fraction,
    findings: Findings,
) -> None:
    """Check the move of one task that is said to be the best.

    Notes
    -----
    Rules, in this order:

    == ======================================================================== ==================
    1  it is a move of a task, or copy, of the mapping, which its new processor `no_move`
       can run
    2  it gives the throughput that it says                                     `wrong_throughput`
    3  that is more than that of the mapping                                    `not_better`
    4  no other move gives more, where all were tried                           `better_move`
    == ======================================================================== ==================

    Rule 1: besides what the processor runs already. Rule 2: where half-duplex links need slots, no
    more than resources allow. Rule 4: where all can be tried again in `MOST_STEPS`.
    """
    at = ("result", "better")
    better = result.better
    best = value
    if better is not None:
        period = _period_after(path_rule, asked, limits, _placing(better))
        if period is None:
            findings.add(at, "no_move", "The mapping has no such task to move there.")
            return
        rate = better.throughput
        if rate * period.least > 1 or (period.exact and rate * period.least != 1):
            findings.add(
                (*at, "throughput"),
                "wrong_throughput",
                f"After this move an instance takes {show(period.least)}: the throughput is not"
                f" {show(rate)}.",
            )
        if rate <= value:
            findings.add(at, "not_better", "This move does not raise the throughput.")
        best = rate
    moves = result.moves
    if moves is None or moves.tried < moves.total:
        return
    for placing in _better_moves(path_rule, asked, allocation, best):
        period = _period_after(path_rule, asked, limits, placing)
        if period is not None and period.exact and best * period.least < 1:
            task, source, target = placing
            findings.add(
                at,
                "better_move",
                f"To move {task!r} from {source!r} to {target!r} is better: an instance then takes"
                f" {show(period.least)}.",
            )
            return


def _placing(move: Move) -> Placing:
    return move.task, move.source, move.target


def _period_after(
    path_rule: GivenPathRule, asked: Tasks, limits: Limits, placing: Placing
) -> Period | None:
    """Give the period after a move. None where it is none, or leaves a file without a route."""
    task, source, target = placing
    before = asked.get(task, ())
    if source not in before or target in before or target not in path_rule.steady.times[task]:
        return None
    after = {**asked, task: (*(name for name in before if name != source), target)}
    allocation = path_rule.allocation(after)
    if allocation is None:
        return None
    held = Findings()
    check_limits(limits, allocation, held)
    return None if held else path_rule.period(allocation)


def _better_moves(
    path_rule: GivenPathRule, asked: Tasks, allocation: Allocation | None, best: Fraction
) -> Iterator[Placing]:
    """List the moves after which no resource is busy for as long as a throughput allows.

    None where there are too many to try. What leaves a resource as it is that is busy for the whole
    period does not help, and is not tried.
    """
    steady = path_rule.steady
    whole: dict[str, Fraction] = {}
    full: set[str] = set()
    if allocation is not None:
        whole = occupation(steady, allocation)
        period = path_rule.period(allocation).least
        full = {name for name, time in whole.items() if time == period}
    around: dict[str, list[FileName]] = {task: [] for task in asked}
    for file in steady.sizes:
        for task in file:
            around[task].append(file)
    placings: list[Placing] = []
    steps = 0
    for task, names in asked.items():
        for source in names:
            if full <= _touched(steady, allocation, task, source):
                new = [name for name in steady.times[task] if name not in names]
                placings += ((task, source, target) for target in new)
                steps += len(new) * (1 + len(around[task]))
    if steps > MOST_STEPS:
        return
    ranked = sorted(whole.items(), key=lambda use: -use[1])
    for task, source, target in placings:
        files = around[task]
        before = _alone(path_rule, asked, task, asked[task], files)
        row = (*(name for name in asked[task] if name != source), target)
        after = _alone(path_rule, {**asked, task: row}, task, row, files)
        if after is None:
            continue
        times = dict(after)
        if before is not None and allocation is not None:
            times = {
                name: whole.get(name, Fraction(0)) - before.get(name, 0) + after.get(name, 0)
                for name in before.keys() | after.keys()
            }
        rest = next((time for name, time in ranked if name not in times), Fraction(0))
        if best * max(rest, *times.values()) < 1:
            yield task, source, target


def _alone(
    path_rule: GivenPathRule,
    tasks: Tasks,
    task: str,
    row: tuple[str, ...],
    files: Collection[FileName],
) -> dict[str, Fraction] | None:
    """Sum up what a task and its files take alone. None where one of these has no route."""
    allocation = path_rule.allocation(tasks, files)
    if allocation is None:
        return None
    return occupation(path_rule.steady, allocation._replace(tasks={task: row}))


def _touched(
    steady: SteadyInstance, allocation: Allocation | None, task: str, source: str
) -> set[str]:
    """Name the resources that a copy of a task uses, and the files of the task."""
    found = {steady.network.computing(source)}
    for transfer in () if allocation is None else allocation.transfers:
        if task in transfer.file:
            for hop in pairwise(transfer.path):
                found.update(name for name, _ in steady.network.hops[hop].uses)
    return found
