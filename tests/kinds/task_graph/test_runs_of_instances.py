"""A run of a pipeline: no order of all its operations beats the bound, and the promise is no better."""

import random
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from tests.kinds.least_makespan import Operation, least_makespan
from tests.solved import solve

F = Fraction
PROCESSORS = ("P", "Q")


@pytest.mark.parametrize("kind", ["task_graph", "mono_allocation"])
def test_the_optimum_lies_between_bound_and_promise(kind: str) -> None:
    """Two tasks on two processors; a mono_allocation places all instances alike."""
    draw = random.Random(5)
    for _ in range(6):
        times = {task: {name: F(draw.randint(1, 6)) for name in PROCESSORS} for task in ("a", "b")}
        hop = F(draw.randint(1, 4))
        tasks = [
            {"id": task, "times": {name: str(time) for name, time in by.items()}}
            for task, by in times.items()
        ]
        problem = {
            "kind": kind,
            "platform": {
                "processors": [{"id": name} for name in PROCESSORS],
                "links": [{"source": "P", "target": "Q", "unit_time": str(hop)}],
            },
            "application": {
                "tasks": tasks,
                "files": [{"source": "a", "target": "b", "size": 1}],
            },
        }

        def job(places: tuple[str, ...], times=times, hop=hop) -> list[Operation]:
            first, second = places
            moved = [((f"{first}.send", f"{second}.receive"), hop)] if first != second else []
            done = ((f"{first}.compute",), times["a"][first])
            return [done, *moved, ((f"{second}.compute",), times["b"][second])]

        for instances in (1, 2, 3):
            run = solve({"problem": problem}, run={"instances": instances}).schedule.run
            ways = list(product(PROCESSORS, repeat=2))
            placements = list(combinations_with_replacement(ways, instances))
            if kind == "mono_allocation":
                placements = [(way,) * instances for way in ways]
            optimum = min(least_makespan([job(one) for one in placed]) for placed in placements)
            assert run.no_schedule_before <= optimum <= run.completion_time_at_most
