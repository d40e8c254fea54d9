r"""Equal rounds: what is received in one period is computed in the next.

With k periods of computing after one of sending, of workers I, the first by nondecreasing c,

.. math::
   T = (k + 1) T_p, \quad \sum_{i \in I} (C_i + c_i a_i) \le T_p, \quad W_i + w_i a_i \le T_p

and a master that computes goes on until the end. The most that a period of given length can hold
fills the shares by nondecreasing c. By duality it is the least of lines
:math:`s T_p - o`, one for each worker q of I for whom the port is too busy,

.. math::
   s = \sum_{i < q} \frac{1 - c_i / c_q}{w_i} + \frac{1}{c_q}, \quad
   o = \sum_{i < q} \frac{(1 - c_i / c_q) W_i}{w_i} + \frac{1}{c_q} \sum_{i \in I} C_i

and one without the terms of the port. So the least :math:`T_p` is the largest at which a line meets
the load of a period, or the sum of the C or a W if that is more; exact for every (k, I).

Guaranteed: with L the sum of all C and W, and :math:`B = 1/\rho` of (12), every period
:math:`L + x` has

.. math::
   T \le \frac{B}{1 - L / (L + x)} + 2 (L + x) = B + \frac{B L}{x} + 2 x + 2 L

with :math:`k = \lceil B / x \rceil`. That is least at :math:`x = \sqrt{L B / 2}`.

Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, 2009, section
1.2.4 with Theorem 1.4, where the period is the root of a time; x is steadygrid's.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from steadygrid.domain.rounding import magnitude
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Costs, Message, Plan, Star
from steadygrid.kinds.divisible_star.solver.star.steady import by_wire, steady_state

BITS = 64
"""Of x where it is rounded."""


@dataclass(frozen=True)
class Periods:
    """How many periods of computing, how long, and by how many workers.

    Attributes
    ----------
    members
        The first workers by nondecreasing c.
    """

    count: int
    length: Fraction
    members: int

    @property
    def makespan(self) -> Fraction:
        """T. What replays the plan may end earlier."""
        return (self.count + 1) * self.length


@dataclass(frozen=True)
class _Line:
    slope: Fraction
    offset: Fraction


def best_periods(
    star: Star, max_rounds: int, check: Callable[[], None] = lambda: None
) -> Periods | None:
    """Find the shortest of all periodic schedules of at most so many rounds. None without workers.

    T falls and then rises with k (or only rises), so that the best k is found by bisection.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    max_rounds
        How many rounds there may be.
    check
        May raise, which ends the work.
    """
    best: Periods | None = None
    ranked = [star.workers[i] for i in by_wire(star)]
    for members in range(1, len(ranked) + 1):
        lines, least = list(_lines(ranked[:members])), _least(ranked[:members])

        def periods(
            count: int, lines: Sequence[_Line] = lines, least: Fraction = least
        ) -> Fraction:
            check()
            return (count + 1) * _length(star.own, lines, least, count)

        low, high = 1, max_rounds
        while low < high:
            middle = (low + high) // 2
            low, high = (
                (low, middle) if periods(middle) <= periods(middle + 1) else (middle + 1, high)
            )
        makespan = periods(low)
        if best is None or makespan < best.makespan:
            best = Periods(low, makespan / (low + 1), members)
    return best


def _lines(ranked: Sequence[Costs]) -> Iterator[_Line]:
    """Bound what a period holds. No bound exists where a processor needs no time for any share."""
    paid = sum((costs.wire_latency for costs in ranked), ZERO)
    # Sums over those before q of 1/w, c/w, W/w and c W/w.
    rate = port = waits = waiting = ZERO
    for costs in ranked:
        c, w = costs.wire, costs.work
        if c:
            yield _Line(
                rate + (1 - port) / c,
                waits + (paid - waiting) / c,
            )
        if not w:
            return
        rate += 1 / w
        port += c / w
        waits += costs.work_latency / w
        waiting += c * costs.work_latency / w
    yield _Line(rate, waits)


def _least(ranked: Sequence[Costs]) -> Fraction:
    """Give the length below which a period has no room for the latencies."""
    paid = sum((costs.wire_latency for costs in ranked), ZERO)
    return max(paid, *(costs.work_latency for costs in ranked))


def _length(own: Costs | None, lines: Sequence[_Line], least: Fraction, count: int) -> Fraction:
    """Give the least length of so many periods."""
    alone = max(((Fraction(1, count) + line.offset) / line.slope for line in lines), default=ZERO)
    if own is None:
        return max(alone, least)
    if not own.work:
        return max(min(alone, own.work_latency / (count + 1)), least)
    # The master starts within the makespan: k (s T - o) + ((k + 1) T - W) / w = 1.
    start, rate = own.work_latency / own.work, 1 / own.work
    helped = max(
        (
            (1 + start + count * line.offset) / (count * line.slope + (count + 1) * rate)
            for line in lines
        ),
        default=ZERO,
    )
    return max(min(alone, helped), least)


def plan_of_periods(star: Star, periods: Periods) -> Plan:
    """Give the shares of a periodic schedule, the same in every round.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    periods
        Their number and length, and how many workers take part.
    """
    own = ZERO
    if star.own is not None:
        time = periods.makespan - star.own.work_latency
        if not star.own.work:
            own = Fraction(time >= 0)
        elif time > 0:
            own = min(Fraction(1), time / star.own.work)
    ranked = by_wire(star)[: periods.members]
    port = periods.length - sum((star.workers[i].wire_latency for i in ranked), ZERO)
    left = (1 - own) / periods.count
    shares: dict[int, Fraction] = {}
    for i in ranked:
        costs = star.workers[i]
        share = left
        if costs.work:
            share = min(share, (periods.length - costs.work_latency) / costs.work)
        if costs.wire:
            share = min(share, port / costs.wire)
        port -= costs.wire * share
        left -= share
        shares[i] = share
    if left:
        raise AssertionError("a period does not hold its load")
    return Plan(
        own,
        [
            Message(i, number, share)
            for number in range(1, periods.count + 1)
            for i, share in sorted(shares.items())
            if share
        ],
    )


def guaranteed(star: Star, max_rounds: int) -> Fraction:
    """Bound the makespan of `best_periods` from above by Theorem 1.4.

    The least that holds for at most so many rounds, but for the rounding of x.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    max_rounds
        How many rounds there may be.

    Returns
    -------
    Fraction
        In time units.
    """
    bound = steady_state(star).bound
    paid = sum((costs.wire_latency + costs.work_latency for costs in star.workers), ZERO)
    if star.own is not None:
        paid += star.own.work_latency
    if not bound:
        return 2 * paid
    longer = max(_root(paid * bound / 2), bound / max_rounds)
    return bound + bound * paid / longer + 2 * longer + 2 * paid


def _root(value: Fraction) -> Fraction:
    """Take the square root, rounded down to so many bits."""
    if not value:
        return ZERO
    bits = BITS - magnitude(value) // 2
    return isqrt(int(value * Fraction(4) ** bits)) / Fraction(2) ** bits
