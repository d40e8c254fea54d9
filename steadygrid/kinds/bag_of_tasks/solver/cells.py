"""Cells of sizes and works, in which tasks are dealt out as if they were alike."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from steadygrid.domain.resources import class_name
from steadygrid.kinds.bag_of_tasks.grid import Grid, grid_of
from steadygrid.kinds.bag_of_tasks.schemas import Bag, BagClass, BagOfTasksInstance
from steadygrid.kinds.bag_of_tasks.solver.regions import Box, Envelope, Mass, Region, region_of

Bounds = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Cell:
    """The tasks of a bag, by its position, that lie in a box."""

    bag: int
    box: Box
    region: Region

    @cached_property
    def mass(self) -> Mass:
        """Its probability in the bag, and the integrals of size and work."""
        return self.region.mass()

    @property
    def mean(self) -> tuple[Fraction, Fraction]:
        """Size and work of a task of the cell on the average."""
        return self.mass.size / self.mass.probability, self.mass.work / self.mass.probability

    def loss(self, envelope: Envelope) -> Fraction:
        """Tell how much less tasks cost that are dealt out one by one; times the probability."""
        return envelope.cost(self.mass.size, self.mass.work) - self.region.least(envelope)

    def halves(self) -> "list[Cell]":
        """Cut sizes and works in the middle, and keep what has tasks: one to four cells."""
        found = (
            (box, self.region.clipped(box))
            for box in (
                Box(sizes, works)
                for sizes in _halved(self.box.sizes)
                for works in _halved(self.box.works)
            )
        )
        return [Cell(self.bag, box, region) for box, region in found if region is not None]


def _halved(bounds: Bounds) -> list[Bounds]:
    low, high = bounds
    middle = (low + high) / 2
    return [bounds] if low == high else [(low, middle), (middle, high)]


def grid_cells(
    instance: BagOfTasksInstance, check: Callable[[], None], *, is_exact: bool
) -> list[Cell]:
    """Make the cells of the geometric grids of all bags, in the order of bags, sizes and works.

    See `grid_of` for whether the grid `is_exact`.

    Parameters
    ----------
    instance
        Without faults.
    check
        May raise, which ends the work.
    is_exact
        Whether bounds of cells have exactly the ratio 1 + epsilon.
    """
    found: list[Cell] = []
    for k, bag in enumerate(instance.bags):
        grid = grid_of(bag, instance.epsilon, is_exact=is_exact)
        if grid is None:
            raise AssertionError("admission refuses grids that cannot be written down")
        whole = region_of(bag)
        for box, region in _split_region(whole, *_intervals(grid), check):
            found.append(Cell(k, box, region))
    return sorted(found, key=lambda cell: (cell.bag, cell.box))


def _intervals(grid: Grid) -> tuple[list[Bounds], list[Bounds]]:
    zero = Fraction(0), Fraction(0)
    return [zero, *pairwise(grid.sizes)], [zero, *pairwise(grid.works)]


def _split_region(
    region: Region, sizes: Sequence[Bounds], works: Sequence[Bounds], check: Callable[[], None]
) -> Iterator[tuple[Box, Region]]:
    """Halve the longer list of intervals until one box is left."""
    check()
    if len(sizes) == len(works) == 1:
        yield Box(sizes[0], works[0]), region
        return
    by_size = len(sizes) >= len(works)
    longer = sizes if by_size else works
    for half in (longer[: len(longer) // 2], longer[len(longer) // 2 :]):
        some, others = (half, works) if by_size else (sizes, half)
        box = Box((some[0][0], some[-1][1]), (others[0][0], others[-1][1]))
        if (part := region.clipped(box)) is not None:
            yield from _split_region(part, some, others, check)


def whole_cells(instance: BagOfTasksInstance) -> list[Cell]:
    """Let every bag be one cell."""
    return [Cell(k, _box_of(bag), region_of(bag)) for k, bag in enumerate(instance.bags)]


def _box_of(bag: Bag) -> Box:
    """Give bounds that all tasks of a bag are within, the greatest too."""
    if bag.uniform is not None:
        return Box(bag.uniform.input_size, bag.uniform.work)
    listed = list(bag.distribution)
    sizes, works = [one.input_size for one in listed], [one.work for one in listed]
    return Box(*((low, high + (high - low) / 8) for low, high in map(_ends, (sizes, works))))


def _ends(values: Sequence[Fraction]) -> Bounds:
    return min(values), max(values)


def refined(cells: Sequence[Cell], losses: Sequence[Fraction], most: int) -> list[Cell] | None:
    """Cut the cells that lose something. Those that lose most, where there would be too many.

    Parameters
    ----------
    cells
        In the order of their bags and boxes.
    losses
        What is lost by each cell, at least 0; 0 where it need not be cut.
    most
        How many cells there may be.

    Returns
    -------
    list or None
        In order. None if no cell can be cut.
    """
    room = max(most - len(cells), 0) // 3
    losing = sorted((k for k, loss in enumerate(losses) if loss), key=lambda k: -losses[k])[:room]
    if not losing:
        return None
    chosen = frozenset(losing)
    finer = [
        part for k, cell in enumerate(cells) for part in (cell.halves() if k in chosen else [cell])
    ]
    return sorted(finer, key=lambda cell: (cell.bag, cell.box))


def means(instance: BagOfTasksInstance, cells: Sequence[Cell]) -> list[BagClass]:
    """Let every cell be a class of tasks of its mean size and work.

    Parameters
    ----------
    instance
        Without faults.
    cells
        Of the bags of this instance.
    """
    return _classes(instance, cells, lambda cell: cell.mean)


def upper_ends(instance: BagOfTasksInstance, cells: Sequence[Cell]) -> list[BagClass]:
    """Let every cell be a class of its greatest size and work.

    Parameters
    ----------
    instance
        Without faults.
    cells
        Of the bags of this instance.
    """
    return _classes(instance, cells, lambda cell: (cell.box.sizes[1], cell.box.works[1]))


def _classes(
    instance: BagOfTasksInstance,
    cells: Sequence[Cell],
    task: Callable[[Cell], tuple[Fraction, Fraction]],
) -> list[BagClass]:
    total = sum((bag.priority for bag in instance.bags), Fraction(0))
    counts = [0] * len(instance.bags)
    found = []
    for cell in cells:
        bag, number = instance.bags[cell.bag], counts[cell.bag]
        counts[cell.bag] += 1
        probability = cell.mass.probability
        share = probability * bag.priority / total
        name = class_name(bag.id, number)
        found.append(BagClass(name, bag.id, number, probability, share, *task(cell)))
    return found
