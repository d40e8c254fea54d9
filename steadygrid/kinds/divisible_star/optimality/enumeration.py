r"""The referee's own proof that no participants and no order make a star faster.

Sending :math:`a > 0` to a worker takes :math:`C + c a`, computing it :math:`W + w a`. At the
optimum for given participants in a given order all finish together. Of the program with a share
and a row for each, some optimal vertex has as many rows tight as shares, and who has no share
is better left out. So a schedule of makespan T is determined by its order alone: with :math:`K`
left, the next one takes

.. math::
   a = \frac{K - C - W}{c + w} > 0, \qquad \text{and then } W + w a \text{ is left.}

More time gives more load, since the last participant takes more. So nothing is faster than T if
nothing does more than the whole load within T. Who needs no time for any load, c + w = 0, takes
all of it once :math:`K > C + W`, and is compared by himself. A computing master adds
:math:`(T - W_0) / w_0` to what is sent, or nothing.

First one schedule is tried, of the steps that promise most: a claim that is far off is refuted
by that. The search is in breadth: for each set of workers that took part (or place in a given order)
it keeps what time was left and what load was done, exactly. It drops

* what cannot reach the load, by the order-free bound (10) on all who may still come,
  evaluated within what is left; rounded up first, exactly where that comes too close;
* what is dominated. The greatest load of the rest within K is continuous in K, for at the time
  from which a line holds, a share of it is 0, and leaving that worker out is as good. On each
  line it grows at most by the rate S of the linear star of the rest. So a state with time K'
  and load l' is at least as good as one with K and l if :math:`l' \ge l` and
  :math:`l' + S K' \ge l + S K`. That holds among neighbours in exchanged order, as among
  all other orders to the same set;
* orders of equal workers other than their own.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import filterfalse
from typing import NamedTuple

from steadygrid.kinds.divisible_star.optimality.order_free import load_within
from steadygrid.kinds.divisible_star.optimality.partial import AnyOrder, GivenOrder, SearchSteps
from steadygrid.kinds.divisible_star.optimality.rounded_star import (
    ONE,
    RoundedStar,
    rounded_down,
    rounded_up,
)
from steadygrid.kinds.divisible_star.replay.star_terms import ZERO, Times

MOST_STEPS = 1_500_000
"""Workers tried as the next ones, over the whole search."""
CLOSE = ONE >> 32
"""Bounds this little above what is needed are evaluated exactly."""


class _State(NamedTuple):
    """A partial schedule. Times are parts of the makespan."""

    left: Fraction
    load: Fraction
    reach: Fraction
    """The load, and what the time left would give at the rate of the rest."""


def nothing_is_faster(
    workers: Sequence[Times],
    master: Times | None,
    makespan: Fraction,
    *,
    given_order: bool = False,
    most_steps: int = MOST_STEPS,
) -> bool | None:
    """Tell whether no schedule with one message per worker is shorter than a makespan.

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

    Notes
    -----
    Solvers claim what their own search has proved within 20,000 nodes. States here are fewer than
    the nodes of a search in depth with the same bound, and each has at most one step per worker.
    `most_steps` is enough for 20,000 nodes of the largest stars that are searched, 64 workers,
    and for 75,000 of those with 20.
    """
    if makespan <= 0:
        return True
    stars = [*workers, *([master] if master else [])]
    if any(not one.unit and one.latency < makespan for one in stars):
        return False
    needed = Fraction(1)
    if master and master.unit:
        most = master.max_load(makespan)
        needed -= ZERO if most is None else most
    if needed < 0:
        return False
    taking = [_scaled(one, makespan) for one in workers if one.unit and one.latency < makespan]
    search_steps = GivenOrder(taking) if given_order else AnyOrder(taking)
    return _Search(taking, search_steps, needed, most_steps).run()


def _scaled(one: Times, unit: Fraction) -> Times:
    return Times(*(time / unit for time in one))


class _Search:
    """A search for more than `needed` of the load within the whole time."""

    def __init__(
        self, workers: Sequence[Times], search_steps: SearchSteps, needed: Fraction, most_steps: int
    ) -> None:
        self._workers = workers
        self._search_steps = search_steps
        self._needed = needed
        self._steps_left = most_steps
        self._star = RoundedStar(workers, given_order=search_steps.given_order)
        self._waiting: list[int] = []
        self._states: dict[int, list[_State]] = {}
        self._rates: dict[int, Fraction] = {}

    def run(self) -> bool | None:
        """Tell whether there is none. None where that takes too long."""
        if not self._may_exceed(0, Fraction(1), ZERO):
            return True
        if self._does_better():
            return False
        self._keep(0, Fraction(1), ZERO)
        while self._waiting:
            key = heappop(self._waiting)
            for state in self._states.pop(key):
                for after, left, load in self._next(key, state):
                    if load > self._needed:
                        return False
                    if self._may_exceed(after, left, load):
                        self._keep(after, left, load)
                if self._steps_left < 0:
                    return None
        return True

    def _does_better(self) -> bool:
        """Tell whether one schedule refutes the claim: that of the most promising steps."""
        key, left, load = 0, Fraction(1), ZERO
        while True:
            steps = self._next(key, _State(left, load, ZERO))
            best = max(steps, key=self._promise, default=None)
            if best is None:
                return False
            key, left, load = best
            if load > self._needed:
                return True

    def _promise(self, step: tuple[int, Fraction, Fraction]) -> Fraction:
        key, left, load = step
        return load + left * Fraction(self._star.rate(self._search_steps.rest(key)), ONE)

    def _next(self, key: int, state: _State) -> Iterator[tuple[int, Fraction, Fraction]]:
        """Give the steps from a state after which, rounded, there is hope."""
        time, open_ = rounded_up(state.left), rounded_down(self._needed - state.load)
        for i, after in self._search_steps.steps(key):
            self._steps_left -= 1
            if i is None:
                yield after, state.left, state.load
            elif share := self._star.max_load_alone(i, time):
                left = self._star.remaining_time(i, share)
                if self._star.may_exceed(
                    after, self._search_steps.rest(after), left, open_ - share
                ):
                    yield from self._step(i, after, state)

    def _step(self, i: int, after: int, state: _State) -> Iterator[tuple[int, Fraction, Fraction]]:
        one = self._workers[i]
        share = one.max_load(state.left)
        if share is not None and share > 0:
            yield after, one.W + one.w * share, state.load + share

    def _may_exceed(self, key: int, left: Fraction, load: Fraction) -> bool:
        rest, missing = self._search_steps.rest(key), self._needed - load
        time, open_ = rounded_up(left), rounded_down(missing)
        if not self._star.may_exceed(key, rest, time, open_):
            return False
        if self._star.may_exceed(key, rest, time, open_ + CLOSE):
            return True
        return self._max_load(rest, left) > missing

    def _max_load(self, rest: Sequence[int], left: Fraction) -> Fraction:
        """Evaluate (10) exactly. In a given order it is the linear star in that order."""
        workers = [self._workers[i] for i in rest]
        alone = ((one, one.max_load(left)) for one in workers)
        taking = [(one, most) for one, most in alone if most is not None and most > 0]
        return load_within(taking, left, given_order=self._search_steps.given_order)

    def _keep(self, key: int, left: Fraction, load: Fraction) -> None:
        """Add a state, unless another one is at least as good, and drop those it is as good as."""
        kept = self._states.get(key)
        if kept is None:
            kept = self._states[key] = []
            heappush(self._waiting, key)
            self._rates[key] = Fraction(self._star.rate(self._search_steps.rest(key)), ONE)
        reach = load + self._rates[key] * left
        if any(other.load >= load and other.reach >= reach for other in kept):
            return
        kept[:] = filterfalse(lambda it: load >= it.load and reach >= it.reach, kept)
        kept.append(_State(left, load, reach))
