"""Bodies as people write them, and what they are told."""

import copy
import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.errors import Fault, InstanceError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.shared.piecewise import findings_of
from steadygrid.submissions.submission import parse_model, parse_submission

FOREIGN = ("Input should", "Extra inputs", "Field required", "String should", "valid ", "Tuple")
EXAMPLES = {kind: problem.example for kind, problem in PROBLEMS.items()}


def faults_of(body: Any) -> list[Fault]:
    with pytest.raises(InstanceError) as refusal:
        parse_submission(body, Limits())
    return list(refusal.value.faults)


def faults_if_any(body: Any) -> list[Fault]:
    try:
        parse_submission(body, Limits())
    except InstanceError as error:
        return list(error.faults)
    return []


def told(body: Any) -> dict[str, str]:
    return {format_pointer(fault.pointer): fault.detail for fault in faults_of(body)}


def example(kind: str = "master_worker") -> dict[str, Any]:
    body: dict[str, Any] = json.loads(json.dumps(EXAMPLES[kind]))
    return body


def test_an_unknown_field_names_the_one_that_was_meant() -> None:
    body = example()
    body["problem"]["platform"]["processors"][0]["unit_tim"] = 1
    body["problem"]["task"]["outputsize"] = 1
    found = told(body)
    assert found["#/problem/platform/processors/0/unit_tim"].endswith("Did you mean 'unit_time'?")
    assert found["#/problem/task/outputsize"].endswith("Did you mean 'output_size'?")


def test_fields_of_unions_and_mappings_are_known_too() -> None:
    body = example("divisible_chain")
    body["problem"]["startup"] = {"tim": 1}
    assert told(body) == {
        "#/problem/startup/tim": "there is no field 'tim' here. Did you mean 'time'?"
    }
    body["problem"]["startup"] = "4 MB"
    assert list(told(body)) == ["#/problem/startup"]
    assert told(body)["#/problem/startup"].endswith(
        "4 MB is 4000000 in B: use the same units everywhere"
    )
    body["problem"]["startup"] = {"data": "x", "time": [1]}
    assert sorted(told(body)) == [
        "#/problem/startup",
        "#/problem/startup/data",
        "#/problem/startup/time",
    ]


def test_a_field_on_the_wrong_level_is_told_its_place() -> None:
    body = example()
    body["problem"]["options"] = {}
    body["problem"]["time_limit"] = 3
    body["master"] = "P1"
    body["mip_gap"] = 0
    found = told(body)
    assert found["#/problem/options"].endswith('it stands beside "problem", not in it')
    assert found["#/problem/time_limit"].endswith('"options", which stands beside "problem"')
    assert found["#/master"].endswith('it belongs into "problem"')
    assert found["#/mip_gap"].endswith('"options", which stands beside "problem"')


@pytest.mark.parametrize(
    ("kind", "change", "pointer", "detail"),
    [
        ("master_worker", ("master", "p2"), "#/problem/master", "'p2'. Did you mean 'P2'?"),
        (
            "master_worker",
            ("task", {"times": {"P1": 1, "P44": 1}}),
            "#/problem/task/times/P44",
            "Did you mean 'P4'?",
        ),
        ("divisible_chain", ("chain", ["p1", "P2"]), "#/problem/chain/0", "Did you mean 'P1'?"),
        (
            "divisible_chain",
            ("availability", {"p1": 1}),
            "#/problem/availability/p1",
            "Did you mean 'P1'?",
        ),
    ],
)
def test_an_unknown_id_names_the_one_that_was_meant(
    kind: str, change: tuple[str, Any], pointer: str, detail: str
) -> None:
    body = example(kind)
    body["problem"][change[0]] = change[1]
    assert told(body)[pointer].endswith(detail)


