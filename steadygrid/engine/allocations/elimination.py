"""The order in which the pricing problem eliminates the tasks, and the tree of its tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

LABEL_BYTES = 4
"""What the best label of a task takes, which is kept for each entry of its table."""


@dataclass(frozen=True)
class Elimination:
    """A perfect elimination order of a chordal supergraph of the undirected task graph.

    Attributes
    ----------
    order
        The tasks, first eliminated first.
    scopes
        By task, its neighbours among the tasks eliminated later, in elimination order. The table
        of a task ranges over them; together with the task they are a clique of the supergraph.
    """

    order: tuple[int, ...]
    scopes: tuple[tuple[int, ...], ...]

    @property
    def width(self) -> int:
        """Largest number of neighbours at elimination; at least the treewidth."""
        return max((len(scope) for scope in self.scopes), default=0)

    def parent(self, task: int) -> int | None:
        """Give the task whose elimination takes this task's table. None at a root."""
        scope = self.scopes[task]
        return scope[0] if scope else None

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """By task, the tasks whose tables it takes."""
        found: list[list[int]] = [[] for _ in self.scopes]
        for task in self.order:
            parent = self.parent(task)
            if parent is not None:
                found[parent].append(task)
        return tuple(tuple(tasks) for tasks in found)

    def entries(self, sizes: Sequence[int]) -> int:
        """Give the number of labellings of the largest clique, for these numbers of labels."""
        return max(
            (sizes[task] * entries for task, entries in enumerate(self.tables(sizes))), default=0
        )

    def held(self, sizes: Sequence[int]) -> int:
        """Give the number of entries of all tables, each over the scope of a task."""
        return sum(self.tables(sizes))

    def tables(self, sizes: Sequence[int]) -> list[int]:
        """Give, by task, the number of entries of its table."""
        return [prod(sizes[other] for other in scope) for scope in self.scopes]

    def most_bytes(self, sizes: Sequence[int], entry_bytes: int, *, kept: bool) -> int:
        """Give what tables take at most at one time.

        Parameters
        ----------
        sizes
            Number of labels of each task.
        entry_bytes
            What one entry takes, besides a label of `LABEL_BYTES`, which is always kept.
        kept
            Whether all are kept; else each is removed once its parent's is full.
        """
        tables = self.tables(sizes)
        now = most = 0
        for task in self.order:
            now += tables[task] * (entry_bytes + LABEL_BYTES)
            most = max(most, now)
            if not kept:
                now -= sum(tables[child] for child in self.children[task]) * entry_bytes
        return most

    def work(self, sizes: Sequence[int]) -> int:
        """Give the number of labellings of all cliques together."""
        return sum(sizes[task] * entries for task, entries in enumerate(self.tables(sizes)))

    def rooted_at(self, task: int) -> "Elimination":
        """Give an order of the same supergraph, of the same width, that ends with a task.

        Maximum cardinality search from the task visits a chordal graph in the reverse of a
        perfect elimination order.
        """
        count = len(self.scopes)
        neighbours: list[set[int]] = [set() for _ in range(count)]
        for here, scope in enumerate(self.scopes):
            for other in scope:
                neighbours[here].add(other)
                neighbours[other].add(here)
        weights = [0] * count
        visited: list[int] = []
        left = set(range(count))
        here = task
        while True:
            visited.append(here)
            left.discard(here)
            for other in neighbours[here]:
                weights[other] += 1
            if not left:
                break
            here = max(left, key=lambda other: (weights[other], -other))
        return _eliminated(neighbours, tuple(reversed(visited)))


def eliminate(
    num_tasks: int, pairs: Iterable[tuple[int, int]], sizes: Sequence[int]
) -> Elimination:
    """Find a good elimination order: the better of least fill and smallest table.

    Parameters
    ----------
    pairs
        Files, by their two tasks.
    sizes
        Number of labels of each task.

    Notes
    -----
    Greedy; ``O(n^2 d^2)`` for degrees ``d`` of the supergraph.
    """
    neighbours: list[set[int]] = [set() for _ in range(num_tasks)]
    for first, second in pairs:
        neighbours[first].add(second)
        neighbours[second].add(first)
    orders = {_greedy(neighbours, sizes, by_fill=by_fill) for by_fill in (True, False)}
    candidates = [_eliminated(neighbours, order) for order in sorted(orders)]
    return min(candidates, key=lambda found: (found.work(sizes), found.order))


def _greedy(
    neighbours: Sequence[set[int]], sizes: Sequence[int], *, by_fill: bool
) -> tuple[int, ...]:
    adjacent = [set(others) for others in neighbours]
    keys = {task: _key(adjacent, sizes, task, by_fill) for task in range(len(adjacent))}
    order: list[int] = []
    while keys:
        task = min(keys, key=lambda t: (keys[t], t))
        del keys[task]
        order.append(task)
        around = adjacent[task]
        for other in around:
            adjacent[other] |= around
            adjacent[other] -= {other, task}
        touched = set(around)
        if by_fill:
            touched = touched.union(*(adjacent[other] for other in around))
        for other in touched:
            keys[other] = _key(adjacent, sizes, other, by_fill)
    return tuple(order)


def _key(
    adjacent: Sequence[set[int]], sizes: Sequence[int], task: int, by_fill: bool
) -> tuple[int, int]:
    around = adjacent[task]
    table = sizes[task] * prod(sizes[other] for other in around)
    if not by_fill:
        return (table, len(around))
    fill = sum(len(around) - 1 - len(adjacent[other] & around) for other in around)
    return (fill, table)


def _eliminated(neighbours: Sequence[set[int]], order: tuple[int, ...]) -> Elimination:
    adjacent = [set(others) for others in neighbours]
    position = {task: k for k, task in enumerate(order)}
    scopes: list[tuple[int, ...]] = [()] * len(order)
    for task in order:
        around = adjacent[task]
        scopes[task] = tuple(sorted(around, key=position.__getitem__))
        for other in around:
            adjacent[other] |= around
            adjacent[other] -= {other, task}
    return Elimination(order, tuple(scopes))
