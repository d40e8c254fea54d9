"""Where the nodes of a graph lie on paper: distances on paper as along the edges, as far as they can.

Stress majorization (Gansner, Koren, North: Graph drawing by stress majorization, 2004) begins at
classical scaling and not at random, so that the same graph always gives the same drawing.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Edges = Sequence[tuple[int, int]]

ROUNDS = 300
"""Of majorization, at most."""
CLOSE_ENOUGH = 1e-5
"""Part of the stress by which a round must lessen it."""
BETWEEN = 1.2
"""Distance between the frames of two components; an edge between two leaves is 1 long."""
_ALIGNED = 0.6
"""Part of the edges' lengths that must lie along two axes for these to become those of the paper."""


def lay_out(count: int, edges: Edges, *, upright: bool = False) -> Points:
    """Place the nodes of a graph in the plane.

    Parameters
    ----------
    count
        Nodes are the numbers below it.
    edges
        Pairs of different nodes.
    upright
        Whether what is long stands rather than lies.

    Returns
    -------
    ndarray
        x and y by node, from 0 on, where an edge to a leaf is about 1 long. Components lie beside
        each other, each with its first node in the upper left part. O(count^3).
    """
    placed: list[tuple[list[int], Points]] = []
    for component in components(count, edges):
        at = {node: i for i, node in enumerate(component)}
        inside = [(at[a], at[b]) for a, b in edges if a in at]
        points = _rotate(_by_stress(len(component), inside), inside, upright=upright)
        placed.append((component, points))
    found = np.zeros((count, 2))
    for component, points in _packed(placed, upright=upright):
        found[component] = points
    return found


def components(count: int, edges: Edges) -> list[list[int]]:
    """List the connected parts of a graph, the largest first, then by their first nodes.

    Parameters
    ----------
    count
        The nodes are ``0..count-1``.
    edges
        Pairs of nodes.
    """
    around: list[list[int]] = [[] for _ in range(count)]
    for a, b in edges:
        around[a].append(b)
        around[b].append(a)
    seen: set[int] = set()
    found: list[list[int]] = []
    for start in range(count):
        if start in seen:
            continue
        seen.add(start)
        part = [start]
        for here in part:
            for other in around[here]:
                if other not in seen:
                    seen.add(other)
                    part.append(other)
        found.append(sorted(part))
    return sorted(found, key=lambda part: (-len(part), part[0]))


def distances(count: int, edges: Edges) -> Points:
    """Give the lengths of shortest paths in a connected graph.

    An edge is the longer the more edges its ends have, most of all the one that has fewer: leaves
    stay at their hub, hubs keep away from each other.

    Parameters
    ----------
    count
        The nodes are ``0..count-1``.
    edges
        Pairs of nodes.

    Returns
    -------
    array
        Node by node; the length of an edge is at least 1.
    """
    degree = np.ones(count)
    pairs = np.array(sorted({(min(a, b), max(a, b)) for a, b in edges}), dtype=int).reshape(-1, 2)
    np.add.at(degree, pairs.ravel(), 1)
    degree = np.maximum(degree - 1, 1)
    a, b = pairs[:, 0], pairs[:, 1]
    smaller, greater = np.minimum(degree[a], degree[b]), np.maximum(degree[a], degree[b])
    found = np.full((count, count), np.inf)
    np.fill_diagonal(found, 0)
    found[a, b] = found[b, a] = 1 + 0.35 * np.log2(smaller) + 0.15 * np.log2(greater)
    for via in range(count):
        np.minimum(found, found[:, via, None] + found[None, via, :], out=found)
    return found


def _by_stress(count: int, edges: Edges) -> Points:
    if count == 1:
        return np.zeros((1, 2))
    wanted = distances(count, edges)
    points = _scaled(wanted)
    weight = 1 / np.maximum(wanted, 1e-9) ** 2
    np.fill_diagonal(weight, 0)
    # The inverse of a connected graph's Laplacian, but for moving all points alike.
    solve = np.linalg.inv(np.diag(weight.sum(1)) - weight + 1 / count)
    pull = weight * wanted
    before = np.inf
    for _ in range(ROUNDS):
        apart = _apart(points)
        stress = float((weight * (apart - wanted) ** 2).sum())
        if before - stress <= CLOSE_ENOUGH * stress:
            break
        before = stress
        moved = -pull * np.divide(1, apart, out=np.zeros_like(apart), where=apart > 1e-9)
        np.fill_diagonal(moved, 0)
        np.fill_diagonal(moved, -moved.sum(1))
        points = solve @ (moved @ points)
    return points


def _apart(points: Points) -> Points:
    squares = (points**2).sum(1)
    found: Points = squares[:, None] + squares[None, :] - 2 * points @ points.T
    return np.sqrt(np.maximum(found, 0))


def _scaled(wanted: Points) -> Points:
    """Place points by classical scaling, and a little beside, so that no two begin at one place."""
    count = len(wanted)
    centre = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-0.5 * centre @ wanted**2 @ centre)
    points: Points = vectors[:, :-3:-1] * np.sqrt(np.maximum(values[:-3:-1], 0))
    # Signs of eigenvectors are arbitrary: the first node that is off an axis decides.
    for axis in range(points.shape[1]):
        off = np.flatnonzero(np.abs(points[:, axis]) > 1e-6)
        if len(off) and points[off[0], axis] > 0:
            points[:, axis] *= -1
    turn = np.arange(count) * 2.399963  # the golden angle: no two directions are alike
    beside = 0.01 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return points + beside


