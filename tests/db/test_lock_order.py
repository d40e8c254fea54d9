"""All changes of a sweep's jobs lock rows in one order, so no two wait for each other for ever."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from time import sleep

import pytest

from app.db.engine import Database
from app.db.errors import StaleAttemptError
from app.db.new_jobs import NewJob
from app.db.packing import pack
from app.db.queue import Claim, Found
from app.db.sweep_work import SweepJob
from app.db.sweeps import NewSweep
from app.db.turns import Lane, hold_turn
from steadygrid.domain.job import JobState, Outcome
from tests.db.turmoil import POISON, counted
from workers.registration import OUR_SKILLS

JOBS = 30
ROUNDS = 25
KINDS = ("cell", "master_worker")


def made(database: Database, kind: str) -> str:
    """Make a sweep with all its jobs."""
    sweep = NewSweep.create(kind, JOBS, {})
    with database.write("local") as unit:
        unit.sweeps.add(sweep, -1)
    with database.write_all() as unit:
        unmade = unit.sweep_work.take_unmade(-1, sweep.id)
    assert unmade is not None
    job = replace(NewJob.create(kind, {}), packed=None)
    with database.write_all() as unit:
        jobs = [
            SweepJob(replace(job, id=f"{job.id[:-2]}{index:02}"), index) for index in range(JOBS)
        ]
        assert unit.sweep_work.make_some(unmade, jobs, -1)
    return sweep.id


def test_retries_claims_ends_and_cancellations_never_lock_each_other_out(
    database: Database,
) -> None:
    sweeps = [made(database, kind) for kind in KINDS]
    ended = made(database, "cell")
    with database.write("local") as unit:
        unit.sweeps.ask_cancel(ended)

    def retry(draw: random.Random) -> None:
        with database.write("local") as unit:
            unit.tenants.hold("local")
            unit.tenants.take_turn("local")
            unit.sweep_work.retry_some("local", draw.choice(sweeps), draw.choice((2, 50)))

    def work(draw: random.Random) -> None:
        with database.write_all() as unit:
            lane = draw.choice(list(Lane))
            claim = unit.queue.claim("w", OUR_SKILLS, 30, draw.choice((None, 4)), lane)
        if claim is None:
            return
        with suppress(StaleAttemptError), database.write_all() as unit:
            if draw.random() < 0.8:
                unit.queue.fail(claim, POISON)
            else:
                unit.queue.succeed(claim, Found(Outcome.OPTIMAL), pack({}), None)

    def post(draw: random.Random) -> None:
        with database.write("local") as unit:
            unit.tenants.hold("local")
            unit.tenants.take_turn("local")
            unit.jobs.add(NewJob.create(draw.choice(KINDS), {}))

    def cancel(_draw: random.Random) -> None:
        with database.write_all() as unit:
            unit.sweep_work.cancel_some(ended, JOBS // 10)

    def rounds(number: int, step: Callable[[random.Random], None]) -> None:
        draw = random.Random(number)
        for _ in range(ROUNDS):
            step(draw)

    failing = random.Random(0)
    for _ in range(2 * len(KINDS)):
        work(failing)
    steps = [retry, retry, work, work, work, post, cancel]
    with ThreadPoolExecutor(len(steps)) as threads:
        list(threads.map(rounds, range(len(steps)), steps))  # a lock in the wrong order raises here
    found, said = counted(database)
    assert said == found
    with database.read("local") as unit:
        tried_again = [unit.sweeps.last_tries(one, 0, JOBS) for one in sweeps]
        assert {len(tries) for tries in tried_again} == {JOBS}
        assert any(job.sweep_try > 1 for tries in tried_again for job in tries)
        record = unit.sweeps.get(ended)
    assert record is not None
    assert record.counts[JobState.QUEUED] == 0
    assert record.counts[JobState.CANCELLED] > 0


def test_claims_of_one_tenant_wait_for_its_turn_though_a_lane_is_new(database: Database) -> None:
    """The first claim takes a job of a lane that was not there when its turn began."""
    made(database, "cell")

    with ThreadPoolExecutor(1) as thread:
        with database.write_all() as unit:
            assert hold_turn(unit._connection, OUR_SKILLS, 1, certain=False) == "local"
            if database.dialect == "postgresql":
                with database.write("local") as other:
                    other.jobs.add(NewJob.create("cell", {}))
            second = thread.submit(claimed, database)
            sleep(0.3)
            assert not second.done()
            first = unit.queue.claim("w", OUR_SKILLS, 30, 1)
        assert second.result() is None
    assert first is not None
    assert (first.sweep_id is None) == (database.dialect == "postgresql")


def claimed(database: Database) -> Claim | None:
    """Claim a job in a unit of its own."""
    with database.write_all() as unit:
        return unit.queue.claim("w", OUR_SKILLS, 30, 1)


@pytest.mark.parametrize(
    "database", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True
)
def test_a_claim_that_found_nothing_holds_no_turn(database: Database) -> None:
    """Else a unit could hold the turns of two tenants, and two units wait for each other."""
    with database.write("local") as unit:
        unit.jobs.add(NewJob.create("cell", {}, requires=OUR_SKILLS.level + 1))
    with ThreadPoolExecutor(1) as thread, database.write_all() as unit:
        assert unit.queue.claim("w", OUR_SKILLS, 30, 1) is None
        assert thread.submit(claimed, database).result(timeout=45) is None
