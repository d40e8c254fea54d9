"""How much a tenant may have: what is beyond it is refused."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from app.db.clock import DAY_SECONDS
from app.db.quotas import Quotas, TenantRecord, Use
from app.db.solver_days import SolverDay
from app.db.tenants import AGAIN_SECONDS
from app.db.unit import Unit
from app.http.fair_places import room_for
from app.http.rate_fields import Counted, rate_fields
from app.http.refusals import Refusal
from app.settings import Settings
from steadygrid.domain.errors import Fault, LimitError
from steadygrid.domain.job import Options
from steadygrid.submissions.submission import Submission

RETRY_QUEUE_SECONDS = 10


def quotas_of(settings: Settings, tenant: TenantRecord | None) -> Quotas:
    """Say how much a tenant may have.

    Parameters
    ----------
    settings
        They give what a tenant may have by default.
    tenant
        With quotas of its own. None by default.
    """
    usual = Quotas.usual(settings)
    return usual if tenant is None else tenant.quotas(usual)


def with_time_limit(quotas: Quotas, body: Any) -> Any:
    """Give a body that names no time limit the tenant's, where the usual one is beyond it.

    What is no body of a job stays as it is.

    Parameters
    ----------
    quotas
        Of the tenant.
    body
        Of ``POST /v1/jobs``, as it was sent.
    """
    if quotas.time_limit >= Options().time_limit:
        return body
    if not isinstance(body, dict) or "problem" not in body:
        return body
    options = body.get("options", {})
    if not isinstance(options, dict) or "time_limit" in options:
        return body
    return {**body, "options": {**options, "time_limit": quotas.time_limit}}


def check_asked(quotas: Quotas, submission: Submission) -> None:
    """Refuse a job that asks for more than its tenant may.

    Parameters
    ----------
    quotas
        Of the tenant.
    submission
        What is asked, with its options.

    Raises
    ------
    LimitError
        For a time limit or a priority, with its pointer.
    """
    faults = list(beyond(quotas, submission.options.time_limit, submission.priority))
    if faults:
        raise LimitError(faults=faults)


def beyond(quotas: Quotas, time_limit: float, priority: int) -> Iterator[Fault]:
    """Find what a job's body asks for that its tenant may not have.

    Parameters
    ----------
    quotas
        Of the tenant.
    time_limit
        In seconds.
    priority
        Of the job.
    """
    most = quotas.time_limit
    if time_limit > most:
        detail = (
            f"a time limit of {time_limit:g} s, and this tenant's jobs may take at most {most:g} s"
        )
        yield Fault(("options", "time_limit"), "limit_exceeded", detail)
    if priority > quotas.priority:
        detail = f"priority {priority}, and this tenant's jobs have at most {quotas.priority}"
        yield Fault(("priority",), "limit_exceeded", detail)


def take_place(settings: Settings, unit: Unit, adds: int) -> None:
    """Refuse a further job where too many are queued, before the unit adds one.

    Parameters
    ----------
    adds
        Bytes that are stored with it.

    Raises
    ------
    Refusal
        ``quota_exceeded`` where it is the tenant who has or has used too much. Where the whole service has
        too many jobs, ``queue_full`` if this tenant has its share of them, else
        ``temporary_reduced_capacity``.
    """
    quotas = check_stored(settings, unit, adds)
    _check_seconds(quotas, unit)
    most = quotas.queued_jobs
    use, waiting = _counted(unit, adds)
    if most is not None and use.queued >= most:
        said = f"At most {most:,} jobs of this tenant are queued at a time."
        raise Refusal("quota_exceeded", said, headers=_retry_after(RETRY_QUEUE_SECONDS))
    _check_queue(settings, use, waiting, 1)


def take_places(settings: Settings, unit: Unit, jobs: int, adds: int) -> None:
    """Refuse so many jobs of a sweep where there is no room, before the unit adds the sweep.

    Parameters
    ----------
    adds
        Bytes that are stored with it.

    Raises
    ------
    Refusal
        As `take_place` does.
    LimitError
        If there would not be room for so many even if nothing else were queued.
    """
    quotas = check_stored(settings, unit, adds)
    _check_seconds(quotas, unit)
    most = quotas.sweep_jobs
    use, waiting = _counted(unit, adds)
    room = _room_in_sweeps(most, use)
    if room.most is not None and jobs > room.most:
        _refuse_sweep(jobs, room.most, "of this tenant's sweeps")
    share = share_of_queue(settings)
    if jobs > share:
        _refuse_sweep(jobs, share, "of all" if share == settings.max_queued_jobs else "of a tenant")
    if room.left is not None and jobs > room.left:
        raise _no_room(room)
    _check_queue(settings, use, waiting, jobs)


def places_left(settings: Settings, unit: Unit, most: int) -> int:
    """Say how many failed jobs of sweeps may be tried again in this unit, at most so many.

    Parameters
    ----------
    settings
        They give what a tenant may have by default.
    unit
        Of the tenant's.
    most
        How many are wanted.

    Raises
    ------
    Refusal
        As `take_place` does, where it is none.
    """
    quotas = check_stored(settings, unit, 0)
    _check_seconds(quotas, unit)
    use, waiting = _counted(unit, 0)
    room = _room_in_sweeps(quotas.sweep_jobs, use)
    if room.left is not None and room.left <= 0:
        raise _no_room(room)
    in_queue = _check_queue(settings, use, waiting, 1)
    return min(most, in_queue, most if room.left is None else room.left)


def solver_seconds_left(most: int, day: SolverDay) -> Counted:
    """Say what is left of a tenant's solver seconds today.

    Parameters
    ----------
    most
        That workers may spend on its jobs on a day.
    day
        What they have spent, and when the day ends.
    """
    left = math.floor(most - day.used)
    seconds = max(1, math.ceil(day.left))
    return Counted("solver-seconds", most, left, seconds, DAY_SECONDS, "solver-seconds")


def _check_seconds(quotas: Quotas, unit: Unit) -> None:
    """Refuse further jobs once the workers have spent on those of today what they may."""
    most = quotas.solver_seconds_per_day
    if most is None:
        return
    day = unit.tenants.solver_day(unit.tenant)
    if day.used < most:
        return
    counted = solver_seconds_left(most, day)
    said = (
        f"Workers have spent {day.used:,.1f} s on this tenant's jobs today, and at most {most:,} s a day"
        f" may be used (solver-seconds-per-day). New jobs are taken from {day.end:%Y-%m-%d %H:%M} UTC"
        " on. Jobs that were accepted before still run."
    )
    headers = {**_retry_after(counted.seconds), **rate_fields([counted])}
    raise Refusal("quota_exceeded", said, headers=headers)


class _Room(NamedTuple):
    """How many jobs of a tenant's sweeps may be queued. None: any number."""

    most: int | None
    left: int | None


