"""The optimum by plain enumeration of all placements, and other exact bounds on it."""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pyomo.core as pyo

from benchmarks.joins import compute_of, optimum_of, places, use_arc
from steadygrid.domain.platform import arc_uses
from steadygrid.domain.resources import compute_resource
from steadygrid.engine.scheduling import Plan
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance


def mappings(instance: TaskGraphInstance) -> Iterator[tuple[int, ...]]:
    """All placements of all tasks, whether files can travel or not."""
    return product(*places(instance))


def enumerated(instance: TaskGraphInstance) -> Fraction:
    """Optimal throughput: one rate per placement, one flow per file and pair of processors."""
    model = pyo.ConcreteModel()
    every = list(mappings(instance))
    model.rate = pyo.Var(range(len(every)), domain=pyo.NonNegativeReals)
    demand: dict[tuple[int, int, int], list[Any]] = defaultdict(list)
    capacity: dict[str, list[Any]] = defaultdict(list)
    for number, mapping in enumerate(every):
        rate = model.rate[number]
        for k, i in enumerate(mapping):
            if instance.times[k][i]:
                capacity[compute_of(instance, i)].append(instance.times[k][i] * rate)
        for f, (source, target, _) in enumerate(instance.files):
            if mapping[source] != mapping[target]:
                demand[f, mapping[source], mapping[target]].append(rate)
    arcs = instance.platform.arcs
    model.flow = pyo.Var(list(demand), range(len(arcs)), domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    for (f, i, j), rates in demand.items():
        for node in range(len(instance.platform.processors)):
            balance = sum(model.flow[f, i, j, arc.index] for arc in arcs if arc.source == node)
            balance -= sum(model.flow[f, i, j, arc.index] for arc in arcs if arc.target == node)
            balance += ((node == j) - (node == i)) * sum(rates)
            if not isinstance(balance, int):
                model.rows.add(balance == 0)
        for arc in arcs:
            use_arc(instance, arc, instance.files[f][2], model.flow[f, i, j, arc.index], capacity)
    return optimum_of(model, sum(model.rate.values()), capacity)


def ways(
    instance: TaskGraphInstance, costs: Mapping[int, Fraction], start: int
) -> dict[int, tuple[Fraction, tuple[int, ...]]]:
    """Cost of the cheapest way from `start`, and its arcs, by the processor where it ends."""
    found: dict[int, tuple[Fraction, tuple[int, ...]]] = {}
    heap: list[tuple[Fraction, tuple[int, ...], int]] = [(Fraction(0), (), start)]
    while heap:
        cost, path, node = heapq.heappop(heap)
        if node not in found:
            found[node] = cost, path
            for arc in instance.platform.arcs_out[node]:
                heapq.heappush(heap, (cost + costs[arc.index], (*path, arc.index), arc.target))
    return found


def cheapest(instance: TaskGraphInstance, prices: Mapping[str, Fraction]) -> Fraction | None:
    """What the cheapest allocation costs at some prices; None if no allocation exists."""
    costs = {
        arc.index: sum(
            (
                time * prices.get(resource, Fraction(0))
                for resource, time in arc_uses(instance.platform, arc, instance.ports)
            ),
            Fraction(0),
        )
        for arc in instance.platform.arcs
    }
    distances = [
        {j: cost for j, (cost, _) in ways(instance, costs, i).items()}
        for i in range(len(instance.platform.processors))
    ]
    least: Fraction | None = None
    for mapping in mappings(instance):
        if all(
            mapping[target] in distances[mapping[source]] for source, target, _ in instance.files
        ):
            total = sum(
                (
                    (instance.times[k][i] or 0) * prices.get(compute_of(instance, i), Fraction(0))
                    for k, i in enumerate(mapping)
                ),
                Fraction(0),
            )
            for source, target, size in instance.files:
                total += size * distances[mapping[source]][mapping[target]]
            least = total if least is None else min(least, total)
    return least


def best_single(instance: TaskGraphInstance) -> Fraction:
    """Throughput of the best placement over fastest ways; 0 if there is none."""
    times = {arc.index: arc.unit_time for arc in instance.platform.arcs}
    fastest = [ways(instance, times, i) for i in range(len(instance.platform.processors))]
    best = Fraction(0)
    for mapping in mappings(instance):
        used: dict[str, Fraction] = defaultdict(Fraction)
        for k, i in enumerate(mapping):
            used[compute_of(instance, i)] += instance.times[k][i] or 0
        for source, target, size in instance.files:
            if mapping[target] not in fastest[mapping[source]]:
                break
            for arc in fastest[mapping[source]][mapping[target]][1]:
                _count(instance, arc, size, used)
        else:
            best = max(best, 1 / max(used.values()))
    return best


def _count(
    instance: TaskGraphInstance, arc: int, size: Fraction, used: dict[str, Fraction]
) -> None:
    for resource, time in arc_uses(instance.platform, instance.platform.arcs[arc], instance.ports):
        used[resource] += size * time


def check_plans(instance: TaskGraphInstance, plans: Sequence[Plan]) -> None:
    """Assert that allocations are whole, connected, and fit into every resource."""
    platform = instance.platform
    index = platform.index_by_id
    used: dict[str, Fraction] = defaultdict(Fraction)
    sizes = instance.file_sizes
    for plan in plans:
        assert plan.rate > 0
        assert plan.tasks.keys() == instance.task_index.keys()
        places = {task: place for task, (place,) in plan.tasks.items()}
        for task, processor in places.items():
            time = instance.times[instance.task_index[task]][index[processor]]
            assert time is not None
            used[compute_resource(processor)] += plan.rate * time
        moved = {transfer.file: transfer for transfer in plan.transfers}
        assert len(moved) == len(plan.transfers)
        for source, target in sizes:
            ends = places[source], places[target]
            assert ((source, target) in moved) == (ends[0] != ends[1])
        for file, path, share in plan.transfers:
            assert share == 1
            assert (path[0], path[-1]) == (places[file[0]], places[file[1]])
            assert len(set(path)) == len(path)
            for sender, receiver in pairwise(path):
                arc = platform.arc_by_ends[index[sender], index[receiver]]
                for resource, time in arc_uses(platform, arc, instance.ports):
                    used[resource] += plan.rate * sizes[file] * time
    assert all(share <= 1 for share in used.values())
