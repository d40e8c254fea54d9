"""Elements that declare many hosts at once: clusters, of any topology, and cabinets."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from steadygrid.formats.simgrid.attributes import Attributes, radicals
from steadygrid.formats.simgrid.declarations import (
    Dragonfly,
    Fabric,
    FatTree,
    Hosts,
    LinkSort,
    Policy,
    Topology,
    Torus,
)
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.topologies import num_switches
from steadygrid.formats.simgrid.xml import Element, Misread

_NUMBER = re.compile(r"\s*([0-9]{1,6})\s*", re.ASCII)
_SHAPES = {
    "TORUS": "sizes, such as 3,4,2",
    "FAT_TREE": (
        "the number of levels, then children, parents and cables of each, such as 2;4,4;1,2;1,2"
    ),
    "DRAGONFLY": (
        "groups and their links, chassis and their links, routers and their links, and nodes, such"
        " as 3,4;3,2;3,1;2"
    ),
}
_FLAT_ONLY = ("bb_bw", "bb_lat", "router_id")


class Backbone(NamedTuple):
    """What all hosts of a flat cluster share."""

    bandwidth: Fraction
    latency: Fraction
    policy: Policy


class Cluster(NamedTuple):
    """A ``<cluster>``: flat, with a router and perhaps a backbone, or a fabric."""

    id: str
    hosts: Hosts
    router: str
    backbone: Backbone | None
    fabric: Fabric | None


def read_cluster(element: Element, attributes: Attributes, notes: Notes) -> Cluster:
    """Read a cluster. Nothing is expanded.

    Parameters
    ----------
    element
        Of the XML document. It knows its line.
    attributes
        Reads quantities with their units.
    notes
        Gets a line for each sort of thing that is changed or left out.
    """
    topology = _topology(element)
    name = element.text("id")
    prefix, suffix = element.optional("prefix"), element.optional("suffix")
    numbers = radicals(element)
    speed = attributes.speed(element, name)
    policy = attributes.policy(
        element, ("SPLITDUPLEX", "FULLDUPLEX", "SHARED", "FATPIPE"), "SPLITDUPLEX"
    )
    if policy == "FATPIPE":
        policy = "SHARED"
        notes.add(
            "links of clusters are SHARED where sharing_policy is FATPIPE, as SimGrid makes them",
            name,
        )
    link = LinkSort(attributes.bandwidth(element, "bw"), attributes.time(element, "lat"), policy)
    limiter = attributes.optional_bandwidth(element, "limiter_link")
    loopback = attributes.loopback(element)
    router = element.optional("router_id") or f"{prefix}{name}_router{suffix}"
    backbone = _backbone(element, attributes)
    hosts = Hosts(
        prefix, suffix, numbers, speed, link, f"{name}_link_", "", element.line, limiter, loopback
    )
    if topology is None:
        return Cluster(name, hosts, router, backbone, None)
    if hosts.count < topology.count:
        raise Misread(
            f"topo_parameters: there are {topology.count:,} hosts in it, but only"
            f" {hosts.count:,} in radical"
        )
    if limiter is not None and num_switches(topology) > topology.count:
        raise Misread(
            "limiter_link: SimGrid gives limiters of switches the names of those of hosts where there"
            " are more switches than hosts"
        )
    if hosts.count > topology.count:
        notes.add(
            "hosts of a cluster beyond its topo_parameters are left out",
            f"{hosts.count - topology.count:,} of {element}",
        )
        hosts = replace(hosts, numbers=_first(numbers, topology.count))
    if any(element.optional(attribute) for attribute in _FLAT_ONLY):
        notes.add("router_id, bb_bw and bb_lat mean nothing but in flat clusters", str(element))
    fabric = Fabric(topology, link, limiter)
    return Cluster(name, hosts, router, None, fabric)


def read_cabinet(element: Element, attributes: Attributes) -> Hosts:
    """Read a cabinet: hosts with a link of their own for each direction.

    Parameters
    ----------
    element
        Of the XML document. It knows its line.
    attributes
        Reads quantities with their units.
    """
    prefix, suffix = element.optional("prefix"), element.optional("suffix")
    link = LinkSort(
        attributes.bandwidth(element, "bw"), attributes.time(element, "lat"), "SPLITDUPLEX"
    )
    speed = attributes.speed(element, element.text("id"))
    numbers = radicals(element)
    return Hosts(prefix, suffix, numbers, speed, link, f"link_{prefix}", suffix, element.line)


def _backbone(element: Element, attributes: Attributes) -> Backbone | None:
    bandwidth = attributes.optional_bandwidth(element, "bb_bw")
    latency = attributes.time(element, "bb_lat")
    policy = attributes.policy(element, ("SHARED", "FATPIPE"), "SHARED", "bb_sharing_policy")
    return None if bandwidth is None else Backbone(bandwidth, latency, policy)


def _first(ranges: Sequence[range], number: int) -> tuple[range, ...]:
    kept = []
    for numbers in ranges:
        kept.append(numbers[:number])
        number -= len(kept[-1])
    return tuple(numbers for numbers in kept if numbers)


def _topology(element: Element) -> Topology | None:
    shape = element.choice("topology", ("FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"), "FLAT")
    text = element.optional("topo_parameters")
    if shape == "FLAT":
        return None
    parts = [_numbers(shape, part) for part in text.split(";")]
    if shape == "TORUS" and len(parts) == 1:
        return Torus(tuple(parts[0]))
    if shape == "FAT_TREE" and len(parts) == 4 and len(parts[0]) == 1:
        (levels,), down, up, cables = parts
        if len(down) == len(up) == len(cables) == levels:
            return FatTree(tuple(down), tuple(up), tuple(cables))
    if shape == "DRAGONFLY" and [len(part) for part in parts] == [2, 2, 2, 1]:
        (groups, blue), (chassis, black), (routers, green), (nodes,) = parts
        if 1 < groups > routers:
            raise Misread(
                "topo_parameters: SimGrid joins each group to the others by as many routers of its"
                f" first chassis, so {groups} groups need at least {groups} routers in a chassis"
            )
        return Dragonfly(groups, blue, chassis, black, routers, green, nodes)
    raise _misshaped(shape, text)


def _numbers(shape: str, text: str) -> list[int]:
    found = []
    for part in text.split(","):
        match = _NUMBER.fullmatch(part)
        if match is None or int(match[1]) == 0:
            raise _misshaped(shape, text)
        found.append(int(match[1]))
    return found


def _misshaped(shape: str, text: str) -> Misread:
    return Misread(
        f"topo_parameters={text[:80]!r}: a {shape} cluster needs {_SHAPES[shape]}, all at least 1"
    )
