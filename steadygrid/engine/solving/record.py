"""What a solve says of its value and its bound, kept to be stored with its result.

Progress is sent now and then, and a quick solve may end before any was. This keeps every change,
in bounded memory.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import isfinite
from typing import NamedTuple

from steadygrid.domain.job import Result
from steadygrid.domain.rational import approximate
from steadygrid.domain.trace import MOST_POINTS, Trace, TracePoint

LONGEST_BITS = 1_024
"""Of a numerator or denominator: what is longer in between is kept as a decimal."""

ROUNDING = Fraction(1, 10**6)
"""Of the answer: by how much what floats say may be beyond it."""


class Known(NamedTuple):
    """A value or a bound as it was reported."""

    value: Fraction
    exact: bool
    """Whether it was a fraction, and no float."""


def known(told: Fraction | float | None) -> Known | None:
    """Read what a solver tells: a float stands for the shortest decimal that gives it back.

    >>> known(0.1), known(Fraction(1, 3)), known(float("inf"))
    (Known(value=Fraction(1, 10), exact=False), Known(value=Fraction(1, 3), exact=True), None)
    """
    if told is None:
        return None
    if isinstance(told, Fraction):
        if max(told.numerator.bit_length(), told.denominator.bit_length()) <= LONGEST_BITS:
            return Known(told, True)
        near = approximate(told)
        return None if near is None else known(near)
    return Known(max(Fraction(0), Fraction(repr(float(told)))), False) if isfinite(told) else None


class _Extremes(NamedTuple):
    """Which direction is better is known at the end: so both ends of what was reported are kept."""

    most: Known | None = None
    least: Known | None = None

    def joined(self, told: Known | None) -> "_Extremes":
        if told is None:
            return self
        if self.most is None or self.least is None:
            return _Extremes(told, told)
        return _Extremes(max(self.most, told), min(self.least, told, key=_from_least))


def _from_least(one: Known) -> tuple[Fraction, bool]:
    return one.value, not one.exact


class _Moment(NamedTuple):
    iteration: int | None
    seconds: float
    values: _Extremes
    bounds: _Extremes


class Record:
    """Keeps at most `MOST_POINTS` moments at which the best value or bound of a solve changed.

    First every change is kept. Where they get too many, each second one is dropped, and from then
    on only each second one is kept, then each fourth, and so on. The first and the last stay.
    """

    def __init__(self) -> None:
        self._kept: list[_Moment] = []
        self._latest = _Moment(None, 0.0, _Extremes(), _Extremes())
        self._changes = 0
        self._stride = 1

    def take(
        self,
        iteration: int | None,
        seconds: float,
        value: Known | None,
        bound: Known | None,
    ) -> None:
        """Hear of a value or a bound.

        Parameters
        ----------
        iteration
            Of the solver. None where it counts none.
        seconds
            Since the start of the solve.
        value
            Of something that was found. None: nothing new.
        bound
            What is proved or told of all answers. None: nothing new.
        """
        before = self._latest
        now = _Moment(iteration, seconds, before.values.joined(value), before.bounds.joined(bound))
        if now[2:] == before[2:]:
            return
        self._latest = now
        if self._changes % self._stride == 0:
            # Room for the latest change, and for the answer.
            if len(self._kept) == MOST_POINTS - 2:
                del self._kept[1::2]
                self._stride *= 2
            if self._changes % self._stride == 0:
                self._kept.append(now)
        self._changes += 1

    def trace(self, result: Result, seconds: float) -> Trace:
        """Give what was known when, with the answer as the last point; empty if nothing was reported.

        No point says more than the answer: what floats have beyond it by rounding is cut, and what
        was further beyond it, and so not kept, is left out. So values only get better, bounds only
        tighter, and no value passes a bound.

        Parameters
        ----------
        result
            The answer. Where it has no value, or no bound, no point has.
        seconds
            When it was there, since the start of the solve.
        """
        if not self._kept or (result.objective is None and result.bound is None):
            return ()
        last = TracePoint(
            self._latest.iteration,
            _rounded(seconds),
            None if result.objective is None else result.objective.value,
            None if result.bound is None else result.bound.value,
            result.bound is None or result.bound.exact,
        )
        points: list[TracePoint] = []
        for point in (*self._points(result), last):
            if point.value is point.bound is None:
                continue
            if not points or point[2:] != points[-1][2:]:
                points.append(point)
        return tuple(points)

    def _points(self, result: Result) -> Iterator[TracePoint]:
        minimised = self._minimised(result)
        value = None if result.objective is None else result.objective.value
        bound = None if result.bound is None else result.bound.value
        moments = self._kept if self._kept[-1] is self._latest else [*self._kept, self._latest]
        best: Known | None = None
        least: Known | None = None
        for moment in moments:
            best = _cut(moment.values, value, highest=not minimised) or best
            least = _cut(moment.bounds, bound, highest=minimised) or least
            yield TracePoint(
                moment.iteration,
                _rounded(moment.seconds),
                None if best is None else best.value,
                None if least is None else least.value,
                all(one.exact for one in (best, least) if one is not None),
            )

    def _minimised(self, result: Result) -> bool:
        if result.objective is not None:
            return result.objective.name != "throughput"
        # Without a value to tell by: the bound that was answered is better than the first one.
        first = next((one.bounds.most for one in self._kept if one.bounds.most is not None), None)
        return first is not None and result.bound is not None and first.value < result.bound.value


def _cut(told: _Extremes, answer: Fraction | None, *, highest: bool) -> Known | None:
    """Give the best that was reported, but nothing beyond the answer. None if it is not near."""
    best = told.most if highest else told.least
    if best is None or answer is None:
        return None
    beyond = best.value - answer if highest else answer - best.value
    if beyond <= 0:
        return best
    return best._replace(value=answer) if beyond <= ROUNDING * answer else None


def _rounded(seconds: float) -> float:
    return round(seconds, 6)
