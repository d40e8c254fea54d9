"""Divisible loads on a star: what is proved of the best order where messages have latencies.

Twenty workers, c from 1/10 to 1 and w from 1 to 10; latencies sum to 1/10 to 20 times the makespan
without them.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from benchmarks.measurement import Measurement, stopwatch
from steadygrid.domain.errors import OutOfTime
from workers.problems.divisible_star.one_round import OneRound
from workers.problems.divisible_star.star import Costs, Star
from workers.solving.control import Control

WORKERS, SECONDS = 20, 60.0
LATENCIES = (0.1, 0.5, 1, 2, 5, 20)
"""Their sum, of messages and of computations, over the makespan without any."""


def measure() -> Iterator[Measurement]:
    """Search for the best order, with latencies of all sizes."""
    for latencies in LATENCIES:
        found = OneRound(random_star(1, WORKERS, latencies))
        with stopwatch() as watch:
            complete = _search(found)
        what = f"{WORKERS} workers, latencies {latencies:g} times the makespan: "
        gap = (found.best.makespan - found.bound) / found.bound
        yield Measurement(f"{what}proved gap", float(gap), "", claim=0.02)
        yield Measurement(f"{what}search", watch.seconds, "s", claim=SECONDS)
        if complete:
            yield Measurement(f"{what}last proof", found.nodes, "nodes")


def _search(found: OneRound) -> bool:
    """Search like a job does; tell whether the time was enough."""
    control = Control(SECONDS)
    try:
        found.improve(control.check)
        found.prove(control.check)
    except OutOfTime:
        return False
    return True


def random_star(seed: int, count: int, latencies: float) -> Star:
    """Draw a star."""
    chance = random.Random(seed)
    costs = [(chance.uniform(0.1, 1), chance.uniform(1, 10)) for _ in range(count)]
    rate = 0.0
    for wire, work in sorted(costs, reverse=True):
        rate = (1 + work * rate) / (wire + work)
    mean = latencies / rate / count
    return Star(
        master="M",
        own=None,
        names=[f"P{i}" for i in range(1, count + 1)],
        workers=[
            Costs(
                _short(wire),
                _short(work),
                wire_latency=_short(chance.uniform(0, 2) * mean),
                work_latency=_short(chance.uniform(0, 2) * mean),
            )
            for wire, work in costs
        ],
        two_ports=False,
    )


def _short(value: float) -> Fraction:
    return Fraction(round(value * 10**6), 10**6)
