"""The one way that files take between two processors where the routing is fixed."""

import heapq
from collections.abc import Iterable
from fractions import Fraction

from steadygrid.domain.platform import Route
from steadygrid.verification.network import Network

Path = tuple[str, ...]


class FixedRoutes:
    """Given routes; for other pairs the path of least total time per unit of data.

    Ties go to fewer hops, then to the path whose processors' ids come first.
    """

    def __init__(self, network: Network, given: Iterable[Route]) -> None:
        self._given = {(r.source, r.target): (r.source, *r.via, r.target) for r in given}
        self._receivers: dict[str, list[tuple[str, Fraction]]] = {}
        for (sender, receiver), hop in network.hops.items():
            self._receivers.setdefault(sender, []).append((receiver, hop.unit_time))
        self._from: dict[str, dict[str, Path]] = {}

    def paths(self, origin: str) -> dict[str, Path]:
        """Give the way to each processor that can be reached, the origin itself included."""
        if origin not in self._from:
            ways = self._shortest(origin)
            ways.update((t, path) for (s, t), path in self._given.items() if s == origin)
            self._from[origin] = ways
        return self._from[origin]

    def _shortest(self, origin: str) -> dict[str, Path]:
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
