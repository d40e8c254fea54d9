"""What happens when: the events of a periodic schedule in a window of time.

The period may hold 10^15 instances and the window any number of periods, so events are
made one by one, in the order of their starts, from cursors into the schedule's lists.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from steadygrid.domain.periods import Copy, first_periods, hop_periods
from steadygrid.domain.platform import PortModel
from steadygrid.domain.schedule import Allocation, Computation
from steadygrid.domain.slots import FileName, Slot

MOST_EVENTS = 10_000
"""Most events of one answer."""
MOST_STEPS = 200_000
"""Most operations looked at for one answer; in the prologue many do not take part yet."""

Hop = tuple[FileName, tuple[str, str]]


class Position(NamedTuple):
    """Where a walk through a timeline stands: the next of everything."""

    period: int
    """Counted from 1."""
    computation: int
    slot: int
    transfer: int

    def __str__(self) -> str:
        return ".".join(map(str, self))


_POSITION = re.compile(r"[1-9][0-9]{0,1099}(\.(0|[1-9][0-9]{0,8})){3}", re.ASCII)


def read_position(text: str) -> Position:
    """Read a position back; ValueError if this is none."""
    if not _POSITION.fullmatch(text):
        raise ValueError("not a position")
    return Position(*map(int, text.split(".")))


class Step(NamedTuple):
    """One operation of the walk."""

    event: dict[str, Any] | None
    """As the contract shows it. None if the operation does not take part (yet)."""
    position: Position
    """After the operation."""


@dataclass(frozen=True)
class PeriodicTimeline:
    """A periodic schedule, as far as its events need it.

    A schedule may have a million slots, so they are read as the walk needs them.
    """

    period: Fraction
    ports: PortModel
    files: Sequence[FileName]
    allocations: Sequence[Allocation]
    computations: Sequence[Computation]
    """Sorted by start."""
    slots: Callable[[int], Iterable[Slot]]
    """The slots from an index on, by their starts; or each cargo of the runs as a slot."""
    index_at: Callable[[Fraction], int]
    """An index from which on no slot that holds this moment of the period is missing."""

    def walk(self, begin: Fraction, end: Fraction, after: Position | None = None) -> Iterator[Step]:
        """Walk through the operations that overlap ``[begin, end)``.

        Parameters
        ----------
        begin, end
            In the schedule's time units from the start of period 1.
        after
            Where an earlier walk through the same window stopped.

        Notes
        -----
        An operation takes part from the period on in which the first instance reaches it
        (`first_periods`), so what happens first is the prologue. A transfer lasts as long as
        its slot, and may be done earlier; in runs it lasts as long as its files take.
        """
        if self.period <= 0 or end <= begin:
            return
        first = _FirstPeriods(self.files, self.allocations, self.ports)
        if after is None:
            period = int(begin // self.period) + 1
            slot = self.index_at(begin - (period - 1) * self.period)
            after = Position(period, 0, slot, 0)
        while (after.period - 1) * self.period < end:
            offset = (after.period - 1) * self.period
            position = after
            for operation, position in self._operations(after):
                if operation.start >= end - offset:
                    return
                seen = operation.end > begin - offset and operation.reached(first) <= after.period
                yield Step(operation.event(offset, after.period) if seen else None, position)
            if position == after == (after.period, 0, 0, 0):
                return  # an empty period: nothing will ever happen
            after = Position(after.period + 1, 0, 0, 0)

    def _operations(self, at: Position) -> Iterator[tuple["_Operation", Position]]:
        """Merge computations and transfers of one period by their starts."""
        period, c, s, t = at
        slots = iter(self.slots(s))
        slot = next(slots, None)
        while slot is not None or c < len(self.computations):
            if c < len(self.computations) and (
                slot is None or self.computations[c].start <= slot.start
            ):
                c += 1
                yield _Compute(self.computations[c - 1]), Position(period, c, s, t)
            elif slot is not None and t < len(slot.transfers):
                t += 1
                yield _Transfer(slot, t - 1), Position(period, c, s, t)
            else:
                s, t = s + 1, 0
                slot = next(slots, None)


class _FirstPeriods:
    """The first period of every operation, worked out per allocation when it is asked for."""

    def __init__(
        self, files: Sequence[FileName], allocations: Sequence[Allocation], ports: PortModel
    ) -> None:
        self._files = files
        self._ports = ports
        self._allocations = {allocation.index: allocation for allocation in allocations}
        self._tasks: dict[int, dict[Copy, int]] = {}
        self._hops: dict[int, dict[Hop, int]] = {}

    def of_task(self, allocation: int, copy: Copy) -> int:
        if allocation not in self._tasks:
            self._tasks[allocation] = first_periods(
                self._files, self._allocations[allocation], self._ports
            )
        return self._tasks[allocation][copy]

    def of_hop(self, allocation: int, hop: Hop) -> int:
        if allocation not in self._hops:
            self._hops[allocation] = self._all_hops(self._allocations[allocation])
        return self._hops[allocation][hop]

    def _all_hops(self, allocation: Allocation) -> dict[Hop, int]:
        found: dict[Hop, int] = {}
        periods = hop_periods(self._files, allocation, self._ports)
        for (file, path, _), hops in zip(allocation.transfers, periods, strict=True):
            for ends, period in zip(pairwise(path), hops, strict=True):
                # Where a file takes a hop on two of its paths, the nearer one counts.
                found[file, ends] = min(found.get((file, ends), period), period)
        return found


class _Compute(NamedTuple):
    computation: Computation

    @property
    def start(self) -> Fraction:
        return self.computation.start

    @property
    def end(self) -> Fraction:
        return self.computation.start + self.computation.time

    def reached(self, first: _FirstPeriods) -> int:
        copy = self.computation.task, self.computation.processor
        return first.of_task(self.computation.allocation, copy)

    def event(self, offset: Fraction, period: int) -> dict[str, Any]:
        return {
            "start": str(self.start + offset),
            "end": str(self.end + offset),
            "count": str(self.computation.count),
            "processor": self.computation.processor,
            "kind": "compute",
            "task": self.computation.task,
            "allocation": self.computation.allocation,
            "period": period,
        }


class _Transfer(NamedTuple):
    slot: Slot
    number: int

    @property
    def start(self) -> Fraction:
        return self.slot.start

    @property
    def end(self) -> Fraction:
        return self.slot.start + self.slot.duration

    def reached(self, first: _FirstPeriods) -> int:
        transfer = self.slot.transfers[self.number]
        hop = (transfer.file, (transfer.sender, transfer.receiver))
        return first.of_hop(transfer.allocation, hop)

    def event(self, offset: Fraction, period: int) -> dict[str, Any]:
        transfer = self.slot.transfers[self.number]
        return {
            "start": str(self.start + offset),
            "end": str(self.end + offset),
            "count": str(transfer.count),
            "link": [transfer.sender, transfer.receiver],
            "kind": "transfer",
            "file": list(transfer.file),
            "allocation": transfer.allocation,
            "period": period,
        }


_Operation = _Compute | _Transfer
