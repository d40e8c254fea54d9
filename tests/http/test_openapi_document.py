"""The OpenAPI document is fit for programs that write clients: its names and its bounds."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from app.http.openapi_unions import simplify
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


def parts(of: Any) -> Iterator[Any]:
    """Give every object in a document."""
    if isinstance(of, dict):
        yield of
        for part in of.values():
            yield from parts(part)
    elif isinstance(of, list):
        for part in of:
            yield from parts(part)


def test_it_has_no_word_of_a_later_version() -> None:
    assert document()["openapi"].startswith("3.1.")
    assert [part for part in parts(document()) if "itemSchema" in part] == []
    streams = [
        part["text/event-stream"] for part in parts(document()) if "text/event-stream" in part
    ]
    assert [stream["schema"] for stream in streams] == [{"type": "string"}] * 5


def test_every_answer_says_what_it_holds() -> None:
    contents = [
        (name, content_type, content["schema"])
        for name, operation in operations().items()
        for response in operation["responses"].values()
        for content_type, content in response.get("content", {}).items()
    ]
    assert [found for found in contents if not found[-1]] == []


def test_no_map_holds_a_union_without_a_name() -> None:
    values = [part.get("additionalProperties") for part in parts(document()["components"])]
    maps = [value for value in values if isinstance(value, dict)]
    assert maps
    assert [value for value in maps if "anyOf" in value or "oneOf" in value] == []


def test_a_result_that_is_written_names_its_kind() -> None:
    schemas = document()["components"]["schemas"]
    for problem in PROBLEMS.values():
        assert "kind" in schemas[problem.result.__name__]["required"], problem.kind
        assert "kind" not in problem.result.model_json_schema(mode="validation")["required"]


def test_defaults_that_generators_cannot_write_are_told() -> None:
    schemas = {
        "Model": {
            "properties": {
                "times": {"title": "Times", "default": {"a": 1}, "type": "object"},
                "share": {"anyOf": [{"type": "number"}], "default": "1/10", "description": "of it"},
                "count": {"title": "How many", "type": "integer", "default": 3},
            }
        }
    }
    simplify(schemas)
    assert schemas["Model"]["properties"] == {
        "times": {"type": "object"},
        "share": {"anyOf": [{"type": "number"}], "description": "of it; default: 1/10"},
        "count": {"title": "How many", "type": "integer", "default": 3, "format": "int64"},
    }


def member(schema: Any, pointer: str) -> Any:
    """Follow a pointer from a schema to that of a member; None where it may not be there."""
    schemas = document()["components"]["schemas"]
    for name in pointer.split("/")[1:]:
        while "$ref" in schema:
            schema = schemas[schema["$ref"].rpartition("/")[-1]]
        schema = schema["items"] if name == "0" else schema["properties"][name]
    return schema


def test_links_lead_to_every_operation_that_asks_for_an_id() -> None:
    links = document()["components"]["links"]
    reached: dict[str, set[str]] = {}
    for name, operation in operations().items():
        for response in operation["responses"].values():
            for told in response.get("links", {}).values():
                link = links[told["$ref"].rpartition("/")[-1]]
                asked = {one["name"] for one in operation.get("parameters", ())}
                for parameter, place in link["parameters"].items():
                    if place == f"$request.path.{parameter}":
                        assert parameter in asked
                        reached[link["operationId"]].add(parameter)
                        continue
                    reached.setdefault(link["operationId"], set()).add(parameter)
                    held = response["content"].get("application/json") or next(
                        iter(response["content"].values())
                    )
                    found = held["schema"].get("oneOf", [held["schema"]])[0]
                    assert member(found, place.partition("#")[-1]), name
    wanted = {
        operation["operationId"]: {
            one["name"]
            for one in operation.get("parameters", ())
            if one["in"] == "path" and one["name"] not in ("name", "format")
        }
        for operation in operations().values()
    }
    assert reached == {name: parameters for name, parameters in wanted.items() if parameters}
