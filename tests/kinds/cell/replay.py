"""Run the schedule of a mapping instance by instance: computations, transfers, peeks, buffers.

Written from chapter 7 alone: nothing is taken from the referee or from what made the schedule.
"""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.schedule import Schedule
from steadygrid.kinds.cell.schemas import CellInstance


class Span(NamedTuple):
    start: Fraction
    end: Fraction


class Replay:
    """What happened up to some period.

    Attributes
    ----------
    computed
        Of each task, when its instances were computed, the first one first.
    brought
        Of each file, when its instances were moved to where they are used.
    """

    def __init__(self, instance: CellInstance, schedule: Schedule, periods: int) -> None:
        self.instance, self.schedule, self.periods = instance, schedule, periods
        (self.allocation,) = schedule.allocations
        self.core = {task: cores[0] for task, cores in self.allocation.tasks.items()}
        assert self.allocation.first_periods is not None
        self.first = first = {task: n for (task, _), n in self.allocation.first_periods.items()}
        self.computed: dict[str, list[Span]] = {}
        for entry in schedule.computations:
            self.computed[entry.task] = [
                Span(start + entry.start, start + entry.start + entry.time)
                for start in self._begins(first[entry.task])
            ]
        self.brought = {
            (file.source, file.target): [
                Span(start, start + schedule.period)
                for start in self._begins(first[file.source] + 1)
            ]
            for file in instance.application.files
        }

    def _begins(self, first: int) -> list[Fraction]:
        return [(p - 1) * self.schedule.period for p in range(first, self.periods + 1)]

    def check(self) -> None:
        """Check everything that can go wrong."""
        self._check_cores()
        self._check_order()
        self._check_interfaces()
        self._check_buffers()

    def _check_cores(self) -> None:
        tasks = {task.id: task for task in self.instance.application.tasks}
        assert self.computed.keys() == tasks.keys() == self.core.keys()
        busy: dict[str, list[Span]] = defaultdict(list)
        for name, spans in self.computed.items():
            core, task = self.core[name], tasks[name]
            time = task.time_ppe if core.startswith("PPE") else task.time_spe
            assert all(span.end - span.start == time for span in spans), f"{name} on {core}"
            busy[core] += [span for span in spans if span.end > span.start]
        for core, spans in busy.items():
            for one, other in pairwise(sorted(spans)):
                assert one.end <= other.start, f"{core} computes two tasks at once"

    def _check_order(self) -> None:
        peeks = {task.id: task.peek for task in self.instance.application.tasks}
        for (source, target), spans in self.brought.items():
            for made, sent in zip(self.computed[source], spans, strict=False):
                assert made.end <= sent.start, f"{source}->{target} is sent before it is made"
            for number, used in enumerate(self.computed[target]):
                for needed in range(number, number + peeks[target] + 1):
                    assert spans[needed].end <= used.start, f"{target} peeks at what is not there"

    def _check_interfaces(self) -> None:
        machine = self.instance.machine
        moved = {
            name: (self.core[name[0]], self.core[name[1]])
            for name in self.brought
            if self.core[name[0]] != self.core[name[1]]
        }
        sizes = self.instance.file_sizes
        listed = [
            (t.file, (t.sender, t.receiver)) for slot in self.schedule.slots for t in slot.transfers
        ]
        assert sorted(listed) == sorted((f, ends) for f, ends in moved.items() if sizes[f])
        room = machine.bandwidth * self.schedule.period
        for period in range(1, self.periods + 1):
            data: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
            calls: dict[tuple[str, str], int] = defaultdict(int)
            for task in self.instance.application.tasks:
                if period >= self.first[task.id]:
                    data[self.core[task.id], "in"] += task.read
                    data[self.core[task.id], "out"] += task.write
            for file, (sender, receiver) in moved.items():
                if period > self.first[file[0]]:
                    data[sender, "out"] += sizes[file]
                    data[receiver, "in"] += sizes[file]
                    calls[receiver, "all" if receiver.startswith("SPE") else sender] += 1
            assert all(amount <= room for amount in data.values()), f"period {period}: {data}"
            for (_, sender), number in calls.items():
                if sender == "all":
                    assert number <= machine.dma_into_spe
                elif sender.startswith("SPE"):
                    assert number <= machine.dma_spe_to_ppe

    def _check_buffers(self) -> None:
        """Each end has its buffer; an instance is in it until it was sent, or used last."""
        held: dict[str, list[tuple[Fraction, Fraction, Fraction]]] = defaultdict(list)
        for file, spans in self.brought.items():
            source, target = file
            size = self.instance.file_sizes[file]
            for made, sent in zip(self.computed[source], spans, strict=False):
                held[self.core[source]].append((made.start, sent.end, size))
            last = self.periods * self.schedule.period
            for number, sent in enumerate(spans):
                used = self.computed[target]
                end = used[number].end if number < len(used) else last
                held[self.core[target]].append((sent.start, end, size))
        for core, stays in held.items():
            if core.startswith("SPE"):
                assert most_at_once(stays) <= self.instance.machine.local_store, core

    def finished(self, periods: int) -> int:
        """Count the instances of which every task was computed after so many periods."""
        date = periods * self.schedule.period
        return min(sum(span.end <= date for span in spans) for spans in self.computed.values())


def most_at_once(stays: Iterable[tuple[Fraction, Fraction, Fraction]]) -> Fraction:
    """Give the most data that is there at a moment; what leaves makes room at once."""
    changes: dict[Fraction, Fraction] = defaultdict(Fraction)
    for start, end, size in stays:
        changes[start] += size
        changes[end] -= size
    level = most = Fraction(0)
    for date in sorted(changes):
        level += changes[date]
        most = max(most, level)
    return most


def assert_replays(instance: CellInstance, schedule: Schedule, periods: int = 4) -> None:
    """Run the prologue and some periods, and count what comes out of each."""
    total = schedule.prologue_periods + periods
    peek = max(task.peek for task in instance.application.tasks)
    replay = Replay(instance, schedule, total + peek)
    replay.check()
    for past in range(1, total + 1):
        assert replay.finished(past) == max(0, past - schedule.prologue_periods)
    assert replay.finished(schedule.latency_periods) == 1
