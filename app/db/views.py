"""Views of single jobs, for any reader who has their token, for a while."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from app.db.clock import current_time
from app.db.models import jobs, views

MOST_VIEWS = 100
"""Of a job. The oldest end where there are more."""


class ViewRecord(NamedTuple):
    """What a view shows."""

    tenant: str
    job_id: str


class ViewRepository:
    """All tenants' views, by the SHA-256 of their tokens."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def begin(self, digest: str, tenant: str, job_id: str, seconds: int) -> datetime | None:
        """Begin a view, which ends with its job at the latest.

        Parameters
        ----------
        digest
            Hash of the token. The token itself is not stored.
        tenant
            Whose job it is, by name.
        job_id
            The job that it shows.
        seconds
            For which it is there.

        Returns
        -------
        datetime or None
            When it ends. None if there is no such job.
        """
        job = select(jobs.c.id).where(jobs.c.tenant == tenant, jobs.c.id == job_id)
        # Held, so that it is not deleted meanwhile.
        if self._connection.scalar(job.with_for_update(key_share=True, read=True)) is None:
            return None
        row = {"hash": digest, "tenant": tenant, "job_id": job_id}
        times = {"created_at": current_time(), "expires_at": current_time(seconds)}
        making = insert(views).values(row | times).returning(views.c.expires_at)
        end: datetime = self._connection.execute(making).scalar_one()
        newest = (
            select(views.c.hash)
            .where(views.c.job_id == job_id)
            .order_by(views.c.created_at.desc(), views.c.hash)
            .limit(MOST_VIEWS)
        )
        others = views.c.job_id == job_id, views.c.hash.not_in(newest), views.c.hash != digest
        self._connection.execute(delete(views).where(*others))
        return end

    def find(self, digest: str) -> ViewRecord | None:
        """Give what a view shows. None if it has ended, or never was."""
        row = self._connection.execute(
            select(views.c.tenant, views.c.job_id).where(
                views.c.hash == digest, views.c.expires_at > current_time()
            )
        ).first()
        return None if row is None else ViewRecord(*row)

    def end(self, tenant: str, job_id: str) -> int:
        """End all views of a job, and give their number.

        Parameters
        ----------
        tenant
            Whose job it is, by name.
        job_id
            Of the job.
        """
        own = views.c.tenant == tenant, views.c.job_id == job_id
        return self._connection.execute(delete(views).where(*own)).rowcount

    def purge(self) -> int:
        """Delete views that have ended, and give their number."""
        ended = views.c.expires_at <= current_time()
        return self._connection.execute(delete(views).where(ended)).rowcount
