"""Workers, as they have registered themselves. They have no tenant: they work for all."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, func, literal, select, update

from app.db.clock import current_time
from app.db.models import workers
from app.db.skills import Skills
from app.db.upsert import conflict_insert


@dataclass(frozen=True)
class WorkerRecord:
    """A worker, when it was last seen and what it solves with."""

    id: str
    versions: dict[str, str]
    skills: Skills | None
    """None: of a version that does not say, and takes every job."""
    started_at: datetime
    seen_at: datetime
    drained_at: datetime | None = None
    """Since when it takes no more jobs. None: it takes some."""


def _record(row: Any) -> WorkerRecord:
    values = row._asdict()
    if values["skills"] is not None:
        kinds, level = values["skills"]
        values["skills"] = Skills(tuple(kinds), level)
    return WorkerRecord(**values)


def drained(worker: ColumnElement[str]) -> ColumnElement[bool]:
    """Say whether a worker is to take no more jobs, as SQL."""
    return exists().where(workers.c.id == worker, workers.c.drained_at.is_not(None))


class WorkerRepository:
    """The registry of workers."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def seen(
        self, worker_id: str, skills: Skills, versions: Mapping[str, str], *, new: bool = False
    ) -> None:
        """Register a worker, or renew its registration.

        Parameters
        ----------
        worker_id
            Its name. The first 255 characters count.
        skills
            What it can solve.
        versions
            Of its software, by name.
        new
            Whether it has begun to work, so that it takes jobs again.
        """
        said: dict[str, Any] = {"versions": dict(versions), "skills": skills}
        said["seen_at"] = current_time()
        if new:
            said["drained_at"] = None
        self._connection.execute(
            conflict_insert(self._connection, workers)
            .values(id=worker_id[:255], started_at=current_time(), **said)
            .on_conflict_do_update(
                index_elements=[workers.c.tenant, workers.c.id],
                set_=said,
            )
        )

    def active(self, within_seconds: float = 120.0) -> list[WorkerRecord]:
        """List the workers seen lately."""
        rows = self._connection.execute(
            select(*(workers.c[name] for name in WorkerRecord.__dataclass_fields__))
            .where(workers.c.seen_at > current_time(-within_seconds))
            .order_by(workers.c.id)
        )
        return [_record(row) for row in rows]

    def drain(self, names: Collection[str], *, undo: bool = False) -> Sequence[str]:
        """Have workers take no more jobs, or take some again; give the names of those that are known.

        Parameters
        ----------
        names
            Of workers.
        undo
            They take jobs again.
        """
        since = None if undo else func.coalesce(workers.c.drained_at, current_time())
        changed = self._connection.execute(
            update(workers)
            .where(workers.c.id.in_([name[:255] for name in names]))
            .values(drained_at=since)
            .returning(workers.c.id)
        )
        return sorted(changed.scalars())

    def is_drained(self, worker_id: str) -> bool:
        """Say whether a worker is to take no more jobs."""
        return bool(self._connection.execute(select(drained(literal(worker_id[:255])))).scalar())

    def forget(self, worker_id: str) -> None:
        """Remove a worker that ends."""
        self._connection.execute(delete(workers).where(workers.c.id == worker_id[:255]))

    def purge(self, unseen_seconds: float) -> int:
        """Remove workers not seen for long and give their number."""
        unseen = workers.c.seen_at < current_time(-unseen_seconds)
        return self._connection.execute(delete(workers).where(unseen)).rowcount
