"""Run one allocation with copies instance by instance, and look into what the processors hold.

Nothing here knows the formulas for periods and buffers: operations run as soon as what they
need was there before the period began, or was made on their own processor before they begin; what
is held is counted period by period.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.schedule import Schedule
from steadygrid.domain.slots import FileName
from steadygrid.verification.steady import SteadyInstance

Copy = tuple[str, str]
Hop = tuple[int, int]
"""Transfer and position in its path; under multiport a path is one operation at position 0."""
Operation = Copy | Hop


class Run(NamedTuple):
    """An operation of one instance."""

    period: int
    begin: Fraction
    end: Fraction


class Held(NamedTuple):
    """Some of a file of one instance on a processor, by the operations that touch it."""

    processor: str
    data: Fraction
    runs: list[Run]

    @property
    def first(self) -> int:
        """Period of the first of them."""
        return min(run.period for run in self.runs)

    @property
    def last(self) -> int:
        """Period of the last of them."""
        return max(run.period for run in self.runs)


class CopiesReplay:
    """Follows every instance of the only allocation of a schedule."""

    def __init__(self, steady: SteadyInstance, schedule: Schedule, periods: int) -> None:
        self.steady = steady
        self.schedule = schedule
        self.periods = periods
        (self.allocation,) = schedule.allocations
        self.count = int(self.allocation.instances_per_period)
        assert self.count == self.allocation.instances_per_period > 0
        self.one_port = schedule.ports == "one_port"
        self.paths = [transfer.path for transfer in self.allocation.transfers]
        self.runs: dict[Operation, list[Run]] = defaultdict(list)
        """By operation, the run of each instance so far."""
        self._needs = {operation: self._needed(operation) for operation in self._operations()}
        for period in range(1, periods + 1):
            self._run_period(period)

    def _operations(self) -> Iterator[Operation]:
        for task, processors in self.allocation.tasks.items():
            for processor in processors:
                yield task, processor
        for number, path in enumerate(self.paths):
            for position in range(len(path) - 1 if self.one_port else 1):
                yield number, position

    def _last_hop(self, number: int) -> Hop:
        return number, len(self.paths[number]) - 2 if self.one_port else 0

    def _makes(self, file: FileName, processor: str) -> bool:
        return processor in self.allocation.tasks[file[0]]

    def _of(self, file: FileName) -> list[int]:
        return [i for i, t in enumerate(self.allocation.transfers) if t.file == file]

    def _needed(self, operation: Operation) -> tuple[str, list[Operation]]:
        """Give what must have run before, and whether all of it or any."""
        first, second = operation
        if isinstance(first, str) and isinstance(second, str):
            needs: list[Operation] = []
            for file in self.steady.sizes:
                if file[1] != first:
                    continue
                if self._makes(file, second):
                    needs.append((file[0], second))
                    continue
                ending = [i for i in self._of(file) if self.paths[i][-1] == second]
                assert sum(self.allocation.transfers[i].share for i in ending) == 1
                needs += [self._last_hop(i) for i in ending]
            return "all", needs
        assert isinstance(first, int)
        assert isinstance(second, int)
        if second > 0:
            return "all", [(first, second - 1)]
        file, path, _ = self.allocation.transfers[first]
        if self._makes(file, path[0]):
            return "all", [(file[0], path[0])]
        passing: list[Operation] = [
            (i, self.paths[i].index(path[0]) - 1 if self.one_port else 0)
            for i in self._of(file)
            if path[0] in self.paths[i][1:]
        ]
        assert passing, f"{file} begins from nowhere on {path[0]}"
        return ("any" if self.one_port else "along"), passing

    def _ready(
        self, operation: Operation, instance: int, period: int, asked: tuple[Operation, ...] = ()
    ) -> bool:
        how, needs = self._needs[operation]
        if how == "along":  # it flows at once with what it branches off
            asked = (*asked, operation)
            return any(self._ready(n, instance, period, asked) for n in needs if n not in asked)
        there = [
            len(self.runs[need]) > instance and self.runs[need][instance].period < period
            for need in needs
        ]
        return any(there) if how == "any" else all(there)

    def _compute_all(self, period: int, start: Fraction) -> None:
        """Run what is computed in a period, in the order of the dates."""
        placed = {(c.task, c.processor): c for c in self.schedule.computations}
        copies = [o for o in self._needs if isinstance(o[0], str)]
        for copy in sorted(copies, key=lambda o: (placed[o].start, placed[o].time)):
            begin = start + placed[copy].start
            first = len(self.runs[copy])
            batch = [
                instance
                for instance in range(first, first + self.count)
                if all(
                    len(self.runs[need]) > instance
                    and (
                        self.runs[need][instance].period < period
                        or (need[1] == copy[1] and self.runs[need][instance].end <= begin)
                    )
                    for need in self._needs[copy][1]
                )
            ]
            assert len(batch) in (0, self.count), f"{copy} has not enough in {period}"
            if batch:
                self.runs[copy] += self._compute(copy, period, start)

    def _run_period(self, period: int) -> None:
        start = (period - 1) * self.schedule.period
        batches = {
            operation: [
                instance
                for instance in range(
                    len(self.runs[operation]), len(self.runs[operation]) + self.count
                )
                if self._ready(operation, instance, period)
            ]
            for operation in self._needs
            if isinstance(operation[0], int)
        }
        self._compute_all(period, start)
        lanes: dict[tuple[str, str, FileName], list[Operation]] = defaultdict(list)
        for operation, batch in batches.items():
            assert len(batch) in (0, self.count), f"{operation} has not enough in {period}"
            first, second = operation
            if not batch:
                continue
            if isinstance(first, int) and isinstance(second, int):
                file, path, _ = self.allocation.transfers[first]
                if self.one_port and self.steady.sizes[file]:
                    lanes[path[second], path[second + 1], file].append(operation)
                else:
                    length = self.schedule.period
                    self.runs[operation] += [
                        Run(
                            period,
                            start + i * length / self.count,
                            start + (i + 1) * length / self.count,
                        )
                        for i in range(self.count)
                    ]
        for (sender, receiver, file), operations in lanes.items():
            self._carry(sender, receiver, file, operations, period, start)

    def _compute(self, copy: Copy, period: int, start: Fraction) -> list[Run]:
        task, processor = copy
        (entry,) = (
            c for c in self.schedule.computations if (c.task, c.processor) == (task, processor)
        )
        time = self.steady.times[task][processor]
        dates = [start + entry.start + i * time for i in range(self.count + 1)]
        assert start <= dates[0]
        assert dates[-1] <= start + self.schedule.period
        return [Run(period, begin, end) for begin, end in pairwise(dates)]

    def _carry(
        self,
        sender: str,
        receiver: str,
        file: FileName,
        operations: list[Operation],
        period: int,
        start: Fraction,
    ) -> None:
        """Let the pieces of a link's slots carry the shares of the instances in turn."""
        each = self.steady.sizes[file] * self.steady.network.hops[sender, receiver].unit_time
        pieces = [
            [start + slot.start, transfer.count]
            for slot in self.schedule.slots
            for transfer in slot.transfers
            if (transfer.sender, transfer.receiver, transfer.file) == (sender, receiver, file)
        ]
        for operation in operations:
            number = operation[0]
            assert isinstance(number, int)
            for _ in range(self.count):
                left = self.allocation.transfers[number].share
                begin: Fraction | None = None
                while left:
                    assert pieces, f"{file} does not fit on the way from {sender} to {receiver}"
                    begin = pieces[0][0] if begin is None else begin
                    moved = min(left, pieces[0][1])
                    left -= moved
                    end = pieces[0][0] + moved * each
                    pieces[0] = [end, pieces[0][1] - moved]
                    if not pieces[0][1]:
                        pieces.pop(0)
                assert begin is not None
                assert end <= start + self.schedule.period
                self.runs[operation].append(Run(period, begin, end))

    def first(self, operation: Operation) -> int:
        """Period in which the first instances run it."""
        return self.runs[operation][0].period

    def held(self, instance: int) -> Iterator[Held]:
        """What the processors hold of one instance, all of which has run."""
        for file, size in self.steady.sizes.items():
            for processor in self.allocation.tasks[file[0]]:
                touching: list[Operation] = [(file[0], processor)]
                if processor in self.allocation.tasks[file[1]]:
                    touching.append((file[1], processor))
                touching += [(i, 0) for i in self._of(file) if self.paths[i][0] == processor]
                yield Held(processor, size, [self.runs[o][instance] for o in touching])
            for number in self._of(file):
                yield from self._brought(file, number, instance)

    def _brought(self, file: FileName, number: int, instance: int) -> Iterator[Held]:
        path = self.paths[number]
        data = self.steady.sizes[file] * self.allocation.transfers[number].share
        for position, processor in enumerate(path[1:]):
            ends = position == len(path) - 2
            uses = ends and processor in self.allocation.tasks[file[1]]
            if not self.one_port and not uses:
                continue
            touching: list[Operation] = [(number, position if self.one_port else 0)]
            if uses:
                touching.append((file[1], processor))
            if self.one_port and not ends:
                touching.append((number, position + 1))
            if self.one_port and not self._makes(file, processor):
                touching += [
                    (i, 0)
                    for i in self._of(file)
                    if self.paths[i][0] == processor
                    and self._came_first(file, processor, instance) == number
                ]
            yield Held(processor, data, [self.runs[o][instance] for o in touching])

    def _came_first(self, file: FileName, processor: str, instance: int) -> int:
        return min(
            (self.runs[i, self.paths[i].index(processor) - 1][instance].period, i)
            for i in self._of(file)
            if processor in self.paths[i][1:]
        )[1]


def most_held(replay: CopiesReplay, whole: int) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Count what is held at most, of the instances that have run within `whole` periods.

    Returns
    -------
    tuple
        By processor: data at the busiest moment, from the beginning of the first operation that
        touches it to the end of the last; and data in the fullest period.
    """
    changes: dict[str, list[tuple[Fraction, int, Fraction]]] = defaultdict(list)
    periods: dict[str, dict[int, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for instance in range(whole * replay.count):
        for held in replay.held(instance):
            begin, end = min(r.begin for r in held.runs), max(r.end for r in held.runs)
            if begin < end:
                changes[held.processor] += [(begin, 1, held.data), (end, 0, -held.data)]
            for period in range(held.first, held.last + 1):
                periods[held.processor][period] += held.data
    moments: dict[str, Fraction] = {}
    for processor, dates in changes.items():
        now = Fraction(0)
        for _, _, change in sorted(dates):
            now += change
            moments[processor] = max(moments.get(processor, now), now)
    return moments, {p: max(of.values()) for p, of in periods.items() if any(of.values())}
