"""Routes of the platform: where SimGrid's are not those of ``routing: fixed`` anyway."""

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import islice, permutations

from steadygrid.domain.components import Parts, is_forest
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform, Route
from steadygrid.formats.simgrid.declarations import Declarations, Zone
from steadygrid.formats.simgrid.network import Ends, Network, Points
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.static import StaticRoutes
from steadygrid.formats.simgrid.topologies import group_of
from steadygrid.formats.simgrid.zones import Layout
from steadygrid.verification.network import read_network
from steadygrid.verification.routes import FixedRoutes

MOST_PAIRS = 200_000
"""Pairs of hosts whose routes are looked at; hosts that hang alike on one point count once."""
MOST_MEMBERS = 400
"""Of a Floyd zone whose chains are found. The time is cubic."""
MOST_STEPS = 1_000_000
"""Links looked at to find which routes need not be written. Where it would take more, all are."""
_STATIC = (
    'SimGrid\'s routes are fixed: "routing": "fixed" keeps to them, "free" also takes paths that'
    " SimGrid never takes"
)
_MISSING = (
    "SimGrid has no route from some hosts to others, though links join them here: with"
    ' "routing": "fixed" no file goes from the one to the other in one go'
)
_TOO_MANY = (
    "the platform has too many routes to find or write them all: where"
    ' "routing": "fixed" is asked for, files take the paths of least total time per byte, which may'
    " not be SimGrid's routes"
)


@dataclass(frozen=True)
class HostRoutes:
    """SimGrid's routes between hosts; of hosts that hang alike on one point, between one each.

    Attributes
    ----------
    sorts
        Hosts of one sort, by the first of them.
    points
        By the first ones of two sorts, what their routes pass. None where SimGrid has none.
    """

    sorts: dict[str, list[str]]
    points: dict[Ends, Points | None]


def find_host_routes(declarations: Declarations, layout: Layout, notes: Notes) -> HostRoutes | None:
    """Find SimGrid's routes, and join hosts that no path of points joins exactly as SimGrid does.

    None where they are too many.

    Parameters
    ----------
    declarations
        What the document declares.
    layout
        The network, and what SimGrid's routes are made of.
    notes
        Gets a line for each sort of thing that is changed or left out.
    """
    floyd = [len(zone.members) for zone in declarations.zones if zone.routing == "floyd"]
    if max(floyd, default=0) <= MOST_MEMBERS:
        static = StaticRoutes(declarations, layout)
        sorts = _sorts(declarations, layout)
        while len(sorts) ** 2 <= MOST_PAIRS:
            host_routes = _as_paths(layout.network, sorts, static)
            if isinstance(host_routes, HostRoutes):
                return host_routes
            sorts = {
                host: [host] if first in host_routes else hosts
                for first, hosts in sorts.items()
                for host in (hosts if first in host_routes else (first,))
            }
    notes.add(_TOO_MANY, declarations.zones[0].id)
    return None


def _as_paths(
    network: Network, sorts: dict[str, list[str]], static: StaticRoutes
) -> HostRoutes | set[str]:
    """Give routes as points that are passed. Where there are no such, make connections.

    These belong to single hosts: if there are others of their sort, name such sorts instead.
    """
    points: dict[Ends, Points | None] = {}
    apart: dict[Ends, tuple[int, ...]] = {}
    for ends in permutations(sorts, 2):
        stretch = static.route(*ends)
        if stretch is None or not stretch.uses:
            points[ends] = None
        elif stretch.points is not None and _is_path(network, stretch.points, stretch.uses):
            points[ends] = stretch.points
        else:
            apart[ends] = stretch.uses
    several = {first for ends in apart for first in ends if len(sorts[first]) > 1}
    if several:
        return several
    for ends, uses in apart.items():
        points[ends] = network.connect(*ends, uses).points
    return HostRoutes(sorts, points)


def _is_path(network: Network, points: Points, uses: tuple[int, ...]) -> bool:
    """Tell whether a route passes no point twice, and uses what SimGrid's route does.

    A fat pipe bounds what it carries, however often it is used; only its latency adds up.
    """
    if len(set(points)) < len(points):
        return False
    here, there = Counter(network.along(points)), Counter(uses)
    return here.keys() == there.keys() and all(
        times == there[index] or (capacity.fatpipe and not capacity.latency)
        for index, times in here.items()
        for capacity in (network.capacities[index],)
    )


