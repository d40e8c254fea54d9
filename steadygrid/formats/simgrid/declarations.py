"""What a SimGrid document declares, after reading and before any routing.

Hosts that one element declares together (those of a cluster or a cabinet) are a `Hosts` until
`steadygrid.formats.simgrid.folding` decides which of them become hosts of their own.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import Literal, NamedTuple

Policy = Literal["SHARED", "SPLITDUPLEX", "FATPIPE"]
Routing = Literal["full", "floyd", "dijkstra", "none", "cluster", "fabric"]
Direction = Literal["UP", "DOWN", "NONE"]


@dataclass(frozen=True, slots=True)
class Host:
    """A host, or a router where `router` is true."""

    id: str
    speed: Fraction | None
    """Flops per second of all cores together. None for a router or a host of speed zero."""
    router: bool
    line: int
    members: int = 1
    """Hosts that this one stands for. The speed and the links are those of all of them together."""


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
    """A ``<route>``, or a ``<zoneRoute>`` where there are gateways; or what bypasses these."""

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


class LinkSort(NamedTuple):
    """What the links of a cluster have in common."""

    bandwidth: Fraction
    latency: Fraction
    policy: Policy


@dataclass(frozen=True)
class Hosts:
    """Hosts that differ only in a number.

    Attributes
    ----------
    numbers
        Ranges, in the order of the document. None overlap.
    link
        Of which each has one of its own, between `link_prefix` and `link_suffix` in name.
    limiter
        Bandwidth of what both directions of each share besides. None if there is none.
    loopback
        Of each. None if there is none.
    """

    prefix: str
    suffix: str
    numbers: tuple[range, ...]
    speed: Fraction | None
    link: LinkSort
    link_prefix: str
    link_suffix: str
    line: int
    limiter: Fraction | None = None
    loopback: LinkSort | None = None

    @property
    def count(self) -> int:
        """How many they are."""
        return sum(map(len, self.numbers))

    def number_at(self, position: int) -> int:
        """Give the number of the host at a position."""
        piece = bisect_right(self._offsets, position) - 1
        return self.numbers[piece][position - self._offsets[piece]]

    def name(self, number: int | str) -> str:
        """Give the id of one of them."""
        return f"{self.prefix}{number}{self.suffix}"

    def link_name(self, number: int | str) -> str:
        """Give the id of the link of one of them."""
        return f"{self.link_prefix}{number}{self.link_suffix}"

    def number_of(self, name: str) -> int | None:
        """Give the number of the host of this name, if there is one."""
        return self._number(name, self.prefix, self.suffix)

    def number_of_link(self, name: str) -> int | None:
        """Give the number of the host to which a link of this name belongs, if there is one."""
        for ending in ("", "_UP", "_DOWN", "_limiter", "_loopback"):
            number = self._number(name, self.link_prefix, self.link_suffix + ending)
            if number is not None:
                return number
        return None

    def _number(self, name: str, prefix: str, suffix: str) -> int | None:
        if not (name.startswith(prefix) and name.endswith(suffix)):
            return None
        digits = name[len(prefix) : len(name) - len(suffix)]
        if not (digits.isascii() and digits.isdigit() and digits == str(int(digits[:10]))):
            return None
        number = int(digits)
        position = bisect_right(self._starts, number) - 1
        return number if position >= 0 and number in self._ascending[position] else None

    @cached_property
    def _offsets(self) -> list[int]:
        return list(accumulate((len(numbers) for numbers in self.numbers[:-1]), initial=0))

    @cached_property
    def _ascending(self) -> list[range]:
        return sorted(self.numbers, key=lambda numbers: numbers.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [numbers.start for numbers in self._ascending]


@dataclass(frozen=True, slots=True)
class Torus:
    """A grid of that many hosts in each direction, each row closed to a ring."""

    sizes: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many hosts it has."""
        return prod(self.sizes)


@dataclass(frozen=True, slots=True)
class FatTree:
    """Levels of switches above the hosts, as SimGrid's ``topo_parameters`` say.

    Attributes
    ----------
    down, up, cables
        For each level, the lowest first: children of a switch, parents of what is below, and links
        between the two of a pair.
    """

    down: tuple[int, ...]
    up: tuple[int, ...]
    cables: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many hosts it has."""
        return prod(self.down)


@dataclass(frozen=True, slots=True)
class Dragonfly:
    """Groups of chassis of routers, all joined within a chassis, a group, and among groups.

    Attributes
    ----------
    groups, chassis, routers, nodes
        In all, in each group, in each chassis, at each router.
    blue, black, green
        How many links are bundled between two groups, chassis, routers.
    """

    groups: int
    blue: int
    chassis: int
    black: int
    routers: int
    green: int
    nodes: int

    @property
    def count(self) -> int:
        """How many hosts it has."""
        return self.groups * self.chassis * self.routers * self.nodes


Topology = Torus | FatTree | Dragonfly


class Leaf(NamedTuple):
    """A host of a fabric, or several that are interchangeable there."""

    position: int
    """Of the first of them."""
    host: Host


@dataclass(frozen=True, slots=True)
class Fabric:
    """A cluster whose hosts are joined by more than one hub."""

    topology: Topology
    link: LinkSort
    limiter: Fraction | None


@dataclass(slots=True)
class Zone:
    """A zone and what is declared directly in it.

    Attributes
    ----------
    members
        Hosts, routers and zones in it, in the order of the document.
    groups
        Of hosts. Those of a cluster, or of the cabinets of a Cluster zone.
    fabric, leaves
        Of a zone with that routing.
    """

    id: str
    routing: Routing
    parent: "Zone | None"
    line: int
    hosts: list[Host] = field(default_factory=list)
    groups: list[Hosts] = field(default_factory=list)
    members: list[str] = field(default_factory=list)
    routes: list[DeclaredRoute] = field(default_factory=list)
    bypasses: list[DeclaredRoute] = field(default_factory=list)
    host_links: list[HostLink] = field(default_factory=list)
    backbone: str | None = None
    fabric: Fabric | None = None
    leaves: list[Leaf] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Declarations:
    """The whole document. The outermost zone comes first, each before the zones in it."""

    zones: list[Zone]
    links: list[DeclaredLink]
