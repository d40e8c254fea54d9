"""Answers of task_graph put together without its solver, and a way to change one thing in them."""

import copy
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.job import Bound, Objective, Options, Outcome
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.scheduling import Plan, ScheduleLimits, Workload, reconstruct
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph import PROBLEM
from steadygrid.kinds.task_graph.schemas import (
    RatedAllocation,
    RatedTransfer,
    TaskGraphInstance,
    TaskGraphResult,
    TaskGraphStatistics,
)
from tests.verification.answers import Answer

Placed = tuple[Any, Mapping[str, str], Sequence[str]]
"""Rate, processor by task, and transfers such as ``"T1-T2: P1 P2"``."""


def answer(
    problem: Mapping[str, Any], placed: Sequence[Placed], prices: Mapping[str, Any]
) -> Answer:
    """Put an answer together; its schedule is reconstructed."""
    instance = TaskGraphInstance.model_validate({"kind": "task_graph", **problem})
    plans = [
        Plan(
            Fraction(rate),
            {task: (place,) for task, place in tasks.items()},
            tuple(map(_transfer, moves)),
        )
        for rate, tasks, moves in placed
    ]
    value = sum((plan.rate for plan in plans), Fraction(0))
    listed = {name: Fraction(price) for name, price in prices.items()}
    bound = sum(listed.values(), Fraction(0))
    result = TaskGraphResult(
        outcome=Outcome.OPTIMAL if value == bound else Outcome.FEASIBLE,
        method="column_generation",
        objective=Objective.throughput(value),
        bound=Bound.from_value(bound, exact=True),
        gap=(bound - value) / bound,
        certificate=DualityCertificate(prices=listed),
        allocations=[
            RatedAllocation(
                index=index,
                rate=plan.rate,
                tasks={task: place for task, (place,) in plan.tasks.items()},
                transfers=[
                    RatedTransfer(file=t.file, path=list(t.path), share=t.share)
                    for t in plan.transfers
                ],
            )
            for index, plan in enumerate(plans)
        ],
        statistics=TaskGraphStatistics(),
    )
    tasks, processors = instance.task_index, instance.platform.index_by_id

    def time(task: str, processor: str) -> Fraction:
        found = instance.times[tasks[task]][processors[processor]]
        assert found is not None
        return found

    workload = Workload(instance.platform, instance.ports, time, instance.file_sizes)
    schedule = reconstruct(
        workload, plans, value, Options(), ScheduleLimits(), Control(60)
    ).schedule
    return Answer(instance, Options(), result, schedule)


def _transfer(move: str) -> Transfer:
    file, path = move.split(": ")
    source, target = file.split("-")
    return Transfer((source, target), tuple(path.split()), Fraction(1))


def fork_join(**problem: Any) -> Answer:
    """RR-4870, figures 9 and 14: two allocations of rate 1/2, the processor of T1 is the limit."""
    example = copy.deepcopy(dict(PROBLEM.example["problem"])) | problem
    del example["kind"]
    moves = ["T1-T2: P1 P2", "T1-T3: P1 P3"]
    first = {"T1": "P1", "T2": "P2", "T3": "P3"}
    return answer(
        example,
        [
            ("1/2", first | {"T4": "P4"}, [*moves, "T2-T4: P2 P4", "T3-T4: P3 P4"]),
            ("1/2", first | {"T4": "P5"}, [*moves, "T2-T4: P2 P5", "T3-T4: P3 P5"]),
        ],
        {"P1.compute": 1},
    )


def detour(**problem: Any) -> Answer:
    """One file from A to B; the route goes over C although there is a faster link."""
    platform = {
        "processors": [{"id": "A"}, {"id": "B"}, {"id": "C"}],
        "links": [
            {"source": "A", "target": "B", "unit_time": 1},
            {"source": "A", "target": "C", "unit_time": 2},
            {"source": "C", "target": "B", "unit_time": 2},
        ],
        "routes": [{"source": "A", "target": "B", "via": ["C"]}],
    }
    application = {
        "tasks": [{"id": "a", "times": {"A": 1}}, {"id": "b", "times": {"B": 1}}],
        "files": [{"source": "a", "target": "b", "size": 1}],
    }
    return answer(
        {"platform": platform, "application": application, "routing": "fixed"} | problem,
        [("1/2", {"a": "A", "b": "B"}, ["a-b: A C B"])],
        {"A.send": "1/2"},
    )
