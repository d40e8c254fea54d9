"""How many seconds workers have spent on each tenant's jobs on a day, counted by the database itself.

The trigger that counts attempts adds to a row of the tenant and the day, in the transaction that ends
the attempt. So nothing is summed up when it is asked whether a quota is used up. A day is one of UTC,
and an attempt counts on the day on which it ends.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Column, Connection, Date, Double, Table, bindparam, delete, select

from app.db.attempts import LEFT_WORKER, seconds_spent
from app.db.clock import current_time
from app.db.columns import Name, metadata

solver_days = Table(
    "solver_days",
    metadata,
    Column("tenant", Name(63), primary_key=True, nullable=False),
    Column("day", Date, primary_key=True, nullable=False),
    Column("seconds", Double, nullable=False),
)
_TODAY = {
    "sqlite": "date('now')",
    "postgresql": "CAST(clock_timestamp() AT TIME ZONE 'UTC' AS date)",
}


class SolverDay(NamedTuple):
    """What workers have spent on a tenant's jobs on the present day."""

    used: float
    """Seconds, of attempts that have ended."""
    left: float
    """Seconds until the day ends."""
    end: datetime
    """When that is."""


def adding(dialect: str) -> str:
    """Write the statement of the trigger that counts, after a change of a job's state.

    A unit that ends an attempt locks the row after the tally, and ends no other attempt.

    Parameters
    ----------
    dialect
        ``sqlite`` or ``postgresql``.
    """
    return (
        "INSERT INTO solver_days (tenant, day, seconds)"
        f" SELECT NEW.tenant, {_TODAY[dialect]}, {seconds_spent(dialect)} WHERE {LEFT_WORKER}"
        " ON CONFLICT (tenant, day) DO UPDATE SET seconds = solver_days.seconds + excluded.seconds"
    )


_PRESENT = select(current_time())
_OF_TENANT = select(solver_days.c.seconds).where(
    solver_days.c.tenant == bindparam("name"), solver_days.c.day == bindparam("day")
)
_OF_ALL = select(solver_days.c.tenant, solver_days.c.seconds).where(
    solver_days.c.day == bindparam("day")
)


def solver_day(connection: Connection, tenant: str) -> SolverDay:
    """Say what workers have spent on a tenant's jobs today.

    Parameters
    ----------
    tenant
        Whose jobs.
    """
    now = connection.execute(_PRESENT).scalar_one()
    used = connection.execute(_OF_TENANT, {"name": tenant, "day": now.date()}).scalar()
    end = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return SolverDay(used or 0.0, (end - now).total_seconds(), end)


def solver_seconds(connection: Connection) -> Mapping[str, float]:
    """Give the seconds that workers have spent today, by tenant. Who has none is left out."""
    today = connection.execute(_PRESENT).scalar_one().date()
    return {row.tenant: row.seconds for row in connection.execute(_OF_ALL, {"day": today})}


def forget_days(connection: Connection) -> int:
    """Delete what was counted on days before yesterday, and give the number of rows."""
    today = connection.execute(_PRESENT).scalar_one().date()
    past = solver_days.c.day < today - timedelta(days=1)
    return connection.execute(delete(solver_days).where(past)).rowcount
