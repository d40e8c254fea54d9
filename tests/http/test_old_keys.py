"""Keys whose requests an older version has read: by other rules, with other defaults and limits."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from app.db.engine import Database
from app.db.models import idempotency_keys
from app.main import create_app
from app.settings import Settings
from steadygrid.domain.document import content_id
from steadygrid.submissions.submission import Submission
from tests.http.bodies import BODY, SWEEP, body, claim, finish
from tests.http.conftest import ON_SQLITE
from tests.http.test_quotas import give
from tests.http.test_replans import SLOWER, succeeded
from tests.http.test_sweeps import work
from tests.workers.test_retention import write

KEY = {"Idempotency-Key": "k"}
WRITTEN_OTHERWISE = body(task={"work": 1.0, "input_size": "2/2"}, ports="one_port")
"""What `BODY` means."""


def of_the_first_version(database: Database, sort: str, meant: Any) -> None:
    """Let all keys have the fingerprints that version 1 of them would have."""
    write(database, update(idempotency_keys).values(fingerprint=content_id(sort, meant)))


def answered(client: TestClient, url: str, document: Any) -> tuple[int, str]:
    """Post under the key, and give the status and the id, or the code of the refusal."""
    answer = client.post(url, json=document, headers=KEY)
    told = answer.json()
    if answer.status_code < 300:
        assert (answer.headers.get("Idempotent-Replayed") == "true") == (answer.status_code == 200)
        return answer.status_code, told["id"]
    return answer.status_code, told["code"]


REUSED = (422, "idempotency_key_reused")


@ON_SQLITE
@pytest.mark.parametrize("same", [BODY, WRITTEN_OTHERWISE])
def test_a_key_of_a_version_with_other_defaults_gives_its_job(
    client: TestClient, database: Database, same: Any
) -> None:
    named = {"name": "one", "labels": {"a": "b"}, "priority": 2}
    _, job = answered(client, "/v1/jobs", BODY | named)
    of_the_first_version(database, "body", {"problem": "as a version wrote it that is gone"})
    assert answered(client, "/v1/jobs", same | named) == (200, job)
    for other in (body(ports="multiport") | named, BODY, BODY | named | {"name": "two"}):
        assert answered(client, "/v1/jobs", other) == REUSED
    assert answered(client, "/v1/sweeps", SWEEP) == REUSED
    assert len(client.get("/v1/jobs").json()["items"]) == 1


def test_a_key_of_an_older_version_whose_job_was_purged_makes_none(
    client: TestClient, database: Database
) -> None:
    answered(client, "/v1/jobs", BODY)
    of_the_first_version(database, "body", {})
    finish(database, claim(database))
    with database.write("local") as unit:
        assert unit.jobs.purge(-1, 10) == 1
    assert answered(client, "/v1/jobs", BODY) == (410, "job_purged")
    assert answered(client, "/v1/sweeps", SWEEP) == REUSED
    assert client.get("/v1/jobs").json()["items"] == []


def test_a_key_of_an_older_version_gives_its_sweep(client: TestClient, database: Database) -> None:
    named = SWEEP | {"name": "one", "labels": {"a": "b"}}
    _, sweep = answered(client, "/v1/sweeps", named)
    of_the_first_version(database, "sweep", {})
    same = named | {"template": WRITTEN_OTHERWISE, "mode": "product"}
    assert answered(client, "/v1/sweeps", same) == (200, sweep)
    values = [SWEEP["parameters"][0] | {"values": [2]}, SWEEP["parameters"][1]]
    for other in (
        SWEEP,
        named | {"labels": {}},
        named | {"template": body(ports="multiport")},
        named | {"parameters": values},
    ):
        assert answered(client, "/v1/sweeps", other) == REUSED
    assert answered(client, "/v1/jobs", BODY) == REUSED


def test_keys_of_the_version_before_give_what_studies_have_made(
    client: TestClient, database: Database
) -> None:
    job = succeeded(client, database)
    _, replan = answered(client, f"{job}/replan", SLOWER)
    of_the_first_version(database, "replan", {})
    assert answered(client, f"{job}/replan", SLOWER | {"scale": False}) == (200, replan)
    assert answered(client, f"{job}/replan", SLOWER | {"scale": True}) == REUSED
    assert answered(client, "/v1/jobs/job_1/replan", SLOWER) == REUSED
    assert client.delete(f"/v1/replans/{replan}").status_code == 204
    _, what_if = answered(client, f"{job}/what-if", {})
    defaults = {"factor": "2", "resources": None, "solve": 10, "twins": "one", "options": {}}
    meant = {"job": job.rpartition("/")[2], "asked": defaults}
    of_the_first_version(database, "what_if", meant)
    assert answered(client, f"{job}/what-if", {"factor": 2.0}) == (200, what_if)
    assert answered(client, f"{job}/what-if", {"factor": 3}) == REUSED


def test_a_key_of_the_version_before_remembers_how_many_jobs_it_has_tried_again(
    client: TestClient, database: Database
) -> None:
    own = client.post("/v1/sweeps", json=SWEEP).json()["links"]["self"]
    work(database, "f")
    first = client.post(f"{own}/retry", headers=KEY)
    of_the_first_version(database, "retry", {"sweep": own.rpartition("/")[2]})
    again = client.post(f"{own}/retry", headers=KEY)
    assert (again.status_code, again.json()) == (200, first.json() | {"more": False})


@ON_SQLITE
@pytest.mark.parametrize(
    ("url", "document"), [("/v1/jobs", BODY), ("/v1/sweeps", SWEEP)], ids=["job", "sweep"]
)
def test_what_is_posted_again_is_answered_however_bodies_are_read_now(
    client: TestClient,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    document: Any,
) -> None:
    _, made = answered(client, url, document)
    before = Submission.stored_document

    def with_a_new_default(submission: Submission) -> dict[str, Any]:
        return before(submission) | {"new": "default"}

    def refuse(*_: Any) -> Any:
        raise AssertionError("a body that was accepted is read again")

    for change in (with_a_new_default, refuse):
        with monkeypatch.context() as patch:
            patch.setattr(Submission, "stored_document", change)
            backwards = dict(reversed(document.items()))
            assert answered(client, url, backwards) == (200, made)


@ON_SQLITE
def test_a_replay_needs_neither_limits_nor_quotas_nor_what_it_referred_to(
    settings: Settings, client: TestClient, database: Database
) -> None:
    stored = client.post("/v1/platforms", json=BODY["problem"]["platform"]).json()
    referring = body(platform=stored["id"]) | {"options": {"time_limit": 50}}
    _, job = answered(client, "/v1/jobs", referring)
    client.delete(stored["links"]["self"])
    give(database, time_limit=20)
    lower = settings.model_copy(update={"max_processors": 1})
    with TestClient(create_app(lower), base_url="http://localhost") as other:
        assert other.post("/v1/jobs", json=BODY).status_code == 422
        assert answered(other, "/v1/jobs", referring) == (200, job)


def nested(depth: int) -> str:
    return '{"a":' + "[" * depth + "]" * depth + "}"


@ON_SQLITE
@pytest.mark.parametrize("text", ['{"problem": 1e999}', *map(nested, (100, 480, 900, 5000))])
def test_what_has_no_canonical_form_is_refused_under_a_key_too(
    client: TestClient, text: str
) -> None:
    headers = KEY | {"Content-Type": "application/json"}
    for url in ("/v1/jobs", "/v1/sweeps"):
        answer = client.post(url, content=text, headers=headers)
        assert answer.status_code in (400, 422)
    assert client.post("/v1/jobs", json=BODY, headers=KEY).status_code == 202


MIXED: list[Callable[[str], str]] = [
    lambda text: text.replace("2.", "3.", 1),
    lambda _: "",
    lambda _: "2.body",
    lambda _: "2.body...",
]


@ON_SQLITE
@pytest.mark.parametrize("spoilt", MIXED)
def test_a_fingerprint_that_cannot_be_read_stands_for_another_request(
    client: TestClient, database: Database, spoilt: Callable[[str], str]
) -> None:
    answered(client, "/v1/jobs", BODY)
    with database.read("local") as unit:
        found = unit.idempotency.get("k", 7)
    assert found is not None
    write(database, update(idempotency_keys).values(fingerprint=spoilt(found.fingerprint)))
    assert answered(client, "/v1/jobs", BODY) == REUSED
