"""Jobs as their owner sees them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Unpack

from sqlalchemy import ColumnElement, Connection, Table, bindparam, exists, insert, select

from app.db.bodies import packed_body
from app.db.changes import change_job
from app.db.clock import before_days, current_time
from app.db.errors import JobOfSweepError
from app.db.events import write_events
from app.db.ids import DIGITS, id_born, new_id
from app.db.job_deletion import bury, let_go, removable, remove
from app.db.matching import Wanted, conditions
from app.db.models import job_instances, job_labels, job_results, job_traces, jobs
from app.db.packing import pack, unpack
from app.db.pages import Page, decode_token, encode_token
from app.db.schedules import ScheduleRepository
from app.db.stored_answers import WHOLE, StoredAnswer, Window
from steadygrid.domain.job import JobState, Options, Outcome

OF_JOBS = "job_"
_SINGLE = jobs.c.sweep_id.is_(None)


def new_job_id() -> str:
    """Make an id that sorts by its birth: ``job_`` and 32 hexadecimal digits."""
    return new_id(OF_JOBS)


def id_before(job_id: str, seconds: float) -> str:
    """Give what sorts before the ids of all jobs born not longer than so before a job.

    Empty, which sorts before all, if the id is none of ours.

    Parameters
    ----------
    job_id
        Of the job.
    seconds
        How long before the job the others may have been born.
    """
    digits = job_id.removeprefix(OF_JOBS)[:DIGITS]
    try:
        born = int(digits, 16)
    except ValueError:
        return ""
    return id_born(OF_JOBS, born - round(1000 * seconds))


@dataclass(frozen=True)
class NewJob:
    """A job ready to be stored."""

    id: str
    kind: str
    name: str | None
    """For people."""
    labels: Mapping[str, str]
    warnings: Sequence[str]
    time_limit: float
    packed: bytes | None
    """Its body; None where that is made of its sweep's template."""
    requires: int
    """See `steadygrid.domain.problem.Problem.requires`."""
    priority: int
    """Of the tenant's jobs, those of greater priority are done first."""

    @classmethod
    def create(
        cls,
        kind: str,
        document: Mapping[str, Any],
        labels: Mapping[str, str] | None = None,
        warnings: Sequence[str] = (),
        requires: int = 0,
        name: str | None = None,
        priority: int = 0,
    ) -> "NewJob":
        """Name a job and compress its canonical, self-contained body; not inside a unit.

        Parameters
        ----------
        kind
            Of the problem.
        document
            The canonical body, with its references resolved.
        labels
            Values by key.
        warnings
            Sentences about the body.
        requires
            See `steadygrid.domain.problem.Problem.requires`.
        name
            For people; None: it has none.
        priority
            Of the tenant's jobs, those of greater priority are done first.
        """
        time_limit = document.get("options", {}).get("time_limit", Options().time_limit)
        return cls(
            id=new_job_id(),
            kind=kind,
            name=name,
            labels=dict(labels or {}),
            warnings=list(warnings),
            time_limit=float(time_limit),
            packed=pack(document),
            requires=requires,
            priority=priority,
        )


@dataclass(frozen=True)
class JobRecord:
    """A job's row; `seq` rises with every visible change, so it is the job's version."""

    id: str
    kind: str
    name: str | None
    state: JobState
    outcome: Outcome | None
    objective: dict[str, Any] | None
    bound: dict[str, Any] | None
    gap: str | None
    labels: dict[str, str]
    priority: int
    warnings: list[str]
    attempt: int
    failures: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    progress: dict[str, Any] | None
    schedule_id: str | None
    error: dict[str, Any] | None
    seq: int
    traced: bool
    """Whether it is known how the solve came to its answer."""
    sweep_id: str | None = None
    sweep_index: int = 0
    """Its place among the jobs of its sweep, from 0."""
    sweep_try: int = 0
    """Which try at this place it is, from 1; 0 outside sweeps."""
    retry_of: str | None = None
    """The job that had failed at this place before."""
    replaced_by: str | None = None
    """The job that tries again what this one has failed."""
    replan_of: str | None = None
    """The job whose schedule is planned anew."""


_TRACED = exists().where(job_traces.c.job_id == jobs.c.id).label("traced")
JOB_COLUMNS = tuple(
    _TRACED if name == "traced" else jobs.c[name] for name in JobRecord.__dataclass_fields__
)


