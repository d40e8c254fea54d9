"""Upper bounds on what workers of a star can still do, in whole numbers rounded safely."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.kinds.divisible_star.replay.star_terms import Times

BITS = 96
ONE = 1 << BITS
"""The whole time, and the whole load: both are counted in units of 2^-96 of them."""


def rounded_up(value: Fraction) -> int:
    """Give a part of the whole in units, not below it."""
    return -(-(value.numerator << BITS) // value.denominator)


def rounded_down(value: Fraction) -> int:
    """Give a part of the whole in units, not above it."""
    return (value.numerator << BITS) // value.denominator


class _Rounded(NamedTuple):
    """A worker as fast as it is, or faster."""

    c: int
    C: int
    latency: int
    w: int
    W: int
    """These two are rounded up: they count in what is left."""
    speed: int
    """Of 1 / (c + w)."""


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
        self._workers = [
            _Rounded(
                rounded_down(one.c),
                rounded_down(one.C),
                rounded_down(one.latency),
                rounded_up(one.w),
                rounded_up(one.W),
                rounded_up(1 / one.unit),
            )
            for one in workers
        ]
        self._given_order = given_order
        self._known: dict[int, tuple[int, int]] = {}

    def rate(self, rest: Sequence[int]) -> int:
        """Bound the load per time of some workers, latencies left out, by the linear star.

        Every line along which the greatest load of these workers grows with the time has at most
        this slope: it is the load within a time unit at shares that are all above 0.
        """
        workers = [self._workers[i] for i in rest]
        if not self._given_order:
            workers.sort()
        rate = 0
        for one in reversed(workers):
            gain = ONE * ONE - one.c * rate
            if gain > 0:
                rate -= -gain * one.speed >> 2 * BITS
        return rate

    def max_load_alone(self, i: int, time: int) -> int:
        """Bound what a worker does alone within a time; 0 where that is nothing.

        Parameters
        ----------
        i
            Position of the worker.
        time
            In units of ``2**-BITS`` of the whole time.

        Returns
        -------
        int
            Load, in units of ``2**-BITS``.
        """
        one = self._workers[i]
        left = time - one.latency
        return -(-left * one.speed >> BITS) if left > 0 else 0

    def remaining_time(self, i: int, load: int) -> int:
        """Bound what is left when a worker has been sent so much that it is busy to the end.

        Parameters
        ----------
        i
            Position of the worker.
        load
            In units of ``2**-BITS``.

        Returns
        -------
        int
            Time, in units of ``2**-BITS`` of the whole time.
        """
        one = self._workers[i]
        return one.W - (-one.w * load >> BITS)

    def may_exceed(self, key: int, rest: Sequence[int], time: int, load: int) -> bool:
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
        if time <= 0:
            return load < 0
        longer, most = self._known.get(key, (0, 0))
        if time <= longer and most * time <= load * longer:
            return False
        most = self._max_load(rest, time)
        if time > longer:
            self._known[key] = time, most
        return most > load

    def _max_load(self, rest: Sequence[int], time: int) -> int:
        rates: list[tuple[int, int]] = []
        for i in rest:
            if alone := self.max_load_alone(i, time):
                one = self._workers[i]
                wire = one.c + (one.C << BITS) // alone
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
