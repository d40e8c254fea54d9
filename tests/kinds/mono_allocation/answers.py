"""Answers of mono_allocation put together by hand, and a way to change one thing in them."""

import copy
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from steadygrid.domain.certificate import FarkasCertificate, NoCertificate
from steadygrid.domain.job import Bound, Objective, Options, Outcome
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.allocations.workload import workload_of
from steadygrid.engine.scheduling import Plan, ScheduleLimits, reconstruct
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation import PROBLEM
from steadygrid.kinds.mono_allocation.schemas import (
    Buffer,
    FirstPeriod,
    MonoAllocationInstance,
    MonoAllocationResult,
    MonoAllocationStatistics,
    MovedFile,
    Occupation,
    ReferenceSimulation,
)
from tests.verification.answers import Answer

Times = Mapping[str, Any]


def empty(instance: MonoAllocationInstance, **fields: Any) -> MonoAllocationResult:
    """Give a result without an allocation."""
    return MonoAllocationResult.model_validate(
        {
            "outcome": Outcome.INFEASIBLE,
            "method": instance.method,
            "objective": None,
            "bound": None,
            "gap": None,
            "certificate": NoCertificate(),
            "period": None,
            "mapping": {},
            "transfers": [],
            "occupation": [],
            "bottleneck": None,
            "first_periods": [],
            "latency_periods": None,
            "buffers": [],
            "statistics": MonoAllocationStatistics(),
        }
        | fields
    )


def bounded(prices: Times, value: Fraction | None, **certificate: Any) -> dict[str, Any]:
    """Give the fields of a bound that prices prove."""
    listed = {name: Fraction(price) for name, price in prices.items()}
    bound = sum(listed.values(), Fraction(0))
    fields: dict[str, Any] = {
        "bound": Bound.from_value(bound, exact=True),
        "bound_source": "allocations",
        "certificate": {"type": "lp_duality", "prices": listed} | certificate,
        "outcome": Outcome.BOUND_ONLY,
    }
    if value is not None:
        fields["objective"] = Objective.throughput(value)
        fields["gap"] = (bound - value) / bound
        fields["outcome"] = Outcome.OPTIMAL if value == bound else Outcome.FEASIBLE
    return fields


def mapped(
    problem: Mapping[str, Any],
    mapping: Mapping[str, str],
    moves: Sequence[str],
    *,
    occupation: Times,
    first_periods: Times,
    buffers: Times,
    prices: Times,
    period: Fraction | None = None,
    **fields: Any,
) -> Answer:
    """Put the answer with an allocation together; only its schedule is computed.

    Parameters
    ----------
    mapping
        The processors of each task, such as ``"P Q"``.
    moves
        Transfers such as ``"a-b: P Q 1/2"``, the share last if it is not 1.
    occupation
        Time by resource, the longest first.
    first_periods
        By copy, such as ``"a P"``.
    period
        If it is longer than the occupation.
    """
    instance = MonoAllocationInstance.model_validate({"kind": "mono_allocation", **problem})
    tasks = {task: tuple(names.split()) for task, names in mapping.items()}
    transfers = tuple(map(_transfer, moves))
    times = {name: Fraction(time) for name, time in occupation.items()}
    period = period or max(times.values())
    value = 1 / period
    result = empty(
        instance,
        **bounded(prices, value),
        period=period,
        mapping={task: list(names) for task, names in tasks.items()},
        transfers=[MovedFile(file=t.file, path=list(t.path), share=t.share) for t in transfers],
        occupation=[Occupation(resource=name, time=time) for name, time in times.items()],
        bottleneck=next(iter(times)),
        first_periods=[
            FirstPeriod(task=copy_.split()[0], processor=copy_.split()[1], period=first)
            for copy_, first in first_periods.items()
        ],
        latency_periods=max(first_periods.values()),
        buffers=[Buffer(processor=name, data=Fraction(data)) for name, data in buffers.items()],
    )
    schedule = reconstruct(
        workload_of(instance),
        [Plan(value, tasks, transfers)],
        value,
        Options(),
        ScheduleLimits(),
        Control(60),
    ).schedule
    return Answer(instance, Options(), result.model_copy(update=fields), schedule)


def _transfer(move: str) -> Transfer:
    file, way = move.split(": ")
    source, target = file.split("-")
    path = way.split()
    share = Fraction(path.pop()) if path[-1][0].isdigit() else Fraction(1)
    return Transfer((source, target), tuple(path), share)


def camera(**problem: Any) -> Answer:
    """The kind's example: 18 Gflop on 3 Gflop/s, shared so that both servers are always busy."""
    example = copy.deepcopy(dict(PROBLEM.example["problem"])) | problem
    del example["kind"]
    return mapped(
        example,
        {"capture": "camera", "align": "small", "detect": "large", "track": "large"},
        [
            "capture-align: camera small",
            "align-detect: small large",
            "capture-track: camera small large",
        ],
        occupation={
            "camera->small.link": 6,
            "large.compute": 6,
            "small.compute": 6,
            "small->large.link": 5,
            "camera.compute": 3,
        },
        first_periods={"capture camera": 1, "align small": 3, "detect large": 5, "track large": 5},
        buffers={"camera": 12, "small": 18, "large": 14},
        prices={"small.compute": "1/18", "large.compute": "1/9"},
    )


RELAY = {
    "platform": {
        "processors": [{"id": name} for name in "ABC"],
        "links": [
            {"source": "A", "target": "B", "unit_time": 100},
            {"source": "A", "target": "C", "unit_time": 100},
            {"source": "B", "target": "C", "unit_time": 1},
        ],
    },
    "application": {
        "tasks": [{"id": "k", "times": {"A": 1}}, {"id": "l", "times": {"C": 1}}],
        "files": [{"source": "k", "target": "l", "size": 1}],
    },
}


