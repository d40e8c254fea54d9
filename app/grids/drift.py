"""Watched schedules: what they still do on the platform as it was measured; sync."""

from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, NamedTuple

from app.db.ids import is_id
from app.db.measurements import Measurements
from app.db.new_jobs import NewJob
from app.db.packing import pack
from app.db.replans import new_replan_id
from app.db.unit import Unit
from app.db.watches import Evaluated, Taken, Watch
from app.grids.measurements import with_numbers, written
from app.http.answers import moment
from app.http.bodies import Body, read_json
from app.http.quotas import check_stored, take_place
from app.http.refusals import Refusal, RefusedPart
from app.http.resources import Resources
from app.http.sources import Sources
from app.jobs.service import JOBS
from app.platforms.service import SHELF
from app.studies.documents import stored_document
from app.studies.replans import compare_kept, plan_anew, to_replan
from steadygrid.domain.document import content_id
from steadygrid.domain.rational import parse_exact
from steadygrid.domain.schedule import Schedule
from steadygrid.studies.drift import DriftRequest, Step, expected, read_drift, step
from steadygrid.studies.measurements import measured_document

_PLATFORM = "#/platform"


class ReadyWatch(NamedTuple):
    """A job that can be watched."""

    platform_id: str
    request: dict[str, Any]
    planned: str


class Evaluation(NamedTuple):
    """What a watched schedule still does."""

    version: int
    measured_at: datetime
    kept: str
    limited_by: tuple[str, ...]
    step: Step
    replan: bytes | None
    """The new plan, packed, where there was a crossing."""
    job: NewJob | None
    """That plans anew."""


class Unable(NamedTuple):
    """Why a watched schedule could not be evaluated."""

    version: int
    code: str
    detail: str


class OutdoneError(Exception):
    """Another process has taken the watch since, or it is gone."""


def read(parts: Sources, tenant: str, body: Body, job_id: str) -> ReadyWatch:
    """Read how a job is to be watched.

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
        where no stored platform belongs to the job.
    InstanceError
        With every fault; pointers walk the body.
    """
    request = read_drift(read_json(body, {}))
    job = to_replan(parts, tenant, job_id)
    # What holds of a platform as planned holds of a schedule that can be watched.
    compare_kept(parts, job, request.replan_request({}))
    assert isinstance(job.schedule, Schedule)
    with parts.database.read(tenant) as unit:
        platform_id = _platform(unit, request, job_id, job.submission.instance.platform)
    asked = request.model_dump(mode="json", exclude={"platform"})
    return ReadyWatch(platform_id, asked, str(job.schedule.throughput))


def _platform(unit: Unit, request: DriftRequest, job_id: str, planned: Any) -> str:
    """Find the stored platform of a job: named now, named by its body, or of the same content."""
    if request.platform is not None:
        if not _is_stored(unit, request.platform):
            raise _no_platform("there is no such platform: give the id of a stored one")
        stored = unit.platforms.document(request.platform)
        known = {processor["id"] for processor in stored["processors"]}
        if known.isdisjoint(processor.id for processor in planned.processors):
            raise _no_platform(
                "this platform has no processor of the job: give the id of the one it runs on",
                "other_platform",
            )
        return request.platform
    own = content_id(SHELF.prefix, planned.model_dump(mode="json", exclude_none=True))
    for platform_id in (named_platform(unit, job_id), own):
        if platform_id is not None and _is_stored(unit, platform_id):
            return platform_id
    raise _no_platform("the job names no stored platform: post its platform, and give the id here")


def named_platform(unit: Unit, job_id: str) -> str | None:
    """Give the id of the stored platform that the body of a job names, or None.

    Parameters
    ----------
    unit
        Of the tenant.
    job_id
        Of the job.
    """
    sent = unit.jobs.draft(job_id)
    problem = sent.get("problem") if isinstance(sent, Mapping) else None
    named = problem.get("platform") if isinstance(problem, Mapping) else None
    return named if isinstance(named, str) else None


