"""Every refusal names its place and the remedy."""

import json
from pathlib import Path
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.kinds.master_worker.pools import pooled_instance, pools_of
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.model import build_model
from steadygrid.submissions.submission import parse_submission, restore_submission, size_submission

FIGURE_3 = json.loads((Path(__file__).parent / "instances" / "rr4870_figure_3.json").read_text())[
    "body"
]


def faulty(change: Any) -> list[tuple[str, str, str]]:
    body = json.loads(json.dumps(FIGURE_3))
    change(body)
    with pytest.raises(InstanceError) as refusal:
        parse_submission(body, Limits())
    return [(format_pointer(f.pointer), f.code, f.detail) for f in refusal.value.faults]


def platform(body: dict[str, Any]) -> Any:
    return body["problem"]["platform"]


def change(path: str, value: Any) -> Any:
    def apply(body: dict[str, Any]) -> None:
        *way, last = (int(s) if s.isdigit() else s for s in path.split("/"))
        part: Any = body
        for step in way:
            part = part[step]
        if isinstance(part, list) and last == len(part):
            part.append(value)
        else:
            part[last] = value

    return apply


LINK = {"source": "P1", "target": "P4", "unit_time": 1}

REFUSALS = [
    ("problem/kind", "queens", "#/problem/kind", "unknown_kind", "master_worker"),
    ("problem/master", "P9", "#/problem/master", "unknown_processor", "'P9'"),
    (
        "problem/platform/processors/1/id",
        "P1",
        "#/problem/platform/processors/1/id",
        "duplicate_processor",
        "twice",
    ),
    (
        "problem/platform/processors/1/speed",
        2,
        "#/problem/platform/processors/1",
        "ambiguous_speed",
        "not both",
    ),
    (
        "problem/platform/processors/1/switch",
        True,
        "#/problem/platform/processors/1",
        "switch_computes",
        "leave out",
    ),
    (
        "problem/platform/processors/4",
        {"id": "a->b"},
        "#/problem/platform/processors/4/id",
        "invalid_id",
        "->",
    ),
    (
        "problem/platform/processors/4",
        {"id": "-a"},
        "#/problem/platform/processors/4/id",
        "invalid_id",
        'begin or end with "-"',
    ),
    (
        "problem/platform/processors/4",
        {"id": "a-"},
        "#/problem/platform/processors/4/id",
        "invalid_id",
        'begin or end with "-"',
    ),
    (
        "problem/platform/processors/4",
        {"id": "a\n"},
        "#/problem/platform/processors/4/id",
        "control_character",
        "control",
    ),
    (
        "problem/platform/processors/4",
        {"id": ""},
        "#/problem/platform/processors/4/id",
        "string_too_short",
        "1",
    ),
    (
        "problem/platform/processors/0/unit_time",
        0,
        "#/problem/platform/processors/0/unit_time",
        "zero_rational",
        "greater than zero",
    ),
    (
        "problem/platform/processors/0/unit_time",
        -1,
        "#/problem/platform/processors/0/unit_time",
        "negative_rational",
        "negative",
    ),
    (
        "problem/platform/processors/0/unit_time",
        "1e10000000",
        "#/problem/platform/processors/0/unit_time",
        "rational_too_long",
        "exponent",
    ),
    (
        "problem/platform/processors/0/unit_time",
        "1/0",
        "#/problem/platform/processors/0/unit_time",
        "zero_denominator",
        "zero",
    ),
    (
        "problem/platform/processors/0/unit_time",
        True,
        "#/problem/platform/processors/0/unit_time",
        "not_a_rational",
        "3/4",
    ),
    (
        "problem/platform/links/4",
        {**LINK, "bandwidth": 1},
        "#/problem/platform/links/4",
        "ambiguous_speed",
        "exactly one",
    ),
    (
        "problem/platform/links/4",
        {**LINK, "target": "P9"},
        "#/problem/platform/links/4/target",
        "unknown_processor",
        "'P9'",
    ),
    (
        "problem/platform/links/4",
        {**LINK, "target": "P1"},
        "#/problem/platform/links/4",
        "self_link",
        "two different",
    ),
    (
        "problem/platform/links/4",
        {**LINK, "target": "P2", "duplex": "simplex"},
        "#/problem/platform/links/4",
        "duplicate_link",
        "already",
    ),
    (
        "problem/platform/links/4",
        {**LINK, "media": ["bus"]},
        "#/problem/platform/links/4/media/0",
        "unknown_medium",
        "'bus'",
    ),
    (
        "problem/platform/links/4",
        {**LINK, "duplex": "both"},
        "#/problem/platform/links/4/duplex",
        "literal_error",
        "simplex",
    ),
    (
        "problem/platform/media",
        [{"id": "b", "bandwidth": 1}, {"id": "b", "bandwidth": 2}],
        "#/problem/platform/media/1/id",
        "duplicate_medium",
        "twice",
    ),
    (
        "problem/platform/routes",
        [{"source": "P1", "target": "P4"}],
        "#/problem/platform/routes/0",
        "route_without_link",
        "no link",
    ),
    (
        "problem/platform/routes",
        [{"source": "P1", "target": "P4", "via": ["P8"]}],
        "#/problem/platform/routes/0",
        "unknown_processor",
        "'P8'",
    ),
    (
        "problem/platform/routes",
        [{"source": "P1", "target": "P2", "via": ["P1"]}],
        "#/problem/platform/routes/0",
        "route_repeats",
        "at most once",
    ),
    (
        "problem/platform/routes",
        [{"source": "P1", "target": "P2"}] * 2,
        "#/problem/platform/routes/1",
        "duplicate_route",
        "already",
    ),
    (
        "problem/platform/routes",
        [{"source": "P1", "target": "P4", "missing": True}, {"source": "P1", "target": "P4"}],
        "#/problem/platform/routes/1",
        "duplicate_route",
        "already",
    ),
    (
        "problem/platform/routes",
        [{"source": "P1", "target": "P4", "via": ["P2"], "missing": True}],
        "#/problem/platform/routes/0/via",
        "missing_route_via",
        "leave out via",
    ),
    (
        "problem/platform/routes",
        [{"source": "P1", "target": "P4", "missing": False}],
        "#/problem/platform/routes/0/missing",
        "literal_error",
        "true",
    ),
    ("problem/platform", "plt_unknown", "#/problem/platform", "unknown_platform", "stored"),
    ("problem/task", {}, "#/problem/task", "ambiguous_work", "exactly one"),
    ("problem/task", {"work": 1, "times": {"P1": 1}}, "#/problem/task", "ambiguous_work", "one"),
    ("problem/task/times", {"P9": 1}, "#/problem/task", "ambiguous_work", "exactly one"),
    ("problem/task", {"times": {"P9": 1}}, "#/problem/task/times/P9", "unknown_processor", "P9"),
    ("problem/task", {"times": {"P1": "x"}}, "#/problem/task/times/P1", "not_a_rational", "3/4"),
    ("problem/task", {"work": 0}, "#/problem/task", "unbounded_throughput", "no time"),
    (
        "problem/task",
        {"times": {"P4": 0}, "input_size": 0},
        "#/problem/task",
        "unbounded_throughput",
        "'P4'",
    ),
    ("problem/ports", "two_port", "#/problem/ports", "literal_error", "multiport"),
    ("problem/method", "bandwidth_centric", "#/problem/method", "method_not_applicable", "tree"),
    ("problem/surprise", 1, "#/problem/surprise", "extra_forbidden", "there is no field"),
    ("options", {"time_limit": 0}, "#/options/time_limit", "greater_than", "0"),
    ("options", {"time_limit": 4000}, "#/options/time_limit", "less_than_equal", "3600"),
    ("options", {"max_period": 0}, "#/options/max_period", "zero_rational", "zero"),
    ("options", {"solver": "x"}, "#/options/solver", "extra_forbidden", "there is no field"),
    ("labels", {"a": 1}, "#/labels/a", "string_type", "expected a text"),
    ("problem", [], "#/problem", "invalid_type", "object"),
]


