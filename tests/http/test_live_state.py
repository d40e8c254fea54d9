"""What changes among all jobs, and how things stand, on both databases and over a socket."""

import json
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert, update

from app.db import news as looks
from app.db.clock import current_time
from app.db.engine import Database
from app.db.models import jobs, tombstones
from app.db.news import Snapshot
from app.http.feed import Change
from app.jobs import live, news
from app.jobs.filters import Filters
from steadygrid.domain.job import JobState, Outcome
from tests.databases import add_job
from tests.http.bodies import BODY, claim, finish
from tests.http.conftest import listening, quiet
from tests.http.processes import served
from workers.registration import OUR_SKILLS

PATIENCE = 30


class Poll:
    """Looks again and again, as the feed does."""

    def __init__(self, database: Database, tenant: str = "local") -> None:
        self._database = database
        self._tenant = tenant
        self._before: Snapshot | None = None
        self.deleted: frozenset[str] = frozenset()

    def __call__(self) -> dict[str, tuple[JobState | None, JobState]]:
        look = news.look(self._database, self._tenant, self._before, False)
        self._before = look.snapshot
        self.deleted = look.deleted
        assert look.summary is None
        found = {one.record.id: (one.before, one.record.state) for one in look.changes}
        assert len(found) == len(look.changes)
        return found


def changed(database: Database, job: str, **values: Any) -> None:
    with database.engine.connect() as connection:
        writer = connection.execution_options(writes=True)
        with writer.begin():
            writer.execute(update(jobs).where(jobs.c.id == job).values(**values))


def test_the_first_look_tells_nothing_and_each_change_is_told_once(
    client: TestClient, database: Database
) -> None:
    del client
    add_job(database)
    poll = Poll(database)
    assert poll() == {}
    assert poll() == {}
    new = add_job(database)
    assert poll() == {new: (None, JobState.QUEUED)}
    assert poll() == {}


def test_every_step_of_a_life_is_told(client: TestClient, database: Database) -> None:
    del client
    job = add_job(database)
    poll = Poll(database)
    poll()
    taken = claim(database)
    assert poll() == {job: (JobState.QUEUED, JobState.RUNNING)}
    with database.write_all() as unit:
        unit.queue.heartbeat(taken, 60)
    assert poll() == {}, "a lease is nothing to be seen"
    with database.write_all() as unit:
        unit.queue.heartbeat(taken, 60, {"phase": "solving"})
    assert poll() == {job: (JobState.RUNNING, JobState.RUNNING)}
    with database.write("local") as own:
        own.jobs.cancel(job)
    assert poll() == {job: (JobState.RUNNING, JobState.CANCELLING)}
    with database.write_all() as unit:
        unit.queue.cancelled(taken)
    assert poll() == {job: (JobState.CANCELLING, JobState.CANCELLED)}
    assert poll() == {}


