r"""Start-up costs: m periods made one, in which every message and every group starts once.

What a period sends over an arc in a slot becomes one message of m periods, and what it executes of a
task on a processor one group. With :math:`l` the latency of the link or processor, the message or
group takes :math:`l + m b`, where :math:`b` is its time in the steady period T, and so

.. math::

    T_m = \max \Bigl( m T, \; \sum_{\text{slots}} \max_{\text{messages}} (l + m b), \;
          \max_{\text{processors}} \sum_{\text{groups}} (l + m b) \Bigr).

Where the rates were rounded, or a processor does one thing at a time, the slots keep their lengths d
instead of shrinking to what is sent. A slot lasts :math:`\max l + m d`, and under ``no_overlap``
:math:`T_m = m T + \sum_{\text{slots}} \max l`, so that everything keeps its place. Under ``multiport``
the slots take :math:`m T + L`, with L the largest sum of latencies on the route of a file: from L
on, all data flows at the rates it has without latencies.

:math:`T_m / m` falls with m and tends to T: fixed costs are divided among more and more.

Source: Beaumont, Legrand, Marchal, Robert: Steady-state scheduling on heterogeneous clusters: why and
how?, section 5.2, for the idea of grouping periods. The period by slots is steadygrid's.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform
from steadygrid.domain.rounding import num_digits
from steadygrid.domain.run import RunGoal
from steadygrid.domain.schedule import Computation, Grouping, Schedule
from steadygrid.domain.slots import Slot
from steadygrid.engine.scheduling.completion import streams_of, worth_in_run
from steadygrid.engine.scheduling.path_latencies import latencies_of_paths
from steadygrid.engine.scheduling.workload import Workload
from steadygrid.engine.solving.control import Control

MOST_PRINTED = 4_200
"""Digits that a Python program can read back without changing its settings, and some room."""
MOST_TRIED = 1_000
"""Numbers of periods that are tried one by one for a run; then powers of two."""


class Line(NamedTuple):
    """What takes ``latency + m * time`` in m periods."""

    latency: Fraction
    time: Fraction

    def time_in(self, periods: int) -> Fraction:
        """Give its time in that many periods."""
        return self.latency + periods * self.time


class _Segment(NamedTuple):
    """The line that is the highest from a number of periods on."""

    first: int
    line: Line


def highest(lines: Iterable[Line]) -> list[_Segment]:
    """Give the highest of some lines for every whole m >= 1, in the order of m.

    O(n log n) for n lines.
    """
    found: list[_Segment] = []
    for line in sorted(lines, key=lambda line: (line.time, line.latency)):
        first = 1
        while found:
            before = found[-1].line
            if line.latency < before.latency:
                first = ceil((before.latency - line.latency) / (line.time - before.time))
                if first > found[-1].first:
                    break
                first = 1
            found.pop()
        found.append(_Segment(first, line))
    return found


class Sum:
    """The sum of the highest of several sets of lines, for every whole m >= 1."""

    def __init__(self, sets: Iterable[Iterable[Line]]) -> None:
        gained: dict[int, list[Line]] = defaultdict(list)
        for lines in sets:
            before = Line(Fraction(0), Fraction(0))
            for first, line in highest(lines):
                gained[first].append(Line(line.latency - before.latency, line.time - before.time))
                before = line
        self._firsts = sorted(gained)
        steps = (_added(gained[first]) for first in self._firsts)
        self._lines = [*accumulate(steps, lambda one, other: _added((one, other)))]

    def time_in(self, periods: int) -> Fraction:
        """Give the sum for a number of periods."""
        place = bisect_right(self._firsts, periods)
        return self._lines[place - 1].time_in(periods) if place else Fraction(0)


def _added(lines: Iterable[Line]) -> Line:
    listed = list(lines)
    nothing = Fraction(0)
    return Line(sum((x.latency for x in listed), nothing), sum((x.time for x in listed), nothing))


class _StartUps:
    """What starts in a steady schedule, and how long periods that pay for it are."""

    def __init__(self, schedule: Schedule, workload: Workload) -> None:
        self._schedule = schedule
        self._sizes = workload.file_sizes
        platform = workload.platform
        self._arcs = _latencies_and_times(platform)
        self._processors = {p.id: p.latency for p in platform.processors}
        self._tight = schedule.rounding_loss is None and schedule.ports != "no_overlap"

    @cached_property
    def slots(self) -> list[list[Line]]:
        """What the length of each slot is the highest of."""
        lines = []
        for slot in self._schedule.slots:
            messages = []
            for sent in slot.transfers:
                latency, each = self._arcs[sent.sender, sent.receiver]
                messages.append(Line(latency, sent.count * self._sizes[sent.file] * each))
            if not self._tight:
                largest = max((line.latency for line in messages), default=Fraction(0))
                messages = [Line(largest, slot.duration)]
            lines.append(messages)
        return lines

    @cached_property
    def before_flows(self) -> Fraction:
        """Give the largest sum of latencies on the route of a file (``multiport``)."""
        return max(
            (
                route
                for allocation in self._schedule.allocations
                if allocation.instances_per_period
                for route in latencies_of_paths(allocation, self._sizes, self._latency)
            ),
            default=Fraction(0),
        )

    def _latency(self, sender: str, receiver: str) -> Fraction:
        return self._arcs[sender, receiver][0]

    @cached_property
    def _sending(self) -> Sum:
        period = self._schedule.period
        if self._schedule.ports == "multiport":
            return Sum([[Line(self.before_flows, period)]])
        if self._schedule.ports == "no_overlap":
            latencies = (line.latency for (line,) in self.slots)
            return Sum([[Line(sum(latencies, Fraction(0)), period)]])
        return Sum(self.slots)

    @cached_property
    def _computing(self) -> Sum:
        groups: dict[str, list[Line]] = defaultdict(list)
        for group in self._schedule.computations:
            groups[group.processor].append(Line(self._processors[group.processor], group.time))
        return Sum([[_added(listed) for listed in groups.values()]])

    def period(self, periods: int) -> Fraction:
        """Give the length of one period that holds a number of steady ones."""
        return max(
            periods * self._schedule.period,
            self._sending.time_in(periods),
            self._computing.time_in(periods),
        )

    def slots_of(self, periods: int) -> tuple[Slot, ...]:
        """Give the slots of a period that holds a number of steady ones."""
        slots, start = [], Fraction(0)
        if self._schedule.ports == "multiport":
            start = self.before_flows
        for slot, messages in zip(self._schedule.slots, self.slots, strict=True):
            duration = max((line.time_in(periods) for line in messages), default=Fraction(0))
            if self._schedule.ports == "multiport":
                duration = periods * slot.duration
            if not duration:
                continue  # nothing is sent
            transfers = tuple(t._replace(count=periods * t.count) for t in slot.transfers)
            slots.append(Slot(start, duration, transfers))
            start += duration
        return tuple(slots)

    def computations_of(self, periods: int) -> tuple[Computation, ...]:
        """Give the computations of a period that holds a number of steady ones.

        One after the other. But under ``no_overlap`` each keeps its place between the transfers,
        later by what the slots that have begun before pay.
        """
        begun = [slot.start for slot in self._schedule.slots]
        paid = [Fraction(0)]
        if self._schedule.ports == "no_overlap":
            paid += accumulate(line.latency for (line,) in self.slots)
        found = []
        free: dict[str, Fraction] = defaultdict(Fraction)
        for group in self._schedule.computations:
            time = self._processors[group.processor] + periods * group.time
            start = free[group.processor]
            if self._schedule.ports == "no_overlap":
                start = periods * group.start + paid[bisect_right(begun, group.start)]
            free[group.processor] = start + time
            count = periods * group.count
            found.append(group._replace(count=count, start=start, time=time))
        return tuple(found)


def _latencies_and_times(platform: Platform) -> dict[tuple[str, str], tuple[Fraction, Fraction]]:
    """Give the latency of each arc and the time of a unit of data on it, by its ends."""
    names = [processor.id for processor in platform.processors]
    return {
        (names[arc.source], names[arc.target]): (platform.links[arc.link].latency, arc.unit_time)
        for arc in platform.arcs
    }


def paying(
    schedule: Schedule,
    workload: Workload,
    options: Options,
    control: Control,
) -> Schedule:
    """Group periods of a steady schedule so that it pays the latencies of the platform.

    Parameters
    ----------
    options
        `latency_loss` or the run say how many periods are grouped.

    Returns
    -------
    Schedule
        The same allocations, m times as often in a period :math:`T_m`. A schedule of nothing
        stays as it is, with m = 1.
    """
    start_ups = _StartUps(schedule, workload)
    if not schedule.instances_per_period:
        return replace(schedule, grouping=Grouping(1, Fraction(0)))
    run = options.asked_run
    if run is None:
        periods = _fewest(start_ups, schedule.period, options.latency_loss, control)
    else:
        periods = _best_for_run(start_ups, schedule, workload, run, control)
    period = start_ups.period(periods)
    instances = periods * schedule.instances_per_period
    slots = start_ups.slots_of(periods)
    computations = start_ups.computations_of(periods)
    throughput = instances / period
    counts = (t.count for slot in slots for t in slot.transfers)
    return replace(
        schedule,
        period=period,
        instances_per_period=instances,
        throughput=throughput,
        loss=1 - throughput / schedule.optimal_throughput,
        preempted=any(count.denominator > 1 for count in counts)
        or any(c.count.denominator > 1 for c in computations),
        allocations=tuple(
            a._replace(instances_per_period=periods * a.instances_per_period)
            for a in schedule.allocations
        ),
        computations=computations,
        slots=slots,
        grouping=Grouping(periods, period - periods * schedule.period),
    )


def is_printable(schedule: Schedule) -> bool:
    """Say whether all times can be written where latencies made them longer."""
    times = [schedule.period, *(slot.start for slot in schedule.slots)]
    times += (slot.duration for slot in schedule.slots)
    times += (time for c in schedule.computations for time in (c.start, c.time))
    return all(num_digits(time) <= MOST_PRINTED for time in times)


def _fewest(start_ups: _StartUps, steady: Fraction, most_lost: Fraction, control: Control) -> int:
    """Give the fewest periods whose latencies take no more than a part of the time."""

    def lost(periods: int) -> Fraction:
        control.check()
        return 1 - periods * steady / start_ups.period(periods)

    low, high = 0, 1
    while lost(high) > most_lost:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if lost(middle) > most_lost else (low, middle)
    return high


def _best_for_run(
    start_ups: _StartUps, schedule: Schedule, workload: Workload, run: RunGoal, control: Control
) -> int:
    """Give the number of periods to group that serves a run best."""
    streams = streams_of(schedule.files, schedule.ports, schedule.allocations, workload.mix)

    def worth(periods: int) -> Fraction:
        grouped = [one._replace(part=one.part / periods) for one in streams]
        return worth_in_run(run, grouped, start_ups.period(periods))

    tried = _tried(schedule, run)
    best = worth(tried[0]), tried[0]
    with suppress(OutOfTime):  # the best so far will do
        for periods in tried[1:]:
            control.check()
            best = min(best, (worth(periods), periods))
    return best[1]


def _tried(schedule: Schedule, run: RunGoal) -> Sequence[int]:
    per_period = schedule.instances_per_period
    wanted = run.instances_at(per_period / schedule.period)
    most = max(1, ceil(wanted / per_period))
    powers = (2**k for k in range(most.bit_length()))
    return sorted({*range(1, min(most, MOST_TRIED) + 1), *powers})
