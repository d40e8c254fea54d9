"""Instances that mix units are asked about, and only those."""

from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission, size_submission

BYTES_AND_FLOPS = {
    "units": {"time": "s"},
    "processors": [{"id": "A", "speed": 4 * 10**9}, {"id": "B", "speed": 10**10}],
    "links": [{"source": "A", "target": "B", "bandwidth": 125 * 10**6}],
}


def questions(problem: dict[str, Any]) -> list[str]:
    submission = parse_submission({"problem": problem}, Limits())
    warnings = size_submission(submission, Limits()).warnings
    return [warning for warning in warnings if "in the units of" in warning]


def tasks(work: Any, size: Any, **platform: Any) -> dict[str, Any]:
    task = {"work": work, "input_size": size}
    platform = BYTES_AND_FLOPS | platform
    return {"kind": "master_worker", "platform": platform, "master": "A", "task": task}


def graph(kind: str, work: Any, size: Any) -> dict[str, Any]:
    application = {
        "tasks": [{"id": "T", "work": work}, {"id": "U", "times": {"B": 0}}],
        "files": [{"source": "T", "target": "U", "size": size}],
    }
    return {"kind": kind, "platform": BYTES_AND_FLOPS, "application": application}


@pytest.mark.parametrize(
    "problem",
    [tasks(1, 1), tasks(1, 0), graph("task_graph", 1, 1), graph("mono_allocation", 4, 100)],
)
def test_sizes_of_one_on_a_platform_in_bytes_are_asked_about(problem: dict[str, Any]) -> None:
    (question,) = questions(problem)
    assert question.startswith("no computation and no transfer takes more than a millionth of a s")


def test_bytes_on_a_platform_in_gigabytes_are_asked_about() -> None:
    small = {
        "processors": [{"id": "A", "speed": "1e-9"}, {"id": "B"}],
        "links": [{"source": "A", "target": "B", "bandwidth": "1e-3"}],
    }
    (question,) = questions(tasks(10**9, 10**7, **small))
    assert question.startswith("no computation and no transfer takes less than 30 years")


@pytest.mark.parametrize(
    "problem",
    [
        tasks(10**9, 1),
        tasks(1, 10**6),
        tasks(1, 1, units={"time": "us"}),
        tasks(1, 1, media=[{"id": "slow", "bandwidth": 1}]),
        tasks(1, 1, processors=[{"id": "A", "speed": 10**9, "bandwidth_in": 2}, {"id": "B"}]),
        tasks(1, 1, processors=[{"id": "A", "speed": 10**9, "bandwidth_out": 2}, {"id": "B"}]),
        graph("task_graph", 10**9, 10**6),
    ],
)
def test_work_that_takes_its_time_is_not_asked_about(problem: dict[str, Any]) -> None:
    assert questions(problem) == []


def test_where_nothing_takes_time_there_is_nothing_to_ask() -> None:
    problem = tasks(0, 1, links=[], processors=[{"id": "A", "unit_time": 1}, {"id": "B"}])
    problem["task"] = {"times": {"B": 0}, "input_size": 1}
    assert questions(problem) == []


@pytest.mark.parametrize(("output", "words"), [(0, "compute, such as"), (1, "compute and back, ")])
def test_processors_that_the_master_does_not_reach_are_counted(output: int, words: str) -> None:
    problem = tasks(10**9, 10**6)
    problem["platform"] = {
        "processors": [{"id": name, "speed": 1} for name in "ABCD"] + [{"id": "router"}],
        "links": [{"source": "A", "target": "B", "bandwidth": 1}]
        + [{"source": "router", "target": name, "bandwidth": 1} for name in "CD"],
    }
    problem["task"]["output_size"] = output
    submission = parse_submission({"problem": problem}, Limits())
    (warning,) = size_submission(submission, Limits()).warnings
    assert warning.startswith("no links lead from 'A' to 2 of the 4 processors that can " + words)
    assert warning.endswith("such as 'C': they get no tasks")
