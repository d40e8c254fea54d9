"""Random instances: every way to the optimum ends at the same fraction."""

from random import Random

import pytest

from benchmarks.joins import without_joins
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver.constraint_lists.method import solve
from tests.draws import draws
from tests.kinds.task_graph.enumeration import (
    best_single,
    cheapest,
    check_plans,
    enumerated,
)
from tests.kinds.task_graph.random_instances import SHAPES, grid, random_instance
from tests.kinds.task_graph.solving import solve as solve_as_asked

METHODS = ("constraint_lists", "column_generation")
CASES = [(shape, start) for shape in SHAPES for start in range(0, draws(10, 30), 10)]
MORE_CASES = [(shape, start) for shape in SHAPES for start in range(100, 100 + draws(5, 40), 10)]


@pytest.mark.parametrize(("shape", "start"), CASES)
def test_constraint_lists_find_what_enumeration_finds(shape: str, start: int) -> None:
    for seed in range(start, start + 10):
        instance = random_instance(shape, seed)
        answer = solve(instance, Control())
        optimum = enumerated(instance)
        check_plans(instance, answer.plans)
        least = cheapest(instance, answer.prices)
        if answer.infeasible:
            assert optimum == 0
            assert least is None
            continue
        assert answer.throughput == answer.bound == optimum
        assert sum(answer.prices.values()) == optimum
        assert all(price > 0 for price in answer.prices.values())
        assert least is not None
        assert least >= 1
        assert best_single(instance) <= optimum <= without_joins(instance)


@pytest.mark.parametrize(("shape", "start"), MORE_CASES)
def test_both_methods_agree_and_the_referee_accepts_both(shape: str, start: int) -> None:
    for seed in range(start, start + 10):
        instance = random_instance(shape, seed)
        by_lists, by_columns = (
            solve_as_asked(instance, method, max_period="exact") for method in METHODS
        )
        bounds = [answer.result.bound for answer in (by_lists, by_columns)]
        assert bounds[0] == bounds[1]
        assert by_lists.result.notes == by_columns.result.notes or bounds[0] is not None
        for result, schedule in (by_lists, by_columns):
            assert (result.outcome == "infeasible") == (bounds[0] is None)
            assert (schedule is None) == (bounds[0] is None)
            if result.outcome == "optimal" and result.objective and result.bound and schedule:
                assert result.objective.value == result.bound.value == schedule.throughput


@pytest.mark.parametrize("processors", [2, 3])
def test_all_agree_on_a_mesh_of_three_by_three(processors: int) -> None:
    number, pairs = grid(3, 3)
    random = Random(processors)
    ids = [f"P{i}" for i in range(processors)]
    instance = TaskGraphInstance.model_validate(
        {
            "kind": "task_graph",
            "platform": {
                "processors": [{"id": name} for name in ids],
                "links": [
                    {"source": a, "target": b, "unit_time": f"{random.randint(1, 5)}/3"}
                    for i, a in enumerate(ids)
                    for b in ids[:i]
                ],
            },
            "application": {
                "tasks": [
                    {"id": f"T{k}", "times": {name: random.randint(1, 9) for name in ids}}
                    for k in range(number)
                ],
                "files": [{"source": f"T{a}", "target": f"T{b}", "size": 1} for a, b in pairs],
            },
        }
    )
    bounds = [solve_as_asked(instance, method).result.bound for method in METHODS]
    assert bounds[0] == bounds[1]
    assert bounds[0] is not None
    if processors == 2:
        assert bounds[0].value == enumerated(instance)


@pytest.mark.parametrize("shape", ["in_tree", "out_tree"])
def test_a_tree_has_the_throughput_of_its_flows(shape: str) -> None:
    for seed in range(60, 60 + draws(5, 20)):
        instance = random_instance(shape, seed)
        assert solve(instance, Control()).throughput == without_joins(instance)


def test_the_random_instances_show_what_they_are_for() -> None:
    joins = infeasible = mixed = 0
    for shape in ("fork_join", "mesh", "layered", "skipping"):
        for seed in range(10):
            instance = random_instance(shape, seed)
            optimum = enumerated(instance)
            infeasible += not optimum
            joins += optimum < without_joins(instance)
            mixed += best_single(instance) < optimum
    assert joins >= 5
    assert infeasible >= 2
    assert mixed >= 10
