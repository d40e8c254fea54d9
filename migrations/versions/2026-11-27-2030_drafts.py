"""Bodies of jobs as they were sent, where they name what is stored or have changes."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0011"
down_revision: str | None = "0010"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. Code before this leaves the table empty, and deletes its rows with their jobs."""
    op.create_table(
        "job_drafts",
        sa.Column("tenant", sa.String(63), server_default="local", nullable=False),
        sa.Column("job_id", sa.String(63), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_job_drafts")),
        sa.ForeignKeyConstraint(
            ["job_id"],
            ["jobs.id"],
            name=op.f("fk_job_drafts_job_id_jobs"),
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    """Take back."""
    op.drop_table("job_drafts")
