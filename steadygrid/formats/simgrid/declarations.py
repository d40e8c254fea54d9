"""What a SimGrid document declares, after reading and before any routing.

Clusters, cabinets and peers are already written out as what they abbreviate: a zone with
``Cluster`` routing, its hosts, their links and host links.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

Policy = Literal["SHARED", "SPLITDUPLEX", "FATPIPE"]
Routing = Literal["full", "floyd", "dijkstra", "none", "cluster"]
Direction = Literal["UP", "DOWN", "NONE"]


@dataclass(frozen=True, slots=True)
class Host:
    """A host, or a router where `router` is true."""

    id: str
    speed: Fraction | None
    """Flops per second of all cores together; None for a router or a host of speed zero."""
    router: bool
    line: int


@dataclass(frozen=True, slots=True)
class DeclaredLink:
    """A SimGrid link: a capacity, not yet a connection between anything."""

    id: str
    bandwidth: Fraction
    """Bytes per second."""
    latency: Fraction
    """Seconds."""
    policy: Policy
    line: int


class Hop(NamedTuple):
    """A link as a route names it."""

    link: str
    direction: Direction = "NONE"


@dataclass(frozen=True, slots=True)
class DeclaredRoute:
    """A ``<route>``, or a ``<zoneRoute>`` where there are gateways."""

    source: str
    target: str
    gateways: tuple[str, str] | None
    symmetrical: bool
    hops: list[Hop]
    line: int


@dataclass(frozen=True, slots=True)
class HostLink:
    """How a host hangs on the hub of its Cluster zone."""

    host: str
    up: tuple[Hop, ...]
    down: tuple[Hop, ...]
    line: int


@dataclass(slots=True)
class Zone:
    """A zone and what is declared directly in it."""

    id: str
    routing: Routing
    parent: "Zone | None"
    line: int
    hosts: list[Host] = field(default_factory=list)
    routes: list[DeclaredRoute] = field(default_factory=list)
    host_links: list[HostLink] = field(default_factory=list)
    backbone: str | None = None


@dataclass(frozen=True, slots=True)
class Declarations:
    """The whole document; the outermost zone comes first, each before the zones in it."""

    zones: list[Zone]
    links: list[DeclaredLink]
