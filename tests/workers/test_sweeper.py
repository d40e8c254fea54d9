import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import structlog
from sqlalchemy import update
from structlog.testing import capture_logs

from app.db.audit import Action
from app.db.clock import current_time
from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.models import deleted_jobs, idempotency_keys
from app.db.unit import AllTenants
from app.settings import Settings, solve_queue
from steadygrid.domain.job import JobState
from steadygrid.kinds import SOLVES
from tests.databases import add_job, claim_of
from tests.sweeps import add_sweep
from workers.registration import OUR_SKILLS, Registration, solver_versions, worker_name
from workers.sweeper import Sweeper

SETTINGS = Settings(sweep_seconds=10)
OURS = solve_queue(SOLVES)


def state(database: Database, job_id: str) -> JobState:
    with database.read_all() as unit:
        return unit.watch.versions([job_id])[job_id][1]


def test_a_sweep_reclaims_wakes_and_purges(database: Database) -> None:
    lost, deleted = (add_job(database) for _ in range(2))
    with database.write("local") as unit:
        claim_of(unit, lost, -1)
        unit.idempotency.claim("k", "f", lost, 7)
        unit.jobs.cancel(deleted)
        unit.jobs.delete(deleted)
    with database.engine.connect() as connection, connection.begin():
        connection.execute(update(idempotency_keys).values(created_at=current_time(-8 * 86_400)))
        connection.execute(update(deleted_jobs).values(deleted_at=current_time(-3700)))
    published: list[tuple[str, int]] = []
    Sweeper(database, SETTINGS, lambda *message: published.append(message)).sweep()
    assert state(database, lost) is JobState.QUEUED
    assert published == [(OURS, 1)]
    with database.write_all() as unit:
        assert unit.queue.purge_keys(7) == 0
        assert unit.queue.purge_deleted(0) == 0


def test_old_audit_lines_are_purged_a_batch_at_a_time(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier, database.write_all() as unit:
        long_ago = time.time_ns() - 366 * 86_400 * 10**9
        earlier.setattr("app.db.ids.time.time_ns", lambda: long_ago)
        for number in range(5):
            unit.audit.write("a", "key k", Action.JOB_DELETED, str(number))
    with database.write_all() as unit:
        unit.audit.write("a", "key k", Action.JOB_DELETED, "new")
    monkeypatch.setattr("workers.sweeper._BATCH", 2)
    Sweeper(database, SETTINGS).purge()
    with database.read_all() as unit:
        assert [line.subject for line in unit.audit.page(9).items] == ["new"]


def test_without_a_broker_no_worker_is_woken(database: Database) -> None:
    add_job(database)
    Sweeper(database, SETTINGS).sweep()
    with database.read_all() as unit:
        assert unit.queue.waits(OUR_SKILLS)


def test_a_sweep_wakes_only_where_something_waits(database: Database) -> None:
    published: list[tuple[str, int]] = []
    sweeper = Sweeper(database, SETTINGS, lambda *message: published.append(message))
    sweeper.sweep()
    assert published == []
    for wait in (lambda: add_job(database), lambda: add_sweep(database, [[]] * 30)):
        wait()
        sweeper.sweep()
        assert published.pop() == (OURS, 1), "jobs of sweeps wait like any other"
        with database.write_all() as unit:
            while claim := unit.queue.claim("w", OUR_SKILLS, 30):
                unit.queue.fail(claim, {})
        sweeper.sweep()
        assert published == []


def test_a_broker_that_is_away_is_tried_again_by_the_next_sweep(database: Database) -> None:
    add_job(database)
    away = True
    published: list[tuple[str, int]] = []

    def publish(*message: Any) -> None:
        if away:
            raise ConnectionError
        published.append(message)

    structlog.reset_defaults()  # another test may have set a level
    sweeper = Sweeper(database, SETTINGS, publish)
    with capture_logs() as lines:
        sweeper.sweep()
        sweeper.sweep()
        away = False
        sweeper.sweep()
    assert [line["event"] for line in lines] == ["broker_unavailable"]
    assert published == [(OURS, 1)]


def test_orphans_of_one_worker_come_back_at_once(database: Database) -> None:
    mine, other = add_job(database), add_job(database)
    with database.write_all() as unit:
        claim_of(unit, mine, 1000, "gone")
        claim_of(unit, other, 1000, "alive")
    Sweeper(database, SETTINGS).reclaim_orphans("gone")
    assert state(database, mine) is JobState.QUEUED
    assert state(database, other) is JobState.RUNNING


class Away(Database):
    @contextmanager
    def write_all(self) -> Iterator[AllTenants]:
        raise DatabaseUnavailableError
        yield

    read_all = write_all


def test_a_database_that_is_away_is_tried_again_later(database: Database) -> None:
    away = Away(database.engine)
    sweeper = Sweeper(away, SETTINGS)
    sweeper.sweep_if_due()
    sweeper.sweep_if_due()
    registration = Registration(away, "w")
    registration.renew_if_due()
    registration.end()


def test_a_worker_registers_once_in_a_while(database: Database) -> None:
    registration = Registration(database, worker_name())
    registration.renew_if_due()
    registration.renew_if_due()
    with database.read_all() as unit:
        (worker,) = unit.workers.active()
    assert worker.versions == solver_versions()
    assert {"highspy", "pyomo", "python-flint"} <= set(worker.versions)
    registration.end()
    with database.read_all() as unit:
        assert unit.workers.active() == []
