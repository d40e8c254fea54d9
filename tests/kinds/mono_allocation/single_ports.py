"""Instances in which a processor takes part in one transfer at a time, and odd sets decide."""

from random import Random
from typing import Any

from tests.kinds.mono_allocation.drawn import drawn

PORTS = ("send_or_receive", "no_overlap")


def triangle(ports: str, **problem: Any) -> dict[str, Any]:
    """A chain of tasks on A, B, C and A again; the third may run on B as well, where it is slow.

    On C, ports are busy for 4 (``no_overlap``: 5), but the three processors together for 6. On B,
    its files go back and forth between A and B, and B computes for 5.
    """
    times = {"a": {"A": "1/2"}, "b": {"B": 1}, "c": {"C": 1, "B": 4}, "d": {"A": "1/2"}}
    return {
        "platform": {
            "processors": [{"id": name} for name in "ABC"],
            "links": [{"source": s, "target": t, "unit_time": 2} for s, t in ("AB", "BC", "CA")],
        },
        "application": {
            "tasks": [{"id": name, "times": listed} for name, listed in times.items()],
            "files": [{"source": s, "target": t, "size": 1} for s, t in ("ab", "bc", "cd")],
        },
        "ports": ports,
        **problem,
    }


def around(seed: int, tasks: int = 4, processors: int = 3, **fields: Any) -> dict[str, Any]:
    """Draw an instance; every other one has light tasks that are tied to few processors."""
    random = Random(seed)
    document = drawn(random, tasks, processors, density=0.8, links=0.9, **fields)
    if seed % 2:
        for k, task in enumerate(document["application"]["tasks"]):
            near = k % processors, (k + 1) % processors
            task["allowed"] = [f"P{i}" for i in near[: 1 + (random.random() < 0.4)]]
            task["work"] = f"1/{random.randint(2, 9)}"
    return document
