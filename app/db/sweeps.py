"""Sweeps as their owner sees them: many jobs from one template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, insert, select, update

from app.db.announcements import announce_sweeps, listened
from app.db.clock import before_days, current_time
from app.db.idempotency import IdempotencyRepository
from app.db.ids import new_id
from app.db.jobs import JOB_COLUMNS, JobRecord, job_record
from app.db.models import Doom, SweepKind, jobs, sweep_plans, sweep_studies, sweeps
from app.db.packing import pack, unpack
from app.db.pages import Page, decode_token, encode_token
from app.db.tombstones import TombstoneRepository
from steadygrid.domain.job import JobState, Outcome

OF_SWEEPS = "swp_"


def new_sweep_id() -> str:
    """Make an id that sorts by its birth: ``swp_`` and 32 hexadecimal digits."""
    return new_id(OF_SWEEPS)


class SweepState(StrEnum):
    """How far a sweep is; derived, never written."""

    CREATING = "creating"
    RUNNING = "running"
    CANCELLING = "cancelling"
    SUCCEEDED = "succeeded"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        """Whether nothing is left to be done, unless failed jobs are tried again."""
        return self in (SweepState.SUCCEEDED, SweepState.CANCELLED)


@dataclass(frozen=True)
class NewSweep:
    """A sweep ready to be stored."""

    id: str
    kind: SweepKind
    job_kind: str
    """The kind of problem of all its jobs."""
    name: str | None
    labels: Mapping[str, str]
    jobs: int
    packed_plan: bytes
    """The template, and what is different from job to job."""
    packed_study: bytes | None = None
    of_job: str | None = None
    """The job that a what-if asks about."""

    @property
    def packed_bytes(self) -> int:
        """The stored size of the sweep, without its jobs."""
        return len(self.packed_plan) + len(self.packed_study or b"")

    @classmethod
    def create(
        cls,
        job_kind: str,
        jobs: int,
        plan: Mapping[str, Any],
        labels: Mapping[str, str] | None = None,
        name: str | None = None,
        kind: SweepKind = SweepKind.SWEEP,
        study: Mapping[str, Any] | None = None,
        of_job: str | None = None,
    ) -> "NewSweep":
        """Name a sweep and compress its documents; not inside a unit.

        Parameters
        ----------
        job_kind
            Kind of the problems.
        jobs
            How many it will have.
        plan
            The template, and what is different from job to job.
        labels
            Values by key.
        name
            For people. None: it has none.
        kind
            What it was made for.
        study
            What the sweep was made for. None where there is no more to say.
        of_job
            The job that a what-if asks about. None: it is none.
        """
        return cls(
            id=new_sweep_id(),
            kind=kind,
            job_kind=job_kind,
            name=name,
            labels=dict(labels or {}),
            jobs=jobs,
            packed_plan=pack(plan),
            packed_study=None if study is None else pack(study),
            of_job=of_job,
        )


@dataclass(frozen=True)
class SweepRecord:
    """A sweep's row."""

    id: str
    kind: SweepKind
    job_kind: str
    name: str | None
    labels: dict[str, str]
    of_job: str | None
    jobs: int
    created: int
    counts: dict[JobState, int]
    """Last tries by state, of the jobs that are there."""
    cancelled_at: datetime | None
    created_at: datetime
    finished_at: datetime | None

    @property
    def active(self) -> int:
        """Jobs that are there and have not ended."""
        return sum(number for state, number in self.counts.items() if not state.final)

    @property
    def unended(self) -> int:
        """Jobs that have not ended, those that are not there yet among them."""
        left = 0 if self.cancelled_at is not None else self.jobs - self.created
        return self.active + left

    @property
    def state(self) -> SweepState:
        """How far it is."""
        if self.cancelled_at is not None:
            if self.finished_at is None:
                return SweepState.CANCELLING
            whole = self.created == self.jobs and not self.counts[JobState.CANCELLED]
            return SweepState.SUCCEEDED if whole else SweepState.CANCELLED
        if self.created < self.jobs:
            return SweepState.CREATING
        return SweepState.RUNNING if self.finished_at is None else SweepState.SUCCEEDED


