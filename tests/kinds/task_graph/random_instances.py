"""Small random instances of many shapes, the same for the same seed."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

from steadygrid.domain.job import Options
from steadygrid.kinds.task_graph import PROBLEM
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance

Pairs = list[tuple[int, int]]


def in_tree(random: Random) -> tuple[int, Pairs]:
    number = random.randint(2, 5)
    return number, [(k, random.randint(k + 1, number - 1)) for k in range(number - 1)]


def out_tree(random: Random) -> tuple[int, Pairs]:
    number = random.randint(2, 5)
    return number, [(random.randint(0, k - 1), k) for k in range(1, number)]


def fork_join(random: Random) -> tuple[int, Pairs]:
    width = random.randint(2, 3)
    return width + 2, [p for k in range(1, width + 1) for p in ((0, k), (k, width + 1))]


def layered(random: Random) -> tuple[int, Pairs]:
    layers: list[list[int]] = []
    number = 0
    for _ in range(random.randint(2, 3)):
        size = random.randint(1, 2)
        layers.append(list(range(number, number + size)))
        number += size
    pairs = [
        (a, b)
        for upper, lower in pairwise(layers)
        for b in lower
        for a in upper
        if random.random() < 0.8
    ]
    return number, pairs


def mesh(random: Random) -> tuple[int, Pairs]:
    rows, columns = random.choice([(2, 2), (2, 3), (3, 2)])
    return grid(rows, columns)


def grid(rows: int, columns: int) -> tuple[int, Pairs]:
    at = [[row * columns + column for column in range(columns)] for row in range(rows)]
    pairs = [(at[r][c], at[r][c + 1]) for r in range(rows) for c in range(columns - 1)]
    pairs += [(at[r][c], at[r + 1][c]) for r in range(rows - 1) for c in range(columns)]
    return rows * columns, pairs


def skipping(random: Random) -> tuple[int, Pairs]:
    """Any graph: several sources and sinks, files that skip layers, separate parts."""
    number = random.randint(1, 5)
    return number, [
        (a, b) for a in range(number) for b in range(a + 1, number) if random.random() < 0.5
    ]


SHAPES = {
    shape.__name__: shape for shape in (in_tree, out_tree, fork_join, layered, mesh, skipping)
}


def times(random: Random, able: Sequence[str]) -> dict[str, str]:
    return {name: f"{random.randint(0, 6)}/{random.randint(1, 2)}" for name in able}


def link(random: Random, source: str, target: str, duplex: Sequence[str]) -> dict[str, Any]:
    return {
        "source": source,
        "target": target,
        "unit_time": f"{random.randint(1, 4)}/{random.randint(1, 3)}",
        "duplex": random.choice(duplex),
    }


def _shuffled(random: Random, a: str, b: str) -> tuple[str, str]:
    return (a, b) if random.random() < 0.5 else (b, a)


def shared_places(
    random: Random, number: int
) -> tuple[list[str], list[dict[str, str]], list[dict[str, Any]]]:
    """Let tasks share a few processors, maybe over a router, maybe not all connected."""
    ids = [f"P{i}" for i in range(random.randint(2, 3 - number // 6))]
    tasks = [
        times(random, random.sample(ids, random.choice([1, len(ids), len(ids)])))
        for _ in range(number)
    ]
    ids += random.choice([[], [], ["R"], ["S"]])
    likely = random.choice([0.4, 0.7, 1.0])
    links = [
        link(random, *_shuffled(random, a, b), ["full", "full", "simplex", "half"])
        for i, a in enumerate(ids)
        for b in ids[:i]
        if random.random() < likely
    ]
    return ids, tasks, links


def own_places(
    random: Random, number: int, pairs: Pairs
) -> tuple[list[str], list[dict[str, str]], list[dict[str, Any]]]:
    """Give each task two processors of its own, and each file links that pair them.

    Around a cycle of files the pairs often disagree: then only a further, slow link lets all
    files of one instance travel, if there is one.
    """
    links = []
    for a, b in pairs:
        here, there = ("a", "b"), random.sample("ab", 2)
        for s, t in zip(here, there, strict=True):
            links.append(link(random, f"P{a}{s}", f"P{b}{t}", ["simplex"]))
        if random.random() < 0.3:
            slow = link(random, f"P{a}a", f"P{b}{there[1]}", ["simplex"])
            links.append(slow | {"unit_time": random.randint(4, 9)})
    able = [[f"P{k}{s}" for s in "ab"] for k in range(number)]
    return [p for row in able for p in row], [times(random, row) for row in able], links


def random_instance(shape: str, seed: int) -> TaskGraphInstance:
    """Draw an instance without faults; with odd seeds one where the places exclude each other."""
    random = Random(f"{shape} {seed}")
    while True:
        number, pairs = SHAPES[shape](random)
        if seed % 2:
            ids, tasks, links = own_places(random, number, pairs)
        else:
            ids, tasks, links = shared_places(random, number)
        processors: list[dict[str, Any]] = []
        for name in ids:
            processors.append({"id": name, "switch": name == "S"})
            for port in ("bandwidth_in", "bandwidth_out"):
                if random.random() < 0.3:
                    processors[-1][port] = random.randint(1, 3)
        platform: dict[str, Any] = {"processors": processors, "links": links}
        ports = random.choice(["one_port", "multiport"])
        if ports == "multiport" and random.random() < 0.5:
            platform["media"] = [{"id": "M", "bandwidth": random.randint(1, 3)}]
            for some in links:
                some["media"] = ["M"] * random.choice([0, 0, 1, 2])
        files = [
            {
                "source": f"T{a}",
                "target": f"T{b}",
                "size": f"{random.choice([0, 1, 1, 2, 3])}/{random.randint(1, 2)}",
            }
            for a, b in pairs
        ]
        instance = TaskGraphInstance.model_validate(
            {
                "kind": "task_graph",
                "platform": platform,
                "application": {
                    "tasks": [{"id": f"T{k}", "times": row} for k, row in enumerate(tasks)],
                    "files": files,
                },
                "ports": ports,
            }
        )
        if not list(PROBLEM.faults(instance, Options(), ())):
            return instance
