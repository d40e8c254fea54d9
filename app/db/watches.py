"""Jobs whose schedules are watched: what they still do, and when that was found."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from app.db.clock import current_time
from app.db.grid_tables import drift_points, epochs, measured_platforms, watches
from app.db.ids import is_id, new_id
from app.db.measurements import hold_platform
from app.db.models import jobs
from app.db.new_jobs import OF_JOBS
from app.db.pages import Page, decode_token, encode_token
from app.db.upsert import conflict_insert

_FENCE_BITS = 48
OF_POINTS = "pnt_"
MOST_POINTS = 2_000
"""Of one job. The oldest ones go."""


@dataclass(frozen=True)
class Watch:
    """A row of `watches`. Rates are exact texts."""

    job_id: str
    platform_id: str
    request: dict[str, Any]
    """What is asked, as `steadygrid.studies.drift.DriftRequest`."""
    planned: str
    reference: str
    """The rate that the next loss is compared with: what was planned, or kept at the last crossing."""
    kept: str | None
    limited_by: list[str]
    measured_at: datetime | None
    """The newest measurement that `kept` knows."""
    replan_id: str | None
    """The newest plan that was made because of a loss."""
    error: dict[str, Any] | None
    """Why the last evaluation came to nothing."""
    seen: int
    """The version of the platform's measurements that `kept` knows."""
    changes: int
    """How often what is reported of it has changed."""
    attempt: int
    """Rises whenever it is taken: who has another number than the row is too late."""
    created_at: datetime


@dataclass(frozen=True)
class DriftPoint:
    """What a schedule did from a moment on."""

    id: str
    job_id: str
    at: datetime
    planned: str
    kept: str
    limited_by: list[str]
    replan_id: str | None


class Epoch(NamedTuple):
    """When a schedule has started."""

    at: datetime
    unit_seconds: str
    """Seconds of its time unit, exact."""


class Evaluated(NamedTuple):
    """What an evaluation has found."""

    seen: int
    measured_at: datetime
    kept: str
    limited_by: Sequence[str]
    reference: str
    replan_id: str | None
    """The plan that this unit makes. None: it makes none."""


class Taken(NamedTuple):
    """A watch that this process evaluates."""

    tenant: str
    job_id: str
    attempt: int


_COLUMNS = tuple(watches.c[name] for name in Watch.__dataclass_fields__)
_POINT = tuple(drift_points.c[name] for name in DriftPoint.__dataclass_fields__)


