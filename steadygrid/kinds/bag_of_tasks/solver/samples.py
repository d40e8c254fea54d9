"""What `lp_samp` learns from the first tasks of a stream: buckets, and the means in them."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from steadygrid.domain.resources import class_name
from steadygrid.kinds.bag_of_tasks.schemas import BagClass, BagOfTasksInstance
from steadygrid.kinds.bag_of_tasks.solver.draws import Kind

Cell = tuple[int, int, int]
"""A bag, and the buckets of size and work."""


@dataclass(frozen=True)
class Scale:
    """Buckets between the least and the greatest value of a sample.

    Under ``arithmetic`` bucket j of b begins at ``least + j (greatest - least) / b``. Under
    ``geometric`` it begins at ``least (greatest / least)^(j / b)``, by the positive values, and 0 is
    in a bucket of its own, before them. Values beyond both ends are in the last bucket there.
    """

    values: Sequence[Fraction]
    number: int
    is_geometric: bool

    @cached_property
    def _borders(self) -> list[Fraction]:
        """Where buckets but the first begin; powers of it where ratios are equal."""
        values = [value for value in self.values if value or not self.is_geometric]
        if not values or min(values) == max(values):
            return []
        least, greatest, steps = min(values), max(values), range(1, self.number)
        if self.is_geometric:
            return [least**self.number * (greatest / least) ** j for j in steps]
        return [least + (greatest - least) * j / self.number for j in steps]

    def bucket(self, value: Fraction) -> int:
        """Find the bucket of a value."""
        if not self.is_geometric:
            return bisect_right(self._borders, value)
        return 1 + bisect_right(self._borders, value**self.number) if value else 0


@dataclass(frozen=True)
class Sample:
    """The classes of the first tasks of a stream.

    Attributes
    ----------
    tasks
        Positions of their kinds in `kinds`.
    """

    instance: BagOfTasksInstance
    kinds: Sequence[Kind]
    tasks: Sequence[int]

    @cached_property
    def _scales(self) -> Mapping[str, tuple[Scale, Scale]]:
        instance, found = self.instance, {}
        of_bags: dict[str, list[Kind]] = {}
        for k in set(self.tasks):
            of_bags.setdefault(self.kinds[k].bag, []).append(self.kinds[k])
        is_geometric = instance.split == "geometric"
        for bag, own in of_bags.items():
            found[bag] = (
                Scale([one.input_size for one in own], instance.buckets, is_geometric),
                Scale([one.work for one in own], instance.work_buckets, is_geometric),
            )
        return found

    @cached_property
    def _bags(self) -> Mapping[str, int]:
        return {bag.id: k for k, bag in enumerate(self.instance.bags)}

    def _cell(self, k: int) -> Cell | None:
        """Find where tasks of a kind are put. None if no task of the bag is in the sample."""
        one = self.kinds[k]
        if one.bag not in self._scales:
            return None
        sizes, works = self._scales[one.bag]
        return self._bags[one.bag], sizes.bucket(one.input_size), works.bucket(one.work)

    @cached_property
    def cells(self) -> Mapping[Cell, Sequence[int]]:
        """The tasks of the sample in each cell that has some, in the order of the cells."""
        found: dict[Cell, list[int]] = {}
        cell_of = {k: self._cell(k) for k in set(self.tasks)}
        for k in self.tasks:
            cell = cell_of[k]
            assert cell is not None
            found.setdefault(cell, []).append(k)
        return {cell: found[cell] for cell in sorted(found)}

    @cached_property
    def _positions(self) -> Mapping[Cell, int]:
        return {cell: n for n, cell in enumerate(self.cells)}

    @cached_property
    def classes(self) -> Sequence[BagClass]:
        """The cells as classes with their means. Those of a bag are numbered from 0."""
        found: list[BagClass] = []
        numbers: dict[int, int] = {}
        for (bag, *_), tasks in self.cells.items():
            number = numbers[bag] = numbers.get(bag, -1) + 1
            name = self.instance.bags[bag].id
            share = Fraction(len(tasks), len(self.tasks))
            size = sum((self.kinds[k].input_size for k in tasks), Fraction(0)) / len(tasks)
            work = sum((self.kinds[k].work for k in tasks), Fraction(0)) / len(tasks)
            found.append(BagClass(class_name(name, number), name, number, share, share, size, work))
        return found

    def class_of(self, k: int) -> int:
        """Find the class that stands for tasks of a kind.

        That is its own cell. Where the sample has nothing there, the nearest one of the same bag by
        the number of buckets between them; of all bags by the mean size, where it has none of this
        one. Ties go to the first.
        """
        here = self._cell(k)
        if here is None:
            sizes = [abs(one.input_size - self.kinds[k].input_size) for one in self.classes]
            return sizes.index(min(sizes))
        if here in self._positions:
            return self._positions[here]
        if here not in self._nearest:
            self._nearest[here] = self._nearest_to(here)
        return self._nearest[here]

    @cached_property
    def _nearest(self) -> dict[Cell, int]:
        """What was found before: many tasks are in the same cells."""
        return {}

    def _nearest_to(self, here: Cell) -> int:
        bag, size, work = here
        distances = {
            n: abs(cell[1] - size) + abs(cell[2] - work)
            for cell, n in self._positions.items()
            if cell[0] == bag
        }
        return min(distances, key=lambda n: (distances[n], n))


def sample_size(instance: BagOfTasksInstance, tasks: int) -> int:
    """Say how many of the first tasks are the sample.

    Parameters
    ----------
    instance
        Without faults.
    tasks
        Length of the stream.
    """
    return ceil(instance.sample * tasks)
