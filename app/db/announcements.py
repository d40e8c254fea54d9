"""What has ended is announced: its row says so, and becomes deliveries to the tenant's webhooks.

The row of a job or a sweep is its own outbox: `announce` is set where the tenant has a webhook when it
is made. The process that ends it need not know of webhooks. A sender later turns the row into
deliveries, and a deletion before that does, too.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    Table,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    update,
)

from app.db.clock import DAY_SECONDS, current_time, wire_moment
from app.db.ids import new_id
from app.db.models import jobs, replans, sweeps, webhook_deliveries, webhooks
from app.db.upsert import conflict_insert
from app.db.webhook_tables import DeliveryState
from steadygrid.domain.job import JobState

OF_DELIVERIES = "dlv_"
EXPIRY_DAYS = 5
"""For so long a delivery is tried."""
_MESSAGE = "msg_"
_DIGITS = 32


class EventType(StrEnum):
    """What a webhook may listen to."""

    JOB_SUCCEEDED = "job.succeeded"
    JOB_FAILED = "job.failed"
    JOB_CANCELLED = "job.cancelled"
    SWEEP_FINISHED = "sweep.finished"
    REPLAN_FINISHED = "replan.finished"
    PLATFORM_DRIFT = "platform.drift"


TEST = "webhook.test"
"""What a webhook is sent when its owner asks for it, also where it does not listen to it."""


class Announcement(NamedTuple):
    """One event, before it is known who listens."""

    tenant: str
    event: str
    subject: str
    """The id of what has ended."""
    at: str
    """When, as answers write it."""
    data: Mapping[str, Any]
    number: int | str = 0
    """How often it has ended before, or by which job it ends again: a sweep may, and a replan."""

    def message(self, webhook_id: str) -> str:
        """Name the message to a webhook: the same event has the same name, now and after a restore."""
        parts = (webhook_id, self.event, self.subject, str(self.number))
        return _MESSAGE + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_DIGITS]

    def payload(self, message: str) -> str:
        """Write what is sent."""
        document = {"id": message, "type": self.event, "timestamp": self.at, "data": self.data}
        return json.dumps(document, separators=(",", ":"))


def listened(tenant: str) -> ScalarSelect[int]:
    """Select 1 if a tenant has a webhook that something is sent to, else 0.

    Parameters
    ----------
    tenant
        Name of the statement's parameter with the tenant.
    """
    mine = webhooks.c.tenant == bindparam(tenant, type_=webhooks.c.tenant.type)
    some: Select[tuple[int]] = (
        select(literal_column("1")).where(mine, webhooks.c.disabled.is_(None)).limit(1)
    )
    return select(func.coalesce(some.scalar_subquery(), literal_column("0"))).scalar_subquery()


def is_announced(table: Table) -> ColumnElement[bool]:
    """Say that something has ended and is to be announced, in words that fit the partial index."""
    due: ColumnElement[bool] = table.c.announce == literal_column("1")
    return due & table.c.finished_at.is_not(None)


def announce_jobs(connection: Connection, *which: ColumnElement[bool], limit: int) -> int:
    """Turn jobs that have ended into deliveries, all in this unit; give their number.

    Parameters
    ----------
    connection
        Inside of a transaction.
    *which
        More conditions on the jobs.
    limit
        Most jobs.
    """
    found = connection.execute(
        select(
            jobs.c.id,
            jobs.c.tenant,
            jobs.c.state,
            jobs.c.outcome,
            jobs.c.labels,
            jobs.c.replan_of,
            jobs.c.retry_of,
            jobs.c.finished_at,
        )
        .where(is_announced(jobs), *which)
        .order_by(jobs.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    if found:
        _store(connection, [one for row in found for one in _of_job(connection, row)])
        _done(connection, jobs, found)
    return len(found)


def announce_sweeps(connection: Connection, *which: ColumnElement[bool], limit: int) -> int:
    """Turn sweeps that have ended into deliveries, as `announce_jobs`.

    Parameters
    ----------
    connection
        Inside of a transaction.
    *which
        More conditions on the sweeps.
    limit
        Most sweeps.
    """
    found = connection.execute(
        select(
            sweeps.c.id,
            sweeps.c.tenant,
            sweeps.c.labels,
            sweeps.c.jobs,
            sweeps.c.created,
            sweeps.c.cancelled,
            sweeps.c.cancelled_at,
            sweeps.c.finished_at,
        )
        .where(is_announced(sweeps), *which)
        .order_by(sweeps.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    if found:
        _store(connection, [_of_sweep(connection, row) for row in found])
        _done(connection, sweeps, found)
    return len(found)


def announce_drift(
    connection: Connection, tenant: str, replan_id: str, data: Mapping[str, str]
) -> None:
    """Announce that a watched schedule has lost more than its threshold.

    Parameters
    ----------
    connection
        Inside of the transaction that stores the new plan.
    tenant
        Whose schedule it is.
    replan_id
        Of the new plan, which is stored already and gives the event its own name.
    data
        Ids of the platform and of the watched job.
    """
    this = (replans.c.tenant == tenant) & (replans.c.id == replan_id)
    told = {**data, "replan": replan_id}
    _store(
        connection,
        [
            Announcement(tenant, EventType.PLATFORM_DRIFT, replan_id, wire_moment(made_at), told)
            for made_at in connection.execute(select(replans.c.created_at).where(this)).scalars()
        ],
    )


def add_test(connection: Connection, tenant: str, webhook_id: str) -> str:
    """Store a delivery that says no more than that it arrives; give its id.

    Parameters
    ----------
    connection
        Inside of a transaction.
    tenant
        Whose webhook it is.
    webhook_id
        Of the webhook.
    """
    at = wire_moment(connection.execute(select(current_time())).scalar_one())
    # Each test is an event of its own.
    subject = new_id("tst_")
    test = Announcement(tenant, TEST, subject, at, {"webhook": webhook_id})
    (row,) = _rows([test], {tenant: [(webhook_id, [TEST])]})
    connection.execute(insert(webhook_deliveries).values(**_moments()), row)
    return str(row["id"])


def _done(connection: Connection, table: Table, found: Sequence[Any]) -> None:
    theirs = table.c.tenant.in_(sorted({row.tenant for row in found}))
    these = table.c.id.in_([row.id for row in found])
    connection.execute(update(table).where(theirs, these).values(announce=0))


def _of_job(connection: Connection, row: Any) -> Iterator[Announcement]:
    state, at = JobState(row.state), wire_moment(row.finished_at)
    data = {"state": state.value, "outcome": row.outcome, "labels": row.labels}
    event = EventType(f"job.{state.value}")
    yield Announcement(row.tenant, event, row.id, at, {"job": row.id} | data)
    if row.replan_of is not None:
        of_it = (replans.c.tenant == row.tenant) & (replans.c.job_id == row.id)
        for replan in connection.execute(select(replans.c.id).where(of_it)).scalars():
            told = {"replan": replan, "job": row.id} | data
            again = 0 if row.retry_of is None else row.id
            yield Announcement(row.tenant, EventType.REPLAN_FINISHED, replan, at, told, again)


def _of_sweep(connection: Connection, row: Any) -> Announcement:
    # As `SweepRecord.state` says of a sweep that has ended.
    whole = row.cancelled_at is None or (row.created == row.jobs and not row.cancelled)
    state = JobState.SUCCEEDED if whole else JobState.CANCELLED
    of_it = (jobs.c.tenant == row.tenant) & (jobs.c.sweep_id == row.id)
    counted = select(func.count()).select_from(jobs).where(of_it, jobs.c.replaced_by.is_not(None))
    retried = connection.execute(counted).scalar_one()
    data = {"sweep": row.id, "state": state.value, "labels": row.labels}
    at = wire_moment(row.finished_at)
    return Announcement(row.tenant, EventType.SWEEP_FINISHED, row.id, at, data, retried)


def _store(connection: Connection, announced: Sequence[Announcement]) -> None:
    listeners = _listeners(connection, {one.tenant for one in announced})
    rows = list(_rows(announced, listeners))
    if rows:
        added = conflict_insert(connection, webhook_deliveries).values(**_moments())
        connection.execute(added.on_conflict_do_nothing(), rows)


def _listeners(
    connection: Connection, tenants: Iterable[str]
) -> Mapping[str, Sequence[tuple[str, Sequence[str]]]]:
    found: dict[str, list[tuple[str, Sequence[str]]]] = {}
    rows = connection.execute(
        select(webhooks.c.tenant, webhooks.c.id, webhooks.c.events)
        .where(webhooks.c.tenant.in_(sorted(tenants)), webhooks.c.disabled.is_(None))
        .order_by(webhooks.c.id)
        # None is deleted before the deliveries to it are there.
        .with_for_update(key_share=True, read=True)
    )
    for tenant, webhook_id, events in rows:
        found.setdefault(tenant, []).append((webhook_id, events))
    return found


def _rows(
    announced: Iterable[Announcement],
    listeners: Mapping[str, Sequence[tuple[str, Sequence[str]]]],
) -> Iterator[dict[str, Any]]:
    for one in announced:
        for webhook_id, events in listeners.get(one.tenant, ()):
            if one.event in events:
                message = one.message(webhook_id)
                yield {
                    "id": new_id(OF_DELIVERIES),
                    "tenant": one.tenant,
                    "webhook_id": webhook_id,
                    "message": message,
                    "event": one.event,
                    "subject": one.subject,
                    "payload": one.payload(message),
                    "state": DeliveryState.PENDING.value,
                }


def _moments() -> dict[str, Any]:
    return {
        "due_at": current_time(),
        "created_at": current_time(),
        "expires_at": current_time(EXPIRY_DAYS * DAY_SECONDS),
    }
