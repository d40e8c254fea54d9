"""What whole files cost that take fixed routes from one processor that holds them to the next."""

import heapq
from collections.abc import Collection
from copy import copy
from fractions import Fraction
from itertools import chain, count, pairwise

from steadygrid.verification.network import Network
from steadygrid.verification.prices import FREE, Cost, PriceList
from steadygrid.verification.routes import FixedRoutes, Path

Place = tuple[str, bool]
"""A processor that holds the whole file; or, if true, one that has it to forward only."""


class Chains:
    """All ways of whole files where the routing is fixed.

    A file goes from holder to holder, each time over the only route, and never past the one at
    which all ways begin or end. Where a route passes a
    third holder, and neither of the three begins or ends a given one, it is what leads there and
    what goes on from there, and needs no step of its own. What leaves a holder that has one
    neighbour, no holder, and no given route goes on as from there: to the neighbour is one step,
    from there to each holder another.

    Parameters
    ----------
    holders
        Processors that may send on what they have received.
    """

    def __init__(self, network: Network, routes: FixedRoutes, holders: Collection[str]) -> None:
        self._network = network
        self._steps: list[tuple[Place, Place, Path]] = []
        receivers: dict[str, list[str]] = {}
        for sender, receiver in network.hops:
            receivers.setdefault(sender, []).append(receiver)
        given = {ends: path for ends, path in routes.given.items() if {*ends} <= {*holders}}
        routed = {end for ends in given for end in ends}
        plain = {*holders} - routed
        starts: dict[Place, str] = {}
        for holder in sorted(holders):
            onward = receivers.get(holder, [])
            if len(onward) == 1 and onward[0] not in holders and holder in plain:
                self._steps.append(((holder, False), (onward[0], True), (holder, onward[0])))
                starts[onward[0], True] = onward[0]
            else:
                starts[holder, False] = holder
        for start, name in starts.items():
            for end, path in routes.search(name).items():
                passed = path[1:-1]
                if end not in holders or end == name or (name, end) in given:
                    continue
                if plain.isdisjoint(passed):
                    self._steps.append((start, (end, False), path))
        self._steps += (
            ((a, False), (b, False), path) for (a, b), path in given.items() if path is not None
        )

    def over(self, network: Network) -> "Chains":
        """Give the same ways over a network whose hops use other resources; nothing is searched."""
        other = copy(self)
        other._network = network
        return other

    def cheapest(
        self, prices: PriceList, origin: str, size: Fraction, *, homeward: bool = False
    ) -> dict[str, Cost]:
        """Price the cheapest chain of routes for `size` units of data from `origin` to each holder.

        Parameters
        ----------
        homeward
            The chains lead from all others to `origin` instead.

        Returns
        -------
        dict
            By processor; what cannot be reached is left out.
        """
        hops = self._network.hops
        onward: dict[Place, list[tuple[Place, Cost]]] = {}
        for start, end, path in self._steps:
            if origin in path[1:-1]:
                continue
            uses = chain.from_iterable(hops[ends].uses for ends in pairwise(path))
            here, there = (end, start) if homeward else (start, end)
            onward.setdefault(here, []).append((there, prices.cost_of(uses, size)))
        order = count()
        heap = [(FREE, next(order), (origin, False))]
        done: dict[Place, Cost] = {}
        while heap:
            cost, _, place = heapq.heappop(heap)
            if place in done:
                continue
            done[place] = cost
            for other, step in onward.get(place, ()):
                if other not in done:
                    heapq.heappush(heap, (cost.plus(step), next(order), other))
        return {name: cost for (name, forwards), cost in done.items() if not forwards}
