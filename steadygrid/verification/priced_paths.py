"""What data costs from one processor to the others, at the prices of a certificate."""

from bisect import bisect_left
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.slots import FileName
from steadygrid.verification.network import Network
from steadygrid.verification.prices import FREE, Cost, PriceList
from steadygrid.verification.routes import FixedRoutes, Path
from steadygrid.verification.steady import SteadyInstance


class PricedPaths:
    """The cheapest routes of each file, or its fixed ones.

    Files to which the same routes are open are one *group*.

    Parameters
    ----------
    routes
        Fixed routes. None where files choose theirs.
    below
        A file keeps every resource busy for less time than this, so routes on which it could not
        are closed to it. A fixed route that takes as much of a resource, or a hop that does, where
        routes are chosen. None: all routes are open.
    """

    def __init__(
        self,
        steady: SteadyInstance,
        prices: PriceList,
        routes: FixedRoutes | None,
        below: Fraction | None = None,
    ) -> None:
        self._network = steady.network
        self._prices = prices
        self._routes = routes
        self._below = below
        self._sizes = steady.sizes
        self._hops: dict[tuple[str, str], Cost] = {}
        self._known: dict[tuple[int, str], Mapping[str, Cost]] = {}
        self._rank: dict[Fraction, int] = {}
        if below is not None:
            computing = {name for times in steady.times.values() for name in times}
            longest = sorted(_longest_times(steady.network, routes, computing))
            self._rank = {time: position for position, time in enumerate(longest)}
        self._ordered = list(self._rank)

    def group(self, file: FileName) -> int:
        """Give the group of a file: how many of the distinct times per unit are open to it."""
        size = self._sizes[file]
        if self._below is None or not size:
            return len(self._ordered)
        return bisect_left(self._ordered, self._below / size)

    def costs(self, group: int, origin: str) -> Mapping[str, Cost]:
        """Price one unit of data to each processor to which a route is open.

        Parameters
        ----------
        group
            Of files to which the same paths are open.
        origin
            Id of the processor where the paths begin.

        Returns
        -------
        mapping
            By the id of the processor where they end.
        """
        if (group, origin) not in self._known:
            self._known[group, origin] = self._costs(group, origin)
        return self._known[group, origin]

    def _costs(self, group: int, origin: str) -> Mapping[str, Cost]:
        closed = group < len(self._ordered)
        if self._routes is None:
            shut = {
                ends
                for ends, hop in (self._network.hops.items() if closed else ())
                if self._rank[max(time for _, time in hop.uses)] >= group
            }
            return self._prices.cheapest_costs(origin, Fraction(1), shut=frozenset(shut))
        return {
            name: self._along(path)
            for name, path in self._routes.paths(origin).items()
            if not closed or self._rank.get(_longest(self._network, path), group) < group
        }

    def _along(self, path: Path) -> Cost:
        cost = FREE
        for hop in pairwise(path):
            if hop not in self._hops:
                uses = self._network.hops[hop].uses
                self._hops[hop] = self._prices.cost_of(uses, Fraction(1))
            cost = cost.plus(self._hops[hop])
        return cost


def _longest_times(
    network: Network, routes: FixedRoutes | None, computing: set[str]
) -> set[Fraction]:
    if routes is None:
        return {max(time for _, time in hop.uses) for hop in network.hops.values()}
    return {
        _longest(network, path)
        for origin in computing
        for name, path in routes.paths(origin).items()
        if name in computing
    }


def _longest(network: Network, path: Path) -> Fraction:
    """Give the most time that one unit of data on a path takes of one resource."""
    times: Amounts[str] = Amounts()
    for ends in pairwise(path):
        for name, time in network.hops[ends].uses:
            times[name] += time
    return max(times.values(), default=Fraction(0))
