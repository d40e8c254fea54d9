"""The first tables: jobs and all that belongs to them, documents, workers."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "applications",
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("id", sa.String(length=63), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "id", name="pk_applications"),
    )
    op.create_index(
        "ix_applications_tenant_created_at_id", "applications", ["tenant", "created_at", "id"]
    )

    op.create_table(
        "idempotency_keys",
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("fingerprint", sa.String(length=127), nullable=False),
        sa.Column("job_id", sa.String(length=63), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "key", name="pk_idempotency_keys"),
    )
    op.create_index("ix_idempotency_keys_created_at", "idempotency_keys", ["created_at"])
    op.create_index("ix_idempotency_keys_job_id", "idempotency_keys", ["job_id"])

    op.create_table(
        "platforms",
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("id", sa.String(length=63), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "id", name="pk_platforms"),
    )
    op.create_index(
        "ix_platforms_tenant_created_at_id", "platforms", ["tenant", "created_at", "id"]
    )

    op.create_table(
        "schedules",
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("id", sa.String(length=63), nullable=False),
        sa.Column("header", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "id", name="pk_schedules"),
    )
    op.create_table(
        "workers",
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("versions", sa.Text(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "id", name="pk_workers"),
    )
    op.create_table(
        "jobs",
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
        sa.CheckConstraint(
            "outcome IN ('optimal', 'feasible', 'infeasible', 'bound_only')", name="ck_jobs_outcome"
        ),
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
    )
    op.create_index("ix_jobs_state_failures_id", "jobs", ["state", "failures", "id"])
    op.create_index("ix_jobs_tenant_id", "jobs", ["tenant", "id"])
    op.create_index("ix_jobs_tenant_schedule_id", "jobs", ["tenant", "schedule_id"])
    op.create_index("ix_jobs_tenant_state_id", "jobs", ["tenant", "state", "id"])

    op.create_table(
        "schedule_chunks",
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("schedule_id", sa.String(length=63), nullable=False),
        sa.Column("part", sa.String(length=31), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("start", sa.Text(), nullable=True),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant", "schedule_id"],
            ["schedules.tenant", "schedules.id"],
            name="fk_schedule_chunks_tenant_schedule_id_schedules",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "tenant", "schedule_id", "part", "number", name="pk_schedule_chunks"
        ),
    )
    op.create_table(
        "job_events",
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
    op.create_table(
        "job_instances",
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("job_id", sa.String(length=63), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name="fk_job_instances_job_id_jobs", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("job_id", name="pk_job_instances"),
    )
    op.create_table(
        "job_labels",
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("job_id", sa.String(length=63), nullable=False),
        sa.Column("key", sa.String(length=63), nullable=False),
        sa.Column("value", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name="fk_job_labels_job_id_jobs", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("job_id", "key", name="pk_job_labels"),
    )
    op.create_index(
        "ix_job_labels_tenant_key_value_job_id", "job_labels", ["tenant", "key", "value", "job_id"]
    )

    op.create_table(
        "job_results",
        sa.Column("tenant", sa.String(length=63), server_default="local", nullable=False),
        sa.Column("job_id", sa.String(length=63), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name="fk_job_results_job_id_jobs", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("job_id", name="pk_job_results"),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("job_results")

    op.drop_table("job_labels")
    op.drop_table("job_instances")
    op.drop_table("job_events")
    op.drop_table("schedule_chunks")

    op.drop_table("jobs")
    op.drop_table("workers")
    op.drop_table("schedules")

    op.drop_table("platforms")

    op.drop_table("idempotency_keys")

    op.drop_table("applications")
