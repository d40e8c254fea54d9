r"""The referee's own proof that no participants and no order make a star faster.

Sending :math:`a > 0` to a worker takes :math:`C + c a`, computing it :math:`W + w a`. At the
optimum for given participants in a given order all finish together: of the program with a share
and a row for each, some optimal vertex has as many rows tight as shares, and who has no share
is better left out. So a schedule of makespan T is told by its order alone: with :math:`K` left,
the next one takes

.. math::
   a = \frac{K - C - W}{c + w} > 0, \qquad \text{and then } W + w a \text{ is left.}

More time gives more load, for whoever takes part last takes more. So nothing is faster than T if
nothing does more than the whole load within T; who needs no time for any load, c + w = 0, takes
all of it once :math:`K > C + W`, and is compared by himself. A computing master adds
:math:`(T - W_0) / w_0` to whatever is sent, or nothing.

The search is in breadth: for each set of workers that took part (or place in a given order)
it keeps what time was left and what load was done, exactly. It drops

* what cannot reach the load, by the order-free bound (10) on all who may still come,
  evaluated within what is left; rounded up first, exactly where that comes too close;
* what is dominated. The greatest load of the rest within K is continuous in K, for at the time
  from which a line holds, a share of it is 0, and leaving that worker out is as good. On each
  line it grows at most by the rate S of the linear star of the rest. So a state with time K'
  and load l' is at least as good as one with K and l if :math:`l' \ge l` and
  :math:`l' + S K' \ge l + S K`. That holds among neighbours in exchanged order, as among all
  other ways to the same set;
* orders of equal workers other than their own.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import filterfalse
from typing import NamedTuple

from steadygrid.problems.divisible_star.order_free import ZERO, Times, load_within
from steadygrid.problems.divisible_star.partial import AnyOrder, GivenOrder, Ways
from steadygrid.problems.divisible_star.rounded_star import BITS, ONE, RoundedStar, rounded_up

MOST_TERMS = 60_000_000
"""Workers that bounds go through, over the whole search; some tens of seconds."""
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
    most_terms: int = MOST_TERMS,
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
        None where that takes more than `most_terms`.

    Notes
    -----
    Solvers claim what their own search has found within 20,000 nodes. Nodes here are never more
    than those of a search in depth that has the same bound; a node costs at most the square of
    the number of workers, so that `most_terms` is enough for 15,000 nodes of the largest stars
    that are searched, 64 workers, and for 150,000 of those with 20.
    """
    if makespan <= 0:
        return True
    stars = [*workers, *([master] if master else [])]
    if any(not one.time and one.latency < makespan for one in stars):
        return False
    needed = Fraction(1)
    if master and master.time:
        needed -= master.most_within(makespan) or ZERO
    if needed < 0:
        return False
    taking = [_scaled(one, makespan) for one in workers if one.time and one.latency < makespan]
    ways = GivenOrder(taking) if given_order else AnyOrder(taking)
    return _Search(taking, ways, needed, most_terms).run()


def _scaled(one: Times, unit: Fraction) -> Times:
    return Times(*(time / unit for time in one))


class _Search:
    """A search for more than `needed` of the load within the whole time."""

    def __init__(
        self, workers: Sequence[Times], ways: Ways, needed: Fraction, most_terms: int
    ) -> None:
        self._workers = workers
        self._ways = ways
        self._needed = needed
        self._most_terms = most_terms
        self._star = RoundedStar(workers, given_order=ways.given_order)
        self._waiting: list[int] = []
        self._states: dict[int, list[_State]] = {}
        self._rates: dict[int, Fraction] = {}

    def run(self) -> bool | None:
        """Tell whether there is none; None where that takes too long."""
        if self._may_exceed(0, Fraction(1), ZERO):
            self._keep(0, Fraction(1), ZERO)
        while self._waiting:
            key = heappop(self._waiting)
            for state in self._states.pop(key):
                for after, left, load in self._next(key, state):
                    if load > self._needed:
                        return False
                    if self._star.terms > self._most_terms:
                        return None
                    if self._may_exceed(after, left, load):
                        self._keep(after, left, load)
        return True

    def _next(self, key: int, state: _State) -> Iterator[tuple[int, Fraction, Fraction]]:
        for i, after in self._ways.steps(key):
            if i is None:
                yield after, state.left, state.load
            elif (room := state.left - self._workers[i].latency) > 0:
                one = self._workers[i]
                share = room / one.time
                yield after, one.work_latency + one.work * share, state.load + share

    def _may_exceed(self, key: int, left: Fraction, load: Fraction) -> bool:
        rest, missing = self._ways.rest(key), self._needed - load
        time, open_ = rounded_up(left), (missing.numerator << BITS) // missing.denominator
        if not self._star.may_reach(key, rest, time, open_):
            return False
        if self._star.may_reach(key, rest, time, open_ + CLOSE):
            return True
        return self._most(rest, left) > missing

    def _most(self, rest: Sequence[int], left: Fraction) -> Fraction:
        """Evaluate (10) exactly. In a given order it is the linear star in that order."""
        taking = [(one, most) for i in rest if (most := (one := self._workers[i]).most_within(left))]
        return load_within(taking, left, given_order=self._ways.given_order) if taking else ZERO

    def _keep(self, key: int, left: Fraction, load: Fraction) -> None:
        """Add a state, unless another one is at least as good, and drop those it is as good as."""
        kept = self._states.get(key)
        if kept is None:
            kept = self._states[key] = []
            heappush(self._waiting, key)
            self._rates[key] = Fraction(self._star.rate(self._ways.rest(key)), ONE)
        reach = load + self._rates[key] * left
        if any(other.load >= load and other.reach >= reach for other in kept):
            return
        kept[:] = filterfalse(lambda it: load >= it.load and reach >= it.reach, kept)
        kept.append(_State(left, load, reach))
