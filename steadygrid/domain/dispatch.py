"""Which allocation gets the next instance, where no global clock says so."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import islice
from math import gcd, lcm
from typing import NamedTuple

MOST_LOOKED_AT = 1_000_000
"""Instances before a place that decide which come next."""


class _Open(NamedTuple):
    """An instance that may be at a place or at a later one."""

    deadline: int
    allocation: int
    release: int


class DispatchOrder(Iterator[int]):
    """The allocations of instances, one after the other, without an end.

    In every prefix of the order, each allocation has its share of the instances, up to less than
    one instance. Let ``m`` be the number of positive rates and ``p`` a rate over the sum of all.
    Among the first ``t`` instances, its allocation has ``n`` with
    ``|n - p t| <= 1 - 1/(2m - 2)`` if ``m > 1``, else ``n = t``. That is proved for any rates.
    For some rates another order stays nearer. The bound is about counts: nothing is said of ports.

    Parameters
    ----------
    rates
        Instances per time unit. An allocation of rate 0 gets none.
    counts
        Instances of each allocation that this order has handed out before; default: those of
        `start`.
    start
        Instances that this order has handed out before, where `counts` are not given.

    Raises
    ------
    ValueError
        `counts` that no order within the bound can have. A `start` for which more than
        `MOST_LOOKED_AT` instances would have to be looked at.

    Notes
    -----
    Tijdeman: The chairman assignment problem, Discrete Mathematics 32 (1980). Let
    ``d = 1/(2m - 2)``. An order keeps the bound exactly if the ``j``-th instance of each
    allocation is in its window, at one of the places ``ceil((j - 1 + d)/p)`` to
    ``floor((j - d)/p) + 1``. By his theorem there is such an order. Where jobs of length 1 fit
    into windows of whole numbers, they fit by earliest deadline; ties go to the lowest index.
    An instance takes two divisions of integers as long as the period, and the heaps compare
    their small quotients: O(log m) each.

    The counts after ``t`` instances need no walk from 0, see ``docs/schedules.md``. An allocation
    has at most one instance that may be among them and need not be: it is open. Those that must be
    among them are counted by a division. Let ``r`` and ``R`` be the first and the last release of
    open instances. Then that is O(m log m) and O(log m) for each instance that is released between
    ``r`` and ``R`` and is due by ``t``. These are fewer than ``1/q``, where ``q`` is the least
    share of an allocation that has an open instance.
    """

    def __init__(
        self, rates: Sequence[Fraction], counts: Sequence[int] | None = None, start: int = 0
    ) -> None:
        common = lcm(1, *(rate.denominator for rate in rates))
        whole = [rate.numerator * (common // rate.denominator) for rate in rates]
        shared = gcd(*whole)
        self._weights = {i: weight // shared for i, weight in enumerate(whole) if weight > 0}
        self.cycle = sum(self._weights.values())
        """After so many instances the order repeats; 0 where no rate is positive."""
        self._parts = max(1, 2 * len(self._weights) - 2)
        self.counts = self._counts_after(start, len(rates)) if counts is None else list(counts)
        """Instances of each allocation so far."""
        self._place = sum(self.counts)
        if len(self.counts) != len(rates) or not self._is_near():
            raise ValueError("these counts are not those of an order by these rates")
        self._waiting = [self._window(i, self.counts[i] + 1) for i in self._weights]
        heapify(self._waiting)
        self._ready: list[tuple[int, int, int]] = []

    def __next__(self) -> int:
        """Give the allocation of the next instance; stop where no rate is positive."""
        if not self._weights:
            raise StopIteration
        self._place += 1
        if len(self._weights) == 1:
            (index,) = self._weights
        else:
            while self._waiting and self._waiting[0][0] <= self._place:
                _, deadline, index, number = heappop(self._waiting)
                heappush(self._ready, (deadline, index, number))
            _, index, number = heappop(self._ready)
            heappush(self._waiting, self._window(index, number + 1))
        self.counts[index] += 1
        return index

    def _window(self, index: int, number: int) -> tuple[int, int, int, int]:
        """Give release, deadline, index and number of an instance. Numbers count from 1."""
        unit = self._parts * self._weights[index]
        release = -(-(self._parts * (number - 1) + 1) * self.cycle // unit)
        return release, (self._parts * number - 1) * self.cycle // unit + 1, index, number

    def _due(self, index: int, place: int) -> int:
        """Count the instances whose deadline is not after a place."""
        part = self._parts * self.cycle
        return -(-(self._parts * self._weights[index] * place + self.cycle) // part) - 1

    def _released(self, index: int, place: int) -> int:
        """Count the instances whose release is not after a place."""
        part = self._parts * self.cycle
        return (self._parts * self._weights[index] * place - self.cycle) // part + 1

    def _counts_after(self, place: int, length: int) -> list[int]:
        counts = [0] * length
        if not self._weights:
            return counts
        turns, place = divmod(place, self.cycle)
        if len(self._weights) == 1:
            (index,) = self._weights
            counts[index] = turns + place
            return counts
        maybe: list[_Open] = []
        missing = place
        for index, weight in self._weights.items():
            due = self._due(index, place)
            missing -= due
            counts[index] = turns * weight + due
            if self._released(index, place) > due:
                release, deadline, *_ = self._window(index, due + 1)
                maybe.append(_Open(deadline, index, release))
        for index in self._first(sorted(maybe), place, missing):
            counts[index] += 1
        return counts

    def _first(self, maybe: Sequence[_Open], place: int, missing: int) -> list[int]:
        """Tell which open instances, by their deadlines, are at a place or an earlier one."""
        if missing in (0, len(maybe)):
            return [one.allocation for one in maybe[:missing]]
        releases = sorted({one.release for one in maybe})
        free = self._free_since(releases, place, missing)
        groups = {release: position for position, release in enumerate(releases)}
        later = list(range(len(releases) + 1))
        found: list[int] = []
        for one in maybe:
            group = groups[one.release]
            passed: list[int] = []
            while group < len(free) and not free[group]:
                passed.append(group)
                group = max(group + 1, later[group])
            for other in passed:
                later[other] = group
            if group < len(free):
                free[group] -= 1
                found.append(one.allocation)
        return found

    def _free_since(self, releases: Sequence[int], place: int, missing: int) -> list[int]:
        """Count the places up to one that are left to open instances, from each release to the next."""
        begin, end = releases[0], releases[-1]
        least: list[int] = []
        spans = {i: (self._released(i, begin), self._due(i, place)) for i in self._weights}
        if (
            number := sum(max(0, due - first) for i, (first, due) in spans.items())
        ) > MOST_LOOKED_AT:
            raise ValueError(
                f"to go on at this place, {number:,} instances before it have to be looked at, and"
                f" {MOST_LOOKED_AT:,} can be: an allocation has a very small rate"
            )
        tight = [
            self._window(i, number)[0]
            for i, (first, due) in spans.items()
            for number in range(first + 1, min(due, self._released(i, end)) + 1)
        ]
        tight.sort()
        behind = sum(max(0, due - self._released(i, end)) for i, (_, due) in spans.items())
        for low, high in zip(reversed(releases[:-1]), reversed(releases[1:]), strict=True):
            room = place - high + 1 - behind - (bool(tight) and tight[-1] == high)
            while tight and tight[-1] > low:
                release = tight.pop()
                behind += 1
                room = min(room, place - release + 1 - behind)
            least.append(room)
        since = [missing]
        for room in reversed(least):
            since.append(min(since[-1], room))
        return [one - after for one, after in zip(since, [*since[1:], 0], strict=True)]

    def _is_near(self) -> bool:
        if len(self._weights) < 2:
            return all(n >= 0 and (n == 0 or i in self._weights) for i, n in enumerate(self.counts))
        most = (self._parts - 1) * self.cycle
        return all(
            abs(n * self.cycle - self._weights.get(i, 0) * self._place) * self._parts
            <= (most if i in self._weights else 0)
            for i, n in enumerate(self.counts)
        )


def dispatch_order(rates: Sequence[Fraction], count: int, start: int = 0) -> list[int]:
    """Give the allocations of `count` instances, see `DispatchOrder`.

    Parameters
    ----------
    rates
        Instances per time unit. An allocation of rate 0 gets none.
    count
        How many instances to hand out.
    start
        How many have been handed out before.

    Returns
    -------
    list of int
        Indices into `rates`; empty if no rate is positive.

    Raises
    ------
    ValueError
        As of `DispatchOrder`.
    """
    return list(islice(DispatchOrder(rates, start=start), count))
