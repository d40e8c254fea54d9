"""The OpenAPI document is fit for programs that write clients: its names and its bounds."""

import re
from functools import cache
from typing import Any

import pytest

from app.main import create_app
from steadygrid.kinds import PROBLEMS


@cache
def document() -> dict[str, Any]:
    """Write the document of the service; it takes a second."""
    return create_app().openapi()


METHODS = ("get", "post", "put", "patch", "delete")


def operations() -> dict[str, Any]:
    return {
        f"{method} {path}": item[method]
        for path, item in document()["paths"].items()
        for method in METHODS
        if method in item
    }


def parameter(operation: str, name: str) -> Any:
    """Give the schema of a parameter, of its items if it is a list."""
    (found,) = [one for one in operations()[operation]["parameters"] if one["name"] == name]
    schema = found["schema"]
    for given in schema.get("anyOf", [schema]):
        if given["type"] != "null":
            return given.get("items", given)
    raise AssertionError(name)


def test_no_two_schemas_share_a_name() -> None:
    schemas = document()["components"]["schemas"]
    assert [name for name in schemas if not re.fullmatch("[A-Z][A-Za-z]+", name)] == []
    titles = [schema.get("title", name) for name, schema in schemas.items()]
    assert sorted(titles) == sorted(schemas)


def test_every_reference_leads_somewhere() -> None:
    referred = set(re.findall(r"'#/components/schemas/(\w+)'", str(document())))
    assert referred <= set(document()["components"]["schemas"])


def test_operations_have_short_names_of_their_own() -> None:
    names = [operation["operationId"] for operation in operations().values()]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch("[a-z]+(_[a-z]+){1,2}", name)] == []
    assert operations()["post /v1/jobs"]["operationId"] == "submit_job"
    assert operations()["get /v1/schedules/{schedule_id}/slots"]["operationId"] == "list_slots"


def test_every_operation_may_want_a_key_and_says_how_it_is_refused() -> None:
    assert document()["security"] == [{}, {"bearer": []}]
    scheme = document()["components"]["securitySchemes"]["bearer"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    for operation in operations().values():
        assert "security" not in operation
        assert {"401", "403"} <= set(operation["responses"])


@pytest.mark.parametrize(
    ("operation", "name"), [("get /v1/jobs", "kind"), ("get /v1/problems/{kind}", "kind")]
)
def test_a_kind_is_one_of_those_that_there_are(operation: str, name: str) -> None:
    assert parameter(operation, name)["enum"] == list(PROBLEMS)


@pytest.mark.parametrize(
    ("operation", "name", "right", "wrong"),
    [
        ("get /v1/jobs", "page_token", ["WzUwXQ", "WzUwXQ=="], ["", "a b", "a/b"]),
        ("get /v1/jobs", "label", ["a:b", "a.b:"], ["a", ":b"]),
        (
            "get /v1/jobs/{job_id}/events",
            "Last-Event-ID",
            ["0", "12"],
            ["-1", "1.5", "1234567890", "x"],
        ),
        *(
            (
                "get /v1/schedules/{schedule_id}/timeline",
                name,
                ["0", "25/2", "2.5", "1e3", "2e-30"],
                ["", "-1", "now", "1/2/3", "1/2.5"],
            )
            for name in ("from", "to")
        ),
    ],
)
def test_texts_have_patterns(operation: str, name: str, right: list[str], wrong: list[str]) -> None:
    pattern = re.compile(parameter(operation, name)["pattern"])
    assert [text for text in right if not pattern.search(text)] == []
    assert [text for text in wrong if pattern.search(text)] == []
