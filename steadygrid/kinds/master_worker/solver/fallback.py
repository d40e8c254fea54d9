"""What can be said without the program's optimum: a feasible schedule and a valid bound.

Used when the time is over. Both are exact: the rates satisfy every capacity, and the prices, at any
values, are scaled until no path costs less than 1, which makes their sum a bound.
"""

import heapq
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple, TypeVar

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.components import is_forest
from steadygrid.domain.platform import computing_resource
from steadygrid.domain.resources import out_resource, port_resource, send_resource
from steadygrid.domain.rounding import leading_bits, rounded_down, rounded_up
from steadygrid.engine.scheduling import UnitSlot
from steadygrid.engine.scheduling.workload import unit_slot
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.sizing import Reach
from steadygrid.kinds.master_worker.solver.legs import AnyLeg, Legs
from steadygrid.kinds.master_worker.solver.nearest import AT_LEAST
from steadygrid.kinds.master_worker.solver.rates import Rates

_BITS = 40
"""Rates and prices are rounded to so many of their bits, and free capacities to twice as many,
always to the safe side: sums of thousands of different fractions would grow without end."""


Number = TypeVar("Number", int, float)
CheapestLeg = tuple[float, AnyLeg | None]
"""How far it is, and the leg next to the end."""


def greedy_rates(
    instance: MasterWorkerInstance,
    legs: Legs,
    *,
    same_way_back: bool = False,
    enough: Callable[[], bool] = lambda: False,
) -> Rates:
    """Serve the workers one after the other over fastest paths, nearest first.

    O((legs + processors * depth) log processors). The rates are feasible, seldom optimal. Where
    a processor takes part in one transfer at a time, only as far as ports go.

    Parameters
    ----------
    enough
        Asked before each worker, when the master and the `AT_LEAST` nearest ones have had their
        turn and one of them computes. The rest get nothing once it is true.
    same_way_back
        Send output files back along the route of the input, and leave out the workers where
        some link of it is one-way, or the route back another one: the links used are then a
        tree. With fixed routing, workers whose route would close a cycle are left out, too.
    """
    reach = Reach.from_instance(instance)
    returns = instance.task.output_size > 0
    free: dict[str, Fraction] = {}
    times = {
        leg.index: float(sum(arc.unit_time for arc in legs.arcs(leg.index)))
        for leg in (*legs.input, *legs.output)
    }
    routes_in = _cheapest(instance, legs.input, times, 0.0, forwards=True)
    routes_out = _cheapest(instance, legs.output, times, 0.0, forwards=False)
    used: set[tuple[int, int]] = set()
    computed: dict[int, Fraction] = {}
    sent: tuple[Amounts[int], Amounts[int]] = (Amounts(), Amounts())
    for turn, worker in enumerate(
        _nearest_first(reach, routes_in, routes_out if returns else None)
    ):
        if turn > AT_LEAST and computed and enough():
            break
        route_in = _legs_of(worker, routes_in, forwards=True)
        if not returns:
            route_out = []
        elif same_way_back:
            backwards = [legs.back(leg) for leg in route_in]
            route_out = [leg for leg in backwards if leg is not None]
            arcs = [arc for leg in route_in for arc in legs.arcs(leg.index)]
            crossed = {(arc.source, arc.target) for arc in arcs}
            fixed = legs.routes is not None
            if len(route_out) < len(route_in) or (fixed and not is_forest(used | crossed)):
                continue
            used |= crossed
        else:
            route_out = _legs_of(worker, routes_out, forwards=False)
        usage = _usage(instance, legs, worker, route_in, route_out)
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
        for flow, route in zip(sent, (route_in, route_out), strict=True):
            for leg in route:
                flow[leg.index] += rate
    return Rates(computed, *sent)


def serve_one(instance: MasterWorkerInstance, legs: Legs) -> tuple[Rates, list[UnitSlot]]:
    """Serve the nearest worker alone, one transfer after the other: no two are in conflict.

    Parameters
    ----------
    instance
        Without faults. The master reaches a worker, and data takes time.
    legs
        What files can travel in one go, of this instance.

    Returns
    -------
    tuple
        Feasible rates, and slots that carry them.
    """
    platform, task = instance.platform, instance.task
    flows = legs.input, legs.output
    times = {
        leg.index: float(sum(arc.unit_time for arc in legs.arcs(leg.index)))
        for leg in chain.from_iterable(flows)
    }
    routes_in = _cheapest(instance, legs.input, times, 0.0, forwards=True)
    routes_out = _cheapest(instance, legs.output, times, 0.0, forwards=False)
    others = None if not task.output_size else routes_out
    worker = _nearest_first(Reach.from_instance(instance), routes_in, others)[0]
    paths = (
        _legs_of(worker, routes_in, forwards=True),
        [] if others is None else _legs_of(worker, others, forwards=False),
    )
    busy: Amounts[int] = Amounts()
    for route, size in zip(paths, (task.input_size, task.output_size), strict=True):
        for leg in route if size else ():
            for arc in legs.arcs(leg.index):
                busy[arc.index] += size * arc.unit_time
    usage = _usage(instance, legs, worker, *paths)
    rate = min(1 / use for use in (*usage.values(), sum(busy.values(), Fraction(0))) if use)
    rates = Rates({worker: rate}, *({leg.index: rate for leg in route} for route in paths))
    return rates, [unit_slot(platform, [arc], rate * time) for arc, time in busy.items() if time]


