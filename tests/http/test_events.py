"""Server-sent events: from the first to the last, and resumed."""

import json
import threading
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.jobs import endpoints
from tests.http.bodies import BODY, claim, finish


def events(text: str) -> list[tuple[str, str, Any]]:
    """Read ``(id, event, data)`` from a stream."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(
            line.split(": ", 1) for line in block.splitlines() if not line.startswith(":")
        )
        if "data" in fields:
            found.append((fields["id"], fields["event"], json.loads(fields["data"])))
    return found


def submitted(client: TestClient) -> str:
    location: str = client.post("/v1/jobs", json=BODY).headers["Location"]
    return location


def worked(database: Database) -> None:
    taken = claim(database)
    with database.write_all() as unit:
        unit.queue.heartbeat(taken, 60, {"phase": "solving", "bound": "3/4"})
    finish(database, taken)


def test_the_events_of_an_ended_job_are_all_given(client: TestClient, database: Database) -> None:
    own = submitted(client)
    worked(database)
    answer = client.get(f"{own}/events")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert answer.headers["Cache-Control"] == "no-store"
    assert events(answer.text) == [
        ("1", "state", {"state": "queued", "attempt": 0}),
        ("2", "state", {"state": "running", "attempt": 1}),
        ("3", "progress", {"phase": "solving", "bound": "3/4"}),
        ("4", "state", {"state": "succeeded", "attempt": 1, "outcome": "optimal"}),
        ("5", "end", {"state": "succeeded", "attempt": 1, "outcome": "optimal"}),
    ]


def test_events_go_on_after_the_last_one_seen(client: TestClient, database: Database) -> None:
    own = submitted(client)
    worked(database)
    answer = client.get(f"{own}/events", headers={"Last-Event-ID": "3"})
    assert [one[:2] for one in events(answer.text)] == [("4", "state"), ("5", "end")]
    ended = client.get(f"{own}/events", headers={"Last-Event-ID": "5"})
    assert (ended.status_code, ended.content) == (204, b"")


def test_progress_comes_with_numbers_on_demand(client: TestClient, database: Database) -> None:
    own = submitted(client)
    worked(database)
    answer = client.get(f"{own}/events", params={"numbers": "float"})
    assert events(answer.text)[2][2] == {"phase": "solving", "bound": 0.75}


def test_floats_in_progress_are_decimals(client: TestClient, database: Database) -> None:
    own = submitted(client)
    taken = claim(database)
    told = {"phase": "solving", "value": "49999999/100000000", "bound": "1/3", "exact": False}
    with database.write_all() as unit:
        unit.queue.heartbeat(taken, 60, told)
    shown = client.get(own).json()["progress"]
    assert shown == told | {"value": "0.49999999"}
    finish(database, taken)
    assert events(client.get(f"{own}/events").text)[2][2] == shown
    floats = events(client.get(f"{own}/events", params={"numbers": "float"}).text)[2][2]
    assert floats == told | {"value": 0.49999999, "bound": 1 / 3}


def test_the_last_event_of_a_failed_job_says_so(client: TestClient, database: Database) -> None:
    own = submitted(client)
    taken = claim(database)
    with database.write_all() as unit:
        unit.queue.fail(taken, {"code": "poison", "detail": "The solver died five times."})
    last = events(client.get(f"{own}/events").text)[-1]
    assert last == ("4", "end", {"state": "failed", "attempt": 1})


def test_events_are_sent_as_they_happen(client: TestClient, database: Database) -> None:
    own = submitted(client)
    worker = threading.Timer(0.1, worked, [database])
    worker.start()
    answer = client.get(f"{own}/events")
    worker.join()
    assert [one[0] for one in events(answer.text)] == ["1", "2", "3", "4", "5"]


def test_a_silent_stream_is_kept_alive(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "PING_SECONDS", 0.02)
    own = submitted(client)
    worker = threading.Timer(0.3, worked, [database])
    worker.start()
    answer = client.get(f"{own}/events")
    worker.join()
    assert ": ping" in answer.text


def test_a_stream_longer_than_one_reading_is_complete(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints.service, "EVENTS_AT_ONCE", 2)
    own = submitted(client)
    worked(database)
    answer = client.get(f"{own}/events")
    assert [one[0] for one in events(answer.text)] == ["1", "2", "3", "4", "5"]


def test_the_stream_of_a_job_that_is_deleted_ends(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints.service, "EVENTS_AT_ONCE", 1)
    own = submitted(client)

    def remove() -> None:
        client.post(f"{own}/cancel")
        client.delete(own)

    remover = threading.Timer(0.1, remove)
    remover.start()
    answer = client.get(f"{own}/events")
    remover.join()
    assert events(answer.text)[0][1] == "state"
    assert client.get(f"{own}/events").status_code == 404
