"""Pairs of orders: in which the master sends, and in which results come back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal

import numpy as np
import numpy.typing as npt

from steadygrid.kinds.divisible_star.solver.star.star import Star

Places = npt.NDArray[np.int64]
"""Each row an order, of positions among the members."""


@dataclass(frozen=True)
class AskedPairs:
    """Which pairs of orders are asked about.

    Attributes
    ----------
    sends_given
        Whether the star lists its workers in the order of sending that is asked for.
    returns
        How results come back. A tuple: the workers, by their places in the star, as listed.
    """

    sends_given: bool
    returns: Literal["any", "fifo", "lifo"] | tuple[int, ...]

    def sends(self, members: Sequence[int], twins: Sequence[tuple[int, int]]) -> Places:
        """List the orders of sending of some workers, those with equal ones in one order only.

        Parameters
        ----------
        members
            Workers by their places in the star, rising.
        twins
            Pairs of workers of equal costs, see `AskedPairs.twins`.
        """
        if self.sends_given:
            return np.arange(len(members)).reshape(1, -1)
        at = {worker: place for place, worker in enumerate(members)}
        pairs = [(at[i], at[j]) for i, j in twins if i in at and j in at]
        return np.array(
            [
                order
                for order in permutations(range(len(members)))
                if all(order.index(i) < order.index(j) for i, j in pairs)
            ]
        )

    def returns_of(self, members: Sequence[int], sends: Places) -> tuple[Places, Places]:
        """Give all pairs that begin with some orders of sending, as two arrays of equal length.

        Parameters
        ----------
        members
            Those that take part, by place in the star.
        sends
            Orders of sending, one a row, by position among the members.
        """
        if self.returns == "fifo":
            return sends, sends
        if self.returns == "lifo":
            return sends, sends[:, ::-1]
        if self.returns == "any":
            every = np.array(list(permutations(range(len(members)))))
        else:
            at = {worker: place for place, worker in enumerate(members)}
            every = np.array([[at[worker] for worker in self.returns if worker in at]])
        return np.repeat(sends, len(every), axis=0), np.tile(every, (len(sends), 1))

    def twins(self, star: Star) -> list[tuple[int, int]]:
        """List neighbouring workers of equal costs that orders need not tell apart."""
        if self.sends_given or not isinstance(self.returns, str):
            return []
        last: dict[object, int] = {}
        pairs = []
        for worker, costs in enumerate(star.workers):
            if costs in last:
                pairs.append((last[costs], worker))
            last[costs] = worker
        return pairs

    def chosen(self, sends: Sequence[int]) -> tuple[int, ...]:
        """Give the order of returns that goes with an order of sending; as sent, where any may."""
        if self.returns == "lifo":
            return tuple(sends[::-1])
        if isinstance(self.returns, str):
            return tuple(sends)
        return tuple(worker for worker in self.returns if worker in set(sends))


def subsets(workers: Sequence[int], twins: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """Give all sets of workers that are not empty; of equal ones the first ones.

    Parameters
    ----------
    workers
        By place in the star.
    twins
        Pairs of equal workers, the first one first.
    """
    for size in range(1, len(workers) + 1):
        for members in combinations(workers, size):
            if all(i in members for i, j in twins if j in members):
                yield members
