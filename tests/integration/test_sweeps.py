"""Sweeps and single jobs on real processes."""

from collections.abc import Callable
from functools import partial

from app.db.jobs import JobRecord
from app.db.sweeps import SweepRecord, SweepState
from steadygrid.domain.job import JobState
from steadygrid.kinds import SOLVES
from tests.draws import draws
from tests.integration.drills import Redis, Service, until
from tests.sweeps import add_sweep

MakeService = Callable[..., Service]
JOBS = draws(100, 300)
WORKERS = 2


def swept(service: Service, jobs: int, **labels: str) -> str:
    """Make a sweep as the front end does, without waking a worker."""
    service.accepted += jobs
    return add_sweep(service.database, [[]] * jobs, labels=labels)


def record(service: Service, sweep: str) -> SweepRecord:
    with service.database.read(service.tenant) as unit:
        found = unit.sweeps.get(sweep)
    assert found is not None
    return found


def ended(service: Service, sweep: str) -> bool:
    return record(service, sweep).state is SweepState.SUCCEEDED


def jobs_of(service: Service, sweep: str) -> list[JobRecord]:
    with service.database.read(service.tenant) as unit:
        return list(unit.sweeps.last_tries(sweep, 0, JOBS))


def test_one_message_wakes_all_for_a_sweep_and_single_jobs_pass_it(
    production: MakeService,
) -> None:
    service = production(WORKERS, sweep_seconds=3600.0)
    service.start()
    until(lambda: len(service.workers()) == WORKERS)
    sweep = swept(service, JOBS)
    service.broker.wake(SOLVES)
    until(lambda: record(service, sweep).counts[JobState.SUCCEEDED] > 10)
    singles = []
    for _ in range(6):
        single = service.accept(requires=SOLVES)
        singles.append(service.wait(single))
    until(partial(ended, service, sweep))
    others = jobs_of(service, sweep)
    starts = [job.started_at for job in others if job.started_at is not None]
    for job in singles:
        assert job.started_at is not None
        before = [moment for moment in starts if job.created_at < moment < job.started_at]
        assert len(before) <= 3 * WORKERS, "two claims for sweeps first, and the one under way"
    assert len(starts) == JOBS
    service.assert_invariants()


def test_messages_that_were_lost_are_sent_again(production: MakeService, redis: Redis) -> None:
    service = production(WORKERS)
    service.start()
    sweep = swept(service, 40, do="wait", seconds="0.05")
    until(lambda: record(service, sweep).counts[JobState.SUCCEEDED] > 5)
    redis.kill()
    redis.start()
    until(partial(ended, service, sweep))
    service.assert_invariants()
