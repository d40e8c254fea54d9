"""Keys of programs: a program that has one asks for its tenant, as far as its scopes reach."""

import hashlib
import hmac
import re
import secrets
import string
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, insert, or_, select, update

from app.db.clock import current_time
from app.db.models import keys
from app.db.scopes import Scope, known_scopes

USE_SECONDS = 60.0
"""The last use of a key is written no more often."""
KEY_PREFIX = "sk_"
_ID_LETTERS = 8
_SECRET_LETTERS = 32
_SECRET_ALPHABET = string.ascii_letters + string.digits
_KEY = re.compile(
    rf"{KEY_PREFIX}([a-z]{{{_ID_LETTERS}}})_([A-Za-z0-9]{{{_SECRET_LETTERS}}})",
    re.ASCII,
)


@dataclass(frozen=True)
class KeyRecord:
    """What is kept of a key. Its secret is not."""

    id: str
    tenant: str
    scopes: frozenset[Scope]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    used_at: datetime | None


_COLUMNS = [keys.c[name] for name in KeyRecord.__dataclass_fields__]


def alive() -> ColumnElement[bool]:
    """Say whether a key may be used: it is not revoked, and has not expired."""
    in_time = or_(keys.c.expires_at.is_(None), keys.c.expires_at > current_time())
    return and_(keys.c.revoked_at.is_(None), in_time)


class KeyRepository:
    """The keys of all tenants."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(
        self, tenant: str, scopes: Iterable[Scope], lasting_seconds: float | None = None
    ) -> str:
        """Make a key and give it. It can never be read again.

        Parameters
        ----------
        tenant
            Whose rows the key leads to.
        scopes
            What it allows.
        lasting_seconds
            It expires then. None: never.
        """
        key_id = _drawn(string.ascii_lowercase, _ID_LETTERS)
        secret = _drawn(_SECRET_ALPHABET, _SECRET_LETTERS)
        self._connection.execute(
            insert(keys).values(
                id=key_id,
                tenant=tenant,
                hash=_hash(secret),
                scopes=sorted(scopes),
                created_at=current_time(),
                expires_at=None if lasting_seconds is None else current_time(lasting_seconds),
            )
        )
        return f"{KEY_PREFIX}{key_id}_{secret}"

    def find(self, key: str) -> KeyRecord | None:
        """Give what a key leads to. None if it is no key, unknown, revoked or expired."""
        found = _KEY.fullmatch(key)
        if found is None:
            return None
        key_id, secret = found.groups()
        row = self._connection.execute(
            select(*_COLUMNS, keys.c.hash).where(keys.c.id == key_id, alive())
        ).first()
        if row is None or not hmac.compare_digest(row.hash, _hash(secret)):
            return None
        return _record(row)

    def get(self, key_id: str) -> KeyRecord | None:
        """Give a key by its id, whether it may be used or not."""
        row = self._connection.execute(select(*_COLUMNS).where(keys.c.id == key_id)).first()
        return None if row is None else _record(row)

    def all(self) -> list[KeyRecord]:
        """List all keys, those of a tenant together, the oldest first."""
        rows = self._connection.execute(
            select(*_COLUMNS).order_by(keys.c.tenant, keys.c.created_at, keys.c.id)
        )
        return [_record(row) for row in rows]

    def revoke(self, key_id: str) -> bool:
        """Let a key never be used again; False if it was revoked before, or there is none."""
        statement = (
            update(keys)
            .where(keys.c.id == key_id, keys.c.revoked_at.is_(None))
            .values(revoked_at=current_time())
        )
        return self._connection.execute(statement).rowcount == 1

    def used(self, key_id: str) -> None:
        """Write down that a key was used, unless that was done lately."""
        lately = keys.c.used_at > current_time(-USE_SECONDS)
        self._connection.execute(
            update(keys)
            .where(keys.c.id == key_id, or_(keys.c.used_at.is_(None), ~lately))
            .values(used_at=current_time())
        )


def _record(row: Any) -> KeyRecord:
    values = {name: getattr(row, name) for name in KeyRecord.__dataclass_fields__}
    return KeyRecord(**(values | {"scopes": known_scopes(values["scopes"])}))


def _drawn(alphabet: str, length: int) -> str:
    return "".join(secrets.choice(alphabet) for _ in range(length))


def _hash(secret: str) -> str:
    # The secret is 190 random bits: nothing is to be guessed, so nothing has to be slow.
    return hashlib.sha256(secret.encode()).hexdigest()
