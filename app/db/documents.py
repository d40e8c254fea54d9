"""Stored platforms and applications, named by their content."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, select, tuple_, update

from app.db.clock import before_days, current_time
from app.db.packing import unpack
from app.db.pages import Page, decode_token, encode_token
from app.db.upsert import conflict_insert


@dataclass(frozen=True)
class DocumentRecord:
    """A stored document, without its text."""

    id: str
    summary: dict[str, Any]
    """Everything stored with it to be shown in lists: name, counts, warnings."""
    created_at: datetime


class DocumentRepository:
    """One tenant's documents of one sort. They never change."""

    def __init__(self, connection: Connection, tenant: str, table: Table) -> None:
        self._connection = connection
        self._tenant = tenant
        self._table = table

    def _mine(self, document_id: str) -> ColumnElement[bool]:
        return (self._table.c.tenant == self._tenant) & (self._table.c.id == document_id)

    def store(self, document_id: str, packed: bytes, summary: Mapping[str, Any]) -> bool:
        """Store a document by its content id.

        Parameters
        ----------
        document_id
            See `steadygrid.domain.document.content_id`.
        packed
            See `app.db.packing.pack`.
        summary
            A small JSON object for lists.

        Returns
        -------
        bool
            False if it was there already; then only its use is noted, as by `use`.
        """
        table = self._table.c
        statement = (
            conflict_insert(self._connection, self._table)
            .values(
                tenant=self._tenant,
                id=document_id,
                summary=dict(summary),
                packed=packed,
                created_at=current_time(),
            )
            .on_conflict_do_update(
                index_elements=[table.tenant, table.id],
                set_={"used_at": current_time()},
                where=self._unused_for(1),
            )
            .returning(table.used_at)
        )
        written = self._connection.execute(statement).first()
        return written is not None and written.used_at is None

    def use(self, document_id: str) -> None:
        """Note that a document is used, unless that has been noted within the last day."""
        self._connection.execute(
            update(self._table)
            .where(self._mine(document_id), self._unused_for(1))
            .values(used_at=current_time())
        )

    def purge(self, days: int, limit: int) -> int:
        """Delete documents that were not used for so long; jobs keep their own copies.

        Parameters
        ----------
        days
            For how long they were not used, or longer.
        limit
            Most that are deleted in this unit.

        Returns
        -------
        int
            How many were deleted, at most `limit`.
        """
        table = self._table.c
        # What is noted may be a day older than the last use.
        unused = (
            select(table.id)
            .where(table.tenant == self._tenant, self._unused_for(days + 1))
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        return self._connection.execute(
            delete(self._table).where(table.tenant == self._tenant, table.id.in_(unused))
        ).rowcount

    def _unused_for(self, days: int) -> ColumnElement[bool]:
        table = self._table.c
        never = table.used_at.is_(None) & before_days(table.created_at, days)
        return never | before_days(table.used_at, days)

    def get(self, document_id: str) -> DocumentRecord | None:
        """Give a document's record, or None if there is none."""
        table = self._table.c
        row = self._connection.execute(
            select(table.id, table.summary, table.created_at).where(self._mine(document_id))
        ).first()
        return None if row is None else DocumentRecord(*row)

    def document(self, document_id: str) -> Any:
        """Give the document itself, or None if there is none."""
        packed = self.packed(document_id)
        return None if packed is None else unpack(packed)

    def packed(self, document_id: str) -> bytes | None:
        """Give the document, packed as it is stored, or None if there is none."""
        found: bytes | None = self._connection.execute(
            select(self._table.c.packed).where(self._mine(document_id))
        ).scalar()
        return found

    def page(self, limit: int, token: str | None = None) -> Page[DocumentRecord]:
        """List documents, the newest first.

        Parameters
        ----------
        limit
            Most documents on the page.
        token
            `Page.next_token` of the page before. None: the first page.

        Raises
        ------
        PageTokenError
            If the service did not make the token.
        """
        table = self._table.c
        query = select(table.id, table.summary, table.created_at).where(
            table.tenant == self._tenant
        )
        if token is not None:
            last = decode_token(token, (str,))[0]
            moment = select(table.created_at).where(self._mine(last)).scalar_subquery()
            query = query.where(tuple_(table.created_at, table.id) < tuple_(moment, last))
        rows = self._connection.execute(
            query.order_by(table.created_at.desc(), table.id.desc()).limit(limit + 1)
        )
        found = [DocumentRecord(*row) for row in rows]
        more = len(found) > limit
        return Page(found[:limit], encode_token([found[limit - 1].id]) if more else None)

    def delete(self, document_id: str) -> bool:
        """Delete a document; False if there is none. Jobs keep their own copies."""
        deleted = self._connection.execute(delete(self._table).where(self._mine(document_id)))
        return deleted.rowcount == 1
