"""Where nodes lie: shortest paths by another algorithm, and drawings of which the best is known."""

from heapq import heappop, heappush
from math import log2
from random import Random

import numpy as np
import pytest

from steadygrid.pictures.layout import components, distances, lay_out, spread
from tests.draws import draws

GRID = [(4 * r + c, 4 * r + c + 1) for r in range(4) for c in range(3)] + [
    (4 * r + c, 4 * r + c + 4) for r in range(3) for c in range(4)
]
RING = [(k, (k + 1) % 8) for k in range(8)]


def connected(random: Random, count: int) -> list[tuple[int, int]]:
    edges = {(random.randrange(k), k) for k in range(1, count)}
    for _ in range(count // 2):
        a, b = sorted(random.sample(range(count), 2))
        edges.add((a, b))
    return sorted(edges)


def by_dijkstra(count: int, edges: list[tuple[int, int]], start: int) -> list[float]:
    degree = [sum(node in edge for edge in edges) for node in range(count)]
    found = [float("inf")] * count
    queue = [(0.0, start)]
    while queue:
        way, here = heappop(queue)
        if way >= found[here]:
            continue
        found[here] = way
        for a, b in edges:
            if here in (a, b):
                small, great = sorted((degree[a], degree[b]))
                step = 1 + 0.35 * log2(small) + 0.15 * log2(great)
                heappush(queue, (way + step, b if here == a else a))
    return found


def test_distances_are_those_of_shortest_paths() -> None:
    random = Random(5)
    for _ in range(draws(10, 300)):
        count = random.randint(2, 12)
        edges = connected(random, count)
        found = distances(count, [*edges, edges[0][::-1]])  # an edge said twice is one
        for start in range(count):
            assert found[start].round(9).tolist() == [
                round(way, 9) for way in by_dijkstra(count, edges, start)
            ]


def test_edges_between_hubs_are_longer_than_to_leaves() -> None:
    two_stars = [(0, 1), *((0, k) for k in range(2, 6)), *((1, k) for k in range(6, 10))]
    found = distances(10, two_stars)
    assert found[0, 1] > found[0, 2] == found[1, 6]


def test_components_come_by_their_size() -> None:
    assert components(6, [(1, 4), (4, 5), (0, 3)]) == [[1, 4, 5], [0, 3], [2]]


def test_the_same_graph_lies_the_same_twice() -> None:
    edges = connected(Random(3), 40)
    assert lay_out(40, edges).tolist() == lay_out(40, edges).tolist()


def test_a_path_is_a_line_with_its_first_node_on_the_left() -> None:
    points = lay_out(5, [(k, k + 1) for k in range(4)])
    assert (np.diff(points[:, 0]) > 0.9).all()
    assert np.ptp(points[:, 1]) < 0.1
    upright = lay_out(5, [(k, k + 1) for k in range(4)], upright=True)
    assert (np.diff(upright[:, 1]) > 0.9).all()
    assert np.ptp(upright[:, 0]) < 0.1


def test_a_grid_has_its_rows_along_the_axes() -> None:
    points = lay_out(16, GRID)
    for a, b in GRID:
        dx, dy = np.abs(points[a] - points[b])
        assert min(dx, dy) < 0.35 * max(dx, dy)


def crossings(points: np.ndarray, edges: list[tuple[int, int]]) -> int:
    def side(a: int, b: int, c: int) -> float:
        (ax, ay), (bx, by), (cx, cy) = points[a], points[b], points[c]
        return float((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))

    return sum(
        side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
        for i, (a, b) in enumerate(edges)
        for c, d in edges[:i]
        if len({a, b, c, d}) == 4
    )


@pytest.mark.parametrize("edges", [GRID, RING, [(0, k) for k in range(1, 15)]])
def test_simple_graphs_have_no_crossings(edges: list[tuple[int, int]]) -> None:
    count = 1 + max(map(max, edges))
    assert crossings(lay_out(count, edges), edges) == 0


def test_components_do_not_overlap() -> None:
    random = Random(8)
    parts = [connected(random, n) for n in (9, 6, 2, 2)] + [[]]
    sizes = [9, 6, 2, 2, 1]
    starts = [sum(sizes[:k]) for k in range(5)]
    edges = [
        (a + start, b + start) for part, start in zip(parts, starts, strict=True) for a, b in part
    ]
    points = lay_out(20, edges)
    frames = [
        (points[start : start + size].min(0), points[start : start + size].max(0))
        for start, size in zip(starts, sizes, strict=True)
    ]
    for i, (low, high) in enumerate(frames):
        for other_low, other_high in frames[:i]:
            assert (high < other_low).any() or (other_high < low).any()
    assert points.min() >= 0


def test_one_node_and_none_have_a_place() -> None:
    assert lay_out(1, []).tolist() == [[0, 0]]
    assert lay_out(0, []).tolist() == []


def test_near_points_are_pushed_apart_and_others_left_alone() -> None:
    points = np.array([[0.0, 0.0], [1.0, 0.0], [100.0, 0.0]])
    found = spread(points, 10)
    assert found[1, 0] - found[0, 0] >= 9.98
    assert found[2].tolist() == [100.0, 0.0]