def _nearest_first(
    reach: Reach, routes_in: Mapping[int, CheapestLeg], routes_out: Mapping[int, CheapestLeg] | None
) -> list[int]:
    """Give the workers to which there is a route, and back where results return."""
    reached = (
        i for i in reach.workers if i in routes_in and (routes_out is None or i in routes_out)
    )
    return sorted(reached, key=lambda i: (routes_in[i][0], i))


def _usage(
    instance: MasterWorkerInstance,
    legs: Legs,
    worker: int,
    route_in: Sequence[AnyLeg],
    route_out: Sequence[AnyLeg],
) -> dict[str, Fraction]:
    """Give the time that one task takes on each resource; resources that it is free on left out."""
    usage: Amounts[str] = Amounts()
    time = instance.compute_times[worker]
    if time is not None and time > 0:
        usage[computing_resource(instance.platform.processors[worker].id, instance.ports)] += time
    for route, size in (
        (route_in, instance.task.input_size),
        (route_out, instance.task.output_size),
    ):
        for leg in route if size else ():
            for resource, per_data in legs.uses(leg.index):
                usage[resource] += size * per_data
    return usage


def _cheapest(
    instance: MasterWorkerInstance,
    legs: Sequence[AnyLeg],
    costs: Mapping[int, Number],
    zero: Number,
    *,
    forwards: bool,
) -> dict[int, tuple[Number, AnyLeg | None]]:
    """Dijkstra's algorithm from the master, or towards it: distance and first leg on the route."""
    master = instance.platform.index_by_id[instance.master]
    at: dict[int, list[AnyLeg]] = {}
    for leg in legs:
        at.setdefault(leg.source if forwards else leg.target, []).append(leg)
    best: dict[int, tuple[Number, AnyLeg | None]] = {master: (zero, None)}
    done: set[int] = set()
    heap = [(zero, master)]
    while heap:
        distance, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        for leg in at.get(node, ()):
            other = leg.target if forwards else leg.source
            further = distance + costs[leg.index]
            if other not in best or further < best[other][0]:
                best[other] = (further, leg)
                heapq.heappush(heap, (further, other))
    return best


def _legs_of(
    worker: int, paths: Mapping[int, tuple[object, AnyLeg | None]], *, forwards: bool
) -> list[AnyLeg]:
    route: list[AnyLeg] = []
    node = worker
    while (leg := paths[node][1]) is not None:
        route.append(leg)
        node = leg.source if forwards else leg.target
    return route


def bound_from_prices(
    instance: MasterWorkerInstance, legs: Legs, guesses: Sequence[Mapping[str, float]]
) -> tuple[Fraction, dict[str, Fraction]]:
    """Turn guessed prices into proved ones and keep the best.

    Parameters
    ----------
    guesses
        Price by resource; may be anything, negative ones count as 0. Guesses of steadygrid are
        always tried too: computing alone, the master and what leaves it, and every resource
        alike.

    Returns
    -------
    tuple
        The least bound on the throughput, and prices that sum to it at which no path from the
        master over a worker and back costs less than 1.
    """
    ids = [processor.id for processor in instance.platform.processors]
    times = instance.compute_times
    paths = _TaskPaths(instance, legs)
    if not paths.workers:
        return Fraction(0), {}
    everything = dict.fromkeys(paths.resources(), 1.0)
    cuts = (_cut_at_master(instance, legs, ports=ports) for ports in (True, False))
    candidates = [_exactly(guess) for guess in (*guesses, everything, *cuts)]
    candidates.append(
        {
            computing_resource(ids[i], instance.ports): rounded_up(1 / time, _BITS)
            for i in paths.workers
            if (time := times[i]) is not None and time > 0
        }
    )
    # Doubles choose, whole numbers prove: one exact search instead of one for each.
    rough = [paths.roughly(prices) for prices in candidates]
    estimates = [
        float(sum(prices.values())) / least if least else math.inf
        for prices, least in zip(candidates, rough, strict=True)
    ]
    best = min(range(len(candidates)), key=estimates.__getitem__)
    prices = candidates[best]
    if not rough[best]:
        raise ValueError("no prices bound the throughput of this instance")
    least = paths.at_least(prices, rough[best])
    return (
        sum(prices.values(), Fraction(0)) / least,
        {resource: price / least for resource, price in prices.items()},
    )


