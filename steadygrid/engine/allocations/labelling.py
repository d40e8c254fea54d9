r"""The cheapest labelling of a graph, by dynamic programming over an elimination order.

A labelling gives every task k a label :math:`x_k` and costs
:math:`\sum_k f_k(x_k) + \sum_{kl} g_{kl}(x_k, x_l)`. Eliminating task k leaves a table over the
neighbours N that are eliminated later,

.. math:: m_k(x_N) = \min_{x_k} f_k(x_k) + \sum_{l \in N} g_{kl}(x_k, x_l)
          + \sum_{c \text{ child of } k} m_c ,

in time and, but for blocks, without the space of :math:`d^{|N| + 1}`. Of each entry the best
label is kept. The tables themselves are removed once that of their parent is full, unless
marginals are wanted. Costs are floats with `inf` where a labelling is forbidden, or Python
integers in arrays of objects, exact, with some large number in its place.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from steadygrid.engine.allocations.elimination import Elimination

Table = npt.NDArray[Any]
Labels = npt.NDArray[np.intp]
Factor = tuple[int, int]

BLOCK = 1 << 15
"""Entries that are worked on together: what stays in a processor's cache."""
FEW_LABELS = 16
"""So many labels are compared one after the other: fewer steps, each over more entries."""


class Labelling:
    """Costs of labellings, by the tables of an elimination.

    Parameters
    ----------
    elimination
        An order for a supergraph of the pairs.
    single
        By task, the cost of each label.
    pairs
        By two tasks, the cost of each pair of labels.
    progress
        Called between blocks with the number of entries that were added up; may raise.
    marginal
        Whether marginals are wanted.
    """

    def __init__(
        self,
        elimination: Elimination,
        single: Sequence[Table],
        pairs: Mapping[Factor, Table],
        progress: Callable[[int], None],
        *,
        marginal: bool = False,
    ) -> None:
        self._elimination = elimination
        self._single = single
        self._progress = progress
        self._position = {task: k for k, task in enumerate(elimination.order)}
        self._factors: list[list[tuple[int, Table]]] = [[] for _ in single]
        for (first, second), costs in pairs.items():
            if self._position[first] < self._position[second]:
                self._factors[first].append((second, costs))
            else:
                self._factors[second].append((first, np.ascontiguousarray(costs.T)))
        self._tables: dict[int, Table] = {}
        self._best: dict[int, npt.NDArray[np.int32]] = {}
        for task in elimination.order:
            self._fill(task)
            if not marginal:
                for child in elimination.children[task]:
                    del self._tables[child]

    @property
    def cost(self) -> Any:
        """Cost of the cheapest labelling."""
        return sum(self._tables[root].item() for root in self._roots)

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
            parent = self._elimination.parent(task)
            if parent is None:
                rest = sum(self._tables[root].item() for root in self._roots if root != task)
                outside[task] = np.array(rest, dtype=self._single[task].dtype)
            else:
                outside[task] = self._outside(task, parent, outside[parent])
            found[task] = self._marginal(task, outside[task])
        return found

    def _fill(self, task: int) -> None:
        """Fill the table of a task, and note its best labels."""
        costs = self._single[task]
        if not len(costs):
            raise ValueError(f"task {task} has no label")
        shape = self._shape(task)
        table = np.empty(shape, dtype=costs.dtype)
        best = np.empty(shape, dtype=np.int32)
        for low, high, part in self._blocks(task, shape):
            total = self._sum(task, low, high, part)
            self._progress(total.size)
            place: tuple[Any, ...] = (*part, ...)
            _take_least(total, low, table[place], best[place])
        self._tables[task], self._best[task] = table, best

    def _marginal(self, task: int, beyond: Table) -> Table:
        shape = self._shape(task)
        found = np.empty(len(self._single[task]), dtype=beyond.dtype)
        for low, high, part in self._blocks(task, shape):
            total = self._sum(task, low, high, part, None, beyond).reshape(high - low, -1)
            self._progress(total.size)
            least = total.min(axis=1)
            first = not part or part[0].start == 0
            found[low:high] = least if first else np.minimum(found[low:high], least)
        return found

    def _outside(self, task: int, parent: int, beyond: Table) -> Table:
        """Give the least cost of all that is not below a task, over its scope."""
        scope = self._elimination.scopes[parent]
        kept = self._elimination.scopes[task][1:]
        dropped = tuple(axis for axis, other in enumerate(scope, start=1) if other not in kept)
        found = np.empty(self._shape(task), dtype=beyond.dtype)
        for low, high, part in self._blocks(parent, self._shape(parent)):
            total = self._sum(parent, low, high, part, task, beyond)
            self._progress(total.size)
            least = total.min(axis=dropped)
            if part and scope[0] in kept:
                found[(slice(low, high), *part)] = least
            elif not part or part[0].start == 0:
                found[low:high] = least
            else:
                np.minimum(found[low:high], least, out=found[low:high])
        return found

    def _shape(self, task: int) -> tuple[int, ...]:
        return tuple(len(self._single[other]) for other in self._elimination.scopes[task])

    def _blocks(
        self, task: int, shape: tuple[int, ...]
    ) -> Iterator[tuple[int, int, tuple[slice, ...]]]:
        """Give ranges of the task's labels, and parts of the first axis of its scope.

        A part is an index of the table. It is empty where there is no such axis.
        """
        labels = len(self._single[task])
        if not shape:
            yield 0, labels, ()
            return
        rest = max(1, prod(shape[1:]))
        width = min(shape[0], max(1, BLOCK // (rest * min(labels, FEW_LABELS))))
        rows = max(1, BLOCK // (rest * width))
        for start in range(0, shape[0], width):
            part = slice(start, min(start + width, shape[0]))
            for low in range(0, labels, rows):
                yield low, min(low + rows, labels), (part,)

    def _sum(
        self,
        task: int,
        low: int,
        high: int,
        part: tuple[slice, ...],
        without: int | None = None,
        beyond: Table | None = None,
    ) -> Table:
        """Add up all that mentions a task, for some of its labels, over a part of its scope.

        Axis 0: labels `low` to `high` of the task; then one axis for each task of the scope.
        """
        scope = self._elimination.scopes[task]
        axis = {other: k for k, other in enumerate(scope, start=1)}
        rank = len(scope) + 1
        terms: list[Table] = []
        for other, costs in self._factors[task]:
            rows = costs[low:high]
            if axis[other] == 1:
                rows = rows[(slice(None), *part)]
            terms.append(_spread(rows, (axis[other],), rank))
        for child in self._elimination.children[task]:
            if child != without:
                axes = tuple(axis[other] for other in self._elimination.scopes[child][1:])
                rows = self._tables[child][low:high]
                if 1 in axes:
                    rows = rows[(slice(None),) * (1 + axes.index(1)) + part]
                terms.append(_spread(rows, axes, rank))
        if beyond is not None:
            terms.append(beyond[part][np.newaxis] if beyond.ndim else beyond)
        terms.sort(key=lambda term: term.size)
        total = _spread(self._single[task][low:high], (), rank)
        for term in terms:
            total = total + term
        shape = (high - low, *self._shape(task))
        if part:
            shape = (high - low, part[0].stop - part[0].start, *shape[2:])
        return total if total.shape == shape else np.broadcast_to(total, shape)

    def _decoded(self, labels: Labels, given: int | None) -> Labels:
        """Fill in the best labels from the roots down; `given` has its label already."""
        for task in reversed(self._elimination.order):
            if task != given:
                scope = self._elimination.scopes[task]
                labels[task] = self._best[task][tuple(labels[other] for other in scope)]
        return labels


def _take_least(total: Table, low: int, table: Table, best: npt.NDArray[np.int32]) -> None:
    """Take over what is less than before, with its labels, which begin at `low`."""
    if len(total) > FEW_LABELS:
        where = total.argmin(axis=0)
        costs = np.take_along_axis(total, where[np.newaxis], axis=0)[0]
        if not low:
            table[...], best[...] = costs, where
            return
        better = costs < table
        np.copyto(table, costs, where=better)
        np.copyto(best, where + low, where=better, casting="same_kind")
        return
    for label, costs in enumerate(total, start=low):
        if not label:
            table[...], best[...] = costs, 0
            continue
        better = costs < table
        np.copyto(table, costs, where=better)
        np.copyto(best, label, where=better)


def _spread(costs: Table, axes: tuple[int, ...], rank: int) -> Table:
    """Give the array axes of its own among `rank` axes. Its first stays the first."""
    shape = [1] * rank
    for size, axis in zip(costs.shape, (0, *axes), strict=True):
        shape[axis] = size
    return costs.reshape(shape)
