"""What was measured of platforms, which jobs are watched, and when schedules started."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0015"
down_revision: str | None = "0014"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_MOMENT = sa.DateTime(timezone=True)


def _tenant() -> sa.Column[str]:
    return sa.Column("tenant", sa.String(63), server_default="local", nullable=False)


def _of_platforms(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["tenant", "platform_id"],
        ["platforms.tenant", "platforms.id"],
        name=op.f(f"fk_{table}_tenant_platform_id_platforms"),
        ondelete="CASCADE",
    )


def _of_jobs(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["job_id"], ["jobs.id"], name=op.f(f"fk_{table}_job_id_jobs"), ondelete="CASCADE"
    )


def upgrade() -> None:
    """Apply. Code before this leaves the tables empty, and deletes their rows with jobs."""
    op.create_table(
        "measured_platforms",
        _tenant(),
        sa.Column("platform_id", sa.String(63), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.Column("measured_at", _MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("tenant", "platform_id", name=op.f("pk_measured_platforms")),
        _of_platforms("measured_platforms"),
    )
    op.create_table(
        "measurements",
        _tenant(),
        sa.Column("platform_id", sa.String(63), nullable=False),
        sa.Column("resource", sa.String(415), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint(
            "tenant", "platform_id", "resource", "at", name=op.f("pk_measurements")
        ),
        _of_platforms("measurements"),
    )
    op.create_index(
        op.f("ix_measurements_tenant_platform_id_at"),
        "measurements",
        ["tenant", "platform_id", "at"],
    )
    op.create_table(
        "watches",
        _tenant(),
        sa.Column("job_id", sa.String(63), nullable=False),
        sa.Column("platform_id", sa.String(63), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("planned", sa.Text(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("kept", sa.Text(), nullable=True),
        sa.Column("limited_by", sa.Text(), nullable=False),
        sa.Column("measured_at", _MOMENT, nullable=True),
        sa.Column("replan_id", sa.String(63), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("changes", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", _MOMENT, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_watches")),
        _of_jobs("watches"),
        _of_platforms("watches"),
    )
    op.create_index(op.f("ix_watches_tenant_platform_id"), "watches", ["tenant", "platform_id"])
    op.create_table(
        "drift_points",
        _tenant(),
        sa.Column("id", sa.String(63), nullable=False),
        sa.Column("job_id", sa.String(63), nullable=False),
        sa.Column("platform_id", sa.String(63), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("planned", sa.Text(), nullable=False),
        sa.Column("kept", sa.Text(), nullable=False),
        sa.Column("limited_by", sa.Text(), nullable=False),
        sa.Column("replan_id", sa.String(63), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drift_points")),
        _of_jobs("drift_points"),
    )
    for name in ("platform_id", "job_id"):
        op.create_index(
            op.f(f"ix_drift_points_tenant_{name}_id"), "drift_points", ["tenant", name, "id"]
        )
    op.create_table(
        "epochs",
        _tenant(),
        sa.Column("job_id", sa.String(63), nullable=False),
        sa.Column("epoch", _MOMENT, nullable=False),
        sa.Column("unit_seconds", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_epochs")),
        _of_jobs("epochs"),
    )


def downgrade() -> None:
    """Take back."""
    for table in ("epochs", "drift_points", "watches", "measurements", "measured_platforms"):
        op.drop_table(table)
