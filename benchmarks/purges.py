"""Claims while old jobs are deleted, beside claims while nothing else happens."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, insert, select, text

from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.models import job_events, job_instances, job_results, jobs, schedule_chunks, schedules
from app.db.new_jobs import new_job_id
from app.db.packing import pack
from benchmarks.measurement import Measurement, stopwatch
from benchmarks.turns import claim_one, on_each_database, queue_up
from steadygrid.domain.job import JobState, Outcome
from workers import pieces, retention

OLD = 10_000
PIECE = 1_000
CLAIMS = 1_000
PAUSE = 0.1
"""Seconds between two units, a tenth of what the service takes: a purge that is ten times as quick."""
BETWEEN = 0.02
"""Seconds between two claims."""
KEPT_DAYS = 90
PACKED = pack({"numbers": [[number, number * number] for number in range(200)]})


def measure() -> Iterator[Measurement]:
    """Claim with and without a purge, on each database."""
    yield from on_each_database(_measured)


def _measured(name: str, url: str) -> Iterator[Measurement]:
    database = Database.open(url)
    upgrade(database)
    _make_old_jobs(database)
    if database.dialect == "postgresql":
        with database.engine.connect() as connection:
            own_way = connection.execution_options(isolation_level="AUTOCOMMIT")
            own_way.execute(text("VACUUM (ANALYZE)"))
    queue_up(database, 3 * CLAIMS)
    alone = _claims(database)
    command = [sys.executable, "-m", "benchmarks.purges", url]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as purging:
        while _left(database) == OLD:
            time.sleep(BETWEEN)
        with stopwatch() as watch:
            beside = _claims(database)
        deleted = OLD - _left(database)
        purging.wait()
    if _left(database):
        raise RuntimeError("old jobs are left")
    what = f"{name}: {deleted / watch.seconds:.0f} jobs a second deleted / none, a claim"
    yield Measurement(
        f"{what}, median", statistics.median(beside) / statistics.median(alone), "times", claim=1.5
    )
    for when, times in (("nothing else", alone), ("a purge", beside)):
        late = statistics.quantiles(times, n=100)[-1]
        yield Measurement(f"{name}: a claim beside {when}, slowest of 100", 1000 * late, "ms")
    database.close()


def _make_old_jobs(database: Database) -> None:
    """Store jobs that ended long ago, each with a schedule of its own."""
    ended = datetime.now(UTC) - timedelta(days=KEPT_DAYS + 1)
    for _ in range(OLD // PIECE):
        ids = [new_job_id() for _ in range(PIECE)]
        with database.engine.connect() as connection, connection.begin():
            schedule = {"tenant": "old", "header": {}, "created_at": ended}
            connection.execute(insert(schedules), [schedule | {"id": own} for own in ids])
            chunk = {"tenant": "old", "part": "slots", "number": 0, "first": 0, "length": 1}
            connection.execute(
                insert(schedule_chunks),
                [chunk | {"schedule_id": own, "packed": PACKED} for own in ids],
            )
            connection.execute(insert(jobs), [_old_job(own, ended) for own in ids])
            mark = {"tenant": "old", "packed": PACKED}
            connection.execute(insert(job_instances), [mark | {"job_id": own} for own in ids])
            connection.execute(
                insert(job_results), [mark | {"job_id": own, "attempt": 1} for own in ids]
            )
            event = {"tenant": "old", "type": "state", "data": {}, "created_at": ended}
            connection.execute(
                insert(job_events),
                [event | {"job_id": own, "seq": seq} for own in ids for seq in range(1, 5)],
            )


def _old_job(own: str, ended: datetime) -> dict[str, object]:
    return {
        "id": own,
        "tenant": "old",
        "kind": "master_worker",
        "state": JobState.SUCCEEDED.value,
        "outcome": Outcome.OPTIMAL.value,
        "labels": {},
        "warnings": [],
        "time_limit": 60.0,
        "attempt": 1,
        "failures": 0,
        "wakes": 0,
        "seq": 4,
        "schedule_id": own,
        "woken_at": ended,
        "created_at": ended,
        "finished_at": ended,
    }


def _claims(database: Database) -> list[float]:
    """Claim steadily, and give the seconds of each."""
    times = []
    for _ in range(CLAIMS):
        with stopwatch() as watch:
            claim_one(database)
        times.append(watch.seconds)
        time.sleep(BETWEEN)
    return times


def _left(database: Database) -> int:
    with database.looking() as connection:
        old = select(func.count()).select_from(jobs).where(jobs.c.tenant == "old")
        return connection.execute(old).scalar_one()


def purge(url: str) -> None:
    """Delete all that is old."""
    pieces.PAUSE_SECONDS = PAUSE
    all_of_it = retention.Retention(Database.open(url), KEPT_DAYS)
    all_of_it.go_on_if_due()
    while all_of_it.is_unfinished:
        time.sleep(PAUSE)
        all_of_it.go_on_if_due()


if __name__ == "__main__":
    purge(sys.argv[1])
