"""Labellings of a graph of which only few can be cheap: tables of those alone.

What messages say of labels and pairs of labels adds up to a lower bound for the labels of a
clique of the elimination, so combinations that cost too much are never filled in. From the root
down, the combinations of a task extend those of its parent. From the leaves up, the cheapest
labelling is found among them as `Labelling` finds it among all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from steadygrid.engine.allocations.dual_ascent import Spare
from steadygrid.engine.allocations.elimination import Elimination
from steadygrid.engine.allocations.labelling import Labels, Table

MOST_COMBINATIONS = 2_000_000
"""Over all tasks: what the referee has time for."""
COMBINATION_BYTES = 200
"""What one takes, with what is worked out of it."""
BLOCK = 1 << 18
"""Combinations that are looked at together."""


class TooManyCombinations(Exception):
    """Too many combinations may be cheap."""


@dataclass
class _Combinations:
    """Combinations of the labels of a task and its scope.

    Attributes
    ----------
    labels
        By combination, as columns: the task's label, then those of its scope.
    above
        By combination: which combination of labels of the scope it extends.
    scopes
        How many of these there are.
    below
        By child: which combination of the child's scope each combination contains.
    """

    labels: Labels
    above: Labels
    scopes: int
    below: dict[int, Labels] = field(default_factory=dict)


class _Best(NamedTuple):
    """Of each group of combinations, the least cost and a combination that has it."""

    groups: Labels
    costs: Table
    combinations: Labels

    def positions(self, groups: Labels) -> Labels:
        """Give the places of groups that are there."""
        return np.searchsorted(self.groups, groups)


class FewLabellings:
    """The combinations of labels that labellings below some cost can have.

    Parameters
    ----------
    elimination
        An order for a supergraph of the pairs.
    spare
        Lower bounds, by what messages leave.
    level
        Combinations with a bound of at least this are left out.
    check
        Called between tasks; may raise.
    most
        Combinations, over all tasks.

    Raises
    ------
    TooMany
        If there are more.
    """

    def __init__(
        self,
        elimination: Elimination,
        spare: Spare,
        level: float,
        check: Callable[[], None],
        most: int = MOST_COMBINATIONS,
    ) -> None:
        self._elimination = elimination
        self._check = check
        self._sizes = [len(costs) for costs in spare.single]
        self._kept: dict[int, _Combinations] = {}
        total = 0
        for task in reversed(elimination.order):
            check()
            scope = elimination.scopes[task]
            above = self._contained(task)
            parts = list(_extensions(task, scope, above, spare, level, most - total))
            labels = np.concatenate([labels for labels, _ in parts], axis=1)
            positions = np.concatenate([positions for _, positions in parts])
            self._kept[task] = _Combinations(labels, positions, above.shape[1])
            total += len(positions)

    def _contained(self, task: int) -> Labels:
        """Give the combinations of a task's scope that its parent's contain."""
        scope = self._elimination.scopes[task]
        if not scope:
            return np.zeros((0, 1), dtype=np.intp)
        parent = scope[0]
        around = (parent, *self._elimination.scopes[parent])
        kept = self._kept[parent]
        rows = [kept.labels[around.index(other)] for other in scope]
        shape = tuple(self._sizes[other] for other in scope)
        flat, kept.below[task] = np.unique(np.ravel_multi_index(rows, shape), return_inverse=True)
        return np.array(np.unravel_index(flat, shape), dtype=np.intp)

    def cheapest(
        self, single: Sequence[Table], pairs: Mapping[tuple[int, int], Table]
    ) -> tuple[Any, Labels] | None:
        """Find the cheapest labelling among these combinations.

        Parameters
        ----------
        single
            By task, the cost of each label.
        pairs
            By two tasks, the cost of each pair of labels.

        Returns
        -------
        tuple or None
            Its cost. And, as columns, the cheapest labelling for each label of the task that is
            eliminated last, the cheapest of all first. None if the combinations make none.
        """
        best: dict[int, _Best] = {}
        root = self._elimination.order[-1]
        for task in self._elimination.order:
            self._check()
            totals, alive = self._totals(task, single, pairs, best)
            if not len(alive):
                return None
            kept = self._kept[task]
            best[task] = _least(kept.above[alive], totals, alive)
        each = _least(kept.labels[0, alive], totals, alive)
        order = np.argsort(each.costs, kind="stable")
        cost = sum(
            best[task].costs[0] for task in self._elimination.order[:-1]
            if not self._elimination.scopes[task]
        )  # fmt: skip
        return cost + each.costs[order[0]], self._decoded(best, root, each.combinations[order])

    def _totals(
        self,
        task: int,
        single: Sequence[Table],
        pairs: Mapping[tuple[int, int], Table],
        best: Mapping[int, _Best],
    ) -> tuple[Table, Labels]:
        """Add up what combinations cost with all below. Those without a labelling are left out."""
        kept = self._kept[task]
        alive = np.arange(len(kept.above))
        for child in self._elimination.children[task]:
            alive = alive[np.isin(kept.below[child][alive], best[child].groups)]
        labels = kept.labels[:, alive]
        total = single[task][labels[0]]
        for row, other in enumerate(self._elimination.scopes[task], start=1):
            if (task, other) in pairs:
                total = total + pairs[task, other][labels[0], labels[row]]
            if (other, task) in pairs:
                total = total + pairs[other, task][labels[row], labels[0]]
        for child in self._elimination.children[task]:
            total = total + best[child].costs[best[child].positions(kept.below[child][alive])]
        return total, alive

    def _decoded(self, best: Mapping[int, _Best], root: int, combinations: Labels) -> Labels:
        """Give the labellings, as columns, that extend combinations of the root."""
        labels = np.zeros((len(self._sizes), len(combinations)), dtype=np.intp)
        chosen = {root: combinations}
        for task in reversed(self._elimination.order):
            if task != root:
                parent = self._elimination.parent(task)
                above = np.zeros_like(combinations)
                if parent is not None:
                    above = self._kept[parent].below[task][chosen[parent]]
                chosen[task] = best[task].combinations[best[task].positions(above)]
            labels[task] = self._kept[task].labels[0, chosen[task]]
        return labels


def _least(groups: Labels, costs: Table, combinations: Labels) -> _Best:
    """Find the cheapest combination of each group."""
    order = np.argsort(groups, kind="stable")
    found, starts, sizes = np.unique(groups[order], return_index=True, return_counts=True)
    least = np.minimum.reduceat(costs[order], starts)
    cheapest = np.flatnonzero(costs[order] == np.repeat(least, sizes))
    _, first = np.unique(groups[order][cheapest], return_index=True)
    return _Best(found, least, combinations[order[cheapest[first]]])


def _extensions(
    task: int, scope: Sequence[int], above: Labels, spare: Spare, level: float, most: int
) -> Iterator[tuple[Labels, Labels]]:
    """Extend combinations of the scope by labels of a task: the results, and what they extend."""
    clique = (task, *scope)
    beyond = [_beyond(member, clique, spare) for member in clique]
    rows = max(1, BLOCK // len(beyond[0]))
    for low in range(0, max(1, above.shape[1]), rows):
        labels = above[:, low : low + rows]
        bounds = np.full(labels.shape[1], spare.least)
        for row, other in enumerate(scope):
            bounds += beyond[row + 1][labels[row]]
            for before in range(row):
                excess = _excess(spare, scope[before], other)
                if excess is not None:
                    bounds += excess[labels[before], labels[row]]
        total = beyond[0][:, np.newaxis] + bounds
        for row, other in enumerate(scope):
            excess = _excess(spare, task, other)
            if excess is not None:
                total += excess[:, labels[row]]
        own, extended = np.nonzero(total < level)
        most -= len(own)
        if most < 0:
            raise TooManyCombinations
        yield np.concatenate((own[np.newaxis], labels[:, extended])), extended + low


def _beyond(task: int, clique: Sequence[int], spare: Spare) -> Table:
    """Give the excess of a task's labels, with that of its files that leave the clique."""
    total = spare.single[task]
    for (one, other), excess in spare.files.items():
        if one == task and other not in clique:
            total = total + excess
    return total


def _excess(spare: Spare, one: int, other: int) -> Table | None:
    if (one, other) in spare.pairs:
        return spare.pairs[one, other]
    table = spare.pairs.get((other, one))
    return None if table is None else table.T
