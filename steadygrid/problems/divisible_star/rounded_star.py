"""Upper bounds on what workers of a star can still do, in whole numbers rounded safely."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.problems.divisible_star.order_free import Times

BITS = 96
ONE = 1 << BITS
"""The whole time, and the whole load: both are counted in units of 2^-96 of them."""


def rounded_up(value: Fraction) -> int:
    """Give a part of the whole in units, not below it."""
    return -(-(value.numerator << BITS) // value.denominator)


def _rounded_down(value: Fraction) -> int:
    return (value.numerator << BITS) // value.denominator


class RoundedStar:
    """Workers without results that all need time for a load, c + w > 0.

    Their times are parts of one whole time. All that is rounded makes them faster: link times,
    latencies and reciprocals of times, so that what comes out is at least what exact numbers give.

    Parameters
    ----------
    workers
        In the order in which they are sent to, where that is given.
    given_order
        Whether it is; else bounds hold for every order.
    """

    def __init__(self, workers: Sequence[Times], *, given_order: bool) -> None:
        self._wire = [_rounded_down(one.wire) for one in workers]
        self._sending = [_rounded_down(one.wire_latency) for one in workers]
        self._latency = [_rounded_down(one.latency) for one in workers]
        self._speed = [rounded_up(1 / one.time) for one in workers]
        self._given_order = given_order
        self._known: dict[int, tuple[int, int]] = {}
        self.terms = 0
        """How many workers the bounds so far went through: what they cost."""

    def rate(self, rest: Sequence[int]) -> int:
        """Bound the load per time of some workers, latencies left out, by the linear star.

        Every line along which the greatest load of these workers grows with the time has at most
        this slope: it is the load within a time unit at shares that are all above 0.
        """
        rate = 0
        if not self._given_order:
            rest = sorted(rest, key=lambda i: self._wire[i])
        for i in reversed(rest):
            gain = ONE * ONE - self._wire[i] * rate
            if gain > 0:
                rate -= -gain * self._speed[i] >> 2 * BITS
        self.terms += len(rest)
        return rate

    def may_reach(self, key: int, rest: Sequence[int], time: int, load: int) -> bool:
        """Tell whether (10) leaves open that workers do more than a load within a time.

        Parameters
        ----------
        key
            Stands for `rest` in what is remembered.

        Notes
        -----
        The bound over the time grows with the time, as all c' and c' + w' shrink. So one that is
        known for a longer time bounds that for a shorter one, without another evaluation.
        """
        self.terms += 1
        if time <= 0:
            return load < 0
        longer, most = self._known.get(key, (0, 0))
        if time <= longer and most * time <= load * longer:
            return False
        most = self._most(rest, time)
        if time > longer:
            self._known[key] = time, most
        return most > load

    def _most(self, rest: Sequence[int], time: int) -> int:
        self.terms += len(rest)
        rates: list[tuple[int, int]] = []
        for i in rest:
            left = time - self._latency[i]
            if left > 0:
                alone = -(-left * self._speed[i] >> BITS)
                wire = self._wire[i] + (self._sending[i] << BITS) // alone
                rates.append((min(wire, (time << BITS) // alone), alone))
        if self._given_order:
            rates.reverse()
        else:
            rates.sort(reverse=True)
        load, whole = 0, time << BITS
        for wire, alone in rates:
            gain = whole - wire * load
            if gain > 0:
                load -= -alone * gain // whole
        return load
