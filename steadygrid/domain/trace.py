"""How a solve came to its answer: what was known when."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from steadygrid.domain.rational import parse_exact


class TracePoint(NamedTuple):
    """What was known at a moment of a solve."""

    iteration: int | None
    """How often the solve had gone round; None where it does not count."""
    seconds: float
    """Since the start of the solve."""
    value: Fraction | None
    """Of the best schedule or rates found so far."""
    bound: Fraction | None
    """The best one proved so far."""
    exact: bool
    """Whether value and bound are the solve's exact ones, or decimals of a solver's floats."""


Trace = tuple[TracePoint, ...]
"""In the order of time; every point differs from the one before in its value or its bound."""


def trace_document(trace: Sequence[TracePoint]) -> list[dict[str, Any]]:
    """Write a trace as JSON."""
    return [
        {
            "iteration": point.iteration,
            "seconds": point.seconds,
            "value": None if point.value is None else str(point.value),
            "bound": None if point.bound is None else str(point.bound),
            "exact": point.exact,
        }
        for point in trace
    ]


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
            None if point["value"] is None else parse_exact(point["value"]),
            None if point["bound"] is None else parse_exact(point["bound"]),
            point["exact"],
        )
        for point in points
    )