@pytest.mark.parametrize(("path", "value", "pointer", "code", "word"), REFUSALS)
def test_a_refusal_has_its_place_its_code_and_a_sentence(
    path: str, value: Any, pointer: str, code: str, word: str
) -> None:
    faults = faulty(change(path, value))
    assert (pointer, code) in [fault[:2] for fault in faults]
    assert word in next(fault[2] for fault in faults if fault[:2] == (pointer, code))


def test_several_faults_are_reported_at_once() -> None:
    def break_much(body: dict[str, Any]) -> None:
        platform(body)["links"][0]["target"] = "P8"
        platform(body)["links"][1]["unit_time"] = 2
        platform(body)["links"][1]["bandwidth"] = 2
        body["problem"]["master"] = "P7"

    assert [fault[0] for fault in faulty(break_much)] == [
        "#/problem/platform/links/0/target",
        "#/problem/platform/links/1",
        "#/problem/master",
    ]


def test_media_need_the_multiport_model() -> None:
    def share(body: dict[str, Any]) -> None:
        platform(body)["media"] = [{"id": "bus", "bandwidth": 1}]
        platform(body)["links"][0]["media"] = ["bus"]

    assert faulty(share) == [
        (
            "#/problem/platform/links/0/media",
            "media_need_multiport",
            'shared media need "ports": "multiport"',
        )
    ]


def test_media_under_one_port_are_one_fault_however_many_links_name_them() -> None:
    def share(body: dict[str, Any]) -> None:
        platform(body)["media"] = [{"id": "bus", "bandwidth": 1}]
        for link in platform(body)["links"][1:]:
            link["media"] = ["bus"]

    ((pointer, _, detail),) = faulty(share)
    assert pointer == "#/problem/platform/links/1/media"
    assert detail == 'shared media need "ports": "multiport" (3 links name media)'


