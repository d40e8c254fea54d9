r"""The best participants and order of one round with latencies, by a search that proves them.

Whether any schedule is shorter than a time is decided depth first, over sequences of workers with
the time that is left and the load so far. Both are whole numbers, in units of the time and the load
over `ONE`, and are rounded up at every step: what is cut off computes too little for certain. What
comes within rounding of being decided is computed in fractions. A sequence is cut off

* where (10) of `order_free` does not reach the load in the time left;
* where another one of the same workers has at least as much load, and at least as much load with S
  times the time left. S is the load per time unit of the others on a linear star: each time unit
  less costs the others from 0 to S load;
* where that is so of itself with the last two exchanged (of ties, the first by place remains);
* where a worker comes before another of the same costs and an earlier place.

Ties cannot cut off every optimum. Take those with the fewest participants, a set of workers that
begins one of them, and of its sequences that are continued to one the one whose last place is the
greatest. If its beginning is searched, an exchange would give a greater one, and so it is cut off
only for another sequence of the same set that is searched.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.kinds.divisible_star.solver.star.sequence_load import (
    Order,
    delay,
    own_load,
    slowness,
)
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Costs, Star

BITS = 58
ONE = 1 << BITS
MOST_KEPT = 400_000
"""Sequences that others are compared with, and exact states; without them more is searched."""


def shorter(star: Star, time: Fraction, check: Callable[[], None]) -> tuple[Order | None, int]:
    """Find a sequence with which, and the master, more than the load is done within a time.

    Parameters
    ----------
    star, time
        The time is above 0, and at most some makespan.
    check
        Called often. What it raises ends the search.

    Returns
    -------
    tuple
        The sequence, or None if there is none, and the number of partial sequences looked at.
    """
    within = _TimedSearch(star, time, check)
    return within.search(), within.nodes


class _Step(NamedTuple):
    """A worker that is sent to next: what it takes at most and leaves at most, by its worth."""

    cost: int
    share: int
    rest: int
    worker: int


class _TimedSearch:
    """The search at one time; workers are numbered by nondecreasing wire."""

    def __init__(self, star: Star, time: Fraction, check: Callable[[], None]) -> None:
        self._time, self._check = time, check
        self.nodes = 0
        own = own_load(star, time)
        assert own is not None, "the master alone is done sooner"
        self._goal = 1 - own
        self._enough = _round_down(self._goal)
        able = [
            (costs.wire, slowness(costs), delay(costs), i)
            for i, costs in enumerate(star.workers)
            if delay(costs) < time
        ]
        self._places = [i for *_, i in sorted(able)]
        self._costs = costs = [star.workers[i] for i in self._places]
        self._delay = [_round_down(delay(one) / time) for one in costs]
        self._rate = [_round_up(time / slowness(one)) for one in costs]
        self._kept = [_round_up(one.work / slowness(one)) for one in costs]
        self._left = [
            1 + _round_up((one.wire * delay(one) / slowness(one) - one.wire_latency) / time)
            for one in costs
        ]
        self._twin = [
            max((j for j in range(i) if costs[j] == costs[i]), default=None)
            for i in range(len(costs))
        ]
        # How far, at most, rounding takes the time left and the load above their values.
        self._late = 3 * len(costs)
        fastest = max(self._rate, default=0)
        self._more = len(costs) * (((self._late + 1) * fastest >> BITS) + 3)
        self._seen: dict[int, list[tuple[int, int, Order]]] = {}
        self._kept_sequences = 0
        self._pairs: dict[tuple[int, int], tuple[Fraction, Fraction, Fraction]] = {}
        self._states: dict[Order, tuple[Fraction, Fraction]] = {(): (time, ZERO)}

    def search(self) -> Order | None:
        found = self._visit((), 0, range(len(self._costs)), ONE, 0, None)
        return None if found is None else tuple(self._places[i] for i in found)

    def _visit(
        self,
        order: Order,
        members: int,
        others: Sequence[int],
        left: int,
        load: int,
        before: tuple[int, int] | None,
    ) -> Order | None:
        """Search what begins with a sequence; `before` are time left and load without its last."""
        self.nodes += 1
        self._check()
        if load > self._enough and self._state(order)[1] > self._goal:
            return order
        rate = self._linear(others)
        if self._dominated(order, members, left, load, rate):
            return None
        steps = self._steps(others, left)
        bounds = _bounds(steps, left)
        if not bounds or load + bounds[-1] <= self._enough:
            return None
        if self._kept_sequences < MOST_KEPT:
            self._kept_sequences += 1
            self._seen.setdefault(members, []).append((left, load, order))
        ahead = []
        for (_, share, rest, i), bound in zip(steps, bounds, strict=False):
            twin = self._twin[i]
            if load + share + bound <= self._enough:
                continue
            if not (twin is None or members >> twin & 1) or not self._gets_some(order, i, left):
                continue
            if before and self._exchanged(order, i, before, load + share, rest, rate):
                continue
            ahead.append((load + share + bound, load + share, rest, i))
        ahead.sort(reverse=True)
        able = [i for *_, i in steps]
        for _, more, rest, i in ahead:
            found = self._visit(
                (*order, i),
                members | 1 << i,
                [j for j in able if j != i],
                rest,
                more,
                (left, load),
            )
            if found is not None:
                return found
        return None

    def _steps(self, others: Sequence[int], left: int) -> list[_Step]:
        """Give what each could do next, by the time that (10) lets a unit of load take."""
        steps = []
        for i in others:
            if (computing := left - self._delay[i]) > 0:
                share = (computing * self._rate[i] >> BITS) + 1
                rest = min(left, (left * self._kept[i] >> BITS) + self._left[i])
                steps.append(_Step(((left - rest) << BITS) // share, share, rest, i))
        steps.sort()
        return steps

    def _gets_some(self, order: Order, i: int, left: int) -> bool:
        """Tell whether the share of a worker behind a sequence is above 0, not by rounding only."""
        if left - self._delay[i] > self._late + 1:
            return True
        return self._state(order)[0] > delay(self._costs[i])

    def _linear(self, others: Sequence[int]) -> int:
        """Bound the load per time unit of workers without latencies, which are sorted by wire."""
        rate = 0
        for i in reversed(others):
            rate = max(rate, self._rate[i] + (self._kept[i] * rate >> BITS) + 1)
        return rate

    def _dominated(self, order: Order, members: int, left: int, load: int, rate: int) -> bool:
        """Tell whether another sequence of the same workers is as good, for every continuation."""
        more = self._more
        unsure = self._unsure(rate)
        reach = load + (rate * left >> BITS)
        for its_left, its_load, its_order in self._seen.get(members, ()):
            its_reach = its_load + (rate * its_left >> BITS)
            if load > its_load + more or reach > its_reach + unsure:
                continue
            if load <= its_load - more and reach <= its_reach - unsure:
                return True
            if self._gain(order, its_order, rate) >= 0:
                return True
        return False

    def _unsure(self, rate: int) -> int:
        """Bound what rounding may do to a load with the load of the time left."""
        return self._more + (rate * self._late >> BITS) + 4

    def _gain(self, order: Order, other: Order, rate: int) -> Fraction:
        """Give by what load another sequence is better, at least, for every continuation."""
        time, load = self._state(order)
        its_time, its_load = self._state(other)
        return its_load - load - max(ZERO, Fraction(rate, ONE) / self._time * (time - its_time))

    def _exchanged(
        self,
        order: Order,
        i: int,
        before: tuple[int, int],
        load: int,
        rest: int,
        rate: int,
    ) -> bool:
        """Tell whether i is better sent to before the last of the order than behind it."""
        j = order[-1]
        left, gained = before
        for k in (i, j):
            computing = left - self._delay[k]
            if k == j and not self._gets_some((*order[:-1], i), j, left):
                return False
            gained += (computing * self._rate[k] >> BITS) + 1
            left = (left * self._kept[k] >> BITS) + self._left[k]
        gain = gained - load - max(0, rate * (rest - left) >> BITS)
        if abs(gain) > self._unsure(rate):
            return gain > 0
        exactly = self._gain_of_exchange(order, i, rate)
        return exactly > 0 or (exactly == 0 and i < j)

    def _gain_of_exchange(self, order: Order, i: int, rate: int) -> Fraction:
        pair = i, order[-1]
        if pair not in self._pairs:
            self._pairs[pair] = _exchange(*(self._costs[k] for k in pair))
        slope, load, left = self._pairs[pair]
        if slope:
            load += slope * self._state(order[:-1])[0]
        return load - max(ZERO, Fraction(rate, ONE) / self._time * -left)

    def _state(self, order: Order) -> tuple[Fraction, Fraction]:
        """Compute time left and load exactly."""
        state = self._states.get(order)
        if state is None:
            left, load = self._state(order[:-1])
            costs = self._costs[order[-1]]
            share = (left - delay(costs)) / slowness(costs)
            state = left - costs.wire_latency - costs.wire * share, load + share
            if len(self._states) < MOST_KEPT:
                self._states[order] = state
        return state


def _bounds(steps: Sequence[_Step], left: int) -> list[int]:
    """Bound, by (10), the load of all others after each step, and last, that of all of them.

    The others are the linear star of the time before the step, which does not need its own.
    """
    if not steps:
        return []
    keeps = [((left - (cost * share >> BITS)) << BITS) // left + 1 for cost, share, *_ in steps]
    behind = [0]
    for step, keep in zip(reversed(steps), reversed(keeps), strict=True):
        behind.append(step.share + (keep * behind[-1] >> BITS) + 1)
    behind.reverse()
    bounds = []
    ahead, part = 0, ONE
    for step, keep, rest in zip(steps, keeps, behind[1:], strict=True):
        others = ahead + (part * rest >> BITS) + 1
        bounds.append(others * step.rest // left + 1)
        ahead += (step.share * part >> BITS) + 1
        part = (part * keep >> BITS) + 1
    bounds.append(behind[0])
    return bounds


def _exchange(first: Costs, second: Costs) -> tuple[Fraction, Fraction, Fraction]:
    """Compare two workers, one behind the other, with the same two in reverse order.

    Of the load a K + b that is gained, K being the time left before both, give a and b, and the
    time left that is gained, which does not depend on K.
    """
    keeps, lefts = [], []
    for costs in (first, second):
        keeps.append(costs.work / slowness(costs))
        lefts.append(costs.wire * delay(costs) / slowness(costs) - costs.wire_latency)
    one, other = 1 / slowness(first), 1 / slowness(second)
    return (
        one + keeps[0] * other - other - keeps[1] * one,
        lefts[0] * other - lefts[1] * one,
        keeps[1] * lefts[0] + lefts[1] - keeps[0] * lefts[1] - lefts[0],
    )


def _round_up(value: Fraction) -> int:
    return -_round_down(-value)


def _round_down(value: Fraction) -> int:
    return (value.numerator << BITS) // value.denominator
