"""The tables.

States are VARCHAR with a CHECK (native enums are tied to one MetaData and hard to change),
and what must always hold of a job's row is a CHECK too.
"""

from enum import StrEnum

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    text,
)

from app.db import columns, webhook_tables
from app.db.clock import Timestamp
from app.db.columns import Json, Name, membership_condition, tenant_column
from steadygrid.domain.job import JobState, Outcome

LOCAL_TENANT, metadata = columns.LOCAL_TENANT, columns.metadata
webhooks, webhook_deliveries = webhook_tables.webhooks, webhook_tables.webhook_deliveries


class SweepKind(StrEnum):
    """What a sweep is for."""

    SWEEP = "sweep"
    WHAT_IF = "what_if"


class Doom(StrEnum):
    """Why a sweep is about to go."""

    DELETED = "deleted"
    PURGED = "purged"


_Title = Name(200).with_variant(Name(200, collation="C"), "postgresql")
"""A text for people that sorts by its characters' numbers, so that beginnings are ranges."""


def _announce() -> Column[int]:
    """1 until what has ended is announced to webhooks: the row is its own outbox."""
    return Column("announce", SmallInteger, nullable=False, server_default="0")


def _index_announced(table: Table) -> None:
    ended = text("announce = 1 AND finished_at IS NOT NULL")
    Index(f"ix_{table.name}_announced", table.c.id, sqlite_where=ended, postgresql_where=ended)


def _one_column_per_state() -> list[Column[int]]:
    return [Column(state.value, Integer, nullable=False, server_default="0") for state in JobState]


_FINAL = ", ".join(repr(state.value) for state in JobState if state.final)

schedules = Table(
    "schedules",
    metadata,
    tenant_column(primary_key=True),
    Column("id", Name(63), primary_key=True),
    Column("header", Json, nullable=False),
    Column("created_at", Timestamp, nullable=False),
)

