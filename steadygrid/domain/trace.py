"""How a solve came to its answer: what was known when."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from steadygrid.domain.rational import decimal_text, parse_exact_or_decimal

MOST_POINTS = 500
"""Points of a trace."""


class TracePoint(NamedTuple):
    """What was known at a moment of a solve."""

    iteration: int | None
    """How often the solve had gone round. None where it does not count."""
    seconds: float
    """Since the start of the solve."""
    value: Fraction | None
    """Of the best schedule or rates found so far."""
    bound: Fraction | None
    """The best one proved so far."""
    exact: bool
    """Whether value and bound are the solve's exact ones, or decimals of a solver's floats."""


Trace = tuple[TracePoint, ...]
"""In the order of time. Every point differs from the one before in its value, its bound, or in
that they are exact now. Values never get worse, nor do bounds. The last are the answer's."""


def trace_document(trace: Sequence[TracePoint]) -> list[dict[str, Any]]:
    """Write a trace as JSON: exact numbers as strings such as ``21/40``, others as decimals."""
    return [
        {
            "iteration": point.iteration,
            "seconds": point.seconds,
            "value": _text(point.value, point.exact),
            "bound": _text(point.bound, point.exact),
            "exact": point.exact,
        }
        for point in trace
    ]


def _text(quantity: Fraction | None, is_exact: bool) -> str | None:
    if quantity is None:
        return None
    return str(quantity) if is_exact else decimal_text(quantity)


def trace_from_document(points: Sequence[Mapping[str, Any]]) -> Trace:
    """Read back what `trace_document` wrote.

    Raises
    ------
    KeyError, TypeError, ValueError
        If it is none.
    """
    return tuple(
        TracePoint(
            point["iteration"],
            point["seconds"],
            _quantity(point["value"]),
            _quantity(point["bound"]),
            point["exact"],
        )
        for point in points
    )


def _quantity(text: Any) -> Fraction | None:
    return None if text is None else parse_exact_or_decimal(text)
