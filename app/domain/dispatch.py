"""Which allocation gets the next instance, where no global clock says so."""

from collections.abc import Sequence
from fractions import Fraction
from heapq import heapify, heapreplace
from math import lcm


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
    RR-4870, section 7.3, Algorithm 3. ``1 / rate`` is a whole number of a common time unit, so
    each step compares and adds integers: O(count log(number of rates)) of them.
    """
    unit = lcm(1, *(rate.numerator for rate in rates if rate > 0))
    steps = [(unit // r.numerator) * r.denominator if r > 0 else 0 for r in rates]
    queue = [(step, index) for index, step in enumerate(steps) if step]
    if not queue:
        return []
    heapify(queue)
    order: list[int] = []
    for _ in range(count):
        date, index = queue[0]
        order.append(index)
        heapreplace(queue, (date + steps[index], index))
    return order
