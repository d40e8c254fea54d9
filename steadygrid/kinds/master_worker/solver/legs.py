"""What a file travels in one go: a link, or the route between two processors that hold files.

With free routing every link is a leg. With fixed routing a file takes the one route that there is
from a processor that holds it to the next that gets the whole of it. Processors that compute
hold files, all others only forward them on their routes. Not every pair of holders needs a leg:

* A route that passes a third holder, and is made up of the routes to it and from it, uses what
  these two use: it is left out.
* Holders that hang on one switch or router, and have no route of their own, share the routes of
  that hub. There are legs to it and from it for each of them, and a leg for each pair of hubs.
  What goes up to a hub and what comes down from it are two nodes. So nothing is forwarded but on
  the route of some pair, and every path through hubs is the route of a pair.

Where what the master reaches is a tree, and no routes are missing, there is one route only, and
links will do.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Arc, Platform, PortModel, Use, arc_uses
from steadygrid.engine.matching.odd_sets import OddSet, odd_uses
from steadygrid.kinds.master_worker.holders import Holders
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.sizing import Reach
from steadygrid.kinds.shared.routes import Path, Routes

Ends = tuple[int, int]


class Leg(NamedTuple):
    """A route from one node to another, over several links or none."""

    index: int  # type: ignore[assignment]  # as in Arc, hides a method of tuples
    source: int
    target: int
    arcs: tuple[Arc, ...]


AnyLeg = Arc | Leg
"""Where links will do, a leg is an arc itself."""


@dataclass(frozen=True)
class Legs:
    """The legs of an instance.

    Attributes
    ----------
    input, output
        Those that input and output files can take: within reach of the master, none back into
        it or past it; and in reverse. Their ends are nodes: processors, by index, or hubs.
    holders
        Processors that send on whole files which they have received. None where the routing is
        free, and files are cut nowhere.
    routes
        The one route of each pair of them. None where the routing is free.
    odd_sets
        That legs use, too, where a processor takes part in one transfer at a time.
    shares
        By resource that each member of a pool has for itself, the number of members.
    """

    platform: Platform
    ports: PortModel
    all: Sequence[AnyLeg]
    input: Sequence[AnyLeg]
    output: Sequence[AnyLeg]
    holders: frozenset[int] | None = None
    routes: Routes | None = None
    odd_sets: tuple[OddSet, ...] = ()
    shares: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_instance(
        cls, instance: MasterWorkerInstance, check: Callable[[], None] = lambda: None
    ) -> "Legs":
        """Find the legs; `check` is called before each search for routes, and may raise.

        Parameters
        ----------
        instance
            Without faults.
        check
            May raise, which ends the work.
        """
        reach = Reach.from_instance(instance)
        platform, ports = instance.platform, instance.ports
        links = platform, ports, platform.arcs, reach.input_arcs, reach.output_arcs
        if instance.routing == "free":
            return cls(*links)
        holders = Holders.from_instance(instance)
        routes = routes_between(platform, holders, check)
        if reach.is_tree and not platform.missing_routes:
            return cls(*links, holders.all, routes)
        legs = _legs(platform, holders, routes)
        master = platform.index_by_id[instance.master]
        size = len(platform.processors)
        forwards = {master, *(arc.target for arc in reach.input_arcs)}
        backwards = {master, *(arc.source for arc in reach.output_arcs)}
        return cls(
            platform,
            ports,
            legs,
            [
                leg
                for leg in legs
                if leg.source % size in forwards and all(arc.target != master for arc in leg.arcs)
            ],
            [
                leg
                for leg in legs
                if leg.target % size in backwards and all(arc.source != master for arc in leg.arcs)
            ]
            if reach.output_arcs
            else [],
            holders.all,
            routes,
        )

    def arcs(self, leg: int) -> Sequence[Arc]:
        """Give the arcs of a leg, by its index, in order."""
        found = self.all[leg]
        return found.arcs if isinstance(found, Leg) else (found,)

    def uses(self, leg: int) -> list[Use]:
        """List what one unit of data takes on a leg, each resource once."""
        arcs = self.arcs(leg)
        if len(arcs) == 1:
            return self._arc_uses(arcs[0])
        total: Amounts[str] = Amounts()
        for arc in arcs:
            for resource, time in self._arc_uses(arc):
                total[resource] += time
        return [Use(resource, time) for resource, time in total.items()]

    def _arc_uses(self, arc: Arc) -> list[Use]:
        shares = self.shares
        return [
            *(
                Use(resource, time / shares.get(resource, 1))
                for resource, time in arc_uses(self.platform, arc, self.ports)
            ),
            *odd_uses(self.platform, arc, self.odd_sets),
        ]

    def knowing(self, sets: Iterable[OddSet]) -> "Legs":
        """Give the same legs, which use more odd sets."""
        return replace(self, odd_sets=(*self.odd_sets, *sets))

    def of_pools(self, shares: Mapping[str, int]) -> "Legs":
        """Give the same legs, which use the resources of pools."""
        return replace(self, shares=shares)

    def unhurried(self) -> "Legs":
        """Give the same legs, whose routes are found without a look at the clock from now on."""
        return self if self.routes is None else replace(self, routes=self.routes.unhurried())

    @cached_property
    def by_ends(self) -> dict[Ends, AnyLeg]:
        """The leg from one node to another."""
        return {(leg.source, leg.target): leg for leg in self.all}

    def back(self, leg: AnyLeg) -> AnyLeg | None:
        """Give the leg that leads back over the same links, if there is one."""
        size = len(self.platform.processors)
        source, target = (
            _opposite_node(end, size) if isinstance(leg, Leg) else end
            for end in (leg.target, leg.source)
        )
        found = self.by_ends.get((source, target))
        there = [(arc.target, arc.source) for arc in reversed(self.arcs(leg.index))]
        if found is None or [(a.source, a.target) for a in self.arcs(found.index)] != there:
            return None
        return found

    def stages(self, path: Sequence[int]) -> list[tuple[int, ...]]:
        """Cut a path of nodes where the whole file arrives before it is sent on.

        Returns
        -------
        list of tuple of int
            The processors of each stage, in order; as few stages as the routes allow.
        """
        if self.holders is None:
            return [tuple(path)] if len(path) > 1 else []
        arcs: list[Arc] = []
        stops = []
        for ends in pairwise(path):
            arcs += self.arcs(self.by_ends[ends].index)
            if ends[1] in self.holders:
                stops.append(len(arcs))
        stages: list[tuple[int, ...]] = []
        start = 0
        while stops:
            end = next(s for s in reversed(stops) if s == stops[0] or self._is_route(arcs[start:s]))
            stages.append((arcs[start].source, *(arc.target for arc in arcs[start:end])))
            stops = [stop for stop in stops if stop > end]
            start = end
        return stages

    def _is_route(self, arcs: Sequence[Arc]) -> bool:
        """Whether these arcs are the route between their ends."""
        if self.routes is None:
            return False
        taken_route = self.routes.path(arcs[0].source, arcs[-1].target)
        return taken_route == tuple(arc.index for arc in arcs)


def _opposite_node(node: int, size: int) -> int:
    """Give the other node of a hub. That of a processor is itself."""
    if node < size:
        return node
    return node + size if node < 2 * size else node - size


def routes_between(
    platform: Platform, holders: Holders, check: Callable[[], None] = lambda: None
) -> Routes:
    """Let only the routes between holders count: no file takes another one.

    Parameters
    ----------
    platform
        Whose given routes count.
    holders
        Processors at which files begin and end their routes.
    check
        Called before each search; may raise.
    """
    index = platform.index_by_id
    given = tuple(
        route
        for route in platform.routes
        if holders.all.issuperset((index[route.source], index[route.target]))
    )
    return Routes(platform, given, check)


def _legs(platform: Platform, holders: Holders, routes: Routes) -> tuple[Leg, ...]:
    """Find the legs between holders and the hubs on which they hang.

    Notes
    -----
    Hub h is node ``size + h`` for what goes up to it and ``2 * size + h`` for what comes down.
    """
    size = len(platform.processors)
    found: dict[Ends, Path] = {}
    for holder, hub in holders.hung.items():
        if arc := platform.arc_by_ends.get((holder, hub)):
            found[holder, size + hub] = (arc.index,)
        if arc := platform.arc_by_ends.get((hub, holder)):
            found[2 * size + hub, holder] = (arc.index,)
    hubs = holders.hubs
    goals = {alone: alone for alone in holders.alone} | {hub: 2 * size + hub for hub in hubs}
    starts = {alone: alone for alone in holders.alone} | {hub: size + hub for hub in hubs}
    for hub in hubs:
        found[starts[hub], goals[hub]] = ()
    for start, node in starts.items():
        for target, path in routes.direct(start, holders.all - holders.routed).items():
            if target in goals and not _made_up(platform, holders, routes, path):
                found[node, goals[target]] = path
    for ends, given in routes.given.items():
        if given is None or _made_up(platform, holders, routes, given):
            found.pop(ends, None)
        else:
            found[ends] = given
    arcs = platform.arcs
    return tuple(
        Leg(index, source, target, tuple(arcs[arc] for arc in path))
        for index, ((source, target), path) in enumerate(sorted(found.items()))
    )


def _made_up(platform: Platform, holders: Holders, routes: Routes, path: Path) -> bool:
    """Whether a route passes a holder, and is the routes to it and from it."""
    arcs = [platform.arcs[arc] for arc in path]
    return any(
        arc.target in holders.all
        and routes.path(arcs[0].source, arc.target) == path[:position]
        and routes.path(arc.target, arcs[-1].target) == path[position:]
        for position, arc in enumerate(arcs[:-1], 1)
    )
