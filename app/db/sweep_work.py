"""What is done to the jobs of a sweep, some at a time, in any process.

A transaction of thousands of jobs would keep the tally locked, so jobs of sweeps are made, cancelled,
tried again and deleted in pieces. Each piece is a unit that can be lost: what is left to do is read
from the rows, and the next process goes on. Who works on a sweep locks its plan first, then jobs
and with them the tally, and the sweep's own row as the last, as the triggers do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from app.db.announcements import listened
from app.db.clock import current_time
from app.db.job_deletion import bury, let_go, removable, remove
from app.db.models import Doom, job_events, job_labels, jobs, sweep_plans, sweeps
from app.db.new_jobs import NewJob, new_job_id
from app.db.sweeps import is_unmade, lock_plan
from app.db.turns import Lane
from steadygrid.domain.job import JobState

_FAILED = jobs.c.state == JobState.FAILED.value
_QUEUED = jobs.c.state == JobState.QUEUED.value
_RUNNING = jobs.c.state == JobState.RUNNING.value


class Unmade(NamedTuple):
    """A sweep of which jobs are to be made: those from `created` on."""

    id: str
    tenant: str
    created: int
    jobs: int
    packed_plan: bytes


@dataclass(frozen=True)
class SweepJob:
    """What is in the row of a sweep's job, besides what all have."""

    job: NewJob
    index: int


