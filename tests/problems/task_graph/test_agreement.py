"""Random instances: every way to the optimum ends at the same fraction."""

import pytest

from tests.problems.task_graph.enumeration import (
    best_single,
    cheapest,
    check_plans,
    enumerated,
    without_joins,
)
from tests.problems.task_graph.random_instances import SHAPES, random_instance
from workers.problems.task_graph.constraint_lists.method import solve
from workers.solving.control import Control

CASES = [(shape, start) for shape in SHAPES for start in range(0, 50, 10)]


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


@pytest.mark.parametrize("shape", ["in_tree", "out_tree"])
def test_a_tree_has_the_throughput_of_its_flows(shape: str) -> None:
    for seed in range(60, 80):
        instance = random_instance(shape, seed)
        assert solve(instance, Control()).throughput == without_joins(instance)


def test_the_random_instances_show_what_they_are_for() -> None:
    joins = infeasible = mixed = 0
    for shape in ("fork_join", "mesh", "layered", "skipping"):
        for seed in range(20):
            instance = random_instance(shape, seed)
            optimum = enumerated(instance)
            infeasible += not optimum
            joins += optimum < without_joins(instance)
            mixed += best_single(instance) < optimum
    assert joins >= 10
    assert infeasible >= 5
    assert mixed >= 20
