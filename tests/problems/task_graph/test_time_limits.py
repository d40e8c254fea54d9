"""Where there is no time at all, the answer is still honest, and the referee accepts it."""

import pytest

from tests.problems.task_graph.random_instances import SHAPES, random_instance
from tests.problems.task_graph.solving import solve


@pytest.mark.parametrize("method", ["constraint_lists", "column_generation"])
@pytest.mark.parametrize("shape", SHAPES)
def test_no_time_gives_a_valid_bound_and_mostly_a_schedule(shape: str, method: str) -> None:
    schedules = 0
    for seed in range(300, 320):
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
    assert schedules >= 10
