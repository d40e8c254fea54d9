r"""Bounds on the makespan of a star that hold for all participants and orders.

Within a time :math:`K` a worker that receives, computes and returns :math:`a > 0` in
:math:`C + c a`, :math:`W + w a` and :math:`D + d a` takes at most

.. math::
   A = \frac{K - C - W - D}{c + w + d}

for all other messages. Let :math:`c' = c + C / A` and :math:`c' + w' = K / A`. Sending takes
:math:`C + c a \ge c' a`, and a worker to whom sending starts at time :math:`s` has
:math:`a K / A \le K - s`. So the load of any schedule fits into the linear star of the
:math:`c', w'`, and what that does within :math:`K` is a closed form:

.. math::
   V \leftarrow V + A \max(0, 1 - c' V / K) \tag{10}

over the workers by decreasing :math:`c'`, from :math:`V = 0`. Read backwards in time, the same
holds with :math:`c' = d + D / A`. And a port that sends or receives has only the time K for
both: :math:`\sum_i (c + d + (C + D) / A) a_i \le K` with :math:`a_i \le A_i`, the third bound.

A load grows with the time as long as a worker takes part, except by one who needs no time for it,
:math:`c + w + d = 0`, and takes all as soon as :math:`K > C + W + D`. So where a bound on the
load within K is at most 1, no schedule is shorter than K.
"""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.kinds.divisible_star.replay.star_terms import ZERO, Times


def is_lower_bound(
    stars: Sequence[Times], time: Fraction, *, sends_or_receives: bool = False
) -> bool:
    """Tell whether no schedule with one message per worker is shorter than a time, by (10).

    Parameters
    ----------
    stars
        The workers, and the master where it computes.
    sends_or_receives
        Whether the master's port does one thing at a time. It matters with results only.
    """
    if time <= 0:
        return True
    alone = [one.max_load(time) for one in stars]
    if None in alone:
        return False
    taking = [(one, most) for one, most in zip(stars, alone, strict=True) if most]
    if load_within(taking, time) <= 1:
        return True
    if not any(one.d or one.D for one in stars):
        return False
    mirrored = [(_mirrored(one), most) for one, most in taking]
    if load_within(mirrored, time) <= 1:
        return True
    return sends_or_receives and _load_of_a_port(taking, time) <= 1


def load_within(
    taking: Sequence[tuple[Times, Fraction]], time: Fraction, *, given_order: bool = False
) -> Fraction:
    """Evaluate (10): an upper bound on the load done within a time.

    Parameters
    ----------
    taking
        Workers, each with what it does alone within the time, above 0.
    given_order
        Whether the bound need only hold for workers who are sent to in this order.
    """
    load = ZERO
    rates = [(one.c + one.C / most, most) for one, most in taking]
    for wire, most in reversed(rates) if given_order else sorted(rates, reverse=True):
        load += most * max(ZERO, 1 - wire * load / time)
    return load


def _load_of_a_port(taking: Sequence[tuple[Times, Fraction]], time: Fraction) -> Fraction:
    rates = [(one.c + one.d + (one.C + one.D) / most, most) for one, most in taking]
    load, left = ZERO, time
    for rate, most in sorted(rates):
        part = min(most, left / rate) if rate else most
        load += part
        left -= part * rate
    return load


def _mirrored(one: Times) -> Times:
    return Times(one.d, one.w, one.c, one.D, one.W, one.C)


def any_rounds_bound(stars: Sequence[Times]) -> Fraction:
    r"""Bound the makespan for any number of messages, by the rate of the steady state.

    .. math::
       T \ge 1 / \rho, \qquad
       \rho = \max \Big\{ \sum_i x_i : \sum_i c_i x_i \le 1,\ w_i x_i \le 1 \Big\} \tag{12}

    The port is given to workers by increasing link time, as in the theorem on bandwidth-centric
    steady states. Latencies and results only make schedules longer.

    Returns
    -------
    Fraction
        0 where a processor needs no time at all.
    """
    rate, port = ZERO, Fraction(1)
    for one in sorted(stars, key=lambda one: one.c):
        if not one.c and not one.w:
            return ZERO
        shares = [1 / one.w] if one.w else []
        if one.c:
            shares.append(port / one.c)
        rate += min(shares)
        port -= one.c * min(shares)
    return 1 / rate
