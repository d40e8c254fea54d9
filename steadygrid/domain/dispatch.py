"""Which allocation gets the next instance, where no global clock says so."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import islice
from math import gcd, lcm

MOST_SKIPPED = 1_000_000
"""Instances of a cycle."""


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
        Instances per time unit; an allocation of rate 0 gets none.
    counts
        Instances of each allocation that this order has handed out before; default: none.

    Raises
    ------
    ValueError
        `counts` that no order within the bound can have.

    Notes
    -----
    Tijdeman: The chairman assignment problem, Discrete Mathematics 32 (1980). Let
    ``d = 1/(2m - 2)``. An order keeps the bound exactly if the ``j``-th instance of each
    allocation is in its window, at one of the places ``ceil((j - 1 + d)/p)`` to
    ``floor((j - d)/p) + 1``. By his theorem there is such an order. Where jobs of length 1 fit
    into windows of whole numbers, they fit by earliest deadline; ties go to the lowest index.
    An instance takes two divisions of integers as long as the period, and the heaps compare
    their small quotients: O(log m) each.
    """

    def __init__(self, rates: Sequence[Fraction], counts: Sequence[int] | None = None) -> None:
        common = lcm(1, *(rate.denominator for rate in rates))
        whole = [rate.numerator * (common // rate.denominator) for rate in rates]
        shared = gcd(*whole)
        self._weights = {i: weight // shared for i, weight in enumerate(whole) if weight > 0}
        self.cycle = sum(self._weights.values())
        """After so many instances the order repeats; 0 where no rate is positive."""
        self.counts = [0] * len(rates) if counts is None else list(counts)
        """Instances of each allocation so far."""
        self._parts = max(1, 2 * len(self._weights) - 2)
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
        """Give release, deadline, index and number of an instance; numbers count from 1."""
        unit = self._parts * self._weights[index]
        release = -(-(self._parts * (number - 1) + 1) * self.cycle // unit)
        return release, (self._parts * number - 1) * self.cycle // unit + 1, index, number

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
        Instances per time unit; an allocation of rate 0 gets none.
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
        More than `MOST_SKIPPED` instances would have to be handed out to know where to go on.
    """
    order = DispatchOrder(rates)
    skipped = start % order.cycle if order.cycle else 0
    if skipped > MOST_SKIPPED:
        raise ValueError(
            f"the order repeats after {order.cycle:,} instances, and this is the {skipped:,}th of"
            f" them; at most {MOST_SKIPPED:,} can be skipped"
        )
    return list(islice(order, skipped, skipped + count))
