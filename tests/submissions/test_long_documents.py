"""Bodies with more faults than a user can read are refused by their first ones."""

from typing import Any

import pytest

from steadygrid.domain.application import Application
from steadygrid.domain.document import parse_json
from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from steadygrid.kinds.shared.piecewise import PIECE, findings_by_pieces
from steadygrid.submissions.submission import MAX_FAULTS, parse_model, parse_submission

MANY = 3 * PIECE


def body(**changes: Any) -> dict[str, Any]:
    platform = {"processors": [{"id": "a", "unit_time": 1}, {"id": "b"}]}
    problem = {"kind": "master_worker", "platform": platform, "master": "a", "task": {"work": 1}}
    return {"problem": problem | changes}


def platform_with(**changes: Any) -> dict[str, Any]:
    return body(platform=body()["problem"]["platform"] | changes)


@pytest.mark.parametrize(
    ("document", "pointer", "code"),
    [
        (body() | {f"x{i}": 0 for i in range(MANY)}, ("x0",), "extra_forbidden"),
        (body(**{f"x{i}": 0 for i in range(MANY)}), ("problem", "x0"), "extra_forbidden"),
        (
            platform_with(processors=[{f"x{i}": 0 for i in range(MANY)}]),
            ("problem", "platform", "processors", 0, "x0"),
            "extra_forbidden",
        ),
        (
            platform_with(links=[{"source": "a", "target": "b", "unit_time": 1}] * MANY + [{}]),
            ("problem", "platform", "links", MANY, "source"),
            "missing",
        ),
        (
            platform_with(routes=[{"source": "a", "target": "b", "via": ["b"] * MANY + [0] * 9}]),
            ("problem", "platform", "routes", 0, "via", MANY),
            "string_type",
        ),
        (
            body(task={"times": {f"x{i}": -1 for i in range(MANY)}}),
            ("problem", "task", "times", "x0"),
            "negative_rational",
        ),
        (
            body(task={"times": {f"x{i}->": 1 for i in range(MANY)}}),
            ("problem", "task", "times", "x0->"),
            "invalid_id",
        ),
        (body() | {"labels": {f"x{i}": 0 for i in range(MANY)}}, ("labels", "x0"), "string_type"),
    ],
)
def test_a_long_document_is_refused_by_its_first_faults(
    document: Any, pointer: tuple[str | int, ...], code: str
) -> None:
    with pytest.raises(InstanceError) as refused:
        parse_submission(document, Limits())
    assert refused.value.faults[0][:2] == (pointer, code)
    assert len(refused.value.faults) <= MAX_FAULTS


def test_faults_after_the_first_hundred_are_not_even_looked_for() -> None:
    documents = [{"id": 7}] * MANY
    found = findings_by_pieces(Platform, {"processors": documents, "links": [None] * MANY})
    assert next(found).location == ("processors", 0, "id")


def test_a_long_document_without_faults_has_no_findings() -> None:
    document = {
        "processors": [{"id": f"p{i}", "unit_time": 1} for i in range(PIECE)],
        "links": [{"source": "p0", "target": f"p{i}", "unit_time": 1} for i in range(1, PIECE)],
    }
    assert list(findings_by_pieces(Platform, document)) == []
    assert len(parse_model(Platform, document).links) == PIECE - 1


def test_what_is_long_where_nothing_long_belongs_is_one_fault() -> None:
    for wrong in ([0] * MANY, {str(i): 0 for i in range(MANY)}):
        for changed in ({"name": wrong}, {"processors": wrong}, {"processors": [wrong]}):
            with pytest.raises(InstanceError) as refused:
                parse_submission(platform_with(**changed), Limits(max_processors=MANY))
            assert refused.value.faults[0].pointer[:2] == ("problem", "platform")


def test_stored_documents_are_read_by_pieces_too() -> None:
    tasks = [{"id": "t", "times": {f"p{i}": -1 for i in range(MANY)}}]
    with pytest.raises(InstanceError) as refused:
        parse_model(Application, {"tasks": tasks})
    assert len(refused.value.faults) == MAX_FAULTS


@pytest.mark.parametrize("number", ["9" * 66, "-" + "9" * 66, "9" * 5000])
def test_a_very_long_integer_is_no_text(number: str) -> None:
    document = parse_json(f'{{"problem": {number}, "labels": {{"a": {number}}}}}')
    with pytest.raises(InstanceError) as refused:
        parse_submission(document, Limits())
    assert {fault.pointer for fault in refused.value.faults} == {("problem",), ("labels", "a")}


def test_a_link_that_names_one_medium_very_often_costs_little() -> None:
    media = [{"id": "bus", "bandwidth": 5}]
    links = [{"source": "a", "target": "b", "unit_time": 1, "media": ["bus"] * 10**5}]
    document = platform_with(media=media, links=links)
    document["problem"]["ports"] = "multiport"
    submission = parse_submission(document, Limits())
    sizes = submission.problem.sizing(submission.instance, submission.options).sizes
    assert sizes["coefficients"] < 10