_PLAIN = tuple(name for name in SweepRecord.__dataclass_fields__ if name != "counts")
SWEEP_COLUMNS = (*(sweeps.c[name] for name in _PLAIN), *(sweeps.c[state] for state in JobState))


def sweep_record(row: Any) -> SweepRecord:
    """Read a row of `SWEEP_COLUMNS`."""
    values = {name: row._mapping[name] for name in _PLAIN}
    values["kind"] = SweepKind(values["kind"])
    counts = {state: int(row._mapping[state.value]) for state in JobState}
    return SweepRecord(**values, counts=counts)


def is_unmade() -> ColumnElement[bool]:
    """Say that a sweep has jobs that are yet to be made."""
    return (
        (sweeps.c.created < sweeps.c.jobs)
        & sweeps.c.finished_at.is_(None)
        & sweeps.c.cancelled_at.is_(None)
        & sweeps.c.doom.is_(None)
    )


def lock_plan(connection: Connection, sweep_id: str, *which: ColumnElement[bool]) -> None:
    """Wait for other changes to the jobs of a sweep, and prevent more until the unit ends.

    Parameters
    ----------
    connection
        Inside of a transaction.
    sweep_id
        Of the sweep.
    *which
        More conditions on the sweep's plan.
    """
    plan = select(sweep_plans.c.sweep_id).where(sweep_plans.c.sweep_id == sweep_id, *which)
    connection.execute(plan.with_for_update())


