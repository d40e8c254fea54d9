"""Webhooks as their owner sees them, and what is delivered to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select, update

from app.db.announcements import EXPIRY_DAYS, TEST, add_test, announce_drift
from app.db.clock import DAY_SECONDS, current_time
from app.db.models import webhook_deliveries, webhooks
from app.db.pages import Page, decode_token, encode_token
from app.db.webhook_tables import DeliveryState, Disabled

OF_WEBHOOKS = "whk_"
SECRET_PREFIX = "whsec_"
ROTATION_SECONDS = DAY_SECONDS
"""For so long the former secret signs, too."""

_HOOKS, _SENT = webhooks.c, webhook_deliveries.c


@dataclass(frozen=True)
class WebhookRecord:
    """A webhook's row, without its secrets."""

    id: str
    url: str
    events: list[str]
    disabled: Disabled | None
    former_until: datetime | None
    """Until when the former secret signs, too."""
    created_at: datetime


@dataclass(frozen=True)
class DeliveryRecord:
    """A delivery's row."""

    id: str
    webhook_id: str
    message: str
    event: str
    subject: str
    payload: str
    state: DeliveryState
    attempt: int
    status: int | None
    error: str | None
    due_at: datetime
    created_at: datetime
    tried_at: datetime | None
    finished_at: datetime | None


_OF_WEBHOOK = tuple(_HOOKS[name] for name in WebhookRecord.__dataclass_fields__)
_OF_DELIVERY = tuple(_SENT[name] for name in DeliveryRecord.__dataclass_fields__)


def _webhook(row: Any) -> WebhookRecord:
    values = row._asdict()
    values["disabled"] = None if row.disabled is None else Disabled(row.disabled)
    return WebhookRecord(**values)


def _delivery(row: Any) -> DeliveryRecord:
    return DeliveryRecord(**(row._asdict() | {"state": DeliveryState(row.state)}))


