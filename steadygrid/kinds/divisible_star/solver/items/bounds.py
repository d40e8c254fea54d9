r"""How many items are computed within a time at most, in whole numbers.

A star and its items become *turns*: the master's, then one of each worker, in whole numbers of a
unit of which all times are multiples. Stages say whose turn may follow: in a given order, the next
one's or none; in any order, that of any worker left.

With K time left at a stage, no more items are done than fractions of them would be, by (8) of
`steadygrid.kinds.divisible_star.solver.star.sequence_load`: the greatest of the lines

.. math::
   a := \frac{1 + w a'}{c + w}, \quad
   b := \frac{(C + W) + a' (C w - c W)}{c + w} + b'

over those at the stage that follows, with :math:`c a' < 1`, from :math:`a = b = 0`. They are kept
in fixed point, slopes rounded up and offsets down, which is never below.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm
from typing import NamedTuple

from steadygrid.kinds.divisible_star.solver.star.star import Costs, Star

SPARE_BITS = 48
"""How much finer a fixed point is than what changes a number of items within the longest time."""


class ItemCosts(NamedTuple):
    """What n items above 0 take on one processor: receiving C + c n, computing W + w n."""

    worker: int
    """Its place in the star; -1 for the master."""
    wire: int
    work: int
    wire_latency: int
    work_latency: int

    @property
    def delay(self) -> int:
        """Give C + W."""
        return self.wire_latency + self.work_latency

    @property
    def per_item(self) -> int:
        """Give c + w, above 0."""
        return self.wire + self.work


MASTER = -1


class Move(NamedTuple):
    """Whose turn comes, with one item or more, and the stage after it. None for no turn."""

    turn: ItemCosts | None
    then: int


Stages = Sequence[Sequence[Move]]
"""The moves at each stage, from the first, always to later ones. None at the last."""


def unit_of(star: Star, items: int) -> Fraction:
    """Give the longest time of which all times of items are multiples.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    items
        Of which the load consists.
    """
    times = [
        time
        for costs in (star.own, *star.workers)
        if costs is not None
        for time in (
            costs.wire / items,
            costs.work / items,
            costs.wire_latency,
            costs.work_latency,
        )
    ]
    return Fraction(1, lcm(*(time.denominator for time in times)))


def item_costs_of(star: Star, items: int, unit: Fraction) -> list[ItemCosts]:
    """List the turns of the master and the workers, without those to whom no item takes time.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    items
        Of which the load consists.
    unit
        Of which all times of items are multiples.
    """
    own = [] if star.own is None else [(MASTER, star.own)]
    return [
        _item_costs(worker, costs, items, unit)
        for worker, costs in (*own, *enumerate(star.workers))
        if costs.work or (costs.wire and worker != MASTER)
    ]


def _item_costs(worker: int, costs: Costs, items: int, unit: Fraction) -> ItemCosts:
    sent = worker != MASTER
    return ItemCosts(
        worker,
        int(costs.wire / items / unit) if sent else 0,
        int(costs.work / items / unit),
        int(costs.wire_latency / unit) if sent else 0,
        int(costs.work_latency / unit),
    )


def in_order(turns: Sequence[ItemCosts]) -> Stages:
    """Let the turns come one after the other."""
    moves = [[Move(turn, k + 1), Move(None, k + 1)] for k, turn in enumerate(turns)]
    return [*moves, []]


def in_any_order(turns: Sequence[ItemCosts]) -> Stages:
    """Let the workers' turns come in any order, after the master's: by the set of those left."""
    masters = [turn for turn in turns if turn.worker == MASTER]
    others = turns[len(masters) :]
    places = range(len(others))
    sets = [
        left for size in reversed(range(len(others) + 1)) for left in combinations(places, size)
    ]
    first = len(masters)
    stage = {left: first + k for k, left in enumerate(sets)}
    moves = [
        [Move(others[i], stage[left[:k] + left[k + 1 :]]) for k, i in enumerate(left)]
        for left in sets
    ]
    return [*([Move(turn, first), Move(None, first)] for turn in masters), *moves]


class Line(NamedTuple):
    """Items within K: ``slope * K - offset``, both in fixed point."""

    slope: int
    offset: int


@dataclass(frozen=True)
class Ceilings:
    """For each stage, lines of which the greatest is never below what can be done from there.

    Attributes
    ----------
    starts
        The least whole time from which each line is the greatest.
    longest
        Time left, up to which the lines are complete.
    bits
        Of the fixed point.
    """

    lines: Sequence[Sequence[Line]]
    starts: Sequence[Sequence[int]]
    longest: int
    bits: int

    def max_items(self, stage: int, time: int) -> int:
        """Bound the number of items that can be done with a time left.

        Parameters
        ----------
        stage
            Position of the stage.
        time
            That is left, in whole units.
        """
        slope, offset = self.lines[stage][bisect_right(self.starts[stage], time) - 1]
        return slope * time - offset >> self.bits

    def least_time(self, items: int) -> int:
        """Give the least time up to the longest that is not too short for so many items."""
        wanted = items << self.bits
        steep = [line for line in self.lines[0] if line.slope]
        times = [-(-(wanted + line.offset) // line.slope) for line in steep]
        return min([*times, self.longest])


def ceilings(stages: Stages, longest: int, check: Callable[[], None] = lambda: None) -> Ceilings:
    """Compute the lines of all stages, from the last, for no more than the longest time left.

    Parameters
    ----------
    stages
        The moves at each stage, from the first, always to later ones.
    longest
        Longest time left, in whole units.
    check
        May raise, which ends the work.
    """
    bits = longest.bit_length() + SPARE_BITS
    lines: list[Sequence[Line]] = [()] * len(stages)
    for stage in reversed(range(len(stages))):
        check()
        found = {Line(0, 0)}
        for turn, then in stages[stage]:
            found.update(lines[then])
            if turn is not None:
                found.update(
                    _extended(line, turn, bits)
                    for line in lines[then]
                    if turn.wire * line.slope < 1 << bits
                )
        lines[stage] = _greatest(found, longest)
    return Ceilings(lines, [_starts(kept) for kept in lines], longest, bits)


def _extended(line: Line, turn: ItemCosts, bits: int) -> Line:
    _, c, w, sending, computing = turn
    each = turn.per_item
    paid = (turn.delay << bits) + line.slope * (sending * w - c * computing)
    return Line(-((-(1 << bits) - w * line.slope) // each), paid // each + line.offset)


def _greatest(lines: set[Line], longest: int) -> list[Line]:
    """Keep those that are above all others somewhere from 0 to the longest time, by slope."""
    kept: list[Line] = []
    for line in sorted(lines, key=lambda line: (line.slope, -line.offset)):
        if kept and kept[-1].slope == line.slope:
            kept.pop()
        while len(kept) > 1 and _is_below(kept[-1], kept[-2], line):
            kept.pop()
        if (
            not kept
            or kept[-1].slope * longest - kept[-1].offset < line.slope * longest - line.offset
        ):
            kept.append(line)
    return kept


def _is_below(middle: Line, flat: Line, steep: Line) -> bool:
    """Tell whether a line is nowhere above both a flatter and a steeper one."""
    return (steep.offset - flat.offset) * (middle.slope - flat.slope) <= (
        middle.offset - flat.offset
    ) * (steep.slope - flat.slope)


def _starts(lines: Sequence[Line]) -> list[int]:
    """Give the least whole time from which each line is no less than the one before."""
    return [
        0,
        *(
            -((flat.offset - steep.offset) // (steep.slope - flat.slope))
            for flat, steep in pairwise(lines)
        ),
    ]
