"""Tallies of jobs, what they have found out beside them, and the outcome unknown."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from app.db.tallies import drop_triggers

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_STATES = ("queued", "running", "cancelling", "succeeded", "failed", "cancelled")
_BEFORE = ("optimal", "feasible", "infeasible", "bound_only")
_AFTER = (*_BEFORE, "unknown")


_CHECKS = (
    *(
        ("jobs", name)
        for name in ("state", "outcome", "succeeded", "failed", "finished", "leased", "counts")
    ),
    ("job_events", "type"),
)
_ANSWERS = ("objective", "bound", "gap")


def _outcomes(*values: str) -> str:
    return f"outcome IN ({', '.join(map(repr, values))})"


def _jobs(outcomes: Sequence[str], answers: Sequence[str]) -> sa.Table:
    """Say what SQLite copies: what a CHECK says cannot be read back from it."""
    return sa.Table(
        "jobs",
        sa.MetaData(),
        sa.Column("id", sa.String(length=63), nullable=False),
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("kind", sa.String(length=63), nullable=False),
        sa.Column("state", sa.String(length=15), nullable=False),
        sa.Column("outcome", sa.String(length=15), nullable=True),
        sa.Column("labels", sa.Text(), nullable=False),
        sa.Column("warnings", sa.Text(), nullable=False),
        sa.Column("time_limit", sa.Double(), nullable=False),
        sa.Column("progress", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("schedule_id", sa.String(length=63), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=255), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("woken_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("wakes", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        *(sa.Column(answer, sa.Text(), nullable=True) for answer in answers),
        sa.CheckConstraint("(state = 'failed') = (error IS NOT NULL)", name="ck_jobs_failed"),
        sa.CheckConstraint(
            "(state = 'succeeded') = (outcome IS NOT NULL)", name="ck_jobs_succeeded"
        ),
        sa.CheckConstraint(
            "(state IN ('running', 'cancelling')) = (lease_until IS NOT NULL)",
            name="ck_jobs_leased",
        ),
        sa.CheckConstraint(
            "(state IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL)",
            name="ck_jobs_finished",
        ),
        sa.CheckConstraint(_outcomes(*outcomes), name="ck_jobs_outcome"),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'cancelling', 'succeeded', 'failed', 'cancelled')",
            name="ck_jobs_state",
        ),
        sa.CheckConstraint("attempt >= 0 AND failures >= 0 AND seq >= 0", name="ck_jobs_counts"),
        sa.ForeignKeyConstraint(
            ["tenant", "schedule_id"],
            ["schedules.tenant", "schedules.id"],
            name="fk_jobs_tenant_schedule_id_schedules",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
        sa.Index("ix_jobs_state_failures_id", "state", "failures", "id"),
        sa.Index("ix_jobs_tenant_id", "tenant", "id"),
        sa.Index("ix_jobs_tenant_schedule_id", "tenant", "schedule_id"),
        sa.Index("ix_jobs_tenant_state_id", "tenant", "state", "id"),
    )


def _job_events() -> sa.Table:
    return sa.Table(
        "job_events",
        sa.MetaData(),
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("job_id", sa.String(length=63), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("type", sa.String(length=15), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("type IN ('state', 'progress', 'end')", name="ck_job_events_type"),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name="fk_job_events_job_id_jobs", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("job_id", "seq", name="pk_job_events"),
    )


def upgrade() -> None:
    """Apply. Code of 0001 can work with these tables."""
    _mend_names()
    with op.batch_alter_table("jobs", copy_from=_jobs(_BEFORE, ())) as jobs:
        jobs.drop_constraint(op.f("ck_jobs_outcome"), type_="check")
        jobs.create_check_constraint(op.f("ck_jobs_outcome"), _outcomes(*_AFTER))
        for answer in _ANSWERS:
            jobs.add_column(sa.Column(answer, sa.Text(), nullable=True))
    op.create_table(
        "tallies",
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("kind", sa.String(length=63), nullable=False),
        *(sa.Column(state, sa.Integer(), server_default="0", nullable=False) for state in _STATES),
        sa.PrimaryKeyConstraint("tenant", "kind", name="pk_tallies"),
    )
    compatibility = op.create_table(
        "compatibility",
        sa.Column("oldest", sa.String(length=31), nullable=False),
        sa.PrimaryKeyConstraint("oldest", name="pk_compatibility"),
    )
    op.bulk_insert(compatibility, [{"oldest": "0001"}])


def _mend_names() -> None:
    """Name the CHECKs as the code does: 0001 has put their prefix before them twice.

    What SQLite copies gets its names from what is said here.
    """
    if op.get_bind().dialect.name == "sqlite":
        with op.batch_alter_table("job_events", copy_from=_job_events(), recreate="always"):
            return
    for table, name in _CHECKS:
        mended, first = _names(table, name)
        op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {first} TO {mended}")


def _names(table: str, name: str) -> tuple[str, str]:
    return f"ck_{table}_{name}", f"ck_{table}_ck_{table}_{name}"


def downgrade() -> None:
    """Take back; what was unknown becomes ``bound_only``, the nearest that 0001 can say."""
    drop_triggers(op.get_bind())
    op.drop_table("compatibility")
    op.drop_table("tallies")
    op.execute("UPDATE jobs SET outcome = 'bound_only' WHERE outcome = 'unknown'")
    with op.batch_alter_table("jobs", copy_from=_jobs(_AFTER, _ANSWERS)) as jobs:
        for answer in _ANSWERS:
            jobs.drop_column(answer)
        jobs.drop_constraint(op.f("ck_jobs_outcome"), type_="check")
        jobs.create_check_constraint(op.f("ck_jobs_outcome"), _outcomes(*_BEFORE))
    if op.get_bind().dialect.name == "postgresql":
        for table, name in _CHECKS:
            mended, first = _names(table, name)
            op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {mended} TO {first}")
