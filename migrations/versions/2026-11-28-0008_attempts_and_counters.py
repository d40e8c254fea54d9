"""How attempts have ended, what processes count, drained workers, and weights of tenants."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from app.db.tallies import drop_triggers

revision: str = "0014"
down_revision: str | None = "0013"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_BUCKETS = range(11)
_NUMBERS = ["number"] + [f"{name}_{one}" for name in ("waited", "solved") for one in _BUCKETS]
_SUMS = ("waited_seconds", "solved_seconds", "seconds")


def upgrade() -> None:
    """Apply. Triggers count for workers of before, which leave the new columns empty."""
    op.create_table(
        "attempts",
        sa.Column("tenant", sa.String(63), nullable=False),
        sa.Column("kind", sa.String(63), nullable=False),
        sa.Column("lane", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("attempt", sa.String(15), nullable=False),
        sa.Column("state", sa.String(15), nullable=False),
        sa.Column("detail", sa.String(63), nullable=False),
        *(
            sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)
            for name in _NUMBERS
        ),
        *(sa.Column(name, sa.Double(), server_default="0", nullable=False) for name in _SUMS),
        sa.PrimaryKeyConstraint(
            "tenant", "kind", "lane", "attempt", "state", "detail", name=op.f("pk_attempts")
        ),
    )
    op.create_table(
        "counters",
        sa.Column("tenant", sa.String(63), nullable=False),
        sa.Column("name", sa.String(63), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "name", name=op.f("pk_counters")),
    )
    op.add_column("jobs", sa.Column("claimed_at", sa.DateTime(timezone=True)))
    op.add_column("jobs", sa.Column("traceparent", sa.String(63)))
    op.add_column("workers", sa.Column("drained_at", sa.DateTime(timezone=True)))
    op.add_column("tenants", sa.Column("weight", sa.SmallInteger()))
    for name in ("turn_begin", "turn_end"):
        op.add_column(
            "tallies", sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)
        )
    op.create_index(op.f("ix_tallies_served"), "tallies", ["served"])


def downgrade() -> None:
    """Take back."""
    drop_triggers(op.get_bind())
    op.drop_index(op.f("ix_tallies_served"), "tallies")
    op.drop_column("tallies", "turn_end")
    op.drop_column("tallies", "turn_begin")
    op.drop_column("tenants", "weight")
    op.drop_column("workers", "drained_at")
    op.drop_column("jobs", "traceparent")
    op.drop_column("jobs", "claimed_at")
    op.drop_table("counters")
    op.drop_table("attempts")
