"""What a mono_allocation instance may be refused for, and what it is warned of."""

import copy
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from steadygrid.domain.errors import format_pointer
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.kinds.mono_allocation import PROBLEM
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.submissions.submission import Submission, size_submission
from tests.kinds.mono_allocation.test_methods import METHODS


def instance(**problem: Any) -> MonoAllocationInstance:
    """Read the example with some members replaced."""
    example = copy.deepcopy(dict(PROBLEM.example["problem"])) | problem
    return MonoAllocationInstance.model_validate(example)


def faults(**problem: Any) -> list[tuple[str, str, str]]:
    found = PROBLEM.faults(instance(**problem), Options(), ("problem",))
    return [(format_pointer(f.pointer), f.code, f.detail) for f in found]


def warnings(options: Mapping[str, Any] = {}, **problem: Any) -> list[str]:
    asked = Options.model_validate(options)
    submission = Submission(PROBLEM, instance(**problem), asked, {})
    return list(size_submission(submission, Limits()).warnings)


def pair(one: dict[str, Any], other: dict[str, Any], size: Any = 1) -> dict[str, Any]:
    return {
        "tasks": [{"id": "a"} | one, {"id": "b"} | other],
        "files": [{"source": "a", "target": "b", "size": size}],
    }


ONE_WAY = {
    "processors": [{"id": "P", "speed": 1}, {"id": "Q"}, {"id": "S", "switch": True}],
    "links": [{"source": "P", "target": "Q", "unit_time": 1, "duplex": "simplex"}],
}


