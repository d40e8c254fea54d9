"""Cheap labellings without proof: local search from many labellings at once."""

from collections.abc import Callable, Sequence

import numpy as np

from steadygrid.engine.allocations.labelling import Labels
from steadygrid.engine.allocations.problem import FloatCosts

SWEEPS = 8
"""Most sweeps over all tasks."""


class LocalSearch:
    """Improves labellings one task at a time, many labellings side by side.

    Parameters
    ----------
    costs
        What labels and pairs of labels cost.
    check
        Called between sweeps; may raise.
    """

    def __init__(self, costs: FloatCosts, check: Callable[[], None]) -> None:
        self._single = costs.single
        self._check = check
        self._around: list[list[tuple[int, np.ndarray]]] = [[] for _ in costs.single]
        for (source, target), table in costs.pairs.items():
            # Transposed as they stand: few rows are looked at, for which no table need be copied.
            self._around[source].append((target, table.T))
            self._around[target].append((source, table))
        self._pairs = costs.pairs

    def costs_of(self, labels: Labels) -> np.ndarray:
        """Price labellings, given as columns."""
        total = np.zeros(labels.shape[1])
        for task, single in enumerate(self._single):
            total += single[labels[task]]
        for (source, target), table in self._pairs.items():
            total += table[labels[source], labels[target]]
        return total

    def improve(self, labels: Labels) -> Labels:
        """Move each task in turn to the label that is best given all others, until none moves."""
        labels = labels.copy()
        for _ in range(SWEEPS):
            self._check()
            before = labels.copy()
            for task, around in enumerate(self._around):
                total = np.broadcast_to(
                    self._single[task], (labels.shape[1], len(self._single[task]))
                )
                for other, table in around:
                    total = total + table[labels[other]]
                labels[task] = total.argmin(axis=1)
            moved = (labels != before).any(axis=0)
            if not moved.any():
                break
        return labels

    def greedy(self, order: Sequence[int], draws: int, random: np.random.Generator) -> Labels:
        """Place the tasks in an order, each where it is cheapest given those before it.

        Costs are blurred by a random factor in all labellings but the first.

        Parameters
        ----------
        order
            All tasks, by position.
        draws
            How many labellings to make.
        random
            Blurs the costs.

        Returns
        -------
        array
            By task and labelling, the position of the label.
        """
        labels = np.zeros((len(self._single), draws), dtype=np.intp)
        placed: set[int] = set()
        for task in order:
            total = np.broadcast_to(self._single[task], (draws, len(self._single[task])))
            for other, table in self._around[task]:
                if other in placed:
                    total = total + table[labels[other]]
            blur = random.uniform(1.0, 2.0, total.shape)
            blur[0] = 1.0
            labels[task] = (total * blur).argmin(axis=1)
            placed.add(task)
        return labels
