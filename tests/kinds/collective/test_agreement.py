"""Messages that differ, against the program over all ways and all slots there are."""

import itertools
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import Schedule
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.schemas import CollectiveInstance
from tests.draws import draws
from tests.kinds.collective.bodies import F, drawn, triples
from tests.kinds.collective.by_ways import limit
from tests.replay import stretches
from tests.solved import solve

pytestmark = pytest.mark.usefixtures("few_programs")

OPERATIONS = ("scatter", "gather", "all_to_all")
PORTS = ("one_port", "multiport", "send_or_receive", "no_overlap")


def ways(platform: Platform, here: int, end: int, passed: frozenset[int]) -> Iterator[list[int]]:
    """List all ways, by arcs, that pass no processor twice."""
    if here == end:
        yield []
        return
    for arc in platform.arcs:
        if arc.source == here and arc.target not in passed:
            for rest in ways(platform, arc.target, end, passed | {arc.target}):
                yield [arc.index, *rest]


def by_all_ways(body: dict[str, Any]) -> Fraction:
    """Solve over all ways of all messages, and all sets of transfers that may run side by side."""
    problem = body["problem"]
    platform = Platform.model_validate(problem["platform"])
    index, ports = platform.index_by_id, problem["ports"]
    model = pyo.ConcreteModel()
    model.rho = pyo.Var(domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    listed = [
        (number, way, size)
        for number, (origin, end, size) in enumerate(triples(problem))
        for way in ways(platform, index[origin], index[end], frozenset({index[origin]}))
    ]
    model.rate = pyo.Var(range(len(listed)), domain=pyo.NonNegativeReals)
    data: dict[int, Any] = defaultdict(lambda: 0 * model.rho)
    by_message: dict[int, list[Any]] = defaultdict(list)
    for k, (number, way, size) in enumerate(listed):
        by_message[number].append(model.rate[k])
        for arc in way if size else ():
            data[arc] = data[arc] + size * model.rate[k]
    for rates in by_message.values():
        model.rows.add(sum(rates) == model.rho)
    limit(model, platform, ports, data)
    model.total = pyo.Objective(expr=model.rho, sense=pyo.maximize)
    return solve_certified(model, Control()).objective


def assert_every_message_arrives(schedule: Schedule) -> None:
    """Run the prologue and two periods, in which a hop sends on only what came before it began."""
    stock: dict[tuple[int, str], Fraction] = defaultdict(F)
    allocations = {a.index: a for a in schedule.allocations}
    done: dict[int, Fraction] = defaultdict(F)
    for period in range(1, schedule.prologue_periods + 3):
        came: dict[tuple[int, str], Fraction] = defaultdict(F)
        for allocation in allocations.values():
            came[allocation.index, allocation.transfers[0].path[0]] += (
                allocation.instances_per_period
            )
        for place, count in came.items():
            stock[place] += count
        arrived: dict[tuple[int, str], Fraction] = defaultdict(F)
        for moved in stretches(schedule):
            sender, receiver = moved.hop
            here = moved.allocation, sender
            count = min(moved.count, stock[here])
            stock[here] -= count
            arrived[moved.allocation, receiver] += count
        for place, count in arrived.items():
            stock[place] += count
        for index, allocation in allocations.items():
            done[index] = stock[index, allocation.transfers[0].path[-1]]
            due = max(0, period - schedule.prologue_periods) * allocation.instances_per_period
            assert done[index] >= due


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("seed", range(draws(4, 40)))
def test_the_optimum_is_that_of_all_paths(seed: int, ports: str, operation: str) -> None:
    body = drawn(seed, operation, ports)
    solved = solve(body, whole_files=False, max_period="exact")
    reached = solved.result.objective.value == solved.result.bound.value
    assert reached or (operation, ports) == ("all_to_all", "one_port")
    assert solved.result.outcome == ("optimal" if reached else "feasible")
    assert solved.result.objective.value == by_all_ways(body)
    assert solved.schedule.loss == 0
    sizes = {message.message: message.size for message in solved.result.messages}
    if ports != "multiport" and all(sizes.values()):
        assert_every_message_arrives(solved.schedule)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_messages_are_those_that_the_contract_says(operation: str) -> None:
    problem = drawn(1, operation, "one_port")["problem"]
    instance = CollectiveInstance.model_validate(problem)
    assert [(m.origin, m.receiver, m.size) for m in instance.messages] == triples(problem)
    named = {
        "scatter": [b for _, b, _ in triples(problem)],
        "gather": [a for a, _, _ in triples(problem)],
        "all_to_all": [f"{a}->{b}" for a, b, _ in triples(problem)],
    }
    assert [m.name for m in instance.messages] == named[operation]


def test_a_scatter_turned_round_is_a_gather() -> None:
    for seed in range(3):
        scattered = drawn(seed, "scatter", "one_port")
        problem = scattered["problem"]
        for link in problem["platform"]["links"]:
            link["duplex"] = "simplex"
        gathered = {
            **problem,
            "operation": "gather",
            "target": problem["source"],
            "sources": problem["targets"],
            "platform": {
                **problem["platform"],
                "links": [
                    {**link, "source": link["target"], "target": link["source"]}
                    for link in problem["platform"]["links"]
                ],
            },
        }
        del gathered["source"], gathered["targets"]
        there, back = solve(scattered), solve({"problem": gathered})
        assert there.result.outcome == back.result.outcome
        if there.result.objective is not None:
            assert there.result.objective.value == back.result.objective.value


def test_every_pair_of_processors_sends_where_none_is_named() -> None:
    names = [{"id": "A"}, {"id": "B"}, {"id": "C"}, {"id": "S", "switch": True}]
    problem = {"kind": "collective", "operation": "all_to_all", "platform": {"processors": names}}
    instance = CollectiveInstance.model_validate(problem)
    assert [m.name for m in instance.messages] == [
        f"{a}->{b}" for a, b in itertools.permutations("ABC", 2)
    ]
