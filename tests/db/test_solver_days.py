"""What workers spend on a tenant's jobs on a day is counted however an attempt ends, and never shared."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from app.db.engine import Database
from app.db.new_jobs import NewJob
from app.db.queue import Claim, Found
from app.db.solver_days import solver_days
from app.db.unit import Unit
from steadygrid.domain.job import JobState, Outcome
from tests.databases import add_job, claim_of
from tests.db.test_overview import POISON, shift

TAKEN = 100
KINDS = ("cell", "dataflow")


def attempt(database: Database, tenant: str = "local", kind: str = "master_worker") -> Claim:
    """Begin an attempt at a new job, `TAKEN` seconds ago."""
    job = NewJob.create(kind, {})
    with database.write(tenant) as unit:
        unit.jobs.add(job)
        claim = claim_of(unit, job.id)
    assert claim is not None
    shift(database, job.id, claimed_at=TAKEN)
    return claim


def succeed(unit: Unit, claim: Claim) -> None:
    unit.queue.succeed(claim, Found(Outcome.OPTIMAL), b"x", None)


def cancel(unit: Unit, claim: Claim) -> None:
    unit.jobs.cancel(claim.job_id)
    unit.queue.cancelled(claim)


def lose_lease(unit: Unit, claim: Claim) -> None:
    assert unit.queue.reclaim_orphan(claim.job_id, "w", 5, POISON) is JobState.QUEUED


ENDS: tuple[Callable[[Unit, Claim], object], ...] = (
    succeed,
    lambda unit, claim: unit.queue.fail(claim, POISON),
    lambda unit, claim: unit.queue.give_back(claim),
    lambda unit, claim: unit.queue.crashed(claim, 1, POISON),
    lose_lease,
    cancel,
)


def used(database: Database, tenant: str = "local") -> float:
    with database.read_all() as unit:
        return unit.tenants.solver_day(tenant).used


def test_an_attempt_counts_however_it_ends(database: Database) -> None:
    for number, end in enumerate(ENDS, 1):
        claim = attempt(database)
        with database.write("local") as unit:
            end(unit, claim)
        assert number * TAKEN <= used(database) < (number + 1 / 2) * TAKEN
    with database.read_all() as unit:
        assert abs(unit.overview.seconds()["local"] - unit.tenants.solver_day("local").used) < 1


def test_what_no_worker_took_and_what_is_rolled_back_does_not_count(database: Database) -> None:
    waiting, claim = add_job(database), attempt(database)
    with database.write("local") as unit:
        unit.jobs.cancel(waiting)
    with pytest.raises(KeyError), database.write("local") as unit:
        succeed(unit, claim)
        raise KeyError
    assert used(database) == 0


def test_each_tenant_s_seconds_are_its_own(database: Database) -> None:
    for tenant in ("a", "b", "b"):
        claim = attempt(database, tenant)
        with database.write(tenant) as unit:
            succeed(unit, claim)
    with database.read_all() as unit:
        seconds = unit.tenants.solver_seconds()
    assert {name: value // TAKEN for name, value in seconds.items()} == {"a": 1, "b": 2}
    assert (used(database, "b"), used(database, "c")) == (seconds["b"], 0)


def test_attempts_that_end_at_once_all_count(database: Database) -> None:
    claims = [attempt(database, kind=KINDS[number % 2]) for number in range(16)]

    def end(claim: Claim) -> None:
        with database.write("local") as unit:
            succeed(unit, claim)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(end, claims))
    assert used(database) // TAKEN == len(claims)


def test_a_day_begins_with_nothing_and_the_one_before_yesterday_is_forgotten(
    database: Database,
) -> None:
    for _ in range(2):
        claim = attempt(database)
        with database.write("local") as unit:
            succeed(unit, claim)
            day = unit.tenants.solver_day("local")
            assert 0 < day.left <= 86_400
            assert day.end.timestamp() % 86_400 == 0
            assert day.used // TAKEN == 1
            past = unit._connection.execute(select(solver_days.c.day)).scalars().all()
            for one in sorted(past):
                earlier = update(solver_days).where(solver_days.c.day == one)
                unit._connection.execute(earlier.values(day=one - timedelta(days=1)))
            assert unit.tenants.solver_day("local").used == 0
            assert unit.tenants.solver_seconds() == {}
    with database.write_all() as unit:
        assert unit.tenants.forget_solver_days() == 1
        (left,) = unit._connection.execute(select(solver_days.c.day)).scalars()
    assert left == (day.end - timedelta(days=2)).date()
