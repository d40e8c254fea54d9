"""Small graphs, all their simple cycles, and their potentials, the plain way."""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from steadygrid.engine.cycles.graph import Graph

Edge = tuple[int, int, int, int]
"""Source, target, time, height."""


def graph_of(nodes: int, edges: Sequence[Edge]) -> Graph:
    """Make a graph of a list of edges."""
    sources, targets, times, heights = ([edge[k] for edge in edges] for k in range(4))
    return Graph(
        nodes,
        np.array(sources, dtype=np.int64),
        np.array(targets, dtype=np.int64),
        times,
        heights,
    )


def random_edges(draw: random.Random) -> tuple[int, list[Edge]]:
    """Draw a multigraph: sparse or dense, without time, with negative heights, or huge."""
    nodes, number = draw.randint(1, 6), draw.randint(0, 11)
    unit = draw.choice([1, 1, 1, 10**18, 10**30])
    longest, lowest = draw.choice([0, 1, 3, 20]), draw.choice([0, 0, -1, -3])

    def edge() -> Edge:
        time = draw.randint(0, longest) * unit
        time += draw.randint(0, 5) if unit > 1 and longest else 0
        height = draw.randint(lowest, 4) * draw.choice([1, unit])
        return draw.randrange(nodes), draw.randrange(nodes), time, height

    return nodes, [edge() for _ in range(number)]


def simple_cycles(nodes: int, edges: Sequence[Edge]) -> Iterator[list[int]]:
    """Give each simple cycle once, as its edges."""
    leaving: list[list[int]] = [[] for _ in range(nodes)]
    for place, edge in enumerate(edges):
        leaving[edge[0]].append(place)

    def ways(root: int, node: int, way: list[int], seen: set[int]) -> Iterator[list[int]]:
        for place in leaving[node]:
            target = edges[place][1]
            if target == root:
                yield [*way, place]
            elif target > root and target not in seen:
                yield from ways(root, target, [*way, place], seen | {target})

    for root in range(nodes):
        yield from ways(root, root, [], {root})


def totals(edges: Sequence[Edge], cycle: Sequence[int]) -> tuple[int, int]:
    """Check that edges make a cycle; give its time and height."""
    for place, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        assert edges[place][1] == edges[following][0]
    return sum(edges[place][2] for place in cycle), sum(edges[place][3] for place in cycle)


def ratios(nodes: int, edges: Sequence[Edge]) -> tuple[Fraction | None, bool]:
    """Give the largest ratio of a cycle that advances, and whether one has no finite ratio."""
    sums = [totals(edges, cycle) for cycle in simple_cycles(nodes, edges)]
    stuck = any(height < 0 or (height == 0 and time > 0) for time, height in sums)
    return max((Fraction(*pair) for pair in sums if pair[1] > 0), default=None), stuck


def weights(edges: Sequence[Edge], ratio: Fraction) -> list[int]:
    """Tell what edges ask for at a ratio."""
    return [ratio.denominator * edge[2] - ratio.numerator * edge[3] for edge in edges]


def earliest(nodes: int, edges: Sequence[Edge], ratio: Fraction) -> list[int]:
    """Raise starts from 0 until all edges are satisfied."""
    starts, changed = [0] * nodes, True
    while changed:
        changed = False
        for (source, target, _, _), weight in zip(edges, weights(edges, ratio), strict=True):
            if starts[source] + weight > starts[target]:
                starts[target], changed = starts[source] + weight, True
    return starts


def greatest_mean(nodes: int, edges: Sequence[Edge]) -> Fraction:
    """Give the greatest mean time of an edge over all cycles of a strongly connected graph.

    Karp, "A characterization of the minimum cycle mean in a digraph", Discrete Mathematics 23, 1978.
    """
    longest: list[list[int | None]] = [[0] + [None] * (nodes - 1)]
    for _ in range(nodes):
        before = longest[-1]
        now: list[int | None] = [None] * nodes
        for source, target, time, _ in edges:
            way, best = before[source], now[target]
            if way is not None and (best is None or best < way + time):
                now[target] = way + time
        longest.append(now)
    return max(
        min(
            Fraction(end - way, nodes - k)
            for k, row in enumerate(longest[:-1])
            if (way := row[node]) is not None
        )
        for node, end in enumerate(longest[-1])
        if end is not None
    )
