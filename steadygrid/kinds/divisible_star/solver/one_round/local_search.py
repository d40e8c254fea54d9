"""A good schedule of one round with latencies: moves that shorten it, until there is none.

A move inserts a worker into the sequence, leaves one out, or exchanges two neighbours. All moves
are tried in floating point. The best one is then computed in fractions, and made only if it
shortens the makespan indeed.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import inf

from steadygrid.kinds.divisible_star.solver.star.sequence_load import (
    Order,
    Sending,
    best_alone,
    delay,
    lasting,
    slowness,
)
from steadygrid.kinds.divisible_star.solver.star.star import Star

LEAST, MOST = 1e-100, 1e100
"""Ratios of times beyond which a share, or what is left of the time, is nothing or all."""
NOISE = 1e-12
"""What a move has to save, relative to the makespan, for floating point to tell."""


def improved(star: Star, start: Sending, check: Callable[[], None] = lambda: None) -> Sending:
    """Improve a schedule until no move does.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    start
        The schedule to begin with.
    check
        May raise, which ends the work.
    """
    best = start
    able = [i for i, costs in enumerate(star.workers) if slowness(costs)]
    if not best.makespan or not set(best.order) <= set(able):
        return best
    estimate = _Estimate(star, best.makespan)
    while True:
        limit = estimate.lasting(best.order) * (1 - NOISE)
        proposed: Order | None = None
        for order in _moves(best.order, able):
            check()
            if (time := estimate.lasting(order)) < limit:
                limit, proposed = time, order
        if proposed is None:
            return best
        exact = lasting(star, proposed)
        if exact is None or exact >= best.makespan:
            return best
        best = Sending(proposed, exact)


def local_search(star: Star, check: Callable[[], None] = lambda: None) -> Sending:
    """Improve the best schedule in which a single worker takes part, or none.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    check
        May raise, which ends the work.
    """
    return improved(star, best_alone(star), check)


def _moves(order: Order, able: list[int]) -> Iterator[Order]:
    for i in able:
        if i not in order:
            for k in range(len(order) + 1):
                yield (*order[:k], i, *order[k:])
    for k in range(len(order)):
        yield order[:k] + order[k + 1 :]
        if k + 1 < len(order):
            yield (*order[:k], order[k + 1], order[k], *order[k + 2 :])


class _Estimate:
    """Makespans in floating point, with (8), relative to a time."""

    def __init__(self, star: Star, unit: Fraction) -> None:
        self._terms = []
        for costs in star.workers:
            total = max(_double(slowness(costs) / unit), LEAST)
            wire, work = (_double(time / unit) for time in (costs.wire, costs.work))
            latency, paid = _double(costs.wire_latency / unit), _double(delay(costs) / unit)
            self._terms.append((1 / total, work / total, paid, latency - wire / total * paid))
        self._own = self._own_latency = 0.0
        if star.own is not None and star.own.work:
            self._own = 1 / max(_double(star.own.work / unit), LEAST)
            self._own_latency = _double(star.own.work_latency / unit)

    def lasting(self, order: Order) -> float:
        """Estimate the makespan of a sequence; infinite where a worker would get nothing."""
        slope = offset = 0.0
        for i in reversed(order):
            rate, kept, paid, lost = self._terms[i]
            offset += paid * rate + slope * lost
            slope = rate + kept * slope
        time = (1 + offset) / slope if slope else inf
        if self._own and time > self._own_latency:
            time = (1 + offset + self._own_latency * self._own) / (slope + self._own)
        left = time
        for i in order:
            _, kept, paid, lost = self._terms[i]
            if not left > paid:
                return inf
            left = left * kept - lost
        return time


def _double(value: Fraction) -> float:
    try:
        return min(value.numerator / value.denominator, MOST)
    except OverflowError:
        return MOST