def test_unknown_ends_media_tasks_and_kinds_name_near_ones() -> None:
    body = example()
    platform = body["problem"]["platform"]
    platform["media"] = [{"id": "backbone", "bandwidth": 1}]
    platform["links"][0] |= {"source": "p1", "media": ["backbon"]}
    found = told(body)
    assert found["#/problem/platform/links/0/source"].endswith("Did you mean 'P1'?")
    assert found["#/problem/platform/links/0/media/0"].endswith("Did you mean 'backbone'?")
    body = example("task_graph")
    first = body["problem"]["application"]["tasks"][0]["id"]
    body["problem"]["application"]["files"][0]["source"] = first.upper() + "x"
    assert f"Did you mean {first!r}?" in told(body)["#/problem/application/files/0/source"]
    body["problem"]["kind"] = "task-graph"
    assert told(body)["#/problem/kind"].endswith("Did you mean 'task_graph'?")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            EXAMPLES["master_worker"]["problem"]["platform"],
            ["platform", '"platform": ..., "master": ...'],
        ),
        ({"processors": [{}]}, ["platform", '"kind": "master_worker"']),
        ({"processors": []}, ["platform", '"problem": {"kind"']),
        (EXAMPLES["task_graph"]["problem"]["application"], ["application", '"task_graph"']),
        (EXAMPLES["cell"]["problem"], ["wrapper", '{"problem": {"kind": ..., ...}']),
        (
            {k: v for k, v in EXAMPLES["cell"]["problem"].items() if k != "kind"},
            ["does not say its kind (master_worker, ", '{"problem": {"kind": ..., ...}'],
        ),
        ({"name": "x", "workflow": {}}, ["steadygrid convert FILE --to application"]),
        ({"kind": "cell", "outcome": "optimal", "certificate": {}}, ["this is a result"]),
    ],
)
def test_what_is_no_job_is_recognised_and_its_wrapper_shown(body: Any, words: list[str]) -> None:
    (fault,) = faults_of(body)
    assert fault.pointer == ("problem",)
    assert all(word in fault.detail for word in words)


@pytest.mark.parametrize("body", [{}, {"problme": {}}, {"processors": 3}])
def test_what_is_nothing_that_we_know_lacks_a_problem(body: Any) -> None:
    assert told(body)["#/problem"] == "the field 'problem' is missing"


def test_a_number_with_a_unit_is_told_the_plain_one() -> None:
    body = example()
    body["problem"]["platform"]["processors"][0]["unit_time"] = "4Gf"
    body["problem"]["platform"]["links"][0]["unit_time"] = "25 MB/s"
    body["problem"]["task"]["work"] = "4KB"
    found = told(body)
    assert "4Gf is 4000000000 in f:" in found["#/problem/platform/processors/0/unit_time"]
    assert "25 MB/s is 25000000 in B/s:" in found["#/problem/platform/links/0/unit_time"]
    assert found["#/problem/task/work"].startswith("expected a number:")


def test_faults_of_form_do_not_hide_those_of_structure() -> None:
    body = example()
    problem = body["problem"]
    problem["platform"]["processors"][0]["unit_time"] = "fast"
    problem["platform"]["processors"][1]["sped"] = 1
    problem["platform"]["links"][0]["target"] = "P9"
    problem["master"] = "X"
    problem["ports"] = "two_port"
    body["options"] = {"time_limit": -1}
    assert sorted(told(body)) == [
        "#/options/time_limit",
        "#/problem/master",
        "#/problem/platform/links/0/target",
        "#/problem/platform/processors/0/unit_time",
        "#/problem/platform/processors/1/sped",
        "#/problem/ports",
    ]


def test_a_part_that_cannot_be_read_hides_no_other_part() -> None:
    body = example("task_graph")
    body["problem"]["platform"]["processors"][0]["id"] = ""
    body["problem"]["platform"]["links"][0]["target"] = "nobody"
    body["problem"]["application"]["files"][0]["source"] = "nobody"
    body["problem"]["method"] = "fast"
    assert sorted(told(body)) == [
        "#/problem/application/files/0/source",
        "#/problem/method",
        "#/problem/platform/processors/0/id",
    ]


def test_a_misspelt_field_is_no_missing_field_as_well() -> None:
    body = example()
    link = body["problem"]["platform"]["links"][0]
    link["unit_tim"] = link.pop("unit_time")
    assert list(told(body)) == ["#/problem/platform/links/0/unit_tim"]


