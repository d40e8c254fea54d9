"""Claims in a long queue of one tenant, and how long another tenant's first job waits there."""

import os
import statistics
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

from sqlalchemy import create_engine, insert, text

from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.models import jobs
from app.db.new_jobs import NewJob, new_job_id
from app.db.queue import Claim
from app.db.skills import Skills
from benchmarks.measurement import Measurement, stopwatch
from benchmarks.service import queued_row
from steadygrid.kinds import PROBLEMS, SOLVES

QUEUED = 100_000
PIECE = 2_000
CLAIMS = 200
WORKERS = 6
SKILLS = Skills(tuple(PROBLEMS), SOLVES)
_POSTGRES = "STEADYGRID_TEST_POSTGRES"


def measure() -> Iterator[Measurement]:
    """Claim from short and long queues, on each database."""
    yield from on_each_database(_measured)


def on_each_database(
    measured: Callable[[str, str], Iterator[Measurement]],
) -> Iterator[Measurement]:
    """Measure by name and URL: on SQLite, and on the PostgreSQL that the environment names."""
    with tempfile.TemporaryDirectory() as folder:
        yield from measured("SQLite", f"sqlite:///{folder}/steadygrid.db")
    if server := os.environ.get(_POSTGRES):
        with _new_database(server) as url:
            yield from measured("PostgreSQL", url)


def _measured(name: str, url: str) -> Iterator[Measurement]:
    database = Database.open(url)
    upgrade(database)
    queue_up(database, 2 * CLAIMS)
    short = _seconds_of_a_claim(database)
    queue_up(database, QUEUED)
    long = _seconds_of_a_claim(database)
    yield Measurement(f"{name}: a claim, {2 * CLAIMS} jobs queued, median", 1000 * short, "ms")
    yield Measurement(
        f"{name}: {QUEUED:,} jobs queued / {2 * CLAIMS}, a claim", long / short, "times", claim=1.5
    )
    yield Measurement(
        f"{name}: claims before another tenant's first job, {WORKERS} workers",
        _claims_before_a_newcomer(database),
        "",
        claim=WORKERS,
    )
    database.close()


def queue_up(database: Database, number: int) -> None:
    """Queue jobs of one tenant, in pieces: each job changes the same tally."""
    row = queued_row() | {"tenant": "a"}
    for first in range(0, number, PIECE):
        rows = [row | {"id": new_job_id()} for _ in range(first, min(first + PIECE, number))]
        with database.engine.connect() as connection, connection.begin():
            connection.execute(insert(jobs), rows)
    if database.dialect == "postgresql":
        with database.engine.connect() as connection:
            own_way = connection.execution_options(isolation_level="AUTOCOMMIT")
            own_way.execute(text("VACUUM (ANALYZE) jobs, tallies"))


def claim_one(database: Database) -> Claim:
    """Claim the job whose turn it is."""
    with database.write_all() as unit:
        found = unit.queue.claim("benchmark", SKILLS, 600)
    if found is None:
        raise RuntimeError("nothing was claimed although jobs are queued")
    return found


def _seconds_of_a_claim(database: Database) -> float:
    times = []
    for _ in range(CLAIMS):
        with stopwatch() as watch:
            claim_one(database)
        times.append(watch.seconds)
    return statistics.median(times)


def _claims_before_a_newcomer(database: Database) -> int:
    """Let workers claim at once, let another tenant come, and count who is served before it."""
    lock = threading.Lock()
    served: list[str] = []
    ended = threading.Event()

    def work() -> None:
        while not ended.is_set():
            taken = claim_one(database)
            with lock:
                served.append(taken.tenant)
            if taken.tenant == "b":
                ended.set()

    workers = [threading.Thread(target=work) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    with database.write("b") as unit:
        unit.jobs.add(NewJob.create("master_worker", {}))
    with lock:
        before = len(served)
    for worker in workers:
        worker.join()
    return served.index("b") - before


@contextmanager
def _new_database(server: str) -> Iterator[str]:
    """Make a database on a server, and drop it afterwards."""
    name = f"steadygrid_benchmark_{uuid4().hex[:12]}"
    url = server.replace("postgresql://", "postgresql+psycopg://", 1)
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield server.rsplit("/", 1)[0] + f"/{name}"
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()
