"""Whether a database is what it should be, as far as SQL can tell. Nothing is changed."""

from collections.abc import Callable, Iterator
from io import StringIO

from alembic import command
from alembic.util.exc import CommandError
from sqlalchemy import Connection, exists, func, select, text

from app.db.engine import Database
from app.db.migrate import alembic_config
from app.db.models import job_instances, job_results, jobs, sweep_plans, sweeps
from app.db.tallies import count_and_compare, count_and_compare_sweeps, missing_triggers
from app.db.turns import Lane
from steadygrid.domain.job import JobState

_OF_LANE = {Lane.SINGLE: "", Lane.SWEEP: " of sweeps", Lane.TRANSIENT: " that are transient"}
_MOST = 100
"""Faults of one sort that are reported."""


def soundness(database: Database) -> Iterator[tuple[str, list[str]]]:
    """Look at one thing after the other.

    Yields
    ------
    tuple
        What was looked at, and its faults, each in a sentence.

    Raises
    ------
    DatabaseUnavailableError
        If the database cannot be reached, or is damaged too much to be read.
    """
    for noun, look in _LOOKS.items():
        with database.looking() as connection:
            yield noun, list(look(connection))
    with database.migrating() as connection:
        yield "tables", list(_tables(connection))


def _file(connection: Connection) -> Iterator[str]:
    """Look at every page of an SQLite file. A server looks after its files itself."""
    if connection.dialect.name != "sqlite":
        return
    for line in connection.execute(text(f"PRAGMA integrity_check({_MOST})")).scalars():
        if line != "ok":
            yield f"the file is damaged: {line}"


def _references(connection: Connection) -> Iterator[str]:
    """Look for rows that refer to nothing; PostgreSQL prevents them."""
    if connection.dialect.name != "sqlite":
        return
    found = connection.execute(text("PRAGMA foreign_key_check")).all()
    for table, row, parent, _ in found[:_MOST]:
        yield f"row {row} of {table} refers to a row of {parent} that is not there"


def _triggers(connection: Connection) -> Iterator[str]:
    for name in missing_triggers(connection):
        yield f"the trigger {name} is missing, so that jobs are not counted"


def _counters(connection: Connection) -> Iterator[str]:
    found, said = count_and_compare(connection)
    for place in sorted(found.keys() | said.keys()):
        there, told = found.get(place, 0), said.get(place, 0)
        if there != told:
            tenant, kind, lane, state = place
            yield (
                f"{there} jobs{_OF_LANE[Lane(int(lane))]} of {tenant} ({kind}) are {state}, and the tally says"
                f" {told}"
            )
    found, said = count_and_compare_sweeps(connection)
    for place in sorted(found.keys() | said.keys()):
        there, told = found.get(place, 0), said.get(place, 0)
        if there != told:
            sweep, state = place
            yield f"{there} jobs of {sweep} are {state}, and the sweep says {told}"


def _jobs(connection: Connection) -> Iterator[str]:
    succeeded = jobs.c.state == JobState.SUCCEEDED.value
    single = jobs.c.sweep_id.is_(None)
    for table, of_those in ((job_instances, single), (job_results, succeeded)):
        its_own = exists().where(table.c.job_id == jobs.c.id)
        lacking = select(jobs.c.id).where(of_those, ~its_own).order_by(jobs.c.id).limit(_MOST)
        for job_id in connection.execute(lacking).scalars():
            yield f"{job_id} has no row in {table.name}"


def _sweeps(connection: Connection) -> Iterator[str]:
    """Look for sweeps with other jobs than were made, and those that have ended or should have."""
    plans = select(sweep_plans.c.sweep_id).where(sweep_plans.c.sweep_id == sweeps.c.id).exists()
    places = func.count(jobs.c.sweep_index.distinct())
    # One statement, hence one moment.
    found = connection.execute(
        select(
            sweeps,
            plans.label("has_plan"),
            func.count(jobs.c.id).label("last_tries"),
            places.label("places"),
            (func.coalesce(func.max(jobs.c.sweep_index), -1) + 1).label("reach"),
        )
        .outerjoin(jobs, (jobs.c.sweep_id == sweeps.c.id) & jobs.c.replaced_by.is_(None))
        .where(sweeps.c.doom.is_(None))
        .group_by(sweeps.c.id)
        .order_by(sweeps.c.id)
    )
    for row in found:
        active = row.queued + row.running + row.cancelling
        if not row.has_plan:
            yield f"{row.id} has no row in {sweep_plans.name}"
        if {row.last_tries, row.places, row.reach} != {row.created}:
            yield (
                f"{row.id} has {row.last_tries} jobs at {row.places} places up to {row.reach}, and"
                f" says that {row.created} were made"
            )
        made = row.created == row.jobs and row.cancelled_at is None
        if row.finished_at is not None and active:
            yield f"{row.id} says that it has ended, and {active} of its jobs have not"
        if row.finished_at is None and made and not active:
            yield f"{row.id} says that it has not ended, and all of its jobs have"


def _tables(connection: Connection) -> Iterator[str]:
    config = alembic_config(connection)
    config.stdout = StringIO()
    try:
        command.check(config)
    except CommandError as error:
        yield f"the tables are not what this version makes: {error}"


_LOOKS: dict[str, Callable[[Connection], Iterator[str]]] = {
    "file": _file,
    "references": _references,
    "triggers": _triggers,
    "counters": _counters,
    "jobs": _jobs,
    "sweeps": _sweeps,
}
