r"""A bound on the makespan of one round that needs neither participants nor an order.

Within a time K no worker takes more than :math:`A_i = (K - C_i - W_i) / q_i` with
:math:`q_i = c_i + w_i`. A linear star with

.. math::
   c'_i = c_i + C_i / A_i, \quad c'_i + w'_i = K / A_i \tag{10}

of those with :math:`A_i > 0` does at least as much within K: a message of the share
:math:`a_i \le A_i` takes :math:`C_i + c_i a_i \ge c'_i a_i`, and who takes it when :math:`K' \le K`
is left has :math:`a_i K / A_i \le K'`. The most that this star does has a closed form, by
nondecreasing :math:`c'`. With the fraction x of K left, i takes :math:`x A_i` and leaves the part
:math:`r_i / K` of it, :math:`r_i = K - C_i - c_i A_i` being what i alone leaves of K.

It grows with K. So no schedule is shorter than a K for which it is at most the load.
"""

from collections.abc import Callable
from fractions import Fraction

from steadygrid.domain.rounding import magnitude, rounded_down
from steadygrid.kinds.divisible_star.solver.star.sequence_load import delay, own_load, slowness
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Star

DIGITS = 17
"""Decimal digits of the bound that is reported."""
GUESS_BITS = 192


def order_free_load(star: Star, time: Fraction, bits: int | None = None) -> Fraction | None:
    """Bound the load that any processor can compute within a time. None for any load.

    Parameters
    ----------
    bits
        Where given, fractions of the whole are rounded to so many, which is much faster, and not a
        bound any more, but a good guess.
    """
    load = own_load(star, time)
    if load is None:
        return None
    terms = []
    for costs in star.workers:
        if time <= delay(costs):
            continue
        if not slowness(costs):
            return None
        most = (time - delay(costs)) / slowness(costs)
        left = time - costs.wire_latency - costs.wire * most
        terms.append(((time - left) / most, most, left / time))
    part = Fraction(1)
    for _, most, kept in sorted(terms):
        load += part * most
        part *= kept
        if bits is not None:
            load, part = rounded_down(load, bits), rounded_down(part, bits)
    return load


def order_free_bound(star: Star, makespan: Fraction) -> Fraction:
    """Give the greatest bound of at most 17 decimal digits that (10) proves.

    Parameters
    ----------
    star
        With a processor that computes.
    makespan
        Of some schedule.
    """

    def proves(time: Fraction, bits: int | None) -> bool:
        load = order_free_load(star, time, bits)
        return load is not None and load <= 1

    return greatest_bound(makespan, proves)


def greatest_bound(makespan: Fraction, proves: Callable[[Fraction, int | None], bool]) -> Fraction:
    """Give the greatest time of at most 17 decimal digits, no more than a makespan, that is proved.

    All times up to some are, and that is not 0 unless the makespan is. A guess in so many bits
    is
    enough in between.

    Parameters
    ----------
    makespan
        Of a schedule, in time units.
    proves
        Tells whether no schedule is shorter than a time; with a number of bits it only guesses.
    """
    if not makespan:
        return ZERO
    unit = _leading(makespan) * 10
    while not proves(unit, None):
        unit /= 10
    unit /= 10 ** (DIGITS - 1)
    low, high = 10 ** (DIGITS - 1), 10**DIGITS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if proves(middle * unit, GUESS_BITS) else (low, middle)
    while not proves(low * unit, None):
        low -= 1
    while proves((low + 1) * unit, None):
        low += 1
    bound: Fraction = low * unit
    return bound


def truncated(value: Fraction) -> Fraction:
    """Round a value above 0 down to so many digits."""
    unit = _leading(value) / 10 ** (DIGITS - 1)
    rounded: Fraction = value // unit * unit
    return rounded


def _leading(value: Fraction) -> Fraction:
    """Give the greatest power of ten that is no larger."""
    unit: Fraction = Fraction(10) ** ((magnitude(value) - 1) * 30103 // 100_000 - 1)
    while 10 * unit <= value:
        unit *= 10
    return unit
