"""When schedules of jobs have started, and where in their periods they are; sync."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any, NamedTuple

from pydantic import Field

from app.db.jobs import JobRecord
from app.db.unit import Unit
from app.db.watches import Epoch
from app.grids.measurements import with_numbers, written
from app.http.bodies import Body, read_json
from app.http.refusals import Refusal, RefusedPart, refused_parameter
from app.http.resources import Resources
from app.http.sources import Sources
from app.jobs.service import JOBS, only_succeeded
from steadygrid.domain.human_time import SECONDS
from steadygrid.domain.moments import read_moment
from steadygrid.domain.rational import PositiveRational, parse_exact
from steadygrid.domain.text import Frozen
from steadygrid.studies.measurements import Moment
from steadygrid.submissions.submission import parse_model

_MICROSECOND = timedelta(microseconds=1)


class EpochRequest(Frozen):
    """When a schedule has started, or will."""

    epoch: Moment = Field(description="with its time zone, such as 2026-11-27T12:00:00Z")
    unit_seconds: PositiveRational | None = Field(
        None,
        description="seconds of a time unit; null: the platform says its unit of time, as in `s` or `ms`",
    )


class Position(NamedTuple):
    """Where a schedule is at a moment."""

    elapsed: Fraction
    """Time units since its start; below 0 before it."""
    number: int
    """Of the period, from 1; 0 before the start."""
    position: Fraction
    """In the period; 0 before the start."""


def position_at(epoch: Epoch, period: Fraction, at: datetime) -> Position:
    """Say where a schedule is, exactly.

    Parameters
    ----------
    epoch
        When it started.
    period
        In its time units.
    at
        A moment, to the microsecond.
    """
    seconds = Fraction((at - epoch.at) // _MICROSECOND, 1_000_000)
    elapsed = seconds / parse_exact(epoch.unit_seconds)
    if elapsed < 0:
        return Position(elapsed, 0, Fraction(0))
    number, position = divmod(elapsed, period)
    return Position(elapsed, int(number) + 1, position)


def read(parts: Sources, tenant: str, body: Body, job_id: str) -> Epoch:
    """Read when the schedule of a job has started.

    Parameters
    ----------
    parts
        The settings and the database.
    tenant
        Who asks.
    body
        As it was sent.
    job_id
        Of the job.

    Raises
    ------
    Refusal
        ``not_found``, ``job_not_finished`` and the like, ``not_periodic``; ``invalid_request``
        where it is not known how long a time unit is.
    InstanceError
        With every fault; pointers walk the body.
    """
    request = parse_model(EpochRequest, read_json(body, {}))
    with parts.database.read(tenant) as unit:
        record = JOBS.existing(unit, job_id)
        only_succeeded(record)
        period_of(unit, record)
        seconds = request.unit_seconds
        if seconds is None:
            seconds = _unit_seconds(unit.jobs.instance(job_id))
    if seconds is None:
        detail = "the platform does not say how long its unit of time is: give it in seconds"
        part = RefusedPart(pointer="#/unit_seconds", code="missing", detail=detail)
        raise Refusal("invalid_request", f"This start cannot be used: {detail}.", errors=[part])
    return Epoch(request.epoch, str(seconds))


def _unit_seconds(instance: Any) -> Fraction | None:
    platform = instance["problem"].get("platform")
    units = platform.get("units") if isinstance(platform, dict) else None
    return None if units is None else SECONDS.get(units.get("time"))


def period_of(unit: Unit, record: JobRecord) -> Fraction:
    """Give the period of a job's schedule; `Refusal` ``not_periodic``.

    Parameters
    ----------
    unit
        Of the tenant.
    record
        Of the job.
    """
    schedule = None if record.schedule_id is None else unit.schedules.get(record.schedule_id)
    period = None if schedule is None else schedule.header.get("period")
    if period is None or parse_exact(period) <= 0:
        raise Refusal("not_periodic", "The answer has no schedule that repeats.")
    return parse_exact(period)


def set_epoch(parts: Resources, tenant: str, job_id: str, epoch: Epoch | None) -> None:
    """Say when the schedule of a job has started, or that it runs no more; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    job_id
        Of the job.
    epoch
        None: it runs no more.
    """
    with parts.database.write(tenant) as unit:
        JOBS.existing(unit, job_id)
        if epoch is None and unit.watched_jobs.epoch(job_id) is None:
            raise not_started()
        if not unit.watched_jobs.set_epoch(job_id, epoch):
            raise JOBS.missing(unit, job_id)


def not_started() -> Refusal:
    """Say that it is not known when a schedule has started."""
    return Refusal("not_found", "It is not known when the schedule of this job has started.")


def document(
    parts: Resources, tenant: str, job_id: str, at: str | None, numbers: str
) -> dict[str, Any]:
    """Tell when the schedule of a job has started, and where it is.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    job_id
        Of the job.
    at
        A moment, as it was written. None: now.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.

    Raises
    ------
    Refusal
        ``not_found``, ``not_periodic``; ``invalid_request`` where the moment is none.
    """
    moment = datetime.now(UTC) if at is None else read_moment(at)
    if moment is None:
        detail = "expected a moment such as 2026-11-23T00:00:00Z (a + in an address is written %2B)"
        raise refused_parameter("at", "not_a_moment", detail)
    with parts.database.read(tenant) as unit:
        record = JOBS.existing(unit, job_id)
        epoch = unit.watched_jobs.epoch(job_id)
        if epoch is None:
            raise not_started()
        period = period_of(unit, record)
    found = position_at(epoch, period, moment)
    begin = max(found.number - 1, 0) * period
    window = f"?from={begin}&to={begin + period}"
    exact = {"elapsed": found.elapsed, "period": period, "position": found.position}
    return {
        "job": job_id,
        "epoch": written(epoch.at),
        "unit_seconds": with_numbers(epoch.unit_seconds, numbers),
        "at": written(moment),
        **{name: signed(value, numbers) for name, value in exact.items()},
        "number": str(found.number),
        "links": {
            "self": f"/v1/jobs/{job_id}/epoch",
            "schedule": f"/v1/schedules/{record.schedule_id}",
            "timeline": f"/v1/schedules/{record.schedule_id}/timeline{window}",
        },
    }


def signed(value: Fraction, numbers: str) -> Any:
    """Write an exact number of any sign, as a JSON number on demand.

    Parameters
    ----------
    value
        Exact.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    if value < 0:
        return -with_numbers(str(-value), numbers) if numbers == "float" else str(value)
    return with_numbers(str(value), numbers)
