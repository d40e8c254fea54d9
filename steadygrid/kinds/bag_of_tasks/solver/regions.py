"""Where tasks of a bag lie in the plane of sizes and works: areas of uniform ones, or points.

Both are cut by the bounds of cells and by lines through the origin, and know their probability, their
mean and the least cost expected of a task. All of it in exact numbers.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple, Protocol

from steadygrid.kinds.bag_of_tasks.schemas import Bag, UniformTasks

ZERO = Fraction(0)


class Box(NamedTuple):
    """Sizes and works of a cell: from the first bound on to below the second. Both alike: only these."""

    sizes: tuple[Fraction, Fraction]
    works: tuple[Fraction, Fraction]


class Mass(NamedTuple):
    """How probable a region is, and the integrals of size and work over it."""

    probability: Fraction
    size: Fraction
    work: Fraction


class Envelope:
    """The least of costs ``a x + b y`` over workers, by the slope y/x: lines of falling b.

    Attributes
    ----------
    lines
        (a, b) of those that are cheapest somewhere, a rising and b falling.
    slopes
        Up to which y/x each but the last is cheapest.
    """

    def __init__(self, costs: Sequence[tuple[Fraction, Fraction]]) -> None:
        self.lines: list[tuple[Fraction, Fraction]] = []
        self.slopes: list[Fraction] = []
        for a, b in sorted(costs):
            if self.lines and b >= self.lines[-1][1]:
                continue
            while self.lines:
                before = self.lines[-1]
                slope = (a - before[0]) / (before[1] - b)
                if not self.slopes or slope > self.slopes[-1]:
                    self.slopes.append(slope)
                    break
                self.lines.pop()
                self.slopes.pop()
            self.lines.append((a, b))

    def place(self, size: Fraction, work: Fraction) -> int:
        """Tell which line is cheapest there.

        Parameters
        ----------
        size
            In units of data.
        work
            In units of work.

        Returns
        -------
        int
            Position of the line.
        """
        return bisect_left(self.slopes, work / size) if size else len(self.lines) - 1

    def cost(self, size: Fraction, work: Fraction) -> Fraction:
        """Give the least cost of a task.

        Parameters
        ----------
        size
            In units of data.
        work
            In units of work.
        """
        a, b = self.lines[self.place(size, work)]
        return a * size + b * work


class Region(Protocol):
    """Some tasks of a bag."""

    def clipped(self, box: Box) -> "Region | None":
        """Give the part in a box. None if that has no probability."""

    def mass(self) -> Mass:
        """Add up its tasks."""

    def least(self, envelope: Envelope) -> Fraction:
        """Integrate the least cost over its tasks."""


class Point(NamedTuple):
    """Tasks that are all alike."""

    size: Fraction
    work: Fraction
    probability: Fraction


@dataclass(frozen=True)
class Points:
    """Tasks of a finite number of sorts."""

    points: Sequence[Point]

    def clipped(self, box: Box) -> "Points | None":
        """Give the part in a box. None if that has no probability."""
        found = [
            point
            for point in self.points
            if _holds(box.sizes, point.size) and _holds(box.works, point.work)
        ]
        return Points(found) if found else None

    def mass(self) -> Mass:
        """Add up its tasks."""
        return Mass(
            sum((point.probability for point in self.points), ZERO),
            sum((point.probability * point.size for point in self.points), ZERO),
            sum((point.probability * point.work for point in self.points), ZERO),
        )

    def least(self, envelope: Envelope) -> Fraction:
        """Integrate the least cost over its tasks."""
        return sum(
            (point.probability * envelope.cost(point.size, point.work) for point in self.points),
            ZERO,
        )


class Vertex(NamedTuple):
    """A corner of an area: the two draws of a uniform task, and what they make of it."""

    first: Fraction
    second: Fraction
    size: Fraction
    work: Fraction

    def towards(self, other: "Vertex", part: Fraction) -> "Vertex":
        """Go a part of the distance to another.

        Parameters
        ----------
        other
            Where part 1 leads.
        part
            From 0, this vertex, to 1, the other.
        """
        return Vertex(
            *(here + part * (there - here) for here, there in zip(self, other, strict=True))
        )


_SIZE = Vertex._fields.index("size")


@dataclass(frozen=True)
class Area:
    """A convex polygon of the unit square of draws, which are uniform for all intervals."""

    corners: Sequence[Vertex]

    def clipped(self, box: Box) -> "Area | None":
        """Give the part in a box. None if that has no probability."""
        inside = self
        for axis, (low, high) in enumerate(box, start=_SIZE):
            values = {corner[axis] for corner in inside.corners}
            if len(values) == 1:
                if not _holds((low, high), *values):
                    return None
                continue
            a, b = (1, 0) if axis == _SIZE else (0, 1)
            inside = inside.cut(a, b, -low).cut(-a, -b, high)
        return inside if any(inside._doubled()) else None

    def cut(self, a: Fraction | int, b: Fraction | int, c: Fraction) -> "Area":
        """Keep where ``a x + b y + c >= 0``.

        Parameters
        ----------
        a, b, c
            Coefficients, of which x is the size and y the work.
        """
        sides = [a * corner.size + b * corner.work + c for corner in self.corners]
        if all(side >= 0 for side in sides):
            return self
        kept: list[Vertex] = []
        for k, (corner, side) in enumerate(zip(self.corners, sides, strict=True)):
            if side >= 0:
                kept.append(corner)
            following = (k + 1) % len(sides)
            if (side < 0 < sides[following]) or (side > 0 > sides[following]):
                part = side / (side - sides[following])
                kept.append(corner.towards(self.corners[following], part))
        return Area(kept)

    def mass(self) -> Mass:
        """Add up its tasks, triangle by triangle."""
        probability = size = work = ZERO
        for doubled, (one, other) in zip(self._doubled(), pairwise(self.corners[1:]), strict=True):
            origin = self.corners[0]
            probability += doubled
            size += doubled * (origin.size + one.size + other.size)
            work += doubled * (origin.work + one.work + other.work)
        return Mass(probability / 2, size / 6, work / 6)

    def _doubled(self) -> Iterator[Fraction]:
        """Give twice the areas of the triangles that the first corner makes with all sides."""
        for one, other in pairwise(self.corners[1:]):
            origin = self.corners[0]
            yield (one.first - origin.first) * (other.second - origin.second) - (
                other.first - origin.first
            ) * (one.second - origin.second)

    def least(self, envelope: Envelope) -> Fraction:
        """Integrate the least cost over its tasks, sector by sector between lines through the origin."""
        places = [envelope.place(corner.size, corner.work) for corner in self.corners]
        total, rest = ZERO, self
        for place in range(min(places), max(places) + 1):
            sector = rest
            if place < max(places):
                slope = envelope.slopes[place]
                sector, rest = rest.cut(slope, -1, ZERO), rest.cut(-slope, 1, ZERO)
            mass, (a, b) = sector.mass(), envelope.lines[place]
            total += a * mass.size + b * mass.work
        return total


def _holds(bounds: tuple[Fraction, Fraction], value: Fraction) -> bool:
    low, high = bounds
    return low <= value < high or low == value == high


def region_of(bag: Bag) -> Region:
    """Give all tasks of a bag."""
    if bag.uniform is not None:
        return _whole(bag.uniform)
    return Points([Point(one.input_size, one.work, one.probability) for one in bag.distribution])


def _whole(uniform: UniformTasks) -> Area:
    (least, greatest), (lowest, highest) = uniform.input_size, uniform.work
    phi = uniform.correlation
    return Area(
        [
            Vertex(
                Fraction(a),
                Fraction(b),
                least + a * (greatest - least),
                lowest + (phi * a + (1 - phi) * b) * (highest - lowest),
            )
            for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))
        ]
    )