def test_jobs_that_have_waited_for_long_are_told_when_they_move(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    del client
    monkeypatch.setattr(looks, "NEWEST", 2)
    old = [add_job(database) for _ in range(4)]
    newest = [add_job(database) for _ in range(2)]
    poll = Poll(database)
    poll()
    taken = claim(database)
    assert taken.job_id == old[0]
    assert poll() == {old[0]: (JobState.QUEUED, JobState.RUNNING)}
    with database.write_all() as unit:
        unit.queue.give_back(taken)
    assert poll() == {old[0]: (JobState.RUNNING, JobState.QUEUED)}
    assert poll() == {}
    with database.write("local") as own:
        own.jobs.cancel(old[1])
    assert poll() == {old[1]: (JobState.QUEUED, JobState.CANCELLED)}
    # Those that are not among the newest any more have not changed.
    latest = [add_job(database) for _ in range(2)]
    assert poll() == dict.fromkeys(latest, (None, JobState.QUEUED))
    with database.write("local") as own:
        own.jobs.cancel(newest[0])
    assert poll() == {newest[0]: (JobState.QUEUED, JobState.CANCELLED)}


def test_an_end_that_was_long_in_coming_is_told_once(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    del client
    monkeypatch.setattr(looks, "NEWEST", 1)
    job = add_job(database)
    add_job(database)
    taken = claim(database)
    poll = Poll(database)
    poll()
    finish(database, taken)
    changed(database, job, finished_at=taken_back(database, job))
    assert poll() == {job: (JobState.RUNNING, JobState.SUCCEEDED)}
    assert poll() == {}


def taken_back(database: Database, job: str) -> Any:
    """An end of a job so long ago that the looks at news leave the job out."""
    with database.read("local") as unit:
        record = unit.jobs.get(job)
    assert record is not None
    assert record.finished_at is not None
    return record.finished_at.replace(year=2020)


def test_what_has_ended_long_ago_is_not_looked_at(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    del client
    monkeypatch.setattr(looks, "NEWEST", 1)
    monkeypatch.setattr(looks, "LATE_SECONDS", 0.0)
    ended = [add_job(database) for _ in range(2)]
    for _ in ended:
        finish(database, claim(database))
    running, newest = add_job(database), add_job(database)
    claim(database)
    changed(database, ended[0], finished_at=taken_back(database, ended[0]))
    with database.read("local") as unit:
        assert unit.news.versions(newest).keys() == {ended[1], running, newest}
    monkeypatch.setattr(looks, "MOST_ENDED", 0)
    with database.read("local") as unit:
        assert unit.news.versions(newest).keys() == {running, newest}


def test_of_a_job_that_is_deleted_its_end_is_told_once(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long ago it was made, and to its tenant only."""
    del client
    monkeypatch.setattr(looks, "NEWEST", 1)
    monkeypatch.setattr(looks, "LATE_SECONDS", 0.0)
    job = add_job(database)
    add_job(database)
    with database.write("local") as own:
        own.jobs.cancel(job)
    changed(database, job, finished_at=taken_back(database, job))
    poll, other = Poll(database), Poll(database, "other")
    poll()
    other()
    with database.write("local") as own:
        own.jobs.delete(job)
    assert (poll(), poll.deleted) == ({}, {job})
    assert (poll(), poll.deleted) == ({}, set())
    with database.engine.connect() as connection, connection.begin():
        values = {"tenant": "local", "job_id": "job_0", "purged_at": current_time()}
        connection.execute(insert(tombstones).values(**values))
    assert (poll(), poll.deleted) == ({}, {"job_0"})
    assert (other(), other.deleted) == ({}, set())


def test_tenants_are_told_of_their_own_jobs(client: TestClient, database: Database) -> None:
    del client
    poll, other = Poll(database), Poll(database, "other")
    poll()
    other()
    job = add_job(database)
    assert other() == {}
    assert poll() == {job: (None, JobState.QUEUED)}


def test_many_changes_are_read_in_portions(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    del client
    monkeypatch.setattr(looks, "_AT_ONCE", 2)
    poll = Poll(database)
    poll()
    new = [add_job(database) for _ in range(5)]
    assert poll() == dict.fromkeys(new, (None, JobState.QUEUED))


EMPTY: dict[str, Any] = {
    "queued": 0,
    "running": 0,
    "cancelling": 0,
    "succeeded": 0,
    "failed": 0,
    "cancelled": 0,
    "workers": 0,
    "oldest_waiting": None,
}


def test_the_summary_counts_jobs_by_state(client: TestClient, database: Database) -> None:
    answer = client.get("/v1/summary")
    assert answer.json() == EMPTY
    assert answer.headers["Cache-Control"] == "no-store"
    own = [client.post("/v1/jobs", json=BODY).json() for _ in range(4)]
    finish(database, claim(database))
    claim(database)
    with database.write_all() as unit:
        unit.workers.seen("a", OUR_SKILLS, {})
    with database.write("other") as unit_of_other:
        unit_of_other.jobs.cancel("job_none")
    assert client.get("/v1/summary").json() == EMPTY | {
        "queued": 2,
        "running": 1,
        "succeeded": 1,
        "workers": 1,
        "oldest_waiting": {"id": own[2]["id"], "created_at": own[2]["created_at"]},
    }
    assert client.get("/v1/summary", params={"kind": "cell"}).status_code == 422


def test_the_summary_reads_tallies_and_counts_nothing(
    client: TestClient, database: Database
) -> None:
    client.post("/v1/jobs", json=BODY)
    with database.engine.connect() as connection, connection.begin():
        connection.exec_driver_sql("UPDATE tallies SET failed = 7 WHERE tenant = 'local'")
        connection.exec_driver_sql(
            "INSERT INTO tallies (tenant, kind, failed) VALUES ('other', 'cell', 9)"
        )
    summary = client.get("/v1/summary").json()
    assert (summary["failed"], summary["queued"]) == (7, 1)


@pytest.mark.parametrize(
    ("before", "state", "states", "wanted"),
    [
        (None, JobState.QUEUED, (), True),
        (None, JobState.QUEUED, (JobState.QUEUED,), True),
        (None, JobState.QUEUED, (JobState.RUNNING,), False),
        (JobState.QUEUED, JobState.RUNNING, (JobState.RUNNING,), True),
        (JobState.RUNNING, JobState.SUCCEEDED, (JobState.RUNNING,), True),
        (JobState.RUNNING, JobState.SUCCEEDED, (JobState.QUEUED, JobState.FAILED), False),
    ],
)
def test_a_state_is_told_when_it_is_entered_and_left(
    client: TestClient,
    database: Database,
    before: JobState | None,
    state: JobState,
    states: tuple[JobState, ...],
    wanted: bool,
) -> None:
    record = recorded(client, database, state)
    assert live._wants(Filters(states=states), Change(record, before)) == wanted


def recorded(client: TestClient, database: Database, state: JobState) -> Any:
    labelled = client.post("/v1/jobs", json=BODY | {"labels": {"a": "b", "c": "d"}}).json()
    if state is not JobState.QUEUED:
        taken = claim(database)
        if state is JobState.SUCCEEDED:
            finish(database, taken)
    with database.read("local") as unit:
        record = unit.jobs.get(labelled["id"])
    assert record is not None
    assert record.state is state
    return record


def test_kinds_are_any_of_some_and_labels_all_of_them(
    client: TestClient, database: Database
) -> None:
    change = Change(recorded(client, database, JobState.QUEUED), None)
    assert live._wants(Filters(kinds=("cell", "master_worker")), change)
    assert not live._wants(Filters(kinds=("cell",)), change)
    assert live._wants(Filters(labels=(("a", "b"), ("c", "d"))), change)
    assert not live._wants(Filters(labels=(("a", "b"), ("c", "e"))), change)
    assert not live._wants(Filters(labels=(("b", "b"),)), change)


class Stream:
    """Reads events from a socket, block by block."""

    def __init__(self, address: tuple[str, int], query: str = "") -> None:
        self._socket = socket.create_connection(address, timeout=PATIENCE)
        fields = "Host: localhost\r\nAccept-Encoding: gzip, deflate, br, zstd"
        request = f"GET /v1/events{query} HTTP/1.1\r\n{fields}\r\n\r\n"
        self._socket.sendall(request.encode())
        self._file = self._socket.makefile("rb")
        self.head = b"".join(iter(self._file.readline, b"\r\n")).decode()

    def retry(self) -> int:
        """Give the milliseconds after which to connect again; before any event."""
        while not (line := self._file.readline()).startswith(b"retry: "):
            assert line, "the stream has ended"
        return int(line.removeprefix(b"retry: "))

    def event(self) -> tuple[str, Any]:
        """Give the next event's name and data."""
        fields: dict[str, str] = {}
        while "data" not in fields:
            line = self._file.readline()
            assert line, "the stream has ended"
            name, _, value = line.decode().strip().partition(": ")
            if name in ("event", "data", "id"):
                fields[name] = value
        assert "id" not in fields, "nothing can be resumed"
        return fields["event"], json.loads(fields["data"])

    def jobs(self) -> list[Any]:
        """Give the jobs of the next event that has some."""
        while (event := self.event())[0] != "jobs":
            pass
        items: list[Any] = event[1]["items"]
        return items

    def ended(self) -> bool:
        while line := self._file.readline():
            if line == b"0\r\n":
                return True
        return True

    def close(self) -> None:
        self._file.close()
        self._socket.close()


@contextmanager
def stream(address: tuple[str, int], query: str = "") -> Iterator[Stream]:
    opened = Stream(address, query)
    try:
        yield opened
    finally:
        opened.close()


def test_a_stream_tells_how_things_stand_and_then_what_changes(
    address: tuple[str, int], address_database: Database
) -> None:
    with stream(address) as all_jobs, stream(address, "?state=succeeded&numbers=float") as ended:
        assert "200 OK" in all_jobs.head
        fields = all_jobs.head.lower()
        assert "content-type: text/event-stream" in fields
        assert "cache-control: no-store" in fields
        assert "content-encoding" not in fields
        for one in (all_jobs, ended):
            name, summary = one.event()
            assert name == "summary"
            assert set(summary) == set(EMPTY)
        job = add_job(address_database, {"problem": {}}, name="figure 3")
        (told,) = all_jobs.jobs()
        assert (told["id"], told["state"], told["name"]) == (job, "queued", "figure 3")
        taken = claim(address_database)
        with address_database.write_all() as unit:
            unit.queue.heartbeat(taken, 60, {"phase": "solving", "bound": "3/4"})
        finish(address_database, taken)
        while told["state"] != "succeeded":
            (told,) = all_jobs.jobs()
        assert told["outcome"] == Outcome.OPTIMAL.value
        assert told["objective"]["value"] == "1/2"
        (told,) = ended.jobs()
        assert (told["id"], told["objective"]["value"]) == (job, 0.5)


def test_streams_of_unknown_kinds_and_malformed_labels_are_refused(
    address: tuple[str, int],
) -> None:
    for query in ("?kind=none", "?label=none", "?state=none", "?outcome=optimal"):
        with stream(address, query) as refused:
            assert "422" in refused.head.split("\r\n")[0], query


def test_streams_take_places_of_those_who_wait(tmp_path: Path) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path, max_connections=4)
    with listening(settings) as address:
        with stream(address) as first, stream(address) as second:
            assert first.event()[0] == second.event()[0] == "summary"
            with stream(address) as third:  # it is told how things stand, and when to come back
                assert third.retry() == 5000
                assert third.event()[0] == "summary"
                assert third.ended()
        for _ in range(2):  # a client that leaves gives its place back
            until_let_in(address)


def until_let_in(address: tuple[str, int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with stream(address) as again:
            if again.retry() == 1000:
                return
        time.sleep(0.05)
    raise AssertionError("no place was given back")


def test_without_the_database_there_is_no_stream(client: TestClient, database: Database) -> None:
    away = Database.open("postgresql://visitor@127.0.0.1:1/nothing")
    parts = client.app.state.resources  # type: ignore[attr-defined]
    engine, parts.database.engine = parts.database.engine, away.engine
    try:
        for path in ("/v1/events", "/v1/summary"):
            answer = client.get(path)
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    finally:
        parts.database.engine = engine
        away.close()
    del database


def test_streams_end_with_the_service(tmp_path: Path) -> None:
    with served(tmp_path) as service, stream(("127.0.0.1", service.port)) as open_one:
        assert open_one.event()[0] == "summary"
        service.process.send_signal(signal.SIGTERM)
        assert open_one.ended()
        assert service.process.wait(PATIENCE) == 0
