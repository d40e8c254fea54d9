r"""Cheapest trees that reach some members, over others where that is cheaper.

With forwarders hidden in the cheapest ways between members, the least price of a tree from member
i to a set S of receivers is (S. E. Dreyfus, R. A. Wagner, *The Steiner problem in graphs*, 1971)

.. math:: C(S, i) = \min_j \left( \pi_{ij} + \min_{S' \subset S} C(S', j) + C(S - S', j) \right)

with π the price of the cheapest ways from i to j, over members that do not copy. A way pays every
arc that it passes, also one that another way of the tree passes: forwarders do not copy.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from workers.arborescences.cheapest import cheapest_ways, in_integers
from workers.arborescences.cuts import Arc, Number

MACHINE = 2**60
"""Prices below a quarter of this are added in 64 bits."""


@dataclass(frozen=True)
class SteinerTree:
    """Ways between members; each begins at the root or at the end of an earlier one."""

    cost: Fraction
    ways: tuple[tuple[int, ...], ...]


def cheapest_steiner_tree(
    prices: Mapping[Arc, Number],
    root: int,
    receivers: Collection[int],
    members: Collection[int],
    number: int,
) -> SteinerTree:
    """Find the cheapest tree from a root to all receivers.

    Parameters
    ----------
    prices
        By arc, at least 0.
    root
        Where it begins, a member.
    receivers
        Whom it reaches, members. Takes memory for ``2^receivers members`` numbers and time for
        ``3^receivers members + 2^receivers members^2`` additions: the caller bounds these.
    members
        Who may copy.
    number
        The vertices are ``0..number-1``.

    Raises
    ------
    ValueError
        If a receiver cannot be reached.
    """
    journeys = _Journeys(prices, members, number)
    goals = journeys.goals(root, receivers)
    if not goals:
        return SteinerTree(Fraction(0), ())
    least = _Table(journeys, goals)
    legs: list[Arc] = []
    waiting = [(least.everything, journeys.position[root])]
    while waiting:
        subset, start = waiting.pop()
        meeting, parts = least.decision(subset, start)
        legs.append((start, meeting))
        waiting += [(part, meeting) for part in parts]
    return journeys.tree(root, legs, receivers)


def nearest_receivers_tree(
    prices: Mapping[Arc, Number],
    root: int,
    receivers: Collection[int],
    members: Collection[int],
    number: int,
) -> SteinerTree:
    """Reach the receiver next to the tree, one after the other.

    Parameters and errors as of `cheapest_steiner_tree`, for any number of receivers.

    Notes
    -----
    H. Takahashi, A. Matsuyama, *An approximate solution for the Steiner problem in graphs*, 1980;
    here in directed networks, where nothing is proved about how much the tree costs more.
    """
    journeys = _Journeys(prices, members, number)
    goals = set(journeys.goals(root, receivers))
    reached = {journeys.position[root]: None}
    legs: list[Arc] = []
    while goals:
        _, start, goal = min((journeys.price[i, j], i, j) for i in reached for j in sorted(goals))
        legs.append((start, goal))
        passed = journeys.stops(start, goal)
        reached.update(dict.fromkeys(passed))
        goals.difference_update(passed)
    return journeys.tree(root, legs, receivers)


class _Journeys:
    """Cheapest journeys between members over forwarders and other members; members by position.

    Attributes
    ----------
    position
        Of each member.
    price
        In integers, by beginning and end; `never` if there is none.
    never
        More than any tree costs; its double can still be added up.
    """

    def __init__(self, prices: Mapping[Arc, Number], members: Collection[int], number: int) -> None:
        whole, self._scale = in_integers(prices)
        self._members = sorted(members)
        self.position = {member: k for k, member in enumerate(self._members)}
        self._ways = cheapest_ways(whole, members, number)
        size = len(self._members)
        most = max((int(way.price) for way in self._ways.values()), default=0)
        self.never = (1 + most) * size * size
        small = self.never < MACHINE
        if small:
            self.never = MACHINE
        self.price: np.ndarray[Any, Any] = np.full(
            (size, size), self.never, dtype=np.int64 if small else object
        )
        self._next = np.tile(np.arange(size), (size, 1))
        for (start, end), way in self._ways.items():
            self.price[self.position[start], self.position[end]] = int(way.price)
        for k in range(size):
            self.price[k, k] = 0
        for k in range(size):
            over = self.price[:, k, None] + self.price[None, k, :]
            shorter = over < self.price
            self.price = np.where(shorter, over, self.price)
            self._next = np.where(shorter, self._next[:, k, None], self._next)

    def goals(self, root: int, receivers: Collection[int]) -> list[int]:
        """Give the positions of the receivers but the root, which reaches all of them."""
        goals = [self.position[receiver] for receiver in sorted(set(receivers) - {root})]
        start = self.position[root]
        lost = [self._members[goal] for goal in goals if self.price[start, goal] >= self.never]
        if lost:
            raise ValueError(f"no way leads from root {root} to {lost}: add one")
        return goals

    def stops(self, start: int, end: int) -> list[int]:
        """Give the members on a journey, without where it begins."""
        stops: list[int] = []
        while start != end:
            start = int(self._next[start, end])
            stops.append(start)
        return stops

    def tree(self, root: int, legs: Sequence[Arc], receivers: Collection[int]) -> SteinerTree:
        """Make journeys a tree: enter nobody twice, and nobody for nothing."""
        parents: dict[int, int] = {}
        for start, end in legs:
            before = self._members[start]
            for stop in self.stops(start, end):
                vertex = self._members[stop]
                if vertex != root:
                    parents.setdefault(vertex, before)
                before = vertex
        needed: set[int] = {root}
        for receiver in receivers:
            while receiver not in needed:
                needed.add(receiver)
                receiver = parents[receiver]
        ways = [self._ways[tail, head] for head, tail in parents.items() if head in needed]
        cost = sum((way.price for way in ways), Fraction(0))
        return SteinerTree(cost / self._scale, tuple(way.path for way in ways))


class _Table:
    """The least price of a tree from each member to each set of goals.

    Sets are masks over the goals.
    """

    def __init__(self, journeys: _Journeys, goals: list[int]) -> None:
        self._price = journeys.price
        self.everything = (1 << len(goals)) - 1
        size = len(self._price)
        shape = (1 + self.everything, size)
        self._from: np.ndarray[Any, Any] = np.empty(shape, dtype=self._price.dtype)
        self._meeting: np.ndarray[Any, Any] = np.full(shape, journeys.never, self._price.dtype)
        for mask in range(1, 1 + self.everything):
            if mask & (mask - 1):
                parts = _parts(mask)
                self._meeting[mask] = (self._from[parts] + self._from[mask ^ parts]).min(axis=0)
            else:
                self._meeting[mask, goals[mask.bit_length() - 1]] = 0
            onward = (self._price + self._meeting[mask]).min(axis=1)
            self._from[mask] = np.minimum(onward, journeys.never)

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
