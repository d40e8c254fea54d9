"""The referee's rules for classes that are cells of sizes and works."""

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice

from steadygrid.domain.resources import class_name
from steadygrid.domain.rounding import magnitude, num_bits
from steadygrid.kinds.bag_of_tasks.integrals import Bounds, mass_within
from steadygrid.kinds.bag_of_tasks.referee_star import Star, TaskKind
from steadygrid.kinds.bag_of_tasks.schemas import (
    Bag,
    BagOfTasksInstance,
    BagOfTasksResult,
    CellOut,
    ClassOut,
)
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

BY_CELLS = frozenset({"means", "approximation"})
AT = ("result", "classes")
NONE = Fraction(0)
Mass = tuple[Fraction, Fraction, Fraction]
"""Probability, and the integrals of size and work."""
Point = tuple[Fraction, Fraction]


ANY = -1
"""Of an interval that cannot be halved."""
MOST_INTERVALS = 10_000
"""Of the sizes, or works, of a bag; finer grids are refused when they are asked for."""
MOST_BITS = 1_000
"""Of a bound; 250 digits are the most that is accepted."""
SHORT_BITS = 40


def check_cells(
    instance: BagOfTasksInstance,
    star: Star,
    result: BagOfTasksResult,
    findings: Findings,
    *,
    cut: bool = True,
) -> Mapping[str, TaskKind]:
    """Check that classes are cells of the bags, and give them as the classes that are dealt out.

    Parameters
    ----------
    cut
        Whether a small gap was asked for, so that cells may be halved.

    Notes
    -----
    Rules, in this order:

    == ==================================================================== ==================
    1  classes are numbered from 0 on, bag by bag in the instance's order   `wrong_class`
    2  each says its cell, of which no bound is above the other             `wrong_cell`
    3  no task of a bag is in two cells                                     `cells_overlap`
    4  each task is in one: the probabilities of the cells sum to 1         `cells_miss_tasks`
    5  bounds of a cell are neighbours of the geometric grid, or both are 0 `wrong_grid`
    6  a class has the probability, size and work of its cell               `wrong_class`
    == ==================================================================== ==================

    Rule 3 is checked by a sweep over sizes. Rule 4: the probability of a cell is that of the listed
    tasks in it, or the integral over uniform ones. Rule 5: the grid has the powers of 1 + epsilon,
    times the least size or work of the bag above 0, in ``means`` rounded down as `_intervals` says.
    Cells of ``means`` may be halved again and again, sizes and works alike. Rule 6: in ``means``
    size and work are the means of the cell, in ``approximation`` its upper bounds.
    """
    numbers = Counter(told.bag for told in result.classes)
    names = [class_name(bag.id, k) for bag in instance.bags for k in range(numbers[bag.id])]
    if [told.name for told in result.classes] != names or any(
        told.name != class_name(told.bag, told.number) for told in result.classes
    ):
        findings.add(
            AT,
            "wrong_class",
            "Classes are not numbered from 0 on, bag by bag in the order of these.",
        )
        return {}
    start = 0
    for bag in instance.bags:
        listed = result.classes[start : start + numbers[bag.id]]
        _BagCells(instance, star, bag, findings).check(result.method, listed, start, cut=cut)
        start += len(listed)
    total = sum((bag.priority for bag in instance.bags), NONE)
    priority = {bag.id: bag.priority / total for bag in instance.bags}
    return {
        told.name: TaskKind(
            told.bag,
            told.number,
            told.probability,
            told.input_size,
            told.work,
            told.probability * priority[told.bag],
        )
        for told in result.classes
    }


