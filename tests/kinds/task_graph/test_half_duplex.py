"""Task graphs over half-duplex links in cycles: slots and allocations found together."""

import random
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.allocations import problem
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.slots import search
from steadygrid.engine.slots.search import CUT_SHORT, NO_SLOT_PAYS
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver import by_arcs, methods
from steadygrid.kinds.task_graph.solver.by_arcs import price_by_arcs
from tests.engine.slots.cycles import FIVE, five, pinned
from tests.engine.slots.every_slot import every_slot
from tests.kinds.task_graph.enumeration import mappings
from tests.solved import solve

F = Fraction


def instance_of(body: dict[str, Any]) -> TaskGraphInstance:
    return TaskGraphInstance.model_validate(body["problem"])


def optimum(instance: TaskGraphInstance) -> Fraction:
    """Find the best throughput of all allocations over all slots, where files choose their ways."""
    arcs, nodes = instance.platform.arcs, range(len(instance.platform.processors))
    every, slots = list(mappings(instance)), every_slot(instance.platform)
    model = pyo.ConcreteModel()
    model.rate = pyo.Var(range(len(every)), domain=pyo.NonNegativeReals)
    model.slot = pyo.Var(range(len(slots)), domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    model.rows.add(sum(model.slot.values()) <= 1)
    demand: dict[Any, list[Any]] = defaultdict(list)
    busy: dict[int, list[Any]] = defaultdict(list)
    for number, mapping in enumerate(every):
        for k, i in enumerate(mapping):
            busy[i].append(instance.times[k][i] * model.rate[number])
        for f, (source, target, _) in enumerate(instance.files):
            if mapping[source] != mapping[target]:
                demand[f, mapping[source], mapping[target]].append(model.rate[number])
    for taken in busy.values():
        model.rows.add(sum(taken) <= 1)
    model.flow = pyo.Var(list(demand), range(len(arcs)), domain=pyo.NonNegativeReals)
    for (f, i, j), rates in demand.items():
        for node in nodes:
            balance = sum(model.flow[f, i, j, a.index] for a in arcs if a.source == node)
            balance -= sum(model.flow[f, i, j, a.index] for a in arcs if a.target == node)
            model.rows.add(balance == ((node == i) - (node == j)) * sum(rates))
    for arc in arcs if demand else ():
        sent = sum(
            instance.files[f][2] * arc.unit_time * model.flow[f, i, j, arc.index]
            for f, i, j in demand
        )
        model.rows.add(
            sent <= sum(model.slot[k] for k, one in enumerate(slots) if arc.index in one)
        )
    model.best = pyo.Objective(expr=sum(model.rate.values()), sense=pyo.maximize)
    found = solve_certified(model, Control()).objective
    assert found is not None
    return found


def choices(seed: int) -> dict[str, Any]:
    """Draw sizes around the cycle of five; two tasks may run in a second place."""
    draw = random.Random(seed)
    body = pinned("task_graph", FIVE, [draw.randint(1, 3) for _ in FIVE], routing="free")
    problem = body["problem"]
    for link in problem["platform"]["links"]:
        link["unit_time"] = draw.randint(1, 2)
    for task in draw.sample(problem["application"]["tasks"], 2):
        task["times"][draw.choice("ACDE")] = draw.choice([1, 3, 5])
    return body


def test_five_transfers_in_a_ring_take_five_halves() -> None:
    result, schedule = solve(five("task_graph"))
    assert result.bound.value == F(1, 2)
    assert result.objective.value == schedule.throughput == F(2, 5)
    assert (result.outcome, result.notes) == ("feasible", [NO_SLOT_PAYS])


@pytest.mark.parametrize("method", ["constraint_lists", "column_generation"])
def test_the_throughput_is_that_of_all_allocations_and_all_slots(method: str) -> None:
    below = 0
    for seed in range(13):
        body = choices(seed)
        body["problem"]["method"] = method
        result, _ = solve(body)
        assert result.objective.value == optimum(instance_of(body))
        assert (result.outcome == "optimal") == (result.objective.value == result.bound.value)
        below += result.outcome == "feasible"
    assert below == 5


NEEDS_ANOTHER = 11
"""Seed where the allocations that are best for the ports alone do not make the best mix."""


def nothing_priced(*_: Any) -> Any:
    return lambda *_: ()


def test_allocations_that_pay_join_the_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    best = solve(choices(NEEDS_ANOTHER)).result.objective.value
    monkeypatch.setattr(methods, "price_by_arcs", nothing_priced)
    assert solve(choices(NEEDS_ANOTHER)).result.objective.value < best


@pytest.mark.parametrize("limited", ["entries", "pairs"])
def test_no_allocation_is_priced_where_tables_are_too_large(
    limited: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = instance_of(choices(NEEDS_ANOTHER))
    assert price_by_arcs(instance, 1_000, Control())({}, {}, lambda _: Fraction(1))
    if limited == "pairs":
        monkeypatch.setattr(problem, "MOST_PAIRS", 0)
    most = 0 if limited == "entries" else 1_000
    assert not price_by_arcs(instance, most, Control())({}, {}, lambda _: Fraction(1))


def out_of_time(*_: Any) -> None:
    raise OutOfTime


def test_what_was_found_is_kept_when_the_time_ends_in_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "heaviest_slot", out_of_time)
    result, schedule = solve(five("task_graph"))
    assert F(1, 3) <= result.objective.value == schedule.throughput < F(2, 5)
    assert result.notes == [CUT_SHORT]
    monkeypatch.undo()
    monkeypatch.setattr(by_arcs, "cheapest_allocation", out_of_time)
    result, _ = solve(choices(NEEDS_ANOTHER))
    assert CUT_SHORT in result.notes


def test_without_any_time_there_are_slots_too() -> None:
    result, schedule = solve(five("task_graph"), 0)
    assert F(1, 3) <= result.objective.value == schedule.throughput <= F(2, 5)


def twins() -> dict[str, Any]:
    """Two workers alike hang on A and B; what comes from either goes to the other."""
    works = {"V": 2, "W": 2}
    return {
        "problem": {
            "kind": "task_graph",
            "platform": {
                "processors": [{"id": name} for name in "ABVW"],
                "links": [
                    {"source": end, "target": worker, "unit_time": 1, "duplex": "half"}
                    for worker in "VW"
                    for end in "AB"
                ],
            },
            "application": {
                "tasks": [
                    {"id": "a0", "times": {"A": "1/100"}},
                    {"id": "ab", "times": works},
                    {"id": "b1", "times": {"B": "1/100"}},
                    {"id": "b0", "times": {"B": "1/100"}},
                    {"id": "ba", "times": works},
                    {"id": "a1", "times": {"A": "1/100"}},
                ],
                "files": [
                    {"source": source, "target": target, "size": size}
                    for source, target, size in (
                        ("a0", "ab", 1),
                        ("ab", "b1", 2),
                        ("b0", "ba", 2),
                        ("ba", "a1", 1),
                    )
                ],
            },
            "ports": "one_port",
        }
    }


def test_members_of_pools_have_slots_of_their_own() -> None:
    body = twins()
    result, _ = solve(body)
    assert result.objective.value == optimum(instance_of(body))
    used = {place for one in result.allocations for place in one.tasks.values()}
    assert result.classes == []
    assert used >= {"V", "W"}


@pytest.mark.parametrize(
    "options",
    [
        {"whole_files": True},
        {"whole_files": False, "max_period": "exact"},
        {"max_period": 100},
        {"latencies": "paid", "latency_loss": "1/50"},
    ],
)
def test_schedules_of_every_kind_are_made_of_such_slots(options: dict[str, Any]) -> None:
    body = five("task_graph")
    if "latencies" in options:
        for link in body["problem"]["platform"]["links"]:
            link["latency"] = 1
    result, schedule = solve(body, **options)
    assert result.objective.value == F(2, 5)
    if "latencies" in options:
        assert 0 < schedule.loss <= F(1, 50)
        assert schedule.grouping.periods > 1
    else:
        assert schedule.throughput == F(2, 5)
