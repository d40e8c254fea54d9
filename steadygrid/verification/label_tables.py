"""Tables of a labelling, one for each task: over the labels of the neighbours that are eliminated later."""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from steadygrid.domain.slots import FileName

Floats = NDArray[np.float64]

FAR = 4.0
"""Stands for any cost of 4 or more: such costs are never told apart."""


class TooWideError(Exception):
    """The tables would be larger than is sensible."""


class Bag:
    """One task of the elimination tree, with the neighbours it has when it is eliminated.

    Attributes
    ----------
    scope, shape
        Those neighbours in the order of their elimination, and their numbers of labels.
    alone
        What each label of the task costs, with the files from and to tasks of one label.
    singles, pairs
        Files of the task: to tasks of one label; to one of the scope, with its axis and
        the cost by the task's label and the other's.
    children
        Bags whose first neighbour is this task (at the root, also those without neighbours).
    forth, back
        By the task's neighbours' labels: the least cost of what is eliminated up to here, and
        of all the rest.
    left
        Labels of the task with the entries, by flat position, that may cost less than 1.
    """

    def __init__(self, task: str, scope: tuple[str, ...], shape: tuple[int, ...]) -> None:
        self.task = task
        self.scope = scope
        self.shape = shape
        self.alone: Floats = np.zeros(0)
        self.singles: list[FileName] = []
        self.pairs: list[tuple[FileName, int, Floats]] = []
        self.children: list[Bag] = []
        self.forth: Floats = np.zeros(0)
        self.back: Floats = np.zeros(())
        self.left: list[tuple[int, NDArray[np.intp]]] = []

    def send_forward(self) -> None:
        """Eliminate the task: keep its cheapest label for each combination of the others."""
        least = np.full(self.shape, FAR)
        for label in range(len(self.alone)):
            np.minimum(least, self._table(label), out=least)
        self.forth = least

    def _table(self, label: int) -> Floats:
        """Add up the costs of one label of the task. An axis that matters nowhere has length 1.

        Small parts come first, so that few sums are as large as the table.
        """
        parts = [self._seen(child, label) for child in self.children]
        for _, axis, costs in self.pairs:
            shape = [1] * len(self.shape)
            shape[axis] = -1
            parts.append(costs[label].reshape(shape))
        table: Floats = np.full([1] * len(self.shape), self.alone[label])
        for part in sorted(parts, key=lambda part: part.size):
            table = table + part
        return table

    def _seen(self, child: "Bag", label: int) -> Floats:
        """Give a child's costs for one label of this task, with the axes of this scope."""
        if not child.scope:
            return child.forth
        shape = [
            size if task in child.scope else 1
            for task, size in zip(self.scope, self.shape, strict=True)
        ]
        seen: Floats = child.forth[label].reshape(shape)
        return seen

    def send_back(self, surely: float, most: int) -> int:
        """Drop the entries of at least `surely`, and tell the children what the rest costs.

        Gives the number of entries left; raises `TooWideError` above `most`.
        """
        for child in self.children:
            child.back = np.full(child.shape, FAR)
        near = np.flatnonzero(self.forth + self.back < surely)
        if near.size > most:
            raise TooWideError(f"more than {most:,} table entries cost about 1")
        if not near.size:
            return 0
        back = self.back.reshape(-1)[near]
        for label in range(len(self.alone)):
            costs: Floats = back + self.alone[label]
            for _, axis, pair in self.pairs:
                costs += pair[label][label_along(self, axis, near)]
            places = [position_in(child, self, label, near) for child in self.children]
            seen = [
                child.forth.reshape(-1)[place]
                for child, place in zip(self.children, places, strict=True)
            ]
            for part in seen:
                costs += part
            kept = costs < surely
            if not kept.any():
                continue
            self.left.append((label, near[kept]))
            for child, place, part in zip(self.children, places, seen, strict=True):
                rest = np.maximum(costs - part, 0)
                np.minimum.at(child.back.reshape(-1), place[kept], rest[kept])
        return sum(entries.size for _, entries in self.left)


def count_entries(bags: Sequence[Bag]) -> int:
    """Give the entries of the largest table, with the labels of its task."""
    return max(prod(bag.shape) * len(bag.alone) for bag in bags)


def label_along(bag: Bag, axis: int, entries: NDArray[np.intp]) -> NDArray[np.intp]:
    """Give the label of one neighbour at each flat position."""
    return entries // prod(bag.shape[axis + 1 :]) % bag.shape[axis]


def position_in(
    child: Bag, bag: Bag, label: int | NDArray[np.intp], entries: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Translate flat positions, and the task's own label or labels, into those of a child."""
    asked = np.zeros_like(entries)
    for task, size in zip(child.scope, child.shape, strict=True):
        here = label if task == bag.task else label_along(bag, bag.scope.index(task), entries)
        asked = asked * size + here
    return asked
