"""Jobs wait for a worker that can solve them; no other worker takes them, and nothing is lost."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.db.engine import Database
from app.db.models import jobs
from app.db.new_jobs import NewJob
from app.db.queue import Claim
from app.db.skills import Skills
from steadygrid.domain.job import JobState

OLD = Skills(("cell", "task_graph"), 1)
NEW = Skills(("cell", "task_graph", "toy"), 2)
KNOWN, KIND, FEATURE = ("cell", 1), ("toy", 1), ("cell", 2)


def add(database: Database, kind: str, requires: int) -> str:
    job = NewJob.create(kind, {}, requires=requires)
    with database.write("local") as unit:
        unit.jobs.add(job)
    return job.id


def claim(database: Database, skills: Skills) -> Claim | None:
    with database.write_all() as unit:
        return unit.queue.claim("w", skills, 30)


@pytest.mark.parametrize("beyond", [KIND, FEATURE])
def test_a_job_beyond_a_worker_is_not_there_for_it(
    database: Database, beyond: tuple[str, int]
) -> None:
    job_id = add(database, *beyond)
    assert claim(database, OLD) is None
    with database.read("local") as unit:
        record = unit.jobs.get(job_id)
    assert record is not None
    assert (record.state, record.attempt, record.failures) == (JobState.QUEUED, 0, 0)
    taken = claim(database, NEW)
    assert taken is not None
    assert taken.job_id == job_id


def test_a_worker_takes_the_oldest_job_that_it_can_solve(database: Database) -> None:
    add(database, *KIND), add(database, *FEATURE)
    mine = add(database, *KNOWN)
    taken = claim(database, OLD)
    assert taken is not None
    assert taken.job_id == mine
    assert claim(database, OLD) is None


def test_a_job_does_not_wait_for_workers_that_cannot_solve_it(database: Database) -> None:
    for which in (KIND, FEATURE):
        add(database, *which)
        with database.read_all() as unit:
            assert not unit.queue.waits(OLD)
            assert unit.queue.waits(NEW)
    add(database, *KNOWN)
    with database.read_all() as unit:
        assert unit.queue.waits(OLD)


def test_old_and_new_workers_share_a_queue_without_gaps_or_doubles(database: Database) -> None:
    kinds = (KNOWN, KIND, FEATURE)
    ids = {add(database, *kinds[number % 3]): kinds[number % 3] for number in range(30)}

    def drain(skills: Skills) -> list[str]:
        mine = []
        while taken := claim(database, skills):
            mine.append(taken.job_id)
        return mine

    with ThreadPoolExecutor(4) as threads:
        taken = list(threads.map(drain, (OLD, NEW, OLD, NEW)))
    assert sorted(job_id for mine in taken for job_id in mine) == sorted(ids)
    assert {ids[job_id] for mine in taken[::2] for job_id in mine} <= {KNOWN}


def test_code_that_says_nothing_adds_jobs_that_require_nothing(database: Database) -> None:
    """The version before, beside this one, writes the columns that it knows."""
    job_id = add(database, *KNOWN)
    with database.looking() as connection:
        row = connection.execute(jobs.select().where(jobs.c.id == job_id)).one()._asdict()
    before = {name: value for name, value in row.items() if name != "requires"}
    with database.engine.connect() as connection, connection.begin():
        connection.execute(jobs.insert().values(**before | {"id": "job_before"}))
    taken = claim(database, Skills(("cell",), 0))
    assert taken is not None


def test_workers_say_what_they_can_solve(database: Database) -> None:
    with database.write_all() as unit:
        unit.workers.seen("w", OLD, {})
        unit.workers.seen("w", NEW, {})
    with database.read_all() as unit:
        assert [worker.skills for worker in unit.workers.active()] == [NEW]
