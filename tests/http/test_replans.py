"""Re-planning over HTTP: what is kept is told at once, what is best now when its job has ended."""

import json
from typing import Any

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.models import LOCAL_TENANT
from app.http.bodies import Body
from app.http.refusals import Refusal
from app.http.sources import Sources
from app.settings import Settings
from app.studies import documents, replans
from app.studies.schemas import Replan, ReplanValidation
from steadygrid.kinds import PROBLEMS
from tests.db.turmoil import counted
from tests.http.bodies import claim
from tests.http.solving import solve_next
from tests.http.test_quotas import give
from tests.tree import ROOT

FIGURE_3: dict[str, Any] = json.loads((ROOT / "examples" / "rr4870-figure-3.json").read_text())
P2 = {"P2": {"speed": "1/4"}}
SLOWER = {"measured": {"processors": P2}}
"""P2 at half its speed."""
KEPT = {"value": "21/80", "approx": 0.2625, "exact": True, "limited_by": ["P2.compute"]}


def succeeded(client: TestClient, database: Database, body: Any = FIGURE_3) -> str:
    """Submit a job, solve it, and give its address."""
    place: str = client.post("/v1/jobs", json=body).headers["Location"]
    solve_next(database)
    return place


def asked(client: TestClient, job: str, body: Any = SLOWER, **more: Any) -> dict[str, Any]:
    answer = client.post(f"{job}/replan", json=body, **more)
    assert answer.status_code in (200, 202), answer.text
    told: dict[str, Any] = answer.json()
    assert answer.headers["Location"] == told["links"]["self"]
    return told


def refused(client: TestClient, url: str, body: Any) -> tuple[int, str, list[tuple[str, str]]]:
    answer = client.post(url, json=body)
    told = answer.json()
    parts = [(part["pointer"], part["code"]) for part in told["errors"]]
    return answer.status_code, told["code"], parts


def test_what_is_kept_is_told_at_once_and_what_is_best_when_the_job_has_ended(
    client: TestClient, database: Database
) -> None:
    job = succeeded(client, database)
    told = asked(client, job)
    assert told["before"]["value"] == "21/40"
    assert told["kept"] == {"same_slots": KEPT, "same_shares": KEPT}
    assert (told["state"], told["optimum"], told["change"], told["advice"]) == (
        "queued",
        *[None] * 3,
    )
    own = told["links"]["self"]
    new = client.get(told["links"]["job"]).json()
    assert (new["replan_of"], new["name"]) == (job.removeprefix("/v1/jobs/"), "figure 3")
    assert new["labels"] == FIGURE_3["labels"]
    # What is told later rests on nothing but the replan and its new job.
    assert client.delete(job).status_code == 204
    assert solve_next(database) == told["job"]
    answer = client.get(own)
    told = answer.json()
    assert (told["state"], told["optimum"]["value"], told["outcome"]) == (
        "succeeded",
        "37/80",
        "optimal",
    )
    assert told["of_optimum"] == {"same_slots": "21/37", "same_shares": "21/37"}
    assert told["advice"] == {"same_slots": "change", "same_shares": "change"}
    assert told["change"]["tasks"] == [{"task": "task", "message": None, "moved": "80/777"}]
    tag = {"If-None-Match": answer.headers["ETag"]}
    floats = client.get(f"{own}?numbers=float", headers=tag)
    assert (floats.status_code, floats.json()["optimum"]["value"]) == (200, 37 / 80)
    Replan.model_validate_json(answer.content)
    schema = client.get("/openapi.json").json()
    validator = jsonschema_rs.validator_for({"$ref": "#/components/schemas/Replan", **schema})
    validator.validate(told)
    validator.validate(floats.json())


