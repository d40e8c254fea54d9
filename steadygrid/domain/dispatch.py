"""Which allocation gets the next instance, where no global clock says so."""

from collections.abc import Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import lcm


def dispatch_order(rates: Sequence[Fraction], count: int) -> list[int]:
    """Give the allocations of the first `count` instances.

    In every prefix of the order, each allocation has its share of the instances, up to less than
    one instance. Let ``m`` be the number of positive rates and ``p`` a rate over the sum of all.
    Among the first ``t`` instances, its allocation has ``n`` with
    ``|n - p t| <= 1 - 1/(2m - 2)`` if ``m > 1``, else ``n = t``. That is proved for any rates.
    For some rates another order stays nearer. The bound is about counts: nothing is said of ports.

    Parameters
    ----------
    rates
        Instances per time unit; an allocation of rate 0 gets none.
    count
        How many instances to hand out.

    Returns
    -------
    list of int
        Indices into `rates`; empty if no rate is positive.

    Notes
    -----
    Tijdeman: The chairman assignment problem, Discrete Mathematics 32 (1980). Let
    ``d = 1/(2m - 2)``. An order keeps the bound exactly if the ``j``-th instance of each
    allocation is in its window, at one of the places ``ceil((j - 1 + d)/p)`` to
    ``floor((j - d)/p) + 1``. By his theorem there is such an order. Where jobs of length 1 fit
    into windows of whole numbers, they fit by earliest deadline; ties go to the lowest index.
    An instance takes two divisions of integers as long as the period, and the heaps compare
    their small quotients: O((m + count) log m).
    """
    common = lcm(1, *(rate.denominator for rate in rates))
    weights = {
        index: rate.numerator * (common // rate.denominator)
        for index, rate in enumerate(rates)
        if rate > 0
    }
    if len(weights) < 2:
        return [*weights] * count
    total = sum(weights.values())
    parts = 2 * len(weights) - 2
    units = {index: parts * weight for index, weight in weights.items()}

    def window(index: int, number: int) -> tuple[int, int, int, int]:
        """Give release, deadline, index and number of an instance; numbers count from 1."""
        unit = units[index]
        release = -(-(parts * (number - 1) + 1) * total // unit)
        return release, (parts * number - 1) * total // unit + 1, index, number

    waiting = [window(index, 1) for index in units]
    heapify(waiting)
    ready: list[tuple[int, int, int]] = []
    order: list[int] = []
    for place in range(1, count + 1):
        while waiting and waiting[0][0] <= place:
            _, deadline, index, number = heappop(waiting)
            heappush(ready, (deadline, index, number))
        _, index, number = heappop(ready)
        order.append(index)
        heappush(waiting, window(index, number + 1))
    return order
