"""How long workers may work on a tenant's jobs in a day: beyond that no new job is taken."""

from datetime import UTC, datetime, timedelta

from fastapi.testclient import TestClient
from sqlalchemy import update

from app.db.engine import Database
from app.db.models import LOCAL_TENANT
from app.db.solver_days import solver_days
from app.http.quotas import take_place
from app.settings import Settings
from tests.db.test_overview import shift
from tests.http.bodies import BODY, SWEEP, claim, finish
from tests.http.test_quotas import give, refused

DAY = 86_400


def spend(client: TestClient, database: Database, seconds: float) -> None:
    """Let an attempt fail that took so long."""
    client.post("/v1/jobs", json=BODY)
    taken = claim(database)
    shift(database, taken.job_id, claimed_at=seconds)
    with database.write_all() as unit:
        unit.queue.fail(taken, {"code": "internal", "detail": ""})


def test_who_has_used_its_seconds_submits_no_more_until_the_day_ends(
    client: TestClient, database: Database, settings: Settings
) -> None:
    key = {"Idempotency-Key": "first"}
    client.post("/v1/jobs", json=BODY, headers=key)
    finish(database, claim(database))
    sweep = client.post("/v1/sweeps", json=SWEEP).headers["Location"]
    failing = claim(database)
    with database.write_all() as unit:
        unit.queue.fail(failing, {"code": "internal", "detail": ""})
    spend(client, database, 100)
    give(database, solver_seconds_per_day=200)
    accepted = client.post("/v1/jobs", json=BODY)
    assert accepted.status_code == 202
    give(database, solver_seconds_per_day=100)
    for path, document in (
        ("/v1/jobs", BODY),
        ("/v1/jobs", BODY | {"transient": True}),
        ("/v1/sweeps", SWEEP),
        (f"{sweep}/retry", {}),
    ):
        answer = client.post(path, json=document)
        assert (answer.status_code, answer.json()["code"]) == (429, "quota_exceeded"), path
    seconds = int(answer.headers["Retry-After"])
    end = datetime.now(UTC).replace(hour=0, minute=0, second=0) + timedelta(days=1)
    assert abs((end - datetime.now(UTC)).total_seconds() - seconds) < 60
    assert answer.headers["RateLimit"] == f'"solver-seconds";r=0;t={seconds}'
    policy = f'"solver-seconds";q=100;qu="solver-seconds";w={DAY}'
    assert answer.headers["RateLimit-Policy"] == policy
    used = client.get("/v1/info").json()["tenant"]["solver_seconds_today"]
    assert 100 <= used < 150
    assert answer.json()["detail"] == (
        f"Workers have spent {used:,.1f} s on this tenant's jobs today, and at most 100 s a day may be"
        f" used (solver-seconds-per-day). New jobs are taken from {end:%Y-%m-%d} 00:00 UTC on. Jobs"
        " that were accepted before still run."
    )
    # Nothing is solved for these, or it is there already.
    for again in (
        client.post("/v1/jobs", json=BODY, headers=key),
        client.post("/v1/jobs", json=BODY, params={"validate_only": True}),
    ):
        assert again.status_code == 200
    assert claim(database).job_id == accepted.json()["id"]
    with database.write("other") as unit:
        unit.tenants.create("other")
        take_place(settings.model_copy(update={"tenant_solver_seconds_per_day": 1}), unit, 0)
    assert refused(client, BODY) == (429, "quota_exceeded", [])
    with database.write_all() as unit:
        unit._connection.execute(
            update(solver_days)
            .where(solver_days.c.tenant == LOCAL_TENANT)
            .values(day=(end - timedelta(days=2)).date())
        )
    assert client.post("/v1/jobs", json=BODY).status_code == 202
