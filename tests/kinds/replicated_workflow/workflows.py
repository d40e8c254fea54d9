"""Published workflows, and random ones."""

import random
from collections.abc import Mapping, Sequence
from math import lcm
from typing import Any


def workflow(
    stages: Mapping[str, Sequence[Any]],
    files: Mapping[str, Sequence[Sequence[Any]]],
    ports: str = "one_port",
    **more: Any,
) -> dict[str, Any]:
    """Write a body: times of each stage's task on its processors, of files ``"k l"`` by sender.

    Processor j of stage k is ``k.j``; files have size 1.
    """
    names = {task: [f"{task}.{j}" for j in range(len(times))] for task, times in stages.items()}
    pairs = {file: file.split() for file in files}
    links: dict[tuple[str, str], Any] = {}
    for file, table in files.items():
        source, target = pairs[file]
        for a, row in zip(names[source], table, strict=True):
            for b, time in zip(names[target], row, strict=True):
                links[a, b] = time
    return {
        "problem": {
            "kind": "replicated_workflow",
            "platform": {
                "processors": [{"id": name} for listed in names.values() for name in listed],
                "links": [
                    {"source": a, "target": b, "unit_time": time, "duplex": "simplex"}
                    for (a, b), time in links.items()
                ],
            },
            "application": {
                "tasks": [
                    {"id": task, "times": dict(zip(names[task], times, strict=True))}
                    for task, times in stages.items()
                ],
                "files": [
                    {"source": source, "target": target, "size": 1}
                    for source, target in pairs.values()
                ],
            },
            "ports": ports,
            "mapping": [{"tasks": [task], "processors": listed} for task, listed in names.items()],
            "method": "evaluate",
            **more,
        }
    }


def example_a(ports: str) -> dict[str, Any]:
    """Example A of the source, section 6.2.4 (processors by their labels there)."""
    return workflow(
        {"S1": [22], "S2": [147, 128], "S3": [73, 73, 73], "S4": [67]},
        {
            "S1 S2": [[186, 192]],
            "S2 S3": [[57, 68, 77], [13, 157, 165]],
            "S3 S4": [[23], [67], [73]],
        },
        ports,
    )


def example_b() -> dict[str, Any]:
    """Example B of the source: no resource is critical."""
    few, many = 100, 1000
    return workflow(
        {"S1": [0] * 3, "S2": [0] * 4},
        {"S1 S2": [[few, few, many, many], [many, many, many, few], [many, few, few, many]]},
    )


def skip_edge() -> dict[str, Any]:
    """A file from the first stage to the last waits behind one that goes by the second."""
    return workflow({"a": [4], "b": [4], "c": [1]}, {"a b": [[3]], "b c": [[3]], "a c": [[1]]})


def random_workflow(
    rng: random.Random,
    ports: str,
    *,
    most_stages: int = 4,
    most_copies: int = 4,
    chain: bool = False,
    most_rows: int = 24,
) -> dict[str, Any]:
    """Draw a chain or another acyclic graph; some of what it does takes no time."""
    while True:
        m = rng.randint(1, most_stages)
        copies = [rng.randint(1, most_copies) for _ in range(m)]
        if lcm(*copies) <= most_rows:
            break
    idle = rng.choice((0, 0.3))

    def time() -> Any:
        if rng.random() < idle:
            return 0
        return rng.choice((rng.randint(1, 9), f"{rng.randint(1, 9)}/{rng.randint(1, 4)}"))

    def link() -> Any:
        return rng.choice((rng.randint(1, 9), f"{rng.randint(1, 9)}/{rng.randint(1, 4)}"))

    names = [f"t{k}" for k in range(m)]
    pairs = [(k, k + 1) for k in range(m - 1)]
    if not chain:
        pairs = [(k, l) for k in range(m) for l in range(k + 1, m) if rng.random() < 0.6]
        rng.shuffle(pairs)
    body = workflow(
        {names[k]: [time() for _ in range(copies[k])] for k in range(m)},
        {
            f"{names[k]} {names[l]}": [[link() for _ in range(copies[l])] for _ in range(copies[k])]
            for k, l in pairs
        },
        ports,
    )
    problem = body["problem"]
    if not chain:
        for file in problem["application"]["files"]:
            file["size"] = rng.choice((0, 1, 1, "1/2"))
        rng.shuffle(problem["mapping"])
        rng.shuffle(problem["application"]["tasks"])
    tasks = problem["application"]["tasks"]
    if all(time == 0 for task in tasks for time in task["times"].values()):
        task = rng.choice(tasks)
        task["times"][rng.choice([*task["times"]])] = 1
    return body
