"""What to do now that speeds have changed: what a schedule keeps, and the job that plans anew; sync."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from pydantic import ValidationError

from app.db.ids import is_id
from app.db.jobs import JobRecord
from app.db.new_jobs import OF_JOBS, NewJob
from app.db.packing import pack
from app.db.pages import Page
from app.db.replans import OF_REPLANS, ReplanRecord, new_replan_id
from app.db.stored_answers import StoredSchedule
from app.db.unit import Unit
from app.http.bodies import Body, read_json
from app.http.idempotency import Keyed, Reading, Same, make_once, read_once
from app.http.long_running import LongRunning, Made, Seen
from app.http.pages import page_token_checked
from app.http.quotas import check_stored, take_place
from app.http.refusals import refused_parameter
from app.http.resources import Resources
from app.http.sources import Sources
from app.jobs.service import new_job
from app.studies.asked import Answered, answered, may_be_queued, refuse
from app.studies.documents import Known, restored, stored_document
from steadygrid.domain.errors import Fault, InstanceError, LimitError
from steadygrid.domain.job import JobState
from steadygrid.domain.problem import Sizing
from steadygrid.studies.measuring import ReplanRequest, read_request
from steadygrid.studies.replan import Replan, replan
from steadygrid.submissions.submission import restore_submission, size_submission

MOST_TRANSFERS = 200_000
"""In the slots of a schedule of which it is reported what is kept: they are all read and timed anew."""
_LONGEST_CHANGE = 2**22
"""Bytes of the allocations of a schedule, as stored, that are compared with those of another."""

REPLANS: LongRunning[ReplanRecord] = LongRunning(
    noun="replan",
    prefix=OF_REPLANS,
    since="was made",
    find=lambda unit, replan_id: unit.replans.get(replan_id),
    read=lambda parts, tenant, replan_id: _seen(known(parts, tenant, replan_id)),
    delete=lambda unit, replan_id: unit.replans.delete(replan_id),
)


def _seen(found: Known) -> Seen:
    return Seen(found.record.id, found.final, found.record.job_id or "", found.document)


class Planned(NamedTuple):
    """The job that plans anew."""

    job: NewJob
    sizing: Sizing


@dataclass(frozen=True)
class CheckedReplan:
    """A replan that can be made."""

    job: Answered
    replan: Replan
    planned: Planned | None

    def validation(self) -> dict[str, Any]:
        """Tell what it would be."""
        sizing = None if self.planned is None else self.planned.sizing
        return {
            "valid": True,
            "kind": self.job.submission.kind,
            "job": None
            if sizing is None
            else {
                "method": sizing.method,
                "sizes": sizing.sizes_document(),
                "warnings": list(sizing.warnings),
            },
            "notes": list(self.replan.notes),
        }


def validation(parts: Sources, tenant: str, body: Body, job_id: str) -> dict[str, Any]:
    """Tell what a replan would be. Nothing is stored.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    body
        As it was sent.
    job_id
        The job whose schedule is to be replanned.

    Raises
    ------
    Refusal
        ``malformed_json``; ``invalid_request``, ``not_periodic``, ``limit_exceeded`` with pointers
        that walk the request. See `answered` for the job.
    """
    return _check_replan(parts, tenant, job_id, _read(parts, read_json(body, {}))).validation()


def _read(parts: Sources, document: Any) -> ReplanRequest:
    try:
        return read_request(document, parts.settings.limits)
    except (InstanceError, LimitError) as error:
        refuse(error)


def _check_replan(
    parts: Sources, tenant: str, job_id: str, request: ReplanRequest
) -> CheckedReplan:
    job = to_replan(parts, tenant, job_id)
    found = compare_kept(parts, job, request)
    return CheckedReplan(job, found, plan_anew(parts, tenant, found))


def to_replan(parts: Sources, tenant: str, job_id: str) -> Answered:
    """Read a job whose schedule may be planned anew.

    Parameters
    ----------
    parts
        The settings and the database.
    tenant
        Who asks.
    job_id
        Of the job.

    Raises
    ------
    Refusal
        See `answered`; ``limit_exceeded`` where the schedule is too long.
    """
    return answered(parts, tenant, job_id, _skipped_parts)


def compare_kept(parts: Sources, job: Answered, request: ReplanRequest) -> Replan:
    """Find what is kept of a schedule.

    Parameters
    ----------
    parts
        The settings and the database.
    job
        Whose schedule it is.
    request
        What was measured.

    Raises
    ------
    Refusal
        ``invalid_request``, ``not_periodic``, ``limit_exceeded``.
    """
    try:
        limits = parts.settings.limits
        return replan(job.submission, job.result, job.schedule, request, limits)
    except (InstanceError, LimitError) as error:
        refuse(error, ReplanRequest.model_fields)


def plan_anew(parts: Sources, tenant: str, found: Replan) -> Planned | None:
    """Make the job that plans anew. None where none is asked for, or nothing can be done.

    Parameters
    ----------
    parts
        The settings and the database.
    tenant
        Who asks.
    found
        What is kept.

    Raises
    ------
    Refusal
        ``invalid_request``, ``limit_exceeded``, ``quota_exceeded``.
    """
    if not found.request.solve or found.body is None:
        return None
    try:
        submission = restore_submission(found.body)
        sizing = size_submission(submission, parts.settings.limits)
        may_be_queued(parts, tenant, submission)
    except (InstanceError, LimitError) as error:
        refuse(error, ReplanRequest.model_fields)
    return Planned(new_job(submission, sizing), sizing)


def _skipped_parts(header: Mapping[str, Any], _lengths: Mapping[str, int]) -> Collection[str]:
    """Leave nothing: what is kept of a part of a schedule is not what is kept of it."""
    counts = header.get("counts") or {}
    transfers = counts.get("cargo", counts.get("transfers")) or 0
    if transfers > MOST_TRANSFERS:
        detail = (
            f"the schedule lists {transfers:,} transfers, and of at most {MOST_TRANSFERS:,} it is told"
            " here what is kept: ask `steadygrid replan`, or write what was measured into the platform"
            " and solve that"
        )
        refuse(LimitError(faults=[Fault((), "limit_exceeded", detail)]))
    return ()


class Ready(NamedTuple):
    """A replan ready to be stored."""

    of_job: str
    packed: bytes
    job: NewJob | None
    """That plans anew."""
    asked: Keyed | None


def read(
    parts: Sources, tenant: str, body: Body, job_id: str, key: str | None
) -> Ready | Made[ReplanRecord]:
    """Find out what is kept of a schedule, unless the idempotency key has made a replan already.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    body
        As it was sent.
    job_id
        The job whose schedule is to be replanned.
    key
        The idempotency key. None: there is none.

    Raises
    ------
    Refusal
        See `validation`, and `read_once` for keys.
    """
    reading = Reading(
        "replan",
        lambda: {"job": job_id, "asked": read_json(body, {})},
        lambda posted: _read(parts, posted["asked"]),
        lambda request: {"job": job_id, "asked": request.model_dump(mode="json")},
        partial(_request_comparison, job_id),
    )
    found = read_once(parts, tenant, REPLANS, key, reading)
    if isinstance(found, Made):
        return found
    request, under = found
    asked = _check_replan(parts, tenant, job_id, request)
    job = None if asked.planned is None else asked.planned.job
    return Ready(job_id, pack(stored_document(asked.replan)), job, under)


def ask(parts: Resources, tenant: str, ready: Ready) -> Made[ReplanRecord]:
    """Store a replan and its job in one unit, unless its idempotency key has made it meanwhile.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    ready
        The replan, ready to be stored.

    Raises
    ------
    Refusal
        See `make_once` for keys. Where there is no room for the job, `take_place`.
    """
    job_id, packed, job, under = ready
    replan_id = new_replan_id()

    def add(unit: Unit) -> None:
        if job is None:
            check_stored(parts.settings, unit, len(packed))
        else:
            take_place(parts.settings, unit, len(packed) + len(job.packed or b""))
            unit.jobs.add(job, replan_of=job_id)
        unit.replans.add(replan_id, job_id, None if job is None else job.id, packed)

    made = make_once(parts, tenant, REPLANS, under, replan_id, add)
    if job is not None and not made.replayed:
        parts.broker.wake(job.requires)
    return made


def _request_comparison(job_id: str, request: ReplanRequest) -> Same:
    """Compare a request with that of a replan, of whichever version."""

    def read_stored(unit: Unit, replan_id: str) -> Callable[[], bool]:
        record, document = unit.replans.get(replan_id), unit.replans.document(replan_id)

        def same() -> bool:
            if record is None or document is None or record.of_job != job_id:
                return False
            try:
                return ReplanRequest.model_validate(document["request"]) == request
            except ValidationError:
                return False

        return same

    return read_stored


def known(parts: Resources, tenant: str, replan_id: str) -> Known:
    """Read a replan and what its job has found so far; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    replan_id
        Of the replan.
    """
    with parts.database.read(tenant) as unit:
        record = REPLANS.existing(unit, replan_id)
        document = unit.replans.document(replan_id)
        if document is None:  # deleted since
            raise REPLANS.missing(unit, replan_id)
        job = None if record.job_id is None else unit.jobs.get(record.job_id)
        found = None if job is None else _new_schedule(unit, job)
    schedule = None if found is None else found.unpack()
    return Known(record, restored(document), job, schedule)


def _new_schedule(unit: Unit, job: JobRecord) -> StoredSchedule | None:
    """Give what the job has planned, as far as it is compared: its allocations, if they are few."""
    if job.state is not JobState.SUCCEEDED or job.schedule_id is None:
        return None
    lengths = unit.schedules.packed_bytes(job.schedule_id)
    long = lengths.get("allocations", 0) > _LONGEST_CHANGE
    leave = [part for part in lengths if long or part != "allocations"]
    return unit.schedules.stored(job.schedule_id, leave)


def listed(
    parts: Resources, tenant: str, limit: int, token: str | None, of_job: str | None
) -> tuple[Page[ReplanRecord], Mapping[str, JobState]]:
    """List replans, the newest first, and the states of their jobs by id.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    limit
        Most on the page.
    token
        Of the page before. None: the first page.
    of_job
        Only those of the schedule of this job. None: all.

    Raises
    ------
    Refusal
        ``invalid_request`` for a wrong page token, or what is no id of a job.
    """
    if of_job is not None and not is_id(OF_JOBS, of_job):
        raise refused_parameter("of_job", "invalid_job", "expected an id such as job_...")
    with page_token_checked(token), parts.database.read(tenant) as unit:
        page = unit.replans.page(limit, token, of_job)
        jobs = [record.job_id for record in page.items if record.job_id is not None]
        seen = unit.watch.versions(jobs) if jobs else {}
    return page, {job_id: state for job_id, (_, state) in seen.items()}