def _is_stored(unit: Unit, platform_id: str) -> bool:
    return is_id(f"{SHELF.prefix}_", platform_id) and unit.platforms.get(platform_id) is not None


def _no_platform(detail: str, code: str = "unknown_platform") -> Refusal:
    part = RefusedPart(pointer=_PLATFORM, code=code, detail=detail)
    return Refusal("invalid_request", f"The schedule cannot be watched: {detail}.", errors=[part])


def watch_job(parts: Resources, tenant: str, job_id: str, ready: ReadyWatch) -> None:
    """Watch a job; `Refusal` ``not_found`` where it, or its platform, has gone meanwhile.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    job_id
        Of the job.
    ready
        How it is watched.
    """
    with parts.database.write(tenant) as unit:
        check_stored(parts.settings, unit, 0)
        unit.platforms.use(ready.platform_id)
        if not unit.watched_jobs.watch(job_id, ready.platform_id, ready.request, ready.planned):
            JOBS.existing(unit, job_id)
            raise _no_platform("there is no such platform any more: post it again")


def remove(parts: Resources, tenant: str, job_id: str) -> None:
    """Watch a job no more; `Refusal` ``not_found`` where it is not watched."""
    with parts.database.write(tenant) as unit:
        JOBS.existing(unit, job_id)
        if not unit.watched_jobs.delete(job_id):
            raise not_watched()


def not_watched() -> Refusal:
    """Say that a job is not watched."""
    return Refusal("not_found", "The schedule of this job is not watched.")


def document(parts: Resources, tenant: str, job_id: str, numbers: str) -> dict[str, Any]:
    """Tell how a job is watched, and what its schedule still does; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    job_id
        Of the job.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    with parts.database.read(tenant) as unit:
        JOBS.existing(unit, job_id)
        watch = unit.watched_jobs.get(job_id)
        if watch is None:
            raise not_watched()
        version = unit.measurements.latest(watch.platform_id).version
    return watch_document(watch, version, numbers)


def watch_document(watch: Watch, version: int, numbers: str) -> dict[str, Any]:
    """Write a watched job as the contract shows it.

    Parameters
    ----------
    watch
        As it is stored.
    version
        Of the measurements of its platform.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    request = dict(watch.request)
    lost = lost_of(watch)
    for name in ("loss", "cost", "horizon"):
        request[name] = with_numbers(request[name], numbers)
    return {
        "job": watch.job_id,
        "platform": watch.platform_id,
        **request,
        "state": _state(watch, version),
        "planned": with_numbers(watch.planned, numbers),
        "kept": with_numbers(watch.kept, numbers),
        "lost": None if lost is None else with_numbers(str(lost), numbers),
        "limited_by": watch.limited_by,
        "measured_at": written(watch.measured_at),
        "replan": watch.replan_id,
        "error": watch.error,
        "created_at": moment(watch.created_at),
        "links": {
            "self": f"/v1/jobs/{watch.job_id}/drift",
            "platform": f"{SHELF.path}/{watch.platform_id}",
            "measurements": f"{SHELF.path}/{watch.platform_id}/measurements",
            "history": f"{SHELF.path}/{watch.platform_id}/history?job={watch.job_id}",
            "replan": None if watch.replan_id is None else f"/v1/replans/{watch.replan_id}",
        },
    }


def lost_of(watch: Watch) -> Fraction | None:
    """Give the part of the planned throughput that is lost. None where it is not known."""
    if watch.kept is None:
        return None
    return lost_part(parse_exact(watch.planned), parse_exact(watch.kept))


def lost_part(planned: Fraction, kept: Fraction) -> Fraction:
    """Give the part of a planned rate that is lost; 0 where more is done than was planned.

    Parameters
    ----------
    planned, kept
        The rates.
    """
    return max(Fraction(0), 1 - kept / planned) if planned else Fraction(0)


def _state(watch: Watch, version: int) -> str:
    if version > watch.seen:
        return "waiting" if watch.error is None else "delayed"
    if watch.error is not None:
        return "failed"
    lost = lost_of(watch)
    if lost is None:
        return "unmeasured"
    return "drifted" if lost > parse_exact(watch.request["loss"]) else "kept"


