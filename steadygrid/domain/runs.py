"""Runs of links: stretches of a period in which a link is busy, with the cargo that follows in order.

Slots are derived from runs, see `DerivedSlots`.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import islice
from math import lcm
from typing import Any, NamedTuple, overload

from steadygrid.domain.header import text_of
from steadygrid.domain.rational import parse_exact, parse_whole
from steadygrid.domain.slots import FileName, Slot, SlotTransfer, read_file_name

MOST_BITS = 500_000_000
"""Of all times of the runs of a period together, written in one unit."""


class Cargo(NamedTuple):
    """Files of one sort that a link carries one after the other during a run."""

    file: FileName
    allocation: int
    count: Fraction  # type: ignore[assignment]  # the contract's name hides a tuple method
    time: Fraction
    """For all `count` files together, from the end of the cargo before."""


class Run(NamedTuple):
    """A stretch of the period in which a link is busy without a break.

    The cargo follows in order from `start` on. What is left of the stretch after it is idle.
    """

    start: Fraction
    end: Fraction
    sender: str
    receiver: str
    cargo: tuple[Cargo, ...]

    def stretches(self) -> Iterator[tuple[Fraction, Fraction, Cargo]]:
        """Give each cargo with its own start and end."""
        now = self.start
        for cargo in self.cargo:
            yield now, now + cargo.time, cargo
            now += cargo.time


def run_document(run: Run) -> dict[str, Any]:
    """Write a run as the contract shows it."""
    return {
        "start": str(run.start),
        "end": str(run.end),
        "sender": run.sender,
        "receiver": run.receiver,
        "cargo": [
            {
                "file": list(cargo.file),
                "allocation": cargo.allocation,
                "count": str(cargo.count),
                "time": str(cargo.time),
            }
            for cargo in run.cargo
        ],
    }


def read_run(value: Mapping[str, Any]) -> Run:
    """Read a run back; errors as those of `Schedule.from_document`."""
    if not isinstance(value["cargo"], list):
        raise TypeError("the cargo of a run is a list")
    return Run(
        parse_exact(value["start"]),
        parse_exact(value["end"]),
        text_of(value["sender"]),
        text_of(value["receiver"]),
        tuple(
            Cargo(
                read_file_name(one["file"]),
                parse_whole(one["allocation"]),
                parse_exact(one["count"]),
                parse_exact(one["time"]),
            )
            for one in value["cargo"]
        ),
    )


def interruptions(runs: Iterable[Run]) -> int:
    """Count how often links stop and go on later: runs less the links in use."""
    ends = [(run.sender, run.receiver) for run in runs]
    return len(ends) - len(set(ends))


def common_unit(runs: Iterable[Run]) -> int:
    """Give a unit of which all times of some runs are multiples, as the inverse of a time.

    Raises
    ------
    ValueError
        If the times have so little in common that they are long in any unit.
    """
    denominators = [
        time.denominator
        for run in runs
        for time in (run.start, run.end, *(cargo.time for cargo in run.cargo))
    ]
    most_bits = MOST_BITS // max(len(denominators), 1)
    unit = 1
    for one in set(denominators):
        unit = lcm(unit, one)
        if unit.bit_length() > most_bits:
            raise ValueError(
                "the times of its runs have no common denominator of"
                f" {most_bits * 30103 // 100_000:,} digits or fewer"
            )
    return unit


def runs_of_slots(slots: Iterable[Slot]) -> list[Run]:
    """Join what a link carries in slots that follow each other.

    Parameters
    ----------
    slots
        In each of which a link carries one thing: for the whole time of the slot.

    Returns
    -------
    list of Run
        By their starts. The time of a cargo is that of its slots, which may be more than it needs.
    """
    running: dict[tuple[str, str], tuple[Fraction, Fraction, list[Cargo]]] = {}
    runs: list[Run] = []
    for slot in slots:
        for moved in slot.transfers:
            ends = moved.sender, moved.receiver
            start, end, cargo = running.get(ends, (slot.start, slot.start, []))
            if end < slot.start:
                runs.append(Run(start, end, *ends, tuple(cargo)))
                start, cargo = slot.start, []
            last = cargo[-1] if cargo else None
            if last is not None and last[:2] == (moved.file, moved.allocation):
                whole = last.count + moved.count, last.time + slot.duration
                cargo[-1] = Cargo(moved.file, moved.allocation, *whole)
            else:
                cargo.append(Cargo(moved.file, moved.allocation, moved.count, slot.duration))
            running[ends] = start, slot.start + slot.duration, cargo
    runs += (Run(start, end, *ends, tuple(cargo)) for ends, (start, end, cargo) in running.items())
    return sorted(runs)


def slots_of(runs: Iterable[Run]) -> Iterator[Slot]:
    """Cut a period wherever a cargo begins or ends, reading runs no further than that needs.

    Parameters
    ----------
    runs
        By their starts.
    """
    waiting = iter(runs)
    coming = next(waiting, None)
    changes: list[tuple[Fraction, int]] = []
    left: dict[int, tuple[Run, Iterator[Cargo]]] = {}
    busy: dict[int, tuple[Run, Cargo]] = {}
    now, number = Fraction(0), 0

    def go_on(one: int) -> None:
        busy.pop(one, None)
        run, rest = left[one]
        cargo = next((cargo for cargo in rest if cargo.time > 0), None)
        if cargo is None:
            del left[one]
        else:
            busy[one] = run, cargo
            heappush(changes, (now + cargo.time, one))

    while coming is not None or changes:
        moments = [changes[0][0]] if changes else []
        moment = min([*moments, coming.start] if coming is not None else moments)
        if busy and now < moment:
            yield _slot(now, moment, busy)
        now = moment
        while changes and changes[0][0] <= now:
            go_on(heappop(changes)[1])
        while coming is not None and coming.start <= now:
            left[number] = coming, iter(coming.cargo)
            go_on(number)
            number, coming = number + 1, next(waiting, None)


def _slot(begin: Fraction, end: Fraction, busy: Mapping[int, tuple[Run, Cargo]]) -> Slot:
    duration = end - begin
    transfers = []
    for number in sorted(busy):
        run, cargo = busy[number]
        part = cargo.count if cargo.time == duration else cargo.count * duration / cargo.time
        transfers.append(SlotTransfer(run.sender, run.receiver, cargo.file, cargo.allocation, part))
    return Slot(begin, duration, tuple(transfers))


class DerivedSlots(Sequence[Slot]):
    """The same period as slots: it is cut wherever a cargo begins or ends.

    A file that is in progress at a cut goes on in the next slot without a break, so the counts of
    slots may have fractions where those of cargo have none. Slots may list many more transfers than
    there is cargo, so each is made when it is asked for, and they are counted without being made.

    Parameters
    ----------
    runs
        Of a period. None of a link overlap.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs

    @cached_property
    def _stretches(self) -> list[tuple[int, int]]:
        """Start and end of each cargo, in whole units."""
        unit = common_unit(self._runs)
        found = []
        for run in self._runs:
            now = _whole(run.start, unit)
            for cargo in run.cargo:
                end = now + _whole(cargo.time, unit)
                if end > now:
                    found.append((now, end))
                now = end
        return found

    @cached_property
    def _cuts(self) -> list[int]:
        return sorted({moment for one in self._stretches for moment in one})

    @cached_property
    def _starts(self) -> list[int]:
        """When slots begin: at cuts after which something is in progress."""
        under_way = 0
        changes: dict[int, int] = dict.fromkeys(self._cuts, 0)
        for start, end in self._stretches:
            changes[start] += 1
            changes[end] -= 1
        starts = []
        for cut in self._cuts:
            under_way += changes[cut]
            if under_way:
                starts.append(cut)
        return starts

    @cached_property
    def num_transfers(self) -> int:
        """How many transfers all slots list together."""
        cuts = self._cuts
        return sum(
            bisect_left(cuts, end) - bisect_left(cuts, start) for start, end in self._stretches
        )

    def __len__(self) -> int:
        return len(self._starts)

    def __iter__(self) -> Iterator[Slot]:
        return self.starting_with(0)

    def starting_with(self, first: int) -> Iterator[Slot]:
        """Give the slots from an index on, one after the other."""
        return islice(slots_of(sorted(self._runs)), first, None)

    @overload
    def __getitem__(self, index: int) -> Slot: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Slot]: ...

    def __getitem__(self, index: int | slice) -> Slot | Sequence[Slot]:
        if isinstance(index, slice):
            return tuple(self)[index]
        number = range(len(self))[index]
        return next(self.starting_with(number))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DerivedSlots):
            return self._runs == other._runs
        return tuple(self) == other if isinstance(other, tuple) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # like a list


def _whole(time: Fraction, unit: int) -> int:
    return time.numerator * (unit // time.denominator)
