"""What a job requires of a worker, and what workers can solve."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. Code of 0001 can work with these tables, as long as no job requires anything."""
    op.add_column(
        "jobs", sa.Column("requires", sa.SmallInteger(), server_default="0", nullable=False)
    )
    op.add_column("workers", sa.Column("skills", sa.Text(), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("workers", "skills")
    op.drop_column("jobs", "requires")
