"""One supervisor in this process, with a real solver process that misbehaves on demand."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.jobs import JobRecord
from app.db.new_jobs import NewJob
from app.db.queue import QueueRepository
from app.db.unit import AllTenants
from app.settings import Settings
from steadygrid.domain.job import JobState
from steadygrid.domain.trace import trace_from_document
from steadygrid.kinds.master_worker import PROBLEM
from tests.databases import ON_SQLITE
from tests.integration.drills import until
from workers.supervisor import Ran, Supervisor

QUICK = Settings(
    pipeline="tests.workers.fake_pipeline",
    lease_seconds=2,
    heartbeat_seconds=0.2,
    cancel_poll_seconds=0.1,
    cancel_grace_seconds=0.5,
)


class Moody(Database):
    """A database that is away when told to: before a write, or after its commit."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.engine)
        self.away = False
        self.lost_commits = 0

    @contextmanager
    def write_all(self) -> Iterator[AllTenants]:
        if self.away:
            raise DatabaseUnavailableError
        with super().write_all() as unit:
            yield unit
        if self.lost_commits:
            self.lost_commits -= 1
            raise DatabaseUnavailableError


@pytest.fixture
def moody(database: Database) -> Moody:
    return Moody(database)


@pytest.fixture
def stop() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


@pytest.fixture
def supervise(moody: Moody, stop: tuple[int, int]) -> Iterator[Callable[..., Supervisor]]:
    made: list[Supervisor] = []

    def make(**values: Any) -> Supervisor:
        options = {k: values.pop(k) for k in ("bell", "housekeeping") if k in values}
        settings = QUICK.model_copy(update=values)
        made.append(Supervisor(moody, settings, "w", stop[0], **options))
        return made[-1]

    yield make
    for supervisor in made:
        supervisor.close()


def accept(database: Database, time_limit: float = 60, **labels: str) -> str:
    options = {"time_limit": time_limit}
    body = dict(PROBLEM.example) | {"labels": {"do": "solve"} | labels, "options": options}
    job = NewJob.create("master_worker", body, labels)
    with database.write("local") as unit:
        unit.jobs.add(job)
    return job.id


def job(database: Database, job_id: str) -> JobRecord:
    with database.read("local") as unit:
        found = unit.jobs.get(job_id)
    assert found is not None
    return found


@ON_SQLITE
def test_jobs_follow_each_other_in_one_warm_process(
    moody: Moody, supervise: Callable[..., Supervisor]
) -> None:
    supervisor = supervise()
    solver = supervisor.warm_up().pid
    ids = [accept(moody), accept(moody, do="refuse"), accept(moody)]
    assert [supervisor.run() for _ in range(4)] == [Ran.ENDED] * 3 + [Ran.NOTHING]
    assert [job(moody, job_id).state for job_id in ids] == ["succeeded", "failed", "succeeded"]
    assert supervisor.warm_up().pid == solver


@ON_SQLITE
def test_a_solver_process_hands_over_after_its_share_of_jobs(
    moody: Moody, supervise: Callable[..., Supervisor]
) -> None:
    supervisor = supervise(solver_jobs=1)
    solver = supervisor.warm_up().pid
    pids = []
    deadline = time.monotonic() + 60
    while solver == supervisor.warm_up().pid and time.monotonic() < deadline:
        accept(moody)
        assert supervisor.run() is Ran.ENDED
        pids.append(supervisor.warm_up().pid)
    assert pids[0] == solver, "the old one goes on until the new one is ready"
    assert supervisor.warm_up().pid != solver
    assert supervisor.warm_up().ready


def test_a_commit_that_was_kept_though_it_raised_is_not_done_twice(
    moody: Moody, supervise: Callable[..., Supervisor]
) -> None:
    supervisor = supervise(heartbeat_seconds=60.0, lease_seconds=120.0)
    job_id = accept(moody)
    solving = supervisor.database

    class LoseTheLast(QueueRepository):
        def succeed(self, *arguments: Any) -> None:
            moody.lost_commits = 1
            super().succeed(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AllTenants, "queue", property(lambda unit: LoseTheLast(unit._connection)))
        assert supervisor.run() is Ran.ENDED
    assert solving is moody
    record = job(moody, job_id)
    assert (record.state, record.attempt) == (JobState.SUCCEEDED, 1)
    with moody.read("local") as unit:
        assert [event.type for event in unit.events.list_after(job_id)].count("end") == 1