class SweepRepository:
    """One tenant's sweeps. Those that are about to go do not exist any more."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._mine = (sweeps.c.tenant == tenant) & sweeps.c.doom.is_(None)

    def add(self, sweep: NewSweep, lease_seconds: float) -> None:
        """Store a sweep, none of its jobs made yet.

        Parameters
        ----------
        lease_seconds
            For so long it is for this process alone to make them. See `SweepWork`.
        """
        self._connection.execute(
            insert(sweeps).values(
                tenant=self._tenant,
                id=sweep.id,
                kind=sweep.kind.value,
                job_kind=sweep.job_kind,
                name=sweep.name,
                labels=dict(sweep.labels),
                of_job=sweep.of_job,
                jobs=sweep.jobs,
                lease_until=current_time(lease_seconds),
                created_at=current_time(),
                finished_at=None if sweep.jobs else current_time(),
                announce=listened("of_tenant"),
            ),
            {"of_tenant": self._tenant},
        )
        for table, packed in (
            (sweep_plans, sweep.packed_plan),
            (sweep_studies, sweep.packed_study),
        ):
            if packed is not None:
                self._connection.execute(
                    insert(table).values(tenant=self._tenant, sweep_id=sweep.id, packed=packed)
                )

    def get(self, sweep_id: str) -> SweepRecord | None:
        """Give a sweep, or None if there is none."""
        query = select(*SWEEP_COLUMNS).where(self._mine, sweeps.c.id == sweep_id)
        row = self._connection.execute(query).first()
        return None if row is None else sweep_record(row)

    def page(self, limit: int, token: str | None = None) -> Page[SweepRecord]:
        """List sweeps, the newest first.

        Parameters
        ----------
        limit
            Most sweeps on the page.
        token
            `Page.next_token` of the page before. None: the first page.

        Raises
        ------
        PageTokenError
            If the service did not make the token.
        """
        query = select(*SWEEP_COLUMNS).where(self._mine)
        if token is not None:
            query = query.where(sweeps.c.id < decode_token(token, (str,))[0])
        rows = self._connection.execute(query.order_by(sweeps.c.id.desc()).limit(limit + 1))
        found = [sweep_record(row) for row in rows]
        more, found = len(found) > limit, found[:limit]
        return Page(found, encode_token([found[-1].id]) if more else None)

    def plan(self, sweep_id: str) -> Any:
        """Give the template, and what is different from job to job. None without such a sweep."""
        return self._document(sweep_plans, sweep_id)

    def study(self, sweep_id: str) -> Any:
        """Give what the sweep was made for, or None where there is no more to say."""
        return self._document(sweep_studies, sweep_id)

    def _document(self, table: Table, sweep_id: str) -> Any:
        query = select(table.c.packed).join(sweeps, sweeps.c.id == table.c.sweep_id)
        packed = self._connection.execute(query.where(self._mine, sweeps.c.id == sweep_id)).scalar()
        return None if packed is None else unpack(packed)

    def outcomes(self, sweep_id: str) -> dict[Outcome, int]:
        """Count the last tries that have succeeded by their outcome."""
        rows = self._connection.execute(
            select(jobs.c.outcome, func.count())
            .where(
                jobs.c.tenant == self._tenant,
                jobs.c.sweep_id == sweep_id,
                jobs.c.replaced_by.is_(None),
                jobs.c.outcome.is_not(None),
            )
            .group_by(jobs.c.outcome)
        )
        return {Outcome(outcome): int(number) for outcome, number in rows}

    def last_tries(self, sweep_id: str, first: int, limit: int) -> Sequence[JobRecord]:
        """Give the last tries of a sweep's jobs by their index, from one index on.

        Parameters
        ----------
        sweep_id
            Of the sweep.
        first
            Index of the first job in the sweep, from 0.
        limit
            Most jobs that are given.
        """
        rows = self._connection.execute(
            select(*JOB_COLUMNS)
            .where(
                jobs.c.tenant == self._tenant,
                jobs.c.sweep_id == sweep_id,
                jobs.c.replaced_by.is_(None),
                jobs.c.sweep_index >= first,
            )
            .order_by(jobs.c.sweep_index)
            .limit(limit)
        )
        return [job_record(row) for row in rows]

    def ask_cancel(self, sweep_id: str) -> bool:
        """Ask for a sweep's end, which `SweepWork.cancel_some` brings about. No job changes here.

        Returns
        -------
        bool
            False if it stays as it is: cancelled already, or ended; or if there is none.
        """
        asked = self._connection.execute(
            update(sweeps)
            .where(
                self._mine,
                sweeps.c.id == sweep_id,
                sweeps.c.finished_at.is_(None),
                sweeps.c.cancelled_at.is_(None),
            )
            .values(cancelled_at=current_time())
        )
        return asked.rowcount == 1

    def doom(self, sweep_id: str, doom: Doom) -> bool:
        """Delete a sweep that has ended. Its jobs go with `SweepWork.remove_some`.

        Its idempotency keys go too, unless it is purged; then it leaves a tombstone.

        Parameters
        ----------
        sweep_id
            Of the sweep.
        doom
            Whether it was asked for, or the sweep is too old.

        Returns
        -------
        bool
            False if there is no such sweep, or it has not ended.
        """
        lock_plan(self._connection, sweep_id, sweep_plans.c.tenant == self._tenant)
        mine = (self._mine, sweeps.c.id == sweep_id)
        announce_sweeps(self._connection, *mine, limit=1)
        doomed = self._connection.execute(
            update(sweeps).where(*mine, sweeps.c.finished_at.is_not(None)).values(doom=doom.value)
        )
        if doomed.rowcount == 0:
            return False
        if doom is Doom.PURGED:
            TombstoneRepository(self._connection, self._tenant).add([sweep_id])
        else:
            IdempotencyRepository(self._connection, self._tenant).let_go(sweep_id)
        return True

    def purge(self, days: int, limit: int) -> int:
        """Doom sweeps that ended longer ago, at most so many. Their jobs go with them.

        Parameters
        ----------
        days
            For how long they have ended, or longer.
        limit
            Most that are doomed in this unit.

        Returns
        -------
        int
            How many were doomed.
        """
        old = (
            select(sweeps.c.id)
            .where(self._mine, before_days(sweeps.c.finished_at, days))
            .order_by(sweeps.c.finished_at)
            .limit(limit)
        )
        return sum(
            self.doom(sweep_id, Doom.PURGED)
            for sweep_id in self._connection.execute(old).scalars().all()
        )
