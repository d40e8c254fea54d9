"""Which allocation gets the next instance, where no global clock says so."""

from collections.abc import Sequence
from fractions import Fraction
from heapq import heapify, heapreplace
from math import lcm


class _NextInstance:
    """An allocation's next instance; sooner is less."""

    __slots__ = ("count", "index", "weight")

    def __init__(self, index: int, weight: int) -> None:
        self.index = index
        self.weight = weight
        self.count = 1

    def __lt__(self, other: "_NextInstance") -> bool:
        mine, its = self.count * other.weight, other.count * self.weight
        return mine < its or (mine == its and self.index < other.index)


def dispatch_order(rates: Sequence[Fraction], count: int) -> list[int]:
    """Give the allocations of the first `count` instances.

    At each step the instance goes to the allocation that would be done with it first: the one
    with the least ``(instances so far + 1) / rate``, ties to the lowest index. Every prefix
    thus follows the rates as closely as whole instances can.

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
    RR-4870, section 7.3, Algorithm 3. With the rates as integers over their common
    denominator (it divides the period) two dates are compared by cross-multiplication with
    the small counts: O(count log(number of rates)) products, however many digits the period
    has. Whole common steps instead would need the common multiple of the numerators, which
    has a million digits where a thousand rates have a thousand each.
    """
    common = lcm(1, *(rate.denominator for rate in rates))
    queue = [
        _NextInstance(index, rate.numerator * (common // rate.denominator))
        for index, rate in enumerate(rates)
        if rate > 0
    ]
    if not queue:
        return []
    heapify(queue)
    order: list[int] = []
    for _ in range(count):
        turn = queue[0]
        order.append(turn.index)
        turn.count += 1
        heapreplace(queue, turn)
    return order
