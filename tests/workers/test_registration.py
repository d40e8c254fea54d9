"""Workers say that they live, and the health check believes only that."""

import socket
from datetime import datetime

import pytest

from app.db.counters import Count
from app.db.engine import Database
from tests.integration.drills import until
from workers.health import main as health
from workers.registration import OUR_SKILLS, Registration, worker_name


def test_a_worker_without_work_stays_registered(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.registration._RESECONDS", 0.01)
    registration = Registration(database, worker_name())
    registration.keep()

    def last_seen() -> datetime | None:
        with database.read_all() as unit:
            return max((worker.seen_at for worker in unit.workers.active()), default=None)

    first = until(last_seen)
    until(lambda: last_seen() > first)
    registration.end()
    assert last_seen() is None


def test_the_health_of_a_machine_is_that_a_worker_of_it_was_seen(
    database: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STEADYGRID_DATABASE_URL", database.engine.url.render_as_string(False))
    with database.write_all() as unit:
        unit.workers.seen("elsewhere:1:abc", OUR_SKILLS, {})
    assert health([]) == 1
    assert "no worker of" in capsys.readouterr().err
    registration = Registration(database, worker_name())
    registration.renew_if_due()
    assert health([]) == 0
    registration.end()


def test_an_embedded_worker_counts_for_its_machine(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADYGRID_DATABASE_URL", database.engine.url.render_as_string(False))
    with database.write_all() as unit:
        unit.workers.seen("embedded-0@elsewhere:/data", OUR_SKILLS, {})
    assert health([]) == 1
    with database.write_all() as unit:
        unit.workers.seen(f"embedded-0@{socket.gethostname()}:/data", OUR_SKILLS, {})
    assert health([]) == 0


def test_a_sender_is_healthy_that_has_looked_lately(
    database: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STEADYGRID_DATABASE_URL", database.engine.url.render_as_string(False))
    assert health(["sender"]) == 1
    assert "no sender has looked lately" in capsys.readouterr().err
    with database.write_all() as unit:
        unit.counters.add({Count.SENDER_LOOKS: 1})
    assert health(["sender"]) == 0
    monkeypatch.setattr("workers.health._LATELY_SECONDS", -1.0)
    assert health(["sender"]) == 1


@pytest.mark.parametrize("part", ["worker", "sender"])
def test_nothing_is_healthy_without_its_database(
    part: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STEADYGRID_DATABASE_URL", "postgresql://visitor@127.0.0.1:1/none")
    assert health([part]) == 1
    assert "does not answer" in capsys.readouterr().err
