"""Tenants, keys, sessions, priorities, and what is gone."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from app.db.tallies import drop_triggers

revision: str = "0008"
down_revision: str | None = "0007"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_LOCAL = "local"
_SHELVES = ("platforms", "applications")
_NEW = ("tombstones", "audit_lines", "sessions", "keys", "tenants")


def upgrade() -> None:
    """Apply. Code before this gives no priority, and cares for no tenant's limits."""
    op.add_column(
        "jobs", sa.Column("priority", sa.SmallInteger(), server_default="0", nullable=False)
    )
    op.create_index(
        "ix_jobs_claims", "jobs", ["tenant", "state", sa.text("priority DESC"), "failures", "id"]
    )
    op.add_column(
        "tallies", sa.Column("served", sa.BigInteger(), server_default="0", nullable=False)
    )
    for shelf in _SHELVES:
        op.add_column(shelf, sa.Column("used_at", _moment()))
        op.create_index(op.f(f"ix_{shelf}_tenant_used_at"), shelf, ["tenant", "used_at"])
    _make_tenants()
    _make_keys()
    op.create_table(
        "audit_lines",
        sa.Column("id", sa.String(63), nullable=False),
        _tenant(),
        sa.Column("at", _moment(), nullable=False),
        sa.Column("actor", sa.String(200), nullable=False),
        sa.Column("action", sa.String(63), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_lines")),
    )
    op.create_index(op.f("ix_audit_lines_tenant_id"), "audit_lines", ["tenant", "id"])
    op.create_table(
        "tombstones",
        _tenant(),
        sa.Column("job_id", sa.String(63), nullable=False),
        sa.Column("purged_at", _moment(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "job_id", name=op.f("pk_tombstones")),
    )
    op.create_index(op.f("ix_tombstones_purged_at"), "tombstones", ["purged_at"])


def downgrade() -> None:
    """Take back."""
    for table in _NEW:
        op.drop_table(table)
    for shelf in _SHELVES:
        op.drop_index(op.f(f"ix_{shelf}_tenant_used_at"), shelf)
        op.drop_column(shelf, "used_at")
    op.drop_index("ix_jobs_claims", "jobs")
    op.drop_column("jobs", "priority")
    # SQLite drops no column that a trigger reads; the older triggers are made afterwards.
    drop_triggers(op.get_bind())
    op.drop_column("tallies", "served")


def _tenant() -> sa.Column[str]:
    return sa.Column("tenant", sa.String(63), server_default=_LOCAL, nullable=False)


def _moment() -> sa.DateTime:
    return sa.DateTime(timezone=True)


def _make_tenants() -> None:
    tenants = op.create_table(
        "tenants",
        _tenant(),
        sa.Column("created_at", _moment(), nullable=False),
        sa.Column("queued_jobs", sa.Integer()),
        sa.Column("running_jobs", sa.Integer()),
        sa.Column("requests_per_minute", sa.Integer()),
        sa.Column("stored_bytes", sa.BigInteger()),
        sa.Column("time_limit", sa.Double()),
        sa.Column("priority", sa.SmallInteger()),
        sa.Column("retention_days", sa.Integer()),
        sa.Column("measured_bytes", sa.BigInteger()),
        sa.Column("measured_at", _moment()),
        sa.PrimaryKeyConstraint("tenant", name=op.f("pk_tenants")),
    )
    op.execute(tenants.insert().values(tenant=_LOCAL, created_at=sa.func.current_timestamp()))


def _make_keys() -> None:
    op.create_table(
        "keys",
        sa.Column("id", sa.String(31), nullable=False),
        _tenant(),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_at", _moment(), nullable=False),
        sa.Column("expires_at", _moment()),
        sa.Column("revoked_at", _moment()),
        sa.Column("used_at", _moment()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_keys")),
    )
    op.create_index(op.f("ix_keys_tenant"), "keys", ["tenant"])
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(64), nullable=False),
        _tenant(),
        sa.Column("key_id", sa.String(31), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_at", _moment(), nullable=False),
        sa.Column("used_at", _moment(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_sessions")),
        sa.ForeignKeyConstraint(
            ["key_id"], ["keys.id"], name=op.f("fk_sessions_key_id_keys"), ondelete="CASCADE"
        ),
    )
    op.create_index(op.f("ix_sessions_key_id"), "sessions", ["key_id"])
    op.create_index(op.f("ix_sessions_used_at"), "sessions", ["used_at"])
