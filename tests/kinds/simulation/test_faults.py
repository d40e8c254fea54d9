"""What is refused before anything is simulated, with place and code."""

from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.kinds.simulation.bodies import example


def faults(body: dict[str, Any]) -> dict[str, str]:
    """Give the codes of all faults by their places below the problem."""
    with pytest.raises(InstanceError) as refused:
        parse_submission(body, Limits())
    return {"/".join(map(str, f.pointer[1:])): f.code for f in refused.value.faults}


@pytest.mark.parametrize("missing", ["instance", "result", "schedule"])
def test_all_documents_are_needed(missing: str) -> None:
    assert faults(example(**{missing: None})) == {missing: "missing"}


def test_a_job_is_known_to_the_service_only() -> None:
    body = {"problem": {"kind": "simulation", "job": "job_1"}}
    assert faults(body) == {"job": "unknown_job"}


def test_a_kind_that_is_not_simulated_is_named_with_those_that_are() -> None:
    body = example(instance=PROBLEMS["simulation"].example)
    with pytest.raises(InstanceError) as refused:
        parse_submission(body, Limits())
    (fault,) = refused.value.faults
    assert fault.code == "not_simulated"
    assert "does not take schedules of kind simulation yet" in fault.detail
    assert "master_worker" in fault.detail


@pytest.mark.parametrize("kind", [None, 3, "nonsense", "simulation"])
def test_an_instance_has_a_kind_that_is_known(kind: Any) -> None:
    code = "not_simulated" if kind == "simulation" else "unknown_kind"
    assert faults(example(instance={"kind": kind})) == {"instance/kind": code}


def test_faults_of_the_instance_are_found_where_they_are() -> None:
    body = example()
    problem = body["problem"]["instance"]["problem"]
    del problem["master"]
    assert faults(body) == {"instance/problem/master": "missing"}
    problem["master"] = "nowhere"
    assert faults(body) == {"instance/problem/master": "unknown_processor"}


def test_a_result_of_another_kind_is_refused() -> None:
    body = example(result=example("task_graph")["problem"]["result"])
    assert faults(body)["result/kind"] == "literal_error"


def test_a_schedule_has_to_be_one() -> None:
    assert faults(example(schedule={})) == {"schedule": "not_a_schedule"}
    body = example()
    body["problem"]["schedule"]["form"] = "once"
    assert faults(body) == {"schedule": "not_a_schedule"}


def test_operations_must_fit_beside_each_other() -> None:
    body = example()
    runs = body["problem"]["schedule"]["runs"]
    for run in runs:
        run["start"] = "0"
    assert "run_overlaps" in faults(body).values()
    body = example()
    body["problem"]["schedule"]["computations"][0]["start"] = "1000"
    assert "computation_past_period" in faults(body).values()


def test_allocations_must_be_complete() -> None:
    body = example()
    body["problem"]["schedule"]["allocations"][0]["tasks"] = {}
    assert faults(body) == {"schedule/allocations/0/tasks": "missing_task"}


def test_ports_are_those_of_the_instance() -> None:
    body = example()
    body["problem"]["instance"]["problem"]["ports"] = "multiport"
    assert faults(body) == {"schedule/ports": "wrong_ports"}


def test_the_throughput_is_that_of_the_period() -> None:
    body = example()
    body["problem"]["schedule"]["throughput"] = "1"
    assert faults(body) == {"schedule/throughput": "wrong_throughput"}


def test_nothing_cannot_be_simulated() -> None:
    body = example()
    schedule = body["problem"]["schedule"]
    schedule.update(instances_per_period="0", throughput="0")
    assert faults(body) == {"schedule": "nothing_runs"}


@pytest.mark.parametrize(
    ("kind", "execution"),
    [("task_graph", "on_demand"), ("collective", "dispatch"), ("bag_of_tasks", "heft")],
)
def test_an_execution_has_to_be_one_of_the_schedule(kind: str, execution: str) -> None:
    body = example(kind, executions=["clock", execution])
    assert faults(body) == {"executions/1": "no_such_execution"}


def test_nothing_is_listed_twice() -> None:
    body = example(noise=["0", "1/10", "0.1"], executions=["clock", "clock"])
    assert faults(body) == {"noise/2": "repeated", "executions/1": "repeated"}


def test_noise_leaves_every_time_above_zero() -> None:
    assert faults(example(noise=["1"])) == {"noise/0": "less_than"}


def test_too_many_operations_are_refused_with_their_number() -> None:
    submission = parse_submission(example(instances=1_000_000), Limits())
    with pytest.raises(LimitError, match="operations, and at most 10,000,000 are accepted"):
        size_submission(submission, Limits())


@pytest.mark.parametrize(
    ("kind", "members", "warned"),
    [
        ("collective", {"window": 3}, "window is not used"),
        ("collective", {"overtake": True}, "overtake is not used: nothing"),
        ("collective", {"buffer": 9}, "buffer is not used"),
        ("collective", {"batch": 9}, "batch is not used"),
    ],
)
def test_what_is_given_in_vain_is_said(kind: str, members: dict[str, Any], warned: str) -> None:
    submission = parse_submission(example(kind, **members), Limits())
    assert any(warned in one for one in size_submission(submission, Limits()).warnings)


def test_overtaking_is_no_question_where_transfers_share_links() -> None:
    submission = parse_submission(example(ports="multiport", overtake=True), Limits())
    warnings = size_submission(submission, Limits()).warnings
    assert "overtake is not used: under multiport transfers share links" in warnings
