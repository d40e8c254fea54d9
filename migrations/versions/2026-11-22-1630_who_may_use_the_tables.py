"""Workers that claim jobs with any requirement may no longer use the tables."""

from collections.abc import Sequence

from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. Jobs may now require something: code before 0004 would claim and fail them."""
    op.execute("UPDATE compatibility SET oldest = '0004'")


def downgrade() -> None:
    """Take back."""
    op.execute("UPDATE compatibility SET oldest = '0001'")
