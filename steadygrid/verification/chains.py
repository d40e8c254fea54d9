"""What whole files cost that take fixed routes from one processor that holds them to the next."""

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import count, pairwise

from steadygrid.verification.network import Network
from steadygrid.verification.prices import FREE, Cost, PriceList
from steadygrid.verification.routes import FixedRoutes

Place = tuple[str, bool]
"""A processor that holds the whole file; or, if true, one that has it to forward only."""
Step = tuple[Place, Cost]
"""Where it leads, and what it costs."""


class Chains:
    """The routes of whole files where the routing is fixed, as far as they cost less than 1.

    A file goes from holder to holder, each time over the only route, and never past the one at
    which all routes begin or end. Where a route passes a
    third holder, and neither of the three begins or ends a given one, it is what leads there and
    what goes on from there, and needs no step of its own. What leaves a holder that has one
    neighbour, no holder, and no given route goes on as from there: to the neighbour is one step,
    from there to each holder another.

    Routes are looked up only where they may be part of something that costs less than 1. What
    leads to a place is priced by routes, and what has to follow by links, of which all routes
    are made.

    Parameters
    ----------
    holders
        Processors that may send on what they have received.
    origin
        Where all routes begin or end.
    prices
        None of them negative.
    """

    def __init__(
        self,
        network: Network,
        routes: FixedRoutes,
        holders: Collection[str],
        origin: str,
        prices: PriceList,
    ) -> None:
        self._network = network
        self._routes = routes
        self._holders = frozenset(holders)
        self._origin = origin
        self._prices = prices
        self._given: dict[str, dict[str, tuple[str, ...] | None]] = {}
        for (source, target), path in routes.given.items():
            if self._holders.issuperset((source, target)):
                self._given.setdefault(source, {})[target] = path
        routed = {target for ends in self._given.values() for target in ends} | self._given.keys()
        self._plain = self._holders - routed
        self._receivers: dict[str, list[str]] = {}
        for sender, receiver in network.hops:
            self._receivers.setdefault(sender, []).append(receiver)
        self._hops: dict[tuple[str, str, Fraction], Cost] = {}

    def outward(self, size: Fraction, rest: Mapping[str, Cost]) -> dict[str, Cost]:
        """Price the cheapest chain of routes for `size` units of data from the origin to holders.

        Parameters
        ----------
        size
            Of the file, in units of data.
        rest
            By processor, no more than what has to be paid besides for a file that gets there.
            What is not named is never paid.

        Returns
        -------
        dict
            By processor. What costs less than 1 together with its rest is exact. Other prices
            may be too high, or left out.
        """
        costs, _ = self._explore({self._origin: FREE}, size, rest)
        return costs

    def homeward(
        self, starts: Mapping[str, Cost], size: Fraction, rest: Mapping[str, Cost]
    ) -> dict[str, Cost]:
        """Price the cheapest chain of routes for `size` units of data from each holder to the origin.

        Parameters
        ----------
        starts
            By processor, what has been paid where a file begins its route there.
        size
            Of the file, in units of data.
        rest
            By processor, no more than the cheapest route home.

        Returns
        -------
        dict
            By processor. What costs less than 1 together with its start is exact. Other prices
            may be too high, or left out.
        """
        away = {name: cost for name, cost in rest.items() if name != self._origin}
        _, steps = self._explore(starts, size, away)
        back: dict[Place, list[Step]] = {}
        for start, ends in steps.items():
            for end, cost in ends:
                back.setdefault(end, []).append((start, cost))
        home = {(self._origin, False): FREE}
        return _by_holder(_cheapest(home, lambda place, _: back.get(place, ())))

    def _explore(
        self, starts: Mapping[str, Cost], size: Fraction, rest: Mapping[str, Cost]
    ) -> tuple[dict[str, Cost], dict[Place, list[Step]]]:
        """Price chains from where they start, and give the steps that were looked up."""
        steps: dict[Place, list[Step]] = {}

        def onward(place: Place, cost: Cost) -> Iterable[Step]:
            name, _ = place
            if name in rest and not self._prices.reach_one([cost, rest[name]]):
                steps[place] = list(self._steps(place, size))
            return steps.get(place, ())

        places = {(name, False): cost for name, cost in starts.items()}
        return _by_holder(_cheapest(places, onward)), steps

    def _steps(self, place: Place, size: Fraction) -> Iterator[Step]:
        """Look up the routes from a place on."""
        name, forwards = place
        receivers = self._receivers.get(name, [])
        if not forwards and len(receivers) == 1 and name in self._plain:
            (hub,) = receivers
            if hub not in self._holders:
                yield (hub, True), self._hop(name, hub, size)
                return
        given = {} if forwards else self._given.get(name, {})
        for end, cost in self._direct(name, size):
            if end in self._holders and end not in given:
                yield (end, False), cost
        for end, path in given.items():
            if path is not None and self._origin not in path[1:-1]:
                cost = FREE
                for sender, receiver in pairwise(path):
                    cost = cost.plus(self._hop(sender, receiver, size))
                yield (end, False), cost

    def _direct(self, start: str, size: Fraction) -> Iterator[tuple[str, Cost]]:
        """Price the shortest paths that pass neither the origin nor a holder without given routes.

        The search ends where all that is left lies behind these.
        """
        seen: set[str] = set()
        ahead: set[str] = set()
        passed: dict[str, Cost] = {}
        for here, before in self._routes.walk(start):
            seen.add(here)
            ahead.discard(here)
            cost = FREE
            if before is not None:
                if before not in passed:
                    continue
                cost = passed[before].plus(self._hop(before, here, size))
                yield here, cost
            if here == start or (here not in self._plain and here != self._origin):
                passed[here] = cost
                ahead.update(other for other in self._receivers.get(here, ()) if other not in seen)
            if not ahead:
                return

    def _hop(self, sender: str, receiver: str, size: Fraction) -> Cost:
        key = sender, receiver, size
        if key not in self._hops:
            uses = self._network.hops[sender, receiver].uses
            self._hops[key] = self._prices.cost_of(uses, size)
        return self._hops[key]


def _cheapest(
    starts: Mapping[Place, Cost], onward: Callable[[Place, Cost], Iterable[Step]]
) -> dict[Place, Cost]:
    """Price the cheapest chain of steps to each place (Dijkstra's algorithm)."""
    order = count()
    heap = [(cost, next(order), place) for place, cost in starts.items()]
    heapq.heapify(heap)
    done: dict[Place, Cost] = {}
    while heap:
        cost, _, place = heapq.heappop(heap)
        if place in done:
            continue
        done[place] = cost
        for other, step in onward(place, cost):
            if other not in done:
                heapq.heappush(heap, (cost.plus(step), next(order), other))
    return done


def _by_holder(costs: Mapping[Place, Cost]) -> dict[str, Cost]:
    return {name: cost for (name, forwards), cost in costs.items() if not forwards}
