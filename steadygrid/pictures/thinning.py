"""Fewer bars where they are too short to be told apart. The busy time of every lane stays the same.

A window is cut into cells. Bars of a cell or longer stay; shorter ones of a lane that start in the
same cell become one, from the first start to the last end, with the exact sum of their busy times.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.report.bars import Bar


class Thinned(NamedTuple):
    """Bars by lane, and into how many cells the window was cut at last."""

    bars: tuple[tuple[Bar, ...], ...]
    cells: Fraction


def thin(
    lanes: Sequence[Sequence[Bar]], begin: Fraction, end: Fraction, cells: int, most: int
) -> Thinned:
    """Join short bars, and with half as many cells until no more than `most` bars are left.

    One pass over all bars. Each halving goes over those that are left, since cells of twice the
    length hold whole cells.

    Parameters
    ----------
    lanes
        The bars of each, in the order of their starts, all within the window.
    begin, end
        The window, in time units.
    cells
        At least one.
    most
        At least twice the number of lanes.
    """
    left, pieces = [list(bars) for bars in lanes], Fraction(cells)
    while True:
        left = [_joined(bars, begin, (end - begin) / pieces) for bars in left]
        if sum(map(len, left)) <= most or pieces <= 1:
            return Thinned(tuple(map(tuple, left)), pieces)
        pieces /= 2


def _joined(bars: Sequence[Bar], begin: Fraction, cell: Fraction) -> list[Bar]:
    """Join what is shorter than a cell and starts in the same one."""
    found: list[Bar] = []
    joins: dict[int, list[Bar]] = {}
    for bar in bars:
        if bar.end - bar.start >= cell:
            found.append(bar)
        else:
            joins.setdefault((bar.start - begin) // cell, []).append(bar)
    found += [_join_bars(several) for several in joins.values()]
    return sorted(found, key=lambda bar: bar.start)


def _join_bars(bars: Sequence[Bar]) -> Bar:
    first = bars[0]
    if len(bars) == 1:
        return first
    same = all(bar.what == first.what and bar.doing == first.doing for bar in bars)
    counts = [bar.count for bar in bars if bar.count is not None]
    return Bar(
        first.start,
        max(bar.end for bar in bars),
        first.doing if all(bar.doing == first.doing for bar in bars) else "mixed",
        first.what if same else "",
        first.whom if all(bar.whom == first.whom for bar in bars) else (),
        sum(counts, Fraction(0)) if same and len(counts) == len(bars) else None,
        sum((bar.busy for bar in bars), Fraction(0)),
        None,
        sum(bar.pieces for bar in bars),
    )
