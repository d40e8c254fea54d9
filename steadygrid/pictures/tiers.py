"""Drawing a graph in tiers: boxes in rows, and lines that meet no box but those that they join.

The layer of a box is its distance from the roots, so a line joins neighbouring layers or stays in
one. Between two layers it runs in the free strip between their rows; within a layer it runs below
the row. Nothing but the standard library is needed. The same graph is always drawn the same.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

STEP = 152.0
"""Pixels from the middle of a box to that of the next one in its row."""
_MARGIN = 14.0
_ABOVE = 20.0
"""Over the first row, where tags stand."""
_GAP = 58.0
"""Between two rows."""
_FOR_ARCS = 26.0
"""More, below a row with lines between boxes that are no neighbours."""
_DEPTHS = (34.0, 62.0)
"""How far the control points of such a line lie below the row: between neighbours, and others."""
_ASIDE = 30.0
"""From the middle of a box to where a line within its row leaves it."""
_SWEEPS, _ROUNDS = 12, 30
_SAMPLES = 100
_TOO_NEAR = 2.0

Point = tuple[float, float]
Line = tuple[int, int]


class Box(NamedTuple):
    """What is to be placed.

    Attributes
    ----------
    level
        Its layer. Those of two boxes that a line joins differ by 1 at most.
    width, height
        Pixels; at most `STEP` less a gap wide.
    last
        Whether it begins at the end of its row.
    """

    level: int
    width: float
    height: float
    last: bool = False


class Place(NamedTuple):
    """Where a box lies: its middle and its size, and the strip of its row, all in pixels."""

    x: float
    y: float
    width: float
    height: float
    level: int
    row_top: float
    row_bottom: float

    @property
    def left_edge(self) -> float:
        """Its left edge."""
        return self.x - self.width / 2

    @property
    def top(self) -> float:
        """Its upper edge."""
        return self.y - self.height / 2

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.height / 2


class Curve(NamedTuple):
    """A line: straight to the edge of the row, a cubic, and straight again."""

    begin: Point
    cubic: tuple[Point, Point, Point, Point]
    end: Point

    def point_at(self, part: float) -> Point:
        """Give a point of the cubic.

        Parameters
        ----------
        part
            0 where it begins, 1 where it ends.
        """
        rest = 1 - part
        weights = (rest**3, 3 * rest * rest * part, 3 * rest * part * part, part**3)
        x = sum(weight * point[0] for weight, point in zip(weights, self.cubic, strict=True))
        y = sum(weight * point[1] for weight, point in zip(weights, self.cubic, strict=True))
        return x, y

    @property
    def samples(self) -> list[Point]:
        """Points from one end to the other, 101 of them on the cubic."""
        inside = [self.point_at(k / _SAMPLES) for k in range(_SAMPLES + 1)]
        return [
            *_points_between(self.begin, inside[0]),
            *inside,
            *_points_between(inside[-1], self.end),
        ]


@dataclass(frozen=True)
class Tiers:
    """A drawing.

    Attributes
    ----------
    places
        Of the boxes, in their order.
    lines
        Positions of the two boxes that each joins.
    width, height
        Of the whole, in pixels.
    """

    places: tuple[Place, ...]
    lines: tuple[Line, ...]
    width: float
    height: float

    def curve(self, line: Line) -> Curve:
        """Give the course of a line, which begins at the upper or the left one of its boxes."""
        a, b = (self.places[end] for end in line)
        if a.level == b.level:
            if a.x > b.x:
                a, b = b, a
            depth = _DEPTHS[round((b.x - a.x) / STEP) > 1]
            begin, end = (a.x + _ASIDE, a.bottom), (b.x - _ASIDE, b.bottom)
            low = a.row_bottom
            cubic = ((begin[0], low), (begin[0], low + depth), (end[0], low + depth), (end[0], low))
            return Curve(begin, cubic, end)
        if a.level > b.level:
            a, b = b, a
        down = (b.row_top - a.row_bottom) / 2
        cubic = (
            (a.x, a.row_bottom),
            (a.x, a.row_bottom + down),
            (b.x, b.row_top - down),
            (b.x, b.row_top),
        )
        return Curve((a.x, a.bottom), cubic, (b.x, b.top))

    def begins_at(self, line: Line) -> int:
        """Give the box at which the curve of a line begins."""
        a, b = line
        one, other = self.places[a], self.places[b]
        return a if (one.level, one.x) <= (other.level, other.x) else b

    def through(self) -> list[tuple[Line, int]]:
        """List lines that come nearer than 2 px to a box that they do not join, with that box.

        O(lines * boxes).
        """
        found: list[tuple[Line, int]] = []
        for line in self.lines:
            points = self.curve(line).samples
            for i, box in enumerate(self.places):
                if i not in line and any(_is_near(point, box) for point in points):
                    found.append((line, i))
        return found

    def overlaps(self) -> list[Line]:
        """List pairs of boxes that share a point. O(boxes^2)."""
        return [
            (i, k)
            for i, one in enumerate(self.places)
            for k, other in enumerate(self.places[:i])
            if abs(one.x - other.x) < (one.width + other.width) / 2
            and abs(one.y - other.y) < (one.height + other.height) / 2
        ]


def levels_of(around: Sequence[Iterable[int]], roots: Iterable[int]) -> list[int]:
    """Give the distance of each node from the roots.

    Parameters
    ----------
    around
        The neighbours of each node, in each direction.
    roots
        Where it begins. What they do not reach begins anew at its node of greatest degree.

    Returns
    -------
    list of int
        By node. Those of neighbours differ by 1 at most. O(nodes log nodes + lines).
    """
    sets = [sorted(set(others)) for others in around]
    level: dict[int, int] = {}
    ranked = sorted(range(len(sets)), key=lambda i: (-len(sets[i]), i))
    queue: deque[int] = deque()

    def spread() -> None:
        while queue:
            here = queue.popleft()
            for other in sets[here]:
                if other not in level:
                    level[other] = level[here] + 1
                    queue.append(other)

    for root in roots:
        level[root] = 0
        queue.append(root)
    spread()
    for root in ranked:
        if root not in level:
            level[root] = 0
            queue.append(root)
            spread()
    return [level[i] for i in range(len(sets))]


def lay_out(boxes: Sequence[Box], lines: Iterable[Line]) -> Tiers:
    """Place boxes row by row, near to what they are joined with.

    Parameters
    ----------
    boxes
        At least one.
    lines
        Positions of two different boxes.

    Returns
    -------
    Tiers
        No line meets a third box, and no two boxes overlap.

    Raises
    ------
    ValueError
        If a line joins a box with itself, or layers that are no neighbours.

    Notes
    -----
    12 sweeps of barycentres give the order of a row (Sugiyama, Tagawa & Toda 1981), 30 rounds of
    pool-adjacent-violators the places in it (Ayer et al. 1955). O(rounds * (boxes + lines) log
    boxes).
    """
    joined = tuple(lines)
    used = sorted({box.level for box in boxes})
    rank = {level: i for i, level in enumerate(used)}
    levels = [rank[box.level] for box in boxes]
    for a, b in joined:
        if a == b or abs(boxes[a].level - boxes[b].level) > 1:
            raise ValueError(f"boxes {a} and {b} cannot be joined by a line")
    beside: list[list[int]] = [[] for _ in boxes]
    for a, b in joined:
        beside[a].append(b)
        beside[b].append(a)
    rows = _ordered(boxes, levels, beside)
    across = _across(rows, levels, beside)
    left = min(across[i] - box.width / 2 for i, box in enumerate(boxes)) - _MARGIN
    right = max(across[i] + box.width / 2 for i, box in enumerate(boxes)) + _MARGIN
    strips, height = _strips(boxes, rows, joined)
    places = tuple(
        Place(
            across[i] - left,
            sum(strips[levels[i]]) / 2,
            box.width,
            box.height,
            levels[i],
            *strips[levels[i]],
        )
        for i, box in enumerate(boxes)
    )
    return Tiers(places, joined, right - left, height)


def _ordered(
    boxes: Sequence[Box], levels: Sequence[int], beside: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Give the boxes of each row from left to right."""
    rows: list[list[int]] = [[] for _ in range(max(levels) + 1)]
    for i in sorted(range(len(boxes)), key=lambda i: (boxes[i].last, i)):
        rows[levels[i]].append(i)
    place: dict[int, float] = {}
    for row in rows:
        place |= _centred(row)
    for sweep in range(_SWEEPS):
        step = -1 if sweep % 2 == 0 else 1
        for level in range(len(rows))[::-step]:
            wanted: dict[int, float] = {}
            for i in rows[level]:
                near = [place[k] for k in beside[i] if levels[k] == level + step]
                wanted[i] = sum(near) / len(near) if near else place[i]
            rows[level].sort(key=lambda i: (wanted[i], i))
            place |= _centred(rows[level])
    return rows


