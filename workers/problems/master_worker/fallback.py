"""What can be said without the program's optimum: a feasible schedule and a valid bound.

Used when the time is over. Both are exact: the rates satisfy every capacity, and the prices,
whatever they are, are scaled until no path costs less than 1, which makes their sum a bound.
"""

import heapq
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple, TypeVar

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Arc, arc_uses
from steadygrid.domain.resources import compute_resource, out_resource, send_resource
from steadygrid.domain.rounding import leading_bits, rounded_down, rounded_up
from steadygrid.problems.master_worker.schemas import MasterWorkerInstance
from steadygrid.problems.master_worker.sizing import Reach
from workers.problems.master_worker.rates import Rates

_BITS = 40
"""Rates and prices are rounded to so many of their bits, and free capacities to twice as many,
always to the safe side: sums of thousands of different fractions would grow without end."""


def greedy_rates(
    instance: MasterWorkerInstance,
    *,
    same_way_back: bool = False,
    enough: Callable[[], bool] = lambda: False,
) -> Rates:
    """Serve the workers one after the other over fastest paths, nearest first.

    O((arcs + processors * depth) log processors). The rates are feasible, seldom optimal.

    Parameters
    ----------
    enough
        Asked before each worker; the rest of them get nothing once it is true.
    same_way_back
        Send output files back along the way of the input, and leave out the workers where
        some link of it is one-way: the links used are then a tree.
    """
    reach = Reach.of(instance)
    free: dict[str, Fraction] = {}
    times = {arc.index: float(arc.unit_time) for arc in (*reach.input_arcs, *reach.output_arcs)}
    ways_in = _cheapest(instance, reach.input_arcs, times, 0.0, forwards=True)
    ways_out = _cheapest(instance, reach.output_arcs, times, 0.0, forwards=False)
    computed: dict[int, Fraction] = {}
    sent: tuple[Amounts[int], Amounts[int]] = (Amounts(), Amounts())
    for worker in sorted(reach.workers, key=lambda i: (ways_in[i][0], i)):
        way_in = _arcs_of(worker, ways_in, forwards=True)
        if enough():
            break
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
        most = min(
            (free.get(r, Fraction(1)) / use for r, use in usage.items()), default=Fraction(0)
        )
        rate = leading_bits(most, _BITS + 1)
        if not rate:
            continue
        computed[worker] = rate
        for resource, use in usage.items():
            left = free.get(resource, Fraction(1)) - use * rate
            free[resource] = rounded_down(left, 2 * _BITS)
        for flow, way in zip(sent, (way_in, way_out), strict=True):
            for arc in way:
                flow[arc.index] += rate
    return Rates(computed, *sent)


def _usage(
    instance: MasterWorkerInstance, worker: int, way_in: Sequence[Arc], way_out: Sequence[Arc]
) -> dict[str, Fraction]:
    """Give the time that one task takes on each resource; resources that it is free on left out."""
    usage: Amounts[str] = Amounts()
    time = instance.compute_times[worker]
    if time:
        usage[compute_resource(instance.platform.processors[worker].id)] = time
    for way, size in ((way_in, instance.task.input_size), (way_out, instance.task.output_size)):
        for arc in way if size else ():
            for resource, per_data in arc_uses(instance.platform, arc, instance.ports):
                usage[resource] += size * per_data
    return usage


Number = TypeVar("Number", int, float)


def _cheapest(
    instance: MasterWorkerInstance,
    arcs: Sequence[Arc],
    costs: Mapping[int, Number],
    zero: Number,
    *,
    forwards: bool,
) -> dict[int, tuple[Number, Arc | None]]:
    """Dijkstra's algorithm from the master, or towards it: distance and first arc on the way."""
    master = instance.platform.index_by_id[instance.master]
    at: dict[int, list[Arc]] = {}
    for arc in arcs:
        at.setdefault(arc.source if forwards else arc.target, []).append(arc)
    best: dict[int, tuple[Number, Arc | None]] = {master: (zero, None)}
    done: set[int] = set()
    heap = [(zero, master)]
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


