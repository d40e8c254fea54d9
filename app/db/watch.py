"""Jobs that somebody waits for, whoever owns them."""

from collections.abc import Collection

from sqlalchemy import Connection, select

from app.db.models import jobs
from steadygrid.domain.job import JobState


class WatchRepository:
    """All tenants' jobs, for a watcher: who waits was allowed to see the job before."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def versions(self, job_ids: Collection[str]) -> dict[str, tuple[int, JobState]]:
        """Give (`seq`, state) of many jobs in one query; cheap enough to poll."""
        rows = self._connection.execute(
            select(jobs.c.id, jobs.c.seq, jobs.c.state).where(jobs.c.id.in_(list(job_ids)))
        )
        return {row.id: (row.seq, JobState(row.state)) for row in rows}
