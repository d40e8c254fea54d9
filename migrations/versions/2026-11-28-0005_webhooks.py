"""Webhooks, what is delivered to them, and which jobs and sweeps are yet to be announced."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0013"
down_revision: str | None = "0012"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_OUTBOXES = ("jobs", "sweeps")
_OF_REPLANS = "ix_replans_job_id"


def upgrade() -> None:
    """Apply. Code before this announces nothing that it makes, and ends what is to be announced."""
    for table in _OUTBOXES:
        op.add_column(
            table, sa.Column("announce", sa.SmallInteger(), server_default="0", nullable=False)
        )
        ended = sa.text("announce = 1 AND finished_at IS NOT NULL")
        op.create_index(
            f"ix_{table}_announced", table, ["id"], sqlite_where=ended, postgresql_where=ended
        )
    op.create_index(op.f(_OF_REPLANS), "replans", ["job_id"])
    op.create_table(
        "webhooks",
        sa.Column("id", sa.String(63), nullable=False),
        _tenant(),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("secret", sa.String(127), nullable=False),
        sa.Column("former_secret", sa.String(127)),
        sa.Column("former_until", _moment()),
        sa.Column("disabled", sa.String(15)),
        sa.Column("claimed_at", _moment(), nullable=False),
        sa.Column("created_at", _moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
        sa.CheckConstraint("disabled IN ('owner', 'gone')", name=op.f("ck_webhooks_disabled")),
    )
    op.create_index(op.f("ix_webhooks_tenant_id"), "webhooks", ["tenant", "id"])
    _make_deliveries()


def downgrade() -> None:
    """Take back."""
    op.drop_table("webhook_deliveries")
    op.drop_table("webhooks")
    op.drop_index(op.f(_OF_REPLANS), "replans")
    for table in _OUTBOXES:
        op.drop_index(f"ix_{table}_announced", table)
        op.drop_column(table, "announce")


def _tenant() -> sa.Column[str]:
    return sa.Column("tenant", sa.String(63), server_default="local", nullable=False)


def _moment() -> sa.DateTime:
    return sa.DateTime(timezone=True)


def _make_deliveries() -> None:
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.String(63), nullable=False),
        _tenant(),
        sa.Column("webhook_id", sa.String(63), nullable=False),
        sa.Column("message", sa.String(63), nullable=False),
        sa.Column("event", sa.String(31), nullable=False),
        sa.Column("subject", sa.String(63), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("state", sa.String(15), nullable=False),
        sa.Column("attempt", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("status", sa.Integer()),
        sa.Column("error", sa.String(63)),
        sa.Column("lease_until", _moment()),
        sa.Column("due_at", _moment(), nullable=False),
        sa.Column("expires_at", _moment(), nullable=False),
        sa.Column("created_at", _moment(), nullable=False),
        sa.Column("tried_at", _moment()),
        sa.Column("finished_at", _moment()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_deliveries")),
        sa.ForeignKeyConstraint(
            ["webhook_id"],
            ["webhooks.id"],
            name=op.f("fk_webhook_deliveries_webhook_id_webhooks"),
            ondelete="CASCADE",
        ),
        sa.CheckConstraint(
            "state IN ('pending', 'succeeded', 'failed')", name=op.f("ck_webhook_deliveries_state")
        ),
        sa.CheckConstraint(
            "(state = 'pending') = (finished_at IS NULL)",
            name=op.f("ck_webhook_deliveries_finished"),
        ),
    )
    pending = sa.text("state = 'pending'")
    for name, columns in (("due", ["webhook_id", "due_at"]), ("expiring", ["expires_at"])):
        op.create_index(
            f"ix_webhook_deliveries_{name}",
            "webhook_deliveries",
            columns,
            sqlite_where=pending,
            postgresql_where=pending,
        )
    op.create_index(
        op.f("ix_webhook_deliveries_webhook_id_message"),
        "webhook_deliveries",
        ["webhook_id", "message"],
        unique=True,
    )
    op.create_index(
        op.f("ix_webhook_deliveries_tenant_webhook_id_id"),
        "webhook_deliveries",
        ["tenant", "webhook_id", "id"],
    )
    op.create_index(
        op.f("ix_webhook_deliveries_finished_at"), "webhook_deliveries", ["finished_at"]
    )
