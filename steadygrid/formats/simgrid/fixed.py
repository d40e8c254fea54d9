"""Routes of the platform: where SimGrid's way is not the one of ``routing: fixed`` anyway."""

import heapq
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import islice, pairwise

from steadygrid.domain.limits import Limits
from steadygrid.domain.parts import is_forest
from steadygrid.domain.platform import Platform, Route
from steadygrid.formats.simgrid.declarations import Declarations
from steadygrid.formats.simgrid.network import Network
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.static import StaticRoutes
from steadygrid.verification.network import read_network
from steadygrid.verification.routes import FixedRoutes, Path

MOST_PAIRS = 100_000
"""Pairs of hosts whose ways are looked at; hosts that hang on one hub count once."""
MOST_MEMBERS = 400
"""Of a Floyd zone whose ways are found; the time is cubic."""
MOST_STEPS = 1_000_000
"""Links looked at to find which ways need no route; where it would take more, all are written."""
_STATIC = (
    'SimGrid\'s routes are fixed: "routing": "fixed" keeps to them, with "free" files also take'
    " ways that they never take there"
)
_RELAYED = (
    'SimGrid has no route from some hosts to others; "routing": "fixed" leads these files over'
    " hosts between which it has"
)
_UNREACHED = (
    "SimGrid has no route from some hosts to others, nor one over further hosts, but links that it"
    " uses for other routes join them here"
)
_TWICE = "routes that pass a point twice are left out: the shortest way takes their place"
_TOO_MANY = (
    'the platform has too many routes to write them; "routing": "fixed" takes the ways of least'
    " total time per byte"
)


def with_routes(
    platform: Platform, declarations: Declarations, network: Network, limits: Limits, notes: Notes
) -> Platform:
    """Write SimGrid's routes into a platform, as far as they say anything.

    The way from one host to another is written where it is not the path of least total time that
    fixed routing takes without being told; in a tree, none is. Hosts that hang on the hub of a
    Cluster zone share their ways beyond it. Where SimGrid has no route, the best chain of routes
    over other hosts, which relay the file, is a way.
    """
    if is_forest((link.source, link.target) for link in platform.links):
        return platform
    name = declarations.zones[0].id
    notes.add(_STATIC, name)
    ways = _Ways(platform, declarations, network)
    if ways.are_few:
        routes = tuple(islice(ways.routes(notes), limits.max_links + 1))
        if len(routes) <= limits.max_links:
            return platform.model_copy(update={"routes": routes})
    notes.add(_TOO_MANY, name)
    return platform


class _Ways:
    """SimGrid's ways between hosts by our ids; of hosts that hang on one hub, between one each."""

    def __init__(self, platform: Platform, declarations: Declarations, network: Network) -> None:
        self._static = StaticRoutes(declarations, network.hubs)
        names = [point.id for point in network.points]
        self._ids = dict(zip(names, (p.id for p in platform.processors), strict=True))
        self._network = read_network(platform, "multiport")
        self._members = self._hosts(declarations, network)
        floyd = [zone for zone in declarations.zones if zone.routing == "floyd"]
        inside = [zone.parent for zone in declarations.zones if zone.parent is not None]
        sizes = [len(zone.hosts) + sum(parent is zone for parent in inside) for zone in floyd]
        self.are_few = (
            len(self._members) ** 2 <= MOST_PAIRS and max(sizes, default=0) <= MOST_MEMBERS
        )

    def _hosts(self, declarations: Declarations, network: Network) -> dict[str, list[str]]:
        """List the hosts; those that hang on the same hub under the first of them."""
        ends: dict[str, set[str]] = {}
        for source, target in network.arcs:
            ends.setdefault(source, set()).add(target)
            ends.setdefault(target, set()).add(source)
        members: dict[str, list[str]] = {}
        for zone in declarations.zones:
            hub = network.hubs.get(zone.id)
            first: str | None = None
            for host in zone.hosts:
                if host.router:
                    continue
                if hub is not None and ends.get(host.id) == {hub}:
                    first = first or host.id
                    members.setdefault(first, []).append(host.id)
                else:
                    members[host.id] = [host.id]
        return members

    def routes(self, notes: Notes) -> Iterator[Route]:
        """Give the ways that must be written."""
        plain = FixedRoutes(self._network, ())
        compare = len(self._members) * len(self._network.hops) <= MOST_STEPS
        for source in self._members:
            shortest = plain.search(self._ids[source]) if compare else {}
            over_others = self._over_others(source) if self._lacks(source) else {}
            for target in self._members:
                if target == source:
                    continue
                way = self._direct[source].get(target)
                if way is None:
                    way = over_others.get(target)
                    if way is not None or self._ids[target] in shortest:
                        notes.add(_UNREACHED if way is None else _RELAYED, f"{source} to {target}")
                if way is None or way == shortest.get(self._ids[target]):
                    continue
                if len(set(way)) < len(way):
                    notes.add(_TWICE, f"{source} to {target}")
                    continue
                yield from self._for_all(source, target, way[1:-1])

    @cached_property
    def _direct(self) -> dict[str, dict[str, Path]]:
        """SimGrid's own ways, by source and target."""
        found: dict[str, dict[str, Path]] = {source: {} for source in self._members}
        for source, ways in found.items():
            for target in self._members:
                way = self._static.way(source, target)
                if way is not None and target != source:
                    ways[target] = tuple(self._ids[point] for point in way)
        return found

    def _lacks(self, source: str) -> bool:
        return len(self._direct[source]) < len(self._members) - 1

    def _over_others(self, source: str) -> dict[str, Path]:
        """Find the best chains of ways from host to host: in time, then hops, then by ids."""
        best: dict[str, Path] = {}
        heap: list[tuple[Fraction, int, Path, str]]
        heap = [(Fraction(0), 0, (self._ids[source],), source)]
        while heap:
            time, hops, path, here = heapq.heappop(heap)
            if here in best:
                continue
            best[here] = path
            for target, way in self._direct[here].items():
                if target not in best:
                    further = sum(
                        (self._network.hops[ends].unit_time for ends in pairwise(way)), time
                    )
                    stop = (further, hops + len(way) - 1, path + way[1:], target)
                    heapq.heappush(heap, stop)
        return best

    def _for_all(self, source: str, target: str, via: Path) -> Iterator[Route]:
        for start in self._members[source]:
            for end in self._members[target]:
                yield Route(source=self._ids[start], target=self._ids[end], via=via)
