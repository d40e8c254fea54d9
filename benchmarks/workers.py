"""Small jobs through 1, 2 and 4 workers of one service on PostgreSQL and Redis.

``python -m benchmarks workers`` posts 10,000 jobs for each number of workers. ``BENCHMARK_JOBS``
names another number. Without the servers that tests use there is nothing to measure.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import func, select

from app.db.attempts import attempts
from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.models import jobs
from app.db.unit import AllTenants
from benchmarks.measurement import Measurement, processor_seconds
from benchmarks.service import API, EXAMPLE, Served, connect, request, served
from benchmarks.turns import on_each_database
from steadygrid.domain.job import JobState

JOBS = int(os.environ.get("BENCHMARK_JOBS", "10000"))
WORKERS = (1, 2, 4)
CLIENTS = 4
_REDIS = "STEADYGRID_TEST_REDIS"
_LOOK_SECONDS = 0.25
_START_SECONDS = 15.0
"""In which workers have started that get no job."""
_PATIENCE = 3600.0


class Ended(NamedTuple):
    """What some workers did."""

    seconds: float
    """From the first claim to the last end."""
    spent: float
    """Seconds of all attempts together."""
    processor_seconds: float
    """Of the workers and their children, without what a start takes."""


def measure() -> Iterator[Measurement]:
    """Give the same jobs to one worker, to two and to four."""
    if os.environ.get(_REDIS):
        yield from on_each_database(_measured)


def _measured(name: str, url: str) -> Iterator[Measurement]:
    if name == "SQLite":
        return
    redis = os.environ[_REDIS]
    database = Database.open(url)
    upgrade(database)
    rates = []
    with served(API, database_url=url, redis_url=redis) as service:
        for workers in WORKERS:
            idle = _run(database, service, url, redis, workers, 0)
            found = _run(database, service, url, redis, workers, JOBS)
            what = f"{JOBS:,} small jobs, {workers} worker{'s' * (workers > 1)}"
            rates.append(JOBS / found.seconds)
            yield Measurement(f"{what}: jobs", rates[-1], "/s")
            own = found.processor_seconds - idle.processor_seconds
            yield Measurement(
                f"{what}: processor time of the workers, each", 1000 * own / JOBS, "ms"
            )
            lost = (workers * found.seconds - found.spent) / JOBS
            yield Measurement(f"{what}: between two jobs of a worker", 1000 * lost, "ms")
    yield Measurement("jobs through two workers / through one", rates[1] / rates[0], "times")
    database.close()


def _run(
    database: Database, service: Served, url: str, redis: str, workers: int, number: int
) -> Ended:
    """Post jobs, start the workers, and wait until all have ended."""
    before = _spent(database)
    body = EXAMPLE.read_bytes()
    with ThreadPoolExecutor(CLIENTS) as pool:
        ids = list(pool.map(lambda _: _post(service.port, body), range(number)))
    begun = processor_seconds()
    with _worker(url, redis, workers):
        if number:
            _wait(database)
        else:
            time.sleep(_START_SECONDS)
    used = processor_seconds() - begun
    if not ids:
        return Ended(0.0, 0.0, used)
    first, last = _moments(database, min(ids))
    return Ended((last - first).total_seconds(), _spent(database) - before, used)


def _post(port: int, body: bytes) -> str:
    status, text = request(connect(port), "POST", "/v1/jobs", body)
    if status != 202:
        raise RuntimeError(f"the job was not accepted: {status} {text[:500]!r}")
    return str(json.loads(text)["id"])


@contextmanager
def _worker(url: str, redis: str, workers: int) -> Iterator[None]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STEADYGRID_")}
    environment |= {"STEADYGRID_DATABASE_URL": url, "STEADYGRID_REDIS_URL": redis}
    with tempfile.TemporaryFile() as sink:
        command = [str(Path(sys.executable).with_name("steadygrid")), "worker"]
        started = [
            subprocess.Popen(
                [*command, "--concurrency", "1"], env=environment, stdout=sink, stderr=sink
            )
            for _ in range(workers)
        ]
        try:
            yield
        finally:
            for worker in started:
                worker.terminate()
            for worker in started:
                worker.wait()


def _wait(database: Database) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        with database.read_all() as unit:
            if not _open_jobs(unit):
                return
        time.sleep(_LOOK_SECONDS)
    raise RuntimeError("the jobs did not end")


def _open_jobs(unit: AllTenants) -> int:
    counts = unit.overview.places().values()
    return sum(number for one in counts for state, number in one.items() if not state.final)


def _moments(database: Database, first: str) -> tuple[datetime, datetime]:
    query = select(func.min(jobs.c.started_at), func.max(jobs.c.finished_at))
    with database.engine.connect() as connection:
        begin, end = connection.execute(query.where(jobs.c.id >= first)).one()
        failed = jobs.c.state != JobState.SUCCEEDED.value
        if connection.scalar(select(func.count()).where(failed)):
            raise RuntimeError("a job did not succeed")
    return begin, end


def _spent(database: Database) -> float:
    with database.engine.connect() as connection:
        return float(
            connection.scalar(select(func.coalesce(func.sum(attempts.c.seconds), 0.0))) or 0
        )
