"""The largest ratio of a cycle, from nothing and from the policy of a similar graph."""

from collections.abc import Iterator

import numpy as np

from benchmarks.measurement import Measurement, peak_gigabytes, stopwatch
from steadygrid.engine.cycles.graph import Graph
from steadygrid.engine.cycles.ratio import critical, least_starts

LARGEST_TIME = 1_000


def torus(seed: int, turns: int) -> Graph:
    """Make the graph of files between two stages: ``turns * (turns + 1)`` operations.

    Each waits for the one before it at its sender and at its receiver, so critical cycles are long.
    """
    draw = np.random.default_rng(seed)
    rows, columns = turns, turns + 1
    place = np.arange(rows * columns)
    row, column = np.divmod(place, columns)
    times = draw.integers(1, LARGEST_TIME, len(place))
    return Graph(
        len(place),
        np.concatenate((place, place)),
        np.concatenate(
            ((row + 1) % rows * columns + column, row * columns + (column + 1) % columns)
        ),
        np.concatenate((times, times)),
        np.concatenate((row == rows - 1, column == columns - 1)).astype(np.int64),
    )


def scattered(seed: int, num_edges: int, unit: int = 1) -> Graph:
    """Draw edges among a third as many nodes, on one long cycle, with heights of both signs.

    A `unit` above 1 makes times and heights too large for 64 bits.
    """
    draw = np.random.default_rng(seed)
    nodes = num_edges // 3
    ring = np.arange(nodes)
    more = num_edges - nodes
    sources = np.concatenate((ring, draw.integers(0, nodes, more)))
    targets = np.concatenate(((ring + 1) % nodes, draw.integers(0, nodes, more)))
    offsets = draw.integers(0, 1_000, nodes)
    times = draw.integers(0, LARGEST_TIME, num_edges)
    heights = draw.integers(1, 10, num_edges) + offsets[targets] - offsets[sources]
    if unit == 1:
        return Graph(nodes, sources, targets, times, heights)
    rest = draw.integers(0, 2**60, num_edges)
    return Graph(
        nodes,
        sources,
        targets,
        [time * unit + extra for time, extra in zip(times.tolist(), rest.tolist(), strict=True)],
        [height * unit for height in heights.tolist()],
    )


def rings(nodes: int, leave: bool) -> Graph:
    """Make a loop, and a slower ring whose nodes can leave for the loop, or cannot.

    The last node gains most by leaving; each other one gains less than the one before it.
    """
    ring = np.arange(nodes)
    last = ring == nodes - 1
    out = ring if leave else ring[:0]
    return Graph(
        nodes + 1,
        np.concatenate((ring, out, [nodes])),
        np.concatenate(((ring + 1) % nodes, np.full(len(out), nodes), [nodes])),
        np.concatenate(
            (np.ones_like(ring), np.where(last, 5 * nodes, 2 * (nodes - ring))[out], [10 * nodes])
        ),
        np.concatenate((last.astype(np.int64), np.zeros_like(out), [1])),
    )


def measure() -> Iterator[Measurement]:
    """Search graphs of 10^5 and 10^6 edges, cold and warm, and make their schedules earliest."""
    graphs = (
        ("two stages, 10^5 edges", torus(0, 223), 3.0),
        ("scattered, 10^5 edges", scattered(0, 100_000), 2.0),
        ("scattered, 10^5 edges, numbers of 83 bits", scattered(0, 100_000, 10**20), 5.0),
        ("two stages, 10^6 edges", torus(0, 707), 60.0),
        ("scattered, 10^6 edges", scattered(0, 1_000_000), 20.0),
    )
    for what, graph, claim in graphs:
        with stopwatch() as cold:
            found = critical(graph)
        rounds = found.statistics.policy_rounds
        yield Measurement(f"{what}: {rounds} policies", cold.seconds, "s", claim=claim)
        with stopwatch() as warm:
            critical(graph, policy=found.policy)
        yield Measurement(f"{what}: from the last policy", warm.seconds, "s")
        with stopwatch() as least:
            least_starts(graph, found)
        yield Measurement(f"{what}: least starts", least.seconds, "s")
    alone, joined = (_least_seconds(rings(10_000, leave)) for leave in (False, True))
    what = "a ring of 10^4 nodes, with an edge of each to a loop, over the same without"
    yield Measurement(what, joined / alone, "times", claim=8.0)
    yield Measurement("memory", peak_gigabytes(), "GB")


def _least_seconds(graph: Graph) -> float:
    seconds = []
    for _ in range(5):
        with stopwatch() as watch:
            critical(graph)
        seconds.append(watch.seconds)
    return min(seconds)
