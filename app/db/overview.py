"""What operators ask of all tenants' jobs, from what has been counted: no query scans the jobs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, String, Table, cast, func, select
from sqlalchemy.dialects.postgresql import JSON

from app.db.attempts import FORMER, SOLVED, WAITED, AttemptEnd, attempts
from app.db.models import jobs, tallies
from app.db.turns import Lane
from steadygrid.domain.job import JobState

_STATES = tuple(JobState)
_HELD = jobs.c.state.in_((JobState.RUNNING.value, JobState.CANCELLING.value))


class Place(NamedTuple):
    """Whose jobs, of which kind, in which lane."""

    tenant: str
    kind: str
    lane: Lane


class Ended(NamedTuple):
    """Which jobs that have ended."""

    kind: str
    lane: Lane
    state: JobState
    detail: str
    """Outcome, or the code of the error; empty where a job was cancelled."""


@dataclass(frozen=True)
class Times:
    """How long jobs waited or were solved."""

    counts: Sequence[int]
    """By the buckets of `app.db.attempts.BOUNDS`, and the one beyond them."""
    seconds: float


@dataclass(frozen=True)
class EndedJobs:
    """How many jobs have ended so, and how long that took."""

    number: int
    waited: Times
    solved: Times


@dataclass(frozen=True)
class FailedJob:
    """A job that has failed."""

    id: str
    tenant: str
    kind: str
    code: str
    attempts: int
    lost: int
    """Attempts that were lost."""
    finished_at: datetime


class OverviewRepository:
    """Jobs of all tenants, by number."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def places(self) -> dict[Place, dict[JobState, int]]:
        """Give the number of jobs by state for each tenant, kind and lane that had any."""
        return {
            Place(row.tenant, row.kind, Lane(row.lane)): {
                state: row._mapping[state.value] for state in _STATES
            }
            for row in self._connection.execute(select(tallies))
        }

    def ended(self, of: str | None = None) -> dict[Ended, EndedJobs]:
        """Say how jobs have ended since counting began, those of former tenants too.

        Parameters
        ----------
        of
            Only this tenant's.
        """
        final = attempts.c.state.in_([state.value for state in _STATES if state.final])
        key = (attempts.c.kind, attempts.c.lane, attempts.c.state, attempts.c.detail)
        names = ("number", *WAITED, *SOLVED, "waited_seconds", "solved_seconds")
        query = select(*key, *(func.sum(attempts.c[name]).label(name) for name in names))
        if of is not None:
            query = query.where(attempts.c.tenant == of)
        rows = self._connection.execute(query.where(final).group_by(*key))
        return {
            Ended(row.kind, Lane(row.lane), JobState(row.state), row.detail): _ended(row._mapping)
            for row in rows
        }

    def attempt_ends(self) -> dict[tuple[str, AttemptEnd], int]:
        """Give the number of attempts by kind and end, of jobs that have ended or not."""
        key = (attempts.c.kind, attempts.c.attempt)
        rows = self._connection.execute(select(*key, func.sum(attempts.c.number)).group_by(*key))
        return {(kind, AttemptEnd(end)): int(number) for kind, end, number in rows}

    def seconds(self) -> dict[str, float]:
        """Give the seconds that workers have spent on each tenant's jobs, lost attempts too."""
        total = func.sum(attempts.c.seconds)
        rows = self._connection.execute(
            select(attempts.c.tenant, total).where(attempts.c.tenant != FORMER).group_by("tenant")
        )
        return {tenant: float(seconds) for tenant, seconds in rows}

    def oldest_queued(self) -> dict[str, datetime]:
        """Give for each tenant with queued jobs when the one was made that is next in its lane.

        Of each lane, priority aside, that is the one that has waited longest.
        """
        waiting = {
            place.tenant for place, counts in self.places().items() if counts[JobState.QUEUED]
        }
        queued = select(func.min(jobs.c.id)).where(jobs.c.state == JobState.QUEUED.value)
        found = {}
        for tenant in sorted(waiting):
            first = queued.where(jobs.c.tenant == tenant).scalar_subquery()
            made = self._connection.execute(
                select(jobs.c.created_at).where(jobs.c.id == first)
            ).scalar()
            if made is not None:
                found[tenant] = made
        return found

    def failed(
        self,
        limit: int,
        of: str | None = None,
        code: str | None = None,
        *,
        repeated: bool = True,
    ) -> list[FailedJob]:
        """List failed jobs, the newest first.

        Parameters
        ----------
        limit
            Most that are listed.
        of
            Only this tenant's.
        code
            Only those with this code.
        repeated
            Whether those are listed, too, that another job repeats, and those of sweeps.
        """
        whose = {
            place.tenant
            for place, counts in self.places().items()
            if counts[JobState.FAILED] and of in (None, place.tenant)
        }
        told = error_code(self._connection.dialect.name)
        query = select(
            *(jobs.c[name] for name in ("id", "tenant", "kind", "attempt", "failures")),
            jobs.c.finished_at,
            told.label("code"),
        ).where(jobs.c.state == JobState.FAILED.value)
        if code is not None:
            query = query.where(told == code)
        if not repeated:
            query = query.where(jobs.c.replaced_by.is_(None), jobs.c.sweep_id.is_(None))
        rows: list[Any] = []
        for one in sorted(whose):
            newest = query.where(jobs.c.tenant == one).order_by(jobs.c.id.desc()).limit(limit)
            rows += self._connection.execute(newest)
        rows.sort(key=lambda row: row.id, reverse=True)
        return [
            FailedJob(
                row.id,
                row.tenant,
                row.kind,
                row.code or "",
                row.attempt,
                row.failures,
                row.finished_at,
            )
            for row in rows[:limit]
        ]

    def held(self) -> Mapping[str, int]:
        """Give the number of jobs that each worker holds, by its name."""
        query = select(jobs.c.worker, func.count()).where(_HELD).group_by(jobs.c.worker)
        return {worker or "": number for worker, number in self._connection.execute(query)}


def error_code(dialect: str, table: Table = jobs) -> ColumnElement[str]:
    """Give the code of a job's error, as SQL.

    Parameters
    ----------
    dialect
        ``sqlite`` or ``postgresql``.
    table
        `jobs`, or another name for it.
    """
    text = cast(table.c.error, String)
    if dialect == "sqlite":
        return cast(func.json_extract(text, "$.code"), String)
    return cast(cast(text, JSON)["code"].as_string(), String)


def _ended(row: Mapping[Any, Any]) -> EndedJobs:
    waited = Times([int(row[name]) for name in WAITED], float(row["waited_seconds"]))
    solved = Times([int(row[name]) for name in SOLVED], float(row["solved_seconds"]))
    return EndedJobs(int(row["number"]), waited, solved)