@pytest.mark.parametrize(
    ("body", "code", "faults"),
    [
        ([], "invalid_request", [("#", "invalid_type")]),
        ({"measured": {}, "slove": False}, "invalid_request", [("#/slove", "extra_forbidden")]),
        (
            {"measured": {"processors": {"P9": {"speed": 1}}, "links": [{"source": "P1"}]}},
            "invalid_request",
            [("#/measured/links/0/target", "missing")],
        ),
        (
            {"measured": {"processors": {"P9": {"speed": 1}}}},
            "invalid_request",
            [("#/measured/processors/P9", "unknown_processor")],
        ),
        (SLOWER | {"cost": 1}, "invalid_request", [("#/horizon", "missing")]),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(
    client: TestClient, database: Database, body: Any, code: str, faults: Any
) -> None:
    job = succeeded(client, database)
    for query in ("", "?validate_only=true"):
        assert refused(client, f"{job}/replan{query}", body) == (422, code, faults)
    assert client.get("/v1/replans").json()["items"] == []


def test_jobs_without_a_schedule_that_repeats_are_refused(
    client: TestClient, database: Database
) -> None:
    body = PROBLEMS["divisible_chain"].example
    job = succeeded(client, database, body)
    assert refused(client, f"{job}/replan", {"measured": {}}) == (
        422,
        "not_periodic",
        [("#", "not_periodic")],
    )
    unknown = f"/v1/jobs/job_{'0' * 32}/replan"
    assert refused(client, unknown, SLOWER) == (404, "not_found", [])
    queued = client.post("/v1/jobs", json=FIGURE_3).headers["Location"]
    assert refused(client, f"{queued}/replan", SLOWER) == (409, "job_not_finished", [])
    client.post(f"{queued}/cancel")
    assert refused(client, f"{queued}/replan", SLOWER) == (409, "job_cancelled", [])


def test_a_schedule_that_is_too_long_is_refused_before_it_is_read(
    client: TestClient, settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = succeeded(client, database)
    schedule = client.get(client.get(job).json()["links"]["schedule"]).json()
    most = schedule["counts"]["transfers"]

    def validation() -> dict[str, Any]:
        """Do here what is done in a process."""
        body = Body("application/json", json.dumps(SLOWER).encode())
        job_id = job.rpartition("/")[2]
        return replans.validation(Sources(settings, database), LOCAL_TENANT, body, job_id)

    monkeypatch.setattr(replans, "MOST_TRANSFERS", most)
    assert validation()["valid"]
    monkeypatch.setattr(replans, "MOST_TRANSFERS", most - 1)
    with pytest.raises(Refusal, match="limit_exceeded") as refusal:
        validation()
    assert [(part.pointer, part.code) for part in refusal.value.errors] == [("#", "limit_exceeded")]


def test_a_replan_without_a_solve_makes_no_job(client: TestClient, database: Database) -> None:
    job = succeeded(client, database)
    told = asked(client, job, SLOWER | {"solve": False})
    assert (told["job"], told["state"], told["kept"]["same_slots"]) == (None, "none", KEPT)
    gone = asked(client, job, {"measured": {"processors": {"P1": {"speed": 0}}}})
    assert (gone["job"], gone["state"], gone["optimum"]["value"]) == (None, "none", "0")
    assert any("P1" in note for note in gone["notes"])
    assert len(client.get("/v1/jobs").json()["items"]) == 1
    items = client.get("/v1/replans?limit=1").json()
    assert [one["id"] for one in items["items"]] == [gone["id"]]
    rest = client.get(f"/v1/replans?limit=1&page_token={items['next_page_token']}").json()
    assert [one["id"] for one in rest["items"]] == [told["id"]]
    other = succeeded(client, database)
    last = asked(client, other)["id"]
    listed = client.get(f"/v1/replans?of_job={other.removeprefix('/v1/jobs/')}").json()["items"]
    assert [(one["id"], one["state"]) for one in listed] == [(last, "queued")]
    strange = client.get("/v1/replans?of_job=x")
    assert (strange.status_code, strange.json()["errors"][0]["parameter"]) == (422, "of_job")


def test_what_a_replan_would_be_is_told_and_nothing_is_stored(
    client: TestClient, database: Database
) -> None:
    job, before = succeeded(client, database), counted(database)
    url = f"{job}/replan?validate_only=true"
    told = client.post(url, json=SLOWER).json()
    checked = client.post("/v1/jobs?validate_only=true", json=FIGURE_3).json()
    assert told["job"] == {name: checked[name] for name in ("method", "sizes", "warnings")}
    ReplanValidation.model_validate(told)
    assert client.post(url, json=SLOWER | {"solve": False}).json()["job"] is None
    assert counted(database) == before


def test_what_is_wrong_with_the_new_job_is_no_fault_of_the_request(
    client: TestClient, database: Database
) -> None:
    job = succeeded(client, database)
    give(database, time_limit=20)
    answer = client.post(f"{job}/replan", json=SLOWER).json()
    assert answer["errors"][0]["pointer"] == "#"
    assert "(at #/options/time_limit of the job)" in answer["errors"][0]["detail"]
    faults = [("#/options/time_limit", "limit_exceeded")]
    assert refused(client, f"{job}/what-if", {}) == (422, "limit_exceeded", faults)
    shorter = {"options": {"time_limit": 20}}
    assert client.post(f"{job}/what-if", json=shorter).status_code == 202


def test_a_job_that_ends_otherwise_is_told(client: TestClient, database: Database) -> None:
    job = succeeded(client, database)
    told = [asked(client, job) for _ in range(3)]
    first = claim(database)
    with database.write_all() as unit:
        unit.queue.fail(first, {"code": "hard_timeout", "detail": "It was stopped."})
    for one in told[1:]:
        client.post(f"{one['links']['job']}/cancel")
    client.delete(told[2]["links"]["job"])
    known = [client.get(one["links"]["self"]).json() for one in told]
    assert [one["state"] for one in known] == ["failed", "cancelled", "deleted"]
    assert [one["kept"]["same_slots"] for one in known] == [KEPT] * 3
    for one, word in zip(
        known, ("It was stopped.", "was cancelled", "has been deleted"), strict=True
    ):
        assert word in one["notes"][-1]
        assert one["optimum"] is None
    assert known[2]["links"]["job"] is None


def test_a_long_list_of_allocations_is_not_compared(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = asked(client, succeeded(client, database))["links"]["self"]
    solve_next(database)
    monkeypatch.setattr(replans, "_LONGEST_CHANGE", 1)
    told = client.get(own).json()
    assert (told["optimum"]["value"], told["change"]) == ("37/80", None)
    assert told["after"]["value"] == "37/80"
    assert told["notes"] == [documents.TOO_LONG]


def test_deleting_a_replan_leaves_its_job(client: TestClient, database: Database) -> None:
    told = asked(client, succeeded(client, database))
    assert client.delete(told["links"]["self"]).status_code == 204
    assert client.get(told["links"]["job"]).json()["state"] == "queued"
