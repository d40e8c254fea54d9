"""A network: processors, the capacities between them, and who uses which."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple


class Capacity(NamedTuple):
    """One direction of a SimGrid link, or both where they share it."""

    name: str
    bandwidth: Fraction
    """Bytes per second."""
    latency: Fraction
    """Seconds."""
    fatpipe: bool
    """Bounds each arc that uses it, and is not shared."""


class Point(NamedTuple):
    """A processor to be."""

    id: str
    speed: Fraction | None
    """Flops per second; None where nothing runs."""
    switch: bool


Ends = tuple[str, str]
"""Source and target of an arc, by id."""


@dataclass(frozen=True, slots=True)
class RoutedArc:
    """A way from one point to another, by the capacities it uses."""

    uses: tuple[int, ...]
    """Indices into `Network.capacities`; one stands twice where it is used twice."""
    ceiling: Fraction | None = None
    """Bytes per second, for an arc that no capacity bounds."""


@dataclass(slots=True)
class Network:
    """What a platform is made of, before it is decided what is a medium."""

    points: list[Point] = field(default_factory=list)
    capacities: list[Capacity] = field(default_factory=list)
    arcs: dict[Ends, RoutedArc] = field(default_factory=dict)
    hubs: dict[str, str] = field(default_factory=dict)
    """The point in the middle of each Cluster zone, by the zone's id."""
