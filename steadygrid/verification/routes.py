"""The one way that files take between two processors where the routing is fixed."""

import heapq
from collections.abc import Iterable
from fractions import Fraction

from steadygrid.domain.platform import Route
from steadygrid.verification.network import Network

Path = tuple[str, ...]


class FixedRoutes:
    """Given routes; for other pairs the path of least total time per unit of data.

    Ties go to fewer hops, then to the path whose processors' ids come first. Pairs whose route is said to
    be missing have none.

    Attributes
    ----------
    given
        By origin and end; None where the route is missing.
    """

    def __init__(self, network: Network, given: Iterable[Route]) -> None:
        self.given: dict[tuple[str, str], Path | None] = {
            (r.source, r.target): None if r.missing else (r.source, *r.via, r.target) for r in given
        }
        self._receivers: dict[str, list[tuple[str, Fraction]]] = {}
        for (sender, receiver), hop in network.hops.items():
            self._receivers.setdefault(sender, []).append((receiver, hop.unit_time))
        self._from: dict[str, dict[str, Path]] = {}
        self._plain: dict[str, dict[str, Path]] = {}

    def path(self, origin: str, end: str) -> Path | None:
        """Give the way from one processor to another; None where there is none.

        Processors with the same only neighbour are one search: what leaves them goes there, and
        on as from there.

        Parameters
        ----------
        origin, end
            Ids of processors.

        Returns
        -------
        tuple
            Ids of the processors on it, both ends included.
        """
        if (origin, end) in self.given:
            return self.given[origin, end]
        onward = self._receivers.get(origin, [])
        if len(onward) == 1 and end != origin:
            rest = self.shortest(onward[0][0]).get(end)
            return None if rest is None else (origin, *rest)
        return self.shortest(origin).get(end)

    def shortest(self, origin: str) -> dict[str, Path]:
        """Give the ways from a processor as they are without given routes, and keep them."""
        if origin not in self._plain:
            self._plain[origin] = self.search(origin)
        return self._plain[origin]

    def paths(self, origin: str) -> dict[str, Path]:
        """Give the way to each processor that can be reached, the origin itself included."""
        if origin not in self._from:
            ways = self.search(origin)
            for (start, end), path in self.given.items():
                if start == origin:
                    ways.pop(end, None)
                    if path is not None:
                        ways[end] = path
            self._from[origin] = ways
        return self._from[origin]

    def search(self, origin: str) -> dict[str, Path]:
        """Find the ways from a processor as they are without given routes."""
        best: dict[str, Path] = {}
        heap: list[tuple[Fraction, int, Path]] = [(Fraction(0), 0, (origin,))]
        reached: dict[str, tuple[Fraction, int, Path]] = {}
        while heap:
            time, hops, path = heapq.heappop(heap)
            here = path[-1]
            if here in best:
                continue
            best[here] = path
            for receiver, unit_time in self._receivers.get(here, ()):
                if receiver in best:
                    continue
                found = (time + unit_time, hops + 1, (*path, receiver))
                if receiver not in reached or found < reached[receiver]:
                    reached[receiver] = found
                    heapq.heappush(heap, found)
        return best
