"""Sweeps from the first claim to the last answer, beside the same solves in this process.

Of a sweep in the library, the processor time of all processes is compared, checks of the plan
included; the process that solves has been started before.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import steadygrid as sg
from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.sweeps import NewSweep, SweepRecord
from app.publisher import Publisher
from app.settings import solve_queue
from app.sweep_creation import make_jobs
from benchmarks.generators import random_platform
from benchmarks.measurement import Measurement, processor_seconds, stopwatch
from benchmarks.service import EXAMPLE, served
from benchmarks.turns import on_each_database
from steadygrid.domain.job import JobState
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import SOLVES
from steadygrid.studies.bodies import Bodies
from steadygrid.studies.sweep_plan import Parameter, Plan
from steadygrid.submissions.submission import parse_submission

JOBS = 2_000
"""Of the sweep of tiny jobs."""
LONGER_JOBS = 100
LONGER = {"num_processors": 120, "num_links": 300}
"""A platform whose solves take about 100 ms."""
MIDDLING_JOBS = 60
MIDDLING = {"num_processors": 40, "num_links": 100}
"""A platform whose solves take about half as long."""
ROUNDS = 5
SAMPLE = 20
TENANT = "local"
_REDIS = "STEADYGRID_TEST_REDIS"
_PATIENCE = 3600.0


def measure() -> Iterator[Measurement]:
    """Run sweeps here, embedded, and where the environment names servers in production."""
    yield _in_the_library()
    with served() as service:
        yield from _measured("SQLite, embedded", service.database, None)
    if os.environ.get(_REDIS):
        yield from on_each_database(_in_production)


def _in_the_library() -> Measurement:
    body = _random(MIDDLING)
    values = [f"{1000 + index}/1000" for index in range(MIDDLING_JOBS)]
    works = {"name": "w", "scale": ["/problem/task/work"], "values": values}
    sweep = {"template": body, "parameters": [works]}
    bodies = Bodies(_plan(body, MIDDLING_JOBS).document())
    asked = [bodies.submission(index, Limits()) for index in range(MIDDLING_JOBS)]
    ratios, alone = [], []
    for _ in range(ROUNDS):
        begun = processor_seconds()
        sg.solve(body)
        sg.close()
        started = processor_seconds()
        sg.solve(body)
        if any(row.error for row in sg.sweep(sweep)):
            raise RuntimeError("a job of the sweep failed")
        sg.close()
        swept = processor_seconds()
        for submission in asked:
            run(submission, Control(60.0), Limits())
        alone.append(processor_seconds() - swept)
        ratios.append((swept - started - (started - begun)) / alone[-1])
    each = 1000 * min(alone) / MIDDLING_JOBS
    what = f"library: {MIDDLING_JOBS} jobs of {each:.0f} ms, processor time of sweep / solves alone"
    return Measurement(what, statistics.median(ratios), "times", claim=1.15)


def _in_production(name: str, url: str) -> Iterator[Measurement]:
    if name == "SQLite":
        return
    upgrade(database := Database.open(url))
    database.close()
    with _worker(url, os.environ[_REDIS]):
        yield from _measured(f"{name}, Celery", url, Publisher(os.environ[_REDIS]))


@contextmanager
def _worker(url: str, redis: str) -> Iterator[None]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STEADYGRID_")}
    environment |= {"STEADYGRID_DATABASE_URL": url, "STEADYGRID_REDIS_URL": redis}
    with tempfile.TemporaryFile() as sink:
        command = Path(sys.executable).with_name("steadygrid")
        worker = subprocess.Popen([command, "worker"], env=environment, stdout=sink, stderr=sink)
        try:
            yield
        finally:
            worker.terminate()
            worker.wait()


def _measured(name: str, url: str, publish: Publisher | None) -> Iterator[Measurement]:
    database = Database.open(url)
    tiny = json.loads(EXAMPLE.read_bytes())
    _ended(database, tiny, SAMPLE, publish)  # the first job waits for the worker's imports
    alone = _seconds_of_a_solve(tiny)
    ends = _ended(database, tiny, JOBS, publish)
    alone = (alone + _seconds_of_a_solve(tiny)) / 2
    quarter = JOBS // 4
    each = [_each(some) for some in (ends, ends[:quarter], ends[-quarter:])]
    what = f"{name}: {JOBS:,} jobs of {1000 * alone:.0f} ms"
    yield Measurement(f"{what}, each above its solve", 1000 * (each[0] - alone), "ms", claim=30)
    yield Measurement(f"{what}, last quarter / first", each[2] / each[1], "times", claim=1.2)
    longer = _random(LONGER)
    alone = _seconds_of_a_solve(longer)
    ends = _ended(database, longer, LONGER_JOBS, publish)
    alone = (alone + _seconds_of_a_solve(longer)) / 2
    yield Measurement(
        f"{name}: {LONGER_JOBS} jobs of {1000 * alone:.0f} ms, sweep / solves alone",
        _each(ends) / alone,
        "times",
        claim=1.3,
    )
    database.close()


def _random(size: Mapping[str, int]) -> dict[str, Any]:
    problem = random_platform(1, **size).model_dump(mode="json", exclude_none=True)
    return {"problem": problem | {"task": {"work": 1, "input_size": 1}}}


def _plan(body: Mapping[str, Any], jobs: int) -> Plan:
    """Vary the work of a task a little."""
    template = {"problem": body["problem"], "options": {}, "labels": {}}
    values = tuple(f"{1000 + index}/1000" for index in range(jobs))
    return Plan(template, (Parameter(name="w", scale=("/problem/task/work",), values=values),))


def _seconds_of_a_solve(body: Mapping[str, Any]) -> float:
    bodies, times = Bodies(_plan(body, SAMPLE).document()), []
    for index in range(SAMPLE):
        submission = parse_submission(bodies.body(index), Limits())
        with stopwatch() as watch:
            run(submission, Control(60.0), Limits())
        times.append(watch.seconds)
    return statistics.median(times)


def _ended(
    database: Database, body: Mapping[str, Any], jobs: int, publish: Publisher | None
) -> Sequence[datetime]:
    """Make a sweep, wait for its end, and tell when its jobs ended, in order."""
    plan = _plan(body, jobs)
    kind = str(body["problem"]["kind"])
    sweep = NewSweep.create(kind, jobs, plan.document())
    with database.write(TENANT) as unit:
        unit.sweeps.add(sweep, _PATIENCE)
    make_jobs(database, sweep.id)
    if publish is not None:
        publish(solve_queue(SOLVES))
    patience = time.monotonic() + _PATIENCE
    while not (record := _record(database, sweep.id)).state.final:
        if time.monotonic() > patience:
            break
        time.sleep(0.5)
    if record.counts[JobState.SUCCEEDED] != jobs:
        raise RuntimeError(f"not all jobs succeeded: {record.counts}")
    with database.read(TENANT) as unit:
        found = unit.sweeps.last_tries(sweep.id, 0, jobs)
    return sorted(job.finished_at for job in found if job.finished_at is not None)


def _record(database: Database, sweep: str) -> SweepRecord:
    with database.read(TENANT) as unit:
        found = unit.sweeps.get(sweep)
    assert found is not None
    return found


def _each(ends: Sequence[datetime]) -> float:
    """Give the seconds from one end to the next."""
    return (ends[-1] - ends[0]).total_seconds() / (len(ends) - 1)
