"""What can be said without the program's optimum: a feasible schedule and a valid bound.

Used when the time is over. Both are exact: the rates satisfy every capacity, and the prices,
whatever they are, are scaled until no path costs less than 1, which makes their sum a bound.
"""

import heapq
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from app.domain.platform import Arc, arc_uses, compute_resource
from app.problems.master_worker.schemas import MasterWorkerInstance
from app.problems.master_worker.sizing import Reach
from workers.problems.master_worker.rates import Rates

_GRAIN = 2**40
"""Rates and prices are rounded to this fraction of themselves, and free capacities to its square,
always to the safe side: sums of thousands of different fractions would grow without end."""


def greedy_rates(instance: MasterWorkerInstance, *, same_way_back: bool = False) -> Rates:
    """Serve the workers one after the other over fastest paths, nearest first.

    O((arcs + processors * depth) log processors). The rates are feasible, seldom optimal.

    Parameters
    ----------
    same_way_back
        Send output files back along the way of the input, and leave out the workers where
        some link of it is one-way: the links used are then a tree.
    """
    reach = Reach.of(instance)
    free: dict[str, Fraction] = {}
    times = {arc.index: arc.unit_time for arc in (*reach.input_arcs, *reach.output_arcs)}
    ways_in = _cheapest(instance, reach.input_arcs, times, forwards=True)
    ways_out = _cheapest(instance, reach.output_arcs, times, forwards=False)
    computed: dict[int, Fraction] = {}
    sent: tuple[dict[int, Fraction], dict[int, Fraction]] = ({}, {})
    for worker in sorted(reach.workers, key=lambda i: (ways_in[i][0], i)):
        way_in = _arcs_of(worker, ways_in, forwards=True)
        if not instance.task.output_size:
            way_out = []
        elif same_way_back:
            back = instance.platform.arc_by_ends
            if any((arc.target, arc.source) not in back for arc in way_in):
                continue
            way_out = [back[arc.target, arc.source] for arc in way_in]
        else:
            way_out = _arcs_of(worker, ways_out, forwards=False)
        usage = _usage(instance, worker, way_in, way_out)
        rate = _round_down(
            min((free.get(r, Fraction(1)) / use for r, use in usage.items()), default=Fraction(0))
        )
        if not rate:
            continue
        computed[worker] = rate
        for resource, use in usage.items():
            left = free.get(resource, Fraction(1)) - use * rate
            free[resource] = Fraction(left * _GRAIN**2 // 1, _GRAIN**2)
        for flow, way in zip(sent, (way_in, way_out), strict=True):
            for arc in way:
                flow[arc.index] = flow.get(arc.index, Fraction(0)) + rate
    return Rates(computed, *sent)


def _usage(
    instance: MasterWorkerInstance, worker: int, way_in: Sequence[Arc], way_out: Sequence[Arc]
) -> dict[str, Fraction]:
    """Give the time that one task takes on each resource; resources that it is free on left out."""
    usage: dict[str, Fraction] = {}
    time = instance.compute_times[worker]
    if time:
        usage[compute_resource(instance.platform.processors[worker].id)] = time
    for way, size in ((way_in, instance.task.input_size), (way_out, instance.task.output_size)):
        for arc in way if size else ():
            for resource, per_data in arc_uses(instance.platform, arc, instance.ports):
                usage[resource] = usage.get(resource, Fraction(0)) + size * per_data
    return usage


def _round_down(rate: Fraction) -> Fraction:
    if not rate:
        return rate
    grain = Fraction(2) ** (rate.numerator.bit_length() - rate.denominator.bit_length() - 41)
    return (rate // grain) * grain


Distances = dict[int, tuple[Fraction, Arc | None]]


def _cheapest(
    instance: MasterWorkerInstance,
    arcs: Sequence[Arc],
    costs: Mapping[int, Fraction],
    *,
    forwards: bool,
) -> Distances:
    """Dijkstra's algorithm from the master, or towards it: distance and first arc on the way."""
    master = instance.platform.index_by_id[instance.master]
    at: dict[int, list[Arc]] = {}
    for arc in arcs:
        at.setdefault(arc.source if forwards else arc.target, []).append(arc)
    best: Distances = {master: (Fraction(0), None)}
    done: set[int] = set()
    heap = [(Fraction(0), master)]
    while heap:
        distance, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        for arc in at.get(node, ()):
            other = arc.target if forwards else arc.source
            further = distance + costs[arc.index]
            if other not in best or further < best[other][0]:
                best[other] = (further, arc)
                heapq.heappush(heap, (further, other))
    return best


def _arcs_of(worker: int, ways: Distances, *, forwards: bool) -> list[Arc]:
    way: list[Arc] = []
    node = worker
    while (arc := ways[node][1]) is not None:
        way.append(arc)
        node = arc.source if forwards else arc.target
    return way


def bound_from_prices(
    instance: MasterWorkerInstance, guesses: Sequence[Mapping[str, float]]
) -> tuple[Fraction, dict[str, Fraction]]:
    """Turn guessed prices into proved ones and keep the best.

    Parameters
    ----------
    guesses
        Price by resource; may be anything, negative ones count as 0. Guesses of our own are
        always tried too: computing alone, the master and what leaves it, and every resource
        alike.

    Returns
    -------
    tuple
        The least bound on the throughput, and prices that sum to it at which no path from the
        master over a worker and back costs less than 1.
    """
    reach = Reach.of(instance)
    if not reach.workers:
        return Fraction(0), {}
    ids = [processor.id for processor in instance.platform.processors]
    times = instance.compute_times
    everything = {compute_resource(ids[i]): 1.0 for i in reach.workers if times[i]}
    for arc in (*reach.input_arcs, *reach.output_arcs):
        everything.update(
            (resource, 1.0) for resource, _ in arc_uses(instance.platform, arc, instance.ports)
        )
    cuts = (_cut_at_master(instance, reach, ports=ports) for ports in (True, False))
    candidates = [_exactly(guess) for guess in (*guesses, everything, *cuts)]
    candidates.append(
        {
            compute_resource(ids[i]): Fraction(-(-_GRAIN // time), _GRAIN)
            for i in reach.workers
            if (time := times[i])
        }
    )
    best: tuple[Fraction, dict[str, Fraction]] | None = None
    for prices in candidates:
        least = _least_path_cost(instance, reach, prices)
        if least > 0:
            bound = sum(prices.values(), Fraction(0)) / least
            if best is None or bound < best[0]:
                best = bound, {resource: price / least for resource, price in prices.items()}
    if best is None:
        raise ValueError("no prices bound the throughput of this instance")
    return best


def _cut_at_master(
    instance: MasterWorkerInstance, reach: Reach, *, ports: bool
) -> dict[str, float]:
    """Price what every task needs: the master's time, or a way out of it."""
    master = instance.platform.index_by_id[instance.master]
    prices: dict[str, float] = {}
    if time := instance.compute_times[master]:
        prices[compute_resource(instance.master)] = float(1 / time)
    for arc in reach.input_arcs if instance.task.input_size else ():
        if arc.source != master:
            continue
        uses = arc_uses(instance.platform, arc, instance.ports)
        ported = [use for use in uses if use.resource in _ports_of(instance.master)]
        resource, per_data = (ported or uses)[0] if ports else uses[0]
        price = float(1 / (instance.task.input_size * per_data))
        prices[resource] = max(price, prices.get(resource, 0.0))
    return prices


def _ports_of(processor: str) -> tuple[str, str]:
    return f"{processor}.send", f"{processor}.out"


def _exactly(guess: Mapping[str, float]) -> dict[str, Fraction]:
    finite = {r: price for r, price in guess.items() if math.isfinite(price) and price > 0}
    scale = max(finite.values(), default=1.0)
    rounded = {r: Fraction(round(price / scale * _GRAIN), _GRAIN) for r, price in finite.items()}
    return {r: price for r, price in rounded.items() if price}


def _least_path_cost(
    instance: MasterWorkerInstance, reach: Reach, prices: Mapping[str, Fraction]
) -> Fraction:
    """Price the cheapest way of doing one task at all."""
    nothing = Fraction(0)
    distances = []
    for arcs, size, forwards in (
        (reach.input_arcs, instance.task.input_size, True),
        (reach.output_arcs, instance.task.output_size, False),
    ):
        costs = {
            arc.index: size
            * sum(
                (
                    per_data * prices.get(resource, nothing)
                    for resource, per_data in arc_uses(instance.platform, arc, instance.ports)
                ),
                nothing,
            )
            for arc in arcs
        }
        distances.append(_cheapest(instance, arcs, costs, forwards=forwards))
    way_in, way_out = distances
    return min(
        way_in[i][0]
        + (way_out[i][0] if instance.task.output_size else 0)
        + (instance.compute_times[i] or 0)
        * prices.get(compute_resource(instance.platform.processors[i].id), nothing)
        for i in reach.workers
    )
