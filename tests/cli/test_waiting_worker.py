"""A worker that starts before its database waits for it, and says so."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.db.engine import Database
from app.db.errors import NotStartedError, NotYetError
from app.db.migrate import upgrade
from app.settings import Settings
from steadygrid.cli.terminal import Refusal
from tests.cli.test_refused_starts import COMMAND, NO_BROKER, refusal
from tests.environment import bare
from tests.integration.drills import Redis, until
from workers.commands import serving
from workers.commands.serving import check_for_work


class Started:
    """A worker, and what it says."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self._log = log

    @property
    def said(self) -> str:
        return self._log.read_text()


@contextmanager
def worker(folder: Path, **variables: Any) -> Iterator[Started]:
    log = folder / "log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [COMMAND, "worker"], cwd=folder, env=bare(**variables), stdout=file, stderr=file
        )
    try:
        yield Started(process, log)
    finally:
        process.kill()
        process.wait()


def test_it_works_as_soon_as_there_are_tables(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    redis = Redis(tmp_path)
    redis.start()
    database = Database.open(url)
    with worker(tmp_path, DATABASE_URL=url, REDIS_URL=redis.url) as started:
        until(lambda: started.said.count("waiting_for_database") == 2)
        assert "has no tables yet: run `steadygrid database migrate`" in started.said
        upgrade(database)

        def at_work() -> bool:
            with database.read_all() as unit:
                return len(unit.workers.active()) == 1

        until(at_work)
        assert started.said.count("database_is_there") == 1
        started.process.terminate()
        assert started.process.wait(60) == 0
        assert "Traceback" not in started.said
    database.close()
    redis.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_when_it_is_told_to(tmp_path: Path, number: signal.Signals) -> None:
    url = "postgresql://u:secret@127.0.0.1:1/d"
    with worker(tmp_path, DATABASE_URL=url, REDIS_URL=NO_BROKER) as started:
        until(lambda: "waiting_for_database" in started.said)
        assert "the database d at 127.0.0.1:1 cannot be used (" in started.said
        assert "start the server, or correct STEADYGRID_DATABASE_URL" in started.said
        started.process.send_signal(number)
        assert started.process.wait(60) == (0 if number == signal.SIGTERM else 130)
        for words in ("secret", "Traceback"):
            assert words not in started.said


def test_it_does_not_wait_for_what_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("no database")
    url = f"sqlite:///{tmp_path / 'a.db'}"
    said = refusal(tmp_path, COMMAND, "worker", DATABASE_URL=url, REDIS_URL=NO_BROKER)
    assert "damaged (file is not a database): restore a backup" in said
    assert said.count("\n") == 1


def test_it_looks_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    def away(*_: object, **__: object) -> Database:
        raise NotYetError("it is away") if len(pauses) < 8 else NotStartedError("it is damaged")

    monkeypatch.setattr(serving, "open_database", away)
    monkeypatch.setattr(serving, "try_solver", lambda _: None)
    monkeypatch.setattr(serving, "configure_logging", lambda _: None)
    monkeypatch.setattr("time.sleep", pauses.append)
    before = signal.getsignal(signal.SIGTERM)
    with capture_logs() as lines, pytest.raises(Refusal, match="it is damaged"):
        check_for_work(Settings(log_level="CRITICAL"))
    assert signal.getsignal(signal.SIGTERM) is before
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]
    assert [line["seconds"] for line in lines] == pauses
