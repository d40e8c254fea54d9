"""A network: processors, the capacities between them, and who uses which."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
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
    """Flops per second. None where nothing runs."""
    switch: bool
    members: int = 1
    """Hosts that this one stands for; speed and links are those of all of them together."""


_LONGEST = 90
"""Of a name that stands in another one."""

Ends = tuple[str, str]
"""Source and target of an arc, by id."""
Points = tuple[str, ...]
"""A route by the points that it passes, both ends included."""


@dataclass(frozen=True, slots=True)
class RoutedArc:
    """A route from one point to another, by the capacities it uses."""

    uses: tuple[int, ...]
    """Indices into `Network.capacities`; one stands twice where it is used twice."""
    ceiling: Fraction | None = None
    """Bytes per second, for an arc that no capacity bounds."""


class Stretch(NamedTuple):
    """What SimGrid joins by a list of links: a route, or a part of one."""

    points: Points | None
    """None where no path of points uses only these capacities."""
    uses: tuple[int, ...]
    """Indices into `Network.capacities`, in SimGrid's order."""

    def followed_by(self, other: "Stretch") -> "Stretch":
        """Give both, one after the other."""
        points = None
        if self.points is not None and other.points is not None:
            points = (*self.points, *other.points[1:])
        return Stretch(points, (*self.uses, *other.uses))


@dataclass(slots=True)
class Network:
    """What a platform is made of, before it is decided what is a medium."""

    points: list[Point] = field(default_factory=list)
    capacities: list[Capacity] = field(default_factory=list)
    arcs: dict[Ends, RoutedArc] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)
    _onward: dict[str, list[tuple[str, tuple[int, ...]]]] = field(default_factory=dict)
    """Of arcs that `walk` takes, by their sources: where each leads, and what it uses."""

    def reserve(self, names: Iterable[str]) -> None:
        """Keep the names that the document gives from points of its own."""
        self._names.update(names)

    def free_name(self, name: str) -> str:
        """Give a name for a point or a capacity of steadygrid: this one, or one like it."""
        found, number = name, 2
        while found in self._names:
            found, number = f"{name} {number}", number + 1
        self._names.add(found)
        return found

    def add_switch(self, name: str) -> str:
        """Add a switch of steadygrid, and give the name that it has."""
        found = self.free_name(name)
        self.points.append(Point(found, None, switch=True))
        return found

    def add_capacity(
        self, name: str, bandwidth: Fraction, latency: Fraction, *, fatpipe: bool = False
    ) -> int:
        """Add a capacity, and give its index.

        Parameters
        ----------
        name
            Of the link.
        bandwidth
            In bytes per second.
        latency
            In seconds.
        fatpipe
            Whether it bounds each arc that uses it, and is not shared.
        """
        self.capacities.append(Capacity(name, bandwidth, latency, fatpipe))
        return len(self.capacities) - 1

    def connect(self, source: str, target: str, uses: tuple[int, ...]) -> Stretch:
        """Join two points by capacities; over a switch of their own if they are joined otherwise.

        Parameters
        ----------
        source, target
            Ids of the points.
        uses
            Indices of capacities, in the order in which data meets them.
        """
        if source == target or not uses:
            return Stretch((source,) if source == target and not uses else None, uses)
        found = self.arcs.get((source, target))
        if found is None:
            self.arcs[source, target] = RoutedArc(uses)
            return Stretch((source, target), uses)
        if found.uses == uses:
            return Stretch((source, target), uses)
        between = self.add_switch(f"{source[:_LONGEST]} to {target[:_LONGEST]}")
        self.arcs[source, between] = RoutedArc(uses)
        self.arcs[between, target] = RoutedArc((), self.least(uses))
        return Stretch((source, between, target), uses)

    def walk(self, source: str, target: str, uses: tuple[int, ...]) -> Stretch | None:
        """Find a path of arcs that use only these capacities in this order. None if there is none.

        Arcs are those that there were when it was first asked. Of several out of a point the first
        is tried first. Each point is looked at once for each place in `uses`.

        Parameters
        ----------
        source, target
            Ids of the points.
        uses
            Indices of capacities, in the order in which data meets them.
        """
        if not self._onward:
            for (start, end), arc in self.arcs.items():
                self._onward.setdefault(start, []).append((end, arc.uses))
        tried: set[tuple[str, int]] = set()
        open_ends: list[tuple[Points, int]] = [((source,), 0)]
        while open_ends:
            points, place = open_ends.pop()
            here = points[-1]
            if here == target and place == len(uses):
                return Stretch(points, uses)
            if (here, place) in tried:
                continue
            tried.add((here, place))
            onward = [
                ((*points, other), place + len(used))
                for other, used in self._onward.get(here, ())
                if used and used == uses[place : place + len(used)]
            ]
            open_ends.extend(reversed(onward))
        return None

    def join(self, source: str, target: str, ceiling: Fraction) -> None:
        """Join two points by what no capacity bounds. The ceiling is more than ever crosses.

        Parameters
        ----------
        source, target
            Ids of the points.
        ceiling
            In bytes per second.
        """
        self.arcs[source, target] = RoutedArc((), ceiling)

    def least(self, uses: Iterable[int]) -> Fraction:
        """Give the least bandwidth of some capacities."""
        return min(self.capacities[index].bandwidth for index in uses)

    def along(self, points: Points) -> tuple[int, ...]:
        """List the capacities that a path of points uses."""
        return tuple(index for ends in pairwise(points) for index in self.arcs[ends].uses)
