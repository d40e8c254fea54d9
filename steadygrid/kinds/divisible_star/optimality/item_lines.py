r"""How many items a star can still do, from lines over the time that is left.

With room K left, a worker who takes a share of the items as if they could be cut has sent the last
of them, and has something left, when it takes :math:`a = (K - C - W) / (c + w)` of them. If those
after it then do at most :math:`s K' - b` of them within :math:`K'`, all do at most

.. math::
   s K - b \quad \text{or} \quad
   \frac{(1 + s w) K - (C + W)}{c + w} - s \Big(C - c \frac{C + W}{c + w}\Big) - b

where the second is more than the first only if :math:`s c < 1`. The greatest of all such lines,
from :math:`s = b = 0` when no worker is left, is thus never too low. Slopes are rounded up and what
is subtracted is rounded down.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from steadygrid.kinds.divisible_star.optimality.partial import SearchSteps

FINENESS = 64
"""Bits by which lines are finer than an item within the whole time."""


class ItemTimes(NamedTuple):
    """Times of a worker in whole units: c and w for each item."""

    c: int
    w: int
    C: int
    W: int

    def max_items(self, room: int, items: int) -> int:
        """Give how many of some items it receives and computes within a time.

        Parameters
        ----------
        room
            Time, in whole units.
        items
            How many there are at most.
        """
        left = room - self.C - self.W
        if left < 0:
            return 0
        return min(items, left // (self.c + self.w)) if self.c + self.w else items


Line = tuple[int, int]
"""Slope, and what is subtracted."""


class ItemLines:
    """Upper bounds for each key of a search, each derived when it is first needed.

    Parameters
    ----------
    workers
        Who all need time for an item.
    within
        The whole time.
    """

    def __init__(
        self, workers: Sequence[ItemTimes], search_steps: SearchSteps, within: int
    ) -> None:
        self._workers = workers
        self._search_steps = search_steps
        self._within = within
        self._bits = FINENESS + within.bit_length()
        self._known: dict[int, tuple[list[int], list[Line]]] = {}

    def max_items(self, key: int, room: int) -> int:
        """Bound the items that those who may come at a key can do.

        Parameters
        ----------
        key
            Which workers may come, as the search names it.
        room
            Time that is left, in whole units.
        """
        starts, lines = self._highest(key)
        slope, offset = lines[bisect_right(starts, room) - 1]
        return slope * room - offset >> self._bits

    def _highest(self, key: int) -> tuple[list[int], list[Line]]:
        """Give the times from which lines are the highest, and these."""
        open_ = [key]
        while key not in self._known:
            nearest = open_[-1]
            behind = [
                after for _, after in self._search_steps.steps(nearest) if after not in self._known
            ]
            if behind:
                open_ += behind
                continue
            self._known[nearest] = self._walk({(0, 0), *self._lines(nearest)})
            open_.pop()
        return self._known[key]

    def _lines(self, key: int) -> Iterator[Line]:
        whole = 1 << self._bits
        for i, after in self._search_steps.steps(key):
            for slope, offset in self._known[after][1]:
                yield slope, offset
                if i is None or slope * self._workers[i].c >= whole:
                    continue
                one = self._workers[i]
                each, delay = one.c + one.w, one.C + one.W
                less = whole * delay + slope * (one.C * each - one.c * delay)
                yield -(-(whole + slope * one.w) // each), less // each + offset

    def _walk(self, lines: set[Line]) -> tuple[list[int], list[Line]]:
        """Follow the highest line from 0, and change to the line that crosses it first."""
        time, starts, highest = 0, [0], [max(lines, key=lambda line: (-line[1], line[0]))]
        while True:
            slope, offset = highest[-1]
            crossings = [
                (-((offset - other) // (steeper - slope)), steeper, other)
                for steeper, other in lines
                if steeper > slope
            ]
            time = min((time for time, *_ in crossings), default=self._within + 1)
            if time > self._within:
                return starts, highest
            starts.append(time)
            highest.append(
                max(
                    ((steeper, other) for at, steeper, other in crossings if at == time),
                    key=lambda line: (line[0] * time - line[1], line[0]),
                )
            )
