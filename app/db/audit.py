"""Audit lines: who made, revoked, deleted or cancelled what, written with the change itself."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Connection, delete, insert, select

from app.db.clock import DAY_SECONDS, current_time
from app.db.ids import id_of_age, new_id
from app.db.models import audit_lines
from app.db.pages import Page, decode_token, encode_token

_PREFIX = "line_"
_LONGEST = 200


class Action(StrEnum):
    """What was done."""

    KEY_CREATED = "key.created"
    KEY_REVOKED = "key.revoked"
    TENANT_CREATED = "tenant.created"
    TENANT_CHANGED = "tenant.changed"
    TENANT_DELETED = "tenant.deleted"
    JOB_CANCELLED = "job.cancelled"
    JOB_REQUEUED = "job.requeued"
    JOB_DELETED = "job.deleted"
    REPLAN_DELETED = "replan.deleted"
    SWEEP_CANCELLED = "sweep.cancelled"
    SWEEP_DELETED = "sweep.deleted"
    PLATFORM_DELETED = "platform.deleted"
    APPLICATION_DELETED = "application.deleted"
    WEBHOOK_CREATED = "webhook.created"
    WEBHOOK_CHANGED = "webhook.changed"
    WEBHOOK_ROTATED = "webhook.rotated"
    WEBHOOK_DELETED = "webhook.deleted"
    MEASUREMENTS_DELETED = "measurements.deleted"
    LOGGED_IN = "session.login"
    LOGGED_OUT = "session.logout"


@dataclass(frozen=True)
class AuditLine:
    """One action of one caller."""

    id: str
    tenant: str
    at: datetime
    actor: str
    action: str
    subject: str


class AuditRepository:
    """All tenants' audit lines."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def write(self, tenant: str, actor: str, action: Action, subject: str) -> None:
        """Write a line, in the unit that makes the change.

        Parameters
        ----------
        actor
            Who, such as ``key ab12cd34``. This and the subject are cut after 200 characters.
        subject
            The id of what was changed, and what is worth knowing besides it.
        """
        self._connection.execute(
            insert(audit_lines).values(
                id=new_id(_PREFIX),
                tenant=tenant,
                at=current_time(),
                actor=actor[:_LONGEST],
                action=action.value,
                subject=subject[:_LONGEST],
            )
        )

    def page(
        self,
        limit: int,
        token: str | None = None,
        *,
        of: str | None = None,
        since_seconds: float | None = None,
    ) -> Page[AuditLine]:
        """List lines, the oldest first.

        Parameters
        ----------
        limit
            Most lines on the page.
        token
            `Page.next_token` of the page before.
        of
            Only those of this tenant.
        since_seconds
            Only those not older than this.

        Raises
        ------
        PageTokenError
            If the service did not make the token.
        """
        lines = audit_lines.c
        query = select(*(lines[name] for name in AuditLine.__dataclass_fields__))
        if of is not None:
            query = query.where(lines.tenant == of)
        if since_seconds is not None:
            query = query.where(lines.id >= id_of_age(_PREFIX, since_seconds))
        if token is not None:
            query = query.where(lines.id > decode_token(token, (str,))[0])
        rows = self._connection.execute(query.order_by(lines.id).limit(limit + 1))
        found = [AuditLine(*row) for row in rows]
        more = len(found) > limit
        return Page(found[:limit], encode_token([found[limit - 1].id]) if more else None)

    def purge(self, keep_days: int, limit: int) -> int:
        """Delete some of the lines older than so many days, and give their number.

        Parameters
        ----------
        keep_days
            For how many days lines are kept.
        limit
            Most that are deleted in this unit.
        """
        old = (
            select(audit_lines.c.id)
            .where(audit_lines.c.id < id_of_age(_PREFIX, keep_days * DAY_SECONDS))
            .order_by(audit_lines.c.id)
            .limit(limit)
        )
        deleted = self._connection.execute(delete(audit_lines).where(audit_lines.c.id.in_(old)))
        return deleted.rowcount
