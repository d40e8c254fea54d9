"""Geometric grids over the sizes and works of a bag, and how many cells they have."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.rounding import num_digits
from steadygrid.problems.bag_of_tasks.schemas import Bag

MOST_CELLS = 10_000
"""Of all bags together; of classes, where ``auto`` takes the linear program over them."""
_LONGEST_CUT = 250
"""Digits of a bound of cells; means of cells have a few times as many, and are printed."""


class Grid(NamedTuple):
    """Bounds of the cells of a bag: ``m (1 + epsilon)^q`` for q = 0, 1, ... up to above the greatest.

    Empty where all values are 0, which are cells of their own. A cell has its lower bounds, and not
    its upper ones.
    """

    sizes: list[Fraction]
    works: list[Fraction]


def grid_of(bag: Bag, epsilon: Fraction) -> Grid | None:
    """Make the grid of a bag (Gallet 2009, section 5.3.2); None if it is too fine to write down."""
    if bag.uniform is not None:
        values = bag.uniform.input_size, bag.uniform.work
    else:
        listed = list(bag.distribution)
        values = tuple(one.input_size for one in listed), tuple(one.work for one in listed)
    sizes, works = (_cuts(each, 1 + epsilon) for each in values)
    return None if sizes is None or works is None else Grid(sizes, works)


def _cuts(values: Iterable[Fraction], ratio: Fraction) -> list[Fraction] | None:
    """Give powers of the ratio, times the least value above 0, until one is above all values."""
    positive = [value for value in values if value]
    if not positive:
        return []
    cut, greatest = min(positive), max(positive)
    cuts = [cut]
    while cut <= greatest:
        cut *= ratio
        cuts.append(cut)
        if len(cuts) > MOST_CELLS or num_digits(cut) > _LONGEST_CUT:
            return None
    return cuts


def num_cells(bag: Bag, grid: Grid) -> int:
    """Count the cells that have tasks; where these are uniform, also cells that they only touch."""
    if bag.uniform is None:
        return len(
            {
                (bisect_right(grid.sizes, one.input_size), bisect_right(grid.works, one.work))
                for one in bag.distribution
            }
        )
    (least, greatest), (lowest, highest) = bag.uniform.input_size, bag.uniform.work
    rise = bag.uniform.correlation * (highest - lowest)
    found = 0
    for low, high in pairwise(grid.sizes) if least < greatest else [(least, greatest)]:
        if least < greatest:
            start = (low - least) / (greatest - least)
            end = min((high - least) / (greatest - least), Fraction(1))
        else:
            start, end = Fraction(0), Fraction(1)
        if start < 1:
            first = bisect_right(grid.works, lowest + rise * start)
            found += max(1, bisect_left(grid.works, highest - rise * (1 - end)) - first + 1)
    return found
