r"""Cheapest trees that reach some members, over others where that is cheaper.

With forwarders hidden in the cheapest paths between members, the least price of a tree from member
i to a set S of receivers is (S. E. Dreyfus, R. A. Wagner, *The Steiner problem in graphs*, 1971)

.. math:: C(S, i) = \min_j \left( \pi_{ij} + \min_{S' \subset S} C(S', j) + C(S - S', j) \right)

with π the price of the cheapest paths from i to j, over members that do not copy. A path pays every
arc that it passes, also one that another path of the tree passes: forwarders do not copy.
"""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from steadygrid.engine.arborescences.cuts import Arc, Number
from steadygrid.engine.arborescences.journeys import Journeys, SteinerTree


def cheapest_steiner_trees(
    prices: Mapping[Arc, Number],
    ends: Mapping[int, Collection[int]],
    members: Collection[int],
    number: int,
    check: Callable[[], None] = lambda: None,
) -> dict[int, SteinerTree]:
    """Find the cheapest tree from each root to all its receivers, by one table for all of them.

    Parameters
    ----------
    prices
        By arc, at least 0.
    ends
        By root, a member: whom its tree reaches, members. With k of them in all, it takes memory
        for ``2^k members`` numbers and time for ``3^k members + 2^k members^2 + members^3``
        additions: the caller bounds these.
    members
        Who may copy.
    number
        The vertices are ``0..number-1``.
    check
        Called now and then; may raise.

    Raises
    ------
    ValueError
        If a receiver cannot be reached.
    """
    journeys = Journeys(prices, members, number, check)
    goals = {root: journeys.goals(root, receivers) for root, receivers in ends.items()}
    table = _Table(journeys, sorted({goal for listed in goals.values() for goal in listed}), check)
    return {root: _tree(journeys, table, root, goals[root], ends[root]) for root in ends}


def _tree(
    journeys: Journeys,
    table: "_Table",
    root: int,
    goals: Collection[int],
    receivers: Collection[int],
) -> SteinerTree:
    if not goals:
        return SteinerTree(Fraction(0), ())
    legs: list[Arc] = []
    waiting = [(table.mask(goals), journeys.position[root])]
    while waiting:
        subset, start = waiting.pop()
        meeting, parts = table.decision(subset, start)
        legs.append((start, meeting))
        waiting += [(part, meeting) for part in parts]
    return journeys.tree(root, legs, receivers)


class _Table:
    """The least price of a tree from each member to each set of goals.

    Sets are masks over the goals.
    """

    def __init__(self, journeys: Journeys, goals: list[int], check: Callable[[], None]) -> None:
        self._price = journeys.price
        self._bits = {goal: 1 << k for k, goal in enumerate(goals)}
        subsets = 1 << len(goals)
        size = len(self._price)
        shape = (subsets, size)
        self._from: np.ndarray[Any, Any] = np.empty(shape, dtype=self._price.dtype)
        self._meeting: np.ndarray[Any, Any] = np.full(shape, journeys.never, self._price.dtype)
        for mask in range(1, subsets):
            check()
            if mask & (mask - 1):
                parts = _parts(mask)
                self._meeting[mask] = (self._from[parts] + self._from[mask ^ parts]).min(axis=0)
            else:
                self._meeting[mask, goals[mask.bit_length() - 1]] = 0
            onward = (self._price + self._meeting[mask]).min(axis=1)
            self._from[mask] = np.minimum(onward, journeys.never)

    def mask(self, goals: Collection[int]) -> int:
        """Write a set of goals as a number."""
        return sum(self._bits[goal] for goal in goals)

    def decision(self, mask: int, start: int) -> tuple[int, tuple[int, ...]]:
        """Tell where the tree goes first, and the sets into which it parts there."""
        onward = self._price[start] + self._meeting[mask]
        meeting = int(np.flatnonzero(onward == self._from[mask, start])[0])
        if not mask & (mask - 1):
            return meeting, ()
        parts = _parts(mask)
        sums = self._from[parts, meeting] + self._from[mask ^ parts, meeting]
        part = int(parts[np.flatnonzero(sums == self._meeting[mask, meeting])[0]])
        return meeting, (part, mask ^ part)


def _parts(mask: int) -> np.ndarray[Any, Any]:
    """Give one of each two sets into which a set can be parted: that with its last element."""
    last = mask & -mask
    rest = mask ^ last
    parts = [last]
    for k in range(rest.bit_length()):
        if rest >> k & 1:
            parts += [part | 1 << k for part in parts]
    return np.array(parts[:-1])