def test_a_database_that_stays_away_longer_than_the_lease_ends_the_solve(
    moody: Moody, supervise: Callable[..., Supervisor]
) -> None:
    supervisor = supervise(lease_seconds=0.8)
    job_id = accept(moody, do="ignore", seconds="60")
    timer = threading.Timer(0.5, setattr, (moody, "away", True))
    timer.start()
    began = time.monotonic()
    assert supervisor.run() is Ran.ENDED
    assert time.monotonic() - began < 45
    moody.away = False
    timer.join()
    record = job(moody, job_id)
    assert record.state is JobState.RUNNING  # until the sweeper comes

    def reclaimed() -> JobState | None:
        with moody.write_all() as unit:
            return unit.queue.reclaim(job_id, 5, {})

    # The supervisor counts from before it asked for the lease, the database from when it gave it.
    assert until(reclaimed) is JobState.QUEUED


def test_a_database_that_is_away_for_a_moment_costs_nothing(
    moody: Moody, supervise: Callable[..., Supervisor]
) -> None:
    supervisor = supervise()
    job_id = accept(moody, do="wait", seconds="1.5")
    timers = [
        threading.Timer(t, setattr, (moody, "away", v)) for t, v in ((0.3, True), (1.2, False))
    ]
    for timer in timers:
        timer.start()
    assert supervisor.run() is Ran.ENDED
    assert job(moody, job_id).state is JobState.SUCCEEDED
    for timer in timers:
        timer.join()