def _centred(row: Sequence[int]) -> Mapping[int, float]:
    return {i: k - (len(row) - 1) / 2 for k, i in enumerate(row)}


def _across(
    rows: Sequence[Sequence[int]], levels: Sequence[int], beside: Sequence[Sequence[int]]
) -> dict[int, float]:
    """Give the middle of each box: as near as can be to the mean of what it is joined with."""
    x = {i: at * STEP for row in rows for i, at in _centred(row).items()}
    for turn in range(_ROUNDS):
        for row in rows if turn % 2 == 0 else rows[::-1]:
            wanted: list[float] = []
            for i in row:
                near = [x[k] for k in beside[i] if levels[k] != levels[i]]
                wanted.append(sum(near) / len(near) if near else x[i])
            x |= dict(zip(row, _kept_apart(wanted), strict=True))
    return x


def _kept_apart(wanted: Sequence[float]) -> list[float]:
    """Give the places nearest to those wanted, by squares, that keep the order and `STEP`."""
    blocks: list[tuple[float, int]] = []
    for k, place in enumerate(wanted):
        mean, count = place - k * STEP, 1
        while blocks and blocks[-1][0] > mean:
            other, more = blocks.pop()
            mean = (other * more + mean * count) / (more + count)
            count += more
        blocks.append((mean, count))
    means = [mean for mean, count in blocks for _ in range(count)]
    return [mean + k * STEP for k, mean in enumerate(means)]


