"""Run a periodic schedule file by file: a check of the referee, for schedules with small counts.

Every instance is followed on its own: each transfer of each of its files, in pieces where it is
preempted, and each computation, with dates. Nothing is taken from the referee or from what built
the schedule; only the description of the platform is shared.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance

INPUT, OUTPUT = ("begin", "task"), ("task", "end")


class Interval(NamedTuple):
    start: Fraction
    end: Fraction
    what: str


class Stretch(NamedTuple):
    """Time of a period that a link has for some files of an allocation."""

    start: Fraction
    end: Fraction
    hop: tuple[str, str]
    file: tuple[str, str]
    allocation: int
    count: Fraction  # type: ignore[assignment]  # hides a tuple method


def stretches(schedule: Schedule) -> list[Stretch]:
    """Read what links carry: in runs one cargo after the other, in slots side by side."""
    found: list[Stretch] = []
    if schedule.runs is None:
        for slot in schedule.slots:
            end = slot.start + slot.duration
            for sender, receiver, file, allocation, count in slot.transfers:
                found.append(Stretch(slot.start, end, (sender, receiver), file, allocation, count))
        return found
    for run in schedule.runs:
        clock = run.start
        for cargo in run.cargo:
            end = clock + cargo.time
            hop = run.sender, run.receiver
            found.append(Stretch(clock, end, hop, cargo.file, cargo.allocation, cargo.count))
            clock = end
        assert run.start < clock <= run.end, "the cargo of a run outlasts it"
    return sorted(found)


def most_at_once(schedule: Schedule) -> int:
    """Give the most links that are busy at a moment."""
    listed = stretches(schedule)
    return max(sum(one.start <= now.start < one.end for one in listed) for now in listed)


class Replay:
    """What happened in a number of periods.

    Attributes
    ----------
    done
        Dates at which instances were over: computed, and their output files, if any, back.
    stored
        Most files that waited on each processor at the start of a period.
    """

    def __init__(self, instance: MasterWorkerInstance, schedule: Schedule, periods: int) -> None:
        self.instance, self.schedule = instance, schedule
        self._stretches = stretches(schedule)
        self.done: list[Fraction] = []
        self.stored: dict[str, int] = defaultdict(int)
        self._links = {}
        for link in instance.platform.links:
            time = link.unit_time if link.unit_time is not None else 1 / link.bandwidth
            self._links[link.source, link.target] = (time, link)
            if link.duplex != "simplex":
                self._links[link.target, link.source] = (time, link)
        self._speed = {p.id: p for p in instance.platform.processors}
        self._busy: dict[object, list[Interval]] = defaultdict(list)
        for allocation in schedule.allocations:
            if allocation.instances_per_period:
                self._follow(allocation, periods)
        for resource, intervals in self._busy.items():
            for one, other in pairwise(sorted(intervals)):
                assert one.end <= other.start, f"{resource}: {one.what} and {other.what} overlap"

    def _size(self, file: tuple[str, str]) -> Fraction:
        task = self.instance.task
        return task.input_size if file == INPUT else task.output_size

    def _time(self, processor: str) -> Fraction:
        task = self.instance.task
        if task.times is not None:
            return task.times[processor]
        return task.work * self._speed[processor].time_per_work

    def _follow(self, allocation: Allocation, periods: int) -> None:
        """Run one allocation for some periods: stage by stage, instance by instance."""
        paths = {transfer.file: transfer.path for transfer in allocation.transfers}
        (worker,) = allocation.tasks["task"]
        master = self.instance.master
        for file, ends in ((INPUT, (master, worker)), (OUTPUT, (worker, master))):
            if file in paths:
                assert (paths[file][0], paths[file][-1]) == ends, f"{file} goes astray"
        if self.schedule.ports == "one_port":
            stages = [(INPUT, hop) for hop in pairwise(paths.get(INPUT, ()))]
            stages += ["compute"]
            stages += [(OUTPUT, hop) for hop in pairwise(paths.get(OUTPUT, ()))]
        else:
            stages = [(file, paths[file]) for file in (INPUT,) if file in paths]
            stages += ["compute"]
            stages += [(file, paths[file]) for file in (OUTPUT,) if file in paths]
        assert worker == master or INPUT in paths, "the input does not move"
        assert worker == master or not self.instance.task.output_size or OUTPUT in paths
        count = int(allocation.instances_per_period)
        assert count == allocation.instances_per_period
        ready = [Fraction(0)] * (count * periods)
        for position, stage in enumerate(stages):
            first = position + 1  # of the periods, counted from 1: each stage waits for one
            dates: list[Fraction] = []
            for period in range(first, periods + 1):
                start = (period - 1) * self.schedule.period
                batch = ready[len(dates) : len(dates) + count]
                assert len(batch) == count, f"period {period} has not enough to work on"
                assert all(date <= start for date in batch), f"{stage} starves in period {period}"
                if stage == "compute":
                    dates += self._compute(allocation, start, batch)
                elif self.schedule.ports == "one_port":
                    dates += self._send(allocation, *stage, start, batch)
                else:
                    dates += self._flow(allocation, *stage, start, batch)
            ready = dates
        self.done += ready

    def _compute(
        self, allocation: Allocation, start: Fraction, batch: list[Fraction]
    ) -> list[Fraction]:
        (worker,) = allocation.tasks["task"]
        (entry,) = (c for c in self.schedule.computations if c.allocation == allocation.index)
        assert entry.processor == worker
        time = self._time(worker)
        dates = []
        for i in range(len(batch)):
            begin = start + entry.start + i * time
            self._occupy((worker, "compute"), begin, begin + time, f"instance {i}", start)
            dates.append(begin + time)
        assert dates[-1] <= start + entry.start + entry.time
        return dates

    def _occupy(
        self, resource: object, begin: Fraction, end: Fraction, what: str, start: Fraction
    ) -> None:
        assert start <= begin, f"{what} on {resource} begins before its period"
        assert end <= start + self.schedule.period, f"{what} on {resource} outlasts its period"
        if begin < end:
            self._busy[resource].append(Interval(begin, end, what))

    def _ports(self, hop: tuple[str, str]) -> list[object]:
        sender, receiver = hop
        _, link = self._links[hop]
        ports: list[object] = [frozenset(hop) if link.duplex == "half" else hop]
        if not self._speed[sender].switch:
            ports.append((sender, "send"))
        if not self._speed[receiver].switch:
            ports.append((receiver, "receive"))
        return ports

    def _send(
        self,
        allocation: Allocation,
        file: tuple[str, str],
        hop: tuple[str, str],
        start: Fraction,
        batch: list[Fraction],
    ) -> list[Fraction]:
        """Send the files one after the other, each piece in its stretch."""
        time = self._links[hop][0] * self._size(file)
        if not time:
            return [start + self.schedule.period] * len(batch)
        self.stored[hop[0]] = max(self.stored[hop[0]], len(batch))
        progress = Fraction(0)
        dates: list[Fraction] = []
        for stretch in self._stretches:
            if (stretch.hop, stretch.file, stretch.allocation) != (hop, file, allocation.index):
                continue
            clock, left = start + stretch.start, stretch.count
            assert left > 0
            while left > 0:
                assert len(dates) < len(batch), f"more than {len(batch)} files on {hop}"
                piece = min(left, len(dates) + 1 - progress)
                assert piece == 1 or self.schedule.preempted, f"part of a file crosses {hop}"
                for port in self._ports(hop):
                    what = f"file {len(dates)} of allocation {allocation.index}"
                    self._occupy(port, clock, clock + piece * time, what, start)
                clock += piece * time
                progress += piece
                left -= piece
                if progress == len(dates) + 1:
                    dates.append(clock)
            assert clock <= start + stretch.end, "files outlast the time that a link has for them"
        assert len(dates) == len(batch), f"{len(dates)} of {len(batch)} files cross {hop}"
        return dates

    def _flow(
        self,
        allocation: Allocation,
        file: tuple[str, str],
        path: tuple[str, ...],
        start: Fraction,
        batch: list[Fraction],
    ) -> list[Fraction]:
        """Let the files flow at a constant rate along the whole path at once."""
        size, count = self._size(file), len(batch)
        if not size:
            return [start + self.schedule.period] * count
        (slot,) = self.schedule.slots
        assert (slot.start, slot.duration) == (0, self.schedule.period)
        for hop in pairwise(path):
            carried = sum(
                (t.count for t in slot.transfers if t[:4] == (*hop, file, allocation.index)),
                Fraction(0),
            )
            assert carried == count, f"{carried} of {count} files cross {hop}"
        self._check_flows()
        return [start + (i + 1) * slot.duration / count for i in range(count)]

    def _check_flows(self) -> None:
        (slot,) = self.schedule.slots
        media = {medium.id: medium.bandwidth for medium in self.instance.platform.media}
        data: dict[object, Fraction] = defaultdict(Fraction)
        for transfer in slot.transfers:
            hop = (transfer.sender, transfer.receiver)
            amount = transfer.count * self._size(transfer.file)
            time, link = self._links[hop]
            data[frozenset(hop) if link.duplex == "half" else hop] += amount * time
            for end, name in ((hop[0], "bandwidth_out"), (hop[1], "bandwidth_in")):
                width = getattr(self._speed[end], name)
                if width is not None and not self._speed[end].switch:
                    data[end, name] += amount / width
            for medium in link.media:
                data[medium] += amount / media[medium]
        for resource, time in data.items():
            assert time <= slot.duration, f"{resource} flows over"


def assert_replays(instance: MasterWorkerInstance, schedule: Schedule, periods: int = 4) -> None:
    """Run the prologue and some periods, and count what comes out of each.

    `periods` periods after the prologue deliver at least ``periods * instances_per_period``, and
    an instance that starts in period 1 ends in period `latency_periods` at the latest.
    """
    total = schedule.prologue_periods + periods
    replay = Replay(instance, schedule, total)
    for past in range(1, total + 1):
        date = past * schedule.period
        delivered = sum(1 for done in replay.done if done <= date)
        promised = max(0, past - schedule.prologue_periods) * schedule.instances_per_period
        assert delivered >= promised, f"{delivered} of {promised} after {past} periods"
    first_all = schedule.latency_periods * schedule.period
    assert sum(1 for done in replay.done if done <= first_all) >= schedule.instances_per_period
