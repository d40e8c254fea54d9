"""Replans: what was measured, and the job that plans anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from app.db.clock import before_days, current_time
from app.db.idempotency import IdempotencyRepository
from app.db.ids import new_id
from app.db.models import replans
from app.db.packing import unpack
from app.db.pages import Page, decode_token, encode_token
from app.db.tombstones import TombstoneRepository

OF_REPLANS = "rpl_"


def new_replan_id() -> str:
    """Make an id that sorts by its birth: ``rpl_`` and 32 hexadecimal digits."""
    return new_id(OF_REPLANS)


@dataclass(frozen=True)
class ReplanRecord:
    """A replan's row."""

    id: str
    of_job: str
    """The job whose schedule runs."""
    job_id: str | None
    """The job that plans anew, if that was asked."""
    created_at: datetime


_COLUMNS = tuple(replans.c[name] for name in ReplanRecord.__dataclass_fields__)


class ReplanRepository:
    """One tenant's replans."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._mine = replans.c.tenant == tenant

    def add(self, replan_id: str, of_job: str, job_id: str | None, packed: bytes) -> None:
        """Store a replan; `packed` is its document, see `app.db.packing.pack`.

        Parameters
        ----------
        replan_id
            A new id.
        of_job
            The job whose plan is looked at.
        job_id
            The job that was made for it. None: there is none.
        packed
            The compressed document.
        """
        self._connection.execute(
            insert(replans).values(
                tenant=self._tenant,
                id=replan_id,
                of_job=of_job,
                job_id=job_id,
                packed=packed,
                created_at=current_time(),
            )
        )

    def get(self, replan_id: str) -> ReplanRecord | None:
        """Give a replan, or None if there is none."""
        query = select(*_COLUMNS).where(self._mine, replans.c.id == replan_id)
        row = self._connection.execute(query).first()
        return None if row is None else ReplanRecord(*row)

    def document(self, replan_id: str) -> Any:
        """Give what was stored of a replan, or None if there is none."""
        query = select(replans.c.packed).where(self._mine, replans.c.id == replan_id)
        packed = self._connection.execute(query).scalar()
        return None if packed is None else unpack(packed)

    def page(
        self, limit: int, token: str | None = None, of_job: str | None = None
    ) -> Page[ReplanRecord]:
        """List replans, the newest first.

        Parameters
        ----------
        of_job
            Only those of the schedule of this job. None: all.

        Raises
        ------
        PageTokenError
            If the service did not make the token.
        """
        query = select(*_COLUMNS).where(self._mine)
        if of_job is not None:
            query = query.where(replans.c.of_job == of_job)
        if token is not None:
            query = query.where(replans.c.id < decode_token(token, (str,))[0])
        rows = self._connection.execute(query.order_by(replans.c.id.desc()).limit(limit + 1))
        found = [ReplanRecord(*row) for row in rows]
        more, found = len(found) > limit, found[:limit]
        return Page(found, encode_token([found[-1].id]) if more else None)

    def delete(self, replan_id: str) -> bool:
        """Delete a replan with its idempotency keys, not its job; False if there is none."""
        if not self._delete([replan_id]):
            return False
        IdempotencyRepository(self._connection, self._tenant).let_go(replan_id)
        return True

    def _delete(self, ids: Sequence[str]) -> int:
        which = self._mine & replans.c.id.in_(ids)
        return self._connection.execute(delete(replans).where(which)).rowcount

    def purge(self, days: int, limit: int) -> int:
        """Delete replans that were made longer ago, at most so many, and keep their tombstones.

        Parameters
        ----------
        days
            Least age of those that are deleted.
        limit
            Most that are deleted in this unit.

        Returns
        -------
        int
            How many were deleted.
        """
        old = (
            select(replans.c.id)
            .where(self._mine, before_days(replans.c.created_at, days))
            .order_by(replans.c.created_at)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        found = self._connection.execute(old).scalars().all()
        TombstoneRepository(self._connection, self._tenant).add(found)
        return self._delete(found)
