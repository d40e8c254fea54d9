"""Jobs as workers and the sweeper see them: claims, leases, fenced writes.

The row is the truth. Every write names the attempt that it belongs to. If the job has moved
on, nothing is written and `StaleAttemptError` says so.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from app.db.changes import change_job, job_change, make_change
from app.db.clock import DAY_SECONDS, current_time, later
from app.db.errors import StaleAttemptError
from app.db.events import write_events
from app.db.models import (
    deleted_jobs,
    idempotency_keys,
    job_instances,
    job_results,
    job_traces,
    jobs,
    sweep_plans,
    tallies,
)
from app.db.packing import PackedSchedule
from app.db.schedules import ScheduleRepository
from app.db.skills import Skills
from app.db.turns import Lane, any_tenant_waits, hold_turn, next_job
from app.db.workers import drained
from steadygrid.domain.job import JobState, Outcome

_QUEUED = jobs.c.state == JobState.QUEUED.value
_RUNNING = jobs.c.state == JobState.RUNNING.value
_CANCELLING = jobs.c.state == JobState.CANCELLING.value
_LOST = 1_000
_PENDING = select(func.coalesce(func.sum(tallies.c.queued), 0))
_BODY = select(job_instances.c.packed).where(job_instances.c.job_id == bindparam("wanted"))
_PLAN = select(sweep_plans.c.packed).where(sweep_plans.c.sweep_id == bindparam("wanted"))
_RESULT = insert(job_results)
_TRACE = insert(job_traces)
_SAVE, _RETURN = text("SAVEPOINT trial"), text("ROLLBACK TO SAVEPOINT trial")
"""Around each try of a claim: a turn that it holds ends with it, so no unit waits for a second."""
_TRIES = 3
"""With six workers on PostgreSQL one claim in some thousand finds its job taken."""


class Claim(NamedTuple):
    """A job that is this worker's as long as the lease lasts; `attempt` is the fence."""

    job_id: str
    tenant: str
    kind: str
    attempt: int
    time_limit: float
    """Seconds, as the job's options say."""
    requires: int = 0
    """See `steadygrid.domain.problem.Problem.requires`."""
    sweep_id: str | None = None
    """The sweep that it is a job of."""
    sweep_index: int = 0
    """Its place there."""
    traceparent: str | None = None
    """The span of the request that made it."""
    queued_at: datetime | None = None


class Found(NamedTuple):
    """What a job has found out, as the list of jobs shows it: members of its result, and one more."""

    outcome: Outcome
    objective: dict[str, Any] | None = None
    bound: dict[str, Any] | None = None
    gap: str | None = None
    limited_by: dict[str, Any] | None = None
    """What `steadygrid.report.limiter` names. The one member that the result has not."""


