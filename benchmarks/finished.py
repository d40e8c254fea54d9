"""Claims, lists and pages beside many finished jobs, as ratios to nearly empty tables.

``python -m benchmarks finished`` looks at 1,000,000 jobs. ``BENCHMARK_ROWS`` names
another number.
"""

import os
import statistics
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime

from sqlalchemy import insert, text

from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.models import jobs
from app.db.new_jobs import new_job_id
from benchmarks.measurement import Measurement, stopwatch
from benchmarks.service import queued_row
from benchmarks.turns import claim_one, on_each_database, queue_up
from steadygrid.domain.job import JobState, Outcome

ROWS = int(os.environ.get("BENCHMARK_ROWS", "1000000"))
FEW = 200
"""Finished jobs in the tables that count as empty: as many as fill the pages that are looked at."""
PIECE = 5_000
LOOKS = 200
PAGE = 50
MOST_TIMES_EMPTY = 1.5
TENANT = "a"


def measure() -> Iterator[Measurement]:
    """Look at few finished jobs, then at many, on each database."""
    yield from on_each_database(_measured)


def _measured(name: str, url: str) -> Iterator[Measurement]:
    database = Database.open(url)
    upgrade(database)
    _finish(database, FEW)
    queue_up(database, 4 * LOOKS)
    _settle(database)
    looks = _looks(database)
    few = {what: _median(look) for what, look in looks.items()}
    _finish(database, ROWS)
    _settle(database)
    many = {what: _median(look) for what, look in _looks(database).items()}
    for what in looks:
        yield Measurement(f"{name}: {what}, {FEW} jobs finished, median", 1000 * few[what], "ms")
        yield Measurement(
            f"{name}: {what}, {ROWS:,} jobs finished / {FEW}",
            many[what] / few[what],
            "times",
            claim=MOST_TIMES_EMPTY,
        )
    database.close()


def _looks(database: Database) -> Mapping[str, Callable[[], object]]:
    """Give what is done again and again; the later page begins after two others."""
    token = None
    for _ in range(2):
        with database.read(TENANT) as one:
            token = one.jobs.page(PAGE, token).next_token

    def first() -> None:
        with database.read(TENANT) as one:
            assert len(one.jobs.page(PAGE).items) == PAGE

    def later() -> None:
        with database.read(TENANT) as one:
            assert len(one.jobs.page(PAGE, token).items) == PAGE

    return {"a claim": lambda: claim_one(database), "a list": first, "a later page": later}


def _median(look: Callable[[], object]) -> float:
    times = []
    for _ in range(2 * LOOKS):
        with stopwatch() as watch:
            look()
        times.append(watch.seconds)
    return statistics.median(times[LOOKS:])  # what is slow at first is no part of this


def _finish(database: Database, number: int) -> None:
    """Store jobs that have ended, without instances and results."""
    row = queued_row() | {
        "tenant": TENANT,
        "state": JobState.SUCCEEDED.value,
        "outcome": Outcome.OPTIMAL.value,
        "attempt": 1,
        "finished_at": datetime.now(UTC),
    }
    for first in range(0, number, PIECE):
        rows = [row | {"id": new_job_id()} for _ in range(first, min(first + PIECE, number))]
        with database.engine.connect() as connection, connection.begin():
            connection.execute(insert(jobs), rows)


def _settle(database: Database) -> None:
    """Let PostgreSQL look at its tables, as it does by itself after a while."""
    if database.dialect == "postgresql":
        with database.engine.connect() as connection:
            own_way = connection.execution_options(isolation_level="AUTOCOMMIT")
            own_way.execute(text("VACUUM (ANALYZE)"))
