"""What `lp_samp` learns from the first tasks of a stream: buckets, and the means in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from steadygrid.domain.resources import class_name
from steadygrid.problems.bag_of_tasks.schemas import BagClass, BagOfTasksInstance

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
    def _ends(self) -> tuple[Fraction, Fraction] | None:
        values = [value for value in self.values if value or not self.is_geometric]
        return (min(values), max(values)) if values else None

    def bucket(self, value: Fraction) -> int:
        """Find the bucket of a value."""
        if self.is_geometric and not value:
            return 0
        first = 1 if self.is_geometric else 0
        if self._ends is None:
            return first
        least, greatest = self._ends
        if value <= least or least == greatest:
            return first
        if not self.is_geometric:
            return min(int((value - least) * self.number / (greatest - least)), self.number - 1)
        ratio, reached = (value / least) ** self.number, greatest / least
        return first + sum(1 for j in range(1, self.number) if reached**j <= ratio)


@dataclass(frozen=True)
class Sample:
    """The classes of the first tasks of a stream.

    Attributes
    ----------
    tasks
        Positions of their classes among those of the bags.
    """

    instance: BagOfTasksInstance
    tasks: Sequence[int]

    @cached_property
    def _scales(self) -> Mapping[str, tuple[Scale, Scale]]:
        instance, found = self.instance, {}
        for bag in {instance.classes[k].bag for k in self.tasks}:
            listed = [instance.classes[k] for k in set(self.tasks)]
            own = [one for one in listed if one.bag == bag]
            is_geometric = instance.split == "geometric"
            found[bag] = (
                Scale([one.input_size for one in own], instance.buckets, is_geometric),
                Scale([one.work for one in own], instance.work_buckets, is_geometric),
            )
        return found

    @cached_property
    def _bags(self) -> Mapping[str, int]:
        return {bag.id: k for k, bag in enumerate(self.instance.bags)}

    def _cell(self, k: int) -> Cell | None:
        """Find where tasks of a class are put; None if no task of the bag is in the sample."""
        one = self.instance.classes[k]
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
    def classes(self) -> Sequence[BagClass]:
        """The cells as classes with their means; those of a bag are numbered from 0."""
        found: list[BagClass] = []
        numbers: dict[int, int] = {}
        for (bag, *_), tasks in self.cells.items():
            number = numbers[bag] = numbers.get(bag, -1) + 1
            name = self.instance.bags[bag].id
            listed = [self.instance.classes[k] for k in tasks]
            share = Fraction(len(listed), len(self.tasks))
            size = sum((one.input_size for one in listed), Fraction(0)) / len(listed)
            work = sum((one.work for one in listed), Fraction(0)) / len(listed)
            found.append(BagClass(class_name(name, number), name, number, share, share, size, work))
        return found

    def class_of(self, k: int) -> int:
        """Find the class that stands for tasks of a class of the bags.

        That is its own cell; where the sample has nothing there, the nearest one of the same bag by
        the number of buckets between them, or of all bags where it has none of this one.
        """
        cells = list(self.cells)
        here = self._cell(k)
        if here is None:
            sizes = [
                (abs(one.input_size - self.instance.classes[k].input_size)) for one in self.classes
            ]
            return sizes.index(min(sizes))
        distances = [
            (cell[0] != here[0], abs(cell[1] - here[1]) + abs(cell[2] - here[2])) for cell in cells
        ]
        return distances.index(min(distances))


def sample_size(instance: BagOfTasksInstance, tasks: int) -> int:
    """Say how many of the first tasks are the sample."""
    return ceil(instance.sample * tasks)
