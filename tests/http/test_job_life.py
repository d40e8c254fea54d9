"""The life of a job, as its owner sees it."""

from fractions import Fraction
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import update

from app.db.engine import Database
from app.db.models import jobs
from app.jobs.schemas import FaultyBody
from app.main import create_app
from app.settings import Settings
from tests.http.bodies import BODY, body, claim, finish
from tests.http.conftest import ON_SQLITE
from tests.kinds.replicated_workflow.bodies import workflow
from workers.registration import OUR_SKILLS

POST = "/v1/jobs"


def submitted(client: TestClient, **members: object) -> str:
    answer = client.post(POST, json=BODY | members)
    assert answer.status_code == 202
    location: str = answer.headers["Location"]
    return location


def test_a_new_job_is_queued_and_says_where_it_is(client: TestClient) -> None:
    answer = client.post(POST, json=BODY | {"labels": {"experiment": "a"}})
    assert answer.status_code == 202
    job = answer.json()
    own = f"/v1/jobs/{job['id']}"
    assert answer.headers["Location"] == own
    assert int(answer.headers["Retry-After"]) >= 1
    assert job.pop("created_at").endswith("Z")
    assert job == {
        "id": own.removeprefix("/v1/jobs/"),
        "kind": "master_worker",
        "name": None,
        "state": "queued",
        "outcome": None,
        "objective": None,
        "bound": None,
        "gap": None,
        "limited_by": None,
        "labels": {"experiment": "a"},
        "priority": 0,
        "attempt": 0,
        "started_at": None,
        "finished_at": None,
        "progress": None,
        "schedule": None,
        "error": None,
        "warnings": [],
        "sweep": None,
        "retry_of": None,
        "replaced_by": None,
        "replan_of": None,
        "transient": False,
        "simulation_of": None,
        "links": {
            "self": own,
            "instance": f"{own}/instance",
            "draft": f"{own}/draft",
            "events": f"{own}/events",
            "cancel": f"{own}/cancel",
        },
    }
    assert client.get(own).json()["state"] == "queued"


def test_a_job_runs_shows_progress_and_gives_its_result(
    client: TestClient, database: Database
) -> None:
    own = submitted(client)
    taken = claim(database)
    with database.write_all() as unit:
        unit.queue.heartbeat(taken, 60, {"phase": "solving", "bound": "3/4", "elapsed": 0.5})
    running = client.get(own).json()
    assert running["state"] == "running"
    assert running["attempt"] == 1
    assert running["progress"] == {"phase": "solving", "bound": "3/4", "elapsed": 0.5}
    assert client.get(own, params={"numbers": "float"}).json()["progress"]["bound"] == 0.75

    finish(database, taken)
    ended = client.get(own).json()
    assert (ended["state"], ended["outcome"]) == ("succeeded", "optimal")
    assert ended["links"]["result"] == f"{own}/result"
    assert ended["links"]["schedule"] == f"/v1/schedules/{ended['schedule']}"
    result = client.get(ended["links"]["result"])
    assert result.status_code == 200
    assert result.json()["objective"] == {"name": "throughput", "value": "1/2", "approx": 0.5}
    assert result.json()["schedule"] == ended["schedule"]


def test_jobs_carry_what_they_have_found(client: TestClient, database: Database) -> None:
    own = submitted(client)
    finish(database, claim(database))
    waiting = submitted(client)
    result = client.get(f"{own}/result").json()
    last, first = client.get(POST).json()["items"]
    assert last["id"] == waiting.rsplit("/", 1)[-1]
    assert {last[name] for name in ("objective", "bound", "gap")} == {None}
    for name in ("objective", "bound", "gap"):
        assert first[name] == client.get(own).json()[name] == result[name]
    floats = client.get(POST, params={"numbers": "float"}).json()["items"][1]
    assert floats["objective"]["value"] == floats["bound"]["value"] == 0.5
    assert floats["gap"] == 0


@ON_SQLITE
def test_numbers_float_turns_every_rational_of_a_result_into_a_number(
    client: TestClient, database: Database
) -> None:
    own = submitted(client)
    finish(database, claim(database))
    result = client.get(f"{own}/result", params={"numbers": "float"}).json()
    assert result["objective"]["value"] == 0.5
    assert result["bound"]["value"] == 0.5
    assert result["gap"] == 0
    assert result["certificate"]["prices"] == {"W.compute": 0.5}
    assert result["computed"] == {"W": 0.5}
    assert result["sent"][0]["rate"] == 0.5
    assert type(result["gap"]) is int


