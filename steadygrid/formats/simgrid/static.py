"""The ways that SimGrid's files take: one for each pair of hosts, whatever it carries.

Each zone knows the way between its hosts, or between the gateways of two zones in it:

* ``Full``: the declared route;
* ``Floyd`` and ``Dijkstra``: the chain of declared routes with the fewest SimGrid links, ties as
  SimGrid's loops leave them;
* ``Cluster``: host, hub, host.

Between hosts of different zones the way leads to the gateway, over the route of the least zone
around both, and on from the other gateway, each part found likewise.
"""

import heapq
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from steadygrid.formats.simgrid.declarations import Declarations, DeclaredRoute, Zone
from steadygrid.formats.simgrid.network import Ends

Points = tuple[str, ...]
"""A way by the points that it passes, both ends included."""


class _Part(NamedTuple):
    """A declared route, or the one back."""

    start: str
    """Where it leaves: a host, or the gateway of a zone."""
    end: str
    links: int


_Chain = Callable[[str, str], list[Ends] | None]
"""Which declared routes of a zone, by their ends, lead from one to another of its members."""


class StaticRoutes:
    """The way between any two hosts of a document.

    Parameters
    ----------
    hubs
        The hub of each Cluster zone, by the zone's id.
    """

    def __init__(self, declarations: Declarations, hubs: Mapping[str, str]) -> None:
        self._hubs = hubs
        self._zone_of = {host.id: zone for zone in declarations.zones for host in zone.hosts}
        self._parts: dict[str, dict[Ends, _Part]] = {}
        self._chains: dict[str, _Chain] = {}
        self._members: dict[str, list[tuple[int, str]]] = {z.id: [] for z in declarations.zones}
        for zone in declarations.zones:
            self._parts[zone.id] = dict(_parts(zone.routes))
            self._members[zone.id] += ((host.line, host.id) for host in zone.hosts)
            if zone.parent is not None:
                self._members[zone.parent.id].append((zone.line, zone.id))

    def way(self, source: str, target: str) -> Points | None:
        """Give the way from one host or router to another; None where SimGrid has none."""
        if source == target:
            return (source,)
        around, other = self._around(source), self._around(target)
        depth = 0
        while depth < min(len(around), len(other)) and around[depth] is other[depth]:
            depth += 1
        zone = around[depth - 1]
        inside = depth == len(around), depth == len(other)
        if inside == (True, True):
            return self._within(zone, source, target)
        if True in inside:
            return None
        return self._between(zone, (source, around[depth].id), (target, other[depth].id))

    def _chain(self, zone: Zone, source: str, target: str) -> list[Ends] | None:
        if zone.id not in self._chains:
            parts = self._parts[zone.id]
            if zone.routing == "floyd":
                members = [name for _, name in sorted(self._members[zone.id])]
                self._chains[zone.id] = _floyd(members, parts)
            elif zone.routing == "dijkstra":
                self._chains[zone.id] = _dijkstra(zone.routes, parts)
            else:
                self._chains[zone.id] = _declared(parts)
        return self._chains[zone.id](source, target)

    def _around(self, host: str) -> list[Zone]:
        """List the zones around a host, the outermost first."""
        zones: list[Zone] = []
        zone: Zone | None = self._zone_of[host]
        while zone is not None:
            zones.append(zone)
            zone = zone.parent
        return zones[::-1]

    def _within(self, zone: Zone, source: str, target: str) -> Points | None:
        if zone.routing == "cluster":
            return tuple(dict.fromkeys((source, self._hubs[zone.id], target)))
        chain = self._chain(zone, source, target)
        return None if chain is None else (source, *(end for _, end in chain))

    def _between(
        self, zone: Zone, source: tuple[str, str], target: tuple[str, str]
    ) -> Points | None:
        """Join the way to the first gateway, those between zones, and that from the last one.

        Source and target each with the zone that is joined.
        """
        chain = self._chain(zone, source[1], target[1])
        if not chain:
            return None
        way: Points = (source[0],)
        for ends in chain:
            part = self._parts[zone.id][ends]
            before = self.way(way[-1], part.start)
            if before is None:
                return None
            way = (*way, *before[1:], part.end)
        after = self.way(way[-1], target[0])
        return None if after is None else (*way, *after[1:])


def _parts(routes: Iterable[DeclaredRoute]) -> Iterable[tuple[Ends, _Part]]:
    for route in routes:
        start, end = route.gateways or (route.source, route.target)
        yield (route.source, route.target), _Part(start, end, len(route.hops))
        if route.symmetrical:
            yield (route.target, route.source), _Part(end, start, len(route.hops))


def _declared(parts: Mapping[Ends, _Part]) -> _Chain:
    return lambda source, target: [(source, target)] if (source, target) in parts else None


def _floyd(members: list[str], parts: Mapping[Ends, _Part]) -> _Chain:
    """Floyd and Warshall's algorithm over the members in their order, the first of equals kept."""
    cost: dict[str, dict[str, int]] = {name: {} for name in members}
    before: dict[str, dict[str, str]] = {name: {} for name in members}
    for (source, target), part in parts.items():
        cost[source][target] = part.links
        before[source][target] = source
    for middle in members:
        for source in members:
            if middle not in cost[source]:
                continue
            here, reached = cost[source], before[source]
            for target, further in cost[middle].items():
                through = here[middle] + further
                if target != source and (target not in here or through < here[target]):
                    here[target] = through
                    reached[target] = before[middle][target]

    def chain(source: str, target: str) -> list[Ends] | None:
        return _back(before[source], source, target)

    return chain


def _dijkstra(routes: Iterable[DeclaredRoute], parts: Mapping[Ends, _Part]) -> _Chain:
    """Dijkstra's algorithm; of equals, whoever was named first by a route is looked at first."""
    number = {name: i for i, name in enumerate(_named(routes))}
    onward: dict[str, list[tuple[str, int]]] = {}
    for (source, target), part in parts.items():
        onward.setdefault(source, []).append((target, part.links))
    trees: dict[str, dict[str, str]] = {}

    def tree(source: str) -> dict[str, str]:
        cost = {source: 0}
        before: dict[str, str] = {}
        done: set[str] = set()
        heap = [(0, number.get(source, -1), source)]
        while heap:
            here_cost, _, here = heapq.heappop(heap)
            if here in done:
                continue
            done.add(here)
            for target, links in onward.get(here, ()):
                if target not in cost or here_cost + links < cost[target]:
                    cost[target] = here_cost + links
                    before[target] = here
                    heapq.heappush(heap, (cost[target], number[target], target))
        return before

    def chain(source: str, target: str) -> list[Ends] | None:
        if source not in trees:
            trees[source] = tree(source)
        return _back(trees[source], source, target)

    return chain


def _named(routes: Iterable[DeclaredRoute]) -> dict[str, None]:
    """List what routes join, in the order in which they are first named."""
    return dict.fromkeys(end for route in routes for end in (route.source, route.target))


def _back(before: Mapping[str, str], source: str, target: str) -> list[Ends] | None:
    """Follow predecessors back from a target."""
    steps = [target]
    while steps[-1] != source:
        if steps[-1] not in before:
            return None
        steps.append(before[steps[-1]])
    return list(pairwise(reversed(steps)))
