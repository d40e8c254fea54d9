"""The only code that deletes jobs that have ended, for every caller.

A unit that adds a job or stores an answer locks idempotency keys first, then the schedule, and the
row of `tallies`, which a job's end changes, as the last. So does a unit that deletes, schedules and
kinds in order. The tally is then locked only while rows of `jobs` go, and never for a schedule's
chunks.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from app.db.announcements import announce_jobs
from app.db.clock import current_time
from app.db.models import deleted_jobs, idempotency_keys, jobs
from app.db.schedules import ScheduleRepository
from app.db.tombstones import TombstoneRepository
from app.db.turns import Lane
from steadygrid.domain.job import JobState

_FINAL = jobs.c.state.in_([state.value for state in JobState if state.final])


class Removable(NamedTuple):
    """A job that has ended."""

    id: str
    kind: str
    schedule_id: str | None
    lane: int
    announce: int


def removable(
    connection: Connection, which: Sequence[ColumnElement[bool]], limit: int | None = None
) -> Sequence[Removable]:
    """Lock jobs that have ended, those that ended first.

    With a limit, jobs that another process is about to delete are passed over.

    Parameters
    ----------
    connection
        Inside of a transaction.
    which
        Conditions on the jobs.
    limit
        Most that are locked. None: all, and those that others hold are waited for.
    """
    query = (
        select(jobs.c.id, jobs.c.kind, jobs.c.schedule_id, jobs.c.lane, jobs.c.announce)
        .where(_FINAL, *which)
        .with_for_update(skip_locked=limit is not None)
    )
    if limit is not None:
        query = query.order_by(jobs.c.finished_at).limit(limit)
    return [Removable(*row) for row in connection.execute(query)]


def let_go(
    connection: Connection, tenant: str, found: Sequence[Removable], *, tell: bool = True
) -> None:
    """Delete the idempotency keys of jobs, so that the same request makes a new one, and tell.

    Parameters
    ----------
    connection
        Inside of a transaction.
    tenant
        Whose it is, by name.
    found
        Jobs that `removable` locked in this unit.
    tell
        Whether those who look at lists are reported: never of transient jobs, which are in none.
    """
    connection.execute(
        delete(idempotency_keys).where(
            idempotency_keys.c.tenant == tenant,
            idempotency_keys.c.job_id.in_([job.id for job in found]),
        )
    )
    listed = [job.id for job in found if job.lane != Lane.TRANSIENT.value]
    if listed and tell:
        connection.execute(
            insert(deleted_jobs).values(deleted_at=current_time()),
            [{"tenant": tenant, "id": job_id} for job_id in listed],
        )


def bury(connection: Connection, tenant: str, found: Sequence[Removable]) -> None:
    """Remember that jobs were purged, which reports them too; as `let_go`."""
    TombstoneRepository(connection, tenant).add([job.id for job in found])


def remove(connection: Connection, tenant: str, found: Sequence[Removable]) -> None:
    """Delete jobs with all that is their own, and their schedules unless other jobs have them.

    What webhooks have not heard of their ends is announced first.

    Parameters
    ----------
    connection
        Inside of a transaction.
    tenant
        Whose it is, by name.
    found
        Jobs that `removable` locked in this unit.
    """
    ids = [job.id for job in found]
    if any(job.announce for job in found):
        announce_jobs(connection, jobs.c.tenant == tenant, jobs.c.id.in_(ids), limit=len(ids))
    which = (jobs.c.tenant == tenant) & jobs.c.id.in_(ids)
    unused = {job.schedule_id for job in found if job.schedule_id is not None}
    schedules = ScheduleRepository(connection, tenant)
    if unused:
        schedules.lock(*unused)
        connection.execute(update(jobs).where(which).values(schedule_id=None))
    for schedule_id in unused:
        schedules.delete_unused(schedule_id)
    for kind in sorted({job.kind for job in found}):
        connection.execute(delete(jobs).where(which, jobs.c.kind == kind))
