"""Failed jobs that are tried once more: a new job each, since a final state never changes."""

from enum import Enum
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, select, update

from app.db.announcements import announce_jobs
from app.db.jobs import JobRepository
from app.db.models import job_drafts, job_instances, jobs, replans
from app.db.new_jobs import NewJob, new_job_id
from app.db.turns import Lane
from steadygrid.domain.job import JobState


class RequeueRefusal(Enum):
    """RequeueRefusal a job is not tried once more."""

    UNKNOWN = "there is no such job"
    NOT_FAILED = "it has not failed"
    OF_SWEEP = "it is a job of a sweep: POST /v1/sweeps/{id}/retry tries those again"
    REPEATED = "another job repeats it already"


class Requeued(NamedTuple):
    """A job that repeats another one."""

    id: str
    tenant: str
    requires: int


class RequeueRepository:
    """All tenants' failed jobs, for operators."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def requeue(self, job_id: str) -> Requeued | RequeueRefusal:
        """Queue a new job with the body, the name and the labels of one that has failed.

        Asked twice, or by two at once, it makes one.

        Parameters
        ----------
        job_id
            Of the job that has failed, of any tenant.
        """
        row = self._connection.execute(
            select(jobs).where(jobs.c.id == job_id).with_for_update()
        ).first()
        if row is None:
            return RequeueRefusal.UNKNOWN
        if row.state != JobState.FAILED.value:
            return RequeueRefusal.NOT_FAILED
        if row.sweep_id is not None:
            return RequeueRefusal.OF_SWEEP
        if row.replaced_by is not None:
            return RequeueRefusal.REPEATED
        made = self._copy(row)
        self._connection.execute(
            update(jobs).where(jobs.c.id == row.id).values(replaced_by=made.id)
        )
        JobRepository(self._connection, row.tenant).add(
            made, replan_of=row.replan_of, simulation_of=row.simulation_of
        )
        self._connection.execute(update(jobs).where(jobs.c.id == made.id).values(retry_of=row.id))
        self._follow(row, made.id)
        return Requeued(made.id, row.tenant, row.requires)

    def _follow(self, row: Row[Any], job_id: str) -> None:
        """Let a replan wait for the new job, once it is announced that the failed one has ended."""
        if row.replan_of is None:
            return
        announce_jobs(self._connection, jobs.c.id == row.id, limit=1)
        of_it = (replans.c.tenant == row.tenant) & (replans.c.job_id == row.id)
        self._connection.execute(update(replans).where(of_it).values(job_id=job_id))

    def _copy(self, row: Row[Any]) -> NewJob:
        packed, draft = (
            self._connection.execute(
                select(table.c.packed).where(table.c.job_id == row.id)
            ).scalar()
            for table in (job_instances, job_drafts)
        )
        return NewJob(
            id=new_job_id(),
            kind=row.kind,
            name=row.name,
            labels=row.labels,
            warnings=row.warnings,
            time_limit=row.time_limit,
            packed=packed,
            requires=row.requires,
            priority=row.priority,
            draft=draft,
            lane=Lane(row.lane),
        )
