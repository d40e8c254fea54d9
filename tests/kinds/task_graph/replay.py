"""Run a schedule of task graphs instance by instance: joins get files of one instance, in time."""

from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any

from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.domain.slots import FileName
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from tests.replay import Replay

Dates = list[Fraction]
"""By instance, when something was finished."""


class TaskGraphReplay(Replay):
    """Follows every task and file of every instance, see `Replay`."""

    instance: Any

    def _size(self, file: FileName) -> Fraction:
        return self.instance.file_sizes[file]

    def _follow(self, allocation: Allocation, periods: int) -> None:
        """Run one allocation: each task from the dates of its files, each file hop by hop."""
        ways = {transfer.file: transfer.path for transfer in allocation.transfers}
        count = int(allocation.instances_per_period)
        assert count == allocation.instances_per_period
        done: dict[str, Dates] = {}
        first: dict[str, int] = {}
        files = list(self.instance.file_sizes)
        waiting = [task.id for task in self.instance.application.tasks]
        while waiting:
            task = waiting.pop(0)
            needed = [file for file in files if file[1] == task]
            if any(source not in done for source, _ in needed):
                waiting.append(task)
                continue
            arrived: list[Dates] = []
            first[task] = 1
            for file in needed:
                ends = allocation.tasks[file[0]][0], allocation.tasks[task][0]
                way = ways.get(file, (ends[0],))
                assert (way[0], way[-1]) == ends, f"{file} goes astray"
                period, dates = first[file[0]] + 1, done[file[0]]
                one_port = self.schedule.ports == "one_port"
                legs = list(pairwise(way)) if one_port else [way] if len(way) > 1 else []
                move = self._send if one_port else self._flow
                for leg in legs:
                    batches = self._batches(dates, period, periods, count, f"{file} on {leg}")
                    dates = [
                        d for s, batch in batches for d in move(allocation, file, leg, s, batch)
                    ]
                    period += 1
                if not legs and len(way) == 1 and self._runs_behind(allocation, file):
                    period -= 1
                    length = self.schedule.period
                    dates = [max(0, ceil(date / length) - 1) * length for date in dates]
                arrived.append(dates)
                first[task] = max(first[task], period)
            ready = [max(dates) for dates in zip(*arrived, strict=False)]
            if not needed:
                ready = [Fraction(0)] * (count * periods)
            batches = self._batches(ready, first[task], periods, count, task)
            done[task] = [d for s, batch in batches for d in self._run(allocation, task, s, batch)]
        assert max(first.values()) <= self.schedule.latency_periods
        self.done += [max(dates) for dates in zip(*done.values(), strict=False)]

    def _runs_behind(self, allocation: Allocation, file: FileName) -> bool:
        """Tell whether a period has all of the maker before all of the user, on their processor."""
        spans = {
            c.task: (c.start, c.start + c.time)
            for c in self.schedule.computations
            if c.allocation == allocation.index
        }
        return file[0] in spans and file[1] in spans and spans[file[0]][1] <= spans[file[1]][0]

    def _batches(
        self, ready: Dates, first: int, periods: int, count: int, what: str
    ) -> list[tuple[Fraction, Dates]]:
        """Give each period's start, and when what its instances need was there."""
        found: list[tuple[Fraction, Dates]] = []
        for period in range(first, periods + 1):
            start = (period - 1) * self.schedule.period
            batch = ready[len(found) * count : (len(found) + 1) * count]
            assert len(batch) == count, f"{what}: period {period} has not enough to work on"
            assert all(date <= start for date in batch), f"{what} starves in period {period}"
            found.append((start, batch))
        return found

    def _run(self, allocation: Allocation, task: str, start: Fraction, batch: Dates) -> Dates:
        (processor,) = allocation.tasks[task]
        place = self.instance.platform.index_by_id[processor]
        time = self.instance.times[self.instance.task_index[task]][place]
        assert time is not None
        if not time:
            return [start] * len(batch)
        (entry,) = (
            c
            for c in self.schedule.computations
            if (c.allocation, c.task) == (allocation.index, task)
        )
        assert entry.processor == processor
        dates = []
        for i in range(len(batch)):
            begin = start + entry.start + i * time
            self._occupy((processor, "compute"), begin, begin + time, f"{task} {i}", start)
            dates.append(begin + time)
        assert dates[-1] <= start + entry.start + entry.time
        return dates


def assert_replays(instance: TaskGraphInstance, schedule: Schedule, periods: int) -> None:
    """Run the prologue and some periods, and count the instances that each period completes."""
    total = schedule.prologue_periods + periods
    replay = TaskGraphReplay(instance, schedule, total)  # type: ignore[arg-type]
    for past in range(1, total + 1):
        delivered = sum(1 for done in replay.done if done <= past * schedule.period)
        promised = max(0, past - schedule.prologue_periods) * schedule.instances_per_period
        assert delivered >= promised, f"{delivered} of {promised} after {past} periods"
