"""A broker that goes away and comes back: workers go on, and say so in a line each."""

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.db.migrate import upgrade
from app.settings import Settings
from steadygrid.domain.job import JobState
from tests.integration.drills import QUICK, Redis, Service, gone, until

AWAY_SECONDS = 4.0


@pytest.fixture
def service(tmp_path: Path, redis: Redis) -> Iterator[Service]:
    """Two workers of one process on SQLite, with a log of JSON lines as loud as in production."""
    settings = Settings(
        **QUICK,
        database_url=f"sqlite:///{tmp_path / 'a.db'}",
        redis_url=redis.url,
        data_dir=tmp_path,
        auth="off",
        log_json=True,
    )
    service = Service(settings, tmp_path / "log", concurrency=2)
    upgrade(service.database)
    yield service
    service.close()


def lines(service: Service) -> list[dict[str, Any]]:
    """Its log, of which every line is an object: tracebacks of others would be none."""
    return [json.loads(line) for line in service.log().splitlines()]


def said(service: Service, event: str) -> int:
    return sum(line["event"] == event for line in lines(service))


def assert_clear(service: Service) -> None:
    """Nothing was said but the beginning and the end of each outage, and no traceback."""
    for line in lines(service):
        assert "exception" not in line, line
        assert line["level"] in ("info", "warning"), line
        for words in ("celery/worker/consumer", "consumer:", "ack "):
            assert words not in line["event"], line
    away = said(service, "broker_unavailable")
    assert 1 <= said(service, "broker_back") <= away


def test_workers_that_were_busy_while_it_was_away_go_on(
    service: Service, redis: Redis, tmp_path: Path
) -> None:
    service.start(level="WARNING")
    go = tmp_path / "go"
    ids = [service.accept(do="until", file=str(go)) for _ in range(4)]
    for job_id in ids[:2]:
        service.wait(job_id, JobState.RUNNING)
    redis.kill()
    go.touch()
    for job_id in ids[:2]:
        assert service.wait(job_id).state is JobState.SUCCEEDED
    until(lambda: said(service, "broker_unavailable"))
    time.sleep(AWAY_SECONDS)
    redis.start()
    for job_id in ids[2:]:
        assert service.wait(job_id).state is JobState.SUCCEEDED
    until(lambda: said(service, "broker_back"))
    assert_clear(service)
    assert [service.job(job_id).attempt for job_id in ids] == [1] * 4
    service.assert_invariants()


def go_away(service: Service, redis: Redis) -> None:
    """Let the broker be away for a moment, until that has been said."""
    before = said(service, "broker_back")
    redis.kill()
    until(lambda: said(service, "broker_unavailable") > before)
    time.sleep(AWAY_SECONDS)
    redis.start()
    until(lambda: said(service, "broker_back") > before)


def test_a_process_that_dies_before_the_broker_answers_is_replaced(
    service: Service, redis: Redis
) -> None:
    redis.kill()
    service.start(level="WARNING")
    holders = until(service.holders)
    os.kill(holders[0], signal.SIGKILL)
    until(lambda: gone(holders[0]))
    redis.start()
    job_id = service.accept()
    assert service.wait(job_id).state is JobState.SUCCEEDED


def test_workers_that_were_idle_while_it_was_away_go_on(service: Service, redis: Redis) -> None:
    service.start(level="WARNING")
    assert service.wait(service.accept()).state is JobState.SUCCEEDED
    for _ in range(2):
        go_away(service, redis)
        assert service.wait(service.accept()).state is JobState.SUCCEEDED
    assert_clear(service)


def test_a_worker_ends_in_good_order_while_it_is_away(
    service: Service, redis: Redis, tmp_path: Path
) -> None:
    service.start(level="WARNING")
    job_id = service.accept(do="until", file=str(tmp_path / "never"))
    service.wait(job_id, JobState.RUNNING)
    redis.kill()
    service.stop()
    assert service.job(job_id).state is JobState.QUEUED
    assert not [line for line in lines(service) if "exception" in line]
