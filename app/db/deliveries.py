"""Deliveries as senders see them: claims, leases, fenced writes.

All senders together have at most so many claims on deliveries to one webhook: a sender locks the
webhook's row while it claims. Every write about a delivery names the attempt that it belongs to.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    case,
    delete,
    exists,
    func,
    literal_column,
    or_,
    select,
    update,
)

from app.db.announcements import EXPIRY_DAYS, announce_jobs, announce_sweeps, is_announced
from app.db.clock import DAY_SECONDS, current_time
from app.db.models import jobs, sweeps, webhook_deliveries, webhooks
from app.db.webhook_tables import DeliveryState, Disabled

_TABLE = webhook_deliveries.c
_PENDING: ColumnElement[bool] = _TABLE.state == literal_column("'pending'")
"""Written out, as in the condition of the partial indexes."""
_ACTIVE = webhooks.c.disabled.is_(None)


class Claimed(NamedTuple):
    """A delivery that is this sender's as long as the lease lasts; `attempt` is the fence."""

    id: str
    webhook_id: str
    tenant: str
    url: str
    secrets: tuple[str, ...]
    """The present one first; with the former one as long as both sign."""
    message: str
    payload: str
    attempt: int
    failures: int


class Answered(NamedTuple):
    """What became of an attempt."""

    status: int | None
    """Of HTTP. None: there was no answer."""
    error: str | None
    """A code. None: it arrived."""
    pause: float = 0.0
    """Seconds until the next attempt, where there is one."""
    gone: bool = False
    """Whether the receiver wants nothing more."""


