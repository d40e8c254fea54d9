"""SimGrid XML to declarations, bounded before anything is expanded."""

import re
from fractions import Fraction
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from steadygrid.domain.errors import Fault, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats.simgrid.declarations import (
    Declarations,
    DeclaredLink,
    DeclaredRoute,
    Direction,
    Hop,
    Host,
    HostLink,
    Policy,
    Routing,
    Zone,
)
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.units import Quantity, parse_bandwidth, parse_speed, parse_time
from steadygrid.formats.simgrid.xml import MAX_DEPTH, Element, Misread, parse, refusal

_MOST_FAULTS = 20
_ELEMENTS_PER_LINK = 10
"""Most elements in a document for each link that the limits allow."""

_MODERN = {"AS": "zone", "ASroute": "zoneRoute", "bypassASroute": "bypassZoneRoute"}
_ROUTES = {"route", "zoneRoute", "bypassRoute", "bypassZoneRoute"}
_PARENTS = {
    "platform": {""},
    "zone": {"platform", "zone"},
    "cluster": {"platform", "zone"},
    "link_ctn": _ROUTES,
} | {
    tag: {"zone"}
    for tag in ("host", "router", "link", "host_link", "backbone", "cabinet", "peer", *_ROUTES)
}
_ROUTINGS: dict[str, Routing] = {
    "full": "full",
    "floyd": "floyd",
    "dijkstra": "dijkstra",
    "dijkstracache": "dijkstra",
    "none": "none",
    "cluster": "cluster",
    "vivaldi": "cluster",
}
_LEFT_OUT = {
    "prop": "properties are left out",
    "disk": "disks are left out",
    "storage": "storage is left out",
    "storage_type": "storage is left out",
    "mount": "storage is left out",
    "mstorage": "storage is left out",
    "trace": "traces are left out: speeds, bandwidths and states are constant",
    "trace_connect": "traces are left out: speeds, bandwidths and states are constant",
    "bypassRoute": "bypass routes are left out: the ordinary route is taken",
    "bypassZoneRoute": "bypass routes are left out: the ordinary route is taken",
    "config": "the simulator's configuration is left out",
    "random": "random variables are left out",
    "model_prop": "properties are left out",
    "actor": "actors are left out",
    "process": "actors are left out",
    "argument": "actors are left out",
}
_PROFILES = {"availability_file", "speed_file", "state_file", "bandwidth_file", "latency_file"}
_LEFT_OUT_ATTRIBUTES = dict.fromkeys(
    _PROFILES, "availability profiles are left out: speeds, bandwidths and states are constant"
) | {
    "coordinates": "coordinates, and the latencies that follow from them, are left out",
    "loopback_bw": "loopback links are left out: what stays on a host takes no time",
    "loopback_lat": "loopback links are left out: what stays on a host takes no time",
}
_GROUP = re.compile(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?", re.ASCII)


def read_declarations(data: bytes, limits: Limits, notes: Notes) -> Declarations:
    """Read a document.

    Raises
    ------
    InstanceError
        The XML is malformed, or elements break rules that can be seen without routing.
    LimitError
        More bytes, processors or links than the limits allow; a cluster is counted before it
        is expanded.
    """
    if len(data) > limits.max_body_bytes:
        raise _too_many(len(data), "bytes", limits.max_body_bytes)
    reader = _Reader(limits, notes)
    parse(data, reader)
    if reader.faults:
        raise refusal(reader.faults)
    if not reader.processors:
        raise refusal(["the platform has no host and no router"])
    return Declarations(reader.zones, reader.links)


def _too_many(number: int, noun: str, limit: int, where: str = "") -> LimitError:
    detail = f"{where}{number:,} {noun}; at most {limit:,} are accepted"
    return LimitError(detail, [Fault((), "limit_exceeded", detail)])


class _Reader(ContentHandler):
    """One method for each element, named after it."""

    def __init__(self, limits: Limits, notes: Notes) -> None:
        super().__init__()
        self.zones: list[Zone] = []
        self.links: list[DeclaredLink] = []
        self.faults: list[str] = []
        self.processors = 0
        self._limits = limits
        self._notes = notes
        self._open: list[str] = []
        self._nest: list[Zone] = []
        self._route: DeclaredRoute | None = None
        self._num_elements = 0
        self._num_routes = 0
        self._handlers = {
            "platform": self._platform,
            "zone": self._open_zone,
            "cluster": self._cluster,
            "host": self._host,
            "router": self._router,
            "link": self._link,
            "route": self._open_route,
            "zoneRoute": self._open_route,
            "link_ctn": self._link_ctn,
            "host_link": self._host_link,
            "backbone": self._backbone,
            "cabinet": self._cabinet,
            "peer": self._peer,
        }

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        tag = _MODERN.get(name, name)
        locator = self._locator  # type: ignore[attr-defined]
        element = Element(tag, attrs, locator.getLineNumber())
        parent = self._open[-1] if self._open else ""
        self._open.append(tag)
        self._num_elements += 1
        most = _ELEMENTS_PER_LINK * self._limits.max_links
        if self._num_elements > most:
            raise _too_many(self._num_elements, "elements", most)
        try:
            if len(self._open) > MAX_DEPTH:
                raise Misread(f"nested more than {MAX_DEPTH} deep")
            if tag in _PARENTS and parent not in _PARENTS[tag]:
                raise Misread(f"does not belong {f'into <{parent}>' if parent else 'here'}")
            if tag in _LEFT_OUT:
                self._notes.add(_LEFT_OUT[tag], str(element))
                return
            handler = self._handlers.get(tag)
            if handler is None:
                raise Misread("is no element of SimGrid platforms, version 4 or 4.1")
            handler(element)
            self._note_unused(element)
        except Misread as fault:
            self.faults.append(f"line {element.line}, {element}: {fault}")
            if tag == "link_ctn":
                self._route = None
            structural = tag in ("platform", "zone") or not parent
            if structural or len(self._open) > MAX_DEPTH or len(self.faults) >= _MOST_FAULTS:
                raise refusal(self.faults) from None

    def endElement(self, name: str) -> None:  # noqa: N802
        tag = self._open.pop()
        if tag == "zone":
            self._nest.pop()
        elif tag in ("route", "zoneRoute"):
            if self._route is not None and not self._route.hops:
                self.faults.append(
                    f"line {self._route.line}, <{name} src={self._route.source[:80]!r}>:"
                    " a route without links would be infinitely fast"
                )
            self._route = None

    def _note_unused(self, element: Element) -> None:
        for name in element.unused():
            if name in _LEFT_OUT_ATTRIBUTES:
                self._notes.add(_LEFT_OUT_ATTRIBUTES[name], str(element))
            else:
                self._notes.add("attributes unknown to us are left out", f"{name} of {element}")

    # --- structure -----------------------------------------------------------------------

    def _platform(self, element: Element) -> None:
        version = element.text("version")
        if version not in ("4", "4.0", "4.1"):
            raise Misread(
                f"version {version[:80]!r} is not read: only 4 and 4.1"
                " (simgrid_update_xml brings older files up to date)"
            )

    def _open_zone(self, element: Element) -> None:
        routing = element.text("routing")
        known = _ROUTINGS.get(routing.lower())
        self._enter(element.text("id"), known or "none", element)
        if known is None:
            raise Misread(
                f"routing={routing[:80]!r} cannot be represented"
                " (Full, Floyd, Dijkstra, DijkstraCache, Cluster, Vivaldi and None can)"
            )

    def _enter(self, name: str, routing: Routing, element: Element) -> Zone:
        if self.zones and not self._nest:
            raise Misread(
                f"a platform has one outermost zone, and {self.zones[0].id[:80]!r} is it already"
            )
        parent = self._nest[-1] if self._nest else None
        zone = Zone(name, routing, parent, element.line)
        if routing == "cluster":
            self._count_processors(1, element)
        self.zones.append(zone)
        self._nest.append(zone)
        return zone

    def _count_processors(self, number: int, element: Element) -> None:
        self.processors += number
        if self.processors > self._limits.max_processors:
            where = f"line {element.line}, {element}: the platform has at least "
            raise _too_many(
                self.processors, "processors and switches", self._limits.max_processors, where
            )

    # --- processors ----------------------------------------------------------------------

    def _host(self, element: Element) -> None:
        self._count_processors(1, element)
        name = element.text("id")
        self._nest[-1].hosts.append(
            Host(name, self._speed(element, name), router=False, line=element.line)
        )

    def _router(self, element: Element) -> None:
        self._count_processors(1, element)
        self._nest[-1].hosts.append(Host(element.text("id"), None, router=True, line=element.line))

    def _speed(self, element: Element, name: str) -> Fraction | None:
        """Speed of all cores together, in the state that the host starts in."""
        speeds = element.text("speed").split(",")
        state = element.count("pstate", 0, least=0)
        if state >= len(speeds):
            raise Misread(f"pstate={state}, but only {len(speeds)} speeds are given")
        try:
            quantities = [parse_speed(speed.strip()) for speed in speeds]
        except ValueError as error:
            raise Misread(f"speed: {error}") from None
        if len(speeds) > 1:
            self._notes.add("of several speeds (pstates) only the first in use is kept", name)
        cores = element.count("core", 1, least=1)
        if cores > 1:
            self._notes.add(
                "the speed is that of one core times the number of cores, as if one task could"
                " use them all",
                name,
            )
        speed = self._with_unit(quantities[state], element) * cores
        if speed == 0:
            self._notes.add("a host of speed 0 forwards, but runs nothing", name)
        return speed or None

    def _with_unit(self, quantity: Quantity, element: Element) -> Fraction:
        if quantity.unitless:
            self._notes.add(
                "numbers without a unit are read as flops, bytes per second or seconds",
                str(element),
            )
        return quantity.value

    # --- links and routes ------------------------------------------------------------------

    def _link(self, element: Element) -> None:
        policy = self._policy(
            element, ("SHARED", "SPLITDUPLEX", "FULLDUPLEX", "FATPIPE", "WIFI"), "SHARED"
        )
        self._add_link(
            element.text("id"),
            self._bandwidth(element, "bandwidth"),
            self._time(element, "latency"),
            policy,
            element,
        )

    def _policy(
        self, element: Element, allowed: tuple[str, ...], default: str, name: str = "sharing_policy"
    ) -> Policy:
        policy = element.choice(name, allowed, default)
        if policy == "WIFI":
            raise Misread("WIFI links cannot be represented: their bandwidth depends on the hosts")
        if policy == "FULLDUPLEX":
            return "SPLITDUPLEX"
        return policy  # type: ignore[return-value]

    def _bandwidth(self, element: Element, name: str) -> Fraction:
        bandwidth = self._with_unit(element.quantity(name, parse_bandwidth), element)
        if bandwidth == 0:
            raise Misread(f"{name} is zero: nothing could ever cross")
        return bandwidth

    def _time(self, element: Element, name: str) -> Fraction:
        return self._with_unit(element.quantity(name, parse_time, default="0"), element)

    def _add_link(
        self, name: str, bandwidth: Fraction, latency: Fraction, policy: Policy, element: Element
    ) -> None:
        self.links.append(DeclaredLink(name, bandwidth, latency, policy, element.line))

    def _open_route(self, element: Element) -> None:
        self._num_routes += 1
        if self._num_routes > self._limits.max_links:
            raise _too_many(self._num_routes, "routes", self._limits.max_links)
        gateways = None
        if element.tag == "zoneRoute":
            gateways = (element.text("gw_src"), element.text("gw_dst"))
        symmetrical = element.choice("symmetrical", ("YES", "yes", "NO", "no"), "YES")
        route = DeclaredRoute(
            element.text("src"),
            element.text("dst"),
            gateways,
            symmetrical.upper() == "YES",
            [],
            element.line,
        )
        self._nest[-1].routes.append(route)
        self._route = route

    def _link_ctn(self, element: Element) -> None:
        directions: tuple[Direction, ...] = ("UP", "DOWN", "NONE")
        hop = Hop(element.text("id"), element.choice("direction", directions, "NONE"))
        if self._route is not None:
            self._route.hops.append(hop)

    # --- clusters --------------------------------------------------------------------------

    def _cluster(self, element: Element) -> None:
        """Write a cluster out as a Cluster zone with host links."""
        if element.choice("topology", ("FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"), "FLAT") != "FLAT":
            raise Misread(
                f"topology={element.optional('topology')!r} cannot be represented: only FLAT"
                " clusters can"
            )
        element.optional("topo_parameters")
        name = element.text("id")
        prefix, suffix = element.optional("prefix"), element.optional("suffix")
        ranges = self._radicals(element)
        speed = self._speed(element, name)
        policy = self._policy(
            element, ("SPLITDUPLEX", "FULLDUPLEX", "SHARED", "FATPIPE"), "SPLITDUPLEX"
        )
        bandwidth, latency = self._bandwidth(element, "bw"), self._time(element, "lat")
        limiter = self._optional_bandwidth(element, "limiter_link")
        router = element.optional("router_id") or f"{prefix}{name}_router{suffix}"
        backbone = self._optional_bandwidth(element, "bb_bw")
        backbone_latency = self._time(element, "bb_lat")
        backbone_policy = self._policy(
            element, ("SHARED", "FATPIPE"), "SHARED", "bb_sharing_policy"
        )
        self._count_processors(1, element)
        zone = self._enter(name, "cluster", element)
        if backbone is not None:
            zone.backbone = f"{name}_backbone"
            self._add_link(zone.backbone, backbone, backbone_latency, backbone_policy, element)
        zone.hosts.append(Host(router, None, router=True, line=element.line))
        split = policy == "SPLITDUPLEX"
        for number in (n for group in ranges for n in group):
            host, link = f"{prefix}{number}{suffix}", f"{name}_link_{number}"
            zone.hosts.append(Host(host, speed, router=False, line=element.line))
            self._add_link(link, bandwidth, latency, policy, element)
            up = [Hop(link, "UP" if split else "NONE")]
            down = [Hop(link, "DOWN" if split else "NONE")]
            if limiter is not None:
                self._add_link(f"{link}_limiter", limiter, Fraction(0), "SHARED", element)
                up.insert(0, Hop(f"{link}_limiter"))
                down.append(Hop(f"{link}_limiter"))
            zone.host_links.append(HostLink(host, tuple(up), tuple(down), element.line))
        self._nest.pop()

    def _radicals(self, element: Element) -> list[range]:
        """Read ``1-29,58,60``, counting before anything is expanded."""
        ranges = []
        for group in element.text("radical").split(","):
            match = _GROUP.fullmatch(group)
            if match is None or int(match[2] or match[1]) < int(match[1]):
                raise Misread(f"radical: {group[:80]!r} is not a number or a range like 1-29")
            ranges.append(range(int(match[1]), int(match[2] or match[1]) + 1))
            self._count_processors(len(ranges[-1]), element)
        return ranges

    def _optional_bandwidth(self, element: Element, name: str) -> Fraction | None:
        if not element.optional(name):
            return None
        return self._with_unit(element.quantity(name, parse_bandwidth), element) or None

    def _cabinet(self, element: Element) -> None:
        prefix, suffix = element.optional("prefix"), element.optional("suffix")
        bandwidth, latency = self._bandwidth(element, "bw"), self._time(element, "lat")
        speed = self._speed(element, element.text("id"))
        for number in (n for group in self._radicals(element) for n in group):
            self._hang(f"{prefix}{number}{suffix}", speed, (bandwidth, bandwidth), latency, element)

    def _peer(self, element: Element) -> None:
        name = element.text("id")
        self._count_processors(1, element)
        bandwidths = (self._bandwidth(element, "bw_out"), self._bandwidth(element, "bw_in"))
        self._hang(name, self._speed(element, name), bandwidths, Fraction(0), element)

    def _hang(
        self,
        host: str,
        speed: Fraction | None,
        bandwidths: tuple[Fraction, Fraction],
        latency: Fraction,
        element: Element,
    ) -> None:
        """Add a host with a link of its own for each direction, up first."""
        zone = self._in_cluster()
        zone.hosts.append(Host(host, speed, router=False, line=element.line))
        up, down = f"link_{host}_UP", f"link_{host}_DOWN"
        self._add_link(up, bandwidths[0], latency, "SHARED", element)
        self._add_link(down, bandwidths[1], latency, "SHARED", element)
        zone.host_links.append(HostLink(host, (Hop(up),), (Hop(down),), element.line))

    def _host_link(self, element: Element) -> None:
        up, down = Hop(element.text("up")), Hop(element.text("down"))
        self._in_cluster().host_links.append(
            HostLink(element.text("id"), (up,), (down,), element.line)
        )

    def _backbone(self, element: Element) -> None:
        zone, name = self._in_cluster(), element.text("id")
        if zone.backbone is not None:
            raise Misread(f"the zone has a backbone already: {zone.backbone[:80]!r}")
        zone.backbone = name
        bandwidth, latency = self._bandwidth(element, "bandwidth"), self._time(element, "latency")
        self._add_link(name, bandwidth, latency, "SHARED", element)

    def _in_cluster(self) -> Zone:
        zone = self._nest[-1]
        if zone.routing != "cluster":
            raise Misread("belongs into a zone with Cluster (or, peers, Vivaldi) routing")
        return zone
