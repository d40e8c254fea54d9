"""SimGrid's routes: one for each pair of hosts and all its files, as version 4.1 finds them.

Each zone knows the route between its hosts, or between the gateways of two zones in it:

* ``Full``: the declared route;
* ``Floyd`` and ``Dijkstra``: the chain of declared routes with the fewest SimGrid links, ties as
  SimGrid's loops leave them;
* ``Cluster``: host, hub, host, each link once;
* tori, fat trees and dragonflies: see `steadygrid.formats.simgrid.fabrics`.

Between hosts of different zones the route leads to the gateway, over the route of the least zone
around both, and on from the other gateway. A bypass of that least zone comes first: between two hosts directly in it, or between zones
around both ends, the innermost pair that there is; then whole routes lead to its gateways and on.
"""

import heapq
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from steadygrid.formats.simgrid.declarations import Declarations, DeclaredRoute, Zone
from steadygrid.formats.simgrid.network import Ends, Stretch
from steadygrid.formats.simgrid.zones import Layout, Part

Chain = Callable[[str, str], list[Ends] | None]
"""Which declared routes of a zone, by their ends, lead from one to another of its members."""


class StaticRoutes:
    """The route between any two hosts or routers of a document."""

    def __init__(self, declarations: Declarations, layout: Layout) -> None:
        self._layout = layout
        self._zone_of: dict[str, Zone] = {}
        for zone in declarations.zones:
            for host in (*zone.hosts, *(leaf.host for leaf in zone.leaves)):
                self._zone_of[host.id] = zone
        self._around: dict[str, tuple[Zone, ...]] = {}
        for zone in declarations.zones:
            outside = () if zone.parent is None else self._around[zone.parent.id]
            self._around[zone.id] = (*outside, zone)
        self._chains: dict[str, Chain] = {}
        self._under_way: set[Ends] = set()

    def route(self, source: str, target: str) -> Stretch | None:
        """Give the route from one host or router to another. None where SimGrid has none.

        Parameters
        ----------
        source, target
            Ids of hosts or routers.
        """
        if (source, target) in self._under_way:
            return None  # SimGrid would look for it for ever.
        self._under_way.add((source, target))
        try:
            return self._route(source, target)
        finally:
            self._under_way.remove((source, target))

    def _route(self, source: str, target: str) -> Stretch | None:
        around = self._around[self._zone_of[source].id]
        other = self._around[self._zone_of[target].id]
        depth = 0
        while depth < min(len(around), len(other)) and around[depth] is other[depth]:
            depth += 1
        zone = around[depth - 1]
        inside = depth == len(around) == len(other)
        bypass = self._bypass(zone, source, target)
        if bypass is not None:
            if inside:
                return bypass.stretch
            return self._joined(
                self.route(source, bypass.start), bypass.stretch, self.route(bypass.end, target)
            )
        if inside:
            return self._route_inside(zone, source, target)
        if depth in (len(around), len(other)):
            return None
        return self._join_zones(zone, (source, around[depth]), (target, other[depth]))

    def _bypass(self, zone: Zone, source: str, target: str) -> Part | None:
        bypasses = self._layout.bypasses.get(zone.id)
        if bypasses is None:
            return None
        around = self._around[self._zone_of[source].id]
        other = self._around[self._zone_of[target].id]
        if around[-1] is zone and other[-1] is zone:
            return bypasses.get((source, target))
        while len(around) > 1 and len(other) > 1 and around[0] is other[0]:
            around, other = around[1:], other[1:]
        outwards, others = around[::-1], other[::-1]
        for most in range(max(len(outwards), len(others))):
            pairs = [pair for i in range(most) for pair in ((i, most), (most, i))]
            for i, j in (*pairs, (most, most)):
                if i < len(outwards) and j < len(others):
                    found = bypasses.get((outwards[i].id, others[j].id))
                    if found is not None:
                        return found
        return None

    @staticmethod
    def _joined(*stretches: Stretch | None) -> Stretch | None:
        whole: Stretch | None = None
        for stretch in stretches:
            if stretch is None:
                return None
            whole = stretch if whole is None else whole.followed_by(stretch)
        return whole

    # --- within a zone -------------------------------------------------------------------

    def _route_inside(self, zone: Zone, source: str, target: str) -> Stretch | None:
        if source == target:
            return self._loop(zone, source)
        if zone.routing == "cluster":
            return self._over_hub(zone, source, target)
        if zone.routing == "fabric":
            return self._layout.fabrics[zone.id].path(source, target)
        chain = self._chain(zone)(source, target)
        if chain is None:
            # A table without an entry adds no link to a route that leads on elsewhere.
            return Stretch(None, ()) if zone.routing == "full" else None
        parts = self._layout.parts[zone.id]
        return self._joined(*(parts[ends].stretch for ends in chain))

    def _over_hub(self, zone: Zone, source: str, target: str) -> Stretch:
        star = self._layout.stars[zone.id]
        down = star.down.get(target, ())
        uses = (*star.up.get(source, star.entry if down else ()), *down)
        points = tuple(dict.fromkeys((source, star.hub, target)))
        return Stretch(points, tuple(dict.fromkeys(uses)))

    def _chain(self, zone: Zone) -> Chain:
        if zone.id not in self._chains:
            parts = self._layout.parts.get(zone.id, {})
            costs = {ends: len(part.stretch.uses) for ends, part in parts.items()}
            if zone.routing == "floyd":
                self._chains[zone.id] = floyd(zone.members, costs)
            elif zone.routing == "dijkstra":
                self._chains[zone.id] = dijkstra(zone.routes, costs)
            else:
                self._chains[zone.id] = declared(costs)
        return self._chains[zone.id]

    def _loop(self, zone: Zone, host: str) -> Stretch | None:
        """Give what SimGrid puts where a bypass begins or ends on a host."""
        if host in self._layout.loops:
            return Stretch(None, self._layout.loops[host])
        if zone.routing == "cluster":
            star = self._layout.stars[zone.id]
            uses = tuple(dict.fromkeys((*star.up.get(host, ()), *star.down.get(host, ()))))
            return Stretch(None if uses else (host,), uses)
        if zone.routing == "fabric":
            return Stretch(None, self._layout.fabrics[zone.id].path(host, host).uses)
        return Stretch((host,), ())

    # --- between zones -------------------------------------------------------------------

    def _join_zones(
        self, zone: Zone, source: tuple[str, Zone], target: tuple[str, Zone]
    ) -> Stretch | None:
        """Join the route to the first gateway, those between zones, and that from the last one.

        Source and target each with the zone that is joined.
        """
        chain = self._chain(zone)(source[1].id, target[1].id)
        if not chain:
            return None
        parts = [self._layout.parts[zone.id][ends] for ends in chain]
        whole = self._to_gateway(source[0], parts[0].start)
        whole = self._joined(whole, parts[0].stretch)
        for before, part in pairwise(parts):
            if before.end != part.start:
                # Only Floyd's zones lead from one gateway of a zone to another.
                if zone.routing != "floyd":
                    return None
                whole = self._joined(whole, self.route(before.end, part.start))
            whole = self._joined(whole, part.stretch)
        return self._joined(whole, self._to_gateway(parts[-1].end, target[0]))

    def _to_gateway(self, source: str, target: str) -> Stretch | None:
        """Give the route between a host and a gateway.

        Where both are directly in one zone no bypass counts. SimGrid 4.1 crashes where they are not;
        versions before took the whole route.
        """
        zone = self._zone_of[source]
        if zone is not self._zone_of[target]:
            return self.route(source, target)
        return (
            Stretch((source,), ()) if source == target else self._route_inside(zone, source, target)
        )


