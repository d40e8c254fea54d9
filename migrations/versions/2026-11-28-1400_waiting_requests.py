"""How many requests of a tenant may wait, and how many event streams may be open."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0019"
down_revision: str | None = "0018"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. Code before this leaves the column NULL, which means the setting."""
    op.add_column("tenants", sa.Column("waiting_requests", sa.Integer()))


def downgrade() -> None:
    """Take back."""
    op.drop_column("tenants", "waiting_requests")