def _cut_at_master(instance: MasterWorkerInstance, legs: Legs, *, ports: bool) -> dict[str, float]:
    """Price what every task needs: the master's time, or a route out of it."""
    master = instance.platform.index_by_id[instance.master]
    prices: dict[str, float] = {}
    time = instance.compute_times[master]
    if time is not None and time > 0:
        prices[computing_resource(instance.master, instance.ports)] = float(1 / time)
    for leg in legs.input if instance.task.input_size else ():
        if leg.source != master:
            continue
        uses = legs.uses(leg.index)
        ported = [use for use in uses if use.resource in _ports_of(instance.master)]
        resource, per_data = (ported or uses)[0] if ports else uses[0]
        price = float(1 / (instance.task.input_size * per_data))
        prices[resource] = max(price, prices.get(resource, 0.0))
    return prices


def _ports_of(processor: str) -> tuple[str, str, str]:
    return send_resource(processor), port_resource(processor), out_resource(processor)


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


class _TaskPaths:
    """All executions of one task, and what each step takes of which resource."""

    def __init__(self, instance: MasterWorkerInstance, legs: Legs) -> None:
        self._instance = instance
        self._legs = legs
        task = instance.task
        self._there = self._times_of(legs.input, task.input_size)
        self._back = self._times_of(legs.output, task.output_size)
        ids = [processor.id for processor in instance.platform.processors]
        times = instance.compute_times
        routes_in = _cheapest(
            instance, legs.input, dict.fromkeys(self._there, 0.0), 0.0, forwards=True
        )
        routes_out = None
        if task.output_size:
            free = dict.fromkeys(self._back, 0.0)
            routes_out = _cheapest(instance, legs.output, free, 0.0, forwards=False)
        self.workers = _nearest_first(Reach.from_instance(instance), routes_in, routes_out)
        self._here = {
            i: [
                _time(
                    computing_resource(ids[i], instance.ports),
                    Fraction(1),
                    Fraction(0) if (time := times[i]) is None else time,
                )
            ]
            for i in self.workers
        }

    def _times_of(self, legs: Sequence[AnyLeg], size: Fraction) -> dict[int, list[_Time]]:
        return {
            leg.index: [_time(r, size, time) for r, time in self._legs.uses(leg.index)]
            for leg in legs
        }

    def resources(self) -> set[str]:
        """Name every resource that a task may take time on."""
        steps = chain(self._there.values(), self._back.values(), self._here.values())
        return {time.resource for step in steps for time in step if time.numerator}

    def roughly(self, prices: Mapping[str, Fraction]) -> float:
        """Price the cheapest execution of one task at all."""
        rough = {resource: float(price) for resource, price in prices.items()}

        def cost(times: Sequence[_Time]) -> float:
            return sum(rough[t.resource] * t.rough for t in times if t.resource in rough)

        return self._least(cost, 0.0)

    def at_least(self, prices: Mapping[str, Fraction], rough: float) -> Fraction:
        """Give a cost that no execution of one task goes below, within 2^-60 or so of the least.

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
        there = self._distances(self._legs.input, self._there, cost, zero, forwards=True)
        if not self._instance.task.output_size:
            return min(there[i][0] + cost(here) for i, here in self._here.items())
        back = self._distances(self._legs.output, self._back, cost, zero, forwards=False)
        return min(there[i][0] + cost(here) + back[i][0] for i, here in self._here.items())

    def _distances(
        self,
        legs: Sequence[AnyLeg],
        times: Mapping[int, Sequence[_Time]],
        cost: Callable[[Sequence[_Time]], Number],
        zero: Number,
        *,
        forwards: bool,
    ) -> dict[int, tuple[Number, AnyLeg | None]]:
        costs = {index: cost(taken) for index, taken in times.items()}
        return _cheapest(self._instance, legs, costs, zero, forwards=forwards)


def _time(resource: str, size: Fraction, per_data: Fraction) -> _Time:
    numerator = size.numerator * per_data.numerator
    denominator = size.denominator * per_data.denominator
    return _Time(resource, numerator / denominator, numerator, denominator)
