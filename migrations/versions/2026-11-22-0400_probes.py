"""A row to write, for those who ask whether the database takes writes."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. Code of 0001 can work with these tables."""
    probes = op.create_table(
        "probes",
        sa.Column("id", sa.String(length=31), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("filler", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_probes"),
    )
    op.bulk_insert(probes, [{"id": "write"}])


def downgrade() -> None:
    """Take back."""
    op.drop_table("probes")
