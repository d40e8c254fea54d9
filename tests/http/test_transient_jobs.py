"""Transient jobs: for a look at the answer, in no list, one at a time, gone ten minutes later."""

from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import select, update

from app.db.clock import current_time
from app.db.engine import Database
from app.db.integrity_check import soundness
from app.db.measuring import Measuring
from app.db.models import deleted_jobs, job_instances, jobs
from app.db.retention import TRANSIENT_SECONDS
from app.db.skills import Skills
from app.settings import Settings
from tests.http.bodies import BODY, SWEEP, claim, finish
from workers.registration import OUR_SKILLS
from workers.sweeper import Sweeper

TRANSIENT = BODY | {"transient": True}


def posted(client: TestClient, document: Any) -> Any:
    answer = client.post("/v1/jobs", json=document)
    assert answer.status_code < 300, answer.text
    return answer.json()


def state(client: TestClient, job: Any) -> str:
    return str(client.get(job["links"]["self"]).json()["state"])


def age(database: Database, job: Any, seconds: float) -> None:
    moved = update(jobs).where(jobs.c.id == job["id"])
    with database.engine.begin() as connection:
        connection.execute(moved.values(finished_at=current_time(-seconds)))


def test_it_is_solved_and_answered_but_in_no_list(client: TestClient, database: Database) -> None:
    kept, job = posted(client, BODY), posted(client, TRANSIENT)
    assert (kept["transient"], job["transient"]) == (False, True)
    assert client.get("/v1/summary").json()["queued"] == 1
    taken = claim(database)
    assert taken.job_id == job["id"]  # who looks waits less than what is kept
    finish(database, taken)
    assert state(client, job) == "succeeded"
    assert client.get(job["id"].join(["/v1/jobs/", "/result"])).status_code == 200
    for query in ("", "?state=succeeded", "?kind=master_worker", "?outcome=optimal"):
        listed = [one["id"] for one in client.get(f"/v1/jobs{query}").json()["items"]]
        assert job["id"] not in listed
    summary = client.get("/v1/summary").json()
    assert (summary["succeeded"], summary["oldest_waiting"]["id"]) == (0, kept["id"])
    with database.read("local") as unit:
        assert job["id"] not in unit.news.versions("")
        assert unit.queue.counts().keys() == {("master_worker", "queued")}
    assert [faults for _, faults in soundness(database) if faults] == []


def test_the_next_one_cancels_it(client: TestClient, database: Database) -> None:
    waits, kept = posted(client, TRANSIENT), posted(client, BODY)
    runs = posted(client, TRANSIENT)
    assert (state(client, waits), state(client, kept)) == ("cancelled", "queued")
    assert claim(database).job_id == runs["id"]
    last = posted(client, TRANSIENT)
    assert (state(client, runs), state(client, last)) == ("cancelling", "queued")


def test_it_takes_its_share_of_the_workers(client: TestClient, database: Database) -> None:
    job = posted(client, TRANSIENT)
    posted(client, BODY)
    with database.write_all() as unit:
        taken = unit.queue.claim("tests", OUR_SKILLS, 60, running_jobs=1)
    assert taken is not None
    assert taken.job_id == job["id"]
    with database.write_all() as unit:
        assert unit.queue.claim("tests", OUR_SKILLS, 60, running_jobs=1) is None


def test_workers_of_before_leave_it_alone(client: TestClient, database: Database) -> None:
    posted(client, TRANSIENT)
    older = Skills(OUR_SKILLS.kinds, OUR_SKILLS.level - 1)
    with database.write_all() as unit:
        assert not unit.queue.waits(older)
        assert unit.queue.claim("tests", older, 60) is None


def test_it_is_gone_ten_minutes_after_its_end(
    client: TestClient, database: Database, settings: Settings
) -> None:
    old, young, kept = (posted(client, one) for one in (TRANSIENT, TRANSIENT, BODY))
    finish(database, claim(database))
    finish(database, claim(database))
    for job in (old, kept):
        age(database, job, TRANSIENT_SECONDS + 5)
    age(database, young, TRANSIENT_SECONDS - 60)
    Sweeper(database, settings).sweep()
    found = [client.get(job["links"]["self"]).status_code for job in (old, young, kept)]
    assert found == [404, 200, 200]
    with database.engine.connect() as connection:
        stored = connection.execute(select(job_instances.c.job_id)).scalars().all()
    assert sorted(stored) == sorted([young["id"], kept["id"]])
    assert [faults for _, faults in soundness(database) if faults] == []


def test_its_bytes_are_not_counted(client: TestClient, database: Database) -> None:
    def measured() -> int:
        walk = Measuring()
        with database.read_all() as unit:
            while unit.tenants.measure(walk, 100):
                pass
        return walk.sizes["local"]

    posted(client, TRANSIENT)
    finish(database, claim(database))
    assert measured() == 0
    with database.read_all() as unit:
        assert unit.tenants.stored() in ({}, {"local": 0})
    posted(client, BODY)
    finish(database, claim(database))
    assert measured() > 0


def test_jobs_of_sweeps_are_kept(client: TestClient) -> None:
    answer = client.post("/v1/sweeps", json=SWEEP | {"template": TRANSIENT})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "#/template/transient"


def test_a_key_knows_a_look_from_a_job_that_is_kept(client: TestClient) -> None:
    for first, other in ((TRANSIENT, BODY), (BODY, TRANSIENT)):
        key = {"Idempotency-Key": f"key-{first is BODY}"}
        assert client.post("/v1/jobs", json=first, headers=key).status_code == 202
        again = client.post("/v1/jobs", json=first, headers=key)
        assert again.headers["Idempotent-Replayed"] == "true"
        refused = client.post("/v1/jobs", json=other, headers=key)
        assert refused.status_code == 422
        assert refused.json()["type"].endswith("idempotency_key_reused")


def test_lists_are_not_told_that_it_was_deleted(client: TestClient, database: Database) -> None:
    kept, look = posted(client, BODY), posted(client, TRANSIENT)
    for _ in range(2):
        finish(database, claim(database))
    for job in (kept, look):
        assert client.delete(job["links"]["self"]).status_code == 204
    with database.engine.connect() as connection:
        assert [*connection.execute(select(deleted_jobs.c.id)).scalars()] == [kept["id"]]
