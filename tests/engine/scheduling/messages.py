"""Send the messages of a schedule that pays latencies, and run its groups, one by one.

Nothing is taken from what built the schedule or from the referee: only the platform's description,
the times of the tasks and the sizes of the files. What an operation needs has to be there when its
period begins; what its own processor makes, when it begins itself.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from typing import Any

from steadygrid.domain.schedule import Allocation, Schedule

F = Fraction
BEGIN, END = "begin", "end"


class Course:
    """Some periods of a schedule.

    Attributes
    ----------
    completed
        Instances whose last operations are over, by the end of each period.
    """

    def __init__(
        self,
        platform: Any,
        sizes: dict[tuple[str, str], Fraction],
        times: dict[tuple[str, str], Fraction],
        schedule: Schedule,
        periods: int,
    ) -> None:
        self.platform, self.schedule = platform, schedule
        self.sizes, self.times = sizes, times
        self.latency = {p.id: p.latency for p in platform.processors}
        self.switches = {p.id for p in platform.processors if p.switch}
        self.links = {}
        for link in platform.links:
            each = link.unit_time if link.unit_time is not None else 1 / link.bandwidth
            self.links[link.source, link.target] = link, each
            if link.duplex != "simplex":
                self.links[link.target, link.source] = link, each
        self.stock: dict[Any, Fraction] = defaultdict(Fraction)
        self.by_index = {a.index: a for a in schedule.allocations}
        self.completed: list[dict[int, Fraction]] = []
        for _ in range(periods):
            self._run()

    def _run(self) -> None:
        """Run a period: whatever has all that it needs in stock at its beginning takes part."""
        coming: dict[Any, Fraction] = defaultdict(Fraction)
        busy: dict[Any, list[tuple[Fraction, Fraction]]] = defaultdict(list)
        self._transfer(coming, busy)
        self._compute(coming, busy)
        for resource, stretches in busy.items():
            for one, other in pairwise(sorted(stretches)):
                assert one[1] <= other[0], f"{resource} is busy twice"
            for start, end in stretches:
                assert 0 <= start <= end <= self.schedule.period, f"{resource} is busy too long"
        for item, amount in coming.items():
            self.stock[item] += amount
        self.completed.append(
            {index: self._complete(allocation) for index, allocation in self.by_index.items()}
        )

    def _needs(self, allocation: Allocation, task: str) -> list[Any]:
        return [
            (allocation.index, "at", file, allocation.tasks[task][0])
            for file in self.sizes
            if file[1] == task
        ]

    def _lies_there(self, item: Any) -> bool:
        """Tell whether there is any number of something from the beginning on."""
        index, _, file, place = item
        return file[0] == BEGIN and self._master(index) == (
            place if isinstance(place, str) else place[0]
        )

    def _has(self, item: Any, amount: Fraction) -> bool:
        return self._lies_there(item) or self.stock[item] >= amount

    def _take(self, item: Any, amount: Fraction) -> bool:
        if not self._has(item, amount):
            return False
        if not self._lies_there(item):
            self.stock[item] -= amount
        return True

    def _master(self, index: int) -> str:
        ways = [t.path[0] for t in self.by_index[index].transfers if t.file[0] == BEGIN]
        return ways[0] if ways else self.by_index[index].tasks["task"][0]

    def _transfer(self, coming: Any, busy: Any) -> None:
        ports = self.schedule.ports
        if ports == "multiport":
            self._flow(coming)
            return
        moved: dict[Any, Fraction] = defaultdict(Fraction)
        for slot in self.schedule.slots:
            for sent in slot.transfers:
                moved[sent[:4]] += sent.count
        running = {
            move: self._take((move[3], "to go", move[2], move[:2]), amount)
            for move, amount in moved.items()
        }
        for slot in self.schedule.slots:
            for sent in slot.transfers:
                link, each = self.links[sent.sender, sent.receiver]
                end = slot.start + link.latency + sent.count * self.sizes[sent.file] * each
                assert end <= slot.start + slot.duration
                if not running[sent[:4]]:
                    continue
                if link.duplex == "half":
                    busy[frozenset(sent[:2])].append((slot.start, end))
                for name, way in ((sent.sender, "send"), (sent.receiver, "receive")):
                    if name not in self.switches:
                        port = name if ports == "no_overlap" else (name, way)
                        if ports == "send_or_receive":
                            port = name, "port"
                        busy[port].append((slot.start, end))
        for move, amount in moved.items():
            if running[move]:
                self._arrive(coming, move[3], move[2], move[:2], amount)

    def _arrive(self, coming: Any, index: int, file: Any, hop: Any, amount: Fraction) -> None:
        """Share out what came over a hop to the paths that have it."""
        allocation = self.by_index[index]
        for transfer in allocation.transfers:
            hops = list(pairwise(transfer.path))
            if transfer.file != file or hop not in hops:
                continue
            part = transfer.share * allocation.instances_per_period
            after = hops.index(hop) + 1
            if after < len(hops):
                coming[index, "to go", file, hops[after]] += part
            else:
                coming[index, "at", file, hop[1]] += part
            amount -= part
        assert amount == 0

    def _flow(self, coming: Any) -> None:
        """Let data flow along whole paths at once, when all messages of a path have begun."""
        if not self.schedule.slots:
            return
        (slot,) = self.schedule.slots
        assert slot.start + slot.duration <= self.schedule.period
        loads: dict[Any, Fraction] = defaultdict(Fraction)
        by_id = {p.id: p for p in self.platform.processors}
        media = {medium.id: medium.bandwidth for medium in self.platform.media}
        listed: dict[Any, Fraction] = defaultdict(Fraction)
        for sent in slot.transfers:
            link, each = self.links[sent.sender, sent.receiver]
            data = sent.count * self.sizes[sent.file]
            listed[sent[:4]] += sent.count
            loads[frozenset(sent[:2]) if link.duplex == "half" else sent[:2]] += data * each
            for end, name in ((sent.sender, "bandwidth_out"), (sent.receiver, "bandwidth_in")):
                width = getattr(by_id[end], name)
                if width is not None and end not in self.switches:
                    loads[end, name] += data / width
            for medium in link.media:
                loads[medium] += data / media[medium]
        for resource, time in loads.items():
            assert time <= slot.duration, f"{resource} flows over"
        for allocation in self.by_index.values():
            for transfer in allocation.transfers:
                amount = transfer.share * allocation.instances_per_period
                if not amount or not self.sizes[transfer.file]:
                    continue
                hops = list(pairwise(transfer.path))
                assert sum(self.links[hop][0].latency for hop in hops) <= slot.start
                assert all(listed[*hop, transfer.file, allocation.index] >= amount for hop in hops)
                if self._take((allocation.index, "to go", transfer.file, hops[0]), amount):
                    coming[allocation.index, "at", transfer.file, transfer.path[-1]] += amount

    def _compute(self, coming: Any, busy: Any) -> None:
        alone = self.schedule.ports == "no_overlap"
        done: dict[Any, Fraction] = defaultdict(Fraction)
        for entry in self.schedule.computations:
            done[entry.allocation, entry.task, entry.processor] += entry.count
        begins: dict[Any, Fraction] = {}
        ends: dict[Any, Fraction] = {}
        for entry in self.schedule.computations:
            key = entry.allocation, entry.task, entry.processor
            begins[key] = min(begins.get(key, entry.start), entry.start)
            ends[key] = max(ends.get(key, F(0)), entry.start + entry.time)
        made: dict[Any, tuple[Fraction, Fraction]] = {}
        """By item, how much of it has been made in this period, and when the last was."""
        running = dict.fromkeys(done, False)
        before = None
        while before != running:
            before = dict(running)
            for key, count in done.items():
                if not running[key]:
                    running[key] = self._begin(key, count, begins[key], ends[key], made, coming)
        for item, (amount, _) in made.items():
            coming[item] += amount
        for entry in self.schedule.computations:
            assert (
                entry.time
                == self.latency[entry.processor]
                + entry.count * (self.times[entry.task, entry.processor])
            )
            if running[entry.allocation, entry.task, entry.processor]:
                cpu = entry.processor if alone else (entry.processor, "compute")
                if entry.time:
                    busy[cpu].append((entry.start, entry.start + entry.time))

    def _begin(
        self, key: Any, count: Fraction, begin: Fraction, end: Fraction, made: Any, coming: Any
    ) -> bool:
        """Let a task run if it has what it needs; its outcome for its own processor is there at its end."""
        index, task, processor = key
        allocation = self.by_index[index]
        assert count == allocation.instances_per_period
        needed = self._needs(allocation, task)
        own = [item for item in needed if item in made and made[item][1] <= begin]
        if not all(item in own or self._has(item, count) for item in needed):
            return False
        for item in needed:
            if self._has(item, count):
                self._take(item, count)
            else:
                made[item] = made[item][0] - count, made[item][1]
        out: dict[Any, Fraction] = defaultdict(Fraction)
        self._make(out, allocation, task, processor)
        for item, amount in out.items():
            if item[1] == "at" and item[3] == processor:
                made[item] = amount, end
            else:
                coming[item] += amount
        return True

    def _make(self, coming: Any, allocation: Allocation, task: str, processor: str) -> None:
        count = allocation.instances_per_period
        coming[allocation.index, "done", task, processor] += count
        for file in self.sizes:
            if file[0] == task:
                self._put(coming, allocation, file, processor)

    def _put(self, coming: Any, allocation: Allocation, file: Any, processor: str) -> None:
        """Lay a file that was made where its user takes it, or where its ways begin."""
        count = allocation.instances_per_period
        ways = [t for t in allocation.transfers if t.file == file]
        if not ways:
            coming[allocation.index, "at", file, processor] += count
        for transfer in ways:
            amount = transfer.share * count
            if self.sizes[file]:
                hop = next(pairwise(transfer.path))
                coming[allocation.index, "to go", file, hop] += amount
            else:
                coming[allocation.index, "at", file, transfer.path[-1]] += amount

    def _complete(self, allocation: Allocation) -> Fraction:
        """Count the instances of which every task is done, and every result at home."""
        index = allocation.index
        parts = [self.stock[index, "done", task, on[0]] for task, on in allocation.tasks.items()]
        parts += [
            self.stock[index, "at", transfer.file, transfer.path[-1]]
            for transfer in allocation.transfers
            if transfer.file[1] == END
        ]
        return min(parts)


def assert_messages_arrive(
    platform: Any,
    sizes: dict[tuple[str, str], Fraction],
    times: dict[tuple[str, str], Fraction],
    schedule: Schedule,
    periods: int = 2,
) -> None:
    """Run the prologue and some periods: each of these completes all of its instances."""
    course = Course(platform, sizes, times, schedule, schedule.prologue_periods + periods)
    for past, completed in enumerate(course.completed, 1):
        for index, count in completed.items():
            due = max(0, past - schedule.prologue_periods)
            assert count >= due * course.by_index[index].instances_per_period
