"""Stored platforms and applications, named by their content."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, select, tuple_

from app.db.clock import now
from app.db.packing import unpack
from app.db.pages import Page, decode_token, encode_token
from app.db.upsert import conflict_insert


@dataclass(frozen=True)
class DocumentRecord:
    """A stored document, without its text."""

    id: str
    summary: dict[str, Any]
    """Whatever was stored with it to be shown in lists: name, counts, warnings."""
    created_at: datetime


class DocumentRepository:
    """One tenant's documents of one sort. They never change."""

    def __init__(self, connection: Connection, tenant: str, table: Table) -> None:
        self._connection = connection
        self._tenant = tenant
        self._table = table

    def _mine(self, document_id: str) -> ColumnElement[bool]:
        return (self._table.c.tenant == self._tenant) & (self._table.c.id == document_id)

    def put(self, document_id: str, packed: bytes, summary: Mapping[str, Any]) -> bool:
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
            False if it was there already; then nothing changes.
        """
        statement = (
            conflict_insert(self._connection, self._table)
            .values(
                tenant=self._tenant,
                id=document_id,
                summary=dict(summary),
                packed=packed,
                created_at=now(),
            )
            .on_conflict_do_nothing()
            .returning(self._table.c.id)
        )
        return self._connection.execute(statement).first() is not None

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

        Raises
        ------
        PageTokenError
            If the token is not one of ours.
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
