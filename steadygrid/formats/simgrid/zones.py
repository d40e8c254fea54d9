"""Declarations to a network: names resolved, routes and clusters turned into arcs.

Each part of SimGrid's routes is kept as a `Stretch`: which points it passes, and which capacities it
uses. `steadygrid.formats.simgrid.static` joins them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from steadygrid.formats.simgrid.declarations import (
    Declarations,
    DeclaredLink,
    DeclaredRoute,
    Hop,
    Host,
    HostLink,
    Zone,
)
from steadygrid.formats.simgrid.fabrics import Counters, FabricPaths, build_fabric
from steadygrid.formats.simgrid.network import Ends, Network, Point, RoutedArc, Stretch
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.xml import refusal

_MOST_FAULTS = 20


class Part(NamedTuple):
    """A declared route, or the one back: between hosts, or between the gateways of two zones."""

    start: str
    end: str
    stretch: Stretch


@dataclass(frozen=True)
class Star:
    """A Cluster zone: how each host and router hangs on its hub.

    Attributes
    ----------
    entry
        What a route uses that enters over a router, before it goes down.
    """

    hub: str
    up: dict[str, tuple[int, ...]] = field(default_factory=dict)
    down: dict[str, tuple[int, ...]] = field(default_factory=dict)
    entry: tuple[int, ...] = ()


@dataclass(frozen=True)
class Layout:
    """A network, and what SimGrid's routes are made of, by the ids of zones.

    Attributes
    ----------
    parts
        Declared routes, by the ends that they name.
    bypasses
        What takes the place of routes, likewise.
    loops
        Routes from a host to itself, where the document gives them. They count only where a bypass
        begins or ends on the host.
    shared
        Hosts of Cluster zones that hang on the same link as others.
    """

    network: Network = field(default_factory=Network)
    parts: dict[str, dict[Ends, Part]] = field(default_factory=dict)
    bypasses: dict[str, dict[Ends, Part]] = field(default_factory=dict)
    loops: dict[str, tuple[int, ...]] = field(default_factory=dict)
    stars: dict[str, Star] = field(default_factory=dict)
    fabrics: dict[str, FabricPaths] = field(default_factory=dict)
    shared: set[str] = field(default_factory=set)


def build_layout(declarations: Declarations, notes: Notes) -> Layout:
    """Resolve every name and give every route its arcs.

    A route is an arc between its ends, a zone route one between its gateways; unless
    ``symmetrical="NO"`` there is also the arc back, with the directions of SPLITDUPLEX links
    swapped. A Cluster zone is a star around its hub. Bypass routes come last: where their ends are
    joined already, they go over a switch of their own.

    Parameters
    ----------
    declarations
        What the document declares.
    notes
        Gets a line for each sort of thing that is changed or left out.

    Raises
    ------
    InstanceError
        Names given twice or unknown, routes given twice, gateways outside their zone, a
        SPLITDUPLEX link without direction: each with its line, at most twenty.
    """
    builder = _Builder(declarations, notes)
    counters = Counters()
    for zone in declarations.zones:
        if zone.routing == "cluster":
            builder.add_star(zone)
        elif zone.routing == "fabric":
            builder.add_fabric(zone, counters)
        else:
            builder.add_points(zone.hosts)
        for route in zone.routes:
            builder.add_route(zone, route)
    for zone in declarations.zones:
        for route in zone.bypasses:
            builder.add_bypass(zone, route)
    builder.finish(declarations.links)
    return builder.layout


class _Unresolved(ValueError):
    """A name that leads nowhere. The sentence does not say where it stands."""


def _directions(link: DeclaredLink) -> tuple[str, ...]:
    """Name the capacities of a link, as SimGrid does."""
    return (f"{link.id}_UP", f"{link.id}_DOWN") if link.policy == "SPLITDUPLEX" else (link.id,)


class _Builder:
    def __init__(self, declarations: Declarations, notes: Notes) -> None:
        self.layout = Layout()
        self.network = self.layout.network
        self._notes = notes
        self._faults: list[str] = []
        self._zone_of: dict[str, Zone] = {}
        self._zones: dict[str, Zone] = {}
        self._capacities: dict[str, int] = {}
        self._split: set[str] = set()
        self._seen: dict[Ends, int] = {}
        self._loopbacks: set[int] = set()
        self._pipes: dict[tuple[str, int], int] = {}
        self._declare_points(declarations.zones)
        self._declare_links(declarations)
        self.network.reserve((*self._zones, *self._zone_of))
        if self._faults:
            raise refusal(self._faults)

    def _fault(self, line: int, detail: str) -> None:
        self._faults.append(f"line {line}: {detail}")
        if len(self._faults) >= _MOST_FAULTS:
            raise refusal(self._faults)

    def finish(self, links: Iterable[DeclaredLink]) -> None:
        """Refuse if there were faults; say what became of the links."""
        if self._faults:
            raise refusal(self._faults)
        used = {index for arc in self.network.arcs.values() for index in arc.uses}
        for link in links:
            names = _directions(link)
            if used.isdisjoint(self._capacities[name] for name in names):
                if self._loopbacks.isdisjoint(self._capacities[name] for name in names):
                    self._notes.add("links on no route are left out", link.id)
                continue
            if link.policy == "FATPIPE":
                self._notes.add(
                    "FATPIPE links are not shared: each bounds every connection that uses it,"
                    " at any load",
                    link.id,
                )
            if link.latency:
                self._notes.add(
                    "latencies of links (summed along a route) are ignored unless latencies are paid",
                    link.id,
                )

    # --- names ---------------------------------------------------------------------------

    def _declare_points(self, zones: Sequence[Zone]) -> None:
        lines: dict[str, int] = {}
        for zone in zones:
            self._declare(lines, zone.id, zone.line)
            self._zones[zone.id] = zone
            for host in (*zone.hosts, *(leaf.host for leaf in zone.leaves)):
                self._declare(lines, host.id, host.line)
                self._zone_of[host.id] = zone

    def _declare(self, lines: dict[str, int], name: str, line: int) -> None:
        if name in lines:
            self._fault(
                line,
                f"{name[:80]!r} is the name of another host, router or zone (line {lines[name]})",
            )
        lines[name] = line

    def _declare_links(self, declarations: Declarations) -> None:
        lines: dict[str, int] = {}
        for link in declarations.links:
            if link.policy == "SPLITDUPLEX":
                self._split.add(link.id)
            for name in _directions(link):
                if name in lines:
                    self._fault(
                        link.line,
                        f"the link {name[:80]!r} is declared twice (first on line {lines[name]})",
                    )
                lines[name] = link.line
                self._capacities[name] = self.network.add_capacity(
                    name, link.bandwidth, link.latency, fatpipe=link.policy == "FATPIPE"
                )

    def _uses(self, hops: Iterable[Hop], *, back: bool = False) -> tuple[int, ...]:
        """Give the capacities that hops use, on the route or (in reverse order) on the route back."""
        uses = [self._use(hop, back=back) for hop in hops]
        return tuple(reversed(uses) if back else uses)

    def _use(self, hop: Hop, *, back: bool) -> int:
        name = hop.link
        if name in self._split:
            if hop.direction == "NONE":
                raise _Unresolved(
                    f"the link {name[:80]!r} is SPLITDUPLEX: its use needs"
                    ' direction="UP" or direction="DOWN"'
                )
            name += "_UP" if (hop.direction == "UP") != back else "_DOWN"
        elif hop.direction != "NONE" and name in self._capacities:
            raise _Unresolved(f"the link {name[:80]!r} has no direction: it is not SPLITDUPLEX")
        if name not in self._capacities:
            raise _Unresolved(f"there is no link {name[:80]!r}")
        return self._capacities[name]

    # --- routes --------------------------------------------------------------------------

    def add_points(self, hosts: Sequence[Host]) -> None:
        """Add processors, and switches for routers."""
        self.network.points.extend(
            Point(host.id, host.speed, host.router, host.members) for host in hosts
        )

    def add_fabric(self, zone: Zone, counters: Counters) -> None:
        """Add a torus, a fat tree or a dragonfly."""
        self.layout.fabrics[zone.id] = build_fabric(self.network, zone, counters)

    def add_route(self, zone: Zone, route: DeclaredRoute) -> None:
        """Add the arcs of a route, unless it is a loopback."""
        try:
            self._check_zone(zone)
            start, end = self._ends(zone, route)
            there, back = (route.source, route.target), (route.target, route.source)
            uses = self._uses(route.hops)
            if start == end:
                self._loopbacks.update(uses)
                self.layout.loops[start] = uses
                self._notes.add(
                    "loopback links are left out: what stays on a host takes no time", start
                )
                return
            parts = self.layout.parts.setdefault(zone.id, {})
            self._check_unique(there, route.line)
            parts[there] = Part(start, end, self.network.connect(start, end, uses))
            if route.symmetrical:
                self._check_unique(back, route.line)
                returning = self.network.connect(end, start, self._uses(route.hops, back=True))
                parts[back] = Part(end, start, returning)
        except _Unresolved as fault:
            self._fault(
                route.line,
                f"the route from {route.source[:80]!r} to {route.target[:80]!r}: {fault}",
            )

    def add_bypass(self, zone: Zone, route: DeclaredRoute) -> None:
        """Add the arc of a bypass route, unless SimGrid never takes it."""
        try:
            if route.gateways is None:
                for end in (route.source, route.target):
                    if end not in self._zone_of:
                        raise _Unresolved(f"there is no host or router {end[:80]!r}")
            else:
                self._check_bypassed_zones(route, route.gateways)
            uses = self._uses(route.hops)
            ends = (route.source, route.target)
            bypasses = self.layout.bypasses.setdefault(zone.id, {})
            if ends in bypasses:
                raise _Unresolved("it is given twice")
            start, end = route.gateways or ends
            inside = all(self._zone_of.get(name) is zone for name in ends)
            if route.gateways is None and not inside:
                self._notes.add(
                    "SimGrid takes a bypassRoute only between hosts directly in its zone: others are"
                    " left out",
                    f"{route.source} to {route.target}",
                )
            elif start == end and route.gateways is None:
                self.layout.loops[start] = uses
            else:
                stretch = self.network.walk(start, end, uses)
                if stretch is None:
                    stretch = self.network.connect(start, end, uses)
                bypasses[ends] = Part(start, end, stretch)
                self._add_loops(start, end)
        except _Unresolved as fault:
            self._fault(
                route.line,
                f"the bypass from {route.source[:80]!r} to {route.target[:80]!r}: {fault}",
            )

    def _add_loops(self, *gateways: str) -> None:
        """Keep the loopback of a host of a cluster on which a bypass begins or ends."""
        for name in gateways:
            for hosts in self._zone_of[name].groups:
                number = hosts.number_of(name)
                if number is not None and hosts.loopback is not None:
                    link = self.network.free_name(f"{hosts.link_name(number)}_loopback")
                    bandwidth, latency, _ = hosts.loopback
                    index = self.network.add_capacity(link, bandwidth, latency, fatpipe=True)
                    self.layout.loops.setdefault(name, (index,))

    def _check_bypassed_zones(self, route: DeclaredRoute, gateways: Ends) -> None:
        for name in (route.source, route.target):
            if name not in self._zones:
                raise _Unresolved(f"there is no zone {name[:80]!r}")
        for name in gateways:
            if name not in self._zone_of:
                raise _Unresolved(f"there is no host or router {name[:80]!r} to be a gateway")

    def _check_zone(self, zone: Zone) -> None:
        if zone.routing == "cluster":
            raise _Unresolved("hosts of a Cluster zone are joined by <host_link>, not by routes")
        if zone.routing == "none":
            raise _Unresolved(f"the zone {zone.id[:80]!r} has the routing None: no routes")

    def _check_unique(self, ends: Ends, line: int) -> None:
        if ends in self._seen:
            raise _Unresolved(
                f"the route from {ends[0][:80]!r} to {ends[1][:80]!r} is already given on line"
                f' {self._seen[ends]}. Routes are symmetrical unless they say symmetrical="NO"'
            )
        self._seen[ends] = line

    def _ends(self, zone: Zone, route: DeclaredRoute) -> Ends:
        if route.gateways is None:
            for end in (route.source, route.target):
                self._check_host(zone, end)
            return (route.source, route.target)
        for end, gateway in zip((route.source, route.target), route.gateways, strict=True):
            self._check_gateway(zone, end, gateway)
        if route.source == route.target or route.gateways[0] == route.gateways[1]:
            raise _Unresolved("a zone route joins two different zones")
        return route.gateways

    def _check_host(self, zone: Zone, name: str) -> None:
        if name in self._zones:
            raise _Unresolved(f"{name[:80]!r} is a zone: use <zoneRoute>")
        if name not in self._zone_of:
            raise _Unresolved(f"there is no host or router {name[:80]!r}")
        if self._zone_of[name] is not zone:
            raise _Unresolved(f"{name[:80]!r} is not directly in the zone {zone.id[:80]!r}")

    def _check_gateway(self, zone: Zone, name: str, gateway: str) -> None:
        if name not in self._zones:
            raise _Unresolved(f"there is no zone {name[:80]!r}")
        if self._zones[name].parent is not zone:
            raise _Unresolved(f"{name[:80]!r} is not directly in the zone {zone.id[:80]!r}")
        if gateway not in self._zone_of:
            raise _Unresolved(
                f"there is no host or router {gateway[:80]!r} to be the gateway of {name[:80]!r}"
            )
        around: Zone | None = self._zone_of[gateway]
        while around is not None and around.id != name:
            around = around.parent
        if around is None:
            raise _Unresolved(f"the gateway {gateway[:80]!r} is not in the zone {name[:80]!r}")

    # --- clusters ------------------------------------------------------------------------

    def add_star(self, zone: Zone) -> None:
        """Add a Cluster zone: host to hub by its up links and the backbone, and so on."""
        routers = [host for host in zone.hosts if host.router]
        shared = self._backbone(zone, shared=True)
        bound = self._backbone(zone, shared=False)
        late = any(self.network.capacities[index].latency for index in bound)
        merged = len(routers) == 1 and not shared and not late
        hub = routers[0].id if merged else zone.id
        members = {host.id: host.members for host in zone.hosts}
        entry = shared
        if late:
            every = sum(members[link.host] for link in zone.host_links if link.host in members)
            entry = tuple(self._pipe_of_members(index, every) for index in bound)
        star = self.layout.stars[zone.id] = Star(hub, entry=entry)
        if not merged:
            self.network.points.append(Point(hub, None, switch=True))
        self.add_points(zone.hosts)
        hung: set[str] = set()
        up, down = Fraction(0), Fraction(0)
        for link in zone.host_links:
            try:
                self._check_host_link(zone, link, hung)
                number = members[link.host]
                into = tuple(self._pipe_of_members(index, number) for index in bound)
                out = tuple(self._pipe_of_members(index, number, paid=True) for index in bound)
                there = (*self._uses(link.up), *shared, *into)
                back = (*out, *self._uses(link.down))
            except _Unresolved as fault:
                self._fault(link.line, f"the host link of {link.host[:80]!r}: {fault}")
                continue
            self.network.arcs[link.host, hub] = RoutedArc(there)
            self.network.arcs[hub, link.host] = RoutedArc(back)
            star.up[link.host] = there
            star.down[link.host] = back
            up += self.network.least(there)
            down += self.network.least(back)
        self._check_hung(zone, hung)
        self._note_shared_host_links(zone)
        if not merged:
            # What leaves has crossed the backbone already; what comes in has not.
            most = self.network.least(shared) if shared else up
            for router in routers if zone.host_links else ():
                self.network.join(hub, router.id, most)
                self.network.arcs[router.id, hub] = RoutedArc(entry, None if entry else down)

    def _pipe_of_members(self, index: int, members: int, *, paid: bool = False) -> int:
        """Give what a fat pipe is for all that a host stands for: each has it for itself.

        SimGrid counts a link of a route once: on the second arc that it bounds it is `paid`, and
        has no latency.
        """
        pipe = self.network.capacities[index]
        if members == 1 and not (paid and pipe.latency):
            return index
        name, latency = f"{pipe.name} of {members}", pipe.latency
        if paid and latency:
            name, latency = f"{name} again", Fraction(0)
        if (name, index) not in self._pipes:
            self._pipes[name, index] = self.network.add_capacity(
                self.network.free_name(name), pipe.bandwidth * members, latency, fatpipe=True
            )
        return self._pipes[name, index]

    def _backbone(self, zone: Zone, *, shared: bool) -> tuple[int, ...]:
        if zone.backbone is None or zone.backbone not in self._capacities:
            return ()
        index = self._capacities[zone.backbone]
        return (index,) if self.network.capacities[index].fatpipe != shared else ()

    def _check_host_link(self, zone: Zone, link: HostLink, hung: set[str]) -> None:
        self._check_host(zone, link.host)
        if link.host in hung:
            raise _Unresolved("given twice")
        hung.add(link.host)

    def _check_hung(self, zone: Zone, hung: set[str]) -> None:
        for host in zone.hosts:
            if not host.router and host.id not in hung:
                self._fault(
                    host.line,
                    f"the host {host.id[:80]!r} has no <host_link> in its Cluster zone: it would be"
                    " infinitely well connected",
                )

    def _note_shared_host_links(self, zone: Zone) -> None:
        hosts: dict[str, set[str]] = {}
        for link in zone.host_links:
            for hop in (*link.up, *link.down):
                hosts.setdefault(hop.link, set()).add(link.host)
        for name, hung in hosts.items():
            if len(hung) > 1:
                self.layout.shared.update(hung)
                self._notes.add(
                    "transfers between hosts that hang on the same link of a Cluster zone use it"
                    " once: they have links of their own",
                    name,
                )
