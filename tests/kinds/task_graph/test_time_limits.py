"""Where there is no time at all, the answer is still honest, and the referee accepts it."""

from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.allocations import problem
from steadygrid.kinds.task_graph.solver import column_generation
from tests.draws import draws
from tests.kinds.task_graph.random_instances import SHAPES, random_instance
from tests.kinds.task_graph.solving import solve


@pytest.mark.parametrize("method", ["constraint_lists", "column_generation"])
@pytest.mark.parametrize("shape", SHAPES)
def test_no_time_gives_a_valid_bound_and_mostly_a_schedule(shape: str, method: str) -> None:
    schedules = 0
    for seed in range(300, 300 + draws(8, 20)):
        instance = random_instance(shape, seed)
        optimum = solve(instance, "constraint_lists").result.bound
        result, schedule = solve(instance, method, seconds=0)
        if optimum is None:
            assert result.outcome == "infeasible"
            continue
        assert result.bound is not None
        assert result.bound.exact
        assert result.bound.value >= optimum.value
        if schedule is None:
            assert result.outcome == "bound_only"
            continue
        schedules += 1
        assert schedule.throughput <= optimum.value
    assert schedules >= 4


def out_of_time(*_: Any) -> None:
    raise OutOfTime


@pytest.mark.parametrize("shape", SHAPES)
def test_where_nothing_can_be_priced_one_allocation_is_left(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(column_generation, "first_guess", out_of_time)
    schedules = 0
    for seed in range(300, 310):
        instance = random_instance(shape, seed)
        optimum = solve(instance, "constraint_lists").result.bound
        result, schedule = solve(instance, "column_generation", seconds=0)
        assert result.bound is not None
        assert result.bound.exact
        if schedule is None:
            assert result.outcome == "bound_only"
            continue
        schedules += 1
        assert optimum is not None
        assert len(result.allocations) == 1
        assert schedule.throughput <= optimum.value <= result.bound.value
    assert schedules >= 4


def test_what_would_not_fit_into_memory_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = random_instance("fork_join", 300)
    best = solve(instance, "column_generation").result
    monkeypatch.setattr(problem, "MOST_PAIRS", 1)
    monkeypatch.setattr(problem.Problem, "costs", out_of_time)
    result, schedule = solve(instance, "column_generation")
    assert schedule is not None
    assert result.outcome in ("feasible", "optimal")
    assert result.objective is not None
    assert best.objective is not None
    assert result.objective.value <= best.objective.value
    assert any("would not fit into memory" in note for note in result.notes)
