"""What makes an allocation valid: the seven properties, for each duplication, and what follows.

The thesis (Gallet 2009, chapter 4) defines one allocation without copies; `check_properties` states
the seven properties in full, and what of them holds where tasks or files are copied.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import Pointer
from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.domain.slots import FileName
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationResult, Routing
from steadygrid.verification.allocations import check_allocation
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.instance_periods import buffers_of, course_of
from steadygrid.verification.occupation import occupation
from steadygrid.verification.odd_sets import check_shares, with_odd_sets
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance

_PROPERTY: Mapping[str, int] = {
    "unknown_task": 1,
    "task_not_allowed": 1,
    "repeated_processor": 1,
    "unknown_file": 2,
    "no_share": 2,
    "file_split": 2,
    "split_file": 2,
    "sent_again": 2,
    "missing_task": 3,
    "no_processor": 3,
    "empty_path": 4,
    "missing_link": 4,
    "path_repeats": 4,
    "off_route": 4,
    "path_end": 4,
    "dead_end": 4,
    "file_stays": 4,
    "file_does_not_move": 4,
    "shares_miss_one": 4,
    "path_start": 6,
    "from_nowhere": 6,
    "duplicated_task": 7,
}
"""Which property a rule belongs to; property 5 is `check_occupation`."""


class _Named(Findings):
    """Passes findings on, each with its property, at the place where the result has it."""

    def __init__(self, findings: Findings) -> None:
        super().__init__()
        self._findings = findings

    def add(self, pointer: Pointer, code: str, sentence: str) -> None:
        """Note a fault, see `Findings.add`."""
        super().add(pointer, code, sentence)
        place = tuple("mapping" if step == "tasks" else step for step in pointer)
        self._findings.add(place, code, f"Property {_PROPERTY[code]}: {sentence}")


def check_properties(
    steady: SteadyInstance,
    routing: Routing,
    routes: FixedRoutes | None,
    allocation: Allocation,
    findings: Findings,
) -> bool:
    """Check six of the seven properties of a valid allocation. Each fault names its property.

    1. No task is computed in part: whole copies only, at most one per processor, where it may run.
    2. No file is sent in part from one processor to another: over one route, unless the routing is
       ``multipath``, and in shares above 0.
    3. Every final task is computed, and with it every other task.
    4. A copy of a task has all its files. They are made on its processor, or sent there as a whole,
    over existing links, no processor passed twice. Where routing is fixed, that is on the fixed
    route (with
       ``tasks_and_files`` a path may be a part of one that the file takes to its end).
    5. No resource is busy for longer than the period: `check_occupation`.
    6. A file is sent only from where its producer runs; with ``tasks_and_files`` also from where
       another transfer has brought it.
    7. Without duplication every task runs on exactly one processor.

    Parameters
    ----------
    steady
        The instance in the terms of periodic schedules.
    routing
        That was asked for.
    routes
        Fixed routes. None where the routing is not fixed.
    allocation
        The one that the answer claims, with its rate.
    findings
        Collects the faults that are found.

    Returns
    -------
    bool
        Whether all is well, so that what follows from the allocation can be told.

    Notes
    -----
    Rules, in this order:

    == =============================================================== ======================
    1  tasks and transfers are complete                                see `check_allocation`
    2  a file reaches a processor over one path, unless the routing is `split_file`
       ``multipath``
    3  where routing is fixed, it takes the fixed route                `off_route`
    == =============================================================== ======================

    `_PROPERTY` says to which property a code belongs. Rule 3: with ``tasks_and_files`` a path may
    be a part of a fixed route all of whose links the file takes.
    """
    named = _Named(findings)
    check_allocation(steady, allocation, named, ("result",))
    copying = steady.duplication == "tasks_and_files"
    crossed: dict[FileName, set[tuple[str, str]]] = {}
    for file, path, _ in allocation.transfers:
        crossed.setdefault(file, set()).update(pairwise(path))
    seen: set[tuple[FileName, str, str]] = set()
    for i, (file, path, _) in enumerate(allocation.transfers):
        if len(path) < 2:
            continue
        at = ("result", "transfers", i)
        pair = file, path[0] if routing == "multipath" else "", path[-1]
        if routing != "multipath" and pair in seen:
            named.add(
                at, "split_file", f"File {file!r} reaches {path[-1]!r} over more than one path."
            )
        seen.add(pair)
        if routes is None or routes.paths(path[0]).get(path[-1]) == path:
            continue
        if not copying or not _part_of_route(path, crossed[file], routes):
            named.add(
                at, "off_route", f"File {file!r} takes {list(path)}, which is not the fixed route."
            )
    return not named


def _part_of_route(
    path: tuple[str, ...], crossed: set[tuple[str, str]], routes: FixedRoutes
) -> bool:
    """Tell whether a path is a part of a fixed route all of whose links the file takes."""
    return any(
        path[0] in route
        and route[route.index(path[0]) :][: len(path)] == path
        and crossed.issuperset(pairwise(route))
        for start in {sender for sender, _ in crossed}
        for route in routes.paths(start).values()
    )


def check_occupation(
    steady: SteadyInstance,
    allocation: Allocation,
    result: MonoAllocationResult,
    findings: Findings,
) -> None:
    """Check how long one instance keeps each resource busy.

    Parameters
    ----------
    steady
        The instance in the terms of periodic schedules.
    allocation
        The one that the answer claims, with its rate.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ======================================================================= ==================
    1  every resource that is used is listed with its time, the longest first, `wrong_occupation`
       equal ones by name
    2  the first is the bottleneck                                             `wrong_bottleneck`
    3  the period is the longest time (property 5)                             `wrong_period`
    4  the value is its inverse                                                `wrong_throughput`
    == ======================================================================= ==================

    Rule 1: odd sets of processors may be listed, where each takes part in one transfer at a time.
    Rule 3: the period may be longer, with a note, where half-duplex links, which one port uses in
    one direction at a time, may not be busy all the time.
    """
    network = with_odd_sets(steady.network, [entry.resource for entry in result.occupation])
    times = occupation(replace(steady, network=network), allocation)
    expected = sorted(((name, t) for name, t in times.items() if t), key=lambda x: (-x[1], x[0]))
    listed = [(entry.resource, entry.time) for entry in result.occupation]
    if listed != expected:
        wrong = sorted(set(expected) ^ set(listed))
        what = f"{wrong[0][0]}, which is busy for" if wrong else "the order, from"
        busy = times.get(wrong[0][0], Fraction(0)) if wrong else expected[0][1]
        findings.add(
            ("result", "occupation"),
            "wrong_occupation",
            f"The occupation is wrong about {what} {show(busy)}.",
        )
    longest = max(times.values(), default=Fraction(0))
    first = expected[0][0] if expected else None
    if result.bottleneck != first:
        findings.add(
            ("result", "bottleneck"),
            "wrong_bottleneck",
            f"The bottleneck is {first!r}, not {result.bottleneck!r}.",
        )
    period = Fraction(0) if result.period is None else result.period
    scaled = network.rates_need_slots and not network.one_transfer_each and result.notes
    if period < longest or (period > longest and not scaled):
        findings.add(
            ("result", "period"),
            "wrong_period",
            f"Property 5: the longest occupation is {show(longest)}, the period {show(period)}.",
        )
    if allocation.rate * period != 1:
        findings.add(
            ("result", "objective"),
            "wrong_throughput",
            f"With a period of {show(period)} the throughput is not {show(allocation.rate)}.",
        )


def check_odd_sets(steady: SteadyInstance, allocation: Allocation, findings: Findings) -> None:
    """Check that no odd set of processors is too full, where each has one transfer at a time.

    Parameters
    ----------
    steady
        The instance in the terms of periodic schedules.
    allocation
        The one that the answer claims, with its rate.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ====================== ==================
    1  no odd set is too full see `check_shares`
    == ====================== ==================
    """
    busy: Amounts[tuple[str, str]] = Amounts()
    for file, path, share in allocation.transfers:
        data = allocation.rate * share * steady.sizes.get(file, Fraction(0))
        for ends in pairwise(path):
            hop = steady.network.hops.get(ends)
            busy[ends] += Fraction(0) if hop is None else data * hop.unit_time
    check_shares(steady.network, busy, findings, ("result", "period"))


def check_course(
    steady: SteadyInstance,
    allocation: Allocation,
    result: MonoAllocationResult,
    schedule: Schedule | None,
    findings: Findings,
) -> None:
    """Check when things happen in an allocation that `check_properties` has accepted.

    Parameters
    ----------
    steady
        The instance in the terms of periodic schedules.
    allocation
        The one that the answer claims, with its rate.
    result
        The answer, but for its schedule.
    schedule
        Of this allocation, if there is one. Its own first periods are judged elsewhere.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ======================================================================= ====================
    1  each copy of each task has its first period, after those of all that it `wrong_first_period`
       needs. It is in the period of a task before it on its processor, if all
       are so and the processor may compute while it communicates. If it may
       not, it is as the schedule says
    2  the latency is the last first period of an operation                    `wrong_latency`
    3  each processor that holds data has the room for it, listed once         `wrong_buffer`
    == ======================================================================= ====================
    """
    periods = {(entry.task, entry.processor): entry.period for entry in result.first_periods}
    course = course_of(steady, allocation)
    if periods != course.copies:
        if steady.network.ports != "no_overlap":
            course = course_of(steady, allocation, lambda *_: True)
        elif schedule is not None and len(schedule.allocations) == 1:
            own = schedule.allocations[0].first_periods
            course = course_of(steady, allocation._replace(first_periods=own))
    if periods != course.copies or len(periods) < len(result.first_periods):
        wrong = sorted(set(periods.items()) ^ set(course.copies.items()))
        (task, processor), _ = wrong[0] if wrong else (("a task", "its processor"), 0)
        first = course.copies.get((task, processor))
        findings.add(
            ("result", "first_periods"),
            "wrong_first_period",
            f"The first period of {task!r} on {processor!r} is {first}, listed once.",
        )
    if result.latency_periods != course.last:
        findings.add(
            ("result", "latency_periods"),
            "wrong_latency",
            f"An instance takes {course.last} periods, not {result.latency_periods}.",
        )
    expected = buffers_of(steady, allocation, course)
    room = {entry.processor: entry.data for entry in result.buffers}
    if room != expected or len(room) < len(result.buffers):
        wrong_room = sorted({*room.items()} ^ {*expected.items()})
        where = wrong_room[0][0] if wrong_room else result.buffers[0].processor
        findings.add(
            ("result", "buffers"),
            "wrong_buffer",
            f"Processor {where!r} holds up to {show(expected.get(where, Fraction(0)))} of data,"
            " listed once.",
        )