def _rotate(points: Points, edges: Edges, *, upright: bool) -> Points:
    """Turn a drawing: edges along the axes where most agree, else its greatest extent."""
    points = points - points.mean(0)
    if len(points) < 2:
        return points
    ways = np.array([points[b] - points[a] for a, b in edges])
    lengths = np.hypot(ways[:, 0], ways[:, 1])
    fourfold = (lengths * np.exp(4j * np.arctan2(ways[:, 1], ways[:, 0]))).sum()
    if abs(fourfold) >= _ALIGNED * lengths.sum():
        angle = float(np.angle(fourfold)) / 4
    else:
        _, axes = np.linalg.eigh(points.T @ points)
        angle = float(np.arctan2(axes[1, -1], axes[0, -1]))
    cos, sin = np.cos(angle), np.sin(angle)
    points = points @ np.array([[cos, -sin], [sin, cos]])
    width, height = np.ptp(points, axis=0)
    if (height > width * 1.001) != upright and abs(height - width) > 1e-6:
        points = points[:, ::-1]
    for axis in (0, 1):
        off = np.flatnonzero(np.abs(points[:, axis]) > 1e-6 * max(width, height, 1e-9))
        if len(off) and points[off[0], axis] > 0:
            points[:, axis] *= -1
    return points


def _packed(
    placed: Sequence[tuple[list[int], Points]], *, upright: bool
) -> list[tuple[list[int], Points]]:
    """Put components beside each other in rows, the largest first; in columns if `upright`."""
    along, across = (1, 0) if upright else (0, 1)
    extents = [np.ptp(points, axis=0) + BETWEEN for _, points in placed]
    area = sum(float(extent[0] * extent[1]) for extent in extents)
    room = max([1.4 * area**0.5, *(float(extent[along]) for extent in extents)])
    found: list[tuple[list[int], Points]] = []
    corner = np.zeros(2)
    depth = 0.0
    for (component, points), extent in zip(placed, extents, strict=True):
        if corner[along] and corner[along] + extent[along] > room * 1.001:
            corner[along] = 0
            corner[across] += depth
            depth = 0.0
        found.append((component, points - points.min(0) + corner))
        corner[along] += extent[along]
        depth = max(depth, float(extent[across]))
    return found


def spread(points: Points, least: float, rounds: int = 60) -> Points:
    """Push points that are nearer to each other than `least` apart, each pair by equal parts.

    Parameters
    ----------
    points
        A row of two coordinates each.
    least
        Distance between two points.
    rounds
        After how many it ends in any case.
    """
    found: Any = points.copy()
    for _ in range(rounds):
        way = found[:, None] - found[None, :]
        apart = np.sqrt((way**2).sum(2))
        close = apart < least * 0.999
        np.fill_diagonal(close, val=False)
        if not close.any():
            break
        push = np.where(close, (least - apart) / 2 / np.maximum(apart, 1e-6), 0)
        found = found + 0.6 * (push[:, :, None] * way).sum(1)
    return np.asarray(found, dtype=np.float64)


def on_paper(points: Points, width: int) -> tuple[Points, float, float]:
    """Give places in pixels, the height of the drawing, and the radius of a node.

    Parameters
    ----------
    points
        A row of two coordinates each, in any unit.
    width
        Of the drawing, in pixels.
    """
    count = len(points)
    margin = min(max(0.14 * width, 52.0), 64.0)
    extent = np.ptp(points, axis=0)
    room = width - 2 * margin
    tall = 1.8 if width < 500 else 0.66
    most = max(300.0, tall * width) - 72
    across = min(room / max(float(extent[0]), 1e-9), 150.0 if count <= 24 else 1e9)
    down = across
    if extent[1] * down > most:
        down = max(most / float(extent[1]), 0.62 * across)
        if extent[1] * down > most:
            down = most / float(extent[1])
            across = min(across, down / 0.62)
    placed = (points - points.min(0)) * np.array([across, down])
    nearest = _nearest(placed)
    radius = float(np.clip(0.3 * nearest, 4.5, 11.0)) if count > 1 else 12.0
    placed = spread(placed, 2 * radius + 9)
    placed -= placed.min(0)
    span = np.ptp(placed, axis=0)
    if span[0] > room:
        placed[:, 0] *= room / span[0]
        span[0] = room
    placed += np.array([(width - span[0]) / 2, 36.0])
    return placed, float(span[1]) + 84, radius


def _nearest(points: Points) -> float:
    """Give the median of the distances to the nearest other point."""
    if len(points) < 2:
        return 100.0
    apart = np.sqrt(((points[:, None] - points[None, :]) ** 2).sum(2))
    np.fill_diagonal(apart, np.inf)
    return float(np.median(apart.min(1)))


def free_place(
    x: float, y: float, taken: Sequence[tuple[float, ...]], least: float
) -> tuple[float, float]:
    """Give the nearest place around one that is not too near to any that is taken.

    Parameters
    ----------
    x, y
        Where the place would be best.
    taken
        Coordinates of the points that are there.
    least
        Distance between two points.
    """
    for step in range(60):
        angle, way = step * 2.399963, 0.35 * least * step**0.5
        at = x + way * float(np.cos(angle)), y + way * float(np.sin(angle))
        if all((at[0] - a) ** 2 + (at[1] - b) ** 2 >= least**2 for a, b in taken):
            return at
    return x, y
