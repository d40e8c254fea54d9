"""What workers spend on the jobs of a tenant on a day, and how much that may be."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from app.db.tallies import drop_triggers

revision: str = "0016"
down_revision: str | None = "0015"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply. Triggers count for workers of before; counting begins with the migration."""
    op.create_table(
        "solver_days",
        sa.Column("tenant", sa.String(63), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "day", name=op.f("pk_solver_days")),
    )
    op.add_column("tenants", sa.Column("solver_seconds_per_day", sa.Integer()))


def downgrade() -> None:
    """Take back."""
    drop_triggers(op.get_bind())
    op.drop_column("tenants", "solver_seconds_per_day")
    op.drop_table("solver_days")