class _BagCells:
    """The cells of one bag."""

    def __init__(
        self, instance: BagOfTasksInstance, star: Star, bag: Bag, findings: Findings
    ) -> None:
        self._bag = bag
        self._ratio = 1 + instance.epsilon
        self._findings = findings
        self._listed = [one for one in star.classes.values() if one.bag == bag.id]

    def check(self, method: str, classes: Sequence[ClassOut], start: int, *, cut: bool) -> None:
        """Check the classes of the bag, of which the first has this position in the result."""
        cells = [told.cell for told in classes if told.cell is not None and _is_box(told.cell)]
        if len(cells) < len(classes):
            self._findings.add(AT, "wrong_cell", f"A class of bag {self._bag.id!r} has no cell.")
            return
        masses = self._masses(cells)
        if masses is None:
            text = f"Some task of bag {self._bag.id!r} is in two cells."
            self._findings.add(AT, "cells_overlap", text)
            return
        if sum((mass[0] for mass in masses), NONE) != 1:
            text = f"Some tasks of bag {self._bag.id!r} are in no cell."
            self._findings.add(AT, "cells_miss_tasks", text)
        by_means = method == "means"
        sizes, works = self._grid(is_exact=not by_means)
        for k, (told, cell, mass) in enumerate(zip(classes, cells, masses, strict=True)):
            at = (*AT, start + k)
            depths = {_halvings(sizes, cell.input_size), _halvings(works, cell.work)} - {ANY}
            if None in depths or len(depths) > 1 or not (depths <= {0} or (by_means and cut)):
                text = f"The cell of {told.name!r} is none of the geometric grid."
                self._findings.add(at, "wrong_grid", text)
            if (told.probability, told.input_size, told.work) != _due(cell, mass, by_means):
                self._findings.add(
                    at,
                    "wrong_class",
                    f"{told.name!r} is not told as its cell is, with probability {show(mass[0])}.",
                )

    def _masses(self, cells: Sequence[CellOut]) -> list[Mass] | None:
        """Add up the tasks of each cell. None if cells overlap."""
        places = _places(cells, [(one.size, one.work) for one in self._listed])
        if places is None:
            return None
        if self._bag.uniform is not None:
            return [mass_within(self._bag.uniform, cell.input_size, cell.work) for cell in cells]
        masses = [(NONE, NONE, NONE)] * len(cells)
        for one, place in zip(self._listed, places, strict=True):
            if place is not None:
                p, size, work = masses[place]
                weight = one.probability
                masses[place] = p + weight, size + weight * one.size, work + weight * one.work
        return masses

    def _grid(self, *, is_exact: bool) -> tuple[list[Bounds], list[Bounds]]:
        """List the intervals of the geometric grid, of sizes and of works."""
        uniform = self._bag.uniform
        sizes = [one.size for one in self._listed] if uniform is None else uniform.input_size
        works = [one.work for one in self._listed] if uniform is None else uniform.work
        return (
            list(islice(_intervals(sizes, self._ratio, is_exact=is_exact), MOST_INTERVALS)),
            list(islice(_intervals(works, self._ratio, is_exact=is_exact), MOST_INTERVALS)),
        )


def _intervals(values: Sequence[Fraction], ratio: Fraction, *, is_exact: bool) -> Iterator[Bounds]:
    """Go up from the least value; unless bounds are exact, long ones are rounded down to 40 bits."""
    yield NONE, NONE
    low = min((value for value in values if value), default=None)
    most = max(values)
    while low is not None and low <= most and num_bits(low) <= MOST_BITS:
        high = low * ratio
        if not is_exact and num_bits(high) > SHORT_BITS:
            unit = Fraction(2) ** (magnitude(high) - SHORT_BITS)
            high = high // unit * unit
        yield low, high
        low = high


def _halvings(grid: Sequence[Bounds], bounds: Bounds) -> int | None:
    """Count how often an interval of the grid was halved; `ANY` of 0 alone, None of no interval."""
    low, high = bounds
    start, end = grid[bisect_right(grid, low, key=lambda interval: interval[0]) - 1]
    if low == high == end:
        return ANY
    if low == high or high > end:
        return None
    parts, place = (end - start) / (high - low), (low - start) / (high - low)
    whole = parts.denominator == place.denominator == 1
    return parts.numerator.bit_length() - 1 if whole and parts.numerator.bit_count() == 1 else None


def _is_box(cell: CellOut) -> bool:
    return all(low <= high for low, high in (cell.input_size, cell.work))


def _due(cell: CellOut, mass: Mass, is_mean: bool) -> Mass | None:
    """Give the probability, size and work of a cell. None if it has no tasks."""
    probability, size, work = mass
    if not probability:
        return None
    if is_mean:
        return probability, size / probability, work / probability
    return probability, cell.input_size[1], cell.work[1]


_END, _START, _POINT, _END_OF_ONE_SIZE = range(4)


def _places(cells: Sequence[CellOut], points: Sequence[Point]) -> list[int | None] | None:
    """Find the cell of each point, going through sizes. None if cells overlap."""
    events = [(size, _POINT, k) for k, (size, _) in enumerate(points)]
    for k, cell in enumerate(cells):
        low, high = cell.input_size
        events += [(low, _START, k), (high, _END if low < high else _END_OF_ONE_SIZE, k)]
    here: list[tuple[Fraction, Fraction, int]] = []
    found: list[int | None] = [None] * len(points)
    for _, what, k in sorted(events):
        if what == _POINT:
            found[k] = _place(here, points[k][1])
            continue
        entry = (*cells[k].work, k)
        position = bisect_left(here, entry)
        if what != _START:
            del here[position]
        elif _overlaps(here, position, entry):
            return None
        else:
            insort(here, entry)
    return found


def _place(here: Sequence[tuple[Fraction, Fraction, int]], work: Fraction) -> int | None:
    position = bisect_right(here, work, key=lambda entry: entry[0]) - 1
    if position < 0:
        return None
    low, high, k = here[position]
    return k if work < high or work == low == high else None


def _overlaps(
    here: Sequence[tuple[Fraction, Fraction, int]],
    position: int,
    entry: tuple[Fraction, Fraction, int],
) -> bool:
    """Tell whether works of one cell are among those of its neighbours, before it is put there."""
    low, high, _ = entry
    before = position > 0 and (here[position - 1][1] > low or here[position - 1][0] == low)
    after = position < len(here) and (here[position][0] < high or here[position][0] == low)
    return before or after