class WebhookRepository:
    """One tenant's webhooks; ids of other tenants do not exist."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._mine = _HOOKS.tenant == tenant

    def add(self, webhook_id: str, url: str, events: Sequence[str], secret: str) -> None:
        """Store a webhook. It hears of what is submitted from now on.

        Parameters
        ----------
        webhook_id
            A new id.
        url
            Where its receiver is.
        events
            What it listens to.
        secret
            What signs. It is stored as it is.
        """
        self._connection.execute(
            insert(webhooks).values(
                tenant=self._tenant,
                id=webhook_id,
                url=url,
                events=list(events),
                secret=secret,
                claimed_at=current_time(),
                created_at=current_time(),
            )
        )

    def count(self) -> int:
        """Count the tenant's webhooks."""
        counted = select(func.count()).select_from(webhooks).where(self._mine)
        return self._connection.execute(counted).scalar_one()

    def get(self, webhook_id: str) -> WebhookRecord | None:
        """Give a webhook, or None if there is none."""
        query = select(*_OF_WEBHOOK).where(self._mine, _HOOKS.id == webhook_id)
        row = self._connection.execute(query).first()
        return None if row is None else _webhook(row)

    def secret(self, webhook_id: str) -> str | None:
        """Give what signs the messages to a webhook; None where there is none."""
        query = select(_HOOKS.secret).where(self._mine, _HOOKS.id == webhook_id)
        return self._connection.execute(query).scalar_one_or_none()

    def page(self, limit: int, token: str | None = None) -> Page[WebhookRecord]:
        """List webhooks, the newest first.

        Parameters
        ----------
        limit
            Most on the page.
        token
            `Page.next_token` of the page before. None: the first page.

        Raises
        ------
        PageTokenError
            If no page of this list has this token.
        """
        query = select(*_OF_WEBHOOK).where(self._mine)
        rows, further = self._newest(query, _HOOKS.id, limit, token)
        return Page([_webhook(row) for row in rows], further)

    def change(self, webhook_id: str, changes: Mapping[str, Any]) -> bool:
        """Set `url`, `events` or `disabled`; False without such a webhook.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        changes
            Values by column.
        """
        changed = update(webhooks).where(self._mine, _HOOKS.id == webhook_id)
        return self._connection.execute(changed.values(**changes)).rowcount == 1

    def rotate(self, webhook_id: str, secret: str) -> bool:
        """Sign with a new secret, and for a day with the present one, too; False without a webhook.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        secret
            The new one.
        """
        rotated = update(webhooks).where(self._mine, _HOOKS.id == webhook_id)
        return (
            self._connection.execute(
                rotated.values(
                    secret=secret,
                    former_secret=_HOOKS.secret,
                    former_until=current_time(ROTATION_SECONDS),
                )
            ).rowcount
            == 1
        )

    def delete(self, webhook_id: str) -> bool:
        """Delete a webhook with all deliveries to it; False if there is none."""
        gone = delete(webhooks).where(self._mine, _HOOKS.id == webhook_id)
        return self._connection.execute(gone).rowcount == 1

    def deliveries(
        self, webhook_id: str, limit: int, token: str | None = None, state: str | None = None
    ) -> Page[DeliveryRecord]:
        """List what is delivered to a webhook, the newest first.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        limit
            Most on the page.
        token
            As of `page`.
        state
            Only those in this state. None: all.

        Raises
        ------
        PageTokenError
            If no page of this list has this token.
        """
        query = select(*_OF_DELIVERY).where(self._condition_of(webhook_id))
        if state is not None:
            query = query.where(_SENT.state == state)
        rows, further = self._newest(query, _SENT.id, limit, token)
        return Page([_delivery(row) for row in rows], further)

    def delivery(self, webhook_id: str, delivery_id: str) -> DeliveryRecord | None:
        """Give a delivery to a webhook, or None if there is none.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        delivery_id
            Of the delivery.
        """
        query = select(*_OF_DELIVERY).where(self._condition_of(webhook_id), _SENT.id == delivery_id)
        row = self._connection.execute(query).first()
        return None if row is None else _delivery(row)

    def redeliver(self, webhook_id: str, delivery_id: str) -> bool:
        """Let a delivery be sent again, now, with the same message id; False if there is none.

        An attempt that a sender has begun goes on.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        delivery_id
            Of the delivery.
        """
        again = update(webhook_deliveries).where(
            self._condition_of(webhook_id), _SENT.id == delivery_id
        )
        return (
            self._connection.execute(
                again.values(
                    state=DeliveryState.PENDING.value,
                    finished_at=None,
                    failures=0,
                    due_at=current_time(),
                    expires_at=current_time(EXPIRY_DAYS * DAY_SECONDS),
                )
            ).rowcount
            == 1
        )

    def announce_drift(self, replan_id: str, platform_id: str, job_id: str) -> None:
        """Store deliveries of ``platform.drift``, to each webhook that listens to it.

        Parameters
        ----------
        replan_id
            Of the new plan.
        platform_id
            Of the platform whose measurements count.
        job_id
            Of the watched job.
        """
        data = {"platform": platform_id, "job": job_id}
        announce_drift(self._connection, self._tenant, replan_id, data)

    def test(self, webhook_id: str, most: int) -> str | None:
        """Store a delivery for a trial, and give its id.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        most
            With so many that are yet to be sent there is none more.

        Returns
        -------
        str or None
            None if there are too many.
        """
        waiting = select(func.count()).select_from(webhook_deliveries)
        waiting = waiting.where(
            self._condition_of(webhook_id), _SENT.state == DeliveryState.PENDING.value
        )
        if self._connection.execute(waiting.where(_SENT.event == TEST)).scalar_one() >= most:
            return None
        return add_test(self._connection, self._tenant, webhook_id)

    def _newest(
        self, query: Select[Any], key: ColumnElement[str], limit: int, token: str | None
    ) -> tuple[Sequence[Any], str | None]:
        if token is not None:
            query = query.where(key < decode_token(token, (str,))[0])
        rows = self._connection.execute(query.order_by(key.desc()).limit(limit + 1)).all()
        more = len(rows) > limit
        return rows[:limit], encode_token([rows[limit - 1].id]) if more else None

    def _condition_of(self, webhook_id: str) -> ColumnElement[bool]:
        return (_SENT.tenant == self._tenant) & (_SENT.webhook_id == webhook_id)