schedule_chunks = Table(
    "schedule_chunks",
    metadata,
    tenant_column(primary_key=True),
    Column("schedule_id", Name(63), primary_key=True),
    Column("part", String(31), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("first", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("start", Text),
    Column("packed", LargeBinary, nullable=False),
    ForeignKeyConstraint(
        ["tenant", "schedule_id"], ["schedules.tenant", "schedules.id"], ondelete="CASCADE"
    ),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", Name(63), primary_key=True),
    tenant_column(),
    Column("kind", Name(63), nullable=False),
    Column("name", _Title),
    Column("requires", SmallInteger, nullable=False, server_default="0"),
    Column("state", String(15), nullable=False),
    Column("outcome", String(15)),
    Column("labels", Json, nullable=False),
    Column("warnings", Json, nullable=False),
    Column("time_limit", Double, nullable=False),
    Column("priority", SmallInteger, nullable=False, server_default="0"),
    Column("progress", Json),
    Column("error", Json),
    Column("schedule_id", Name(63)),
    Column("objective", Json),
    Column("bound", Json),
    Column("gap", Text),
    Column("limited_by", Json),
    Column("attempt", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("worker", Name(255)),
    Column("lease_until", Timestamp),
    # Since when it is queued. `wakes` is read by sweepers of earlier versions only.
    Column("woken_at", Timestamp, nullable=False),
    Column("wakes", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("created_at", Timestamp, nullable=False),
    Column("started_at", Timestamp),
    Column("claimed_at", Timestamp),
    Column("finished_at", Timestamp),
    Column("traceparent", String(63)),
    Column("lane", SmallInteger, nullable=False, server_default="0"),
    Column("sweep_id", Name(63)),
    Column("sweep_index", Integer, nullable=False, server_default="0"),
    Column("sweep_try", SmallInteger, nullable=False, server_default="0"),
    Column("retry_of", Name(63)),
    Column("replaced_by", Name(63)),
    Column("replan_of", Name(63)),
    Column("simulation_of", Name(63)),
    _announce(),
    ForeignKeyConstraint(["tenant", "schedule_id"], ["schedules.tenant", "schedules.id"]),
    CheckConstraint(membership_condition("state", JobState), name="state"),
    CheckConstraint(membership_condition("outcome", Outcome), name="outcome"),
    CheckConstraint("(state = 'succeeded') = (outcome IS NOT NULL)", name="succeeded"),
    CheckConstraint("(state = 'failed') = (error IS NOT NULL)", name="failed"),
    CheckConstraint(f"(state IN ({_FINAL})) = (finished_at IS NOT NULL)", name="finished"),
    CheckConstraint(
        "(state IN ('running', 'cancelling')) = (lease_until IS NOT NULL)", name="leased"
    ),
    CheckConstraint("attempt >= 0 AND failures >= 0 AND seq >= 0", name="counts"),
    Index(None, "tenant", "id"),
    Index(None, "tenant", "state", "id"),
    Index(None, "tenant", "outcome", "id"),
    Index(None, "tenant", "name", "id"),
    Index(None, "tenant", "finished_at"),
    Index(None, "state", "failures", "id"),
    Index(None, "tenant", "schedule_id"),
    Index(None, "tenant", "simulation_of", "id"),
    Index(None, "sweep_id", "sweep_index", "sweep_try", unique=True),
)
"""Of a sweep's jobs of one index only the last try has no `replaced_by`."""
Index(
    "ix_jobs_claims",
    jobs.c.tenant,
    jobs.c.state,
    jobs.c.lane,
    jobs.c.priority.desc(),
    jobs.c.failures,
    jobs.c.sweep_index,
    jobs.c.id,
)
_index_announced(jobs)

tallies = Table(
    "tallies",
    metadata,
    tenant_column(primary_key=True),
    Column("kind", Name(63), primary_key=True),
    Column("lane", SmallInteger, primary_key=True, autoincrement=False, server_default="0"),
    *_one_column_per_state(),
    Column("served", BigInteger, nullable=False, server_default="0"),
    Column("turn_begin", BigInteger, nullable=False, server_default="0"),
    Column("turn_end", BigInteger, nullable=False, server_default="0"),
    Index(None, "served"),
)
"""`served` rises with each claim: who was served least recently has the least one. See
`app.db.turns` for the rest."""

tenants = Table(
    "tenants",
    metadata,
    tenant_column(primary_key=True),
    Column("created_at", Timestamp, nullable=False),
    Column("queued_jobs", Integer),
    Column("running_jobs", Integer),
    Column("requests_per_minute", Integer),
    Column("stored_bytes", BigInteger),
    Column("time_limit", Double),
    Column("priority", SmallInteger),
    Column("retention_days", Integer),
    Column("sweep_jobs", Integer),
    Column("measured_bytes", BigInteger),
    Column("measured_at", Timestamp),
    Column("weight", SmallInteger),
    Column("solver_seconds_per_day", Integer),
    Column("waiting_requests", Integer),
)
"""Who may have jobs here, and what differs from the settings for them; NULL: as the settings say.

`retention_days` 0 keeps for ever.
"""

keys = Table(
    "keys",
    metadata,
    Column("id", Name(31), primary_key=True),
    tenant_column(),
    Column("hash", String(64), nullable=False),
    Column("scopes", Json, nullable=False),
    Column("created_at", Timestamp, nullable=False),
    Column("expires_at", Timestamp),
    Column("revoked_at", Timestamp),
    Column("used_at", Timestamp),
    Index(None, "tenant"),
)
"""Keys of programs; `hash` is the SHA-256 of the secret, which is kept nowhere."""

sessions = Table(
    "sessions",
    metadata,
    Column("hash", String(64), primary_key=True),
    tenant_column(),
    Column("key_id", ForeignKey("keys.id", ondelete="CASCADE"), nullable=False),
    Column("scopes", Json, nullable=False),
    Column("created_at", Timestamp, nullable=False),
    Column("used_at", Timestamp, nullable=False),
    Index(None, "key_id"),
    Index(None, "used_at"),
)
"""Who is logged in on the pages; `hash` is the SHA-256 of what the cookie holds."""

views = Table(
    "views",
    metadata,
    Column("hash", String(64), primary_key=True),
    tenant_column(),
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", Timestamp, nullable=False),
    Column("expires_at", Timestamp, nullable=False),
    Index(None, "job_id"),
    Index(None, "expires_at"),
)
"""Views of single jobs; `hash` is the SHA-256 of the token."""

audit_lines = Table(
    "audit_lines",
    metadata,
    Column("id", Name(63), primary_key=True),
    tenant_column(),
    Column("at", Timestamp, nullable=False),
    Column("actor", Name(200), nullable=False),
    Column("action", Name(63), nullable=False),
    Column("subject", Name(200), nullable=False),
    Index(None, "tenant", "id"),
)
"""Who made, revoked or deleted what; ids sort by time."""

tombstones = Table(
    "tombstones",
    metadata,
    tenant_column(primary_key=True),
    Column("job_id", Name(63), primary_key=True),
    Column("purged_at", Timestamp, nullable=False),
    Index(None, "purged_at"),
)
"""Jobs, sweeps and replans that retention has deleted, for as long as that is reported."""

job_instances = Table(
    "job_instances",
    metadata,
    tenant_column(),
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("packed", LargeBinary, nullable=False),
)

job_results = Table(
    "job_results",
    metadata,
    tenant_column(),
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("attempt", Integer, nullable=False),
    Column("packed", LargeBinary, nullable=False),
)

job_traces = Table(
    "job_traces",
    metadata,
    tenant_column(),
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("packed", LargeBinary, nullable=False),
)
"""How solves came to their answers. No row where there was nothing to tell."""

job_drafts = Table(
    "job_drafts",
    metadata,
    tenant_column(),
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("packed", LargeBinary, nullable=False),
)
"""Bodies as they were sent, where they name what is stored or have changes; else no row."""

job_labels = Table(
    "job_labels",
    metadata,
    tenant_column(),
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("key", Name(63), primary_key=True),
    Column("value", Name(200), nullable=False),
    Index(None, "tenant", "key", "value", "job_id"),
)

job_events = Table(
    "job_events",
    metadata,
    tenant_column(),
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("type", String(15), nullable=False),
    Column("data", Json, nullable=False),
    Column("created_at", Timestamp, nullable=False),
    CheckConstraint("type IN ('state', 'progress', 'end')", name="type"),
)

deleted_jobs = Table(
    "deleted_jobs",
    metadata,
    tenant_column(),
    Column("id", Name(63), primary_key=True),
    Column("deleted_at", Timestamp, nullable=False),
    Index(None, "tenant", "deleted_at"),
)
"""Jobs that their owners have deleted, until those who look at lists have been told."""

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    tenant_column(primary_key=True),
    Column("key", Name(255), primary_key=True),
    Column("fingerprint", Name(127), nullable=False),
    Column("job_id", Name(63), nullable=False),
    Column("created_at", Timestamp, nullable=False),
    Index(None, "job_id"),
    Index(None, "created_at"),
)
"""`job_id` is of the thing that the request has made: a job, a sweep, a replan."""

sweeps = Table(
    "sweeps",
    metadata,
    Column("id", Name(63), primary_key=True),
    tenant_column(),
    Column("kind", String(15), nullable=False),
    Column("job_kind", Name(63), nullable=False),
    Column("name", Name(200)),
    Column("labels", Json, nullable=False),
    Column("of_job", Name(63)),
    Column("jobs", Integer, nullable=False, server_default="0"),
    Column("created", Integer, nullable=False, server_default="0"),
    *_one_column_per_state(),
    Column("lease_until", Timestamp),
    Column("cancelled_at", Timestamp),
    Column("doom", String(15)),
    Column("created_at", Timestamp, nullable=False),
    Column("finished_at", Timestamp),
    _announce(),
    CheckConstraint(membership_condition("kind", SweepKind), name="kind"),
    CheckConstraint(membership_condition("doom", Doom), name="doom"),
    CheckConstraint("created >= 0 AND created <= jobs", name="created"),
    Index(None, "tenant", "id"),
    Index(None, "tenant", "finished_at"),
)
"""Many jobs from one template, of which the first `created` of `jobs` are there.

Triggers on `jobs` count the last tries by state, and set `finished_at`. A sweep with a `doom` is
gone for its owner. Its jobs go some at a time.
"""
_index_announced(sweeps)


def _of_sweeps(name: str) -> Table:
    return Table(
        name,
        metadata,
        tenant_column(),
        Column("sweep_id", ForeignKey("sweeps.id", ondelete="CASCADE"), primary_key=True),
        Column("packed", LargeBinary, nullable=False),
    )


sweep_plans = _of_sweeps("sweep_plans")
"""The template, stored once, and what is different from job to job. Who changes what jobs a sweep
has locks its plan, which no trigger touches."""
sweep_studies = _of_sweeps("sweep_studies")
"""What a sweep was made for, where there is more to say: the upgrades of a what-if."""

replans = Table(
    "replans",
    metadata,
    Column("id", Name(63), primary_key=True),
    tenant_column(),
    Column("of_job", Name(63), nullable=False),
    Column("job_id", Name(63)),
    Column("packed", LargeBinary, nullable=False),
    Column("created_at", Timestamp, nullable=False),
    Index(None, "tenant", "id"),
    Index(None, "tenant", "created_at"),
    Index(None, "job_id"),
)
"""What to do now that speeds have changed: what was measured, and the job that plans anew."""


def _documents(name: str) -> Table:
    return Table(
        name,
        metadata,
        tenant_column(primary_key=True),
        Column("id", Name(63), primary_key=True),
        Column("summary", Json, nullable=False),
        Column("packed", LargeBinary, nullable=False),
        Column("created_at", Timestamp, nullable=False),
        Column("used_at", Timestamp),
        Index(None, "tenant", "created_at", "id"),
        Index(None, "tenant", "used_at"),
    )


platforms = _documents("platforms")
applications = _documents("applications")

workers = Table(
    "workers",
    metadata,
    tenant_column(primary_key=True),
    Column("id", Name(255), primary_key=True),
    Column("versions", Json, nullable=False),
    Column("skills", Json),
    Column("started_at", Timestamp, nullable=False),
    Column("seen_at", Timestamp, nullable=False),
    Column("drained_at", Timestamp),
)

compatibility = Table(
    "compatibility",
    metadata,
    Column("oldest", String(31), primary_key=True),
)
"""One row: the oldest revision whose code can work with these tables, although it does not
know the newest ones."""

probes = Table(
    "probes",
    metadata,
    Column("id", String(31), primary_key=True),
    Column("at", Timestamp),
    Column("filler", LargeBinary),
)
"""One row, which is written to see whether the database takes writes."""
