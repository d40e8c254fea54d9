r"""The cheapest labelling of a graph, by dynamic programming over an elimination order.

A labelling gives every task k a label :math:`x_k` and costs
:math:`\sum_k f_k(x_k) + \sum_{kl} g_{kl}(x_k, x_l)`. Eliminating task k leaves a table over the
neighbours N that are eliminated later,

.. math:: m_k(x_N) = \min_{x_k} f_k(x_k) + \sum_{l \in N} g_{kl}(x_k, x_l)
          + \sum_{c \text{ child of } k} m_c ,

in time and, but for blocks, without the space of :math:`d^{|N| + 1}`. Costs are floats with
`inf` where a labelling is forbidden, or Python integers in arrays of objects, exact, with some
large number in its place.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from steadygrid.engine.allocations.elimination import Elimination

Table = npt.NDArray[Any]
Labels = npt.NDArray[np.intp]
Factor = tuple[int, int]

BLOCK = 1 << 15
"""Entries that are worked on together: what stays in a processor's cache."""


class Labelling:
    """Costs of labellings, and the tables of an elimination.

    Parameters
    ----------
    elimination
        An order for a supergraph of the pairs.
    single
        By task, the cost of each label.
    pairs
        By two tasks, the cost of each pair of labels.
    check
        Called between tasks; may raise.

    Attributes
    ----------
    tables
        By task, :math:`m_k` over the scope of the elimination.
    """

    def __init__(
        self,
        elimination: Elimination,
        single: Sequence[Table],
        pairs: Mapping[Factor, Table],
        check: Callable[[], None],
    ) -> None:
        self._elimination = elimination
        self._single = single
        self._check = check
        self._position = {task: k for k, task in enumerate(elimination.order)}
        self._factors: list[list[tuple[int, Table]]] = [[] for _ in single]
        for (first, second), costs in pairs.items():
            if self._position[first] < self._position[second]:
                self._factors[first].append((second, costs))
            else:
                self._factors[second].append((first, np.ascontiguousarray(costs.T)))
        self.tables: list[Table] = [single[0]] * len(single)
        for task in elimination.order:
            check()
            self.tables[task] = self._table(task)

    @property
    def cost(self) -> Any:
        """Cost of the cheapest labelling."""
        return sum(self.tables[root].item() for root in self._roots)

    @property
    def _roots(self) -> list[int]:
        return [task for task in self._elimination.order if not self._elimination.scopes[task]]

    def cheapest(self) -> Labels:
        """Give the cheapest labelling, with its labels by task."""
        return self._decoded(np.zeros((len(self._single), 1), dtype=np.intp), None)[:, 0]

    def cheapest_by_root(self) -> Labels:
        """Give the cheapest labelling for each label of the task eliminated last, as columns."""
        root = self._elimination.order[-1]
        labels = np.zeros((len(self._single), len(self._single[root])), dtype=np.intp)
        labels[root] = np.arange(labels.shape[1])
        return self._decoded(labels, root)

    def costs_of(self, labels: Labels) -> Table:
        """Price labellings, given as columns."""
        total = self._single[0][labels[0]]
        for task in range(1, len(self._single)):
            total = total + self._single[task][labels[task]]
        for task, factors in enumerate(self._factors):
            for other, costs in factors:
                total = total + costs[labels[task], labels[other]]
        return np.asarray(total)

    def marginals(self) -> list[Table]:
        """Give, by task and label, the cost of the cheapest labelling that has it."""
        outside: dict[int, Table] = {}
        found: list[Table] = [self._single[0]] * len(self._single)
        for task in reversed(self._elimination.order):
            self._check()
            parent = self._elimination.parent(task)
            if parent is None:
                rest = sum(self.tables[root].item() for root in self._roots if root != task)
                outside[task] = np.array(rest, dtype=self.tables[task].dtype)
            else:
                outside[task] = self._outside(task, parent, outside[parent])
            found[task] = self._marginal(task, outside[task])
        return found

    def _table(self, task: int) -> Table:
        shape = self._shape(task)
        best: Table | None = None
        for low, high in self._blocks(task, shape):
            total = self._sum(task, low, high, None, None).min(axis=0)
            best = total if best is None else np.minimum(best, total, out=best)
        if best is None:
            raise ValueError(f"task {task} has no label")
        return np.asarray(best)

    def _marginal(self, task: int, beyond: Table) -> Table:
        shape = self._shape(task)
        parts = [
            self._sum(task, low, high, None, beyond).reshape(high - low, -1).min(axis=1)
            for low, high in self._blocks(task, shape)
        ]
        return np.concatenate(parts)

    def _outside(self, task: int, parent: int, beyond: Table) -> Table:
        """Give the least cost of all that is not below a task, over its scope."""
        kept = set(self._elimination.scopes[task])
        scope = self._elimination.scopes[parent]
        dropped = tuple(axis for axis, other in enumerate(scope, start=1) if other not in kept)
        parts = [
            self._sum(parent, low, high, task, beyond).min(axis=dropped)
            for low, high in self._blocks(parent, self._shape(parent))
        ]
        return np.concatenate(parts)

    def _shape(self, task: int) -> tuple[int, ...]:
        return tuple(len(self._single[other]) for other in self._elimination.scopes[task])

    def _blocks(self, task: int, shape: tuple[int, ...]) -> list[tuple[int, int]]:
        labels = len(self._single[task])
        rows = max(1, BLOCK // max(1, int(np.prod(shape, dtype=np.int64))))
        return [(low, min(low + rows, labels)) for low in range(0, labels, rows)]

    def _sum(
        self, task: int, low: int, high: int, without: int | None, beyond: Table | None
    ) -> Table:
        """Add up all that mentions a task, for some of its labels, over its scope.

        Axis 0: labels `low` to `high` of the task; then one axis for each task of the scope.
        """
        scope = self._elimination.scopes[task]
        axis = {other: k for k, other in enumerate(scope, start=1)}
        rank = len(scope) + 1
        terms: list[Table] = []
        for other, costs in self._factors[task]:
            terms.append(_spread(costs[low:high], (axis[other],), rank))
        for child in self._elimination.children[task]:
            if child != without:
                axes = tuple(axis[other] for other in self._elimination.scopes[child][1:])
                terms.append(_spread(self.tables[child][low:high], axes, rank))
        if beyond is not None:
            terms.append(beyond[np.newaxis] if beyond.ndim else beyond)
        terms.sort(key=lambda term: term.size)
        total = _spread(self._single[task][low:high], (), rank)
        for term in terms:
            total = total + term
        shape = (high - low, *self._shape(task))
        return total if total.shape == shape else np.broadcast_to(total, shape)

    def _decoded(self, labels: Labels, given: int | None) -> Labels:
        """Fill in the best labels from the roots down; `given` has its label already."""
        for task in reversed(self._elimination.order):
            if task == given:
                continue
            total = self._single[task][:, np.newaxis]
            for other, costs in self._factors[task]:
                total = total + costs[:, labels[other]]
            for child in self._elimination.children[task]:
                rest = self._elimination.scopes[child][1:]
                total = total + _columns(self.tables[child], [labels[other] for other in rest])
            labels[task] = total.argmin(axis=0)
        return labels


def _spread(costs: Table, axes: tuple[int, ...], rank: int) -> Table:
    """Give the array axes of its own among `rank` axes; its first stays the first."""
    shape = [1] * rank
    for size, axis in zip(costs.shape, (0, *axes), strict=True):
        shape[axis] = size
    return costs.reshape(shape)


def _columns(table: Table, rest: Sequence[Labels]) -> Table:
    if not rest:
        return table[:, np.newaxis]
    index: tuple[Any, ...] = (slice(None), *rest)
    return np.asarray(table[index])