class QueueRepository:
    """All tenants' jobs, for those who work on them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def claim(
        self,
        worker: str,
        skills: Skills,
        lease_seconds: float,
        running_jobs: int | None = None,
        first: Lane = Lane.SINGLE,
    ) -> Claim | None:
        """Take the job whose turn it is: a conditional UPDATE that sets a lease and a new attempt.

        Parameters
        ----------
        worker
            Who takes it, for people who look at the table.
        skills
            What it can solve. Other jobs do not exist for it.
        lease_seconds
            By when to come back with `heartbeat`.
        running_jobs, first
            See `app.db.turns.next_job`.

        Returns
        -------
        Claim or None
            None: nothing to do, or others were quicker again and again.
        """
        for tried in range(_TRIES + 1):
            certain = tried == _TRIES
            self._connection.execute(_SAVE)
            held = hold_turn(self._connection, skills, running_jobs, certain=certain)
            taking = _taking(skills, running_jobs, first, certain=certain)
            given = {"held": held, "new_worker": worker[:255], "lease_seconds": lease_seconds}
            claim = self._take(taking, given)
            if claim is not None:
                return claim
            self._connection.execute(_RETURN)
            if not self.pending():
                break
        return None

    def _take(self, taking: ReturningUpdate[Any], given: dict[str, Any]) -> Claim | None:
        row = make_change(self._connection, taking, JobState.RUNNING, parameters=given)
        if row is None:
            return None
        more = (row.requires, row.sweep_id, row.sweep_index, row.traceparent, row.woken_at)
        return Claim(row.id, row.tenant, row.kind, row.attempt, row.time_limit, *more)

    def waits(self, skills: Skills, running_jobs: int | None = None) -> bool:
        """Say whether a job waits that a worker could take now.

        Parameters
        ----------
        skills, running_jobs
            As of `claim`.
        """
        return self.pending() > 0 and bool(
            self._connection.execute(select(any_tenant_waits(skills, running_jobs))).scalar()
        )

    def instance(self, claim: Claim) -> bytes:
        """Give the packed body of a claimed job; of a sweep's, the plan that all of them have."""
        query, wanted = (_BODY, claim.job_id) if claim.sweep_id is None else (_PLAN, claim.sweep_id)
        packed: bytes = self._connection.execute(query, {"wanted": wanted}).scalar_one()
        return packed

    def heartbeat(
        self, claim: Claim, lease_seconds: float, progress: dict[str, Any] | None = None
    ) -> JobState:
        """Extend the lease, and store progress if there is any.

        Parameters
        ----------
        claim
            The job, and the attempt that holds it.
        lease_seconds
            For how long the job is held from now on.
        progress
            How far the solve is. None: nothing new.

        Returns
        -------
        JobState
            ``running``, or ``cancelling`` if a client asked for the end.

        Raises
        ------
        StaleAttemptError
            If the lease was lost: stop, write nothing.
        """
        values: dict[str, Any] = {"lease_until": current_time(lease_seconds)}
        if progress is not None:
            values |= {"progress": progress, "seq": jobs.c.seq + 1}
        row = self._connection.execute(
            update(jobs).where(_held(claim)).values(**values).returning(jobs.c.state, jobs.c.seq)
        ).first()
        if row is None:
            raise StaleAttemptError(StaleAttemptError.__doc__)
        if progress is not None:
            write_events(
                self._connection, claim.tenant, claim.job_id, row.seq, [("progress", progress)]
            )
        return JobState(row.state)

    def state(self, claim: Claim) -> JobState:
        """Read the claimed job's state; for looking at the cancel flag between heartbeats.

        Raises
        ------
        StaleAttemptError
            If another attempt has begun, or the job is gone.
        """
        state = self._connection.execute(
            select(jobs.c.state).where(jobs.c.id == claim.job_id, jobs.c.attempt == claim.attempt)
        ).scalar()
        if state is None:
            raise StaleAttemptError(StaleAttemptError.__doc__)
        return JobState(state)

    def succeed(
        self,
        claim: Claim,
        found: Found,
        packed_result: bytes,
        schedule: PackedSchedule | None,
        progress: dict[str, Any] | None = None,
        packed_trace: bytes | None = None,
        warnings: Sequence[str] | None = None,
    ) -> None:
        """Store result, schedule, trace and last progress and end the job, all in this unit.

        Parameters
        ----------
        warnings
            Those of the result, where they could not be known before. None: they stand in the row.

        Raises
        ------
        StaleAttemptError
            If the job is not this attempt's any more; then roll back.
        """
        if schedule is not None:
            ScheduleRepository(self._connection, claim.tenant).store(schedule)
        values: dict[str, Any] = {} if progress is None else {"progress": progress}
        if warnings is not None:
            values["warnings"] = list(warnings)
        self._end(
            claim,
            JobState.SUCCEEDED,
            **found._asdict(),
            schedule_id=None if schedule is None else schedule.id,
            **values,
        )
        of_job = {"tenant": claim.tenant, "job_id": claim.job_id}
        result = of_job | {"attempt": claim.attempt, "packed": packed_result}
        self._connection.execute(_RESULT, result)
        if packed_trace is not None:
            self._connection.execute(_TRACE, of_job | {"packed": packed_trace})

    def fail(self, claim: Claim, error: dict[str, Any]) -> None:
        """End the job with a problem object.

        Parameters
        ----------
        claim
            The job, and the attempt that holds it.
        error
            A problem object.

        Raises
        ------
        StaleAttemptError
            If the job is not this attempt's any more.
        """
        self._end(claim, JobState.FAILED, error=error)

    def cancelled(self, claim: Claim) -> None:
        """End a cancelling job.

        Raises
        ------
        StaleAttemptError
            If the job is not this attempt's any more, or no client asked for its end.
        """
        row = change_job(self._connection, _held(claim) & _CANCELLING, JobState.CANCELLED)
        if row is None:
            raise StaleAttemptError(StaleAttemptError.__doc__)

    def _end(
        self, claim: Claim, state: JobState, outcome: Outcome | None = None, **values: Any
    ) -> None:
        if outcome is not None:
            values["outcome"] = outcome.value
        given = {f"new_{name}": value for name, value in values.items()}
        given |= {"held_job": claim.job_id, "held_attempt": claim.attempt}
        ending = _ending(state, tuple(values))
        if make_change(self._connection, ending, state, outcome, given) is None:
            raise StaleAttemptError(StaleAttemptError.__doc__)

    def give_back(self, claim: Claim) -> JobState:
        """Return a job unfinished, without counting a failure. A cancelling one is cancelled.

        Raises
        ------
        StaleAttemptError
            If the job is not this attempt's any more.
        """
        state = self._release(_held(claim), failures=0, max_failures=1, poison={})
        if state is None:
            raise StaleAttemptError(StaleAttemptError.__doc__)
        return state

    def crashed(self, claim: Claim, max_failures: int, poison: dict[str, Any]) -> JobState:
        """Return a job whose solver process died, and count it.

        Parameters
        ----------
        claim
            The job, and the attempt that holds it.
        max_failures
            Deaths of solver processes after which the job is given up.
        poison
            Problem object of a job that is given up.

        Returns
        -------
        JobState
            ``queued``; ``failed`` with the error `poison` if it has died `max_failures`
            times; ``cancelled`` if its end was asked for.

        Raises
        ------
        StaleAttemptError
            If the job is not this attempt's any more.
        """
        state = self._release(_held(claim), failures=1, max_failures=max_failures, poison=poison)
        if state is None:
            raise StaleAttemptError(StaleAttemptError.__doc__)
        return state

    def expired(self, limit: int = 100) -> Sequence[str]:
        """List jobs whose lease has expired."""
        return (
            self._connection.execute(
                select(jobs.c.id)
                .where(_RUNNING | _CANCELLING, jobs.c.lease_until < current_time())
                .order_by(jobs.c.id)
                .limit(limit)
            )
            .scalars()
            .all()
        )

    def reclaim(self, job_id: str, max_failures: int, poison: dict[str, Any]) -> JobState | None:
        """Take an expired job from a worker that has not come back; as `crashed`.

        None if the lease has not expired after all.

        Parameters
        ----------
        job_id
            Of the job.
        max_failures
            Deaths of solver processes after which the job is given up.
        poison
            Problem object of a job that is given up.
        """
        where = (jobs.c.id == job_id) & (jobs.c.lease_until < current_time())
        return self._release(where, failures=1, max_failures=max_failures, poison=poison)

    def orphans(self, worker: str) -> Sequence[str]:
        """List the jobs that a worker held which is known to be gone."""
        return (
            self._connection.execute(
                select(jobs.c.id).where(_RUNNING | _CANCELLING, jobs.c.worker == worker[:255])
            )
            .scalars()
            .all()
        )

    def reclaim_orphan(
        self, job_id: str, worker: str, max_failures: int, poison: dict[str, Any]
    ) -> JobState | None:
        """Take a job from a worker that is known to be gone, its lease expired or not.

        Parameters
        ----------
        job_id
            Of the job.
        worker
            Name of the one that is gone.
        max_failures
            Deaths of solver processes after which the job is given up.
        poison
            Problem object of a job that is given up.
        """
        where = (jobs.c.id == job_id) & (jobs.c.worker == worker[:255])
        return self._release(where, failures=1, max_failures=max_failures, poison=poison)

    def _release(
        self, where: ColumnElement[bool], failures: int, max_failures: int, poison: dict[str, Any]
    ) -> JobState | None:
        lost = jobs.c.failures + failures
        if change_job(self._connection, where & _CANCELLING, JobState.CANCELLED, failures=lost):
            return JobState.CANCELLED
        again = _RUNNING if failures == 0 else _RUNNING & (lost < max_failures)
        if change_job(self._connection, where & again, JobState.QUEUED, failures=lost):
            return JobState.QUEUED
        if change_job(
            self._connection, where & _RUNNING, JobState.FAILED, failures=lost, error=poison
        ):
            return JobState.FAILED
        return None

    def purge_keys(self, keep_days: int) -> int:
        """Delete the expired idempotency keys of all jobs and give their number."""
        expired = idempotency_keys.c.created_at < current_time(-keep_days * DAY_SECONDS)
        return self._connection.execute(delete(idempotency_keys).where(expired)).rowcount

    def purge_deleted(self, keep_seconds: float) -> int:
        """Forget which jobs were deleted longer ago, and give their number."""
        told = deleted_jobs.c.deleted_at < current_time(-keep_seconds)
        return self._connection.execute(delete(deleted_jobs).where(told)).rowcount

    def counts(self) -> dict[tuple[str, JobState], int]:
        """Give the number of all tenants' jobs by kind and state, transient ones left out."""
        rows = self._connection.execute(
            select(tallies.c.kind, *(func.sum(tallies.c[state]).label(state) for state in JobState))
            .where(tallies.c.lane != Lane.TRANSIENT.value)
            .group_by(tallies.c.kind)
        )
        return {
            (row.kind, state): int(row._mapping[state])
            for row in rows
            for state in JobState
            if row._mapping[state]
        }

    def oldest_queued(self) -> datetime | None:
        """Give when the queued job that has waited longest was made. None without any.

        Jobs whose workers were lost are few: of them `_LOST` are looked at.
        """
        queued = select(jobs.c.created_at).where(jobs.c.state == JobState.QUEUED.value)
        ordered = queued.order_by(jobs.c.failures, jobs.c.id)
        found = [
            *self._connection.execute(ordered.where(jobs.c.failures == 0).limit(1)).scalars(),
            *self._connection.execute(ordered.where(jobs.c.failures > 0).limit(_LOST)).scalars(),
        ]
        return min(found, default=None)

    def pending(self) -> int:
        """Give the number of all tenants' queued jobs."""
        return int(self._connection.execute(_PENDING).scalar_one())


