"""The fixture `database`: every test that asks for it runs on SQLite and on PostgreSQL."""

import shutil
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import literal

from app.db.clock import current_time
from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.models import LOCAL_TENANT, compatibility, metadata, probes, tenants
from app.db.new_jobs import NewJob
from app.db.queue import Claim, start_of
from app.db.unit import AllTenants
from steadygrid.domain.schedule import (
    Allocation,
    Computation,
    Schedule,
    Transfer,
)
from steadygrid.domain.slots import Slot, SlotTransfer
from tests.conftest import new_postgres_database


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a database with all tables; a test that uses it leaves it `emptied`."""
    with new_postgres_database() as url:
        database = Database.open(url)
        upgrade(database)
        database.close()
        yield url


@pytest.fixture(scope="session")
def sqlite_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all tables, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "steadygrid.db"
    database = Database.open(f"sqlite:///{path}")
    upgrade(database)
    database.close()
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables."""
    if request.param == "postgresql":
        url: str = request.getfixturevalue("postgres_url")
        return url
    return f"sqlite:///{tmp_path / 'steadygrid.db'}"


ON_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""For tests of `database` that ask for nothing that differs between databases."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty database."""
    if request.param == "postgresql":
        database = Database.open(request.getfixturevalue("postgres"))
    else:
        path = tmp_path / "steadygrid.db"
        shutil.copy(request.getfixturevalue("sqlite_file"), path)
        database = Database.open(f"sqlite:///{path}")
    yield database
    emptied(database)
    database.close()


def emptied(database: Database) -> None:
    with database.engine.connect() as connection, connection.begin():
        for table in reversed(metadata.sorted_tables):
            if table not in (compatibility, probes):
                connection.execute(table.delete())
        connection.execute(tenants.insert().values(tenant=LOCAL_TENANT, created_at=current_time()))


def add_job(database: Database, document: Mapping[str, Any] | None = None, **values: Any) -> str:
    job = NewJob.create("master_worker", document or {}, **values)
    with database.write("local") as unit:
        unit.jobs.add(job)
    return job.id


def claim_of(
    unit: AllTenants, job_id: str, lease_seconds: float = 30, worker: str = "w"
) -> Claim | None:
    """Claim one job if it is queued, even if another one is next."""
    given = {"new_worker": worker, "lease_seconds": lease_seconds}
    return unit.queue._take(start_of(literal(job_id)), given)


def small_schedule(slots: int = 2, transfers: int = 1) -> Schedule:
    """A schedule with as many slots and transfers as asked; the numbers mean nothing."""
    one = Fraction(1)
    file = ("begin", "task")
    return Schedule(
        period=Fraction(slots),
        instances_per_period=one,
        throughput=Fraction(1, slots),
        optimal_throughput=Fraction(1, slots),
        loss=Fraction(0),
        rounding_loss=None,
        ports="one_port",
        prologue_periods=1,
        latency_periods=2,
        preempted=False,
        files=(file,),
        allocations=(
            Allocation(
                0,
                Fraction(1, slots),
                one,
                {"task": ("W",)},
                (Transfer(file, ("M", "W"), one),),
            ),
        ),
        computations=(Computation("W", "task", 0, one, Fraction(0), Fraction(1, 3)),),
        slots=tuple(
            Slot(Fraction(i), one, (SlotTransfer("M", "W", file, 0, one),) * transfers)
            for i in range(slots)
        ),
    )