# Statements of every POST: to build one takes as long as to run it.
_ADDED = insert(jobs).values(
    state=JobState.QUEUED.value,
    attempt=0,
    failures=0,
    wakes=0,
    woken_at=current_time(),
    seq=1,
    created_at=current_time(),
)
_INSTANCE_ADDED = insert(job_instances)
_ONE = select(*JOB_COLUMNS).where(
    jobs.c.tenant == bindparam("tenant"), jobs.c.id == bindparam("id")
)


def job_record(row: Any) -> JobRecord:
    """Read a row of `JOB_COLUMNS`."""
    values = row._asdict()
    values["state"] = JobState(values["state"])
    values["outcome"] = None if values["outcome"] is None else Outcome(values["outcome"])
    return JobRecord(**values)


def token_of(record: JobRecord) -> str:
    """Give the token of the page that comes after a job, or, backwards, before it."""
    return encode_token([record.id])


class JobRepository:
    """One tenant's jobs; ids of other tenants do not exist."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def _mine(self, job_id: str) -> ColumnElement[bool]:
        return (jobs.c.tenant == self._tenant) & (jobs.c.id == job_id)

    def add(self, job: NewJob, replan_of: str | None = None) -> None:
        """Store a queued job with its instance and labels.

        Parameters
        ----------
        job
            As `NewJob.create` made it.
        replan_of
            The job whose plan it replaces; None: it is no replan.
        """
        self._connection.execute(
            _ADDED,
            {
                "tenant": self._tenant,
                "id": job.id,
                "kind": job.kind,
                "name": job.name,
                "requires": job.requires,
                "labels": dict(job.labels),
                "warnings": list(job.warnings),
                "time_limit": job.time_limit,
                "priority": job.priority,
                "replan_of": replan_of,
            },
        )
        self._connection.execute(
            _INSTANCE_ADDED, {"tenant": self._tenant, "job_id": job.id, "packed": job.packed}
        )
        if job.labels:
            self._connection.execute(
                insert(job_labels),
                [
                    {"tenant": self._tenant, "job_id": job.id, "key": key, "value": value}
                    for key, value in job.labels.items()
                ],
            )
        state = {"state": JobState.QUEUED.value, "attempt": 0}
        write_events(self._connection, self._tenant, job.id, 1, [("state", state)])

    def get(self, job_id: str) -> JobRecord | None:
        """Give a job, or None if there is none."""
        row = self._connection.execute(_ONE, {"tenant": self._tenant, "id": job_id}).first()
        return None if row is None else job_record(row)

    def instance(self, job_id: str) -> Any:
        """Give the canonical body that the job was made of, or None."""
        packed = packed_body(self._connection, self._tenant, job_id)
        return None if packed is None else unpack(packed)

    def result(self, job_id: str) -> Any:
        """Give the result's document, or None if there is none (yet)."""
        return self._document(job_results, job_id)

    def stored_answer(
        self, job_id: str, leave: Collection[str] = (), window: Window = WHOLE
    ) -> StoredAnswer | None:
        """Give all of a job that has succeeded, packed as it is; None if there is no such job.

        Parameters
        ----------
        leave, window
            What is left of the schedule where it is; see `ScheduleRepository.stored`.
        """
        result = self._packed(job_results, job_id)
        if result is None:
            return None
        instance = packed_body(self._connection, self._tenant, job_id)
        if instance is None:
            return None
        schedule_id = self._connection.execute(
            select(jobs.c.schedule_id).where(self._mine(job_id))
        ).scalar()
        schedules = ScheduleRepository(self._connection, self._tenant)
        schedule = None if schedule_id is None else schedules.stored(schedule_id, leave, window)
        return StoredAnswer(instance, result, schedule, self._packed(job_traces, job_id))

    def trace(self, job_id: str) -> Any:
        """Give the document of how the solve came to its answer, or None if there is none."""
        return self._document(job_traces, job_id)

    def _document(self, table: Table, job_id: str) -> Any:
        found = self._packed(table, job_id)
        return None if found is None else unpack(found)

    def _packed(self, table: Table, job_id: str) -> bytes | None:
        found: bytes | None = self._connection.execute(
            select(table.c.packed).where(table.c.tenant == self._tenant, table.c.job_id == job_id)
        ).scalar()
        return found

    def page(
        self,
        limit: int,
        token: str | None = None,
        *,
        backwards: bool = False,
        **wanted: Unpack[Wanted],
    ) -> Page[JobRecord]:
        """List jobs, the newest first.

        Parameters
        ----------
        limit
            Most jobs on the page.
        token
            `Page.next_token` of the page before.
        backwards
            Give the page that ends before the first job of the one that the token names: `token` is
            then `token_of` of that job, and `Page.next_token` that of the page before.
        wanted
            What the jobs have to be.

        Raises
        ------
        PageTokenError
            If the token is not one of ours.
        """
        query = select(*JOB_COLUMNS).where(*conditions(self._tenant, wanted))
        if token is not None:
            key = decode_token(token, (str,))[0]
            query = query.where(jobs.c.id > key if backwards else jobs.c.id < key)
        order = jobs.c.id.asc() if backwards else jobs.c.id.desc()
        found = [
            job_record(row)
            for row in self._connection.execute(query.order_by(order).limit(limit + 1))
        ]
        more, found = len(found) > limit, found[:limit]
        further = token_of(found[-1]) if more else None
        return Page(found[::-1] if backwards else found, further)

    def packed(self, job_id: str) -> tuple[bytes, bytes | None] | None:
        """Give the instance and the result, if there is one, as they are stored; see `unpack`.

        None if there is no such job.
        """
        instance = packed_body(self._connection, self._tenant, job_id)
        return None if instance is None else (instance, self._packed(job_results, job_id))

    def cancel(self, job_id: str) -> bool:
        """Ask for a job's end: queued becomes cancelled, running becomes cancelling.

        Returns
        -------
        bool
            False if it stays as it is: cancelling already, or final; or if there is none.
        """
        mine = self._mine(job_id)
        queued = jobs.c.state == JobState.QUEUED.value
        running = jobs.c.state == JobState.RUNNING.value
        return any(
            change_job(self._connection, mine & before, after) is not None
            for before, after in ((queued, JobState.CANCELLED), (running, JobState.CANCELLING))
        )

    def delete(self, job_id: str) -> bool:
        """Delete a final job with all that is its own; its schedule unless another job has it.

        Its idempotency keys go too: the same request would then make a new job.

        Returns
        -------
        bool
            False if there is no such job, or it has not ended.

        Raises
        ------
        JobOfSweepError
            If it is one of a sweep's, which keeps them all.
        """
        found = removable(self._connection, [self._mine(job_id), _SINGLE])
        if not found:
            record = self.get(job_id)
            if record is not None and record.sweep_id is not None:
                raise JobOfSweepError(JobOfSweepError.__doc__)
            return False
        let_go(self._connection, self._tenant, found)
        remove(self._connection, self._tenant, found)
        return True

    def delete_ended(self, limit: int, before: datetime, **wanted: Unpack[Wanted]) -> int:
        """Delete single jobs that ended before a moment, as `delete` does, those that ended first.

        Parameters
        ----------
        limit
            Most jobs that are deleted in this unit.
        before
            Jobs that ended then, or later, stay.
        wanted
            What the jobs have to be, besides.

        Returns
        -------
        int
            How many were deleted: fewer than `limit` if no more are left, or another process is
            deleting them.
        """
        which = [*conditions(self._tenant, wanted), jobs.c.finished_at < before, _SINGLE]
        found = removable(self._connection, which, limit)
        let_go(self._connection, self._tenant, found)
        remove(self._connection, self._tenant, found)
        return len(found)

    def any_ended(self, before: datetime, **wanted: Unpack[Wanted]) -> bool:
        """Say whether there are jobs that `delete_ended` would delete."""
        which = [*conditions(self._tenant, wanted), jobs.c.finished_at < before, _SINGLE]
        query = select(jobs.c.id).where(*which).limit(1)
        return self._connection.execute(query).first() is not None

    def purge(self, days: int, limit: int) -> int:
        """Delete single jobs that ended longer ago, those first, and keep their tombstones.

        Idempotency keys stay until their own time is over: the same request must not make a
        second job.

        Parameters
        ----------
        days
            How long ago.
        limit
            Most jobs that are deleted in this unit.

        Returns
        -------
        int
            How many were deleted; see `delete_ended`.
        """
        found = removable(
            self._connection,
            [jobs.c.tenant == self._tenant, before_days(jobs.c.finished_at, days), _SINGLE],
            limit,
        )
        bury(self._connection, self._tenant, found)
        remove(self._connection, self._tenant, found)
        return len(found)
