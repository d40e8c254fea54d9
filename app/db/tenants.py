"""Tenants: who may have jobs here, how much they may have, and how much they have."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Row,
    ScalarSelect,
    Select,
    Table,
    bindparam,
    case,
    delete,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
    update,
)

from app.db.attempts import fold
from app.db.clock import DAY_SECONDS, current_time
from app.db.errors import NamesakeError
from app.db.measuring import Measuring
from app.db.models import (
    applications,
    deleted_jobs,
    idempotency_keys,
    jobs,
    keys,
    platforms,
    replans,
    schedules,
    sweeps,
    tallies,
    tenants,
    tombstones,
    webhook_deliveries,
    webhooks,
)
from app.db.quotas import QUOTAS, Quotas, TenantRecord, Use
from app.db.solver_days import SolverDay, forget_days, solver_day, solver_days, solver_seconds
from app.db.sweeps import is_unmade
from app.db.turns import Lane
from app.db.upsert import conflict_insert
from app.db.webhook_tables import Disabled

AGAIN_SECONDS = 3600
"""So often it is measured again what a tenant has stored who has much."""
_DATA = (jobs, sweeps, replans, schedules, platforms, applications)
_TRACES = (deleted_jobs, idempotency_keys, tombstones, webhook_deliveries, webhooks)
"""What else is a tenant's besides keys, with which sessions go; audit lines stay."""


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
        if self._has_rows(name, *_DATA, *_TRACES, keys):
            raise NamesakeError(NamesakeError.__doc__)
        added = self._connection.execute(
            conflict_insert(self._connection, tenants)
            .values(
                tenant=name, created_at=current_time(), measured_bytes=0, measured_at=current_time()
            )
            .on_conflict_do_nothing()
            .returning(tenants.c.tenant)
        )
        return added.first() is not None

    def get(self, name: str) -> TenantRecord | None:
        """Give a tenant, or None if there is none."""
        return self._find(_NAMED, name)

    def hold(self, name: str) -> TenantRecord | None:
        """Give a tenant, and prevent its deletion until the end of the unit, which adds to it."""
        return self._find(_HELD, name)

    def _find(self, statement: Executable, name: str, **values: Any) -> TenantRecord | None:
        row = self._connection.execute(statement, {"name": name, **values}).first()
        return None if row is None else _record(row)

    def take_turn(self, name: str) -> None:
        """Wait until no other unit has the turn, and have it to the end of this unit.

        Who adds to what is limited looks at how much there is afterwards: two units at once
        would else each add the last one.
        """
        self._connection.execute(_TURN, {"name": name})

    def all(self) -> Sequence[TenantRecord]:
        """Give all tenants by name."""
        rows = self._connection.execute(select(tenants).order_by(tenants.c.tenant))
        return [_record(row) for row in rows]

    def use(self, name: str) -> Use:
        """Say how many jobs a tenant has that have not ended."""
        return self.use_and_waiting(name)[0]

    def use_and_waiting(self, name: str) -> tuple[Use, int]:
        """Say how many jobs a tenant has that have not ended, and how many of all tenants wait.

        Jobs wait that are queued, and those that are yet to be made.
        """
        row = self._connection.execute(_USE, {"name": name}).one()
        *use, waiting = map(int, row)
        return Use(*use), waiting

    def solver_day(self, name: str) -> SolverDay:
        """Say what workers have spent on a tenant's jobs today, in UTC."""
        return solver_day(self._connection, name)

    def solver_seconds(self) -> Mapping[str, float]:
        """Give the seconds that workers have spent today on each tenant's jobs, if any."""
        return solver_seconds(self._connection)

    def forget_solver_days(self) -> int:
        """Delete what was counted before yesterday, and give the number of rows."""
        return forget_days(self._connection)

    def add_stored(self, name: str, size: int) -> TenantRecord | None:
        """Count bytes that the unit stores for a tenant, before it adds them.

        The unit has the turn from then on, as after `take_turn`: other units that store something for
        this tenant wait, and count on from there. It holds the tenant as `hold` does.

        Parameters
        ----------
        name
            Of the tenant.
        size
            In bytes, after compression.

        Returns
        -------
        TenantRecord or None
            The tenant, with the new sum as its `measured_bytes`. None if there is none.
        """
        return self._find(_ADDED, name, size=size)

    def stored(self) -> Mapping[str, int]:
        """Give the bytes that tenants have stored, as far as they are known."""
        measured = {one.name: one.measured_bytes for one in self.all()}
        return {name: 0 if stored is None else stored for name, stored in measured.items()}

    def unmade(self, name: str) -> int:
        """Give the number of jobs of a tenant's sweeps that are yet to be made."""
        return int(self._connection.execute(select(_unmade(sweeps.c.tenant == name))).scalar_one())

    def change(self, name: str, changes: Mapping[str, float | None]) -> bool:
        """Set quotas by name, or with None make them the usual ones; False without such a tenant.

        Parameters
        ----------
        name
            Of the tenant.
        changes
            By the name of the quota. None: the usual one.
        """
        changed = self._connection.execute(
            update(tenants).where(tenants.c.tenant == name).values(**changes)
        )
        return changed.rowcount == 1

    def begin_measuring(self, usual: Quotas) -> bool:
        """Say whether it is time to measure what tenants have stored. No other caller hears it.

        That is once a day, and every hour as long as one of them has used more than half of what it
        may: what is deleted is not counted, only measured.
        """
        before = tenants.c.measured_at
        most = func.coalesce(tenants.c.stored_bytes, usual.stored_bytes)
        much = (2 * tenants.c.measured_bytes > most) & (before < current_time(-AGAIN_SECONDS))
        due = or_(before.is_(None), before < current_time(-DAY_SECONDS), much)
        begun = self._connection.execute(
            update(tenants).where(due).values(measured_at=current_time())
        )
        return begun.rowcount > 0

    def measure(self, measuring: Measuring, most: int) -> bool:
        """Measure some rows more; False if there are none any more.

        Parameters
        ----------
        measuring
            The walk through all that is stored.
        most
            Rows that are looked at.
        """
        return measuring.step(self._connection, most)

    def keep_measured(self, sizes: Mapping[str, int], before: Mapping[str, int]) -> None:
        """Keep the bytes that tenants have stored. Those not named have nothing.

        Parameters
        ----------
        before
            What `stored` gave when measuring began. What has been counted since then is added: the
            walk may have passed its place before it was there.
        """
        one = update(tenants).where(tenants.c.tenant == bindparam("name"))
        since = func.coalesce(tenants.c.measured_bytes, 0) - bindparam("before")
        added = case((since > 0, since), else_=0)
        self._connection.execute(
            one.values(measured_bytes=bindparam("bytes") + added, measured_at=current_time()),
            [
                {
                    "name": one.name,
                    "bytes": sizes.get(one.name, 0),
                    "before": before.get(one.name, 0),
                }
                for one in self.all()
            ],
        )

    def has_data(self, name: str) -> bool:
        """Say whether a tenant has jobs, schedules or stored documents."""
        return self._has_rows(name, *_DATA)

    def _has_rows(self, name: str, *tables: Table) -> bool:
        rows = (
            select(literal(1)).select_from(table).where(table.c.tenant == name).exists()
            for table in tables
        )
        return bool(self._connection.execute(select(or_(*rows))).scalar_one())

    def shut_out(self, name: str) -> int:
        """Delete the keys of a tenant, and all sessions with them; give their number.

        Its webhooks are sent nothing more. It can queue no more jobs either, even for users with valid tokens of the site's issuer.
        """
        self.change(name, {"queued_jobs": 0, "sweep_jobs": 0})
        silent = update(webhooks).where(webhooks.c.tenant == name)
        self._connection.execute(silent.values(disabled=Disabled.OWNER.value))
        return self._connection.execute(delete(keys).where(keys.c.tenant == name)).rowcount

    def delete_some(self, name: str, most: int) -> int:
        """Delete some of what a tenant has, jobs first, also those that run; give their number.

        Workers notice that their job is gone as they notice that another one has it.

        Parameters
        ----------
        name
            Of the tenant.
        most
            Rows that are deleted in this unit.
        """
        if deleted := self._delete_jobs(name, most):
            return deleted
        for table in (*_DATA[1:], *_TRACES):
            if deleted := self._delete_rows(table, name, most):
                return deleted
        return 0

    def _delete_jobs(self, name: str, most: int) -> int:
        some = select(jobs.c.id, jobs.c.kind, jobs.c.lane).where(jobs.c.tenant == name).limit(most)
        # All locks on jobs first, then those on tallies, kind by kind: as all units take them.
        found = self._connection.execute(some.order_by(jobs.c.id).with_for_update()).all()
        by_kind = sorted(found, key=lambda row: (row.kind, row.lane, row.id))
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
        # Units that are adding something end first.
        self._connection.execute(_NAMED.with_for_update(), {"name": name})
        if self.has_data(name):
            return False
        self.shut_out(name)
        deleted = self._connection.execute(delete(tenants).where(tenants.c.tenant == name))
        self._connection.execute(delete(tallies).where(tallies.c.tenant == name))
        fold(self._connection, name)
        self._connection.execute(delete(solver_days).where(solver_days.c.tenant == name))
        return deleted.rowcount == 1


