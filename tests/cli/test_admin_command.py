"""``steadygrid admin``: what operators look at and do, from a terminal."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.db.engine import Database
from app.db.migrate import upgrade
from app.settings import Settings
from tests.cli.commands import Command
from tests.databases import add_job, claim_of
from workers.registration import OUR_SKILLS

HERE = f"{socket.gethostname()}:7:ab"


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """The database of an embedded service, with a worker here and one elsewhere."""
    monkeypatch.setenv("STEADYGRID_DATA_DIR", str(tmp_path))
    database = Database.open(f"sqlite:///{tmp_path / 'steadygrid.db'}")
    upgrade(database)
    with database.write_all() as unit:
        for name in (HERE, "elsewhere:8:cd"):
            unit.workers.seen(name, OUR_SKILLS, {"steadygrid": "0.1.0"})
    yield database
    database.close()


def fail(database: Database, code: str) -> str:
    job = add_job(database)
    with database.write_all() as unit:
        claim = claim_of(unit, job)
        assert claim is not None
        unit.queue.fail(claim, {"code": code, "detail": ""})
    return job


def test_jobs_are_counted_by_tenant_kind_and_state_and_code(
    served: Database, command: Command
) -> None:
    fail(served, "poison")
    add_job(served)
    told = json.loads(command("admin", "jobs", "--json").out)
    (row,) = told["jobs"]
    assert (row["tenant"], row["kind"], row["lane"]) == ("local", "master_worker", "single")
    assert (row["queued"], row["failed"], row["running"]) == (1, 1, 0)
    assert told["failed_by_code"] == {"poison": 1}
    assert 0 <= told["oldest_queued_seconds"]["local"] < 60
    text = command("admin", "jobs").out
    assert "the oldest queued job of local has waited" in text
    assert "1 jobs have failed with poison" in text
    other = json.loads(command("admin", "jobs", "--tenant", "x", "--json").out)
    assert (other["jobs"], other["failed_by_code"]) == ([], {})
    mine = json.loads(command("admin", "jobs", "--tenant", "local", "--json").out)
    assert mine["failed_by_code"] == {"poison": 1}


def test_failed_jobs_are_listed_and_queued_once_more(served: Database, command: Command) -> None:
    poisoned, other = fail(served, "poison"), fail(served, "internal")
    assert [one["id"] for one in json.loads(command("admin", "failed", "--json").out)] == [
        other,
        poisoned,
    ]
    listed = command("admin", "failed", "--code", "poison").out
    assert poisoned in listed
    assert other not in listed
    done = json.loads(command("admin", "requeue", "--code", "poison", "--json").out)
    assert done["requeued"].keys() == {poisoned}
    again = command("admin", "requeue", "--code", "poison")
    assert (again.code, again.out) == (0, "no failed job has this code\n")
    refused = command("admin", "requeue", poisoned, other)
    assert refused.code == 1
    assert f"{other} is repeated by job_" in refused.out
    assert f"{poisoned} is not queued: another job repeats it already" in refused.err
    with served.read_all() as unit:
        lines = [(line.action, line.subject) for line in unit.audit.page(9).items]
        assert unit.queue.pending() == 2
    assert lines == [("job.requeued", poisoned), ("job.requeued", other)]


def test_workers_are_listed_drained_and_resumed(served: Database, command: Command) -> None:
    def drained() -> list[bool]:
        return [one["drained"] for one in json.loads(command("admin", "workers", "--json").out)]

    assert drained() == [False, False]
    assert HERE in command("admin", "workers").out
    assert command("admin", "drain", "elsewhere:8:cd", "--wait", "0").code == 0
    assert drained() == [True, False]
    assert command("admin", "resume", "elsewhere:8:cd").out == "elsewhere:8:cd takes jobs\n"
    assert command("admin", "drain", "--here", "--wait", "0").out.startswith(HERE)
    assert drained() == [False, True]
    job = add_job(served)
    with served.write_all() as unit:
        claim_of(unit, job, worker="elsewhere:8:cd")
    busy = command("admin", "drain", "elsewhere:8:cd", "--wait", "0.2")
    assert (busy.code, "elsewhere:8:cd still holds 1" in busy.out) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["requeue"], "give --code"),
        (["requeue", "job_1", "--code", "poison"], "give --code"),
        (["requeue", "job_1", "--tenant", "x"], "--tenant goes with --code"),
        (["drain", HERE, "--wait", "nan"], "--wait nan is no number of seconds"),
        (["requeue", "job_1"], "there is no such job"),
        (["drain"], "give --here"),
        (["drain", "elsewere:8:cd"], "did you mean elsewhere:8:cd?"),
        (["resume", "x", "--here"], "give --here"),
    ],
)
@pytest.mark.usefixtures("served")
def test_what_cannot_be_done_is_refused_with_the_remedy(
    command: Command, arguments: list[str], said: str
) -> None:
    finished = command("admin", *arguments)
    assert finished.code != 0
    assert said in finished.err


@pytest.mark.usefixtures("served")
def test_settings_are_told_with_their_source_and_no_secret(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADYGRID_SWEEP_SECONDS", "3")
    told = json.loads(command("admin", "check", "--json").out)
    lines = {one["variable"]: (one["value"], one["source"]) for one in told["settings"]}
    assert len(lines) == len(Settings.model_fields)
    assert lines["STEADYGRID_SWEEP_SECONDS"] == ("3", "environment")
    assert lines["STEADYGRID_LEASE_SECONDS"] == ("30.0", "default")
    assert told["faults"] == []
    monkeypatch.setenv("STEADYGRID_DATABASE_URL", "postgresql://u:secret@127.0.0.1:1/x")
    monkeypatch.setenv("STEADYGRID_REDIS_URL", "redis://:secret@127.0.0.1:1/0")
    monkeypatch.setenv("STEADYGRID_JWT_KEYS_URL", "https://u:secret@127.0.0.1:1/keys")
    monkeypatch.setenv("STEADYGRID_TRACES_URL", "http://u:secret@127.0.0.1:1")
    finished = command("admin", "check")
    assert finished.code == 1
    assert "secret" not in finished.out + finished.err
    assert "the database x at 127.0.0.1:1 cannot be used" in finished.err
    assert "the broker that STEADYGRID_REDIS_URL names does not answer" in finished.err


def test_faults_of_settings_and_tables_are_found(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STEADYGRID_DATA_DIR", str(tmp_path))
    assert "`steadygrid database migrate` makes it" in command("admin", "check").err
    monkeypatch.setenv("STEADYGRID_SWEEP_SECONDS", "soon")
    monkeypatch.setenv("STEADYGRID_SWEEP_SECOND", "3")
    finished = command("admin", "check")
    assert finished.code == 1
    assert finished.err.count("fault: ") == 2
    assert "STEADYGRID_SWEEP_SECONDS" in finished.out
