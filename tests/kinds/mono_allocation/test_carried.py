"""The period that slots of half-duplex links give an allocation."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.platform import Platform
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.slots import search
from steadygrid.engine.slots.heaviest import heaviest_slot
from steadygrid.engine.slots.search import CUT_SHORT, NO_SLOT_PAYS
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver import methods
from steadygrid.kinds.mono_allocation.solver.allocated import Finding
from steadygrid.kinds.mono_allocation.solver.portfolio import portfolio
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes import carried as carried_module
from steadygrid.kinds.mono_allocation.solver.transfer_routes.carried import over_best_paths
from tests.engine.slots.cycles import drawn, five
from tests.engine.slots.every_slot import every_slot
from tests.solved import solve

F = Fraction


def mono(body: dict[str, Any], method: str = "simple_greedy") -> dict[str, Any]:
    body["problem"]["method"] = method
    return body


def shortest(body: dict[str, Any]) -> Fraction:
    """Find the shortest period of pinned tasks: slots that cover every file on its own link."""
    problem = body["problem"]
    instance = MonoAllocationInstance.model_validate(problem)
    index, arcs = instance.platform.index_by_id, instance.platform.arc_by_ends
    place = {task["id"]: next(iter(task["times"])) for task in problem["application"]["tasks"]}
    times: dict[int, Fraction] = defaultdict(Fraction)
    for file in problem["application"]["files"]:
        ends = index[place[file["source"]]], index[place[file["target"]]]
        times[arcs[ends].index] += F(file["size"])
    slots = every_slot(instance.platform)
    model = pyo.ConcreteModel()
    model.slot = pyo.Var(range(len(slots)), domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    for arc, time in times.items():
        model.rows.add(sum(model.slot[k] for k, one in enumerate(slots) if arc in one) >= time)
    model.length = pyo.Objective(expr=sum(model.slot.values()))
    found = solve_certified(model, Control()).objective
    assert found is not None
    return found


def test_five_transfers_in_a_ring_take_five_halves() -> None:
    result, schedule = solve(mono(five("mono_allocation")))
    assert result.occupation[0].time == 2
    assert result.period == 1 / schedule.throughput == F(5, 2)
    assert result.notes == [NO_SLOT_PAYS]
    assert result.outcome == "feasible"


def test_the_period_of_given_places_is_the_shortest_over_all_slots() -> None:
    below, longer = 0, 0
    for seed in range(20):
        body = mono(drawn(seed, "mono_allocation"))
        result, _ = solve(body)
        assert result.period == shortest(body)
        longer += result.period > result.occupation[0].time
        below += bool(result.notes)
    assert longer == below >= 3


@pytest.mark.parametrize("method", ["simple_greedy", "compare"])
def test_the_search_goes_on_when_the_allocation_is_chosen(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carried_module, "JUDGING_SHARE", 0)
    body = mono(five("mono_allocation"), method) | {"options": {"time_limit": 10}}
    assert solve(body).result.period == F(5, 2)
    monkeypatch.setattr(methods, "SLOTS_SHARE", 0)
    result, schedule = solve(body)
    assert result.period == 1 / schedule.throughput == 3
    assert CUT_SHORT in result.notes


def test_a_search_that_finds_nothing_shorter_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prices: list[Any] = []

    def heaviest(platform: Platform, worth: Any, control: Control) -> Any:
        prices.append(worth)
        if len(prices) == rounds:
            raise OutOfTime
        return heaviest_slot(platform, worth, control)

    rounds = 0
    monkeypatch.setattr(search, "heaviest_slot", heaviest)
    solve(mono(five("mono_allocation")))
    rounds = len(prices)
    prices.clear()
    monkeypatch.setattr(methods, "SLOTS_SHARE", 0)
    result, schedule = solve(mono(five("mono_allocation")))
    assert result.period == 1 / schedule.throughput == F(5, 2)
    assert CUT_SHORT in result.notes


def test_allocations_are_compared_by_the_periods_of_their_schedules() -> None:
    """The last task is quick on D, where the links then take 5/2, and takes 2 on E."""
    body = five("mono_allocation")
    tasks = body["problem"]["application"]["tasks"]
    tasks[-1]["times"]["E"] = 2
    tables = MonoTables(MonoAllocationInstance.model_validate(body["problem"]))
    index = tables.platform.index_by_id
    quick = [index[next(iter(task["times"]))] for task in tasks]
    slow = [*quick[:-1], index["E"]]
    known = {
        name: Finding(over_best_paths(tables, places, Control()))
        for name, places in (("simple_greedy", quick), ("refined_greedy", slow))
    }
    assert known["simple_greedy"].period == F(5, 2)
    best = portfolio(tables, Control(20), known=known)
    assert best.period == known["refined_greedy"].period == F(101, 50)
    assert best.found_by == "refined_greedy"
