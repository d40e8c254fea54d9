"""Seeded random platforms, task graphs, trees and bipartite graphs."""

import random
from fractions import Fraction

from steadygrid.domain.application import Application, File, Task
from steadygrid.domain.platform import Link, Platform, Processor
from steadygrid.engine.scheduling.matching import Edge
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance, WorkerTask
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance


def random_platform(
    seed: int, num_processors: int = 1_000, num_links: int = 6_000
) -> MasterWorkerInstance:
    """Draw a connected platform with arbitrary speeds under the one-port model.

    A random tree from the master, then simplex links between random pairs: `num_links`
    directions in all. Unit times of processors are 10 to 1,000 in steps of 1/10, of links 1/100
    to 10 in steps of 1/100, so that neither the master's port nor the workers alone decide.
    """
    draw = random.Random(seed)
    processors = tuple(
        Processor(id=f"P{i}", unit_time=Fraction(draw.randint(100, 10_000), 10))
        for i in range(num_processors)
    )
    pairs = {(draw.randrange(i), i): None for i in range(1, num_processors)}
    while len(pairs) < num_links:
        source, target = draw.randrange(num_processors), draw.randrange(num_processors)
        if source != target:
            pairs[source, target] = None
    links = tuple(
        Link(
            source=f"P{source}",
            target=f"P{target}",
            unit_time=Fraction(draw.randint(1, 1_000), 100),
            duplex="simplex",
        )
        for source, target in pairs
    )
    return MasterWorkerInstance(
        kind="master_worker",
        platform=Platform(processors=processors, links=links),
        master="P0",
        task=WorkerTask(work=Fraction(1)),
        method="lp",
    )


def random_task_graph(
    seed: int, num_tasks: int, num_processors: int, width: int
) -> TaskGraphInstance:
    """Draw a task graph of at most the given width on a connected platform, one-port.

    Each task takes files from some of the `width` tasks before it. Three links for each
    processor; all tasks run everywhere, at speeds that differ by up to fifty times.
    """
    draw = random.Random(seed)
    pairs = {(draw.randrange(i), i): None for i in range(1, num_processors)}
    most = num_processors * (num_processors - 1) // 2
    while len(pairs) < min(3 * num_processors, most):
        first, second = sorted(draw.sample(range(num_processors), 2))
        pairs[first, second] = None
    platform = Platform(
        processors=tuple(
            Processor(id=f"P{i}", unit_time=Fraction(draw.randint(1, 10), draw.randint(1, 5)))
            for i in range(num_processors)
        ),
        links=tuple(
            Link(source=f"P{i}", target=f"P{j}", unit_time=Fraction(draw.randint(1, 9), 10))
            for i, j in pairs
        ),
    )
    files = []
    for k in range(1, num_tasks):
        before = range(max(0, k - width), k)
        for source in sorted(draw.sample(before, draw.randint(1, len(before)))):
            size = Fraction(draw.randint(1, 10))
            files.append(File(source=f"T{source}", target=f"T{k}", size=size))
    tasks = tuple(Task(id=f"T{k}", work=Fraction(draw.randint(1, 20))) for k in range(num_tasks))
    return TaskGraphInstance(
        kind="task_graph",
        platform=platform,
        application=Application(tasks=tasks, files=tuple(files)),
    )


