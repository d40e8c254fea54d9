"""Divisible loads on a star: what is proved of the best order where messages have latencies.

Twenty workers, c from 1/10 to 1 and w from 1 to 10; latencies sum to 1/10 to 20 times the makespan
without them. And whole items in a given order: a hundred workers, c from 10^-5 to 10^-2 and w from
1 to 10, without latencies and with some that sum to the makespan.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from benchmarks.measurement import Measurement, stopwatch
from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.optimality.item_enumeration import no_items_are_faster
from steadygrid.kinds.divisible_star.replay.star_terms import Times
from steadygrid.kinds.divisible_star.solver.items.answer import rounded
from steadygrid.kinds.divisible_star.solver.items.distribution import deal
from steadygrid.kinds.divisible_star.solver.one_round.one_round import OneRound
from steadygrid.kinds.divisible_star.solver.star.sequence_load import best_part, plan_of
from steadygrid.kinds.divisible_star.solver.star.star import Costs, Star

WORKERS, SECONDS = 20, 60.0
NUM_ITEMS, ITEM_WORKERS, ITEM_SECONDS = 10**6, 100, 5.0
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
    for latencies in (0, 1):
        yield from _deal_items(latencies)


def _deal_items(latencies: float) -> Iterator[Measurement]:
    """Deal out items in the order by link time, and let the referee repeat that nothing is faster."""
    star = random_star(2, ITEM_WORKERS, latencies, (1e-5, 1e-2))
    by_link_time = sorted(star.workers, key=lambda costs: costs.wire)
    star = replace(star, workers=by_link_time)
    with stopwatch() as watch:
        best, _ = best_part(star, tuple(range(ITEM_WORKERS)))
        dealt = deal(star, NUM_ITEMS, rounded(plan_of(star, best), NUM_ITEMS))
    what = (
        f"{ITEM_WORKERS} workers, {NUM_ITEMS:,} items, latencies {latencies:g} times the makespan: "
    )
    yield Measurement(f"{what}search", watch.seconds, "s", claim=ITEM_SECONDS)
    yield Measurement(f"{what}last proof", dealt.nodes, "states")
    times = [
        Times(one.wire, one.work, one.back, one.wire_latency, one.work_latency, one.back_latency)
        for one in by_link_time
    ]
    with stopwatch() as watch:
        proved = no_items_are_faster(times, None, NUM_ITEMS, dealt.makespan, given_order=True)
    assert proved
    yield Measurement(f"{what}referee", watch.seconds, "s", claim=ITEM_SECONDS)


def _search(found: OneRound) -> bool:
    """Search like a job does; tell whether the time was enough."""
    control = Control(SECONDS)
    try:
        found.improve(control.check)
        found.prove(control.check)
    except OutOfTime:
        return False
    return True


def random_star(
    seed: int, count: int, latencies: float, wires: tuple[float, float] = (0.1, 1)
) -> Star:
    """Draw a star."""
    chance = random.Random(seed)
    costs = [(chance.uniform(*wires), chance.uniform(1, 10)) for _ in range(count)]
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
