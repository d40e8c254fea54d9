"""Links of the OpenAPI document, followed one after the other with what was really answered."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.http.openapi_links import METHODS
from tests.http.bodies import BODY, SWEEP, claim, finish
from tests.http.on_sqlite import settings
from tests.http.test_traces import TRACE

__all__ = ["settings"]

GIVEN = {"name": "gantt", "format": "csv"}
"""Values of parameters that no link gives."""
OF_PLATFORMS = {"format": "graphml"}
BODIES: Mapping[str, Any] = {
    "submit_job": BODY,
    "submit_sweep": SWEEP,
    "post_platform": BODY["problem"]["platform"],
    "post_application": {"tasks": [{"id": "T", "work": 1}], "files": []},
    "ask_what_if": {"solve": 0},
    "ask_replan": {"measured": {"processors": {"W": {"speed": "1/3"}}}},
    "create_webhook": {"url": "https://192.0.9.1/", "events": ["job.failed"]},
    "test_webhook": None,
    "put_drift": {},
    "put_epoch": {"epoch": "2026-11-27T12:00:00Z", "unit_seconds": 1},
    "create_view": {},
}
"""What is sent, by operation."""
WITHOUT_LINKS: Mapping[str, Any] = {
    "change_job": {"labels": {"color": "blue"}},
    "change_webhook": {"enabled": True},
    "post_measurements": {
        "measurements": [
            {
                "at": "2026-11-27T12:00:00Z",
                "measured": {"processors": {"W": {"speed": "1/3"}}},
            }
        ]
    },
}
"""The same, where the answer leads no further."""
ENDLESS = ("follow_measurements", "follow_measured")
"""Streams that have no end."""


class Operation(NamedTuple):
    """What can be asked."""

    name: str
    method: str
    path: str
    told: Mapping[str, Any]


class Link(NamedTuple):
    """A documented link, and what the answer gives for it."""

    operation: Operation
    given: dict[str, str]


@pytest.fixture
def document(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


def operations(document: Mapping[str, Any]) -> dict[str, Operation]:
    return {
        item[method]["operationId"]: Operation(
            item[method]["operationId"], method, path, item[method]
        )
        for path, item in document["paths"].items()
        for method in METHODS
        if method in item
    }


def value_at(answer: Any, asked: Mapping[str, str], expression: str) -> Any:
    """Give what a runtime expression of OpenAPI says of an answer and its request."""
    request, _, parameter = expression.rpartition(".")
    if request == "$request.path":
        return asked[parameter]
    opening, _, pointer = expression.partition("#")
    assert opening == "$response.body"
    for step in pointer.split("/")[1:]:
        answer = answer[int(step) if isinstance(answer, list) else step]
    return answer


def links_of(
    document: Mapping[str, Any], name: str, status: int, answer: Any, asked: Mapping[str, str]
) -> Iterator[Link]:
    """Give the links of an answer, those that destroy what they lead to last."""
    known = operations(document)
    told = known[name].told["responses"][str(status)].get("links", {})
    listed = [
        document["components"]["links"][one["$ref"].rpartition("/")[2]] for one in told.values()
    ]
    for link in sorted(listed, key=lambda one: _turn(known[one["operationId"]])):
        given = {
            parameter: value_at(answer, asked, expression)
            for parameter, expression in link["parameters"].items()
        }
        yield Link(known[link["operationId"]], given)


def _turn(operation: Operation) -> int:
    """Give the place of an operation: what is cancelled, or deleted, gives no more answers."""
    if operation.name.startswith("cancel"):
        return 2
    if operation.name in ("delete_measurements", "delete_views"):
        return 2
    return {"get": 0, "post": 1, "put": 1, "patch": 1, "delete": 3}[operation.method]


def follow(client: TestClient, link: Link) -> Any:
    """Ask the operation that a link leads to."""
    platform = OF_PLATFORMS if link.operation.path.endswith("{platform_id}/export") else {}
    parameters = GIVEN | platform
    path = link.operation.path.format_map(parameters | link.given)
    query = {
        one["name"]: parameters[one["name"]]
        for one in link.operation.told.get("parameters", ())
        if one["in"] == "query" and one.get("required")
    }
    body = {**BODIES, **WITHOUT_LINKS}.get(link.operation.name)
    return client.request(link.operation.method, path, params=query, json=body)


def walk(
    client: TestClient,
    document: Mapping[str, Any],
    name: str,
    answer: Any,
    given: Mapping[str, str] | None = None,
) -> set[str]:
    """Follow all links of an answer, and those of the answers to these; name what was asked."""
    asked = set()
    for link in links_of(document, name, answer.status_code, answer.json(), given or {}):
        if link.operation.name in ENDLESS:
            continue
        found = follow(client, link)
        asked.add(link.operation.name)
        assert found.status_code != 404, (name, link, found.text)
        assert found.status_code < 400 or found.status_code == 409, (name, link, found.text)
        if link.operation.name in BODIES:
            asked |= walk(client, document, link.operation.name, found, link.given)
    return asked


def test_links_of_a_job_that_has_ended_lead_somewhere(
    client: TestClient, database: Database, document: dict[str, Any]
) -> None:
    client.post("/v1/platforms", json=BODIES["post_platform"])
    headers = {"Idempotency-Key": "once"}
    posted = client.post("/v1/jobs", json=BODY, headers=headers)
    assert posted.status_code == 202
    finish(database, claim(database), trace=TRACE)
    # The same key again: the answer has the schedule, too.
    answer = client.post("/v1/jobs", json=BODY, headers=headers)
    asked = walk(client, document, "submit_job", answer)
    assert {"get_job_result", "export_job", "export_schedule", "ask_replan", "delete_job"} <= asked


def test_links_of_a_sweep_that_has_ended_lead_somewhere(
    client: TestClient, database: Database, document: dict[str, Any]
) -> None:
    answer = client.post("/v1/sweeps", json=SWEEP)
    for _ in range(answer.json()["jobs"]):
        finish(database, claim(database))
    assert {"get_sweep_picture", "retry_sweep", "delete_sweep"} <= walk(
        client, document, "submit_sweep", answer
    )


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("post_platform", "/v1/platforms"),
        ("post_application", "/v1/applications"),
        ("create_webhook", "/v1/webhooks"),
    ],
)
def test_links_of_what_is_stored_lead_somewhere(
    name: str, path: str, client: TestClient, document: dict[str, Any]
) -> None:
    answer = client.post(path, json=BODIES[name])
    assert answer.status_code in (201, 202)
    assert len(walk(client, document, name, answer)) >= 2


def test_every_submission_that_has_links_is_walked(document: dict[str, Any]) -> None:
    linked = {
        one.name
        for one in operations(document).values()
        if one.method in ("post", "put")
        and any("links" in told for told in one.told["responses"].values())
    }
    assert linked == BODIES.keys()