@ON_SQLITE
def test_an_answer_that_cannot_be_stored_fails_the_job(
    moody: Moody, supervise: Callable[..., Supervisor], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise ValueError("a column is too short")

    monkeypatch.setattr("app.db.schedules.ScheduleRepository.store", refuse)
    supervisor = supervise()
    job_id = accept(moody)
    assert supervisor.run() is Ran.ENDED
    record = job(moody, job_id)
    assert record.error is not None
    assert record.error["code"] == "internal"


def test_an_attempt_that_was_overtaken_is_dropped(
    moody: Moody, supervise: Callable[..., Supervisor]
) -> None:
    job_id = accept(moody, do="ignore", seconds="60")

    def overtake() -> None:
        with moody.write_all() as unit:
            if unit.queue.orphans("w"):
                unit.queue.reclaim_orphan(job_id, "w", 5, {})

    supervisor = supervise(housekeeping=overtake)
    assert supervisor.run() is Ran.ENDED
    record = job(moody, job_id)
    assert (record.state, record.failures) == (JobState.QUEUED, 1)


@ON_SQLITE
def test_a_ring_makes_the_worker_look_at_once(
    moody: Moody, supervise: Callable[..., Supervisor]
) -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    supervisor = supervise(
        bell=reading, cancel_poll_seconds=60.0, heartbeat_seconds=60.0, lease_seconds=120.0
    )
    job_id = accept(moody, do="wait", seconds="60")

    def cancel() -> None:
        with moody.write("local") as unit:
            unit.jobs.cancel(job_id)
        os.write(writing, b"!")

    timer = threading.Timer(0.5, cancel)
    timer.start()
    assert supervisor.run() is Ran.ENDED
    assert job(moody, job_id).state is JobState.CANCELLED
    timer.join()
    os.close(reading), os.close(writing)


@ON_SQLITE
def test_being_asked_to_end_gives_a_cancelling_job_its_end(
    moody: Moody, supervise: Callable[..., Supervisor], stop: tuple[int, int]
) -> None:
    job_id = accept(moody, do="ignore", seconds="60")

    def cancel_and_stop() -> None:
        with moody.write("local") as unit:
            unit.jobs.cancel(job_id)
        os.write(stop[1], b"!")

    supervisor = supervise(cancel_poll_seconds=60.0, heartbeat_seconds=60.0, lease_seconds=120.0)
    timer = threading.Timer(0.5, cancel_and_stop)
    timer.start()
    assert supervisor.run() is Ran.ENDED
    assert supervisor.stopping
    assert job(moody, job_id).state is JobState.CANCELLED
    timer.join()


def test_progress_reaches_the_table(moody: Moody, supervise: Callable[..., Supervisor]) -> None:
    supervisor = supervise()
    job_id = accept(moody, do="progress", seconds="1.5")
    assert supervisor.run() is Ran.ENDED
    with moody.read("local") as unit:
        progress = [e.data for e in unit.events.list_after(job_id) if e.type == "progress"]
    assert progress
    members = {"phase", "iterations", "bound", "exact", "elapsed"}
    assert all(set(data) <= members for data in progress)
    assert job(moody, job_id).progress is not None


def test_the_trace_is_stored_with_the_result(
    moody: Moody, supervise: Callable[..., Supervisor]
) -> None:
    supervisor = supervise()
    job_id = accept(moody, do="progress", seconds="0.3")
    assert supervisor.run() is Ran.ENDED
    quick = accept(moody)
    assert supervisor.run() is Ran.ENDED
    with moody.read("local") as unit:
        trace = trace_from_document(unit.jobs.trace(job_id))
        assert unit.jobs.trace(quick) is None, "its linear program tells of nothing on the way"
        result = unit.jobs.result(job_id)
    assert (trace[0].value, trace[0].bound) == (None, 2)
    assert len(trace) > 5, "a point for each change, and not one in a quarter of a second"
    assert str(trace[-1].value) == result["objective"]["value"] == "21/40"
    assert str(trace[-1].bound) == result["bound"]["value"]
    assert trace[-1].exact


@pytest.mark.parametrize("end", ["die", "hold"])
def test_a_solve_that_is_killed_leaves_no_trace(
    moody: Moody, supervise: Callable[..., Supervisor], end: str
) -> None:
    supervisor = supervise(hard_stop_grace_seconds=0.5)
    job_id = accept(moody, time_limit=0.5, do="progress", seconds="0.2", then=end, digits="40000")
    assert supervisor.run() in (Ran.ENDED, Ran.RETURNED)
    record = job(moody, job_id)
    assert record.state is (JobState.QUEUED if end == "die" else JobState.FAILED)
    with moody.read("local") as unit:
        assert unit.jobs.trace(job_id) is unit.jobs.result(job_id) is None


@ON_SQLITE
def test_an_error_of_the_supervisor_takes_the_solver_process_along(
    moody: Moody, supervise: Callable[..., Supervisor]
) -> None:
    def fail() -> None:
        raise RuntimeError

    supervisor = supervise(housekeeping=fail)
    accept(moody, do="ignore", seconds="60")
    solver = supervisor.warm_up()
    with pytest.raises(RuntimeError):
        supervisor.run()
    assert not solver.alive


def test_crashes_return_the_job_until_it_is_poison(
    moody: Moody, supervise: Callable[..., Supervisor]
) -> None:
    supervisor = supervise(max_failures=2)
    job_id = accept(moody, do="die")
    assert supervisor.run() is Ran.RETURNED
    assert (job(moody, job_id).state, job(moody, job_id).failures) == (JobState.QUEUED, 1)
    assert supervisor.run() is Ran.ENDED
    record = job(moody, job_id)
    assert (record.state, record.failures) == (JobState.FAILED, 2)
    assert record.error is not None
    assert record.error["code"] == "poison"


@ON_SQLITE
@pytest.mark.parametrize(
    ("do", "code"), [("abort", "out_of_memory"), ("raise", "internal"), ("ignore", "hard_timeout")]
)
def test_a_spoiled_process_is_replaced(
    moody: Moody, supervise: Callable[..., Supervisor], do: str, code: str
) -> None:
    supervisor = supervise(hard_stop_grace_seconds=0.2)
    solver = supervisor.warm_up().pid
    job_id = accept(moody, time_limit=0.2, do=do, seconds="60")
    assert supervisor.run() is Ran.ENDED
    record = job(moody, job_id)
    assert record.error is not None
    assert record.error["code"] == code
    assert supervisor.warm_up().pid != solver
    again = accept(moody)
    assert supervisor.run() is Ran.ENDED
    assert job(moody, again).state is JobState.SUCCEEDED


@ON_SQLITE
def test_a_solve_that_does_not_listen_is_killed_after_the_grace_time(
    moody: Moody, supervise: Callable[..., Supervisor]
) -> None:
    supervisor = supervise()
    job_id = accept(moody, do="ignore", seconds="60")

    def cancel() -> None:
        with moody.write("local") as unit:
            unit.jobs.cancel(job_id)

    timer = threading.Timer(1.0, cancel)
    timer.start()
    assert supervisor.run() is Ran.ENDED
    assert job(moody, job_id).state is JobState.CANCELLED
    timer.join()


def test_being_asked_to_end_returns_the_job(
    moody: Moody, supervise: Callable[..., Supervisor], stop: tuple[int, int]
) -> None:
    supervisor = supervise()
    job_id = accept(moody, do="wait", seconds="60")
    timer = threading.Timer(0.5, os.write, (stop[1], b"!"))
    timer.start()
    assert supervisor.run() is Ran.RETURNED
    record = job(moody, job_id)
    assert (record.state, record.attempt, record.failures) == (JobState.QUEUED, 1, 0)
    timer.join()
