"""The overview for operators counts all jobs once, and exactly, whichever process ends them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event, text, update

from app.db.attempts import BOUNDS, AttemptEnd
from app.db.counters import Count
from app.db.engine import Database
from app.db.models import jobs
from app.db.new_jobs import NewJob
from app.db.overview import Ended
from app.db.queue import Claim, Found
from app.db.turns import Lane
from app.db.unit import AllTenants
from steadygrid.domain.job import JobState, Outcome
from tests.databases import ON_SQLITE, add_job, claim_of

POISON = {"code": "poison", "detail": "x"}
KIND = "master_worker"


def claimed(database: Database, job_id: str | None = None) -> Claim:
    job = add_job(database) if job_id is None else job_id
    with database.write_all() as unit:
        claim = claim_of(unit, job)
    assert claim is not None
    return claim


def shift(database: Database, job_id: str, **ages: float) -> None:
    """Say that something happened to a job so many seconds ago; no state changes."""
    now = datetime.now(UTC)
    with database.write_all() as unit:
        unit._connection.execute(
            update(jobs)
            .where(jobs.c.id == job_id)
            .values({name: now - timedelta(seconds=age) for name, age in ages.items()})
        )


def single(state: JobState, detail: str = "") -> Ended:
    return Ended(KIND, Lane.SINGLE, state, detail)


def ends(database: Database) -> Mapping[AttemptEnd, int]:
    with database.read_all() as unit:
        return {end: number for (_, end), number in unit.overview.attempt_ends().items()}


def test_jobs_are_counted_by_how_they_end(database: Database) -> None:
    for outcome in (Outcome.OPTIMAL, Outcome.OPTIMAL, Outcome.UNKNOWN):
        claim = claimed(database)
        with database.write_all() as unit:
            unit.queue.succeed(claim, Found(outcome), b"x", None)
    claim = claimed(database)
    with database.write_all() as unit:
        unit.queue.fail(claim, POISON | {"code": "invalid_schedule"})
    waiting, running = add_job(database), claimed(database)
    with database.write("local") as unit:
        unit.jobs.cancel(waiting)
        unit.jobs.cancel(running.job_id)
    with database.write_all() as unit:
        unit.queue.cancelled(running)
    with database.read_all() as unit:
        found = unit.overview.ended()
    assert {which: one.number for which, one in found.items()} == {
        single(JobState.SUCCEEDED, "optimal"): 2,
        single(JobState.SUCCEEDED, "unknown"): 1,
        single(JobState.FAILED, "invalid_schedule"): 1,
        single(JobState.CANCELLED): 2,
    }
    # Of the two that were cancelled one had never begun.
    assert sum(found[single(JobState.CANCELLED)].waited.counts) == 1
    assert ends(database) == {AttemptEnd.ENDED: 5, AttemptEnd.NONE: 1}


def test_times_are_in_the_buckets_that_hold_them(database: Database) -> None:
    claim = claimed(database)
    shift(database, claim.job_id, created_at=5_000, started_at=4_800, claimed_at=45)
    with database.write_all() as unit:
        unit.queue.fail(claim, POISON)
    with database.read_all() as unit:
        (one,) = unit.overview.ended().values()
        seconds = unit.overview.seconds()
    assert [BOUNDS[one.waited.counts.index(1)], BOUNDS[one.solved.counts.index(1)]] == [300, 60]
    assert (sum(one.waited.counts), sum(one.solved.counts)) == (1, 1)
    assert round(one.waited.seconds, 2) == 200
    assert 45 <= one.solved.seconds < 60
    assert seconds == {"local": one.solved.seconds}


def test_attempts_that_are_lost_are_counted_with_what_they_took(database: Database) -> None:
    claim = claimed(database)
    shift(database, claim.job_id, claimed_at=100)
    with database.write_all() as unit:
        unit.queue.give_back(claim)
    claim = claimed(database, claim.job_id)
    shift(database, claim.job_id, claimed_at=100)
    with database.write_all() as unit:
        assert unit.queue.crashed(claim, 5, POISON) is JobState.QUEUED
    claim = claimed(database, claim.job_id)
    shift(database, claim.job_id, claimed_at=100, lease_until=1)
    with database.write_all() as unit:
        assert unit.queue.reclaim(claim.job_id, 2, POISON) is JobState.FAILED
    expected = (AttemptEnd.GIVEN_BACK, AttemptEnd.SOLVER_DIED, AttemptEnd.LEASE_LOST)
    assert ends(database) == dict.fromkeys(expected, 1)
    with database.read_all() as unit:
        assert unit.overview.ended().keys() == {single(JobState.FAILED, "poison")}
        assert 300 <= unit.overview.seconds()["local"] < 330
        (failed,) = unit.overview.failed(9)
    assert (failed.id, failed.code, failed.attempts, failed.lost) == (
        claim.job_id,
        "poison",
        3,
        2,
    )


def test_what_is_rolled_back_is_not_counted(database: Database) -> None:
    claim = claimed(database)
    with pytest.raises(KeyError), database.write_all() as unit:
        unit.queue.fail(claim, POISON)
        raise KeyError
    assert ends(database) == {}


def test_no_sum_falls_when_a_tenant_goes(database: Database) -> None:
    for name in ("a", "b"):
        with database.write(name) as unit:
            unit.tenants.create(name)
            job = NewJob.create(KIND, {})
            unit.jobs.add(job)
        claim = claimed(database, job.id)
        with database.write_all() as unit:
            unit.queue.fail(claim, POISON)
    with database.read_all() as unit:
        before = unit.overview.ended(), unit.overview.attempt_ends()
    for name in ("a", "b"):
        with database.write_all() as unit:
            unit.tenants.delete_some(name, 9)
            assert unit.tenants.delete(name)
    with database.read_all() as unit:
        assert (unit.overview.ended(), unit.overview.attempt_ends()) == before
        assert unit.overview.seconds() == {}


def test_failed_jobs_are_listed_by_code_and_tenant_the_newest_first(database: Database) -> None:
    made = []
    for code in ("poison", "internal", "poison"):
        claim = claimed(database)
        made.append(claim.job_id)
        with database.write_all() as unit:
            unit.queue.fail(claim, {"code": code, "detail": 'a "quoted" ü'})
    with database.read_all() as unit:
        overview = unit.overview
        assert [one.id for one in overview.failed(9)] == made[::-1]
        assert [one.id for one in overview.failed(1)] == made[2:]
        assert [one.id for one in overview.failed(9, code="poison")] == [made[2], made[0]]
        assert overview.failed(9, of="other") == []


def test_counters_add_up_and_say_when(database: Database) -> None:
    with database.write_all() as unit:
        unit.counters.add({Count.SWEEPS: 3, Count.RECLAIMED: 0})
    with database.write_all() as unit:
        unit.counters.add({Count.SWEEPS: 0.5})
    with database.read_all() as unit:
        found = unit.counters.all()
    assert {name: one.value for name, one in found.items()} == {
        "sweeper_rounds": 3.5,
        "reclaimed_jobs": 0,
    }
    assert 0 <= found["sweeper_rounds"].seconds_ago <= found["reclaimed_jobs"].seconds_ago < 60


def ask_everything(unit: AllTenants) -> None:
    overview = unit.overview
    for question in (overview.places, overview.ended, overview.attempt_ends, overview.seconds):
        question()
    for of_jobs in (overview.oldest_queued, overview.held, unit.queue.oldest_queued):
        of_jobs()
    overview.failed(9)
    unit.counters.all()


@contextmanager
def asked(database: Database) -> Iterator[list[tuple[str, Any]]]:
    found: list[tuple[str, Any]] = []

    def hear(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        found.append((statement, values))

    event.listen(database.engine, "before_cursor_execute", hear)
    yield found
    event.remove(database.engine, "before_cursor_execute", hear)


@ON_SQLITE
def test_no_question_scans_the_jobs(database: Database) -> None:
    add_job(database)
    claim = claimed(database)
    with database.write_all() as unit:
        unit.queue.fail(claim, POISON)
    with database.read_all() as unit, asked(database) as statements:
        ask_everything(unit)
    with database.looking() as connection:
        plans = [
            row[3]
            for statement, values in statements
            if statement.startswith("SELECT")
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
        scan = connection.execute(text("EXPLAIN QUERY PLAN SELECT worker FROM jobs")).one()[3]
    assert scan.startswith("SCAN jobs")
    assert len([plan for plan in plans if plan.startswith("SEARCH jobs")]) > 4
    assert [plan for plan in plans if plan.startswith("SCAN jobs")] == []
