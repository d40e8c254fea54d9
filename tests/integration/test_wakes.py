"""Messages for workers in a real Redis: few, counted, and soon sent again when they are lost."""

import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Interval, literal, update

from app.broker import CeleryBroker
from app.db.models import jobs, workers
from app.db.new_jobs import NewJob
from app.db.skills import Skills
from app.main import create_app
from app.operations.service import enough_messages
from app.publisher import MOST_MESSAGES, Publisher
from app.settings import SOLVE_TASK, Settings, solve_queue
from steadygrid.domain.job import JobState
from steadygrid.kinds import SOLVES
from tests.draws import draws
from tests.http.bodies import BODY
from tests.integration.drills import Redis, Service, until
from workers.registration import OUR_SKILLS
from workers.sweeper import Sweeper

MakeService = Callable[..., Service]
MANY = draws(500, 10_000)
OURS = solve_queue(SOLVES)
TEN_MINUTES = 60
"""Sweeps, one each ten seconds."""


def lengths(redis: Redis) -> dict[str, int]:
    """Ask Redis itself how many messages there are."""

    def asked(*words: str) -> str:
        command = ["redis-cli", "-p", str(redis.port), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    queues = (solve_queue(requires) for requires in range(SOLVES + 1))
    found = {queue: int(asked("llen", queue)) for queue in queues}
    return {queue: length for queue, length in found.items() if length}


def test_ten_minutes_of_sweeps_without_a_worker_send_one_message(
    production: MakeService, redis: Redis
) -> None:
    """However many jobs wait, and for however long."""
    service = production()
    with service.database.write("local") as unit:
        for _ in range(MANY):
            unit.jobs.add(NewJob.create("master_worker", {}))
    sweepers = [Sweeper(service.database, service.settings, Publisher(redis.url)) for _ in range(2)]
    later = jobs.c.woken_at - literal(timedelta(seconds=10), Interval())
    for _ in range(TEN_MINUTES):
        with service.database.engine.connect() as connection, connection.begin():
            connection.execute(update(jobs).values(woken_at=later))
        for sweeper in sweepers:
            sweeper.sweep()
    assert lengths(redis) == {OURS: 1}


def test_a_hundred_messages_are_enough_for_any_number_of_posts(redis: Redis) -> None:
    publish = Publisher(redis.url)
    brokers = [CeleryBroker(publish), CeleryBroker(Publisher(redis.url))]
    for _ in range(3 * MOST_MESSAGES):
        for broker in brokers:
            broker.wake(0)
            broker.wake(SOLVES)
        publish("steadygrid")
    until(lambda: sum(lengths(redis).values()) >= 2 * MOST_MESSAGES)
    for broker in brokers:
        broker.close()
    found = lengths(redis)
    assert set(found) == {"steadygrid", OURS}
    assert max(found.values()) <= MOST_MESSAGES + 2, "each who sends at once may add one"
    assert publish.depths(["steadygrid", OURS, "steadygrid-1000"]) == found | {"steadygrid-1000": 0}


@pytest.fixture
def client(redis: Redis, tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(
        database_url=f"sqlite:///{tmp_path / 'steadygrid.db'}",
        data_dir=tmp_path,
        redis_url=redis.url,
        auth="off",
        log_level="CRITICAL",
    )
    with TestClient(create_app(settings), base_url="http://localhost", client=("::1", 1)) as one:
        yield one


def test_metrics_tell_how_many_messages_wait(client: TestClient, redis: Redis) -> None:
    def metrics() -> list[str]:
        lines = client.get("/metrics").text.splitlines()
        return [line for line in lines if line.startswith(("steadygrid_broker", "steadygrid_mess"))]

    empty = [f'steadygrid_messages{{queue="{solve_queue(one)}"}} 0.0' for one in range(SOLVES + 1)]
    assert metrics() == ["steadygrid_broker_up 1.0", *empty]
    for _ in range(3):
        assert client.post("/v1/jobs", json=BODY).status_code == 202
    until(lambda: lengths(redis) == {"steadygrid": 1})
    assert metrics() == [
        "steadygrid_broker_up 1.0",
        'steadygrid_messages{queue="steadygrid"} 1.0',
        *empty[1:],
    ]
    redis.kill()
    assert metrics() == ["steadygrid_broker_up 0.0"]
    assert "steadygrid_database_up 1.0" in client.get("/metrics").text
    redis.start()
    assert metrics() == ["steadygrid_broker_up 1.0", *empty]


@pytest.mark.parametrize("known", [0, 1, 3])
def test_posts_send_one_message_for_each_worker_that_is_known(
    production: MakeService, redis: Redis, known: int
) -> None:
    """However many jobs are posted, and with no worker at all still one."""
    service = production()
    with service.database.write_all() as unit:
        for number in range(known):
            unit.workers.seen(f"busy {number}", OUR_SKILLS, {})
    for _ in range(MANY):
        service.broker.wake(0)
        service.broker.wake(SOLVES)
    service.broker.close()
    assert lengths(redis) == dict.fromkeys(("steadygrid", OURS), max(1, known))


@pytest.mark.parametrize("skills", [None, OUR_SKILLS._replace(level=SOLVES - 1)])
def test_beside_older_workers_there_are_as_many_messages_as_before(
    production: MakeService, skills: Skills | None
) -> None:
    """They may not wake each other."""
    database = production().database
    with database.write_all() as unit:
        for name in ("new", "old"):
            unit.workers.seen(name, OUR_SKILLS, {})
    assert enough_messages(database) == 2
    with database.engine.connect() as connection, connection.begin():
        connection.execute(update(workers).where(workers.c.id == "old").values(skills=skills))
    assert enough_messages(database) == MOST_MESSAGES


def test_one_message_wakes_all_who_are_idle(production: MakeService) -> None:
    service = production(3, sweep_seconds=3600.0)
    service.start()
    until(lambda: len(service.workers()) == 3)
    file = service.settings.data_dir / "go on"
    waiting = [service.accept(publish=False, do="until", file=str(file)) for _ in range(3)]
    service.broker.wake(0)
    until(lambda: all(service.job(one).state is JobState.RUNNING for one in waiting))
    more = [service.accept(publish=False) for _ in range(20)]
    file.touch()
    for job_id in (*waiting, *more):
        assert service.wait(job_id).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_workers_are_woken_after_redis_has_forgotten_everything(
    production: MakeService, redis: Redis
) -> None:
    """Its queues and what it knew of them, while all stay connected to it."""
    service = production(sweep_seconds=3600.0)
    service.start()
    assert service.wait(service.accept()).state is JobState.SUCCEEDED
    subprocess.run(["redis-cli", "-p", str(redis.port), "flushall"], check=True)
    for _ in range(2):
        assert service.wait(service.accept()).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_messages_of_the_version_before_are_looks_as_well(
    production: MakeService, redis: Redis
) -> None:
    """It wrote a job's id into each, sent one for each job, and sent them again and again."""
    service = production(2, sweep_seconds=3600.0)
    waiting = [service.accept(publish=False) for _ in range(5)]
    celery = Publisher(redis.url)._celery
    for _ in range(100):
        for job_id in waiting:
            celery.send_task(SOLVE_TASK, args=[job_id], queue="steadygrid", ignore_result=True)
    assert lengths(redis) == {"steadygrid": 500}
    service.start()
    for job_id in waiting:
        assert service.wait(job_id).state is JobState.SUCCEEDED
    until(lambda: not lengths(redis))
    assert service.wait(service.accept()).state is JobState.SUCCEEDED
    service.assert_invariants()
