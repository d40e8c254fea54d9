"""Processes are killed, stopped and starved; afterwards nothing is lost and nothing twice."""

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text

from steadygrid.domain.job import JobState
from tests.integration.drills import Redis, Service, gone, until

MakeService = Callable[..., Service]
RUNNING, QUEUED = JobState.RUNNING, JobState.QUEUED


def test_jobs_survive_the_kill_of_their_worker(either: MakeService) -> None:
    service = either()
    service.start()
    slow = service.accept(do="wait", seconds="1.5")
    quick = [service.accept() for _ in range(3)]
    for attempt in range(2):
        service.wait(slow, RUNNING)
        (holder,) = until(service.holders)
        (solver,) = service.solvers()
        os.kill(holder, signal.SIGKILL)
        until(partial(gone, solver), 30)
        until(lambda attempt=attempt: service.job(slow).failures == attempt + 1)
    job = service.wait(slow)
    assert job.state is JobState.SUCCEEDED
    assert (job.attempt, job.failures) == (3, 2)
    for job_id in quick:
        assert service.wait(job_id).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_jobs_survive_the_kill_of_everything(either: MakeService) -> None:
    service = either()
    service.start()
    slow = service.accept(do="wait", seconds="1")
    service.wait(slow, RUNNING)
    tree = service.tree()
    service.kill_everything()
    until(lambda: all(gone(pid) for pid in tree), 45)
    late = service.accept()
    service.start(ready=False)
    assert service.wait(slow).attempt == 2
    assert service.wait(late).attempt == 1
    service.assert_invariants()


def test_a_dead_front_end_takes_its_workers_with_it(embedded: MakeService) -> None:
    service = embedded()
    service.start()
    slow = service.accept(do="ignore", seconds="60")
    service.wait(slow, RUNNING)
    tree = service.tree()
    os.kill(service.pid, signal.SIGKILL)
    until(lambda: all(gone(pid) for pid in tree), 45)
    service.kill_everything()


def test_a_worker_that_slept_past_its_lease_writes_nothing(
    either: MakeService, tmp_path: Path
) -> None:
    service = either(concurrency=2)
    service.start()
    until(lambda: len(service.solvers()) == 2)
    trace = tmp_path / "trace"
    slow = service.accept(do="wait", seconds="1.5", trace=str(trace))
    service.wait(slow, RUNNING)
    (solver,) = until(lambda: trace.exists() and trace.read_text().split())
    holder = service.holders()[service.solvers().index(int(solver))]
    os.kill(holder, signal.SIGSTOP)
    try:
        until(lambda: service.job(slow).attempt == 2)
    finally:
        os.kill(holder, signal.SIGCONT)
    job = service.wait(slow)
    assert job.state is JobState.SUCCEEDED
    assert (job.attempt, job.failures) == (2, 1)
    again = service.accept()
    assert service.wait(again).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_a_solve_that_kills_its_process_every_time_is_poison(production: MakeService) -> None:
    service = production(max_failures=3)
    service.start()
    deadly = service.accept(do="die")
    harmless = service.accept()
    job = service.wait(deadly)
    assert job.state is JobState.FAILED
    assert job.error is not None
    assert job.error["code"] == "poison"
    assert (job.attempt, job.failures) == (3, 3)
    assert service.wait(harmless).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_errors_of_the_solve_become_errors_of_the_job(embedded: MakeService) -> None:
    service = embedded(hard_stop_grace_seconds=1.0)
    service.start()
    expected = {
        "devour": "out_of_memory",
        "abort": "out_of_memory",
        "raise": "internal",
        "refuse": "not_certified",
        "overrun": "hard_timeout",
    }
    ids = {do: service.accept(do=do) for do in expected}
    for do, code in expected.items():
        job = service.wait(ids[do])
        assert job.error is not None, do
        assert job.error["code"] == code
        assert "secret" not in job.error["detail"]
        assert job.attempt == 1
    assert service.wait(service.accept(do="chatter")).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_a_solve_that_ignores_its_time_limit_is_stopped_hard(embedded: MakeService) -> None:
    service = embedded(hard_stop_grace_seconds=0.5)
    service.start()
    until(service.solvers)
    stubborn = service.accept(do="ignore", seconds="60", time_limit="0.5")
    job = service.wait(stubborn)
    assert job.error is not None
    assert job.error["code"] == "hard_timeout"
    service.assert_invariants()


@pytest.mark.parametrize(
    ("either", "labels"),
    [
        ("embedded", {"do": "hold", "digits": "30000"}),
        pytest.param("production", {"do": "ignore", "seconds": "60"}, marks=pytest.mark.postgres),
    ],
    indirect=["either"],
)
def test_cancelling_frees_state_and_processor_even_of_a_solve_that_does_not_listen(
    either: MakeService, labels: dict[str, str]
) -> None:
    service = either()
    service.start()
    stubborn = service.accept(**labels)
    service.wait(stubborn, RUNNING)
    (solver,) = until(service.solvers)
    time.sleep(0.3)
    began = time.monotonic()
    service.cancel(stubborn)
    assert service.job(stubborn).state is JobState.CANCELLING
    assert service.wait(stubborn).state is JobState.CANCELLED
    until(partial(gone, solver), 30)
    assert time.monotonic() - began < 45
    assert service.wait(service.accept()).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_a_solve_that_listens_is_cancelled_without_a_kill(embedded: MakeService) -> None:
    service = embedded(cancel_grace_seconds=30.0)
    service.start()
    until(service.solvers)
    polite = service.accept(do="wait", seconds="60")
    service.wait(polite, RUNNING)
    service.cancel(polite)
    assert service.wait(polite, seconds=25).state is JobState.CANCELLED
    service.assert_invariants()