def random_fork_join(seed: int) -> TaskGraphInstance:
    """Draw a fork-join in which joins matter.

    Each task has two processors of its own, each file two links that pair them, and now and
    then a slow third one: around the graph the pairs often disagree.
    """
    draw = random.Random(seed)
    branches = draw.randint(2, 3)
    names = ["fork", *(f"B{b}" for b in range(branches)), "join"]
    places = {name: [f"{name}-{copy}" for copy in range(2)] for name in names}
    tasks = tuple(
        Task(id=name, times={place: Fraction(draw.randint(1, 4)) for place in places[name]})
        for name in names
    )
    files = tuple(
        File(source=source, target=target, size=Fraction(draw.randint(1, 3)))
        for branch in names[1:-1]
        for source, target in (("fork", branch), (branch, "join"))
    )
    links: list[Link] = []
    for file in files:
        here, there = places[file.source], draw.sample(places[file.target], 2)
        ends = [*zip(here, there, strict=True), (here[0], there[1])]
        for (one, other), slowness in zip(ends[: draw.randint(2, 3)], (1, 1, 6), strict=False):
            time = Fraction(slowness * draw.randint(1, 3))
            links.append(Link(source=one, target=other, unit_time=time, duplex="simplex"))
    return TaskGraphInstance(
        kind="task_graph",
        platform=Platform(
            processors=tuple(Processor(id=place) for name in names for place in places[name]),
            links=tuple(links),
        ),
        application=Application(tasks=tasks, files=files),
    )


def random_tree(
    seed: int, size: int, distinct: int | None
) -> tuple[list[int], list[Fraction], list[Fraction | None]]:
    """Draw a random recursive tree: parents, link times and compute times.

    Processors are slow enough, against their links, that a good part of the tree has work.

    Parameters
    ----------
    seed, size
        Each node's parent is drawn among the nodes before it.
    distinct
        How many different link times and compute times there are; None: all arbitrary.
    """
    draw = random.Random(seed)

    def weights(least: int, most: int) -> list[Fraction]:
        def weight() -> Fraction:
            return Fraction(draw.randint(least, most), draw.randint(1, 100))

        if distinct is None:
            return [weight() for _ in range(size)]
        palette = [weight() for _ in range(distinct)]
        return [palette[draw.randrange(distinct)] for _ in range(size)]

    parents = [-1, *(draw.randrange(i) for i in range(1, size))]
    computes: list[Fraction | None] = list(weights(10 * size, 100 * size))
    return parents, weights(1, 1_000), computes


def random_transfers(
    seed: int, num_edges: int = 10_000, num_processors: int = 200, digits: int = 30
) -> list[Edge]:
    """Draw a bipartite multigraph whose weights have so many digits."""
    draw = random.Random(seed)
    return [
        Edge(draw.randrange(num_processors), draw.randrange(num_processors), weight)
        for weight in (_long_integer(draw, digits) for _ in range(num_edges))
    ]


def saturated_transfers(
    seed: int, num_edges: int = 10_000, num_processors: int = 200, digits: int = 30
) -> list[Edge]:
    """Draw such a graph in which every processor sends and receives for the whole time.

    The weights start as those of permutations, one weight each; then random amounts move
    along random cycles of length four, which keeps all degrees and makes the weights differ.
    """
    draw = random.Random(seed)
    weights: dict[tuple[int, int, int], int] = {}
    for layer in range(num_edges // num_processors):
        receivers = draw.sample(range(num_processors), num_processors)
        weight = _long_integer(draw, digits)
        for sender, receiver in enumerate(receivers):
            weights[layer, sender, receiver] = weight
    by_sender: list[list[tuple[int, int, int]]] = [[] for _ in range(num_processors)]
    by_ends: dict[tuple[int, int], tuple[int, int, int]] = {}
    for edge in weights:
        by_sender[edge[1]].append(edge)
        by_ends[edge[1:]] = edge
    for sender, edges in enumerate(by_sender):
        for first in edges:
            other = draw.choice(edges)
            rival = draw.randrange(num_processors)
            third, fourth = by_ends.get((rival, other[2])), by_ends.get((rival, first[2]))
            if rival == sender or first[2] == other[2] or third is None or fourth is None:
                continue
            amount = draw.randrange(min(weights[first], weights[third]))
            for edge, change in (
                (first, -amount),
                (third, -amount),
                (other, amount),
                (fourth, amount),
            ):
                weights[edge] += change
    return [Edge(sender, receiver, weight) for (_, sender, receiver), weight in weights.items()]


def _long_integer(draw: random.Random, digits: int) -> int:
    return draw.randint(10 ** (digits - 1), 10**digits - 1)
