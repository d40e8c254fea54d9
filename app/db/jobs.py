"""Jobs as their owner sees them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Unpack

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Table,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from app.db.announcements import listened
from app.db.bodies import packed_body
from app.db.changes import change_job
from app.db.clock import before_days, current_time
from app.db.errors import JobOfSweepError
from app.db.events import write_events
from app.db.job_deletion import bury, let_go, removable, remove
from app.db.matching import Wanted, conditions
from app.db.models import job_drafts, job_instances, job_labels, job_results, job_traces, jobs
from app.db.new_jobs import NewJob
from app.db.packing import unpack
from app.db.pages import Page, decode_token, encode_token
from app.db.schedules import ScheduleRepository
from app.db.stored_answers import WHOLE, StoredAnswer, Window
from app.db.turns import Lane
from app.tracing import CURRENT
from steadygrid.domain.job import JobState, Outcome

_SINGLE = jobs.c.sweep_id.is_(None)


@dataclass(frozen=True)
class JobRecord:
    """A job's row; `seq` rises with every visible change but that of its labels."""

    id: str
    kind: str
    name: str | None
    state: JobState
    outcome: Outcome | None
    objective: dict[str, Any] | None
    bound: dict[str, Any] | None
    gap: str | None
    limited_by: dict[str, Any] | None
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
    simulation_of: str | None = None
    """The job whose schedule is simulated."""
    lane: int = Lane.SINGLE
    """Where it waits."""

    @property
    def transient(self) -> bool:
        """Whether it is in no list, and gone soon after its end."""
        return self.lane == Lane.TRANSIENT


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
    announce=bindparam("listed", type_=Integer()) * listened("of_tenant"),
)
_INSTANCE_ADDED = insert(job_instances)
_DRAFT_ADDED = insert(job_drafts)
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

    def add(
        self, job: NewJob, *, replan_of: str | None = None, simulation_of: str | None = None
    ) -> None:
        """Store a queued job with its instance and labels.

        Parameters
        ----------
        job
            As `NewJob.create` made it.
        replan_of
            The job whose plan it replaces. None: it is no replan.
        simulation_of
            The job whose schedule it simulates. None: it simulates none of a job.
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
                "lane": job.lane.value,
                "simulation_of": simulation_of,
                "of_tenant": self._tenant,
                "listed": int(job.lane is not Lane.TRANSIENT),
                "traceparent": CURRENT.get(),
            },
        )
        of_job = {"tenant": self._tenant, "job_id": job.id}
        self._connection.execute(_INSTANCE_ADDED, of_job | {"packed": job.packed})
        if job.draft is not None:
            self._connection.execute(_DRAFT_ADDED, of_job | {"packed": job.draft})
        if job.labels:
            self._connection.execute(
                insert(job_labels),
                [of_job | {"key": key, "value": value} for key, value in job.labels.items()],
            )
        state = {"state": JobState.QUEUED.value, "attempt": 0}
        write_events(self._connection, self._tenant, job.id, 1, [("state", state)])

    def relabel(self, job_id: str, labels: Mapping[str, str | None]) -> dict[str, str] | None:
        """Set labels of a job, and remove those that are None; the others stay.

        What the job was made of keeps the labels that it came with.

        Returns
        -------
        dict of str or None
            The labels that it has now. None if there is no such job.
        """
        mine = self._mine(job_id)
        # Locked: of two requests at once, neither loses what the other sets.
        before = self._connection.execute(
            select(jobs.c.labels).where(mine).with_for_update()
        ).first()
        if before is None:
            return None
        after = {
            key: text for key, text in (before.labels | dict(labels)).items() if text is not None
        }
        if after == before.labels:
            return after
        self._connection.execute(update(jobs).where(mine).values(labels=after))
        of_job = {"tenant": self._tenant, "job_id": job_id}
        own = (job_labels.c.tenant == self._tenant) & (job_labels.c.job_id == job_id)
        self._connection.execute(delete(job_labels).where(own))
        rows = [of_job | {"key": key, "value": text} for key, text in after.items()]
        if rows:
            self._connection.execute(insert(job_labels), rows)
        return after

    def get(self, job_id: str) -> JobRecord | None:
        """Give a job, or None if there is none."""
        row = self._connection.execute(_ONE, {"tenant": self._tenant, "id": job_id}).first()
        return None if row is None else job_record(row)

    def newest_simulation(self, job_id: str) -> str | None:
        """Give the newest job that has simulated the schedule of a job, or None.

        Parameters
        ----------
        job_id
            Of the job whose schedule was simulated.
        """
        found: str | None = self._connection.execute(
            select(jobs.c.id)
            .where(
                jobs.c.tenant == self._tenant,
                jobs.c.simulation_of == job_id,
                jobs.c.state == JobState.SUCCEEDED.value,
            )
            .order_by(jobs.c.id.desc())
            .limit(1)
        ).scalar()
        return found

    def instance(self, job_id: str) -> Any:
        """Give the canonical body that the job was made of, or None."""
        packed = packed_body(self._connection, self._tenant, job_id)
        return None if packed is None else unpack(packed)

    def draft(self, job_id: str) -> Any:
        """Give the body as it was sent, where it names what is stored or has changes; else None."""
        return self._document(job_drafts, job_id)

    def result(self, job_id: str) -> Any:
        """Give the result's document, or None if there is none (yet)."""
        return self._document(job_results, job_id)

    def stored_answer(
        self, job_id: str, leave: Collection[str] = (), window: Window = WHOLE
    ) -> StoredAnswer | None:
        """Give all of a job that has succeeded, packed as it is. None if there is no such job.

        Parameters
        ----------
        leave, window
            What is left of the schedule where it is. See `ScheduleRepository.stored`.
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
        oldest_first: bool = False,
        **wanted: Unpack[Wanted],
    ) -> Page[JobRecord]:
        """List jobs, the newest first unless the oldest are asked for.

        Parameters
        ----------
        limit
            Most jobs on the page.
        token
            `Page.next_token` of the page before.
        backwards
            Give the page that ends before the first job of the one that the token names: `token` is
            then `token_of` of that job, and `Page.next_token` that of the page before.
        oldest_first
            Whether the list begins with the oldest job.
        wanted
            What the jobs have to be.

        Raises
        ------
        PageTokenError
            If the service did not make the token.
        """
        query = select(*JOB_COLUMNS).where(*conditions(self._tenant, wanted))
        upwards = backwards is not oldest_first
        if token is not None:
            key = decode_token(token, (str,))[0]
            query = query.where(jobs.c.id > key if upwards else jobs.c.id < key)
        order = jobs.c.id.asc() if upwards else jobs.c.id.desc()
        found = [
            job_record(row)
            for row in self._connection.execute(query.order_by(order).limit(limit + 1))
        ]
        more, found = len(found) > limit, found[:limit]
        further = token_of(found[-1]) if more else None
        return Page(found[::-1] if backwards else found, further)

    def count(self, most: int, **wanted: Unpack[Wanted]) -> int:
        """Count jobs, up to a number.

        Parameters
        ----------
        most
            With more jobs the count ends here: a whole table is never read.
        wanted
            What the jobs have to be.
        """
        found = select(jobs.c.id).where(*conditions(self._tenant, wanted)).limit(most)
        query = select(func.count()).select_from(found.subquery())
        return self._connection.execute(query).scalar_one()

    def packed(self, job_id: str) -> tuple[bytes, bytes | None] | None:
        """Give the instance and the result, if there is one, as they are stored. See `unpack`.

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

    def cancel_transient(self) -> None:
        """Ask for the end of the tenant's transient jobs. The unit has the tenant's turn."""
        active = [state.value for state in JobState if not state.final]
        query = select(jobs.c.id).where(
            jobs.c.tenant == self._tenant,
            jobs.c.state.in_(active),
            jobs.c.lane == Lane.TRANSIENT.value,
        )
        for job_id in self._connection.execute(query).scalars().all():
            self.cancel(job_id)

    def forget_transient(self, seconds: float, limit: int) -> int:
        """Delete transient jobs that ended longer ago, with their keys, and give their number.

        Parameters
        ----------
        seconds
            How long ago.
        limit
            Most jobs that are deleted in this unit.
        """
        which = [
            jobs.c.tenant == self._tenant,
            jobs.c.lane == Lane.TRANSIENT.value,
            jobs.c.finished_at < current_time(-seconds),
        ]
        found = removable(self._connection, which, limit)
        let_go(self._connection, self._tenant, found, tell=False)
        remove(self._connection, self._tenant, found)
        return len(found)

    def delete(self, job_id: str) -> bool:
        """Delete a final job with all that is its own. Its schedule unless another job has it.

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
            How many were deleted. See `delete_ended`.
        """
        found = removable(
            self._connection,
            [jobs.c.tenant == self._tenant, before_days(jobs.c.finished_at, days), _SINGLE],
            limit,
        )
        bury(self._connection, self._tenant, found)
        remove(self._connection, self._tenant, found)
        return len(found)
