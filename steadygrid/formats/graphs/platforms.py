"""A graph to a platform: nodes are hosts, edges are links."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import FaultList, refused
from steadygrid.formats.graphs.graph import Graph, GraphEdge, GraphNode, Place
from steadygrid.formats.identifiers import usable_ids
from steadygrid.formats.importer import Imported
from steadygrid.formats.making import make_platform
from steadygrid.formats.measures import RATE, SPEED, TIME, Measure, Unreadable, parameter
from steadygrid.formats.simgrid.notes import FORWARDS_ONLY, Notes
from steadygrid.formats.unit_labels import UnitLabels

_BANDWIDTHS = ("bandwidth", "capacity", "LinkSpeedRaw", "weight")
_SPEEDS = ("speed", "weight")
_LATENCIES = ("latency", "delay", "lat")
_ZOO = ("LinkSpeedRaw", "LinkSpeed", "LinkLabel")
_ZOO_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@dataclass
class _Line:
    """What edges between two nodes give together, in one direction or in both."""

    bandwidth: Fraction
    latency: Fraction
    count: int = 1


def platform_of_graph(
    graph: Graph,
    parameters: Mapping[str, str],
    limits: Limits,
    notes: Notes,
    bandwidths: Sequence[str] = _BANDWIDTHS,
) -> Imported:
    """Make a platform of a graph.

    Parameters
    ----------
    graph
        Edges of one that is not directed are full duplex.
    parameters
        ``name``; ``bandwidth`` and ``speed`` of what has none; ``bandwidth_attribute`` and
        ``speed_attribute``; ``bandwidth_unit``, ``latency_unit`` and ``speed_unit``.
    limits
        `max_processors`, `max_links`.
    notes
        Gets what is left out or assumed.
    bandwidths
        Names of attributes that may be the bandwidth of an edge, the first that is there.

    Raises
    ------
    InstanceError
        With every fault found; ``missing_parameter`` where edges have no bandwidth.
    """
    reader = _Reader(graph, parameters, notes, bandwidths)
    hosts = reader.hosts()
    lines = reader.lines()
    labels = reader.units.labels()
    reader.faults.stop()
    names = _names(graph, notes)
    ids = usable_ids(names.values(), notes)
    processors = [{"id": ids[names[node]], **host} for node, host in hosts.items()]
    links = [
        {"source": ids[names[a]], "target": ids[names[b]], **link}
        for a, b, link in _links(lines, graph.directed)
    ]
    name = parameters.get("name", graph.name)
    return Imported(make_platform(name, processors, links, labels, limits), notes.sentences())


class _Reader:
    def __init__(
        self,
        graph: Graph,
        parameters: Mapping[str, str],
        notes: Notes,
        bandwidths: Sequence[str],
    ) -> None:
        self.faults = FaultList()
        self.units = UnitLabels(parameters, self.faults, notes)
        self._graph = graph
        self._notes = notes
        own = parameters.get("bandwidth_attribute")
        self._bandwidths = (own,) if own else tuple(bandwidths)
        own = parameters.get("speed_attribute")
        self._speeds = (own,) if own else _SPEEDS
        self._default_bandwidth = parameter(
            parameters, "bandwidth", RATE, parameters.get("bandwidth_unit", "")
        )
        self._default_speed = parameter(
            parameters, "speed", SPEED, parameters.get("speed_unit", "")
        )

    def hosts(self) -> dict[str, dict[str, Any]]:
        """Give the processors by node."""
        hosts: dict[str, dict[str, Any]] = {}
        outside = 0
        for node in self._graph.nodes.values():
            host = hosts[node.name] = self._host(node)
            outside += str(node.attributes.get("Internal")) == "0"
            if not host.keys() & {"speed", "switch"}:
                self._notes.add(FORWARDS_ONLY, node.name)
        if outside:
            self._notes.say(f"nodes outside of the network (Internal 0) stay: {outside:,}")
        return hosts

    def _host(self, node: GraphNode) -> dict[str, Any]:
        if str(node.attributes.get("switch", "")).lower() in ("true", "1", "yes"):
            return {"switch": True}
        speed = self._quantity(node, self._speeds, SPEED)
        if speed is not None:
            return {"speed": speed}
        if self._default_speed is None:
            return {}
        self.units.note("speed", SPEED, self._default_speed.has_unit)
        return {"speed": self._default_speed.value}

    def lines(self) -> dict[tuple[str, str], _Line]:
        """Give what goes from one node to another. Both directions where edges have none."""
        lines: dict[tuple[str, str], _Line] = {}
        missing = 0
        order = {name: i for i, name in enumerate(self._graph.nodes)}
        for edge in self._graph.edges:
            if edge.source == edge.target:
                self._notes.add("self-loops are left out", edge.source)
                continue
            bandwidth = self._bandwidth(edge)
            latency = self._quantity(edge, _LATENCIES, TIME)
            if bandwidth is None:
                missing += 1
                continue
            pair = edge.source, edge.target
            if not self._graph.directed and order[pair[0]] > order[pair[1]]:
                pair = pair[1], pair[0]
            line = lines.setdefault(pair, _Line(Fraction(0), Fraction(0), 0))
            line.bandwidth += bandwidth
            if latency is not None:
                line.latency = max(line.latency, latency)
            line.count += 1
        if missing:
            raise refused(
                "bandwidth",
                "missing_parameter",
                f"{missing:,} of {len(self._graph.edges):,} edges have no bandwidth"
                f" ({', '.join(self._bandwidths)}): say bandwidth, such as 10 Gbit/s",
            )
        for (a, b), line in lines.items():
            if line.count > 1:
                self._notes.add("parallel edges are added up", f"{a} to {b}")
        return lines

    def _bandwidth(self, edge: GraphEdge) -> Fraction | None:
        found = self._quantity(edge, self._bandwidths, RATE)
        if found is not None:
            return found
        if edge.attributes.get("LinkSpeed") not in (None, "") and len(self._bandwidths) > 1:
            text = str(edge.attributes["LinkSpeed"])
            prefix = str(edge.attributes.get("LinkSpeedUnits", "")).strip()
            if prefix in _ZOO_UNITS:
                return self._value(edge.place, text, RATE, f"{prefix}bit/s".replace("K", "k"))
        if self._default_bandwidth is None:
            return None
        self._notes.add(
            "edges without a bandwidth have the one that is said", f"{edge.source} to {edge.target}"
        )
        self.units.note("bandwidth", RATE, self._default_bandwidth.has_unit)
        return self._default_bandwidth.value

    def _quantity(
        self, part: GraphNode | GraphEdge, names: Sequence[str], measure: Measure
    ) -> Fraction | None:
        for name in names:
            value = part.attributes.get(name)
            if value is None or (isinstance(value, str) and not value.strip()):
                continue
            if name == "weight":
                self._notes.say(f"weight is read as {measure.noun}")
            unit = "bit/s" if name == "LinkSpeedRaw" else ""
            found = self._value(part.place, value, measure, unit)
            if found == 0 and measure in (RATE, SPEED):
                self.faults.add(
                    part.place, "zero_rational", f"{name} is greater than zero, or left out"
                )
            return found
        return None

    def _value(self, place: Place, value: Any, measure: Measure, unit: str) -> Fraction:
        at = place if not isinstance(place, tuple) else "/".join(map(str, place))
        try:
            return self.units.read(at, value, measure, unit)
        except Unreadable as error:
            self.faults.add(place, error.code, str(error))
            return Fraction(1)


def _names(graph: Graph, notes: Notes) -> dict[str, str]:
    """Name the nodes: by their labels in a file of the Topology Zoo, where those are different."""
    zoo = any(key in edge.attributes for edge in graph.edges for key in _ZOO) or any(
        "Internal" in node.attributes for node in graph.nodes.values()
    )
    if not zoo:
        return {name: name for name in graph.nodes}
    labels = {n.name: str(n.attributes.get("label", "")).strip() for n in graph.nodes.values()}
    counts: dict[str, int] = {}
    for label in labels.values():
        counts[label] = counts.get(label, 0) + 1
    names: dict[str, str] = {}
    taken: set[str] = set()
    for node, label in labels.items():
        name = node if not label else f"{label}-{node}" if counts[label] > 1 else label
        while name in taken:
            name += "_"
        if counts[label] > 1 or not label:
            notes.add("labels that are empty or doubled get the id of the node", name)
        taken.add(name)
        names[node] = name
    return names


def _links(
    lines: Mapping[tuple[str, str], _Line], directed: bool
) -> list[tuple[str, str, dict[str, Any]]]:
    """Make one link of two equal directions, else one of each."""
    links = []
    joined: set[tuple[str, str]] = set()
    for (a, b), line in lines.items():
        link: dict[str, Any] = {"bandwidth": line.bandwidth}
        if line.latency:
            link["latency"] = line.latency
        back = lines.get((b, a)) if directed else line
        if back is None or (back.bandwidth, back.latency) != (line.bandwidth, line.latency):
            links.append((a, b, {**link, "duplex": "simplex"}))
        elif (b, a) not in joined:
            links.append((a, b, link))
            joined.add((a, b))
    return links
