"""Jobs that clients wait for, of all owners."""

from collections.abc import Collection

from sqlalchemy import Connection, select

from app.db.models import jobs, sweeps
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

    def sweeps(self, sweep_ids: Collection[str]) -> dict[str, bool]:
        """Say whether sweeps have ended. Those that are gone, or about to go, are left out."""
        rows = self._connection.execute(
            select(sweeps.c.id, sweeps.c.finished_at.is_not(None)).where(
                sweeps.c.id.in_(list(sweep_ids)), sweeps.c.doom.is_(None)
            )
        )
        return {sweep_id: bool(ended) for sweep_id, ended in rows}
