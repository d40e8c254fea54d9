"""What happened to jobs: the stored form of the server-sent events."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, insert, select

from app.db.clock import current_time
from app.db.models import job_events

EventType = Literal["state", "progress", "end"]
_WRITING = insert(job_events).values(created_at=current_time())


@dataclass(frozen=True)
class EventRecord:
    """One event. Its sequence number rises by at least one from event to event of a job."""

    seq: int
    type: EventType
    data: dict[str, Any]
    created_at: datetime


def write_events(
    connection: Connection,
    tenant: str,
    job_id: str,
    seq: int,
    events: Sequence[tuple[EventType, dict[str, Any]]],
) -> None:
    """Store the events that end with sequence number `seq`, in the change's transaction.

    Parameters
    ----------
    connection
        Inside of a transaction.
    tenant
        Whose it is, by name.
    job_id
        Of the job.
    seq
        Number of the last of these events. Each has the next one.
    events
        Types and data, in order.
    """
    first = seq - len(events) + 1
    connection.execute(
        _WRITING,
        [
            {"tenant": tenant, "job_id": job_id, "seq": number, "type": kind, "data": data}
            for number, (kind, data) in enumerate(events, first)
        ],
    )


class EventRepository:
    """Events of one tenant's jobs."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def list_after(self, job_id: str, seq: int = 0, limit: int = 1000) -> list[EventRecord]:
        """Give the events with a sequence number above `seq`, in order.

        Parameters
        ----------
        job_id
            Of the job.
        seq
            Number of the last event that is known; 0: none.
        limit
            Most that are given.
        """
        table = job_events.c
        rows = self._connection.execute(
            select(table.seq, table.type, table.data, table.created_at)
            .where(table.tenant == self._tenant, table.job_id == job_id, table.seq > seq)
            .order_by(table.seq)
            .limit(limit)
        )
        return [EventRecord(*row) for row in rows]
