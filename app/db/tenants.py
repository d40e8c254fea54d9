"""Tenants: who may have jobs here, how much they may have, and how much they have."""

from collections.abc import Mapping, Sequence

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    bindparam,
    delete,
    func,
    literal,
    or_,
    select,
    tuple_,
    update,
)

from app.db.clock import now
from app.db.errors import NamesakeError
from app.db.models import (
    applications,
    deleted_jobs,
    idempotency_keys,
    jobs,
    keys,
    platforms,
    schedules,
    tallies,
    tenants,
    tombstones,
)
from app.db.quotas import QUOTAS, TenantRecord, Use
from app.db.upsert import conflict_insert

_DATA = (jobs, schedules, platforms, applications)
_TRACES = (deleted_jobs, idempotency_keys, tombstones)
"""What else is a tenant's beside keys, with which sessions go; audit lines stay."""


class TenantRepository:
    """All tenants."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, name: str) -> bool:
        """Make a tenant; False if there is one of this name.

        Raises
        ------
        NamesakeError
            Then nothing is made.
        """
        if self.get(name) is not None:
            return False
        if self._has(name, *_DATA, *_TRACES, keys):
            raise NamesakeError(NamesakeError.__doc__)
        added = self._connection.execute(
            conflict_insert(self._connection, tenants)
            .values(tenant=name, created_at=now(), measured_bytes=0, measured_at=now())
            .on_conflict_do_nothing()
            .returning(tenants.c.tenant)
        )
        return added.first() is not None

    def get(self, name: str) -> TenantRecord | None:
        """Give a tenant, or None if there is none."""
        found = self._records(tenants.c.tenant == name)
        return found[0] if found else None

    def lock(self, name: str) -> TenantRecord | None:
        """Give a tenant, and let nobody else lock it before the end of the unit.

        Who adds to what is limited locks the tenant before looking at how much there is: two
        units at once would else each add the last one. None if there is no such tenant.
        """
        found = self._records(tenants.c.tenant == name, lock=True)
        return found[0] if found else None

    def all(self) -> Sequence[TenantRecord]:
        """Give all tenants by name."""
        return self._records(tenants.c.tenant.is_not(None))

    def _records(self, where: ColumnElement[bool], *, lock: bool = False) -> Sequence[TenantRecord]:
        query = select(tenants).where(where).order_by(tenants.c.tenant)
        if lock:
            query = query.with_for_update(key_share=True)
        return [
            TenantRecord(
                row.tenant,
                row.created_at,
                {name: row._mapping[name] for name in QUOTAS if row._mapping[name] is not None},
                row.measured_bytes,
                row.measured_at,
            )
            for row in self._connection.execute(query)
        ]

    def use(self, name: str) -> Use:
        """Say how many jobs a tenant has that have not ended."""
        row = self._connection.execute(
            select(
                func.coalesce(func.sum(tallies.c.queued), 0),
                func.coalesce(func.sum(tallies.c.running + tallies.c.cancelling), 0),
            ).where(tallies.c.tenant == name)
        ).one()
        return Use(*map(int, row))

    def change(self, name: str, changes: Mapping[str, float | None]) -> bool:
        """Set quotas by name, or with None make them the usual ones; False without such a tenant."""
        changed = self._connection.execute(
            update(tenants).where(tenants.c.tenant == name).values(**changes)
        )
        return changed.rowcount == 1

    def has_data(self, name: str) -> bool:
        """Say whether a tenant has jobs, schedules or stored documents."""
        return self._has(name, *_DATA)

    def _has(self, name: str, *tables: Table) -> bool:
        rows = (
            select(literal(1)).select_from(table).where(table.c.tenant == name).exists()
            for table in tables
        )
        return bool(self._connection.execute(select(or_(*rows))).scalar_one())

    def shut_out(self, name: str) -> int:
        """Delete the keys of a tenant, and all sessions with them; give their number."""
        return self._connection.execute(delete(keys).where(keys.c.tenant == name)).rowcount

    def delete_some(self, name: str, most: int) -> int:
        """Delete some of what a tenant has, jobs first, also those that run; give their number.

        Workers notice that their job is gone as they notice that another one has it.
        """
        if deleted := self._delete_jobs(name, most):
            return deleted
        for table in (*_DATA[1:], *_TRACES):
            if deleted := self._delete_rows(table, name, most):
                return deleted
        return 0

    def _delete_jobs(self, name: str, most: int) -> int:
        some = select(jobs.c.id, jobs.c.kind).where(jobs.c.tenant == name).limit(most)
        # All locks on jobs first, then those on tallies, kind by kind: as everybody takes them.
        found = self._connection.execute(some.order_by(jobs.c.id).with_for_update()).all()
        by_kind = sorted(found, key=lambda row: (row.kind, row.id))
        if by_kind:
            one = delete(jobs).where(jobs.c.id == bindparam("job"))
            self._connection.execute(one, [{"job": row.id} for row in by_kind])
        return len(by_kind)

    def _delete_rows(self, table: Table, name: str, most: int) -> int:
        key = tuple_(*table.primary_key)
        some = select(*table.primary_key).where(table.c.tenant == name).limit(most)
        return self._connection.execute(delete(table).where(key.in_(some))).rowcount

    def delete(self, name: str) -> bool:
        """Delete a tenant if it has no data; False if there is none, or it has some."""
        self.lock(name)
        if self.has_data(name):
            return False
        self.shut_out(name)
        deleted = self._connection.execute(delete(tenants).where(tenants.c.tenant == name))
        self._connection.execute(delete(tallies).where(tallies.c.tenant == name))
        return deleted.rowcount == 1
