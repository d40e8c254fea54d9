"""Small jobs through 1, 2 and 4 workers of one service on PostgreSQL and Redis.

``python -m benchmarks workers`` posts 10,000 jobs for each number of workers. ``BENCHMARK_JOBS``
names another number. With ``BENCHMARK_LISTENERS=200`` so many event streams are open meanwhile, and
``BENCHMARK_SECONDS`` bounds each run (an hour). Without the servers that tests use there is nothing to
measure. `finished` looks at 1,000,000 finished jobs, `turns` at 100,000 queued jobs of another tenant.
"""

import asyncio
import json
import os
import statistics
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
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import parse_submission

JOBS = int(os.environ.get("BENCHMARK_JOBS", "10000"))
LISTENERS = int(os.environ.get("BENCHMARK_LISTENERS", "0"))
WORKERS = (1, 2, 4)
CLIENTS = 4
_REDIS = "STEADYGRID_TEST_REDIS"
_LOOK_SECONDS = 0.25
_SOLVES = 20
_START_SECONDS = 15.0
"""In which workers have started that get no job."""
_PATIENCE = float(os.environ.get("BENCHMARK_SECONDS", "3600"))


class Ended(NamedTuple):
    """What some workers did."""

    seconds: float
    """From the first claim to the last end."""
    spent: float
    """Seconds of all attempts together."""
    processor_seconds: float
    """Of the workers and their children, without what a start takes."""
    waited: float
    """Seconds from submission to claim, the median."""


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
    with served(API, database_url=url, redis_url=redis, auth="off") as service:
        solve = _solve_seconds()
        yield Measurement("a solve of the job in one process, processor time", 1000 * solve, "ms")
        for workers in WORKERS:
            idle = _run(database, service, url, redis, workers, 0)
            began = _own_seconds(service.pid)
            with _listening(service.port, LISTENERS):
                found = _run(database, service, url, redis, workers, JOBS)
            served_seconds = _own_seconds(service.pid) - began
            what = f"{JOBS:,} small jobs, {workers} worker{'s' * (workers > 1)}"
            if LISTENERS:
                what += f", {LISTENERS} listeners"
            rates.append(JOBS / found.seconds)
            yield Measurement(f"{what}: jobs", rates[-1], "/s")
            own = (found.processor_seconds - idle.processor_seconds) / JOBS
            yield Measurement(
                f"{what}: processor time of the workers above the solve, each",
                1000 * (own - solve),
                "ms",
            )
            yield Measurement(
                f"{what}: processor time of the API, each", 1000 * served_seconds / JOBS, "ms"
            )
            lost = (workers * found.seconds - found.spent) / JOBS
            yield Measurement(f"{what}: between two jobs of a worker", 1000 * lost, "ms")
            yield Measurement(f"{what}: in the queue, median", found.waited, "s")
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
        return Ended(0.0, 0.0, used, 0.0)
    first, last, waited = _moments(database, min(ids))
    return Ended((last - first).total_seconds(), _spent(database) - before, used, waited)


def _solve_seconds() -> float:
    """Give the processor seconds of a solve with the referee, when nothing is loaded any more."""
    asked = parse_submission(json.loads(EXAMPLE.read_bytes()), Limits())
    seconds = []
    for _ in range(_SOLVES):
        began = time.process_time()
        run(asked, Control(60.0), Limits())
        seconds.append(time.process_time() - began)
    return statistics.median(seconds)


def _own_seconds(pid: int) -> float:
    return time.clock_gettime((~pid << 3) | 2)


@contextmanager
def _listening(port: int, number: int) -> Iterator[None]:
    """Follow all jobs by so many streams, and read what comes, in a process of its own."""
    if not number:
        yield
        return
    command = [sys.executable, "-m", "benchmarks.workers", str(port), str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            if process.stdout is None or process.stdout.readline() != b"begun\n":
                raise RuntimeError("the listeners did not begin")
            yield
        finally:
            process.kill()


async def _listen(port: int, number: int) -> None:
    streams = []
    for _ in range(number):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        status = (await reader.readline()).split(b" ")[1]
        if status != b"200":
            raise RuntimeError(f"a stream was answered with {status.decode()}")
        streams.append((reader, writer))
    print("begun", flush=True)
    await asyncio.gather(*(_read_all(reader) for reader, _ in streams))


async def _read_all(reader: asyncio.StreamReader) -> None:
    while await reader.read(2**16):
        pass


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


def _moments(database: Database, first: str) -> tuple[datetime, datetime, float]:
    query = select(jobs.c.created_at, jobs.c.started_at, jobs.c.finished_at)
    with database.engine.connect() as connection:
        rows = connection.execute(query.where(jobs.c.id >= first)).all()
        failed = jobs.c.state != JobState.SUCCEEDED.value
        if connection.scalar(select(func.count()).where(failed)):
            raise RuntimeError("a job did not succeed")
    waited = statistics.median((row.started_at - row.created_at).total_seconds() for row in rows)
    return min(row.started_at for row in rows), max(row.finished_at for row in rows), waited


def _spent(database: Database) -> float:
    with database.engine.connect() as connection:
        return float(
            connection.scalar(select(func.coalesce(func.sum(attempts.c.seconds), 0.0))) or 0
        )


if __name__ == "__main__":
    asyncio.run(_listen(int(sys.argv[1]), int(sys.argv[2])))
