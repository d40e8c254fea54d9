"""Jobs that retention has deleted say so for a while; jobs that their owner deletes in bulk go."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from app.db.clock import current_time
from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.jobs import JobRepository
from app.db.models import jobs
from app.db.scopes import Scope
from app.http.identity import Identity
from app.jobs.deletion import AT_ONCE, MOST_DELETED
from tests.db.turmoil import counted
from tests.http.bodies import BODY, claim, finish
from tests.pages.site import PAGE

POST = "/v1/jobs"
KEY = {"Idempotency-Key": "k"}
LATER = (datetime.now(UTC) + timedelta(days=1)).isoformat().replace("+00:00", "Z")


@contextmanager
def asked_by_another() -> Iterator[None]:
    """Let another tenant ask."""
    other = Identity("other", frozenset(Scope), "key other")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.access.admission.ANY_CALLER", other)
        yield


def purge(database: Database) -> None:
    with database.write("local") as unit:
        assert unit.jobs.purge(-1, 100)


def below(client: TestClient, job_id: str) -> list[tuple[str, str]]:
    """List everything that can be asked of a job."""
    names = {"job_id": job_id, "name": "gantt", "format": "svg", "tab": "proof"}
    found = [
        (method.upper(), re.sub(r"\{(\w+)\}", lambda name: names[name[1]], path))
        for path, operations in client.get("/openapi.json").json()["paths"].items()
        if "{job_id}" in path
        for method in operations
    ]
    assert len(found) >= 10
    return [
        (method, f"{path}?format=msccl" * path.endswith("/export") or path)
        for method, path in found
    ]


def sent(path: str) -> Any:
    """Give a body that is right where one is asked for."""
    if path.endswith("/epoch"):
        return {"epoch": "2026-11-27T12:00:00Z", "unit_seconds": 1}
    return {"measured": {}} if path.endswith("/replan") else {}


def test_whatever_is_asked_of_a_purged_job_says_that_it_was_purged(
    client: TestClient, database: Database
) -> None:
    job_id = client.post(POST, json=BODY, headers=KEY).json()["id"]
    finish(database, claim(database))
    purge(database)
    for method, path in below(client, job_id):
        answer = client.request(method, path, json=sent(path))
        assert (answer.status_code, answer.json()["code"]) == (410, "job_purged"), path
        with asked_by_another():
            hidden = client.request(method, path, json=sent(path))
        assert (hidden.status_code, hidden.json()["code"]) == (404, "not_found"), path
        unknown = client.request(method, path.replace(job_id, f"job_{'0' * 32}"), json=sent(path))
        assert unknown.status_code == 404, path
    page = client.get(f"/jobs/{job_id}", headers=PAGE)
    assert page.status_code == 410
    assert "has been deleted with its answer." in page.text
    with asked_by_another():
        assert client.get(f"/jobs/{job_id}", headers=PAGE).status_code == 404
    assert client.get(POST).json()["items"] == []


def test_who_waits_for_a_job_or_follows_it_is_let_go_when_it_is_purged(
    client: TestClient, database: Database
) -> None:
    own = client.post(POST, json=BODY).headers["Location"]
    taken = claim(database)
    answers: dict[str, Any] = {}

    def ask(name: str, path: str) -> None:
        answers[name] = client.get(path)

    threads = [
        threading.Thread(target=ask, args=["wait", f"{own}?wait=50"]),
        threading.Thread(target=ask, args=["events", f"{own}/events"]),
    ]
    for thread in threads:
        thread.start()
    finish(database, taken)
    purge(database)
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()
    # A request that was quick enough has seen the end.
    assert answers["wait"].status_code in (200, 410)
    assert answers["events"].status_code in (200, 410)


def made(client: TestClient, database: Database, count: int, **members: Any) -> list[str]:
    found = [client.post(POST, json=BODY | members).json()["id"] for _ in range(count)]
    for _ in found:
        finish(database, claim(database))
    return found


def left(client: TestClient) -> set[str]:
    return {job["id"] for job in client.get(POST, params={"limit": 500}).json()["items"]}


def deleted(client: TestClient, **parameters: Any) -> dict[str, Any]:
    answer = client.delete(POST, params=parameters)
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    return document


def test_ended_jobs_are_deleted_by_the_filters_of_the_list(
    client: TestClient, database: Database
) -> None:
    red = made(client, database, 3, labels={"color": "red"})
    blue = made(client, database, 2, labels={"color": "blue"}, name="blue sky")
    queued = client.post(POST, json=BODY | {"labels": {"color": "red"}}).json()["id"]
    with database.engine.connect() as connection, connection.begin():
        connection.execute(
            update(jobs).where(jobs.c.id == red[0]).values(finished_at=current_time(-2 * 86_400))
        )
        moment = connection.execute(
            select(jobs.c.finished_at).where(jobs.c.id == red[0])
        ).scalar_one()
    written = moment.isoformat()
    assert deleted(client, label="color:red", before=written) == {"deleted": 0, "more": False}
    with asked_by_another():
        assert deleted(client, label="color:red", before=LATER) == {"deleted": 0, "more": False}
    after = (
        (moment + timedelta(milliseconds=1)).astimezone(timezone(timedelta(hours=2))).isoformat()
    )
    assert deleted(client, label="color:red", before=after) == {"deleted": 1, "more": False}
    assert left(client) == {*red[1:], *blue, queued}
    assert deleted(client, name="blue", before=LATER) == {"deleted": 2, "more": False}
    assert client.get(f"{POST}/{blue[0]}").status_code == 404
    assert deleted(client, state=["failed", "cancelled"], before=LATER)["deleted"] == 0
    assert deleted(client, kind="master_worker", before=LATER)["deleted"] == 2
    assert left(client) == {queued}
    found, said = counted(database)
    assert said == found


def test_more_than_one_request_deletes(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.jobs.deletion.AT_ONCE", 2)
    monkeypatch.setattr("app.jobs.deletion.MOST_DELETED", 4)
    assert MOST_DELETED % AT_ONCE == 0
    found = made(client, database, 7, labels={"color": "red"})
    assert deleted(client, label="color:red", before=LATER) == {"deleted": 4, "more": True}
    assert left(client) == set(found[4:])  # those that ended first
    assert deleted(client, label="color:red", before=LATER) == {"deleted": 3, "more": False}
    assert deleted(client, label="color:red", before=LATER) == {"deleted": 0, "more": False}
    with database.read_all() as unit:
        lines = [line for line in unit.audit.page(9).items if line.action == "job.deleted"]
    assert {(line.tenant, line.actor) for line in lines} == {("local", "anybody")}
    assert [line.subject for line in lines] == [
        f"{count} jobs that ended before {LATER}, labels color:red" for count in (2, 2, 2, 1)
    ]


def test_what_is_deleted_before_the_database_goes_away_is_in_the_audit(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.jobs.deletion.AT_ONCE", 2)
    found = made(client, database, 5, labels={"color": "red"})
    pieces = iter((JobRepository.delete_ended, JobRepository.delete_ended))

    def delete_ended(jobs: JobRepository, *given: Any, **wanted: Any) -> int:
        piece = next(pieces, None)
        if piece is None:
            raise DatabaseUnavailableError("away")
        return piece(jobs, *given, **wanted)

    monkeypatch.setattr(JobRepository, "delete_ended", delete_ended)
    assert client.delete(POST, params={"label": "color:red", "before": LATER}).status_code == 503
    assert left(client) == {found[4]}
    with database.read_all() as unit:
        lines = [line for line in unit.audit.page(9).items if line.action == "job.deleted"]
    assert [line.subject.partition(" ")[0] for line in lines] == ["2", "2"]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"label": "color:red"}, "before"),
    ({"before": LATER}, "label"),
    ({"before": LATER, "state": "queued"}, "state"),
    ({"before": LATER, "colour": "red"}, "colour"),
    ({"before": LATER, "name": ["blue", ""], "state": "failed"}, "name"),
    ({"before": [LATER, LATER], "label": "color:red"}, "before"),
    ({"before": LATER, "label": "red"}, "label"),
    ({"before": LATER, "label": "color:red", "limit": 5}, "limit"),
    *(
        ({"before": text, "label": "color:red"}, "before")
        for text in (
            *("", "yesterday", "2026-11-23", "2026-11-23T00:00:00", "2026-13-01T00:00:00Z"),
            *(
                "2026-11-23T00:00:00 01:00",
                "0001-01-01T00:00:00+23:59",
                "2026-11-23T00:00:00Z" * 99,
            ),
        )
    ),
]


@pytest.mark.parametrize(("parameters", "place"), REFUSED)
def test_what_does_not_say_which_jobs_deletes_nothing(
    service: TestClient, parameters: dict[str, Any], place: str
) -> None:
    answer = service.delete(POST, params=parameters)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert [error["parameter"] for error in answer.json()["errors"]] == [place]
