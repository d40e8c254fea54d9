"""How long things are kept: the periods of all tenants, and what is remembered of what was purged."""

from collections.abc import Sequence
from typing import NamedTuple, cast

from sqlalchemy import ColumnElement, Connection, delete, func, select, tuple_

from app.db.clock import before_days
from app.db.documents import DocumentRepository
from app.db.grid_tables import measurements
from app.db.jobs import JobRepository
from app.db.measurements import MeasurementRepository
from app.db.models import applications, platforms, tallies, tenants, tombstones
from app.db.replans import ReplanRepository
from app.db.sweeps import SweepRepository
from app.db.turns import Lane
from steadygrid.domain.job import JobState

TRANSIENT_SECONDS = 600
"""A transient job is there for so long after its end."""
TOMBSTONE_DAYS = 30
"""For so long a purged job, sweep or replan answers that it was."""


_KEPT: dict[str, type[JobRepository | SweepRepository | ReplanRepository]] = {
    "jobs": JobRepository,
    "sweeps": SweepRepository,
    "replans": ReplanRepository,
}
_SHELVES = {"platforms": platforms, "applications": applications}
PURGED = (*_KEPT, *_SHELVES)
"""What is deleted when it is too old."""


class Period(NamedTuple):
    """How long a tenant's jobs are kept after their end, and documents after their last use."""

    tenant: str
    days: int


class RetentionRepository:
    """All tenants, for the sweeper."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def periods(self, days: int) -> Sequence[Period]:
        """List the tenants that do not keep everything for ever.

        Parameters
        ----------
        days
            Of tenants for whom nothing else is said; 0: for ever.
        """
        known = select(tenants.c.tenant).union(select(tallies.c.tenant)).subquery()
        kept = func.coalesce(tenants.c.retention_days, days)
        rows = self._connection.execute(
            select(known.c.tenant, kept)
            .outerjoin(tenants, tenants.c.tenant == known.c.tenant)
            .where(kept > 0)
            .order_by(known.c.tenant)
        )
        return [Period(*row) for row in rows]

    def tenants_of_transient(self) -> Sequence[str]:
        """Name the tenants that have transient jobs which have ended."""
        ended = sum(tallies.c[state] for state in JobState if state.final)
        query = select(tallies.c.tenant).where(
            tallies.c.lane == Lane.TRANSIENT.value, cast(ColumnElement[int], ended) > 0
        )
        return self._connection.execute(query.distinct().order_by(tallies.c.tenant)).scalars().all()

    def forget_transient(self, tenant: str, limit: int) -> int:
        """Delete a tenant's transient jobs that ended some time ago; give their number.

        Parameters
        ----------
        tenant
            By name.
        limit
            Most that are deleted in this unit.
        """
        return JobRepository(self._connection, tenant).forget_transient(TRANSIENT_SECONDS, limit)

    def purge(self, period: Period, noun: str, limit: int) -> int:
        """Delete a tenant's things of one of `PURGED` that are too old; give their number.

        Parameters
        ----------
        limit
            Most that are deleted in this unit.
        """
        kept: JobRepository | SweepRepository | ReplanRepository | DocumentRepository
        if noun in _KEPT:
            kept = _KEPT[noun](self._connection, period.tenant)
        else:
            kept = DocumentRepository(self._connection, period.tenant, _SHELVES[noun])
        return kept.purge(period.days, limit)

    def purge_measurements(self, days: int, limit: int) -> int:
        """Delete measurements of one platform that are too old, at most so many; give their number.

        Parameters
        ----------
        days
            For how long measurements are kept.
        limit
            Most that are deleted in this unit.
        """
        key = (measurements.c.tenant, measurements.c.platform_id)
        old = select(*key).where(before_days(measurements.c.at, days)).limit(1)
        found = self._connection.execute(old).first()
        if found is None:
            return 0
        repository = MeasurementRepository(self._connection, found.tenant)
        return repository.purge(found.platform_id, days, limit)

    def purge_tombstones(self, limit: int) -> int:
        """Forget what was purged long ago, at most so many, and give their number."""
        key = (tombstones.c.tenant, tombstones.c.job_id)
        old = select(*key).where(before_days(tombstones.c.purged_at, TOMBSTONE_DAYS)).limit(limit)
        return self._connection.execute(delete(tombstones).where(tuple_(*key).in_(old))).rowcount
