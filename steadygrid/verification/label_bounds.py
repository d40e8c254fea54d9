r"""What labellings cost at least, by label, pair of labels and clique: for wide task graphs.

Costs are whole multiples of :math:`2^{-40}`, rounded down, and so are the messages that move them
between tasks and files: all sums are exact, and none is above the truth. With messages
:math:`m_{kl}(q)` of task k to its file with l, every labelling x costs at least

.. math:: \sum_k \min_q \Big( c_k(q) - \sum_l m_{kl}(q) \Big)
          + \sum_{kl} \min_{q, r} \Big( d_{kl}(q, r) + m_{kl}(q) + m_{lk}(r) \Big)

and what its labels and pairs of labels have above these minima, each of which is at least 0. So a
label, or the labels of a clique, cost at least the sum of all minima and what they themselves have
above them.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Pair = tuple[str, str]

ONE = 1 << 40
"""A cost of 1."""
MOST_ROUNDS = 20
"""Passes there and back."""
LEAST_GAIN = 1_000
"""One part in so many of what is missing is what a round must gain for the next to be worth it."""
NEVER = 1 << 50
"""Stands for what alone costs 1 or more, regardless of what messages took away from it."""
BLOCK = 1 << 18
"""Combinations that are looked at together."""


class LabelBounds:
    """Lower bounds of what labellings cost.

    Parameters
    ----------
    single
        By task, the cost of each label.
    pairs
        By two tasks, the cost of each pair of labels. All costs are at least 0.

    Attributes
    ----------
    least
        What every labelling costs at least.
    """

    def __init__(self, single: Mapping[str, Integers], pairs: Mapping[Pair, Integers]) -> None:
        self._single = single
        self._pairs = pairs
        self._around: dict[str, list[str]] = {task: [] for task in single}
        self._sent: dict[Pair, Integers] = {}
        for one, other in pairs:
            self._around[one].append(other)
            self._around[other].append(one)
            self._sent[one, other] = np.zeros_like(single[one])
            self._sent[other, one] = np.zeros_like(single[other])
        self._pass()
        rest = {task: self._rest(task) for task in single}
        moved = {pair: self._moved(*pair) for pair in pairs}
        minima = [int(costs.min()) for costs in (*rest.values(), *moved.values())]
        self.least = sum(minima)
        self._above = {
            task: np.where(single[task] < ONE, costs - costs.min(), NEVER)
            for task, costs in rest.items()
        }
        self._beyond = {
            pair: np.where(pairs[pair] < ONE, costs - costs.min(), NEVER)
            for pair, costs in moved.items()
        }

    def labels(self) -> dict[str, Integers]:
        """Bound, by task and label, the cost of labellings that have it."""
        return {task: self.least + self._excess(task, {task}) for task in self._single}

    def extensions(
        self, task: str, scope: Sequence[str], above: Integers
    ) -> Iterator[tuple[Integers, Integers]]:
        """Extend combinations of labels of a scope by a label of the task.

        Parameters
        ----------
        task, scope
            A clique.
        above
            By task of the scope, its label in each combination.

        Yields
        ------
        The label, and which combination it extends, of all that may cost less than 1.
        """
        clique = {task, *scope}
        own = self._excess(task, clique)
        parts = [self._excess(other, clique) for other in scope]
        rows = max(1, BLOCK // len(own))
        for low in range(0, max(1, above.shape[1]), rows):
            labels = above[:, low : low + rows]
            bounds = np.full(labels.shape[1], self.least)
            for k, other in enumerate(scope):
                bounds += parts[k][labels[k]]
                for before in range(k):
                    table = self._table(scope[before], other)
                    if table is not None:
                        bounds += table[labels[before], labels[k]]
            total = own[:, np.newaxis] + bounds
            for k, other in enumerate(scope):
                table = self._table(task, other)
                if table is not None:
                    total += table[:, labels[k]]
            label, extended = np.nonzero(total < ONE)
            yield label, extended + low

    def costs(
        self, task: str, labels: NDArray[np.intp], scope: Sequence[str], others: NDArray[np.intp]
    ) -> Integers:
        """Add up what labels of a task cost, with its files to the labels of a scope.

        Parameters
        ----------
        task, labels
            One label for each combination.
        scope, others
            By task of the scope, its label in each combination.
        """
        total = self._single[task][labels]
        for other, theirs in zip(scope, others, strict=True):
            if other in self._around[task]:
                total = total + self._costs(task, other)[labels, theirs]
        return total

    def _pass(self) -> None:
        """Let tasks share out what their files can give, there and back, while it pays."""
        order = list(self._single)
        best = self._value()
        for _ in range(MOST_ROUNDS):
            if best >= ONE:
                return
            self._sweep(order)
            self._sweep(order[::-1])
            found = self._value()
            if (found - best) * LEAST_GAIN < ONE - best:
                return
            best = found

    def _sweep(self, order: Sequence[str]) -> None:
        """Let each task take what all its files can give, and share it out to those that follow."""
        turn = {task: place for place, task in enumerate(order)}
        for task in order:
            near = self._around[task]
            if not near:
                continue
            offers = {}
            for other in near:
                offers[other] = (self._costs(task, other) + self._sent[other, task]).min(axis=1)
            total = self._single[task] + sum(offers.values())
            later = [other for other in near if turn[other] > turn[task]]
            share = total // max(len(later), len(near) - len(later))
            for other in near:
                self._sent[task, other] = -offers[other]
                if turn[other] > turn[task]:
                    self._sent[task, other] += share

    def _value(self) -> int:
        tasks = sum(int(self._rest(task).min()) for task in self._single)
        return tasks + sum(int(self._moved(*pair).min()) for pair in self._pairs)

    def _rest(self, task: str) -> Integers:
        rest = self._single[task].copy()
        for other in self._around[task]:
            rest -= self._sent[task, other]
        return rest

    def _moved(self, one: str, other: str) -> Integers:
        table = self._pairs[one, other]
        return table + self._sent[one, other][:, np.newaxis] + self._sent[other, one]

    def _costs(self, task: str, other: str) -> Integers:
        """Give the costs of a file with one row for each label of the task."""
        if (task, other) in self._pairs:
            return self._pairs[task, other]
        return self._pairs[other, task].T

    def _table(self, one: str, other: str) -> Integers | None:
        """Give what pairs of labels have above the least, if there is a file."""
        if (one, other) in self._beyond:
            return self._beyond[one, other]
        table = self._beyond.get((other, one))
        return None if table is None else table.T

    def _excess(self, task: str, clique: set[str]) -> Integers:
        """Give what labels have above the least, with the files that leave the clique."""
        total = self._above[task]
        for other in self._around[task]:
            if other not in clique:
                table = self._table(task, other)
                assert table is not None
                total = total + table.min(axis=1)
        return total