def relay(**problem: Any) -> Answer:
    """Two processors near each other cannot make a file that comes from far away."""
    return mapped(
        RELAY | {"duplication": "tasks_and_files", "routing": "free"} | problem,
        {"k": "A", "l": "C"},
        ["k-l: A C"],
        occupation={"A->C.link": 100, "A.compute": 1, "C.compute": 1},
        first_periods={"k A": 1, "l C": 3},
        buffers={"A": 2, "C": 2},
        prices={"A->C.link": "1/100"},
        bound_source="forbidden_assignments",
        certificate=FarkasCertificate(prices={"A->C.link": Fraction(1, 100)}),
    )


FORK = {
    "platform": {
        "processors": [{"id": name} for name in "ABCS"],
        "links": [
            {"source": "S", "target": "A", "unit_time": 1},
            {"source": "A", "target": "B", "unit_time": 2},
            {"source": "B", "target": "C", "unit_time": 1},
            {"source": "S", "target": "C", "unit_time": 8},
        ],
    },
    "application": {
        "tasks": [
            {"id": "s", "times": {"S": 1}},
            {"id": "a", "times": {"A": 2, "B": 3, "C": 3}},
            {"id": "b", "times": {"B": 1}},
            {"id": "c", "times": {"C": 1}},
        ],
        "files": [
            {"source": "s", "target": "a", "size": 1},
            {"source": "a", "target": "b", "size": 4},
            {"source": "a", "target": "c", "size": 4},
        ],
    },
}
"""A source, a task whose results are large, and two users of them."""


def copied_task(**problem: Any) -> Answer:
    """Task a runs next to both of its users, so that its results need not travel."""
    return mapped(
        FORK | {"duplication": "tasks"} | problem,
        {"s": "S", "a": "B C", "b": "B", "c": "C"},
        ["s-a: S A B", "s-a: S A B C"],
        occupation={
            "A->B.link": 4,
            "B.compute": 4,
            "C.compute": 4,
            "S->A.link": 2,
            "B->C.link": 1,
            "S.compute": 1,
        },
        first_periods={"s S": 1, "a B": 3, "a C": 3, "b B": 4, "c C": 4},
        buffers={"S": 2, "B": 14, "C": 14},
        prices={"S.compute": 1},
    )


def copied_file(**problem: Any) -> Answer:
    """The same; on its way to C the file is copied on B, and crosses each link once."""
    return mapped(
        FORK | {"duplication": "tasks_and_files", "routing": "free"} | problem,
        {"s": "S", "a": "B C", "b": "B", "c": "C"},
        ["s-a: S A B", "s-a: B C"],
        occupation={
            "B.compute": 4,
            "C.compute": 4,
            "A->B.link": 2,
            "B->C.link": 1,
            "S->A.link": 1,
            "S.compute": 1,
        },
        first_periods={"s S": 1, "a B": 3, "a C": 3, "b B": 4, "c C": 4},
        buffers={"S": 2, "B": 14, "C": 14},
        prices={"S.compute": 1},
    )


def split_file(**problem: Any) -> Answer:
    """One file of two units goes half over the link and half around."""
    platform = {
        "processors": [{"id": name} for name in "ABC"],
        "links": [
            {"source": "A", "target": "B", "unit_time": 1},
            {"source": "A", "target": "C", "unit_time": 1},
            {"source": "C", "target": "B", "unit_time": 1},
        ],
    }
    application = {
        "tasks": [{"id": "a", "times": {"A": 1}}, {"id": "b", "times": {"B": 1}}],
        "files": [{"source": "a", "target": "b", "size": 2}],
    }
    return mapped(
        {"platform": platform, "application": application, "routing": "multipath"} | problem,
        {"a": "A", "b": "B"},
        ["a-b: A B 1/2", "a-b: A C B 1/2"],
        occupation={
            "A->B.link": 1,
            "A->C.link": 1,
            "A.compute": 1,
            "B.compute": 1,
            "C->B.link": 1,
        },
        first_periods={"a A": 1, "b B": 3},
        buffers={"A": 4, "B": 4},
        prices={"A->B.link": "1/2", "A->C.link": "1/2"},
    )


def simulated(**problem: Any) -> Answer:
    """What a reference answers: ten instances of the example in 75 time units."""
    example = copy.deepcopy(dict(PROBLEM.example["problem"])) | {"method": "heft", "instances": 10}
    instance = MonoAllocationInstance.model_validate(example | problem)
    result = empty(
        instance,
        **bounded({"small.compute": "1/18", "large.compute": "1/9"}, Fraction(10, 75)),
        simulation=ReferenceSimulation(
            instances=10, makespan=Fraction(75), latency=Fraction(61, 2)
        ),
        notes=["every instance goes its own way"],
    )
    return Answer(instance, Options(), result, None)


APART = {
    "platform": {
        "processors": [{"id": name} for name in "AC"],
        "links": [{"source": "A", "target": "C", "unit_time": 1}],
    },
    "application": {
        "tasks": [
            {"id": "s", "times": {"A": 0, "C": 0}},
            {"id": "a", "times": {"A": 1}},
            {"id": "c", "times": {"C": 1}},
        ],
        "files": [
            {"source": "s", "target": "a", "size": 1},
            {"source": "s", "target": "c", "size": 1},
        ],
    },
}
"""Where s runs once, one of its files must travel."""


def bound_only(problem: dict[str, Any], prices: dict[str, Any], **fields: Any) -> Answer:
    asked = {"kind": "mono_allocation", "method": "milp", **problem}
    instance = MonoAllocationInstance.model_validate(asked)
    result = empty(instance, **(bounded(prices, None) | fields))
    return Answer(instance, Options(), result, None)
