"""What changes among one tenant's jobs, for those who look at a list of them.

Looked for by polls, each compared with the one before, and never by a scan: what can have
changed is running, has ended lately, or is new. Moments of commits are no help, since what
commits late has an early one.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, func, literal, select

from app.db.clock import current_time
from app.db.jobs import JOB_COLUMNS, JobRecord, job_record
from app.db.models import deleted_jobs, jobs, tallies, tombstones
from app.db.new_jobs import OF_JOBS, id_before
from app.db.turns import Lane
from steadygrid.domain.job import JobState

NEWEST = 100
"""Jobs that are looked at because they are new, however long ago they were made."""
LATE_SECONDS = 60.0
"""A job may come to the database so much later than a younger one: all jobs that are not older are
looked at, too."""
MOST_NEW = 10_000
"""Jobs that are looked at because they were made lately."""
WAITING = 100
"""Jobs that are looked at because they have waited for the longest: they are claimed first, and may
be back before any client has looked."""
ENDED_SECONDS = 60.0
"""For so long a job that has ended is looked at."""
MOST_ENDED = 10_000
"""Jobs that are looked at because they have ended lately."""
DELETED_SECONDS = 60.0
"""For so long it is looked for which jobs were deleted."""
MOST_DELETED = 10_001
"""Jobs that are looked for because they were deleted: one more than a listener waits for, which
then has to list again."""
_AT_ONCE = 500
_ACTIVE = (JobState.RUNNING.value, JobState.CANCELLING.value)


class Version(NamedTuple):
    """A job as a poll has found it; `seq` rises with every visible change."""

    seq: int
    state: JobState


class Snapshot(NamedTuple):
    """A tenant's jobs as a poll has found them, as far as they may have changed lately."""

    versions: dict[str, Version]
    deleted: frozenset[str]
    """Those that are gone."""


class Waiting(NamedTuple):
    """A job that waits for a worker."""

    id: str
    since: datetime


class NewsRepository:
    """One tenant's jobs, as far as they may have changed lately; transient ones are no news."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._mine = (jobs.c.tenant == tenant) & (jobs.c.lane != Lane.TRANSIENT.value)
        self._tenant = tenant

    def newest(self) -> str:
        """Give the youngest job's id; empty if there is none."""
        query = select(jobs.c.id).where(self._mine).order_by(jobs.c.id.desc()).limit(1)
        return self._connection.execute(query).scalar() or ""

    def versions(self, newest: str) -> dict[str, Version]:
        """Give the jobs that are running, the newest, and those that have ended lately.

        Parameters
        ----------
        newest
            The youngest job that was known before. Those that are younger are among the newest, and
            those that were made shortly before it.
        """
        # In a subquery the moment is a constant, so that PostgreSQL takes the index.
        lately = select(current_time(-ENDED_SECONDS)).scalar_subquery()
        found = self._versions(jobs.c.state.in_(_ACTIVE))
        found |= self._versions(jobs.c.finished_at > lately, jobs.c.finished_at.desc(), MOST_ENDED)
        since = id_before(newest, LATE_SECONDS)
        found |= self._versions(jobs.c.id > since, jobs.c.id.desc(), MOST_NEW)
        return found | self._versions(None, jobs.c.id.desc(), NEWEST)

    def waiting(self) -> dict[str, Version]:
        """Give the queued jobs that were made first."""
        return self._versions(jobs.c.state == JobState.QUEUED.value, jobs.c.id.asc(), WAITING)

    def deleted(self) -> frozenset[str]:
        """Give the jobs that were deleted lately, by their owner or by retention."""
        by_owner = self._gone(deleted_jobs.c.id, deleted_jobs.c.deleted_at)
        return by_owner | self._gone(tombstones.c.job_id, tombstones.c.purged_at)

    def _gone(self, job: Column[str], since: Column[datetime]) -> frozenset[str]:
        lately = select(current_time(-DELETED_SECONDS)).scalar_subquery()
        mine = job.table.c.tenant == self._tenant
        query = select(job).where(mine, since > lately, job.startswith(OF_JOBS, autoescape=True))
        query = query.order_by(since.desc()).limit(MOST_DELETED)
        return frozenset(self._connection.execute(query).scalars())

    def _versions(
        self,
        which: ColumnElement[bool] | None,
        order: ColumnElement[object] | None = None,
        limit: int | None = None,
    ) -> dict[str, Version]:
        query = select(jobs.c.id, jobs.c.seq, jobs.c.state).where(self._mine)
        if which is not None:
            query = query.where(which)
        if order is not None:
            # PostgreSQL sorts all rows of a table that it has not analyzed yet where it knows the limit.
            query = query.order_by(order).limit(select(literal(limit)).scalar_subquery())
        return {
            row.id: Version(row.seq, JobState(row.state)) for row in self._connection.execute(query)
        }

    def records(self, ids: Sequence[str]) -> Iterator[JobRecord]:
        """Give jobs by their ids, as far as they are there."""
        for first in range(0, len(ids), _AT_ONCE):
            some = ids[first : first + _AT_ONCE]
            query = select(*JOB_COLUMNS).where(self._mine, jobs.c.id.in_(some))
            yield from map(job_record, self._connection.execute(query))

    def counts(self) -> Mapping[JobState, int]:
        """Give the number of jobs by state, from the tallies."""
        sums = (func.coalesce(func.sum(tallies.c[state]), 0).label(state) for state in JobState)
        listed = tallies.c.lane != Lane.TRANSIENT.value
        query = select(*sums).where(tallies.c.tenant == self._tenant, listed)
        row = self._connection.execute(query).one()
        return {state: int(row._mapping[state]) for state in JobState}

    def oldest_waiting(self) -> Waiting | None:
        """Give the queued job that was made first."""
        row = self._connection.execute(
            select(jobs.c.id, jobs.c.created_at)
            .where(self._mine, jobs.c.state == JobState.QUEUED.value)
            .order_by(jobs.c.id)
            .limit(1)
        ).first()
        return None if row is None else Waiting(*row)