def _held(claim: Claim) -> ColumnElement[bool]:
    return (
        (jobs.c.id == claim.job_id) & (jobs.c.attempt == claim.attempt) & (_RUNNING | _CANCELLING)
    )


@lru_cache(maxsize=64)
def _taking(
    skills: Skills, running_jobs: int | None, first: Lane, *, certain: bool
) -> ReturningUpdate[Any]:
    """Write the claim, of ``held``, ``new_worker`` and ``lease_seconds``."""
    held = bindparam("held", type_=tallies.c.tenant.type)
    taking = start_of(next_job(skills, running_jobs, held, first, certain=certain))
    return taking.where(~drained(bindparam("new_worker")))


def start_of(job_id: ColumnElement[str]) -> ReturningUpdate[Any]:
    """Write the start of a queued job, of ``new_worker`` and ``lease_seconds``."""
    return job_change(
        _QUEUED & (jobs.c.id == job_id),
        JobState.RUNNING,
        attempt=jobs.c.attempt + 1,
        lease_until=later("lease_seconds"),
        worker=bindparam("new_worker"),
        started_at=func.coalesce(jobs.c.started_at, current_time()),
        claimed_at=current_time(),
        progress=None,
    )


@lru_cache(maxsize=64)
def _ending(state: JobState, names: tuple[str, ...]) -> ReturningUpdate[Any]:
    """Write the end of an attempt, of ``held_job``, ``held_attempt``, and ``new_`` and each name."""
    attempt = (jobs.c.id == bindparam("held_job")) & (jobs.c.attempt == bindparam("held_attempt"))
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
    return job_change(attempt & (_RUNNING | _CANCELLING), state, **values)
