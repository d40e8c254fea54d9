"""What limits the answer of a job most, beside its objective."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0017"
down_revision: str | None = "0016"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. Workers of before leave it empty, as in the rows of before."""
    op.add_column("jobs", sa.Column("limited_by", sa.Text()))


def downgrade() -> None:
    """Take back."""
    op.drop_column("jobs", "limited_by")