class DeliveryWork:
    """All tenants' deliveries, for senders and the sweeper."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def has_work(self) -> bool:
        """Say whether there is something to announce, to send or to give up now."""
        unannounced = (select(table.c.id).where(is_announced(table)) for table in (jobs, sweeps))
        late = select(_TABLE.id).where(_PENDING, _TABLE.expires_at < current_time(), _free())
        ready = _due_of(webhooks.c.id).exists()
        looks = (*unannounced, late, select(webhooks.c.id).where(_ACTIVE, ready))
        one = select(or_(*(exists(look.limit(1)) for look in looks)))
        return bool(self._connection.execute(one).scalar_one())

    def announce(self, limit: int) -> int:
        """Turn what has ended into deliveries, all in this unit; give the number of what ended.

        Parameters
        ----------
        limit
            Most jobs, and most sweeps.
        """
        return announce_jobs(self._connection, limit=limit) + announce_sweeps(
            self._connection, limit=limit
        )

    def claim(
        self,
        limit: int,
        of_one: int,
        lease_seconds: float,
        of_tenant: int | None = None,
        held: Mapping[str, int] | None = None,
    ) -> Sequence[Claimed]:
        """Take deliveries that are due, of the webhooks first that were longest not served.

        Parameters
        ----------
        limit
            Most that are taken.
        of_one
            Most that all senders together hold of one webhook.
        lease_seconds
            By when to come back with `record`.
        of_tenant
            Most that this sender holds of one tenant. None: any number.
        held
            What it holds already, by tenant.
        """
        most, count = limit if of_tenant is None else of_tenant, Counter(held or {})
        full = [tenant for tenant, number in count.items() if number >= most]
        leased = _leased_of(webhooks.c.id).scalar_subquery()
        ready = self._connection.execute(
            select(webhooks)
            .where(
                _ACTIVE,
                webhooks.c.tenant.not_in(full),
                _due_of(webhooks.c.id).exists(),
                leased < of_one,
            )
            .order_by(webhooks.c.claimed_at, webhooks.c.id)
            .limit(limit)
            # What is announced to one meanwhile does not keep it from being served.
            .with_for_update(skip_locked=True, key_share=True)
        ).all()
        signing = select(webhooks.c.id).where(
            webhooks.c.id.in_([row.id for row in ready]),
            webhooks.c.former_until > current_time(),
        )
        rotating = set(self._connection.execute(signing).scalars()) if ready else set()
        taken: list[Claimed] = []
        for row in ready:
            room = min(limit - len(taken), most - count[row.tenant])
            # Counted anew: before the lock another sender may have claimed some.
            under_way = self._connection.execute(_leased_of(row.id)).scalar_one()
            free = min(of_one - under_way, room)
            if free <= 0:
                continue
            former = (row.former_secret,) if row.id in rotating else ()
            found = self._take(row.id, free, lease_seconds)
            count[row.tenant] += len(found)
            taken += [
                Claimed(
                    one.id,
                    row.id,
                    row.tenant,
                    row.url,
                    (row.secret, *former),
                    one.message,
                    one.payload,
                    one.attempt,
                    one.failures,
                )
                for one in found
            ]
        return taken

    def _take(self, webhook_id: str, free: int, lease_seconds: float) -> Sequence[Any]:
        some = _due_of(webhook_id).order_by(_TABLE.due_at, _TABLE.id).limit(free)
        rows = self._connection.execute(
            update(webhook_deliveries)
            .where(_TABLE.id.in_(some))
            .values(
                attempt=_TABLE.attempt + 1,
                lease_until=current_time(lease_seconds),
                tried_at=current_time(),
            )
            .returning(_TABLE.id, _TABLE.message, _TABLE.payload, _TABLE.attempt, _TABLE.failures)
        ).all()
        if rows:
            served = update(webhooks).where(webhooks.c.id == webhook_id)
            self._connection.execute(served.values(claimed_at=current_time()))
        return rows

    def record(self, claimed: Claimed, answered: Answered) -> bool:
        """Write down what became of an attempt; False if the delivery is not this attempt's any more.

        Parameters
        ----------
        claimed
            The delivery, and the attempt that holds it.
        answered
            What came of it.
        """
        arrived = answered.error is None
        if answered.gone:
            # The webhook first and then the delivery, as `claim` locks them.
            row = select(webhooks.c.id).where(webhooks.c.id == claimed.webhook_id)
            self._connection.execute(row.with_for_update(key_share=True))
        ended = arrived or answered.gone
        state = DeliveryState.SUCCEEDED if arrived else DeliveryState.FAILED
        written = self._connection.execute(
            update(webhook_deliveries)
            .where(_TABLE.id == claimed.id, _PENDING, _TABLE.attempt == claimed.attempt)
            .values(
                state=state.value if ended else DeliveryState.PENDING.value,
                finished_at=current_time() if ended else None,
                failures=_TABLE.failures + (0 if arrived else 1),
                status=answered.status,
                error=answered.error,
                lease_until=None,
                due_at=current_time(answered.pause),
            )
        )
        if answered.gone and written.rowcount:
            self._connection.execute(
                update(webhooks)
                .where(webhooks.c.id == claimed.webhook_id, _ACTIVE, webhooks.c.url == claimed.url)
                .values(disabled=Disabled.GONE.value)
            )
        return written.rowcount == 1

    def give_back(self, claimed: Claimed) -> None:
        """Let another sender take a delivery at once. What was sent of it may be sent again."""
        self._connection.execute(
            update(webhook_deliveries)
            .where(_TABLE.id == claimed.id, _PENDING, _TABLE.attempt == claimed.attempt)
            .values(lease_until=None)
        )

    def give_up(self, limit: int) -> int:
        """End deliveries that were tried for long enough, also to webhooks that are disabled.

        Parameters
        ----------
        limit
            Most that are ended in this unit.

        Returns
        -------
        int
            How many were ended.
        """
        late = (
            select(_TABLE.id)
            .where(_PENDING, _TABLE.expires_at < current_time(), _free())
            .order_by(_TABLE.expires_at)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        ended = update(webhook_deliveries).where(_TABLE.id.in_(late), _PENDING)
        return self._connection.execute(
            ended.values(
                state=DeliveryState.FAILED.value,
                finished_at=current_time(),
                lease_until=None,
                error=case((_TABLE.error.is_(None), "expired"), else_=_TABLE.error),
            )
        ).rowcount

    def purge(self, days: int, limit: int) -> int:
        """Forget deliveries that ended longer ago, at most so many, and give their number.

        Parameters
        ----------
        days
            How long ago.
        limit
            Most that are deleted in this unit.
        """
        old = (
            select(_TABLE.id)
            .where(_TABLE.finished_at < current_time(-days * DAY_SECONDS))
            .order_by(_TABLE.finished_at)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        gone = delete(webhook_deliveries).where(_TABLE.id.in_(old))
        return self._connection.execute(gone).rowcount

    def oldest_pending(self) -> datetime | None:
        """Give when the oldest delivery that is still tried was asked for. None without any."""
        expires = select(func.min(_TABLE.expires_at)).where(_PENDING)
        found: datetime | None = self._connection.execute(expires).scalar()
        return None if found is None else found - timedelta(days=EXPIRY_DAYS)

    def counts(self) -> Mapping[DeliveryState, int]:
        """Count all tenants' deliveries by state. A scan of what is kept of them."""
        rows = self._connection.execute(
            select(_TABLE.state, func.count()).group_by(_TABLE.state)
        ).all()
        return dict.fromkeys(DeliveryState, 0) | {DeliveryState(row[0]): row[1] for row in rows}


def _free() -> ColumnElement[bool]:
    return or_(_TABLE.lease_until.is_(None), _TABLE.lease_until < current_time())


def _leased_of(webhook_id: ColumnElement[str] | str) -> Select[int]:
    """Count the deliveries to a webhook that senders hold now."""
    held = (_TABLE.webhook_id == webhook_id) & _PENDING & (_TABLE.lease_until > current_time())
    return select(func.count()).select_from(webhook_deliveries).where(held)


def _due_of(webhook_id: ColumnElement[str] | str) -> Select[tuple[str]]:
    """Select the deliveries to a webhook that a sender may take now."""
    return select(_TABLE.id).where(
        _TABLE.webhook_id == webhook_id, _PENDING, _TABLE.due_at <= current_time(), _free()
    )
