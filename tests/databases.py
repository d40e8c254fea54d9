"""The fixture `database`: every test that asks for it runs on SQLite and on PostgreSQL."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from app.db.engine import Database
from app.db.jobs import NewJob
from app.db.migrate import upgrade
from app.domain.schedule import Allocation, Computation, Schedule, Slot, SlotTransfer, Transfer


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        url: str = request.getfixturevalue("postgres_url")
        return url
    return f"sqlite:///{tmp_path / 'steadygrid.db'}"


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database.open(database_url)
    upgrade(database)
    yield database
    database.close()


def add_job(database: Database, document: Mapping[str, Any] | None = None, **values: Any) -> str:
    job = NewJob.of("master_worker", document or {}, **values)
    with database.write() as unit:
        unit.jobs.add(job)
    return job.id


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
                {"task": "W"},
                (Transfer(file, ("M", "W"), one),),
            ),
        ),
        computations=(Computation("W", "task", 0, one, Fraction(0), Fraction(1, 3)),),
        slots=tuple(
            Slot(Fraction(i), one, (SlotTransfer("M", "W", file, 0, one),) * transfers)
            for i in range(slots)
        ),
    )
