"""What was begun with a sweep by a process that is gone goes on, a moment at a time."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.models import Doom, SweepKind
from app.db.sweeps import NewSweep, SweepRecord, SweepState
from app.settings import Settings
from steadygrid.domain.job import JobState
from steadygrid.kinds import SOLVES
from tests.databases import add_job
from tests.sweeps import add_sweep, template
from workers.registration import OUR_SKILLS
from workers.sweeper import Sweeper
from workers.unfinished import MOST_AT_ONCE, Unfinished

JOBS = 2 * MOST_AT_ONCE + 20


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """One unit each time, each time due."""
    monkeypatch.setattr("workers.pieces.MOMENT_SECONDS", -1.0)
    monkeypatch.setattr("workers.pieces.PAUSE_SECONDS", -1.0)
    monkeypatch.setattr("app.sweep_creation.PIECE", 50)


def record(database: Database, sweep: str) -> SweepRecord | None:
    with database.read("local") as unit:
        return unit.sweeps.get(sweep)


def times(unfinished: Unfinished, done: Callable[[], bool]) -> int:
    for number in range(100):
        if done():
            return number
        unfinished.go_on_if_due()
    raise AssertionError("never done")


def unmade(database: Database, lease: float) -> str:
    plan = {"template": template(), "patches": [[]] * JOBS}
    sweep = NewSweep.create("master_worker", JOBS, plan, kind=SweepKind.WHAT_IF)
    with database.write("local") as unit:
        unit.sweeps.add(sweep, lease)
    return sweep.id


def test_jobs_are_made_of_sweeps_that_no_process_holds(database: Database) -> None:
    left, held = unmade(database, -1), unmade(database, 30)
    created: list[int] = []
    unfinished = Unfinished(database, 0.0, lambda: created.append(record(database, left).created))
    assert times(unfinished, lambda: record(database, left).state is SweepState.RUNNING) == 3
    assert created == [50, 100, 120]
    assert record(database, held).created == 0
    with database.read("local") as unit:
        found = unit.sweeps.last_tries(left, 0, 2 * JOBS)
    assert [job.sweep_index for job in found] == list(range(JOBS))


def test_what_was_to_be_cancelled_ends(database: Database) -> None:
    sweep = add_sweep(database, [[]] * JOBS)
    with database.write("local") as unit:
        running = unit.queue.claim("w", OUR_SKILLS, 30)
        unit.sweeps.ask_cancel(sweep)
    unfinished = Unfinished(database, 0.0)
    queued = JobState.QUEUED
    assert times(unfinished, lambda: record(database, sweep).counts[queued] == 0) == 3
    assert record(database, sweep).state is SweepState.CANCELLING
    with database.write_all() as unit:
        unit.queue.cancelled(running)
    assert record(database, sweep).state is SweepState.CANCELLED


@pytest.mark.parametrize("doom", Doom)
def test_what_was_to_be_deleted_goes(database: Database, doom: Doom) -> None:
    sweep = add_sweep(database, [[]] * JOBS)
    single = add_job(database)
    with database.write("local") as unit:
        unit.sweeps.ask_cancel(sweep)
        while unit.sweep_work.cancel_some(sweep, 500):
            pass
        unit.sweeps.doom(sweep, doom)
    left = [JOBS]

    def gone() -> bool:
        with database.read("local") as unit:
            left.append(len(unit.jobs.page(1000).items) - 1)
            return not unit.sweep_work.doomed(1)

    assert times(Unfinished(database, 0.0), gone) <= 5
    assert max(before - after for before, after in pairwise(left)) == MOST_AT_ONCE
    with database.read("local") as unit:
        assert [job.id for job in unit.jobs.page(9).items] == [single]
        assert unit.sweeps.plan(sweep) is None


def test_the_sweeper_goes_on_sooner_while_there_is_more_to_do(database: Database) -> None:
    published: list[tuple[str, int]] = []
    settings = Settings(sweep_seconds=3600)
    sweeper = Sweeper(database, settings, lambda *message: published.append(message))
    sweep = unmade(database, -1)
    sweeper.sweep_if_due()
    assert record(database, sweep).created == 50
    assert sweeper.pause < 2
    assert set(published) == {(f"steadygrid-{SOLVES}", 1)}
    for _ in range(40):  # what retention looks at goes on with it
        sweeper.sweep_if_due()
    assert record(database, sweep).created == JOBS
    assert sweeper.pause == 3600


def test_a_database_that_was_away_is_asked_from_the_beginning(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = unmade(database, -1)
    unfinished = Unfinished(database, 0.0)
    unfinished.go_on_if_due()
    with monkeypatch.context() as away, pytest.raises(DatabaseUnavailableError):
        away.setattr(
            Database, "write_all", lambda _: (_ for _ in ()).throw(DatabaseUnavailableError)
        )
        unfinished.go_on_if_due()
    assert times(unfinished, lambda: record(database, sweep).created == JOBS) == 2
