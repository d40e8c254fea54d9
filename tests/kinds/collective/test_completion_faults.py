"""What a completion, and the execution of programs, are refused with."""

from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, SchedulingError
from steadygrid.domain.limits import Limits
from steadygrid.kinds.collective.execution import MOST_BLOCKS, MOST_SIZES
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.kinds.collective.boxes import once, pair, ring

SCATTER = {"operation": "scatter", "source": "A", "targets": ["B"]}
ALL = {"operation": "allgather"}


def body(problem: dict[str, Any], **options: Any) -> dict[str, Any]:
    given = once(pair(), "broadcast")["problem"] | {"source": "A"} | problem
    if given["operation"] != "broadcast" and "source" not in problem:
        del given["source"]
    return {"problem": given, "options": options}


REFUSED: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("completion_needs_multiport", "/problem/objective", {"ports": "one_port"}, {}),
    ("completion_needs_multiport", "/problem/objective", {"ports": "no_overlap"}, {}),
    ("completion_not_offered", "/problem/objective", SCATTER, {}),
    ("field_not_applicable", "/problem/copying", {"copying": "all"}, {}),
    (
        "field_not_applicable",
        "/problem/combine",
        {"operation": "reduce", "target": "A", "combine": {"times": {"A": 1}}},
        {},
    ),
    (
        "field_not_applicable",
        "/problem/order",
        {"operation": "reduce", "target": "A", "order": "fixed"},
        {},
    ),
    ("field_not_applicable", "/problem/chunks", {"chunks": 1}, {}),
    ("field_not_applicable", "/problem/chunks", {"chunks": "auto"}, {}),
    ("field_not_applicable", "/options/run", {}, {"run": {"instances": 1}}),
    ("field_not_applicable", "/options/total_instances", {}, {"total_instances": 1}),
    ("field_not_applicable", "/options/max_period", {}, {"max_period": 5}),
    ("field_not_applicable", "/options/max_period", {}, {"max_period": "exact"}),
    ("method_not_applicable", "/problem/method", {"method": "least_cut"}, {}),
    (
        "method_not_applicable",
        "/problem/method",
        {"method": "programs", "objective": "throughput"},
        {},
    ),
    (
        "field_not_applicable",
        "/problem/execution",
        {"objective": "throughput", "ports": "one_port", "execution": {}},
        {},
    ),
    (
        "field_not_applicable",
        "/problem/execution",
        SCATTER | {"objective": "throughput", "execution": {}},
        {},
    ),
    (
        "field_not_applicable",
        "/problem/execution",
        {
            "objective": "throughput",
            "operation": "reduce",
            "target": "A",
            "order": "fixed",
            "execution": {"blocks": 3},
        },
        {},
    ),
    (
        "sizes_not_increasing",
        "/problem/execution/sizes/2",
        {"execution": {"sizes": [1, 5, 5, 3]}},
        {},
    ),
    ("limit_exceeded", "/problem/sizes", ALL | {"sizes": {"A": 1, "B": "1/1000003"}}, {}),
]


@pytest.mark.parametrize(("code", "place", "problem", "options"), REFUSED)
def test_what_does_not_go_together_is_refused_with_a_remedy(
    code: str, place: str, problem: dict[str, Any], options: dict[str, Any]
) -> None:
    with pytest.raises(InstanceError) as refused:
        parse_submission(body(problem, **options), Limits())
    found = {("/" + "/".join(map(str, f.pointer)), f.code): f.detail for f in refused.value.faults}
    assert (place, code) in found
    assert any(word in found[place, code] for word in ("leave out", "ask", "list", "use", "give"))


@pytest.mark.parametrize(
    "execution",
    [
        {"blocks": 0},
        {"blocks": MOST_BLOCKS + 1},
        {"piece": 0},
        {"sizes": list(range(1, MOST_SIZES + 2))},
        {"bytes_per_unit": 0},
        {"step_time": -1},
        {"unknown": 1},
    ],
)
def test_an_execution_has_its_limits(execution: dict[str, Any]) -> None:
    with pytest.raises(SchedulingError):
        parse_submission(body({"execution": execution}), Limits())


def test_an_order_that_may_be_any_changes_nothing() -> None:
    problem = {"operation": "reduce", "target": "A", "order": "any", "execution": {"blocks": 3}}
    submission = parse_submission(body(problem), Limits())
    assert size_submission(submission, Limits()).method == "programs"
    assert submission.requires == 12


@pytest.mark.parametrize(("operation", "most"), [("allgather", 158), ("allreduce", 112)])
def test_too_many_hops_are_refused(operation: str, most: int) -> None:
    parse_submission(once(ring(most), operation), Limits())
    with pytest.raises(InstanceError) as refused:
        parse_submission(once(ring(most + 1), operation), Limits())
    (fault,) = refused.value.faults
    assert (fault.code, fault.pointer[-1]) == ("limit_exceeded", "participants")
    assert "name fewer participants" in fault.detail


def warnings(problem: dict[str, Any], **options: Any) -> list[str]:
    submission = parse_submission(body(problem, **options), Limits())
    return [*size_submission(submission, Limits()).warnings]


def test_what_is_of_no_use_is_named() -> None:
    assert warnings({}) == warnings({"copying": "participants"}) == []
    assert warnings({"execution": {"piece": 5, "sizes": [7], "blocks": 3}}) == [
        "piece and sizes of execution: not used, a completion is of its own sizes"
    ]


@pytest.mark.parametrize("options", [{"total_instances": 1}, {"run": {"instances": 1}}])
def test_one_operation_is_better_asked_for_as_a_completion(options: dict[str, Any]) -> None:
    def hints(**problem: Any) -> list[str]:
        told = warnings({"objective": "throughput"} | problem, **options)
        return [one for one in told if '"objective": "completion"' in one]

    assert len(hints()) == 1
    assert hints(platform=pair(latency="0")) == []
    assert hints(**SCATTER) == []


def test_many_operations_are_no_completion() -> None:
    told = warnings({"objective": "throughput"}, run={"instances": 2})
    assert not any("completion" in one for one in told)
