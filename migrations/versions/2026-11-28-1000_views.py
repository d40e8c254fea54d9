"""Views of single jobs."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0018"
down_revision: str | None = "0017"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Apply. Code before this leaves the table empty, and deletes its rows with jobs."""
    op.create_table(
        "views",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("tenant", sa.String(63), server_default="local", nullable=False),
        sa.Column("job_id", sa.String(63), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_views")),
        sa.ForeignKeyConstraint(
            ["job_id"], ["jobs.id"], name=op.f("fk_views_job_id_jobs"), ondelete="CASCADE"
        ),
    )
    op.create_index(op.f("ix_views_job_id"), "views", ["job_id"])
    op.create_index(op.f("ix_views_expires_at"), "views", ["expires_at"])


def downgrade() -> None:
    """Take back."""
    op.drop_table("views")
