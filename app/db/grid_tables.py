"""The tables of running grids: what was measured, what is watched, and when schedules started."""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
)

from app.db.clock import Timestamp
from app.db.columns import Json, Name, metadata, tenant_column


def _platform_reference() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["tenant", "platform_id"], ["platforms.tenant", "platforms.id"], ondelete="CASCADE"
    )


measured_platforms = Table(
    "measured_platforms",
    metadata,
    tenant_column(primary_key=True),
    Column("platform_id", Name(63), primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("packed", LargeBinary, nullable=False),
    Column("measured_at", Timestamp),
    _platform_reference(),
)
"""Platforms that are measured: the newest values, and how many older ones are kept. Who stores
measurements locks this row first."""

measurements = Table(
    "measurements",
    metadata,
    tenant_column(primary_key=True),
    Column("platform_id", Name(63), primary_key=True),
    Column("resource", Name(415), primary_key=True),
    Column("at", Timestamp, primary_key=True),
    Column("value", Text, nullable=False),
    _platform_reference(),
    Index(None, "tenant", "platform_id", "at"),
)
"""Speeds and bandwidths as they were measured, exact."""

watches = Table(
    "watches",
    metadata,
    tenant_column(),
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("platform_id", Name(63), nullable=False),
    Column("request", Json, nullable=False),
    Column("planned", Text, nullable=False),
    Column("reference", Text, nullable=False),
    Column("kept", Text),
    Column("limited_by", Json, nullable=False),
    Column("measured_at", Timestamp),
    Column("replan_id", Name(63)),
    Column("error", Json),
    Column("seen", BigInteger, nullable=False),
    Column("changes", BigInteger, nullable=False),
    Column("attempt", BigInteger, nullable=False),
    Column("lease_until", Timestamp),
    Column("created_at", Timestamp, nullable=False),
    _platform_reference(),
    Index(None, "tenant", "platform_id"),
)
"""Jobs whose schedules are watched. One is due where `seen` is not the version of its platform."""

drift_points = Table(
    "drift_points",
    metadata,
    tenant_column(),
    Column("id", Name(63), primary_key=True),
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
    Column("platform_id", Name(63), nullable=False),
    Column("at", Timestamp, nullable=False),
    Column("planned", Text, nullable=False),
    Column("kept", Text, nullable=False),
    Column("limited_by", Json, nullable=False),
    Column("replan_id", Name(63)),
    Index(None, "tenant", "platform_id", "id"),
    Index(None, "tenant", "job_id", "id"),
)
"""What watched schedules still did, when that had changed; ids sort by time."""

epochs = Table(
    "epochs",
    metadata,
    tenant_column(),
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("epoch", Timestamp, nullable=False),
    Column("unit_seconds", Text, nullable=False),
)
"""When schedules of jobs have started, and how many seconds their time unit has."""
