"""Which job a simulation is about."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0012"
down_revision: str | None = "0011"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_INDEX = "ix_jobs_tenant_simulation_of_id"


def upgrade() -> None:
    """Apply. Simulations of before name no job; code before this leaves the column empty."""
    op.add_column("jobs", sa.Column("simulation_of", sa.String(63)))
    op.create_index(op.f(_INDEX), "jobs", ["tenant", "simulation_of", "id"])


def downgrade() -> None:
    """Take back."""
    op.drop_index(op.f(_INDEX), "jobs")
    op.drop_column("jobs", "simulation_of")
