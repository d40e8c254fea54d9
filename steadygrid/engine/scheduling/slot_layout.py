"""Slots: what runs side by side in a stretch of the period, one stretch after the other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Platform
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.engine.scheduling.layout import (
    FluidCounts,
    Layout,
    Order,
    RoundedCounts,
    WholeCounts,
    WholeNumbers,
    grained,
)
from steadygrid.engine.scheduling.timeline import Piece
from steadygrid.engine.scheduling.workload import Operation


class Stretch(NamedTuple):
    """A slot before it is named: how long, and how many files each operation moves."""

    duration: Fraction
    counts: tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True)
class SlotLayout(Layout):
    """Slots, in order."""

    stretches: Sequence[Stretch]

    @property
    def length(self) -> Fraction:
        """As `Layout.length`."""
        return sum((stretch.duration for stretch in self.stretches), Fraction(0))

    @property
    def multiplier(self) -> int:
        """As `Layout.multiplier`."""
        return lcm(1, *{count.denominator for one in self.stretches for _, count in one.counts})

    @property
    def is_preempted(self) -> bool:
        """As `Layout.is_preempted`."""
        return any(count.denominator > 1 for one in self.stretches for _, count in one.counts)

    def scaled(self, factor: int) -> "SlotLayout":
        """As `Layout.scaled`."""
        return SlotLayout(
            [
                Stretch(one.duration * factor, tuple((k, c * factor) for k, c in one.counts))
                for one in self.stretches
            ]
        )

    def carried(self, number: int) -> list[Fraction]:
        """As `Layout.carried`."""
        files: Amounts[int] = Amounts()
        for stretch in self.stretches:
            for k, count in stretch.counts:
                files[k] += count
        return [files[k] for k in range(number)]

    def write_part(self, platform: Platform, hops: Sequence[Operation]) -> dict[str, Any]:
        """As `Layout.write_part`: slots."""
        ids = [processor.id for processor in platform.processors]
        slots = []
        start = Fraction(0)
        for stretch in self.stretches:
            transfers = tuple(
                SlotTransfer(
                    ids[hops[k].arc.source],
                    ids[hops[k].arc.target],
                    hops[k].file,
                    hops[k].plan,
                    count,
                )
                for k, count in sorted(stretch.counts)
            )
            slots.append(Slot(start, stretch.duration, transfers))
            start += stretch.duration
        return {"slots": tuple(slots)}


@dataclass(frozen=True)
class SlotOrder(Order[SlotLayout]):
    """Pieces of a period, in each of which operations run side by side."""

    pieces: Sequence[Piece]
    unit: Fraction
    period: Fraction

    def fluid(self, hops: Sequence[Operation], files: Sequence[Fraction]) -> SlotLayout:
        """As `Order.fluid`."""
        moved = FluidCounts(hops, files, self.unit)
        return SlotLayout(
            [
                Stretch(
                    piece.duration * self.unit,
                    tuple(
                        (k, count)
                        for k, time in zip(piece.operations, piece.times, strict=True)
                        if (count := moved.next_of(k, time)) is not None
                    ),
                )
                for piece in self.pieces
            ]
        )

    def in_files(
        self, hops: Sequence[Operation], moved: WholeCounts | RoundedCounts, grain: Fraction | None
    ) -> SlotLayout:
        """As `Order.in_files`.

        A slot is as long as its slowest transfer: of whole files no more than its piece and one
        file, often less.
        """
        times = [hop.file_time.as_integer_ratio() for hop in hops]
        whole = WholeNumbers()
        stretches: list[Stretch] = []
        for piece in self.pieces:
            length, per = 0, 1
            counts = []
            for k, time in zip(piece.operations, piece.times, strict=True):
                if count := moved.next_of(k, time):
                    counts.append((k, whole[count]))
                    time, its_per = times[k]
                    if count * time * per > length * its_per:
                        length, per = count * time, its_per
            if counts:
                stretches.append(Stretch(grained(Fraction(length, per), grain), tuple(counts)))
        return SlotLayout(stretches)


def slots_of_batches(
    batches: Iterable[Sequence[int]],
    times: Sequence[Fraction],
    files: Sequence[int],
    grain: Fraction | None,
) -> SlotLayout:
    """Give each batch of operations a slot as long as the longest of them takes.

    Parameters
    ----------
    batches
        Operations that run side by side.
    times, files
        Of the operations.
    grain
        Durations are rounded up to multiples of it. None: they stay.
    """
    return SlotLayout(
        [
            Stretch(
                grained(max(times[k] for k in batch), grain),
                tuple((k, Fraction(files[k])) for k in batch),
            )
            for batch in batches
        ]
    )
