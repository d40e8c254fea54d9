"""SimGrid XML to declarations, bounded before anything is expanded."""

from fractions import Fraction
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from steadygrid.domain.errors import Fault, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats.simgrid.attributes import Attributes
from steadygrid.formats.simgrid.clusters import read_cabinet, read_cluster
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
}


def read_declarations(data: bytes, limits: Limits, notes: Notes) -> Declarations:
    """Read a document.

    Parameters
    ----------
    data
        The document as it was sent.
    limits
        Largest document, and number of processors and links, to accept.
    notes
        Gets a line for each sort of thing that is changed or left out.

    Raises
    ------
    InstanceError
        The XML is malformed, or elements break rules that can be seen without routing.
    LimitError
        More bytes, processors or routes than the limits allow. Hosts that a cluster or a cabinet
        declares together are not counted yet.
    """
    if len(data) > limits.max_body_bytes:
        raise _limit_error(len(data), "bytes", limits.max_body_bytes)
    reader = _Reader(limits, notes)
    parse(data, reader)
    if reader.faults:
        raise refusal(reader.faults)
    if not reader.processors and not any(zone.groups for zone in reader.zones):
        raise refusal(["the platform has no host and no router"])
    return Declarations(reader.zones, reader.links)


def _limit_error(number: int, noun: str, limit: int, where: str = "") -> LimitError:
    detail = f"{where}{number:,} {noun}. At most {limit:,} are accepted"
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
        self._attributes = Attributes(notes)
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
            "bypassRoute": self._open_route,
            "bypassZoneRoute": self._open_route,
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
            raise _limit_error(self._num_elements, "elements", most)
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
        elif tag in _ROUTES:
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
                self._notes.add(
                    "unknown attributes are left out",
                    f"line {element.line}: {name}{element.hint(name)} of {element}",
                )

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
        if parent is not None:
            parent.members.append(name)
        if routing == "cluster":
            self._count_processors(1, element)
        self.zones.append(zone)
        self._nest.append(zone)
        return zone

    def _count_processors(self, number: int, element: Element) -> None:
        self.processors += number
        if self.processors > self._limits.max_processors:
            where = f"line {element.line}, {element}: the platform has at least "
            raise _limit_error(
                self.processors, "processors and switches", self._limits.max_processors, where
            )

    # --- processors ----------------------------------------------------------------------

    def _host(self, element: Element) -> None:
        name = element.text("id")
        self._add(Host(name, self._attributes.speed(element, name), False, element.line), element)

    def _router(self, element: Element) -> None:
        self._add(Host(element.text("id"), None, True, element.line), element)

    def _add(self, host: Host, element: Element) -> None:
        self._count_processors(1, element)
        self._nest[-1].hosts.append(host)
        self._nest[-1].members.append(host.id)

    # --- links and routes ------------------------------------------------------------------

    def _link(self, element: Element) -> None:
        policy = self._attributes.policy(
            element, ("SHARED", "SPLITDUPLEX", "FULLDUPLEX", "FATPIPE", "WIFI"), "SHARED"
        )
        self._add_link(
            element.text("id"),
            self._attributes.bandwidth(element, "bandwidth"),
            self._attributes.time(element, "latency"),
            policy,
            element,
        )

    def _add_link(
        self, name: str, bandwidth: Fraction, latency: Fraction, policy: Policy, element: Element
    ) -> None:
        self.links.append(DeclaredLink(name, bandwidth, latency, policy, element.line))

    def _open_route(self, element: Element) -> None:
        self._num_routes += 1
        if self._num_routes > self._limits.max_links:
            raise _limit_error(self._num_routes, "routes", self._limits.max_links)
        bypass = element.tag in ("bypassRoute", "bypassZoneRoute")
        gateways = None
        if element.tag in ("zoneRoute", "bypassZoneRoute"):
            gateways = (element.text("gw_src"), element.text("gw_dst"))
        symmetrical = not bypass and (
            element.choice("symmetrical", ("YES", "yes", "NO", "no"), "YES").upper() == "YES"
        )
        route = DeclaredRoute(
            element.text("src"), element.text("dst"), gateways, symmetrical, [], element.line
        )
        zone = self._nest[-1]
        (zone.bypasses if bypass else zone.routes).append(route)
        self._route = route

    def _link_ctn(self, element: Element) -> None:
        directions: tuple[Direction, ...] = ("UP", "DOWN", "NONE")
        hop = Hop(element.text("id"), element.choice("direction", directions, "NONE"))
        if self._route is not None:
            self._route.hops.append(hop)

    # --- clusters --------------------------------------------------------------------------

    def _cluster(self, element: Element) -> None:
        cluster = read_cluster(element, self._attributes, self._notes)
        routing: Routing = "cluster" if cluster.fabric is None else "fabric"
        zone = self._enter(cluster.id, routing, element)
        zone.groups.append(cluster.hosts)
        zone.fabric = cluster.fabric
        if cluster.fabric is None:
            if cluster.backbone is not None:
                zone.backbone = f"{cluster.id}_backbone"
                self._add_link(zone.backbone, *cluster.backbone, element)
            self._add(Host(cluster.router, None, True, element.line), element)
        self._nest.pop()

    def _cabinet(self, element: Element) -> None:
        self._in_cluster().groups.append(read_cabinet(element, self._attributes))

    def _peer(self, element: Element) -> None:
        zone, name = self._in_cluster(), element.text("id")
        speed = self._attributes.speed(element, name)
        up, down = f"link_{name}_UP", f"link_{name}_DOWN"
        self._add(Host(name, speed, False, element.line), element)
        for link, attribute in ((up, "bw_out"), (down, "bw_in")):
            bandwidth = self._attributes.bandwidth(element, attribute)
            self._add_link(link, bandwidth, Fraction(0), "SHARED", element)
        zone.host_links.append(HostLink(name, (Hop(up),), (Hop(down),), element.line))

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
        bandwidth = self._attributes.bandwidth(element, "bandwidth")
        latency = self._attributes.time(element, "latency")
        self._add_link(name, bandwidth, latency, "SHARED", element)

    def _in_cluster(self) -> Zone:
        zone = self._nest[-1]
        if zone.routing != "cluster":
            raise Misread("belongs into a zone with Cluster (or, peers, Vivaldi) routing")
        return zone