@pytest.mark.parametrize("role", ["master", "times"])
def test_a_switch_neither_holds_nor_computes_tasks(role: str) -> None:
    def switch(body: dict[str, Any]) -> None:
        platform(body)["processors"].append({"id": "S", "switch": True})
        if role == "master":
            body["problem"]["master"] = "S"
        else:
            body["problem"]["task"] = {"times": {"S": 1}}

    (fault,) = faulty(switch)
    assert (
        fault[:2]
        == {
            "master": ("#/problem/master", "switch_master"),
            "times": ("#/problem/task/times/S", "switch_computes"),
        }[role]
    )


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        ({"ports": "multiport"}, "one-port"),
        ({"task": {"work": 1, "output_size": 1}}, "output files"),
    ],
)
def test_the_tree_algorithm_says_why_it_does_not_apply(problem: Any, reason: str) -> None:
    def ask(body: dict[str, Any]) -> None:
        body["problem"].update(problem, method="bandwidth_centric")

    (fault,) = faulty(ask)
    assert fault[:2] == ("#/problem/method", "method_not_applicable")
    assert reason in fault[2]


@pytest.mark.parametrize(
    ("limit", "pointer"),
    [("max_processors", "processors"), ("max_links", "links")],
)
def test_sizes_over_the_limits_are_refused_with_number_and_limit(limit: str, pointer: str) -> None:
    with pytest.raises(LimitError) as refusal:
        parse_submission(FIGURE_3, Limits().model_copy(update={limit: 3}))
    (fault,) = refusal.value.faults
    assert format_pointer(fault.pointer) == f"#/problem/platform/{pointer}"
    assert fault.detail.startswith("4 ")
    assert "at most 3" in fault.detail


def test_a_program_over_the_limit_is_refused_before_it_is_built() -> None:
    submission = parse_submission(FIGURE_3, Limits())
    with pytest.raises(LimitError, match="at most 10 "):
        size_submission(submission, Limits().model_copy(update={"max_coefficients": 10}))


def test_the_estimate_of_the_program_is_the_program() -> None:
    for output_size in (0, 1):
        body = json.loads(json.dumps(FIGURE_3))
        body["problem"]["task"]["output_size"] = output_size
        submission = parse_submission(body, Limits())
        sizes = size_submission(submission, Limits()).sizes
        small = pooled_instance(submission.instance, pools_of(submission.instance))
        model = build_model(small, Legs.from_instance(small))
        assert sizes["variables"] == model.nvariables()
        assert sizes["constraints"] >= model.nconstraints()


def test_what_is_given_but_not_used_is_named() -> None:
    body = json.loads(json.dumps(FIGURE_3))
    given = body["problem"]["platform"]
    given["processors"][0] |= {"latency": 1, "bandwidth_in": 1}
    given["routes"] = [{"source": "P1", "target": "P2"}]
    given["media"] = [{"id": "bus", "bandwidth": 1}]
    body["problem"]["task"] = {"times": {"P1": 1}}
    body["options"] = {"mip_gap": "1/10", "max_labelling_entries": 5}
    warnings = size_submission(parse_submission(body, Limits()), Limits()).warnings
    for word in ("latencies", "bandwidth_in", "routes", "'bus'", "speeds", "mip_gap", "labelling"):
        assert any(word in warning for warning in warnings), word
    assert len(warnings) == 7


def test_the_canonical_document_parses_to_the_same_submission() -> None:
    body = json.loads(json.dumps(FIGURE_3)) | {
        "labels": {"experiment": "a"},
        "options": {"max_period": 0.1, "time_limit": 5},
    }
    submission = parse_submission(body, Limits())
    document = submission.document()
    assert document["options"]["max_period"] == "1/10"
    again = parse_submission(json.loads(json.dumps(document)), Limits())
    assert again == submission
    assert again.document() == document


@pytest.mark.parametrize("body", [None, [], "x", 3])
def test_a_body_is_an_object(body: Any) -> None:
    with pytest.raises(InstanceError, match="JSON object"):
        parse_submission(body, Limits())


def test_an_accepted_body_is_restored_without_looking_for_faults_again() -> None:
    submission = parse_submission(FIGURE_3 | {"labels": {"a": "b"}}, Limits())
    assert restore_submission(submission.document()) == submission


def test_a_body_that_an_older_version_accepted_is_refused_with_its_faults() -> None:
    document = parse_submission(FIGURE_3, Limits()).document()
    document["problem"]["platform"]["processors"][1]["id"] = "P2-"
    with pytest.raises(InstanceError, match=r"#/problem/platform/processors/1/id: an id cannot"):
        restore_submission(document)
