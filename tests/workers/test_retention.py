"""What is older than it is kept goes, whole, and nothing else does."""

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, update

from app.db.clock import current_time
from app.db.engine import Database
from app.db.models import (
    idempotency_keys,
    job_events,
    job_instances,
    jobs,
    platforms,
    schedules,
    tenants,
    tombstones,
)
from app.db.new_jobs import NewJob
from app.db.packing import pack, pack_schedule
from app.db.queue import Found
from steadygrid.domain.job import JobState, Outcome
from tests.databases import add_job, claim_of, small_schedule
from tests.db.turmoil import counted
from tests.draws import draws
from workers.retention import Retention

SCHEDULES = [pack_schedule(small_schedule(slots)) for slots in (1, 2)]
DAYS = 90


def ended(database: Database, tenant: str = "local", days: float = 0, schedule: int = 0) -> str:
    """Make a job with a schedule that ended so long ago."""
    job = NewJob.create("master_worker", {}, {"color": "red"})
    with database.write(tenant) as unit:
        assert unit.idempotency.claim(f"key of {job.id}", "body", job.id, 7) is None
        unit.jobs.add(job)
        claim = claim_of(unit, job.id)
        assert claim is not None
        unit.queue.succeed(claim, Found(Outcome.OPTIMAL), pack({}), SCHEDULES[schedule])
    write(database, update(jobs).where(jobs.c.id == job.id).values(finished_at=ago(days)))
    return job.id


def ago(days: float) -> object:
    return current_time(-86_400 * days)


def write(database: Database, *statements: object) -> None:
    with database.engine.connect() as connection, connection.begin():
        for statement in statements:
            connection.execute(statement)  # type: ignore[call-overload]


def purge(database: Database, days: int = DAYS) -> None:
    """Purge all there is."""
    retention = Retention(database, days)
    retention.go_on_if_due()
    while retention.is_unfinished:
        retention._next = 0.0
        retention.go_on_if_due()


def left(database: Database, tenant: str = "local") -> set[str]:
    with database.read(tenant) as unit:
        return {record.id for record in unit.jobs.page(500).items}


def assert_whole(database: Database, made: Mapping[str, str]) -> None:
    """Every job that was made is there with all its rows, or gone with all of them."""
    found, said = counted(database)
    assert said == found
    with database.engine.connect() as connection:
        if database.dialect == "postgresql":
            # The last commit of a process that was killed may be under way.
            connection.execution_options(isolation_level="REPEATABLE READ")
        there = set(connection.execute(select(jobs.c.id)).scalars())
        buried = dict(connection.execute(select(tombstones.c.job_id, tombstones.c.tenant)).all())
        assert buried == {job: tenant for job, tenant in made.items() if job not in there}
        for table in (job_instances, job_events):
            assert set(connection.execute(select(table.c.job_id)).scalars()) == there
        kept = (jobs.c.tenant, jobs.c.schedule_id)
        referred = set(connection.execute(select(*kept).where(jobs.c.schedule_id.is_not(None))))
        assert set(connection.execute(select(schedules.c.tenant, schedules.c.id))) == referred


def test_jobs_go_when_their_tenant_s_time_is_over(database: Database) -> None:
    write(
        database,
        insert(tenants).values(tenant="short", created_at=current_time(), retention_days=1),
        insert(tenants).values(tenant="usual", created_at=current_time()),
        insert(tenants).values(tenant="ever", created_at=current_time(), retention_days=0),
    )
    made = {
        ended(database, tenant, days, schedule): (tenant, days)
        for schedule, days in enumerate((2, 100))
        for tenant in ("short", "usual", "ever", "not in the table")
    }
    fresh = ended(database, "usual", schedule=1)
    with database.write("usual") as unit:
        unit.jobs.add(waiting := NewJob.create("cell", {}))
    write(database, update(jobs).where(jobs.c.id == waiting.id).values(created_at=ago(900)))
    purge(database, 0)
    gone = {job for job, (tenant, _) in made.items() if tenant == "short"}
    owners = {job: tenant for job, (tenant, _) in made.items()} | {
        fresh: "usual",
        waiting.id: "usual",
    }
    assert_whole(database, owners)
    assert set(owners) - gone == {
        job for tenant in ("usual", "ever", "not in the table") for job in left(database, tenant)
    }
    purge(database)
    assert_whole(database, owners)
    assert left(database, "usual") == {fresh, waiting.id} | {
        job for job, (tenant, days) in made.items() if tenant == "usual" and days == 2
    }
    assert len(left(database, "ever")) == 2
    assert len(left(database, "not in the table")) == 1