def declared(costs: Mapping[Ends, int]) -> Chain:
    """Take the one route that is declared."""
    return lambda source, target: [(source, target)] if (source, target) in costs else None


def floyd(members: Iterable[str], costs: Mapping[Ends, int]) -> Chain:
    """Run Floyd and Warshall's algorithm over the members in their order, the first of equals kept.

    Parameters
    ----------
    members
        All ends of routes, in SimGrid's order.
    costs
        By the ends of each declared route, how many links it has.
    """
    cost: dict[str, dict[str, int]] = {name: {} for name in members}
    before: dict[str, dict[str, str]] = {name: {} for name in cost}
    for (source, target), links in costs.items():
        cost[source][target] = links
        before[source][target] = source
    for middle, onward in cost.items():
        for source, here in cost.items():
            if middle not in here:
                continue
            reached = before[source]
            for target, further in onward.items():
                through = here[middle] + further
                if target != source and (target not in here or through < here[target]):
                    here[target] = through
                    reached[target] = before[middle][target]

    def chain(source: str, target: str) -> list[Ends] | None:
        return _back(before[source], source, target)

    return chain


def dijkstra(routes: Iterable[DeclaredRoute], costs: Mapping[Ends, int]) -> Chain:
    """Run Dijkstra's algorithm; of equals, the end that a route named first is looked at first.

    Parameters
    ----------
    routes
        In the order of the document.
    costs
        By the ends of each declared route, how many links it has.
    """
    named = dict.fromkeys(end for route in routes for end in (route.source, route.target))
    number = {name: i for i, name in enumerate(named)}
    onward: dict[str, list[tuple[str, int]]] = {}
    for (source, target), links in costs.items():
        onward.setdefault(source, []).append((target, links))
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


def _back(before: Mapping[str, str], source: str, target: str) -> list[Ends] | None:
    """Follow predecessors back from a target."""
    steps = [target]
    while steps[-1] != source:
        if steps[-1] not in before:
            return None
        steps.append(before[steps[-1]])
    return list(pairwise(reversed(steps)))
