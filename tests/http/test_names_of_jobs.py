"""Names of jobs: given, or made; in lists, bodies and filters."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.packing import unpack
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import parse_submission, restore_submission
from tests.http.bodies import BODY, body, claim, finish
from tests.http.conftest import ON_SQLITE

PLATFORM = BODY["problem"]["platform"]


def posted(client: TestClient, document: Any, **headers: str) -> Any:
    answer = client.post("/v1/jobs", json=document, headers=headers)
    assert answer.status_code < 300, answer.text
    return answer.json()


@ON_SQLITE
def test_a_job_has_the_name_that_it_is_given(client: TestClient) -> None:
    job = posted(client, BODY | {"name": "figure 3 <b>"})
    assert job["name"] == "figure 3 <b>"
    assert client.get(job["links"]["self"]).json()["name"] == "figure 3 <b>"
    assert client.get("/v1/jobs").json()["items"][0]["name"] == "figure 3 <b>"
    instance = client.get(job["links"]["instance"]).json()
    assert instance["name"] == "figure 3 <b>"
    assert posted(client, instance)["name"] == "figure 3 <b>"


@ON_SQLITE
def test_without_a_name_it_has_that_of_its_platform(client: TestClient) -> None:
    assert posted(client, body(platform=PLATFORM | {"name": "a star"}))["name"] == "a star"
    assert posted(client, BODY)["name"] is None
    assert posted(client, BODY | {"name": None})["name"] is None


@ON_SQLITE
def test_a_stored_platform_gives_its_name_too(client: TestClient) -> None:
    stored = client.post("/v1/platforms", json=PLATFORM | {"name": "kept"}).json()["id"]
    assert posted(client, body(platform=stored))["name"] == "kept"


@ON_SQLITE
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("task_graph", "fork on star"),
        ("cell", "fork"),
        ("dataflow", "fork"),
        ("divisible_star", "star"),
    ],
)
def test_what_is_solved_is_named_before_where(client: TestClient, kind: str, name: str) -> None:
    document = dict(PROBLEMS[kind].example)
    problem = dict(document["problem"])
    for member, called in (("application", "fork"), ("graph", "fork"), ("platform", "star")):
        if member in problem:
            problem[member] = problem[member] | {"name": called}
    assert posted(client, document | {"problem": problem})["name"] == name


@ON_SQLITE
def test_made_names_are_cut(client: TestClient) -> None:
    document = dict(PROBLEMS["task_graph"].example)
    problem = dict(document["problem"])
    for member in ("application", "platform"):
        problem[member] = problem[member] | {"name": member[0] * 200}
    name = posted(client, document | {"problem": problem})["name"]
    assert name == "a" * 199 + "…"


@ON_SQLITE
@pytest.mark.parametrize("name", ["", "x" * 201, 3, ["a"], "a\x00b", "a\nb"])
def test_unreadable_names_are_refused(client: TestClient, name: Any) -> None:
    refusal = client.post("/v1/jobs", json=BODY | {"name": name})
    assert refusal.status_code == 422
    (error,) = refusal.json()["errors"]
    assert error["pointer"] == "#/name"


@ON_SQLITE
def test_a_name_in_the_problem_is_told_its_place(client: TestClient) -> None:
    refusal = client.post("/v1/jobs", json=body(name="figure 3"))
    (error,) = refusal.json()["errors"]
    assert error["pointer"] == "#/problem/name"
    assert 'beside "problem"' in error["detail"]


@ON_SQLITE
def test_workers_of_the_version_before_find_no_name_in_what_they_solve(
    client: TestClient, database: Database
) -> None:
    posted(client, BODY | {"name": "figure 3"})
    with database.read_all() as unit:
        taken = claim(database)
        stored = unpack(unit.queue.instance(taken))
    assert set(stored) == {"problem", "options", "labels"}
    finish(database, taken)


@ON_SQLITE
def test_the_same_key_with_another_name_is_another_body(client: TestClient) -> None:
    key = {"Idempotency-Key": "a"}
    first = posted(client, BODY | {"name": "one"}, **key)
    assert posted(client, BODY | {"name": "one"}, **key)["id"] == first["id"]
    other = client.post("/v1/jobs", json=BODY | {"name": "two"}, headers=key)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


def test_a_body_without_a_name_means_what_it_meant_before() -> None:
    # Else a key that was kept before the upgrade would stand for another body.
    asked = parse_submission(BODY, Limits())
    assert set(asked.document()) == {"problem", "options", "labels"}
    called = parse_submission(BODY | {"name": "figure 3"}, Limits())
    assert restore_submission(called.document()) == called


def test_lists_are_filtered_by_the_beginning_of_the_name_and_by_outcome(
    client: TestClient, database: Database
) -> None:
    for name in ("figure 3", "figure 9", "100 %"):
        posted(client, BODY | {"name": name})
    finish(database, claim(database))

    def names(**asked: Any) -> list[str]:
        answer = client.get("/v1/jobs", params=asked)
        assert answer.status_code == 200, answer.text
        return [job["name"] for job in answer.json()["items"]]

    assert names(name="figure") == ["figure 9", "figure 3"]
    assert names(name="100 %") == ["100 %"]
    assert names(name="%") == names(name="Fig") == names(name="\x00") == []
    assert names(name="") == ["100 %", "figure 9", "figure 3"]
    assert names(outcome="optimal") == ["figure 3"]
    assert names(outcome=["feasible", "optimal"], name="fig") == ["figure 3"]
    assert names(outcome="infeasible") == []
    page = client.get("/v1/jobs", params={"name": "fig", "limit": 1}).json()
    assert names(name="fig", limit=1, page_token=page["next_page_token"]) == ["figure 3"]
    assert client.get("/v1/jobs", params={"outcome": "best"}).status_code == 422
    assert client.get("/v1/jobs", params={"name": "x" * 201}).status_code == 422