def test_a_schedule_goes_with_the_last_job_that_has_it(database: Database) -> None:
    old, other_old, young = (ended(database, days=days) for days in (100, 99, 10))
    purge(database)
    assert left(database) == {young}
    with database.read("local") as unit:
        assert unit.schedules.load(SCHEDULES[0].id) == small_schedule(1)
        assert unit.tombstones.exists(old)
        assert unit.tombstones.exists(other_old)
        assert not unit.tombstones.exists(young)
    purge(database, 5)
    assert_whole(database, dict.fromkeys((old, other_old, young), "local"))
    with database.read("local") as unit:
        assert unit.schedules.get(SCHEDULES[0].id) is None


def test_keys_of_purged_jobs_and_tombstones_have_times_of_their_own(database: Database) -> None:
    job = ended(database, days=DAYS)
    write(database, update(idempotency_keys).values(created_at=ago(6.9)))
    purge(database)
    with database.write("local") as unit:
        assert unit.idempotency.claim(f"key of {job}", "body", "job_2", 7) == ("body", job)
        assert unit.queue.purge_keys(7) == 0
        assert unit.tombstones.exists(job)
    write(database, update(tombstones).values(purged_at=ago(29.9)))
    purge(database)
    with database.read("local") as unit:
        assert unit.tombstones.exists(job)
    write(database, update(tombstones).values(purged_at=ago(30)))
    purge(database)
    with database.read("local") as unit:
        assert not unit.tombstones.exists(job)


def test_what_the_user_deletes_leaves_nothing(database: Database) -> None:
    job = ended(database)
    with database.write("local") as unit:
        assert unit.jobs.delete(job)
        assert not unit.tombstones.exists(job)
        assert unit.idempotency.claim(f"key of {job}", "body", "job_2", 7) is None


def used(database: Database, days: float | None, document: str = "plt_1") -> None:
    """Let a document be as old as can be, and have been used so long ago."""
    at = {"created_at": ago(900), "used_at": None if days is None else ago(days)}
    write(database, update(platforms).where(platforms.c.id == document).values(**at))


def noted(database: Database) -> float | None:
    """Give the hours since a document was used, as far as that was noted."""
    with database.engine.connect() as connection:
        moment, present = connection.execute(
            select(platforms.c.used_at, select(current_time()).scalar_subquery())
        ).one()
    return None if moment is None else (present - moment).total_seconds() / 3600


def test_documents_are_deleted_when_not_used_for_long(database: Database) -> None:
    add_job(database)
    with database.write("local") as unit:
        assert unit.platforms.store("plt_1", pack({}), {})
    used(database, 91.1)
    for renewed in ("store", "use"):
        with database.write("local") as unit:
            if renewed == "store":
                assert not unit.platforms.store("plt_1", pack({}), {})
            else:
                unit.platforms.use("plt_1")
        purge(database)
        assert noted(database) == pytest.approx(0, abs=0.1)
        used(database, None)
    used(database, 0.9)
    with database.write("local") as unit:
        assert not unit.platforms.store("plt_1", pack({}), {})
        unit.platforms.use("plt_1")
    assert noted(database) == pytest.approx(21.6, abs=0.1)  # not written again within a day
    used(database, 90.9)  # perhaps 89.9: what is noted may be a day older than the last use
    purge(database)
    assert noted(database) is not None
    used(database, None)
    purge(database)
    with database.read("local") as unit:
        assert unit.platforms.get("plt_1") is None


def test_nothing_is_half_deleted_by_who_is_killed(database: Database) -> None:
    made = {ended(database, tenant, 100, n % 2): tenant for n in range(20) for tenant in "ab"}
    url = database.engine.url.render_as_string(hide_password=False)
    command = [sys.executable, "-m", "tests.workers.purging", url]
    for kill in range(draws(1, 4)):
        stop_at = 32 - 8 * kill
        process = subprocess.Popen(command, cwd=Path(__file__).parents[2])
        while _number(database) > stop_at:
            assert process.poll() is None
            time.sleep(0.001)
        process.kill()
        process.wait()
        assert_whole(database, made)
    assert _number(database) > 0
    purge(database)
    assert_whole(database, made)
    assert _number(database) == 0


def _number(database: Database) -> int:
    with database.engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(jobs)).scalar_one()


def test_a_step_is_short_and_the_rest_comes_later(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However slow this machine is now.
    for module in ("pieces", "retention"):
        monkeypatch.setattr(f"workers.{module}.MOMENT_SECONDS", 1e6)
    monkeypatch.setattr("workers.pieces.PAUSE_SECONDS", 1e6)
    made = [ended(database, days=100) for _ in range(5)]
    running = add_job(database)
    retention = Retention(database, DAYS)
    retention.go_on_if_due()
    assert retention.is_unfinished
    assert left(database) == {*made[1:], running}  # one at first: who knows how long it takes
    retention.go_on_if_due()
    assert left(database) == {*made[1:], running}  # not at once
    retention._next = 0.0
    retention.go_on_if_due()
    assert left(database) == {*made[3:], running}
    with database.read_all() as unit:
        assert unit.queue.counts()[("master_worker", JobState.QUEUED)] == 1
