"""Whole databases of older versions are brought up to date, and nothing in them is lost.

Each folder below ``databases`` is what a version left behind, on either database: made by its own
code, see `tests.stored.record`, and never changed. All of it is migrated, judged, asked again under
its keys, and worked off.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from app.db.engine import Database
from app.db.integrity_check import soundness
from app.db.migrate import upgrade
from app.db.models import idempotency_keys, job_results, jobs
from app.db.packing import unpack
from app.main import create_app
from app.settings import Settings
from steadygrid.domain.job import JobState
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from tests.http.conftest import quiet
from tests.http.solving import solve_next
from tests.stored.record import with_ids
from workers.commands.rejudging import Rejudged

HERE = Path(__file__).parent / "databases"
VERSIONS = sorted(path.name for path in HERE.iterdir())
REUSED = (422, "idempotency_key_reused")
LONG_AGO = 100_000
"""Days for which keys are kept here: the stored ones are as old as their files."""


class Stored(NamedTuple):
    """A database of an older version, its tables up to date."""

    version: str
    settings: Settings
    database: Database
    keys: dict[str, str]
    """What each key stands for, as the older version wrote it."""
    results: dict[str, Any]
    """By the id of the job, as the older version wrote them."""

    @property
    def requests(self) -> list[dict[str, Any]]:
        text = (HERE / self.version / "requests.json").read_text("utf-8")
        found: list[dict[str, Any]] = json.loads(text)
        return found


def load(url: str, folder: Path) -> None:
    """Make what the older version left behind."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as lite:
            lite.executescript((folder / "sqlite.sql").read_text("utf-8"))
    else:
        with psycopg.connect(url) as connection:
            connection.execute((folder / "postgresql.sql").read_bytes())


@pytest.fixture(params=VERSIONS)
def stored(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> Iterator[Stored]:
    load(database_url, HERE / request.param)
    settings = quiet(database_url, tmp_path, idempotency_days=LONG_AGO)
    database = Database.open(database_url)
    with database.engine.connect() as connection:
        found = connection.execute(select(idempotency_keys.c.key, idempotency_keys.c.job_id))
        keys = {row.key: row.job_id for row in found}
        found = connection.execute(select(job_results.c.job_id, job_results.c.packed))
        results = {row.job_id: unpack(row.packed) for row in found}
    upgrade(database)
    yield Stored(request.param, settings, database, keys, results)
    database.close()


def judge_all(database: Database) -> int:
    """Let the referee judge all answers, and look at all tables; give the number of answers."""
    for noun, faults in soundness(database):
        assert not faults, noun
    refused: list[list[str]] = []
    rejudged = Rejudged(database, Limits())
    rejudged.judge(None, refused.append, lambda _: None)
    assert refused == []
    return rejudged.judged


def in_state(database: Database, state: JobState) -> list[str]:
    with database.engine.connect() as connection:
        query = select(jobs.c.id).where(jobs.c.state == state.value)
        return list(connection.execute(query).scalars())


def test_a_database_of_every_version_keeps_its_answers_its_keys_and_its_queue(
    stored: Stored,
) -> None:
    database, settings = stored.database, stored.settings
    assert stored.keys.keys() == {
        one["key"] for one in stored.requests if one["path"] != "/v1/platforms"
    }

    solved = in_state(database, JobState.SUCCEEDED)
    assert set(solved) == stored.results.keys()
    assert len(solved) >= 7
    assert judge_all(database) == len(solved)

    everything = sum(len(in_state(database, state)) for state in JobState)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        made: dict[str, str] = {}
        for request in stored.requests:
            key, path, body = (with_ids(request[name], made) for name in ("key", "path", "body"))
            under = {"Idempotency-Key": key}
            answer = client.post(path, json=body, headers=under)
            assert answer.status_code == 200, (key, answer.text)
            made[key] = answer.json()["id"]
            if key in stored.keys:
                assert answer.headers["Idempotent-Replayed"] == "true"
                assert made[key] == stored.keys[key]
                if path in ("/v1/jobs", "/v1/sweeps"):
                    other = client.post(path, json=body | {"name": "other"}, headers=under)
                    assert (other.status_code, other.json()["code"]) == REUSED, key
        for job_id in solved:
            links = client.get(f"/v1/jobs/{job_id}").json()["links"]
            assert client.get(links["result"]).json() == stored.results[job_id]
            parts = (links["schedule"], links["instance"], f"/jobs/{job_id}")
            assert {client.get(part).status_code for part in parts if part} == {200}
        assert sum(len(in_state(database, state)) for state in JobState) == everything

        queued = in_state(database, JobState.QUEUED)
        kinds = {PROBLEMS[client.get(f"/v1/jobs/{one}").json()["kind"]].kind for one in queued}
        assert len(kinds) >= 5
        worked = [solve_next(database) for _ in queued]
        assert set(worked) == set(queued)
        assert not in_state(database, JobState.QUEUED)
        for job_id in worked:
            assert client.get(f"/v1/jobs/{job_id}/result").json()["verified"]
    assert judge_all(database) == len(solved) + len(worked)
