"""Priorities of jobs: given, kept beside the body, and told."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.packing import unpack
from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission, restore_submission
from tests.http.bodies import BODY, body, claim


def test_a_job_has_the_priority_that_it_is_given(client: TestClient, database: Database) -> None:
    job = client.post("/v1/jobs", json=BODY | {"priority": 9}).json()
    assert job["priority"] == 9
    assert client.get(job["links"]["self"]).json()["priority"] == 9
    assert [one["priority"] for one in client.get("/v1/jobs").json()["items"]] == [9]
    instance = client.get(job["links"]["instance"]).json()
    assert instance["priority"] == 9
    with database.read_all() as unit:
        # Workers of versions before find nothing in what they solve that they do not know.
        stored = unpack(unit.queue.instance(claim(database)))
    assert set(stored) == {"problem", "options", "labels"}
    assert client.post("/v1/jobs", json=instance).json()["priority"] == 9


def test_without_a_priority_a_body_means_what_it_meant_before(client: TestClient) -> None:
    key = {"Idempotency-Key": "a"}
    first = client.post("/v1/jobs", json=BODY, headers=key).json()
    assert first["priority"] == 0
    assert "priority" not in client.get(first["links"]["instance"]).json()
    same = client.post("/v1/jobs", json=BODY | {"priority": 0}, headers=key)
    assert same.json()["id"] == first["id"]
    other = client.post("/v1/jobs", json=BODY | {"priority": 1}, headers=key)
    assert other.json()["code"] == "idempotency_key_reused"
    asked = parse_submission(BODY | {"priority": 5}, Limits())
    assert asked.document() == asked.stored_document() | {"priority": 5}
    assert restore_submission(asked.document()) == asked


@pytest.mark.parametrize("priority", [-1, 10, 1.0, "1", True, None])
def test_what_is_no_priority_is_refused(client: TestClient, priority: Any) -> None:
    refusal = client.post("/v1/jobs", json=BODY | {"priority": priority})
    assert refusal.status_code == 422
    assert [error["pointer"] for error in refusal.json()["errors"]] == ["#/priority"]


@pytest.mark.parametrize("place", ["problem", "options"])
def test_a_priority_elsewhere_is_told_its_place(client: TestClient, place: str) -> None:
    document = body(priority=1) if place == "problem" else BODY | {"options": {"priority": 1}}
    (error,) = client.post("/v1/jobs", json=document).json()["errors"]
    assert error["pointer"] == f"#/{place}/priority"
    assert 'beside "problem"' in error["detail"]