# --- types of hosts ----------------------------------------------------------------------


def _sorts(declarations: Declarations, layout: Layout) -> dict[str, list[str]]:
    """List the hosts. Those under the first of them that SimGrid's routes treat alike.

    These hang on one point only, by as many links as one another, in a zone that chains routes or
    has a hub; or at the same place of a fabric. No bypass, no gateway and no link of others sets them
    apart.
    """
    around: dict[str, set[str]] = {}
    for source, target in layout.network.arcs:
        around.setdefault(source, set()).add(target)
        around.setdefault(target, set()).add(source)
    singled = set(layout.shared)
    for parts in (*layout.parts.values(), *layout.bypasses.values()):
        for ends, part in parts.items():
            if ends != (part.start, part.end):
                singled.update((part.start, part.end))
    for parts in layout.bypasses.values():
        singled.update(end for ends in parts for end in ends)
    found: dict[Hashable, list[str]] = {}
    for zone in declarations.zones:
        for host in zone.hosts:
            if host.router:
                continue
            key: Hashable = host.id
            near = around.get(host.id, set())
            if len(near) == 1 and host.id not in singled:
                key = _place(zone, host.id, near, layout) or host.id
            found.setdefault((zone.id, key), []).append(host.id)
        for leaf in zone.leaves:
            key = (leaf.position,)
            if zone.fabric is not None and leaf.host.id not in singled:
                key = group_of(zone.fabric.topology, leaf.position)
            found.setdefault((zone.id, key), []).append(leaf.host.id)
    return {hosts[0]: hosts for hosts in found.values()}


def _place(zone: Zone, host: str, near: set[str], layout: Layout) -> Hashable:
    """Tell how a host with one neighbour hangs on it. None where that is not all that counts."""
    (other,) = near
    if zone.routing == "cluster":
        return (other,)
    if zone.routing in ("floyd", "dijkstra"):
        parts = layout.parts.get(zone.id, {})
        links = [
            None if ends not in parts else len(parts[ends].stretch.uses)
            for ends in ((host, other), (other, host))
        ]
        return (other, *links)
    return None


# --- routes of the platform --------------------------------------------------------------


def with_routes(
    platform: Platform, host_routes: HostRoutes, network: Network, limits: Limits, notes: Notes
) -> Platform:
    """Write SimGrid's routes into a platform, as far as they say anything.

    The route from one host to another is written where it is not the path of least total time that
    fixed routing takes without being told. That there is none, where links join them.

    Parameters
    ----------
    platform
        The one that was made of the network.
    host_routes
        Of the hosts.
    network
        Whose points the routes go by.
    limits
        How many routes a platform may have: `Limits.max_links`.
    notes
        Gets a line for each sort of thing that is changed or left out.
    """
    written = tuple(islice(_routes(platform, host_routes, network, notes), limits.max_links + 1))
    if len(written) > limits.max_links:
        notes.add(_TOO_MANY, platform.name or "")
        return platform
    if written or not is_forest((link.source, link.target) for link in platform.links):
        notes.add(_STATIC, platform.name or "")
    return platform.model_copy(update={"routes": written}) if written else platform


def _routes(
    platform: Platform, host_routes: HostRoutes, network: Network, notes: Notes
) -> Iterator[Route]:
    names = [point.id for point in network.points]
    ids = dict(zip(names, (processor.id for processor in platform.processors), strict=True))
    plain = FixedRoutes(read_network(platform, "multiport"), ())
    compare = len(host_routes.sorts) * len(network.arcs) <= MOST_STEPS
    joined = Parts[str]()
    for arc in () if compare else network.arcs:
        joined.join(*arc)
    for source, sources in host_routes.sorts.items():
        near = plain.search(ids[source]) if compare else {}
        for target, targets in host_routes.sorts.items():
            if source == target:
                continue
            shortest = near.get(ids[target])
            reached = shortest or joined.root(source) == joined.root(target)
            for one in sources:
                for other in targets:
                    points = host_routes.points[source, target]
                    if points is None:
                        if reached:
                            notes.add(_MISSING, f"{one} to {other}")
                            yield Route(source=ids[one], target=ids[other], missing=True)
                        continue
                    via = tuple(ids[point] for point in points[1:-1])
                    if shortest is None or via != shortest[1:-1]:
                        yield Route(source=ids[one], target=ids[other], via=via)
