"""Fixed routing against free routing: a whole job, on platforms where all hosts compute.

Both are asked one after the other of `steadygrid.solve`, whose process is kept, so the ratio does not
depend on the machine's mood as seconds do. Of three rounds the least of each counts.
"""

import random
from collections.abc import Iterator
from typing import Any

import steadygrid
from benchmarks.measurement import Measurement, stopwatch

HOSTS = (250, 500, 1_000, 2_000, 5_000)
ROUNDS = 3
CLAIM = 1.5


def measure() -> Iterator[Measurement]:
    """Solve each platform under both routings."""
    steadygrid.solve(meshed_hosts(10, routing="fixed"))
    for count in HOSTS:
        seconds = {
            routing: min(
                _solve_seconds(meshed_hosts(count, routing=routing)) for _ in range(ROUNDS)
            )
            for routing in ("free", "fixed")
        }
        what = f"{count:,} hosts, {2 * count:,} links, multiport: "
        for routing, least in seconds.items():
            yield Measurement(f"{what}{routing}", least, "s")
        ratio = seconds["fixed"] / seconds["free"]
        yield Measurement(f"{what}fixed / free", ratio, "times", claim=CLAIM)


def _solve_seconds(body: dict[str, Any]) -> float:
    with stopwatch() as watch:
        outcome = steadygrid.solve(body).result.outcome
    if outcome != "optimal":
        raise ArithmeticError(f"the outcome is {outcome}")
    return watch.seconds


def meshed_hosts(count: int, *, routing: str, seed: int = 1) -> dict[str, Any]:
    """Draw hosts in a tree of near neighbours, and as many links again between any two.

    Parameters
    ----------
    count
        Hosts; all compute, in 1 to 100 time units a task.
    routing
        ``free`` or ``fixed``.
    seed
        Of the drawing.
    """
    draw = random.Random(seed)
    processors = [{"id": f"N{i}", "unit_time": draw.randint(1, 100)} for i in range(count)]
    pairs = {(draw.randrange(max(0, i - 20), i), i): None for i in range(1, count)}
    while len(pairs) < 2 * count:
        first, second = sorted(draw.sample(range(count), 2))
        pairs[first, second] = None
    links = [
        {"source": f"N{i}", "target": f"N{j}", "unit_time": f"{draw.randint(1, 30)}/10"}
        for i, j in pairs
    ]
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {"processors": processors, "links": links},
            "master": "N0",
            "ports": "multiport",
            "routing": routing,
            "task": {"work": 1},
        }
    }
