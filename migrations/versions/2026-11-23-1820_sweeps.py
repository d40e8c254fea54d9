"""Sweeps, their jobs in a lane of their own, and replans."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from app.db.tallies import drop_triggers

revision: str = "0010"
down_revision: str | None = "0009"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_STATES = ("queued", "running", "cancelling", "succeeded", "failed", "cancelled")
_OF_JOBS = (
    ("lane", sa.SmallInteger(), "0"),
    ("sweep_id", sa.String(63), None),
    ("sweep_index", sa.Integer(), "0"),
    ("sweep_try", sa.SmallInteger(), "0"),
    ("retry_of", sa.String(63), None),
    ("replaced_by", sa.String(63), None),
    ("replan_of", sa.String(63), None),
)
_LANES = ["tenant", "state", "lane", sa.text("priority DESC"), "failures", "sweep_index", "id"]


def upgrade() -> None:
    """Apply. Workers of before cannot solve jobs of sweeps, and are not given any."""
    drop_triggers(op.get_bind())
    for name, kind, default in _OF_JOBS:
        op.add_column(
            "jobs", sa.Column(name, kind, server_default=default, nullable=default is None)
        )
    op.drop_index("ix_jobs_claims", "jobs")
    op.create_index("ix_jobs_claims", "jobs", _LANES)
    op.create_index(
        "ix_jobs_sweep_id_sweep_index_sweep_try",
        "jobs",
        ["sweep_id", "sweep_index", "sweep_try"],
        unique=True,
    )
    op.drop_table("tallies")
    _make_tallies(["tenant", "kind", "lane"])
    op.add_column("tenants", sa.Column("sweep_jobs", sa.Integer()))
    _make_sweeps()
    op.create_table(
        "replans",
        sa.Column("id", sa.String(63), nullable=False),
        _tenant(),
        sa.Column("of_job", sa.String(63), nullable=False),
        sa.Column("job_id", sa.String(63)),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", _moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_replans")),
    )
    op.create_index(op.f("ix_replans_tenant_id"), "replans", ["tenant", "id"])
    op.create_index(op.f("ix_replans_tenant_created_at"), "replans", ["tenant", "created_at"])


def downgrade() -> None:
    """Take back. The older tables know no jobs of sweeps, which go."""
    drop_triggers(op.get_bind())
    for table in ("replans", "sweep_studies", "sweep_plans", "sweeps"):
        op.drop_table(table)
    op.execute("DELETE FROM jobs WHERE sweep_id IS NOT NULL")
    op.drop_column("tenants", "sweep_jobs")
    op.drop_table("tallies")
    _make_tallies(["tenant", "kind"])
    op.drop_index("ix_jobs_sweep_id_sweep_index_sweep_try", "jobs")
    op.drop_index("ix_jobs_claims", "jobs")
    for name, *_ in reversed(_OF_JOBS):
        op.drop_column("jobs", name)
    op.create_index(
        "ix_jobs_claims", "jobs", ["tenant", "state", sa.text("priority DESC"), "failures", "id"]
    )


def _tenant() -> sa.Column[str]:
    return sa.Column("tenant", sa.String(63), server_default="local", nullable=False)


def _moment() -> sa.DateTime:
    return sa.DateTime(timezone=True)


def _numbers(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer(), server_default="0", nullable=False) for name in names]


def _make_tallies(key: Sequence[str]) -> None:
    """Jobs are counted anew once all migrations have run."""
    lane = [sa.Column("lane", sa.SmallInteger(), server_default="0", nullable=False)]
    op.create_table(
        "tallies",
        _tenant(),
        sa.Column("kind", sa.String(63), nullable=False),
        *(lane if "lane" in key else []),
        *_numbers(*_STATES),
        sa.Column("served", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint(*key, name=op.f("pk_tallies")),
    )


def _make_sweeps() -> None:
    op.create_table(
        "sweeps",
        sa.Column("id", sa.String(63), nullable=False),
        _tenant(),
        sa.Column("kind", sa.String(15), nullable=False),
        sa.Column("job_kind", sa.String(63), nullable=False),
        sa.Column("name", sa.String(200)),
        sa.Column("labels", sa.Text(), nullable=False),
        sa.Column("of_job", sa.String(63)),
        *_numbers("jobs", "created", *_STATES),
        sa.Column("lease_until", _moment()),
        sa.Column("cancelled_at", _moment()),
        sa.Column("doom", sa.String(15)),
        sa.Column("created_at", _moment(), nullable=False),
        sa.Column("finished_at", _moment()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sweeps")),
        sa.CheckConstraint("kind IN ('sweep', 'what_if')", name=op.f("ck_sweeps_kind")),
        sa.CheckConstraint("doom IN ('deleted', 'purged')", name=op.f("ck_sweeps_doom")),
        sa.CheckConstraint("created >= 0 AND created <= jobs", name=op.f("ck_sweeps_created")),
    )
    op.create_index(op.f("ix_sweeps_tenant_id"), "sweeps", ["tenant", "id"])
    op.create_index(op.f("ix_sweeps_tenant_finished_at"), "sweeps", ["tenant", "finished_at"])
    for name in ("sweep_plans", "sweep_studies"):
        op.create_table(
            name,
            _tenant(),
            sa.Column("sweep_id", sa.String(63), nullable=False),
            sa.Column("packed", sa.LargeBinary(), nullable=False),
            sa.PrimaryKeyConstraint("sweep_id", name=op.f(f"pk_{name}")),
            sa.ForeignKeyConstraint(
                ["sweep_id"],
                ["sweeps.id"],
                name=op.f(f"fk_{name}_sweep_id_sweeps"),
                ondelete="CASCADE",
            ),
        )
