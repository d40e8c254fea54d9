"""Exact integrals over uniform tasks, for the referee.

A task is a point (a, b) of the unit square: its size is linear in a, its work in a and b. What is
integrated is, after integrating over b, a polynomial of degree at most 3 in a between breakpoints.
There Simpson's rule is exact.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from steadygrid.kinds.bag_of_tasks.schemas import UniformTasks

NONE, ONE = Fraction(0), Fraction(1)
Bounds = tuple[Fraction, Fraction]
Line = tuple[Fraction, Fraction]
"""Cost per unit of size and of work."""


class Draws(NamedTuple):
    """Size and work as functions of a and b: ``size + a wider``, ``work + a rise + b width``."""

    size: Fraction
    wider: Fraction
    work: Fraction
    rise: Fraction
    width: Fraction

    @classmethod
    def from_tasks(cls, tasks: UniformTasks) -> "Draws":
        """Read the intervals and the correlation."""
        (least, greatest), (lowest, highest) = tasks.input_size, tasks.work
        steps = highest - lowest
        rise = tasks.correlation * steps
        return cls(least, greatest - least, lowest, rise, steps - rise)


def expected_cost(tasks: UniformTasks, costs: Iterable[Line]) -> Fraction:
    """Give the expectation of the least of some costs, each linear in size and work.

    Parameters
    ----------
    costs
        At least one, none negative.
    """
    draws, lines = Draws.from_tasks(tasks), list(costs)
    if not draws.size:
        return min(b for _, b in lines) * (draws.work + (draws.rise + draws.width) / 2)
    envelope, slopes = _least_by_slope(lines)

    def cost(size: Fraction, work: Fraction) -> Fraction:
        return min(a * size + b * work for a, b in envelope)

    def at(a: Fraction) -> Fraction:
        size, work = draws.size + a * draws.wider, draws.work + a * draws.rise
        if not draws.width:
            return cost(size, work)
        top = work + draws.width
        works = [work, *(y for slope in slopes if work < (y := slope * size) < top), top]
        values = [cost(size, y) for y in works]
        areas = (
            (high - low) * (one + other)
            for (low, high), (one, other) in zip(pairwise(works), pairwise(values), strict=True)
        )
        return sum(areas, NONE) / (2 * draws.width)

    breaks = []
    for slope in slopes:
        for work in (draws.work, draws.work + draws.width):
            breaks += _zero(work - slope * draws.size, draws.rise - slope * draws.wider)
    return _integral(at, NONE, ONE, breaks)


def mass_within(
    tasks: UniformTasks, sizes: Bounds, works: Bounds
) -> tuple[Fraction, Fraction, Fraction]:
    """Give the probability of a cell, and the integrals of size and work over it.

    Parameters
    ----------
    tasks
        What sizes and works are drawn from.
    sizes, works
        Lower and upper bound of the cell.

    Returns
    -------
    tuple of Fraction
        All 0 where no task falls into the cell.
    """
    draws = Draws.from_tasks(tasks)
    part = _part_within(draws.size, draws.wider, sizes)
    if not draws.width:
        other = _part_within(draws.work, draws.rise, works)
        part = max(part[0], other[0]), min(part[1], other[1])
    if part[0] >= part[1]:
        return NONE, NONE, NONE

    def strip(a: Fraction) -> tuple[Fraction, Fraction]:
        """Give how probable the cell is at a, and the mean work there."""
        work = draws.work + a * draws.rise
        if not draws.width:
            return ONE, work
        low, high = (min(max((bound - work) / draws.width, NONE), ONE) for bound in works)
        return high - low, work + draws.width * (low + high) / 2

    breaks: list[Fraction] = []
    for bound in works:
        for work in (draws.work, draws.work + draws.width):
            breaks += _zero(work - bound, draws.rise)
    return (
        _integral(lambda a: strip(a)[0], *part, breaks),
        _integral(lambda a: strip(a)[0] * (draws.size + a * draws.wider), *part, breaks),
        _integral(lambda a: strip(a)[0] * strip(a)[1], *part, breaks),
    )


def _least_by_slope(lines: Sequence[Line]) -> tuple[list[Line], list[Fraction]]:
    """Walk along the least of ``a + b t`` from t = 0 on: the lines met, and where they change."""
    here, slope = min(lines), NONE
    met = [here]
    slopes: list[Fraction] = []
    while True:
        ahead = [((a - here[0]) / (here[1] - b), b, a) for a, b in lines if b < here[1]]
        if not ahead:
            return met, slopes
        slope, b, a = min(ahead)
        here = a, b
        met.append(here)
        slopes.append(slope)


def _part_within(start: Fraction, rise: Fraction, bounds: Bounds) -> Bounds:
    """Give the part of [0, 1] where ``start + a rise``, which does not fall, is within bounds."""
    low, high = bounds
    if not rise:
        return (NONE, ONE) if low <= start < high or low == start == high else (NONE, NONE)
    return max((low - start) / rise, NONE), min((high - start) / rise, ONE)


def _zero(start: Fraction, rise: Fraction) -> list[Fraction]:
    return [-start / rise] if rise else []


def _integral(
    function: Callable[[Fraction], Fraction],
    low: Fraction,
    high: Fraction,
    breaks: Iterable[Fraction],
) -> Fraction:
    """Integrate a function that is a cubic polynomial at most between breaks."""
    points = sorted({low, high, *(point for point in breaks if low < point < high)})
    return sum(
        (
            (end - start) / 6 * (function(start) + 4 * function((start + end) / 2) + function(end))
            for start, end in pairwise(points)
        ),
        NONE,
    )
