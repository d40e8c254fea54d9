"""From times to files: how many files each operation moves in each slot."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, lcm
from typing import NamedTuple

from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import Slot, SlotTransfer
from steadygrid.engine.scheduling.timeline import Piece
from steadygrid.engine.scheduling.workload import Operation


class Stretch(NamedTuple):
    """A slot before it is named: how long, and how many files each operation moves."""

    duration: Fraction
    counts: tuple[tuple[int, Fraction], ...]


Layout = list[Stretch]


class Order(NamedTuple):
    """Operations in order, in whole units of time, within a period."""

    pieces: list[Piece]
    unit: Fraction
    period: Fraction


def fluid_layout(hops: Sequence[Operation], files: Sequence[Fraction], order: Order) -> Layout:
    """Move as much of a file as the time of each piece allows.

    Parameters
    ----------
    hops, files
        The operations and how many files each moves per period.
    order
        An operation may have more time than it needs (from rounding up); it then stops early.
    """
    speeds = _files_per_unit(hops, order.unit)
    spent = [0] * len(hops)
    needed = [
        -(-number.numerator * per // (number.denominator * speed))
        for number, (speed, per) in zip(files, speeds, strict=True)
    ]
    known: dict[tuple[int, int, int], Fraction] = {}

    def moved(k: int, time: int) -> Fraction:
        key = time, *speeds[k]
        if key not in known:
            known[key] = Fraction(time * speeds[k][0], speeds[k][1])
        return known[key]

    layout: Layout = []
    for piece in order.pieces:
        counts = []
        for k, time in zip(piece.operations, piece.times, strict=True):
            before = spent[k]
            spent[k] = before + time
            if before >= needed[k]:
                continue
            if spent[k] < needed[k]:
                counts.append((k, moved(k, time)))
            else:
                counts.append((k, files[k] - moved(k, before) if before else files[k]))
        layout.append(Stretch(piece.duration * order.unit, tuple(counts)))
    return layout


def _files_per_unit(hops: Sequence[Operation], unit: Fraction) -> list[tuple[int, int]]:
    """Give the files that each operation moves per unit of time, as unreduced ratios."""
    return [
        (unit.numerator * t.denominator, unit.denominator * t.numerator)
        for t in (hop.file_time for hop in hops)
    ]


class _Whole(dict[int, Fraction]):
    """Whole numbers as fractions, each made once: there may be a million of few sizes."""

    def __missing__(self, number: int) -> Fraction:
        self[number] = Fraction(number)
        return self[number]


def whole_layout(
    hops: Sequence[Operation],
    files: Sequence[int],
    order: Order,
    factor: int,
    grain: Fraction | None,
) -> Layout:
    """Move whole files only, following the pieces as closely as whole files can.

    Up to the end of each piece an operation has moved what the pieces allow, rounded down, so
    in its last piece nothing is left over. A slot is as long as its slowest transfer: no more
    than its piece and one file, often less. With `factor` all counts are multiplied while the
    extra time stays: the larger the factor, the smaller the loss.

    Parameters
    ----------
    hops, files, order
        As for `fluid_layout`, with whole numbers of files.
    factor
        Repeat the pieces' work that often, each piece stretched by it.
    grain
        Durations are rounded up to multiples of this; None leaves them exact.
    """
    speeds = _files_per_unit(hops, factor * order.unit)
    times = [hop.file_time.as_integer_ratio() for hop in hops]
    spent = [0] * len(hops)
    moved = [0] * len(hops)
    layout: Layout = []
    whole = _Whole()
    for piece in order.pieces:
        length, per = 0, 1
        counts = []
        for k, time in zip(piece.operations, piece.times, strict=True):
            spent[k] += time
            speed, unit = speeds[k]
            total = min(factor * files[k], spent[k] * speed // unit)
            count = total - moved[k]
            if count:
                moved[k] = total
                counts.append((k, whole[count]))
                time, its_per = times[k]
                if count * time * per > length * its_per:
                    length, per = count * time, its_per
        if counts:
            layout.append(Stretch(_grained(Fraction(length, per), grain), tuple(counts)))
    return layout


def rounded_layout(
    hops: Sequence[Operation],
    files: Sequence[int] | None,
    order: Order,
    grain: Fraction | None,
) -> Layout:
    """Round the files of every piece down, and stop an operation when it has moved `files`.

    The plain way to keep files whole: what does not fit into its own piece is lost.

    Parameters
    ----------
    hops
        Every operation that there may be.
    files
        By operation, how many it moves at most; None: any number.
    order
        The operations within a period.
    grain
        Durations are rounded up to multiples of it; None: they stay.
    """
    moved = [0] * len(hops)
    layout: Layout = []
    for piece in order.pieces:
        counts = []
        for k, time in zip(piece.operations, piece.times, strict=True):
            count = time * order.unit // hops[k].file_time
            if files is not None:
                count = min(count, files[k] - moved[k])
            if count > 0:
                moved[k] += count
                counts.append((k, Fraction(count)))
        if counts:
            duration = max(count * hops[k].file_time for k, count in counts)
            layout.append(Stretch(_grained(duration, grain), tuple(counts)))
    return layout


def _grained(duration: Fraction, grain: Fraction | None) -> Fraction:
    return duration if grain is None else ceil(duration / grain) * grain


def multiplier(layout: Iterable[Stretch]) -> int:
    """Give the least factor that makes all counts whole."""
    return lcm(1, *(count.denominator for stretch in layout for _, count in stretch.counts))


def scaled(layout: Iterable[Stretch], factor: int) -> Layout:
    """Multiply durations and counts.

    Parameters
    ----------
    layout
        The slots, in order.
    factor
        How many times as long each slot becomes, with as many times the files.
    """
    return [
        Stretch(
            stretch.duration * factor, tuple((k, count * factor) for k, count in stretch.counts)
        )
        for stretch in layout
    ]


def length_of(layout: Iterable[Stretch]) -> Fraction:
    """Add up the durations."""
    return sum((stretch.duration for stretch in layout), Fraction(0))


def is_preempted(layout: Iterable[Stretch]) -> bool:
    """Say whether some slot moves a part of a file."""
    return any(count.denominator > 1 for stretch in layout for _, count in stretch.counts)


def named_slots(
    platform: Platform, hops: Sequence[Operation], layout: Iterable[Stretch]
) -> tuple[Slot, ...]:
    """Write slots one after the other, in the contract's terms.

    Parameters
    ----------
    platform
        Its processors and arcs, by index.
    hops
        Every operation that there may be.
    layout
        The slots, in order.
    """
    ids = [processor.id for processor in platform.processors]
    slots = []
    start = Fraction(0)
    for stretch in layout:
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
    return tuple(slots)
