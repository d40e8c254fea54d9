"""In which order to eliminate tasks, and how wide that makes the tables of labels."""

import heapq
from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

MOST_NEIGHBOURS = 64
"""A task with more neighbours is not eliminated: its table could never be stored."""
MOST_ENTRIES = 10**18
"""Larger tables are not told apart."""
MOST_HELD = 10**15
"""Entries of all tables together beyond which none is tried, not even for the few labels that may
matter: their combinations could hardly be numbered."""
_NEVER = 1 << 62
_FILLED_TASKS = 400
"""In graphs of at most so many tasks, the order of least fill-in is tried too."""


class Elimination(NamedTuple):
    """An order in which to eliminate all tasks of a graph."""

    order: list[int]
    width: int
    """Most neighbours at an elimination, of tasks that have at least two labels."""
    largest: int
    """Sums that make up the largest table: product of the numbers of labels of a task and its
    neighbours when it is eliminated; at most `MOST_ENTRIES`."""
    held: int
    """Entries of all tables, each over the neighbours of a task; at most `MOST_ENTRIES`."""


def eliminate(labels: Sequence[int], pairs: Iterable[tuple[int, int]]) -> Elimination:
    """Order the tasks so that the tables of a labelling stay small.

    Parameters
    ----------
    labels
        How many labels each task has; one label makes no table larger.
    pairs
        The tasks, by position, that are coupled.

    Notes
    -----
    The better of two greedy orders: least table first, and least fill-in first. Where every
    task that is left has more than `MOST_NEIGHBOURS` neighbours the rest is eliminated as it
    stands, and counts as one table.
    """
    couples = list(pairs)
    best = _greedy(labels, couples, by_fill=False)
    if best.width > 1 and len(labels) <= _FILLED_TASKS:
        best = min(best, _greedy(labels, couples, by_fill=True), key=lambda found: found.largest)
    return best


def _greedy(
    labels: Sequence[int], pairs: Sequence[tuple[int, int]], *, by_fill: bool
) -> Elimination:
    around: list[set[int]] = [set() for _ in labels]
    for one, other in pairs:
        if labels[one] > 1 and labels[other] > 1:
            around[one].add(other)
            around[other].add(one)

    def merit(task: int) -> tuple[int, int]:
        near = around[task]
        if len(near) > MOST_NEIGHBOURS:
            return _NEVER, len(near)
        table = _entries(labels, {task, *near})
        if by_fill:
            return sum(len(near - around[other]) - 1 for other in near), table
        return table, len(near)

    merits = [merit(task) for task in range(len(labels))]
    heap = [(value, task) for task, value in enumerate(merits)]
    heapq.heapify(heap)
    left = [True] * len(labels)
    order: list[int] = []
    width, largest, held = 0, 1, 0
    while heap:
        value, task = heapq.heappop(heap)
        if not left[task] or value != merits[task]:
            continue
        near = around[task]
        if len(near) > MOST_NEIGHBOURS:
            rest = [other for other, waits in enumerate(left) if waits]
            order += rest
            width = max(width, sum(labels[other] > 1 for other in rest) - 1)
            largest = max(largest, _entries(labels, rest))
            held = min(held + _entries(labels, rest), MOST_ENTRIES)
            break
        left[task] = False
        order.append(task)
        width = max(width, len(near))
        largest = max(largest, _entries(labels, {task, *near}))
        held = min(held + _entries(labels, near), MOST_ENTRIES)
        changed = set(near)
        for other in near:
            around[other] |= near
            around[other] -= {task, other}
            if by_fill:
                changed |= around[other]
        for other in changed:
            merits[other] = merit(other)
            heapq.heappush(heap, (merits[other], other))
    return Elimination(order, width, largest, held)


def _entries(labels: Sequence[int], tasks: Iterable[int]) -> int:
    return min(prod(labels[task] for task in tasks), MOST_ENTRIES)
