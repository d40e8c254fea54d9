"""Which jobs were deleted lately, for those who look at lists."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0009"
down_revision: str | None = "0008"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. Code before this deletes jobs without a word, and tells no client."""
    op.create_table(
        "deleted_jobs",
        sa.Column("tenant", sa.String(63), server_default="local", nullable=False),
        sa.Column("id", sa.String(63), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deleted_jobs")),
    )
    op.create_index("ix_deleted_jobs_tenant_deleted_at", "deleted_jobs", ["tenant", "deleted_at"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("deleted_jobs")
