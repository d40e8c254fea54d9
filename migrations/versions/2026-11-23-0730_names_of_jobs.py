"""Names of jobs, and indices for lists by outcome and name and for what has ended lately."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_INDICES = (
    ("ix_jobs_tenant_outcome_id", ("tenant", "outcome", "id")),
    ("ix_jobs_tenant_name_id", ("tenant", "name", "id")),
    ("ix_jobs_tenant_finished_at", ("tenant", "finished_at")),
)


def upgrade() -> None:
    """Apply. Code of 0004 can work with these tables; the jobs that are there have no name.

    A name is made of the instance, which would have to be unpacked for each of them.
    """
    name = sa.String(length=200)
    sorted_plainly = name.with_variant(sa.String(length=200, collation="C"), "postgresql")
    op.add_column("jobs", sa.Column("name", sorted_plainly, nullable=True))
    for index, columns in _INDICES:
        op.create_index(index, "jobs", list(columns))


def downgrade() -> None:
    """Take back."""
    for index, _ in reversed(_INDICES):
        op.drop_index(index, "jobs")
    op.drop_column("jobs", "name")
