"""Runs of links: when each is busy without a break, and what it carries one after the other."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapreplace
from math import ceil, lcm
from typing import Any, NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Platform
from steadygrid.domain.runs import Cargo, Run
from steadygrid.engine.scheduling.layout import (
    FluidCounts,
    Layout,
    Order,
    RoundedCounts,
    WholeCounts,
    WholeNumbers,
)
from steadygrid.engine.scheduling.timeline import Interval
from steadygrid.engine.scheduling.workload import Operation


class Load(NamedTuple):
    """Files of one operation that a run carries, and the time for them, in whole units."""

    operation: int
    count: Fraction  # type: ignore[assignment]  # hides a tuple method
    time: int


class LinkRun(NamedTuple):
    """A run before it is named. Times in whole units."""

    start: int
    end: int
    loads: tuple[Load, ...]


@dataclass(frozen=True)
class RunLayout(Layout):
    """Runs by their starts, in whole units of time."""

    runs: Sequence[LinkRun]
    unit: Fraction

    @property
    def length(self) -> Fraction:
        """As `Layout.length`."""
        return max((run.end for run in self.runs), default=0) * self.unit

    @property
    def multiplier(self) -> int:
        """As `Layout.multiplier`."""
        return lcm(1, *{load.count.denominator for run in self.runs for load in run.loads})

    def scaled(self, factor: int) -> "RunLayout":
        """As `Layout.scaled`."""
        return RunLayout(
            [
                run._replace(
                    loads=tuple(load._replace(count=load.count * factor) for load in run.loads)
                )
                for run in self.runs
            ],
            self.unit * factor,
        )

    def carried(self, number: int) -> list[Fraction]:
        """As `Layout.carried`."""
        files: Amounts[int] = Amounts()
        for run in self.runs:
            for load in run.loads:
                files[load.operation] += load.count
        return [files[k] for k in range(number)]

    def write_part(self, platform: Platform, hops: Sequence[Operation]) -> dict[str, Any]:
        """As `Layout.write_part`: runs."""
        ids = [processor.id for processor in platform.processors]
        unit, runs = self.unit, []
        for start, end, loads in self.runs:
            arc = hops[loads[0].operation].arc
            cargo = tuple(
                Cargo(hops[k].file, hops[k].plan, count, time * unit) for k, count, time in loads
            )
            runs.append(Run(start * unit, end * unit, ids[arc.source], ids[arc.target], cargo))
        return {"runs": tuple(runs)}


class _Busy(NamedTuple):
    """A stretch of time in which a link is busy, and the operations that it carries in order."""

    start: int
    end: int
    parts: tuple[tuple[int, int], ...]
    """Operation, and its time."""


@dataclass(frozen=True)
class RunOrder(Order[RunLayout]):
    """Stretches in which links are busy, by their starts.

    Attributes
    ----------
    resources, capacities
        What each operation occupies, and how many at a time where that is more than one.
    """

    stretches: Sequence[_Busy]
    unit: Fraction
    period: Fraction
    resources: Mapping[int, Sequence[Hashable]]
    capacities: Mapping[Hashable, int]

    @property
    def num_loads(self) -> int:
        """How many entries all runs have together."""
        return sum(len(one.parts) for one in self.stretches)

    def fluid(self, hops: Sequence[Operation], files: Sequence[Fraction]) -> RunLayout:
        """As `Order.fluid`."""
        moved = FluidCounts(hops, files, self.unit)
        runs = []
        for start, end, parts in self.stretches:
            loads = tuple(
                Load(k, count, time)
                for k, time in parts
                if (count := moved.next_of(k, time)) is not None
            )
            if loads:
                runs.append(LinkRun(start, end, loads))
        return RunLayout(runs, self.unit)

    def in_files(
        self, hops: Sequence[Operation], moved: WholeCounts | RoundedCounts, grain: Fraction | None
    ) -> RunLayout:
        """As `Order.in_files`.

        Every run is as long as its files take, and starts as soon as those before it at its ends
        are over.
        """
        unit = self.unit if grain is None else grain
        if grain is None:
            unit /= lcm(*((hop.file_time / unit).denominator for hop in hops))
        times = [hop.file_time / unit for hop in hops]
        whole = WholeNumbers()
        loads: list[tuple[Load, ...]] = []
        for _, _, parts in self.stretches:
            here = []
            for k, time in parts:
                if count := moved.next_of(k, time):
                    here.append(Load(k, whole[count], ceil(count * times[k])))
            loads.append(tuple(here))
        arcs = [hop.arc.index for hop in hops]
        return RunLayout(_started(filter(None, loads), arcs, self.resources, self.capacities), unit)


def run_order(
    intervals: Iterable[Interval],
    arcs: Sequence[int],
    unit: Fraction,
    period: Fraction,
    resources: Mapping[int, Sequence[Hashable]],
    capacities: Mapping[Hashable, int],
) -> RunOrder:
    """Join intervals of operations on the same link that touch.

    Parameters
    ----------
    intervals
        In whole units; of a link, none overlap.
    arcs
        By operation, the index of its arc.
    unit, period
        In time units.
    resources, capacities
        As in `RunOrder`.
    """
    by_arc: dict[int, list[Interval]] = {}
    for interval in sorted(intervals):
        by_arc.setdefault(arcs[interval.operation], []).append(interval)
    stretches = []
    for on_arc in by_arc.values():
        start = end = on_arc[0].start
        times: list[tuple[int, int]] = []
        for interval in on_arc:
            if interval.start > end:
                stretches.append(_Busy(start, end, tuple(times)))
                start, times = interval.start, []
            time = interval.end - interval.start
            if times and times[-1][0] == interval.operation:
                times[-1] = interval.operation, times[-1][1] + time
            else:
                times.append((interval.operation, time))
            end = interval.end
        stretches.append(_Busy(start, end, tuple(times)))
    return RunOrder(sorted(stretches), unit, period, resources, capacities)


def _started(
    loads: Iterable[tuple[Load, ...]],
    arcs: Sequence[int],
    resources: Mapping[int, Sequence[Hashable]],
    capacities: Mapping[Hashable, int],
) -> list[LinkRun]:
    """Start runs as early as can be, in this order at everything that they occupy."""
    free: dict[Hashable, list[int]] = {}
    last: dict[int, LinkRun] = {}
    runs: list[LinkRun] = []
    for run in loads:
        first = run[0].operation
        times = [free.setdefault(one, [0] * capacities.get(one, 1)) for one in resources[first]]
        start = max(each[0] for each in times)
        end = start + sum(load.time for load in run)
        for each in times:
            heapreplace(each, end)
        before = last.get(arcs[first])
        if before is not None and before.end == start:
            last[arcs[first]] = LinkRun(before.start, end, _merged(before.loads, run))
            continue
        if before is not None:
            runs.append(before)
        last[arcs[first]] = LinkRun(start, end, run)
    return sorted([*runs, *last.values()])


def _merged(loads: tuple[Load, ...], more: tuple[Load, ...]) -> tuple[Load, ...]:
    last, first = loads[-1], more[0]
    if last.operation != first.operation:
        return loads + more
    joined = Load(last.operation, last.count + first.count, last.time + first.time)
    return (*loads[:-1], joined, *more[1:])
