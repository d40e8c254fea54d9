"""Idempotency keys: the same request twice makes one job."""

from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, delete, select, update

from app.db.clock import DAY_SECONDS, current_time
from app.db.models import idempotency_keys as keys
from app.db.upsert import conflict_insert


class KeyRecord(NamedTuple):
    """What a key already stands for."""

    fingerprint: str
    resource_id: str


class IdempotencyRepository:
    """One tenant's keys."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def claim(
        self, key: str, fingerprint: str, resource_id: str, keep_days: int
    ) -> KeyRecord | None:
        """Bind a key to a new resource, such as a job, in the unit that adds it.

        Parallel requests wait here for each other: exactly one of them gets None.

        Parameters
        ----------
        key
            As the client sent it.
        fingerprint
            Tells whether the same is asked again. Nothing here looks into it.
        resource_id
            Of what this unit is about to add.
        keep_days
            A key older than this is free again.

        Returns
        -------
        KeyRecord or None
            None: the key is new, add the resource. Else add nothing: the fingerprint tells
            whether this is a replay, or the key was reused.
        """
        values = {"fingerprint": fingerprint, "job_id": resource_id, "created_at": current_time()}
        statement = (
            conflict_insert(self._connection, keys)
            .values(tenant=self._tenant, key=key, **values)
            .on_conflict_do_update(
                index_elements=[keys.c.tenant, keys.c.key],
                set_=values,
                where=keys.c.created_at < current_time(-keep_days * DAY_SECONDS),
            )
            .returning(keys.c.job_id)
        )
        if self._connection.execute(statement).first() is not None:
            return None
        row = self._connection.execute(self._select_key(key)).one()
        return KeyRecord(*row)

    def get(self, key: str, keep_days: int) -> KeyRecord | None:
        """Give what a key stands for, or None if it is free. See `claim`.

        Parameters
        ----------
        key
            As the client gave it.
        keep_days
            For how many days a key stands for something.
        """
        old = keys.c.created_at < current_time(-keep_days * DAY_SECONDS)
        row = self._connection.execute(self._select_key(key).where(~old)).first()
        return None if row is None else KeyRecord(*row)

    def _select_key(self, key: str) -> Select[Any]:
        mine = (keys.c.tenant == self._tenant) & (keys.c.key == key)
        return select(keys.c.fingerprint, keys.c.job_id).where(mine)

    def rebind(self, key: str, resource_id: str) -> None:
        """Let a key that this unit holds stand for what more has been made.

        Parameters
        ----------
        key
            As the client gave it.
        resource_id
            What it stands for from now on.
        """
        mine = (keys.c.tenant == self._tenant) & (keys.c.key == key)
        self._connection.execute(update(keys).where(mine).values(job_id=resource_id))

    def let_go(self, resource_id: str) -> None:
        """Free the keys of what is deleted, and of what was made for it, named ``{id}:...``."""
        mine = keys.c.tenant == self._tenant
        of_it = (keys.c.job_id == resource_id) | keys.c.job_id.between(
            f"{resource_id}:", f"{resource_id};"
        )
        self._connection.execute(delete(keys).where(mine, of_it))