class SweepWork:
    """All tenants' sweeps, for those who work on them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def take_unmade(self, lease_seconds: float, sweep_id: str | None = None) -> Unmade | None:
        """Take a sweep that lacks jobs and that no other process works on. None without one.

        In a unit of its own: it locks the sweep's row, which comes last where jobs change.

        Parameters
        ----------
        lease_seconds
            For so long no other process takes it, so that work is not done twice. What holds is
            `Unmade.created`.
        sweep_id
            Only this one, although another process may work on it. A worker that ends one of its
            jobs, and with that has its row locked, is waited for.
        """
        mine = (
            sweeps.c.lease_until < current_time() if sweep_id is None else sweeps.c.id == sweep_id
        )
        which = (
            select(sweeps.c.id)
            .where(is_unmade(), mine)
            .order_by(sweeps.c.id)
            .limit(1)
            .with_for_update(skip_locked=sweep_id is None)
            .scalar_subquery()
        )
        row = self._connection.execute(
            update(sweeps)
            .where(sweeps.c.id == which)
            .values(lease_until=current_time(lease_seconds))
            .returning(sweeps.c.id, sweeps.c.tenant, sweeps.c.created, sweeps.c.jobs)
        ).first()
        if row is None:
            return None
        packed = self._connection.execute(
            select(sweep_plans.c.packed).where(sweep_plans.c.sweep_id == row.id)
        ).scalar_one()
        return Unmade(row.id, row.tenant, row.created, row.jobs, packed)

    def make_some(self, sweep: Unmade, made: Sequence[SweepJob], lease_seconds: float) -> bool:
        """Store the next jobs of a sweep, all in this unit.

        Parameters
        ----------
        sweep
            As it was when it was taken up.
        made
            The next jobs, in order.
        lease_seconds
            For so long it is for this process alone to make more of them.

        Returns
        -------
        bool
            False if another process has made them, or they are not wanted any more: then roll back.
        """
        if not self._lock(sweep.id, is_unmade() & (sweeps.c.created == sweep.created)):
            return False
        self._insert(sweep.tenant, sweep.id, made)
        counted = self._connection.execute(
            update(sweeps)
            .where(sweeps.c.id == sweep.id, sweeps.c.cancelled_at.is_(None))
            .values(created=sweeps.c.created + len(made), lease_until=current_time(lease_seconds))
        )
        return counted.rowcount == 1

    def _lock(self, sweep_id: str, which: ColumnElement[bool]) -> bool:
        """Lock a sweep's plan, and say whether the sweep then is what it should be."""
        lock_plan(self._connection, sweep_id)
        query = select(sweeps.c.id).where(sweeps.c.id == sweep_id, which)
        return self._connection.execute(query).first() is not None

    def _insert(
        self,
        tenant: str,
        sweep_id: str,
        made: Sequence[SweepJob],
        tries: Sequence[tuple[int, str | None]] | None = None,
    ) -> None:
        if not made:
            return
        numbers = tries or [(1, None)] * len(made)
        self._connection.execute(
            insert(jobs).values(woken_at=current_time(), created_at=current_time()),
            [
                {
                    "tenant": tenant,
                    "id": one.job.id,
                    "kind": one.job.kind,
                    "name": one.job.name,
                    "requires": one.job.requires,
                    "state": JobState.QUEUED.value,
                    "labels": dict(one.job.labels),
                    "warnings": list(one.job.warnings),
                    "time_limit": one.job.time_limit,
                    "priority": one.job.priority,
                    "attempt": 0,
                    "failures": 0,
                    "wakes": 0,
                    "seq": 1,
                    "lane": Lane.SWEEP.value,
                    "sweep_id": sweep_id,
                    "sweep_index": one.index,
                    "sweep_try": number,
                    "retry_of": before,
                }
                for one, (number, before) in zip(made, numbers, strict=True)
            ],
        )
        labels = [
            {"tenant": tenant, "job_id": one.job.id, "key": key, "value": value}
            for one in made
            for key, value in one.job.labels.items()
        ]
        if labels:
            self._connection.execute(insert(job_labels), labels)
        queued = {"state": JobState.QUEUED.value, "attempt": 0}
        self._write_events(tenant, [(one.job.id, 1, "state", queued) for one in made])

    def _write_events(self, tenant: str, events: Sequence[tuple[str, int, str, Any]]) -> None:
        self._connection.execute(
            insert(job_events).values(created_at=current_time()),
            [
                {"tenant": tenant, "job_id": job_id, "seq": seq, "type": kind, "data": data}
                for job_id, seq, kind, data in events
            ],
        )

    def cancelling(self, limit: int) -> Sequence[str]:
        """List sweeps that are to end and have not."""
        query = select(sweeps.c.id).where(
            sweeps.c.cancelled_at.is_not(None), sweeps.c.finished_at.is_(None)
        )
        return self._connection.execute(query.order_by(sweeps.c.id).limit(limit)).scalars().all()

    def cancel_some(self, sweep_id: str, limit: int) -> int:
        """End some queued jobs of a sweep that is to end, and ask running ones; give their number.

        0: nothing is left but to wait for those that were asked.

        Parameters
        ----------
        sweep_id
            Of the sweep.
        limit
            Most queued jobs that are ended, and most running ones that are asked, in this unit.
        """
        if not self._lock(sweep_id, sweeps.c.cancelled_at.is_not(None)):
            return 0
        ended = self._bring(sweep_id, _QUEUED, JobState.CANCELLED, limit)
        asked = self._bring(sweep_id, _RUNNING, JobState.CANCELLING, limit)
        if not ended + asked:
            self._connection.execute(
                update(sweeps)
                .where(
                    sweeps.c.id == sweep_id,
                    sweeps.c.finished_at.is_(None),
                    sweeps.c.queued + sweeps.c.running + sweeps.c.cancelling == 0,
                )
                .values(finished_at=current_time())
            )
        return ended + asked

    def _bring(
        self, sweep_id: str, before: ColumnElement[bool], after: JobState, limit: int
    ) -> int:
        some = (
            select(jobs.c.id)
            .where(jobs.c.sweep_id == sweep_id, before)
            .order_by(jobs.c.id)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        found = self._connection.execute(some).scalars().all()
        events = 2 if after.final else 1
        values: dict[str, Any] = {"state": after.value, "seq": jobs.c.seq + events}
        if after.final:
            values["finished_at"] = current_time()
        rows = self._connection.execute(
            update(jobs)
            .where(jobs.c.id.in_(found), before)
            .values(**values)
            .returning(jobs.c.tenant, jobs.c.id, jobs.c.seq, jobs.c.attempt)
        ).all()
        for row in rows:
            data = {"state": after.value, "attempt": row.attempt}
            kinds = ("state", "end")[:events]
            first = row.seq - events + 1
            self._write_events(
                row.tenant, [(row.id, first + k, kind, data) for k, kind in enumerate(kinds)]
            )
        return len(rows)

    def retry_some(self, tenant: str, sweep_id: str, limit: int) -> int:
        """Make new jobs in place of those that have failed, at most so many; give their number.

        What has failed stays as it is, and says what replaces it. A sweep that is to end, or is
        about to go, gets none.

        Parameters
        ----------
        tenant
            Whose it is, by name.
        sweep_id
            Of the sweep.
        limit
            Most jobs that are made in this unit.
        """
        wanted = (sweeps.c.tenant == tenant) & sweeps.c.doom.is_(None)
        if not self._lock(sweep_id, wanted & sweeps.c.cancelled_at.is_(None)):
            return 0
        found = self._connection.execute(
            select(jobs)
            .where(jobs.c.sweep_id == sweep_id, _FAILED, jobs.c.replaced_by.is_(None))
            .order_by(jobs.c.sweep_index)
            .limit(limit)
        ).all()
        made = [SweepJob(_repeat_job(row), row.sweep_index) for row in found]
        for row, one in zip(found, made, strict=True):
            self._connection.execute(
                update(jobs).where(jobs.c.id == row.id).values(replaced_by=one.job.id)
            )
        self._insert(tenant, sweep_id, made, [(row.sweep_try + 1, row.id) for row in found])
        if made:  # it will end again
            again = update(sweeps).where(sweeps.c.id == sweep_id).values(announce=listened("of"))
            self._connection.execute(again, {"of": tenant})
        return len(made)

    def doomed(self, limit: int) -> Sequence[str]:
        """List sweeps that are about to go."""
        query = select(sweeps.c.id).where(sweeps.c.doom.is_not(None))
        return self._connection.execute(query.order_by(sweeps.c.id).limit(limit)).scalars().all()

    def remove_some(self, sweep_id: str, limit: int) -> int:
        """Delete some jobs of a sweep that is about to go, in the end itself; give their number.

        0: it is gone.

        Parameters
        ----------
        sweep_id
            Of the sweep.
        limit
            Most that are deleted in this unit.
        """
        row = self._connection.execute(
            select(sweeps.c.tenant, sweeps.c.doom).where(
                sweeps.c.id == sweep_id, sweeps.c.doom.is_not(None)
            )
        ).first()
        if row is None:
            return 0
        found = removable(self._connection, [jobs.c.sweep_id == sweep_id], limit)
        forget = bury if row.doom == Doom.PURGED else let_go
        forget(self._connection, row.tenant, found)
        remove(self._connection, row.tenant, found)
        left = select(jobs.c.id).where(jobs.c.sweep_id == sweep_id).limit(1)
        if not found and self._connection.execute(left).first() is None:
            self._connection.execute(delete(sweeps).where(sweeps.c.id == sweep_id))
        return len(found)


def _repeat_job(row: Any) -> NewJob:
    return NewJob(
        id=new_job_id(),
        kind=row.kind,
        name=row.name,
        labels=row.labels,
        warnings=row.warnings,
        time_limit=row.time_limit,
        packed=None,
        requires=row.requires,
        priority=row.priority,
    )