def _unmade(which: ColumnElement[bool]) -> ScalarSelect[int]:
    number = func.coalesce(func.sum(sweeps.c.jobs - sweeps.c.created), 0)
    return select(number).where(is_unmade(), which).scalar_subquery()


def _use() -> Select[Any]:
    # One statement, one moment: what is made meanwhile is counted here or there.
    single = tallies.c.lane == Lane.SINGLE.value
    queued = func.coalesce(func.sum(case((single, tallies.c.queued), else_=0)), 0)
    of_sweeps = tallies.c.lane == Lane.SWEEP.value
    in_sweeps = func.coalesce(func.sum(case((of_sweeps, tallies.c.queued), else_=0)), 0)
    others = tallies.alias()
    waiting = select(func.coalesce(func.sum(others.c.queued), 0)).scalar_subquery()
    return select(
        queued,
        func.coalesce(func.sum(tallies.c.running + tallies.c.cancelling), 0),
        in_sweeps + _unmade(sweeps.c.tenant == bindparam("name")),
        waiting + _unmade(true()),
    ).where(tallies.c.tenant == bindparam("name"))


# Statements of every POST: to build one takes as long as to run it.
_NAMED = select(tenants).where(tenants.c.tenant == bindparam("name"))
_HELD = _NAMED.with_for_update(key_share=True, read=True)
_TURN = _NAMED.with_for_update(key_share=True)
_ADDED = (
    update(tenants)
    .where(tenants.c.tenant == bindparam("name"))
    .values(measured_bytes=func.coalesce(tenants.c.measured_bytes, 0) + bindparam("size"))
    .returning(*tenants.c)
)
_USE = _use()


def _record(row: Row[Any]) -> TenantRecord:
    own = {name: row._mapping[name] for name in QUOTAS if row._mapping[name] is not None}
    measured = (row.measured_bytes, row.measured_at)
    return TenantRecord(
        row.tenant, row.created_at, own, *measured, row.retention_days, row.weight or 1
    )
