"""What processes of the service have counted, added up in the database.

A process adds what it has counted since the last time, in a unit that it writes anyway or now and
then. So `/metrics` of any API process has the sum over all workers, also over those that have ended.
A process that is killed loses what it had not added yet: at most what happened in half a minute.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Column, Connection, Double, String, Table, select

from app.db.clock import Timestamp, current_time
from app.db.columns import Name, metadata
from app.db.upsert import conflict_insert

_ALL = ""
"""Counters are of no tenant."""

counters = Table(
    "counters",
    metadata,
    Column("tenant", Name(63), primary_key=True, nullable=False),
    Column("name", String(63), primary_key=True, nullable=False),
    Column("value", Double, nullable=False),
    Column("changed_at", Timestamp, nullable=False),
)


class Count(StrEnum):
    """Names of what is counted."""

    SOLVER_STARTS = "solver_starts"
    """Solver processes that were ready for their first job."""
    SOLVER_START_SECONDS = "solver_start_seconds"
    SOLVER_START_CPU_SECONDS = "solver_start_cpu_seconds"
    SWEEPS = "sweeper_rounds"
    RECLAIMED = "reclaimed_jobs"
    """Jobs that the sweeper took from workers that had not come back."""
    PURGED = "purged_rows"
    """What retention has deleted."""
    SENDER_LOOKS = "sender_looks"
    DELIVERED = "delivered"
    """Messages of webhooks that their receivers took."""
    UNDELIVERED = "undelivered"
    """Attempts at messages that failed."""


class Counted(NamedTuple):
    """A counter as it stands."""

    value: float
    seconds_ago: float
    """Since it was added to."""


class CounterRepository:
    """The counters of all processes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, counted: Mapping[str, float]) -> None:
        """Add what was counted, in the order of the names: two who add never wait for each other.

        Parameters
        ----------
        counted
            Numbers by name; 0 only says that there was nothing to count.
        """
        for name in sorted(counted):
            added = conflict_insert(self._connection, counters).values(
                tenant=_ALL, name=name, value=float(counted[name]), changed_at=current_time()
            )
            changes = {
                "value": counters.c.value + added.excluded.value,
                "changed_at": added.excluded.changed_at,
            }
            key = [counters.c.tenant, counters.c.name]
            self._connection.execute(added.on_conflict_do_update(index_elements=key, set_=changes))

    def all(self) -> dict[str, Counted]:
        """Give all counters that were ever added to."""
        now = self._connection.execute(select(current_time())).scalar_one()
        rows = self._connection.execute(select(counters))
        return {
            row.name: Counted(row.value, max(0.0, (now - row.changed_at).total_seconds()))
            for row in rows
        }
