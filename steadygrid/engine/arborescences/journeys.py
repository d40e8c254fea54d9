"""Cheapest journeys between those who copy, over others that do and others that do not."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from steadygrid.engine.arborescences.cheapest import cheapest_paths, in_integers
from steadygrid.engine.arborescences.cuts import Arc, Number

MACHINE = 2**60
"""Prices below a quarter of this are added in 64 bits."""


@dataclass(frozen=True)
class SteinerTree:
    """Paths between members. Each begins at the root or at the end of an earlier one."""

    cost: Fraction
    routes: tuple[tuple[int, ...], ...]


class Journeys:
    """Cheapest journeys between members over forwarders and other members; members by position.

    Attributes
    ----------
    position
        Of each member.
    price
        In integers, by beginning and end; `never` if there is none.
    never
        More than any tree costs. Its double can still be added up.
    """

    def __init__(
        self,
        prices: Mapping[Arc, Number],
        members: Collection[int],
        number: int,
        check: Callable[[], None],
    ) -> None:
        whole, self._scale = in_integers(prices)
        self._members = sorted(members)
        self.position = {member: k for k, member in enumerate(self._members)}
        self._routes = cheapest_paths(whole, members, number)
        size = len(self._members)
        most = max((int(route.price) for route in self._routes.values()), default=0)
        self.never = (1 + most) * size * size
        small = self.never < MACHINE
        if small:
            self.never = MACHINE
        self.price: np.ndarray[Any, Any] = np.full(
            (size, size), self.never, dtype=np.int64 if small else object
        )
        self._next = np.tile(np.arange(size), (size, 1))
        for (start, end), route in self._routes.items():
            self.price[self.position[start], self.position[end]] = int(route.price)
        for k in range(size):
            self.price[k, k] = 0
        for k in range(size):
            check()
            over = self.price[:, k, None] + self.price[None, k, :]
            shorter = over < self.price
            self.price = np.where(shorter, over, self.price)
            self._next = np.where(shorter, self._next[:, k, None], self._next)

    def goals(self, root: int, receivers: Collection[int]) -> list[int]:
        """Give the positions of the receivers but the root, which reaches all of them.

        Parameters
        ----------
        root
            The member where the tree begins.
        receivers
            Members that it has to reach.

        Raises
        ------
        ValueError
            If no path leads to one of them.
        """
        goals = [self.position[receiver] for receiver in sorted(set(receivers) - {root})]
        start = self.position[root]
        lost = [self._members[goal] for goal in goals if self.price[start, goal] >= self.never]
        if lost:
            raise ValueError(f"no route leads from root {root} to {lost}: add one")
        return goals

    def stops(self, start: int, end: int) -> list[int]:
        """Give the members on a journey, without where it begins.

        Parameters
        ----------
        start, end
            Positions of two members, of which the second can be reached.
        """
        stops: list[int] = []
        while start != end:
            start = int(self._next[start, end])
            stops.append(start)
        return stops

    def tree(self, root: int, legs: Sequence[Arc], receivers: Collection[int]) -> SteinerTree:
        """Make journeys a tree: enter no processor twice, and none for nothing.

        Parameters
        ----------
        root
            The member where the tree begins.
        legs
            Journeys, as pairs of positions, which lead from the root to all receivers.
        receivers
            Members that the tree has to reach.
        """
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
        routes = [self._routes[tail, head] for head, tail in parents.items() if head in needed]
        cost = sum((route.price for route in routes), Fraction(0))
        return SteinerTree(cost / self._scale, tuple(route.path for route in routes))