def test_a_worker_that_is_asked_to_end_gives_its_job_back(either: MakeService) -> None:
    service = either()
    service.start(covered=True)
    slow = service.accept(do="wait", seconds="2")
    service.wait(slow, RUNNING)
    service.stop()
    job = service.job(slow)
    assert job.state is QUEUED
    assert (job.attempt, job.failures) == (1, 0)
    assert service.workers() == []
    service.start()
    job = service.wait(slow)
    assert job.state is JobState.SUCCEEDED
    assert (job.attempt, job.failures) == (2, 0)
    service.assert_invariants()


def test_the_same_message_many_times_is_one_solve(production: MakeService, tmp_path: Path) -> None:
    service = production(concurrency=2)
    service.start()
    trace = tmp_path / "trace"
    job_id = service.accept(publish=False, do="wait", seconds="0.5", trace=str(trace))
    for _ in range(5):
        service.broker.wake(0)
    with ThreadPoolExecutor(10) as threads:
        list(threads.map(service.broker.wake, [0] * 10))
    assert service.wait(job_id).attempt == 1
    service.broker.wake(0)
    assert service.wait(service.accept()).state is JobState.SUCCEEDED
    assert len(trace.read_text().split()) == 1
    service.assert_invariants()


def test_jobs_are_accepted_while_the_broker_is_down_and_run_when_it_is_back(
    production: MakeService, redis: Redis
) -> None:
    service = production()
    service.start()
    redis.kill()
    began = time.monotonic()
    ids = [service.accept() for _ in range(20)]
    assert time.monotonic() - began < 15
    redis.start()
    for job_id in ids:
        assert service.wait(job_id).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_a_queue_that_the_broker_lost_is_published_again(
    production: MakeService, redis: Redis
) -> None:
    service = production()
    ids = [service.accept() for _ in range(30)]
    service.broker.close()
    redis.kill()
    redis.start()
    service.start()
    for job_id in ids:
        assert service.wait(job_id, seconds=60).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_a_solve_survives_a_database_that_drops_its_connections(
    production: MakeService,
) -> None:
    service = production()
    service.start()
    slow = service.accept(do="progress", seconds="2")
    service.wait(slow, RUNNING)
    for _ in range(8):
        with service.database.engine.connect() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
        time.sleep(0.25)
    assert service.wait(slow).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_only_one_service_uses_a_data_directory(embedded: MakeService, tmp_path: Path) -> None:
    service, second = embedded(), embedded()
    service.start()
    second.start(ready=False)
    until(lambda: gone(second.pid))
    assert "DataDirectoryInUseError" in (tmp_path / "log").read_text()
    assert service.wait(service.accept()).state is JobState.SUCCEEDED


def test_an_embedded_worker_that_dies_is_started_again(embedded: MakeService) -> None:
    service = embedded()
    service.start()
    for _ in range(2):
        (holder,) = until(service.holders)
        os.kill(holder, signal.SIGKILL)
        until(partial(gone, holder))
        assert service.wait(service.accept()).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_old_and_new_workers_share_the_work_while_they_are_exchanged(
    production: MakeService,
) -> None:
    old, new = production(), production()
    old.tenant = "physics"
    old.start(solves=0)
    known, later = old.accept(), old.accept(requires=1)
    assert old.wait(known).state is JobState.SUCCEEDED
    time.sleep(4 * old.settings.sweep_seconds)
    assert old.job(later).attempt == 0
    new.start(solves=1)
    assert old.wait(later).state is JobState.SUCCEEDED
    known = old.accept(do="wait", seconds="1")
    ids = [old.accept(requires=number % 2) for number in range(10)]
    for job_id in (known, *ids):
        assert old.wait(job_id).state is JobState.SUCCEEDED
    old.stop()
    assert old.wait(old.accept()).state is JobState.SUCCEEDED
    old.assert_invariants()


def test_a_tenant_at_its_limit_goes_on_as_soon_as_there_is_room(either: MakeService) -> None:
    service = either(concurrency=2, tenant_running_jobs=1, sweep_seconds=300.0)
    service.start()
    until(lambda: len(service.solvers()) == 2)
    accepted = [service.accept(do="wait", seconds="0.3") for _ in range(6)]
    running = []

    def ended() -> bool:
        states = [service.job(job_id).state for job_id in accepted]
        running.append(states.count(RUNNING))
        return all(state.final for state in states)

    until(ended)
    assert max(running) == 1
    service.assert_invariants()