def _counted(unit: Unit, adds: int) -> tuple[Use, int]:
    """Count a tenant's jobs, and those of all that wait, when it is the unit's turn to add some."""
    if not adds:  # else that has been counted, and the unit has the turn
        unit.tenants.take_turn(unit.tenant)
    return unit.tenants.use_and_waiting(unit.tenant)


def _room_in_sweeps(most: int | None, use: Use) -> _Room:
    return _Room(most, None if most is None else most - use.sweep_jobs)


def _no_room(room: _Room) -> Refusal:
    said = (
        f"At most {room.most:,} jobs of this tenant's sweeps are queued at a time, and there is room"
        f" for {0 if room.left is None else max(0, room.left):,}."
    )
    return Refusal("quota_exceeded", said, headers=_retry_after(RETRY_QUEUE_SECONDS))


def _refuse_sweep(jobs: int, most: int, whose: str) -> NoReturn:
    detail = f"{jobs:,} jobs, and at most {most:,} {whose} are queued at a time"
    raise LimitError(detail, [Fault(("parameters",), "limit_exceeded", detail)])


def share_of_queue(settings: Settings) -> int:
    """Say how many of all queued jobs may be one tenant's: some places stay free for others."""
    most = settings.max_queued_jobs
    return room_for(0, most) if settings.shared else most


def _check_queue(settings: Settings, use: Use, waiting: int, jobs: int) -> int:
    """Refuse where there is no room for so many; say for how many there is."""
    most, share = settings.max_queued_jobs, share_of_queue(settings)
    own, free = use.queued + use.sweep_jobs, most - waiting
    room = room_for(own, free) if settings.shared else free
    if jobs <= room:
        return room
    again = _retry_after(RETRY_QUEUE_SECONDS)
    if own + jobs <= share:
        said = (
            f"At most {most:,} jobs are queued at a time, and those of other tenants leave no room for"
            f" {jobs:,} more of this one."
        )
        raise Refusal("temporary_reduced_capacity", said, headers=again)
    others = "" if share == most else f". The rest of {most:,} is for others"
    said = (
        f"At most {share:,} jobs of a tenant are queued at a time{others}. There is no room for"
        f" {jobs:,} more."
    )
    raise Refusal("queue_full", said, headers=again)


def check_stored(settings: Settings, unit: Unit, adds: int) -> Quotas:
    """Count what this unit stores for its tenant; refuse where that would be too much.

    Parameters
    ----------
    adds
        Bytes, packed.

    Returns
    -------
    Quotas
        How much the tenant may have, who is there as long as the unit is.

    Raises
    ------
    Refusal
        ``quota_exceeded``; ``unauthorized`` where there is no such tenant any more.
    """
    tenants, name = unit.tenants, unit.tenant
    found = tenants.add_stored(name, adds) if adds else tenants.hold(name)
    if found is None:
        gone = "There is no such tenant any more."
        raise Refusal("unauthorized", gone, headers={"WWW-Authenticate": "Bearer"})
    quotas = quotas_of(settings, found)
    most = quotas.stored_bytes
    stored = 0 if found.measured_bytes is None else found.measured_bytes
    if most is not None and stored > most:
        told = f"with {adds:,} more would be stored" if adds else "are stored"
        raise Refusal(
            "quota_exceeded",
            f"{stored:,} bytes of this tenant {told}, and at most {most:,} may be. Delete jobs,"
            " platforms or applications. Then wait until that is measured, within the hour where"
            " more than half is used.",
            headers=_retry_after(AGAIN_SECONDS),
        )
    return quotas


def _retry_after(seconds: int) -> dict[str, str]:
    return {"Retry-After": str(seconds)}
