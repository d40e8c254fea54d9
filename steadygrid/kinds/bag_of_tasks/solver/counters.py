"""The order in which the tasks of a class go to workers whose rates are given."""

from collections.abc import Sequence
from fractions import Fraction
from heapq import heapify, heapreplace
from math import lcm


class _NextTask:
    """A worker's next task; sooner is less."""

    __slots__ = ("count", "weight", "worker")

    def __init__(self, worker: int, weight: int) -> None:
        self.worker = worker
        self.weight = weight
        self.count = 1

    def __lt__(self, other: "_NextTask") -> bool:
        mine, its = self.count * other.weight, other.count * self.weight
        return mine < its or (mine == its and self.worker < other.worker)


def counted_workers(rates: Sequence[Fraction], count: int) -> list[int]:
    """Give the workers of the first `count` tasks, each where it would be done first.

    A task goes to the worker with the least ``(tasks so far + 1) / rate``, ties to the lowest
    index. So in every prefix the greatest ``tasks / rate`` is least: no other split of as many
    tasks is done sooner at these rates. A worker may be ahead of its share by several tasks on
    the route; `steadygrid.domain.dispatch` keeps that below one, and ends no sooner.

    Parameters
    ----------
    rates
        Tasks per time unit of each worker, positive.
    count
        How many tasks.

    Returns
    -------
    list of int
        Indices into `rates`.

    Notes
    -----
    RR-4870, section 7.3, Algorithm 3. With the rates as integers over their common
    denominator two dates are compared by cross-multiplication with the small counts:
    O(count log(number of rates)) products, however many digits the rates have.
    """
    common = lcm(*(rate.denominator for rate in rates))
    queue = [
        _NextTask(worker, rate.numerator * (common // rate.denominator))
        for worker, rate in enumerate(rates)
    ]
    heapify(queue)
    order: list[int] = []
    for _ in range(count):
        turn = queue[0]
        order.append(turn.worker)
        turn.count += 1
        heapreplace(queue, turn)
    return order
