"""What is solved and refereed also delivers whole instances when it is replayed."""

import pytest

from tests.draws import draws
from tests.kinds.task_graph.random_instances import SHAPES, random_instance
from tests.kinds.task_graph.replay import assert_replays
from tests.kinds.task_graph.solving import solve

SMALL = 200
"""Instances per period, and slot transfers, that are replayed one by one."""


@pytest.mark.parametrize("method", ["constraint_lists", "column_generation"])
@pytest.mark.parametrize("shape", SHAPES)
def test_instances_are_whole_when_replayed(shape: str, method: str) -> None:
    replayed = 0
    for seed in range(200, 200 + draws(5, 25)):
        instance = random_instance(shape, seed)
        schedule = solve(instance, method, max_period=200).schedule
        if schedule is None:
            continue
        transfers = sum(len(slot.transfers) for slot in schedule.slots)
        if schedule.instances_per_period <= SMALL and transfers <= SMALL:
            assert_replays(instance, schedule, periods=3)
            replayed += 1
    assert replayed >= 4