@ON_SQLITE
def test_results_that_another_version_has_made_are_given_as_they_are(
    client: TestClient, database: Database
) -> None:
    own = submitted(client)
    finish(database, claim(database))
    stored = client.get(f"{own}/result").json()
    for kind in ("of_tomorrow", "task_graph"):
        with database.write_all() as unit:
            unit._connection.execute(update(jobs).values(kind=kind))
        assert client.get(f"{own}/result").json() == stored
        refused = client.get(f"{own}/result", params={"numbers": "float"})
        assert refused.status_code == 422
        (error,) = refused.json()["errors"]
        assert (error["parameter"], error["code"]) == ("numbers", "unknown_result")


@ON_SQLITE
def test_a_job_says_what_was_given_but_is_not_used(client: TestClient) -> None:
    asked = body()
    asked["problem"]["platform"]["processors"][1]["latency"] = 1
    assert client.post(POST, json=asked).json()["warnings"]


@ON_SQLITE
def test_the_instance_can_be_posted_again(client: TestClient) -> None:
    own = submitted(client, options={"max_period": "1e1"})
    instance = client.get(f"{own}/instance").json()
    assert instance["options"]["max_period"] == "10"
    assert instance["problem"]["task"] == {"work": "1", "input_size": "1", "output_size": "0"}
    again = client.post(POST, json=instance)
    assert again.status_code == 202
    assert client.get(again.headers["Location"] + "/instance").json() == instance


@ON_SQLITE
def test_validating_stores_nothing(client: TestClient) -> None:
    answer = client.post(POST, params={"validate_only": True}, json=BODY)
    assert answer.status_code == 200
    found = answer.json()
    assert found["valid"] is True
    assert (found["kind"], found["warnings"]) == ("master_worker", [])
    assert found["method"] == "bandwidth_centric"
    assert found["sizes"]["processors"] == 2
    assert client.get(POST).json()["items"] == []


@ON_SQLITE
def test_sizes_above_what_every_client_can_read_are_digits(client: TestClient) -> None:
    copies = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)
    tasks = {f"t{n}": {f"P{n}x{j}": 1 for j in range(n)} for n in copies}
    mapping = {task: " ".join(times) for task, times in tasks.items()}
    asked = workflow(tasks, {}, {}, mapping, max_rows=10**18)
    sizes = client.post(POST, params={"validate_only": True}, json=asked).json()["sizes"]
    assert (sizes["rows"], sizes["nodes"]) == ("13082761331670030", sum(copies))


@ON_SQLITE
def test_validating_refuses_what_submitting_would(client: TestClient) -> None:
    answer = client.post(POST, params={"validate_only": True}, json=body(master="X"))
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "#/problem/master"
    for asked in (body(master="X"), body(platform="plt_1"), {"base": "job_1"}):
        refused = client.post(POST, params={"validate_only": True}, json=asked)
        assert refused.status_code == 422
        told = client.post(POST, params={"validate_only": True, "faults": "answer"}, json=asked)
        assert told.status_code == 200
        assert FaultyBody.model_validate(told.json()).valid is False
        assert told.json()["errors"] == refused.json()["errors"] != []
    for sent, status in ((b"{", 400), (b'{"problem": ' + b"[" * 2000, 400)):
        answered = client.post(
            POST,
            params={"validate_only": True, "faults": "answer"},
            content=sent,
            headers={"Content-Type": "application/json"},
        )
        assert answered.status_code == status
    assert client.post(POST, params={"faults": "answer"}, json=body(master="X")).status_code == 422


def test_a_result_waits_for_the_end(client: TestClient, database: Database) -> None:
    own = submitted(client)
    for state in ("queued", "running"):
        refusal = client.get(f"{own}/result")
        assert (refusal.status_code, refusal.json()["code"]) == (409, "job_not_finished")
        assert refusal.json()["detail"] == f"The job is {state}. Wait for its end."
        if state == "queued":
            claim(database)