def _strips(
    boxes: Sequence[Box], rows: Sequence[Sequence[int]], lines: Iterable[Line]
) -> tuple[list[tuple[float, float]], float]:
    """Give the top and the bottom of each row, and the height of the whole."""
    at = {i: (level, k) for level, row in enumerate(rows) for k, i in enumerate(row)}
    longest: defaultdict[int, int] = defaultdict(int)
    for a, b in lines:
        if at[a][0] == at[b][0]:
            longest[at[a][0]] = max(longest[at[a][0]], abs(at[a][1] - at[b][1]))
    strips: list[tuple[float, float]] = []
    y, below = _ABOVE, 0.0
    for level, row in enumerate(rows):
        y += below
        tall = max(boxes[i].height for i in row)
        strips.append((y, y + tall))
        y += tall
        # Boxes may stand further apart than one step, so neighbours need the room as well.
        below = _GAP + (_FOR_ARCS if longest[level] else 0.0)
    return strips, y + (below - _GAP) * 2 + _MARGIN


def _points_between(one: Point, other: Point) -> list[Point]:
    return [
        (one[0] + k / 8 * (other[0] - one[0]), one[1] + k / 8 * (other[1] - one[1]))
        for k in range(9)
    ]


def _is_near(point: Point, box: Place) -> bool:
    return (
        abs(point[0] - box.x) < box.width / 2 + _TOO_NEAR
        and abs(point[1] - box.y) < box.height / 2 + _TOO_NEAR
    )