class WatchedJobRepository:
    """One tenant's watched jobs."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def _condition(self, job_id: str) -> ColumnElement[bool]:
        return (watches.c.tenant == self._tenant) & (watches.c.job_id == job_id)

    def get(self, job_id: str) -> Watch | None:
        """Give how a job is watched, or None if it is not."""
        row = self._connection.execute(select(*_COLUMNS).where(self._condition(job_id))).first()
        return None if row is None else Watch(*row)

    def watch(self, job_id: str, platform_id: str, request: dict[str, Any], planned: str) -> bool:
        """Watch a job from now on, or watch it otherwise; False if there is no such job or platform.

        What is known of it is forgotten, so it is due if its platform has been measured.

        Parameters
        ----------
        job_id
            A job that has succeeded.
        platform_id
            The stored platform whose measurements count.
        request
            As JSON.
        planned
            The rate of its schedule.
        """
        if not self._hold(job_id):
            return False
        if not hold_platform(self._connection, self._tenant, platform_id):
            return False
        values: dict[str, Any] = {
            "platform_id": platform_id,
            "request": request,
            "planned": planned,
            "reference": planned,
            "kept": None,
            "limited_by": [],
            "measured_at": None,
            "replan_id": None,
            "error": None,
            "seen": 0,
            "lease_until": None,
        }
        self._connection.execute(
            conflict_insert(self._connection, watches)
            .values(
                tenant=self._tenant,
                job_id=job_id,
                changes=1,
                # Who evaluates a watch of this job that was deleted has another number.
                attempt=secrets.randbits(_FENCE_BITS),
                created_at=current_time(),
                **values,
            )
            .on_conflict_do_update(
                index_elements=[watches.c.job_id],
                set_={
                    **values,
                    "changes": watches.c.changes + 1,
                    "attempt": watches.c.attempt + 1,
                },
                where=watches.c.tenant == self._tenant,
            )
        )
        return True

    def _hold(self, job_id: str) -> bool:
        """Keep a job from being deleted meanwhile: who deletes locks it before what is its own."""
        mine = (jobs.c.tenant == self._tenant) & (jobs.c.id == job_id)
        query = select(jobs.c.id).where(mine).with_for_update(key_share=True, read=True)
        return self._connection.execute(query).first() is not None

    def delete(self, job_id: str) -> bool:
        """Watch a job no more; False if it was not watched. Its history stays."""
        return (
            self._connection.execute(delete(watches).where(self._condition(job_id))).rowcount == 1
        )

    def keep(self, taken: Taken, found: Evaluated) -> Watch | None:
        """Store what an evaluation has found, and a point of its history where the rate changed.

        Parameters
        ----------
        taken
            What this process has taken.
        found
            What came of it.

        Returns
        -------
        Watch | None
            As it was before. None if another process has taken it since, or the job is not watched
            any more: then nothing may be stored.
        """
        if not self._hold(taken.job_id):
            return None
        row = self._connection.execute(
            select(*_COLUMNS)
            .where(self._condition(taken.job_id), watches.c.attempt == taken.attempt)
            .with_for_update()
        ).first()
        if row is None:
            return None
        before = Watch(*row)
        changed = (
            before.kept != found.kept
            or before.limited_by != list(found.limited_by)
            or found.replan_id is not None
        )
        self._connection.execute(
            update(watches)
            .where(self._condition(taken.job_id))
            .values(
                seen=found.seen,
                measured_at=found.measured_at,
                kept=found.kept,
                limited_by=list(found.limited_by),
                reference=found.reference,
                replan_id=found.replan_id or before.replan_id,
                error=None,
                lease_until=None,
                changes=watches.c.changes + 1,
            )
        )
        if changed:
            self._add_point(before, found)
        return before

    def _add_point(self, watch: Watch, found: Evaluated) -> None:
        self._connection.execute(
            insert(drift_points).values(
                tenant=self._tenant,
                id=new_id(OF_POINTS),
                job_id=watch.job_id,
                platform_id=watch.platform_id,
                at=found.measured_at,
                planned=watch.planned,
                kept=found.kept,
                limited_by=list(found.limited_by),
                replan_id=found.replan_id,
            )
        )
        mine = (drift_points.c.tenant == self._tenant) & (drift_points.c.job_id == watch.job_id)
        last = (
            select(drift_points.c.id)
            .where(mine)
            .order_by(drift_points.c.id.desc())
            .offset(MOST_POINTS)
            .limit(1)
            .scalar_subquery()
        )
        self._connection.execute(delete(drift_points).where(mine, drift_points.c.id <= last))

    def fail(self, taken: Taken, error: dict[str, Any], seen: int | None, seconds: float) -> bool:
        """Store why an evaluation came to nothing; False if another process has taken it since.

        Parameters
        ----------
        taken
            What this process has taken.
        error
            A code and a sentence.
        seen
            The version that is not looked at again. None: it stays due.
        seconds
            For so long it is not taken again.
        """
        known = {} if seen is None else {"seen": seen}
        changed = self._connection.execute(
            update(watches)
            .where(self._condition(taken.job_id), watches.c.attempt == taken.attempt)
            .values(
                error=error,
                changes=watches.c.changes + 1,
                lease_until=current_time(seconds),
                **known,
            )
        )
        return changed.rowcount == 1

    def page(
        self, platform_id: str, limit: int, token: str | None = None, job_id: str | None = None
    ) -> Page[DriftPoint]:
        """List what the watched jobs of a platform did, the newest first.

        Parameters
        ----------
        platform_id
            Of a stored platform.
        limit
            Most on the page.
        token
            Of the page before. None: the first page.
        job_id
            Only of this job. None: of all.

        Raises
        ------
        PageTokenError
            If the service did not make the token.
        """
        query = select(*_POINT).where(
            drift_points.c.tenant == self._tenant, drift_points.c.platform_id == platform_id
        )
        if job_id is not None:
            query = query.where(drift_points.c.job_id == job_id)
        if token is not None:
            query = query.where(drift_points.c.id < decode_token(token, (str,))[0])
        rows = self._connection.execute(query.order_by(drift_points.c.id.desc()).limit(limit + 1))
        found = [DriftPoint(*row) for row in rows]
        more, found = len(found) > limit, found[:limit]
        return Page(found, encode_token([found[-1].id]) if more else None)

    def epoch(self, job_id: str) -> Epoch | None:
        """Give when the schedule of a job has started. None if that is not known."""
        row = self._connection.execute(
            select(epochs.c.epoch, epochs.c.unit_seconds).where(
                epochs.c.tenant == self._tenant, epochs.c.job_id == job_id
            )
        ).first()
        return None if row is None else Epoch(*row)

    def set_epoch(self, job_id: str, epoch: Epoch | None) -> bool:
        """Say when the schedule of a job has started, or that it runs no more.

        Parameters
        ----------
        job_id
            Of the job.
        epoch
            None: it runs no more.

        Returns
        -------
        bool
            False if there is no such job.
        """
        if not self._hold(job_id):
            return False
        if epoch is None:
            mine = (epochs.c.tenant == self._tenant) & (epochs.c.job_id == job_id)
            self._connection.execute(delete(epochs).where(mine))
            return True
        values = {"epoch": epoch.at, "unit_seconds": epoch.unit_seconds}
        self._connection.execute(
            conflict_insert(self._connection, epochs)
            .values(tenant=self._tenant, job_id=job_id, **values)
            .on_conflict_do_update(
                index_elements=[epochs.c.job_id],
                set_=values,
                where=epochs.c.tenant == self._tenant,
            )
        )
        return True


_DUE = (
    (measured_platforms.c.tenant == watches.c.tenant)
    & (measured_platforms.c.platform_id == watches.c.platform_id)
    & (measured_platforms.c.version > watches.c.seen)
)


class WatchWork:
    """All tenants' watched jobs, for those who evaluate them and those who wait for news."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def take(self, lease_seconds: float, limit: int) -> list[Taken]:
        """Take watches whose platforms have been measured since, of each tenant one before a second.

        Parameters
        ----------
        lease_seconds
            For so long no other process takes them.
        limit
            Most that are taken.
        """
        free = watches.c.lease_until.is_(None) | (watches.c.lease_until < current_time())
        # A client chooses when something was measured, so that only orders what is its tenant's.
        first = func.row_number().over(
            partition_by=watches.c.tenant,
            order_by=(watches.c.measured_at.nulls_first(), watches.c.job_id),
        )
        ranked = (
            select(watches.c.job_id, first.label("place"))
            .join(measured_platforms, _DUE)
            .where(free)
            .subquery()
        )
        due = (
            select(watches.c.job_id)
            .join(measured_platforms, _DUE)
            .join(ranked, ranked.c.job_id == watches.c.job_id)
            .where(free)
            .order_by(ranked.c.place, func.random())
            .limit(limit)
            .with_for_update(skip_locked=True, of=watches)
        )
        ids = self._connection.execute(due).scalars().all()
        if not ids:
            return []
        rows = self._connection.execute(
            update(watches)
            .where(watches.c.job_id.in_(ids))
            .values(
                attempt=watches.c.attempt + 1,
                lease_until=current_time(lease_seconds),
            )
            .returning(watches.c.tenant, watches.c.job_id, watches.c.attempt)
        )
        return [Taken(*row) for row in rows]

    def versions(self, wanted: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Give numbers that rise with each change of what is measured and watched.

        Jobs that are not watched are left out. A platform that was not measured has 0.

        Parameters
        ----------
        wanted
            Tenants, and ids of platforms or of watched jobs.
        """
        ids = {one for _, one in wanted}
        asked = set(wanted)
        jobless = (key for key in wanted if not is_id(OF_JOBS, key[1]))
        found: dict[tuple[str, str], int] = dict.fromkeys(jobless, 0)
        platforms = select(
            measured_platforms.c.tenant,
            measured_platforms.c.platform_id,
            measured_platforms.c.version,
        ).where(measured_platforms.c.platform_id.in_(ids))
        both = watches.c.changes + func.coalesce(measured_platforms.c.version, 0)
        watched = (
            select(watches.c.tenant, watches.c.job_id, both)
            .outerjoin(
                measured_platforms,
                (measured_platforms.c.tenant == watches.c.tenant)
                & (measured_platforms.c.platform_id == watches.c.platform_id),
            )
            .where(watches.c.job_id.in_(ids))
        )
        for query in (platforms, watched):
            for tenant, one, version in self._connection.execute(query):
                if (tenant, one) in asked:
                    found[tenant, one] = int(version)
        return found