def test_a_failed_job_says_why(client: TestClient, database: Database) -> None:
    own = submitted(client)
    with database.write_all() as unit:
        taken = unit.queue.claim("tests", OUR_SKILLS, 60)
        assert taken is not None
        unit.queue.fail(taken, {"code": "out_of_memory", "detail": "The solver needed more."})
    job = client.get(own).json()
    assert job["state"] == "failed"
    assert job["error"] == {
        "type": "urn:steadygrid:problem:out_of_memory",
        "title": "Out of memory",
        "detail": "The solver needed more.",
        "code": "out_of_memory",
    }
    refusal = client.get(f"{own}/result")
    assert (refusal.status_code, refusal.json()["code"]) == (409, "job_failed")


def test_a_cancelled_job_has_no_result(client: TestClient) -> None:
    own = submitted(client)
    client.post(f"{own}/cancel")
    refusal = client.get(f"{own}/result")
    assert (refusal.status_code, refusal.json()["code"]) == (409, "job_cancelled")


def test_a_job_is_deleted_with_all_that_is_its_own(client: TestClient, database: Database) -> None:
    own = submitted(client)
    finish(database, claim(database))
    schedule = client.get(own).json()["links"]["schedule"]
    assert client.delete(own).status_code == 204
    for path in (f"{own}/instance", f"{own}/result", f"{own}/events", schedule):
        assert client.get(path).status_code == 404


def test_a_schedule_stays_while_another_job_has_it(client: TestClient, database: Database) -> None:
    first, second = submitted(client), submitted(client)
    finish(database, claim(database))
    finish(database, claim(database))
    schedule = client.get(first).json()["links"]["schedule"]
    client.delete(first)
    assert client.get(schedule).status_code == 200
    client.delete(second)
    assert client.get(schedule).status_code == 404


def test_jobs_are_listed_newest_first_in_pages(client: TestClient) -> None:
    made = [submitted(client).rpartition("/")[2] for _ in range(5)]
    found: list[str] = []
    token = None
    for _ in range(3):
        params = {"limit": 2} | ({"page_token": token} if token else {})
        page = client.get(POST, params=params).json()
        found += [job["id"] for job in page["items"]]
        token = page["next_page_token"]
    assert token is None
    assert found == sorted(made, reverse=True)
    assert len(client.get(POST, params={"limit": 10**9}).json()["items"]) == 5


def test_jobs_are_filtered_by_state_kind_and_labels(client: TestClient, database: Database) -> None:
    first = submitted(client, labels={"experiment": "a", "run": "1:2"})
    claim(database)
    second = submitted(client, labels={"experiment": "a"})

    def listed(**params: Any) -> list[str]:
        return [job["links"]["self"] for job in client.get(POST, params=params).json()["items"]]

    assert listed(state="running") == [first]
    assert listed(state=["running", "queued"]) == [second, first]
    assert listed(kind="master_worker", label="experiment:a") == [second, first]
    assert listed(label=["experiment:a", "run:1:2"]) == [first]
    assert listed(label="experiment:b") == []
    assert listed(state="failed") == []


def test_a_full_queue_asks_to_come_back(settings: Settings) -> None:
    full = settings.model_copy(update={"max_queued_jobs": 1})
    with TestClient(create_app(full), base_url="http://localhost") as client:
        assert client.post(POST, json=BODY, headers={"Idempotency-Key": "k"}).status_code == 202
        refusal = client.post(POST, json=BODY)
        assert (refusal.status_code, refusal.json()["code"]) == (429, "queue_full")
        assert int(refusal.headers["Retry-After"]) > 0
        replayed = client.post(POST, json=BODY, headers={"Idempotency-Key": "k"})
        assert replayed.status_code == 200


def test_a_platform_is_given_by_reference(client: TestClient) -> None:
    stored = client.post("/v1/platforms", json=BODY["problem"]["platform"]).json()
    answer = client.post(POST, json=body(platform=stored["id"]))
    assert answer.status_code == 202
    client.delete(stored["links"]["self"])
    instance = client.get(answer.headers["Location"] + "/instance").json()
    assert [one["id"] for one in instance["problem"]["platform"]["processors"]] == ["M", "W"]


@ON_SQLITE
def test_time_limits_are_kept_as_they_were_given(client: TestClient) -> None:
    own = submitted(client, options={"time_limit": 0.25})
    options = client.get(f"{own}/instance").json()["options"]
    assert Fraction(options["time_limit"]) == Fraction(1, 4)