def test_a_kind_s_own_rules_wait_until_the_rest_can_be_read() -> None:
    body = example()
    body["problem"]["task"] = {"work": 0, "input_size": "0 MB", "output_size": 0}
    assert list(told(body)) == ["#/problem/task/input_size"]


def test_an_unknown_stored_platform_hides_nothing_else() -> None:
    body = example("task_graph")
    body["problem"]["platform"] = "plt_" + "0" * 32
    body["problem"]["application"]["files"][0]["target"] = "nobody"
    found = faults_of(body)
    assert [(format_pointer(f.pointer), f.code) for f in found] == [
        ("#/problem/platform", "unknown_platform"),
        ("#/problem/application/files/0/target", "unknown_task"),
    ]


def test_a_stored_document_tells_all_faults_at_once() -> None:
    platform = {
        "processors": [{"id": "A", "speed": "x"}],
        "links": [{"source": "A", "target": "a"}],
    }
    with pytest.raises(InstanceError) as refusal:
        parse_model(Platform, platform)
    assert [(f.code, f.detail[-20:]) for f in refusal.value.faults if f.code == "unknown_processor"]
    assert {f.code for f in refusal.value.faults} == {
        *("not_a_rational", "ambiguous_speed", "unknown_processor")
    }


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (lambda platform: {"name": "x", "platform": platform}, "#/platform"),
        (lambda platform: {"problem": {"platform": platform}}, "#/problem/platform"),
    ],
)
def test_a_platform_inside_of_something_is_asked_for_itself(body: Any, place: str) -> None:
    platform = example()["problem"]["platform"]
    assert parse_model(Platform, platform).processors
    with pytest.raises(InstanceError) as refusal:
        parse_model(Platform, body(platform))
    (fault,) = refusal.value.faults
    assert fault.detail == f"send the platform itself: what stands at {place}"


def places(document: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    if isinstance(document, dict | list):
        items = document.items() if isinstance(document, dict) else enumerate(document)
        for step, value in items:
            yield from places(value, (*at, step))


@pytest.mark.parametrize("kind", PROBLEMS)
@pytest.mark.parametrize(
    "value", [None, True, -1, 1.5, "", "x->", "\ud800", [], {}, [None], {"y": 1}, {"\n": {}}]
)
def test_whatever_stands_wherever_the_words_are_ours(kind: str, value: Any) -> None:
    whole = example(kind) | {"options": {"time_limit": 1}, "labels": {"a": "b"}}
    for place in places(whole):
        body = copy.deepcopy(whole)
        holder: Any = {"body": body}
        step: Any = "body"
        for following in place:
            holder, step = holder[step], following
        holder[step] = value
        for fault in faults_if_any(body if place else value):
            assert fault.detail
            assert not any(words in fault.detail for words in FOREIGN), fault
            assert len(fault.detail) < 500


class Inner(BaseModel, extra="forbid"):
    speed: int = 0


class Other(BaseModel, extra="forbid"):
    deep: list[Inner] = []


class TaggedInner(Inner):
    type: Literal["inner"] = "inner"


class TaggedOther(Other):
    type: Literal["other"] = "other"


class Outer(BaseModel, extra="forbid"):
    by_name: dict[str, Inner] = {}
    either: Other | Inner | int = 0
    tagged: Annotated[TaggedOther | TaggedInner, Field(discriminator="type")] | None = None


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ({"by_name": {"a": {"sped": 1}}}, "sped"),
        ({"either": {"deep": [{"sped": 1}]}}, "sped"),
        ({"either": {"sped": 1}}, "sped"),
        ({"tagged": {"type": "inner", "sped": 1}}, "sped"),
    ],
)
def test_the_fields_of_an_object_are_known_wherever_it_stands(document: Any, name: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        Outer.model_validate(document)
    told = [detail for *_, detail in findings_of(Outer, refusal.value)]
    assert f"there is no field {name!r} here. Did you mean 'speed'?" in told


def test_xml_is_sent_to_the_importers() -> None:
    with pytest.raises(MalformedJSONError, match="steadygrid convert FILE --to platform"):
        parse_json(b" <?xml version='1.0'?><platform version='4.1'/>")