def evaluate(
    parts: Sources, _content: bytes, tenant: str, job_id: str
) -> Evaluation | Unable | None:
    """Find out what a watched schedule still does, in a process of its own. Nothing is stored.

    Parameters
    ----------
    parts
        The settings and the database.
    tenant
        Whose job it is.
    job_id
        Of the job.

    Returns
    -------
    Evaluation | Unable | None
        None: it is not watched any more.
    """
    with parts.database.read(tenant) as unit:
        watch = unit.watched_jobs.get(job_id)
        if watch is None:
            return None
        measured = unit.measurements.latest(watch.platform_id)
        request = DriftRequest.model_validate(watch.request)
        values = _expected_values(unit, watch, request, measured)
    try:
        return _evaluation(parts, tenant, watch, request, measured, values)
    except Refusal as refusal:
        return Unable(measured.version, refusal.code, refusal.detail)


def _expected_values(
    unit: Unit, watch: Watch, request: DriftRequest, measured: Measurements
) -> dict[str, Fraction]:
    values = {name: [parse_exact(one.value)] for name, one in measured.latest.items()}
    if request.forecast != "last":
        series = unit.measurements.series(watch.platform_id, list(values), request.samples)
        values |= {
            name: [parse_exact(one.value) for one in listed] for name, listed in series.items()
        }
    return {name: expected(listed, request.forecast) for name, listed in values.items()}


def _evaluation(
    parts: Sources,
    tenant: str,
    watch: Watch,
    request: DriftRequest,
    measured: Measurements,
    values: Mapping[str, Fraction],
) -> Evaluation:
    job = to_replan(parts, tenant, watch.job_id)
    platform = job.submission.instance.platform
    asked = request.replan_request(measured_document(platform, values))
    found = compare_kept(parts, job, asked)
    kept = found.same_shares
    planned, reference = parse_exact(watch.planned), parse_exact(watch.reference)
    said = step(planned, reference, kept.throughput, request.loss)
    packed, new = None, None
    if said.crossing:
        plan = plan_anew(parts, tenant, found)
        packed, new = pack(stored_document(found)), None if plan is None else plan.job
    return Evaluation(
        measured.version,
        measured.measured_at or datetime.now(UTC),
        str(kept.throughput),
        tuple(kept.limited_by),
        said,
        packed,
        new,
    )


def keep(parts: Resources, taken: Taken, found: Evaluation) -> str | None:
    """Store an evaluation and, where there was a crossing, the new plan with its job, in one unit.

    Parameters
    ----------
    parts
        The parts of the running application.
    taken
        The watch that this process has taken.
    found
        What came of it.

    Returns
    -------
    str | None
        The id of the new plan, if one was made.

    Raises
    ------
    OutdoneError
        Another process has taken it since, or it is watched no more. Nothing was stored.
    Refusal
        There is no room for the job. Nothing was stored.
    """
    replan_id = None if found.replan is None else new_replan_id()
    with parts.database.write(taken.tenant) as unit:
        if found.replan is not None:
            adds = len(found.replan) + (0 if found.job is None else found.job.num_bytes)
            if found.job is None:
                check_stored(parts.settings, unit, adds)
            else:
                take_place(parts.settings, unit, adds)
        evaluated = Evaluated(
            found.version,
            found.measured_at,
            found.kept,
            list(found.limited_by),
            str(found.step.reference),
            replan_id,
        )
        watch = unit.watched_jobs.keep(taken, evaluated)
        if watch is None:
            raise OutdoneError
        if replan_id is not None and found.replan is not None:
            if found.job is not None:
                unit.jobs.add(found.job, replan_of=taken.job_id)
            job_id = None if found.job is None else found.job.id
            unit.replans.add(replan_id, taken.job_id, job_id, found.replan)
            unit.webhooks.announce_drift(replan_id, watch.platform_id, taken.job_id)
    if found.job is not None:
        parts.broker.wake(found.job.requires)
    return replan_id
