r"""The referee's own proof that no distribution of whole items makes a star faster.

All times of a load of N items, :math:`C_i + k c_i / N` and :math:`W_i + k w_i / N`, are whole
multiples of one unit, the reciprocal of their common denominator. So is every makespan. Nothing
is faster than T if nothing sends and computes N items within the last unit before T.

The search is in breadth: for each place in the given order (or set of workers that took part) it
keeps what time was left to the master's port, and how many items were sent. The next worker takes
k items if :math:`C + W + k (c + w) / N` is left; then :math:`C + k c / N` less is. Dropped is

* what cannot reach N even if the items of the rest could be cut, `ItemLines`. That bound grows with
  the time left. So it is evaluated for ranges of k at once, with all the range's items and the time
  its least k leaves, and ranges are halved until they are hopeless or of one k;
* what has no more time left and no more items than another state of the same key.

It ends: each worker has finitely many k, and keys grow. Who needs no time for any item is compared
by himself, as for other loads.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from math import ceil, lcm
from typing import NamedTuple

from steadygrid.kinds.divisible_star.optimality.item_lines import ItemLines, ItemTimes
from steadygrid.kinds.divisible_star.optimality.partial import AnyOrder, GivenOrder, SearchSteps
from steadygrid.kinds.divisible_star.replay.star_terms import Times

MOST_STEPS = 8_000_000
"""Ranges of items that are tried for a worker, over the whole search."""
MOST_IN_ANY_ORDER = 10
"""Workers whose orders are searched: lines are derived for each set of them."""


def no_items_are_faster(
    workers: Sequence[Times],
    master: Times | None,
    items: int,
    makespan: Fraction,
    *,
    given_order: bool,
    most_steps: int = MOST_STEPS,
) -> bool | None:
    """Tell whether no schedule of whole items, with one message per worker, is shorter.

    Parameters
    ----------
    workers
        Without results; in the order asked for, if `given_order`: then some may be left out, but
        none sent to earlier.
    master
        None where it does not compute.

    Returns
    -------
    bool or None
        None where that takes more than `most_steps`.
    """
    stars = [*workers, *([master] if master else [])]
    unit = lcm(
        *(part.denominator for one in stars for part in (one.c / items, one.w / items)),
        *(part.denominator for one in stars for part in (one.C, one.W)),
    )
    within = ceil(makespan * unit) - 1
    if within < 0:
        return True
    units = [_in_units(one, unit, items) for one in stars]
    if any(one.max_items(within, items) == items for one in units):
        return False
    if not within:
        return True
    at_master = units.pop().max_items(within, items) if master else 0
    taking = [
        (one, times)
        for one, times in zip(units, workers, strict=True)
        if one.max_items(within, items)
    ]
    if not given_order and len(taking) > MOST_IN_ANY_ORDER:
        return None
    same = [times for _, times in taking]
    search_steps = GivenOrder(same) if given_order else AnyOrder(same)
    task = _Task([one for one, _ in taking], items - at_master, within)
    return _Search(task, search_steps, most_steps).run()


def _in_units(one: Times, unit: int, items: int) -> ItemTimes:
    return ItemTimes(
        int(one.c / items * unit),
        int(one.w / items * unit),
        int(one.C * unit),
        int(one.W * unit),
    )


class _Task(NamedTuple):
    """What would refute the claim."""

    workers: Sequence[ItemTimes]
    items: int
    within: int


class _Search:
    """A search for a schedule of all items within a time."""

    def __init__(self, task: _Task, search_steps: SearchSteps, most_steps: int) -> None:
        self._task = task
        self._lines = ItemLines(task.workers, search_steps, task.within)
        self._search_steps = search_steps
        self._steps_left = most_steps
        self._waiting: list[int] = []
        self._states: dict[int, list[tuple[int, int]]] = {}

    def run(self) -> bool | None:
        """Tell whether there is none. None where that takes too long."""
        self._keep(0, 0, self._task.within)
        while self._waiting:
            key = heappop(self._waiting)
            for items, room in self._states.pop(key):
                for after, sent, left in self._next(key, items, room):
                    if sent == self._task.items:
                        return False
                    self._keep(after, sent, left)
                if self._steps_left < 0:
                    return None
        return True

    def _next(self, key: int, items: int, room: int) -> Iterator[tuple[int, int, int]]:
        for i, after in self._search_steps.steps(key):
            if i is None:
                if self._is_open(after, items, room):
                    yield after, items, room
                continue
            one = self._task.workers[i]
            most = one.max_items(room, self._task.items - items)
            for k in self._open_counts(after, items, room - one.C, one.c, most):
                yield after, items + k, room - one.C - k * one.c

    def _open_counts(
        self, after: int, items: int, room: int, time: int, most: int
    ) -> Iterator[int]:
        """Give the numbers of items for the next worker that leave hope, greatest first."""
        ranges = [(1, most)] if most else []
        while ranges and self._steps_left >= 0:
            least, most = ranges.pop()
            if not self._is_open(after, items + most, room - least * time):
                continue
            if least == most:
                yield least
            else:
                middle = (least + most) // 2
                ranges += [(least, middle), (middle + 1, most)]

    def _is_open(self, key: int, items: int, room: int) -> bool:
        """Tell whether the rest may send all other items."""
        self._steps_left -= 1
        return items + self._lines.max_items(key, room) >= self._task.items

    def _keep(self, key: int, items: int, room: int) -> None:
        """Add a state in the order of items, and of falling room; drop what it is as good as."""
        kept = self._states.get(key)
        if kept is None:
            kept = self._states[key] = []
            heappush(self._waiting, key)
        place = bisect_left(kept, (items, room))
        if place < len(kept) and kept[place][1] >= room:
            return
        first = place
        while first and kept[first - 1][1] <= room:
            first -= 1
        kept[first:place] = [(items, room)]
