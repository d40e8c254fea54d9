"""Workers, as they have registered themselves. They have no tenant: they work for all."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select

from app.db.clock import now
from app.db.models import workers
from app.db.upsert import conflict_insert


@dataclass(frozen=True)
class WorkerRecord:
    """A worker, when it was last seen and what it solves with."""

    id: str
    versions: dict[str, str]
    started_at: datetime
    seen_at: datetime


class WorkerRepository:
    """The registry of workers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def seen(self, worker_id: str, versions: Mapping[str, str]) -> None:
        """Register a worker, or renew its registration."""
        self._connection.execute(
            conflict_insert(self._connection, workers)
            .values(
                id=worker_id[:255],
                versions=dict(versions),
                started_at=now(),
                seen_at=now(),
            )
            .on_conflict_do_update(
                index_elements=[workers.c.tenant, workers.c.id],
                set_={"versions": dict(versions), "seen_at": now()},
            )
        )

    def active(self, within_seconds: float = 120.0) -> list[WorkerRecord]:
        """List the workers seen lately."""
        rows = self._connection.execute(
            select(workers.c.id, workers.c.versions, workers.c.started_at, workers.c.seen_at)
            .where(workers.c.seen_at > now(-within_seconds))
            .order_by(workers.c.id)
        )
        return [WorkerRecord(*row) for row in rows]

    def forget(self, worker_id: str) -> None:
        """Remove a worker that ends."""
        self._connection.execute(delete(workers).where(workers.c.id == worker_id[:255]))

    def purge(self, unseen_seconds: float) -> int:
        """Remove workers not seen for long and give their number."""
        unseen = workers.c.seen_at < now(-unseen_seconds)
        return self._connection.execute(delete(workers).where(unseen)).rowcount
