"""The tables of webhooks and of what is delivered to them."""

from enum import StrEnum

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    text,
)

from app.db.clock import Timestamp
from app.db.columns import Json, Name, membership_condition, metadata, tenant_column


class DeliveryState(StrEnum):
    """How far a delivery to a webhook is."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class Disabled(StrEnum):
    """Why nothing is sent to a webhook."""

    OWNER = "owner"
    GONE = "gone"
    """The receiver answered 410."""


webhooks = Table(
    "webhooks",
    metadata,
    Column("id", Name(63), primary_key=True),
    tenant_column(),
    Column("url", Text, nullable=False),
    Column("events", Json, nullable=False),
    Column("secret", String(127), nullable=False),
    Column("former_secret", String(127)),
    Column("former_until", Timestamp),
    Column("disabled", String(15)),
    Column("claimed_at", Timestamp, nullable=False),
    Column("created_at", Timestamp, nullable=False),
    CheckConstraint(membership_condition("disabled", Disabled), name="disabled"),
    Index(None, "tenant", "id"),
)
"""Receivers that hear of what has ended. A secret signs, so it is kept as it is."""

webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    Column("id", Name(63), primary_key=True),
    tenant_column(),
    Column("webhook_id", ForeignKey("webhooks.id", ondelete="CASCADE"), nullable=False),
    Column("message", String(63), nullable=False),
    Column("event", String(31), nullable=False),
    Column("subject", Name(63), nullable=False),
    Column("payload", Text, nullable=False),
    Column("state", String(15), nullable=False),
    Column("attempt", Integer, nullable=False, server_default="0"),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("status", Integer),
    Column("error", String(63)),
    Column("lease_until", Timestamp),
    Column("due_at", Timestamp, nullable=False),
    Column("expires_at", Timestamp, nullable=False),
    Column("created_at", Timestamp, nullable=False),
    Column("tried_at", Timestamp),
    Column("finished_at", Timestamp),
    CheckConstraint(membership_condition("state", DeliveryState), name="state"),
    CheckConstraint("(state = 'pending') = (finished_at IS NULL)", name="finished"),
    Index(None, "webhook_id", "message", unique=True),
    Index(None, "tenant", "webhook_id", "id"),
    Index(None, "finished_at"),
)
"""`message` is the id that the receiver sees, the same however often it is sent; `attempt` is the
fence of the sender's lease, and `failures` counts since the delivery was asked for."""
_pending = text("state = 'pending'")
Index(
    "ix_webhook_deliveries_due",
    webhook_deliveries.c.webhook_id,
    webhook_deliveries.c.due_at,
    sqlite_where=_pending,
    postgresql_where=_pending,
)
Index(
    "ix_webhook_deliveries_expiring",
    webhook_deliveries.c.expires_at,
    sqlite_where=_pending,
    postgresql_where=_pending,
)