def test_the_example_has_no_fault_and_no_warning() -> None:
    assert faults() == []
    assert warnings() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("depth", -1),
        ("depth", 6),
        ("depth", 1.0),
        ("seed", -1),
        ("seed", 2**32),
        ("instances", 0),
        ("instances", 100_001),
        ("source", ""),
        ("ports", "two_ports"),
        ("routing", "shortest"),
        ("duplication", "files"),
        ("method", "auto"),
        ("speed", 1),
    ],
)
def test_what_is_out_of_range_or_unknown_is_refused_at_its_place(name: str, value: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        instance(**{name: value})
    assert [error["loc"] for error in refused.value.errors()] == [(name,)]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_may_be_asked_for(method: str) -> None:
    assert faults(method=method, depth=5, seed=2**32 - 1, instances=100_000) == []


def test_faults_of_the_parts_are_found_first() -> None:
    platform = ONE_WAY | {"routes": [{"source": "Q", "target": "P"}]}
    found = faults(platform=platform, application={"tasks": [{"id": "a"}]}, source="X")
    assert [(at, code) for at, code, _ in found] == [
        ("#/problem/platform/routes/0", "route_without_link"),
        ("#/problem/application/tasks/0", "ambiguous_work"),
        ("#/problem/application/tasks/0", "task_without_processor"),
        ("#/problem/source", "unknown_processor"),
    ]


def test_media_need_multiport_which_is_the_default() -> None:
    platform = {
        "processors": [{"id": "P", "speed": 1}, {"id": "Q"}],
        "links": [{"source": "P", "target": "Q", "unit_time": 1, "media": ["M"]}],
        "media": [{"id": "M", "bandwidth": 1}],
    }
    application = {"tasks": [{"id": "a", "work": 1}]}
    assert faults(platform=platform, application=application) == []
    ((at, code, _),) = faults(platform=platform, application=application, ports="one_port")
    assert (at, code) == ("#/problem/platform/links/0/media", "media_need_multiport")


@pytest.mark.parametrize(
    ("source", "code", "phrase"),
    [
        ("X", "unknown_processor", "there is no processor 'X'"),
        ("S", "switch_computes", "a switch only forwards: name another source"),
        ("Q", "task_not_allowed", "'Q' cannot run task 'b', and all tasks begin on the source"),
        ("Q", "task_not_allowed", "name another, such as 'P'"),
    ],
)
def test_a_source_must_be_able_to_run_every_task(source: str, code: str, phrase: str) -> None:
    application = pair({"times": {"P": 1, "Q": 1}}, {"work": 1})
    ((at, found, detail),) = faults(platform=ONE_WAY, application=application, source=source)
    assert (at, found) == ("#/problem/source", code)
    assert phrase in detail


def test_a_source_is_left_out_where_no_processor_can_run_everything() -> None:
    ((at, _, detail),) = faults(source="large")
    assert at == "#/problem/source"
    assert "cannot run task 'capture'" in detail
    assert detail.endswith("leave source out")


def test_a_source_that_can_run_everything_is_accepted() -> None:
    application = pair({"work": 1}, {"work": 2, "allowed": ["P"]})
    assert faults(platform=ONE_WAY, application=application, source="P", method="delegate") == []


@pytest.mark.parametrize("duplication", ["tasks", "tasks_and_files"])
@pytest.mark.parametrize(
    "method", ["heft", "data_parallel", "clustering", "upper_bound", "compare"]
)
def test_what_knows_no_copies_is_refused_with_duplication(method: str, duplication: str) -> None:
    ((at, code, detail),) = faults(method=method, duplication=duplication, routing="free")
    assert (at, code) == ("#/problem/method", "method_not_applicable")
    assert detail.startswith(f"{method} knows only schedules that run every task")
    assert '"method": "portfolio"' in detail


@pytest.mark.parametrize("method", ["simple_greedy", "refined_greedy", "rlp_max", "rlp_rand"])
def test_heuristics_answer_without_copies_and_say_so(method: str) -> None:
    assert faults(method=method, duplication="tasks") == []
    assert warnings(method=method, duplication="tasks") == [
        f"{method} duplicates nothing: its allocation runs every task once"
    ]
    assert warnings(method=method) == []
    assert warnings(method="milp", duplication="tasks") == []


@pytest.mark.parametrize("duplication", ["none", "tasks", "tasks_and_files"])
@pytest.mark.parametrize("routing", ["fixed", "free", "multipath"])
def test_every_routing_goes_with_every_duplication(routing: str, duplication: str) -> None:
    assert faults(duplication=duplication, routing=routing) == []
    whole = "files are not split: routers that copy them keep them whole"
    both = (routing, duplication) == ("multipath", "tasks_and_files")
    assert (whole in warnings(duplication=duplication, routing=routing)) == both


def test_pairs_of_processors_without_a_route_are_counted() -> None:
    application = pair({"times": {"P": 1}}, {"times": {"P": 1, "Q": 1}})
    assert faults(platform=ONE_WAY, application=application) == []
    found = warnings(platform=ONE_WAY, application=application)
    assert found[-1] == (
        "1 pairs of processors have no route between them, such as 'Q' to 'P': tasks that exchange a"
        " file are not placed on them"
    )


def test_processors_that_run_nothing_need_no_route() -> None:
    application = {"tasks": [{"id": "a", "work": 1, "allowed": ["P"]}]}
    assert warnings(platform=ONE_WAY, application=application) == []


THREE = {
    "processors": [{"id": name} for name in "PQR"],
    "links": [{"source": "P", "target": "Q", "unit_time": 1}],
}


def fork(one: Any, two: Any, *sizes: Any, start: Any = ("P", "Q")) -> dict[str, Any]:
    return {
        "tasks": [
            {"id": "a", "times": dict.fromkeys(start, 0)},
            {"id": "b", "times": one},
            {"id": "c", "times": two},
        ],
        "files": [
            {"source": "a", "target": name, "size": size}
            for name, size in zip("bc", sizes, strict=True)
        ],
    }


@pytest.mark.parametrize(
    ("application", "duplication", "free"),
    [
        (fork({"P": 0}, {"P": 0}, 1, 1), "none", True),
        (fork({"P": 0}, {"Q": 0}, 1, 1), "none", False),
        (fork({"P": 0}, {"Q": 0}, 1, 0), "none", True),
        (fork({"P": 0}, {"P": 0}, 1, 1), "tasks", True),
        (fork({"P": 0}, {"Q": 0}, 1, 1), "tasks", True),
        (fork({"P": 0}, {"Q": 0}, 1, 0, start="P"), "tasks", True),
        (fork({"P": 0}, {"Q": 0}, 1, 1, start="P"), "tasks", False),
        (fork({"P": 0}, {"Q": 1}, 1, 1), "tasks", False),
        (fork({"P": 0}, {"R": 0}, 0, 0, start="PR"), "tasks", True),
    ],
)
def test_what_needs_nothing_at_all_has_no_bound(
    application: dict[str, Any], duplication: str, free: bool
) -> None:
    found = faults(platform=THREE, application=application, duplication=duplication)
    assert [(at, code) for at, code, _ in found] == [
        ("#/problem/application", "unbounded_throughput")
    ] * free


@pytest.mark.parametrize(
    ("problem", "options", "phrase"),
    [
        ({"routing": "free"}, {}, 'routes are not used: "routing": "free" chooses'),
        ({"method": "milp", "depth": 3}, {}, "depth is not used by milp"),
        ({"method": "delegate", "seed": 1}, {}, "seed is not used by delegate"),
        ({"method": "delegate", "instances": 1}, {}, "instances is not used by delegate"),
        ({"method": "delegate"}, {"mip_gap": 0.1}, "mip_gap is not used by delegate"),
        ({"method": "heft"}, {"max_period": 9}, "max_period and whole_files are not used: heft"),
        ({"method": "upper_bound"}, {"whole_files": True}, "upper_bound gives no periodic"),
        ({"method": "heft", "routing": "multipath"}, {}, "heft sends over shortest paths"),
    ],
)
def test_what_is_given_but_not_used_is_named(
    problem: dict[str, Any], options: dict[str, Any], phrase: str
) -> None:
    assert any(phrase in warning for warning in warnings(options, **problem))


def test_what_is_used_is_not_named() -> None:
    used = {"depth": 3, "seed": 1, "instances": 2}
    assert warnings({"mip_gap": 0.1}, method="compare", **used) == []
    source = pair({"work": 1}, {"work": 1})
    assert "source is not used by milp" in warnings(
        platform=ONE_WAY, application=source, source="P", method="milp"
    )