def _arcs_of(
    worker: int, ways: Mapping[int, tuple[object, Arc | None]], *, forwards: bool
) -> list[Arc]:
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
    ways = _Ways(instance, reach)
    everything = dict.fromkeys(ways.resources(), 1.0)
    cuts = (_cut_at_master(instance, reach, ports=ports) for ports in (True, False))
    candidates = [_exactly(guess) for guess in (*guesses, everything, *cuts)]
    candidates.append(
        {
            compute_resource(ids[i]): rounded_up(1 / time, _BITS)
            for i in reach.workers
            if (time := times[i])
        }
    )
    # Doubles choose, whole numbers prove: one exact search instead of one for each.
    rough = [ways.roughly(prices) for prices in candidates]
    estimates = [
        float(sum(prices.values())) / least if least else math.inf
        for prices, least in zip(candidates, rough, strict=True)
    ]
    best = min(range(len(candidates)), key=estimates.__getitem__)
    prices = candidates[best]
    if not rough[best]:
        raise ValueError("no prices bound the throughput of this instance")
    least = ways.at_least(prices, rough[best])
    return (
        sum(prices.values(), Fraction(0)) / least,
        {resource: price / least for resource, price in prices.items()},
    )


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
    return send_resource(processor), out_resource(processor)


def _exactly(guess: Mapping[str, float]) -> dict[str, Fraction]:
    finite = {r: price for r, price in guess.items() if math.isfinite(price) and price > 0}
    scale = max(finite.values(), default=1.0)
    rounded = {
        r: Fraction(round(price / scale * 2**_BITS), 1 << _BITS) for r, price in finite.items()
    }
    return {r: price for r, price in rounded.items() if price}


class _Time(NamedTuple):
    """The time that one task takes on a resource, as a double and exactly."""

    resource: str
    rough: float
    numerator: int
    denominator: int


class _Ways:
    """All ways of doing one task, and what each step takes of which resource."""

    def __init__(self, instance: MasterWorkerInstance, reach: Reach) -> None:
        self._instance = instance
        self._reach = reach
        task = instance.task
        self._there = self._times_of_arcs(reach.input_arcs, task.input_size)
        self._back = self._times_of_arcs(reach.output_arcs, task.output_size)
        ids = [processor.id for processor in instance.platform.processors]
        times = instance.compute_times
        self._here = {
            i: [_time(compute_resource(ids[i]), Fraction(1), times[i] or Fraction(0))]
            for i in reach.workers
        }

    def _times_of_arcs(self, arcs: Sequence[Arc], size: Fraction) -> dict[int, list[_Time]]:
        platform, ports = self._instance.platform, self._instance.ports
        return {
            arc.index: [_time(r, size, time) for r, time in arc_uses(platform, arc, ports)]
            for arc in arcs
        }

    def resources(self) -> set[str]:
        """Name every resource that a task may take time on."""
        steps = chain(self._there.values(), self._back.values(), self._here.values())
        return {time.resource for step in steps for time in step if time.numerator}

    def roughly(self, prices: Mapping[str, Fraction]) -> float:
        """Price the cheapest way of doing one task at all."""
        rough = {resource: float(price) for resource, price in prices.items()}

        def cost(times: Sequence[_Time]) -> float:
            return sum(rough[t.resource] * t.rough for t in times if t.resource in rough)

        return self._least(cost, 0.0)

    def at_least(self, prices: Mapping[str, Fraction], rough: float) -> Fraction:
        """Give a cost that no way of doing one task goes below, within 2^-60 or so of the least.

        Parameters
        ----------
        prices
            Multiples of ``2**-_BITS``.
        rough
            About the least cost.
        """
        scale = 2 ** (_BITS + max(0, 60 - math.frexp(rough)[1]))
        whole = {r: price.numerator * scale // price.denominator for r, price in prices.items()}

        def cost(times: Sequence[_Time]) -> int:
            return sum(
                whole[t.resource] * t.numerator // t.denominator
                for t in times
                if t.resource in whole
            )

        return Fraction(self._least(cost, 0), scale)

    def _least(self, cost: Callable[[Sequence[_Time]], Number], zero: Number) -> Number:
        there = self._distances(self._reach.input_arcs, self._there, cost, zero, forwards=True)
        if not self._instance.task.output_size:
            return min(there[i][0] + cost(here) for i, here in self._here.items())
        back = self._distances(self._reach.output_arcs, self._back, cost, zero, forwards=False)
        return min(there[i][0] + cost(here) + back[i][0] for i, here in self._here.items())

    def _distances(
        self,
        arcs: Sequence[Arc],
        times: Mapping[int, Sequence[_Time]],
        cost: Callable[[Sequence[_Time]], Number],
        zero: Number,
        *,
        forwards: bool,
    ) -> dict[int, tuple[Number, Arc | None]]:
        costs = {index: cost(taken) for index, taken in times.items()}
        return _cheapest(self._instance, arcs, costs, zero, forwards=forwards)


def _time(resource: str, size: Fraction, per_data: Fraction) -> _Time:
    numerator = size.numerator * per_data.numerator
    denominator = size.denominator * per_data.denominator
    return _Time(resource, numerator / denominator, numerator, denominator)
