"""Sessions of people who have logged in on the pages, for as long as their keys hold."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, select, update

from app.db.clock import current_time
from app.db.keys import alive
from app.db.models import keys, sessions
from app.db.scopes import Scope, known_scopes

IDLE_SECONDS = 12 * 3_600.0
"""After its last use a session ends."""
LONGEST_SECONDS = 7 * 86_400.0
"""A session ends, however much it is used."""
RENEWAL_SECONDS = 60.0
"""The last use is written at most so often."""


class SessionRecord(NamedTuple):
    """Whose session it is, and what it may do."""

    tenant: str
    key_id: str
    scopes: frozenset[Scope]
    due: bool
    """Whether it is time to `SessionRepository.renew` it."""


_RECORD = (
    sessions.c.tenant,
    sessions.c.key_id,
    sessions.c.scopes,
    (sessions.c.used_at < current_time(-RENEWAL_SECONDS)).label("due"),
)


def _goes_on() -> ColumnElement[bool]:
    return and_(
        sessions.c.used_at > current_time(-IDLE_SECONDS),
        sessions.c.created_at > current_time(-LONGEST_SECONDS),
    )


class SessionRepository:
    """All tenants' sessions, by the SHA-256 of what the cookie holds."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def begin(self, digest: str, tenant: str, key_id: str, scopes: Iterable[Scope]) -> None:
        """Begin a session. It ends with its key.

        Parameters
        ----------
        digest
            Hash of the secret in the cookie. The secret itself is not stored.
        tenant
            Whose it is, by name.
        key_id
            The key with which it was begun.
        scopes
            What may be asked in it.
        """
        self._connection.execute(
            insert(sessions).values(
                hash=digest,
                tenant=tenant,
                key_id=key_id,
                scopes=sorted(scopes),
                created_at=current_time(),
                used_at=current_time(),
            )
        )

    def find(self, digest: str) -> SessionRecord | None:
        """Give a session that has not ended, nor its key. None if there is none."""
        row = self._connection.execute(
            select(*_RECORD)
            .join(keys, keys.c.id == sessions.c.key_id)
            .where(
                sessions.c.hash == digest,
                _goes_on(),
                alive(),
            )
        ).first()
        return _record(row)

    def renew(self, digest: str) -> None:
        """Write that a session is in use."""
        self._connection.execute(
            update(sessions)
            .where(sessions.c.hash == digest, _goes_on())
            .values(used_at=current_time())
        )

    def end(self, digest: str) -> SessionRecord | None:
        """End a session. None if there is none."""
        row = self._connection.execute(
            delete(sessions).where(sessions.c.hash == digest).returning(*_RECORD)
        ).first()
        return _record(row)

    def purge(self) -> int:
        """Delete sessions that have ended, and give their number."""
        return self._connection.execute(delete(sessions).where(~_goes_on())).rowcount


def _record(row: Any) -> SessionRecord | None:
    return None if row is None else SessionRecord(*row)._replace(scopes=known_scopes(row.scopes))
