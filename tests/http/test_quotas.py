"""How much a tenant may have: what is beyond is refused, and nothing is stored then."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.models import LOCAL_TENANT
from app.db.new_jobs import NewJob
from app.http.quotas import take_place
from app.http.refusals import Refusal
from app.main import create_app
from app.settings import Settings
from tests.http.bodies import BODY

PLATFORM = BODY["problem"]["platform"]
BLOCKED_SECONDS = 0.5


def give(database: Database, **quotas: float | None) -> None:
    with database.write_all() as unit:
        assert unit.tenants.change(LOCAL_TENANT, quotas)


def refused(client: TestClient, document: Any, **parameters: Any) -> tuple[int, str, list[str]]:
    answer = client.post("/v1/jobs", json=document, params=parameters)
    problem = answer.json()
    if answer.status_code in (429, 503):
        assert int(answer.headers["Retry-After"]) > 0
    pointers = [error["pointer"] for error in problem["errors"]]
    return answer.status_code, problem["code"], pointers


def test_a_job_asks_for_no_more_time_and_priority_than_its_tenant_may(
    client: TestClient, database: Database
) -> None:
    give(database, time_limit=20, priority=3)
    most = BODY | {"options": {"time_limit": 20}, "priority": 3}
    assert client.post("/v1/jobs", json=most).status_code == 202
    over = {"options": {"time_limit": 20.5}, "priority": 4}
    for parameters in ({}, {"validate_only": True}):
        assert refused(client, BODY | over, **parameters) == (
            422,
            "limit_exceeded",
            ["#/options/time_limit", "#/priority"],
        )
    assert len(client.get("/v1/jobs").json()["items"]) == 1


def test_who_names_no_time_limit_has_the_tenant_s(client: TestClient, database: Database) -> None:
    give(database, time_limit=20)
    job = client.post("/v1/jobs", json=BODY).json()["id"]
    swept = {
        "template": BODY,
        "parameters": [
            {"name": "a", "at": ["/problem/ports"], "values": ["one_port", "multiport"]}
        ],
    }
    sweep = client.post("/v1/sweeps", json=swept).json()["id"]
    (one, other) = client.get(f"/v1/sweeps/{sweep}/jobs").json()["items"]
    for known in (job, one["id"], other["id"]):
        instance = client.get(f"/v1/jobs/{known}/instance").json()
        assert instance["options"]["time_limit"] == 20
    give(database, time_limit=200)
    usual = client.post("/v1/jobs", json=BODY).json()["id"]
    assert client.get(f"/v1/jobs/{usual}/instance").json()["options"]["time_limit"] == 60


def test_a_tenant_has_no_more_queued_jobs_than_it_may(
    client: TestClient, database: Database
) -> None:
    give(database, queued_jobs=2)
    with database.write("other") as unit:
        unit.jobs.add(NewJob.create("cell", {}))
    key = {"Idempotency-Key": "first"}
    first = client.post("/v1/jobs", json=BODY, headers=key)
    own = client.post("/v1/jobs", json=BODY).json()["links"]
    assert refused(client, BODY) == (429, "quota_exceeded", [])
    again = client.post("/v1/jobs", json=BODY, headers=key)
    assert (again.status_code, again.json()["id"]) == (200, first.json()["id"])
    client.post(own["cancel"])
    assert client.post("/v1/jobs", json=BODY).status_code == 202
    assert refused(client, BODY) == (429, "quota_exceeded", [])


def test_who_fills_the_queue_is_told_so_and_the_others_that_it_is_full(
    client: TestClient, settings: Settings, database: Database
) -> None:
    full = settings.model_copy(update={"max_queued_jobs": 2})
    with TestClient(create_app(full), base_url="http://localhost") as crowded:
        crowded.post("/v1/jobs", json=BODY)
        with database.write("other") as unit:
            unit.jobs.add(NewJob.create("cell", {}))
        assert refused(crowded, BODY) == (503, "temporary_reduced_capacity", [])
        with database.write("other") as unit:
            unit.tenants.delete_some("other", 1)
        crowded.post("/v1/jobs", json=BODY)
        assert refused(crowded, BODY) == (429, "queue_full", [])


def test_of_two_who_take_the_last_place_at_once_one_gets_it(
    database: Database, settings: Settings
) -> None:
    """They add jobs of two kinds, so that they meet nowhere but at the quota."""
    last = settings.model_copy(update={"tenant_queued_jobs": 1})

    def add(kind: str) -> None:
        with database.write(LOCAL_TENANT) as unit:
            take_place(last, unit, 0)
            unit.jobs.add(NewJob.create(kind, {}))

    with ThreadPoolExecutor() as threads:
        with database.write(LOCAL_TENANT) as unit:
            take_place(last, unit, 0)
            unit.jobs.add(NewJob.create("cell", {}))
            second = threads.submit(add, "dataflow")
            with suppress(TimeoutError):
                second.result(BLOCKED_SECONDS)
        with pytest.raises(Refusal) as refusal:
            second.result()
    assert refusal.value.code == "quota_exceeded"
    with database.read_all() as all_tenants:
        assert all_tenants.tenants.use(LOCAL_TENANT).queued == 1
