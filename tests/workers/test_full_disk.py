"""An answer that finds no room on the disk waits for it: no job fails, and none is solved twice."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random

import pytest

from app.db.engine import Database
from app.db.errors import DatabaseFullError
from app.db.jobs import JobRecord
from app.db.new_jobs import NewJob
from app.db.unit import AllTenants
from steadygrid.domain.job import JobState
from tests.databases import ON_SQLITE
from tests.db.full_disk import without_room
from tests.integration.drills import until
from tests.workers.test_supervisor import QUICK, accept, job
from workers.registration import OUR_SKILLS
from workers.supervisor import Ran, Supervisor
from workers.sweeper import Sweeper

FAILURES = 2
DRAWN = Random(1)
WORKERS = [f"P{DRAWN.getrandbits(100):x}" for _ in range(150)]
LABELS = {"do": "solve"}
BODY = {
    "problem": {
        "kind": "master_worker",
        "platform": {
            "processors": [{"id": "M"}, *({"id": name, "unit_time": 1} for name in WORKERS)],
            "links": [
                {"source": "M", "target": name, "unit_time": f"1/{1000 + i}"}
                for i, name in enumerate(WORKERS)
            ],
        },
        "master": "M",
        "task": {"work": 1},
        "ports": "multiport",
    },
    "labels": LABELS,
    "options": {},
}
"""Its answer names all workers, which takes more than the rest of a page."""


class Narrow(Database):
    """A database that has room again, or a worker that is told something, after some failures."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.engine)
        self.failed = 0
        self.full = False
        self.act: Callable[[], None] = lambda: None

    @contextmanager
    def write_all(self) -> Iterator[AllTenants]:
        try:
            if self.full:
                raise DatabaseFullError("database or disk is full")
            with super().write_all() as unit:
                yield unit
        except DatabaseFullError:
            self.failed += 1
            if self.failed == FAILURES:
                self.act()
            raise


@pytest.fixture
def stop() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


@pytest.fixture
def narrow(database: Database) -> Narrow:
    return Narrow(database)


@pytest.fixture
def supervisor(narrow: Narrow, stop: tuple[int, int]) -> Iterator[Supervisor]:
    own = Supervisor(narrow, QUICK, "w", stop[0])
    yield own
    own.close()


Act = Callable[[str, Callable[[], None]], None]
Solve = Callable[[Act], tuple[Ran, JobRecord]]


@pytest.fixture
def solve(database: Database, narrow: Narrow, supervisor: Supervisor) -> Solve:
    """Solve a job without room for its answer.

    What it is given is called once its end has failed twice, with its id and what makes room.
    """

    def solved(act: Act) -> tuple[Ran, JobRecord]:
        job = NewJob.create("master_worker", BODY, LABELS)
        with database.write("local") as unit:
            unit.jobs.add(job)
        with ExitStack() as room:
            room.enter_context(without_room(database, "job_results"))
            narrow.act = lambda: act(job.id, room.close)
            ran = supervisor.run()
        with database.read("local") as unit:
            found = unit.jobs.get(job.id)
        assert found is not None
        return ran, found

    return solved


def test_an_answer_waits_for_room_and_is_stored(solve: Solve) -> None:
    ran, job = solve(lambda _, make_room: make_room())
    assert ran is Ran.ENDED
    assert (job.state, job.attempt, job.failures) == (JobState.SUCCEEDED, 1, 0)


def test_meanwhile_the_job_stays_with_its_worker(solve: Solve, database: Database) -> None:
    expired: list[str] = []

    def outlast_the_lease(_: str, make_room: Callable[[], None]) -> None:
        with database.read_all() as unit:
            expired.extend(unit.queue.expired())
        make_room()

    _, job = solve(outlast_the_lease)
    assert expired == []
    assert job.attempt == 1


def test_a_job_that_is_cancelled_meanwhile_ends(solve: Solve, database: Database) -> None:
    def cancel(job_id: str, _: Callable[[], None]) -> None:
        with database.write("local") as unit:
            assert unit.jobs.cancel(job_id)

    ran, job = solve(cancel)
    assert (ran, job.state) == (Ran.ENDED, JobState.CANCELLED)


def test_a_worker_that_ends_meanwhile_gives_the_job_back(
    solve: Solve, stop: tuple[int, int]
) -> None:
    def end(*_: object) -> None:
        os.write(stop[1], b"!")

    ran, job = solve(end)
    assert ran is Ran.RETURNED
    assert (job.state, job.attempt, job.failures) == (JobState.QUEUED, 1, 0)


def test_a_job_that_waits_for_too_long_is_given_back(
    solve: Solve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.supervisor._FULL_SECONDS", 0.0)
    ran, job = solve(lambda *_: None)
    assert ran is Ran.RETURNED
    assert (job.state, job.attempt, job.failures) == (JobState.QUEUED, 1, 0)


@ON_SQLITE
def test_a_solve_outlasts_its_lease_where_none_can_be_renewed(
    narrow: Narrow, supervisor: Supervisor
) -> None:
    job_id = accept(narrow, do="wait", seconds=str(2 * QUICK.lease_seconds))
    supervisor.housekeeping = lambda: setattr(narrow, "full", True)

    def make_room() -> None:
        supervisor.housekeeping = lambda: None
        narrow.full = False

    timer = threading.Timer(3 * QUICK.lease_seconds, make_room)
    timer.start()
    assert supervisor.run() is Ran.ENDED
    timer.join()
    found = job(narrow, job_id)
    assert (found.state, found.attempt, found.failures) == (JobState.SUCCEEDED, 1, 0)


@ON_SQLITE
def test_who_could_not_renew_a_lease_is_given_time_to(narrow: Narrow) -> None:
    job_id = accept(narrow)
    with narrow.write_all() as unit:
        assert unit.queue.claim("w", OUR_SKILLS, -60.0) is not None
    sweeper = Sweeper(narrow, QUICK.model_copy(update={"lease_seconds": 1.0}))
    narrow.full = True
    with pytest.raises(DatabaseFullError):
        sweeper.reclaim_expired()
    narrow.full = False
    sweeper.reclaim_expired()
    assert job(narrow, job_id).state is JobState.RUNNING

    def reclaimed() -> bool:
        sweeper.reclaim_expired()
        return job(narrow, job_id).state is JobState.QUEUED

    until(reclaimed)
