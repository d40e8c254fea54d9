"""Geometric grids over the sizes and works of a bag, and how many cells they have."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.rounding import leading_bits, num_bits, num_digits
from steadygrid.kinds.bag_of_tasks.schemas import Bag

MOST_CELLS = 10_000
"""Of all bags together; of classes, where ``auto`` takes the linear program over them."""
_LONGEST_CUT = 250
"""Digits of a bound of cells; probabilities of cells have a few times as many, and are printed."""
_SHORT_BITS = 40
"""To which longer bounds are rounded down where nothing depends on their exact ratio."""


class Grid(NamedTuple):
    """Bounds of the cells of a bag: ``m (1 + epsilon)^q`` for q = 0, 1, ... up to above the greatest.

    Empty where all values are 0. These are cells of their own. A cell has its lower bounds, and not
    its upper ones.
    """

    sizes: list[Fraction]
    works: list[Fraction]


def grid_of(bag: Bag, epsilon: Fraction, *, is_exact: bool) -> Grid | None:
    """Make the grid of a bag (Gallet 2009, section 5.3.2). None if it is too fine to write down.

    Parameters
    ----------
    is_exact
        Whether bounds have exactly the ratio 1 + epsilon, as rounding sizes and works up to them
        needs; else long ones are a little less.
    """
    if bag.uniform is None:
        listed = list(bag.distribution)
        sizes = _cuts([one.input_size for one in listed], 1 + epsilon, is_exact)
        works = _cuts([one.work for one in listed], 1 + epsilon, is_exact)
    else:
        sizes = _cuts(bag.uniform.input_size, 1 + epsilon, is_exact)
        works = _cuts(bag.uniform.work, 1 + epsilon, is_exact)
    return None if sizes is None or works is None else Grid(sizes, works)


def _cuts(values: Iterable[Fraction], ratio: Fraction, is_exact: bool) -> list[Fraction] | None:
    """Give powers of the ratio, times the least value above 0, until one is above all values."""
    positive = [value for value in values if value]
    if not positive:
        return []
    cut, greatest = min(positive), max(positive)
    cuts = [cut]
    while cut <= greatest:
        cut *= ratio
        if not is_exact and num_bits(cut) > _SHORT_BITS:
            cut = leading_bits(cut, _SHORT_BITS)
        cuts.append(cut)
        if len(cuts) > MOST_CELLS or num_digits(cut) > _LONGEST_CUT:
            return None
    return cuts


def num_cells(bag: Bag, grid: Grid) -> int:
    """Count the cells that have tasks. Where these are uniform, also cells that they only touch.

    Parameters
    ----------
    bag
        With classes, or with uniform tasks.
    grid
        Of this bag.
    """
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
