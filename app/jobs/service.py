"""What can be done with jobs; sync, for the thread pool."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from app.db.audit import Action
from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError, JobActiveError
from app.db.events import EventRecord
from app.db.idempotency import KeyRecord
from app.db.jobs import JobRecord, NewJob
from app.db.pages import Page
from app.db.stored_answers import WHOLE, StoredAnswer, Window
from app.db.unit import Unit
from app.http.bodies import Body, read_json
from app.http.pages import page_token_checked
from app.http.quotas import check_asked, quotas_of, take_place
from app.http.refusals import Refusal, refused_parameter
from app.http.resources import Resources
from app.http.watcher import Sighting
from app.http.who import Identity
from app.jobs.documents import trace_answer
from app.jobs.filters import Filters
from steadygrid.domain.document import content_id
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.job import JobState
from steadygrid.domain.problem import Sizing
from steadygrid.problems import PROBLEMS
from steadygrid.problems.naming import name_of
from steadygrid.problems.submission import (
    Submission,
    beside,
    most_entries,
    parse_submission,
    size_submission,
    stored_parts,
)

_JOB_ID = re.compile(r"job_[0-9a-f]{32}", re.ASCII)
_REFERENCE = re.compile(r"(plt|app)_[0-9a-f]{32}", re.ASCII)
EVENTS_AT_ONCE = 500


class Checked(NamedTuple):
    """A body that can become a job."""

    submission: Submission
    sizing: Sizing
    fingerprint: str
    """The same for bodies that mean the same."""
    references: Mapping[str, str]
    """Names of the members that stored documents stand for, and these documents' ids."""


class Submitted(NamedTuple):
    """The job of a request, and whether an earlier request had made it."""

    record: JobRecord
    replayed: bool


def check(parts: Resources, tenant: str, body: Body) -> Checked:
    """Read, resolve and validate the body of ``POST /v1/jobs``.

    Raises
    ------
    Refusal
        ``malformed_json``.
    InstanceError, LimitError
        With pointers that walk the body as it was sent, references unresolved.
    """
    document = read_json(body, most_entries(parts.settings.limits))
    resolved, references = _resolved(parts.database, tenant, document)
    try:
        submission = parse_submission(resolved, parts.settings.limits)
        sizing = size_submission(submission, parts.settings.limits)
    except (InstanceError, LimitError) as error:
        raise _at_references(error, references) from None
    with parts.database.read(tenant) as unit:
        check_asked(quotas_of(parts.settings, unit.tenants.get(tenant)), submission)
    meant = submission.document()
    meant["problem"] |= references
    return Checked(submission, sizing, content_id("body", meant), references)


def _resolved(database: Database, tenant: str, document: Any) -> tuple[Any, dict[str, str]]:
    """Replace the ids of stored documents by the documents; unknown ids stay."""
    problem = document.get("problem") if isinstance(document, dict) else None
    if not isinstance(problem, dict):
        return document, {}
    references = {
        name: problem[name]
        for name in stored_parts(str(problem.get("kind")))
        if isinstance(problem.get(name), str) and _REFERENCE.fullmatch(problem[name])
    }
    if not references:
        return document, {}
    with database.read(tenant) as unit:
        stored = {name: _documents(unit, name).document(key) for name, key in references.items()}
    found = {name: value for name, value in stored.items() if value is not None}
    resolved = {**document, "problem": {**problem, **found}}
    return resolved, {name: references[name] for name in found}


def _documents(unit: Unit, name: str) -> Any:
    return unit.platforms if name == "platform" else unit.applications


def _at_references(
    error: InstanceError | LimitError, references: Collection[str]
) -> InstanceError | LimitError:
    """Cut pointers into resolved documents off at the reference: the rest was not sent."""
    faults = [
        fault._replace(pointer=fault.pointer[:2])
        if fault.pointer[:1] == ("problem",)
        and fault.pointer[1:2]
        and fault.pointer[1] in references
        else fault
        for fault in error.faults
    ]
    return type(error)(faults=dict.fromkeys(faults))


def validation_document(checked: Checked) -> dict[str, Any]:
    """Write what a job would be."""
    return {
        "valid": True,
        "kind": checked.submission.kind,
        "method": checked.sizing.method,
        "sizes": checked.sizing.sizes_document(),
        "warnings": list(checked.sizing.warnings),
    }


def submit(parts: Resources, tenant: str, body: Body, key: str | None) -> Submitted:
    """Make a job, unless its idempotency key has made one already.

    Raises
    ------
    Refusal
        ``malformed_json``, ``idempotency_key_reused``; see `take_place` for a full queue.
    InstanceError, LimitError
        See `check`.
    DatabaseUnavailableError
        Nothing is known to be stored; the same idempotency key may be tried again.
    """
    checked = check(parts, tenant, body)
    submission = checked.submission
    job = NewJob.of(
        submission.kind,
        submission.stored_document(),
        submission.labels,
        checked.sizing.warnings,
        submission.requires,
        name_of(submission),
        submission.priority,
    )
    try:
        submitted = _store(parts, tenant, job, key, checked)
    except DatabaseUnavailableError:
        # The commit may have been kept although it raised.
        with parts.database.read(tenant) as unit:
            record = unit.jobs.get(job.id)
        if record is None:
            raise
        submitted = Submitted(record, False)
    if not submitted.replayed:
        parts.broker.publish(submitted.record.id, submission.requires)
    return submitted


def _store(
    parts: Resources, tenant: str, job: NewJob, key: str | None, checked: Checked
) -> Submitted:
    with parts.database.write(tenant) as unit:
        if key is not None:
            keep = parts.settings.idempotency_days
            earlier = unit.idempotency.claim(key, checked.fingerprint, job.id, keep)
            if earlier is not None:
                return Submitted(_made_before(unit, earlier, checked.fingerprint), True)
        take_place(parts.settings, unit)
        for name, document_id in checked.references.items():
            _documents(unit, name).use(document_id)
        unit.jobs.add(job)
        record = unit.jobs.get(job.id)
    if record is None:
        raise DatabaseUnavailableError("the job has vanished")
    return Submitted(record, False)


def _made_before(unit: Unit, earlier: KeyRecord, fingerprint: str) -> JobRecord:
    if earlier.fingerprint != fingerprint:
        raise Refusal(
            "idempotency_key_reused",
            "This Idempotency-Key stands for another body; take a new key.",
        )
    record = unit.jobs.get(earlier.resource_id)
    if record is None:
        raise Refusal(
            "job_purged",
            "The job of this Idempotency-Key ended longer ago than jobs are kept here, and has been"
            " deleted; take a new key to submit it again.",
        )
    return record


def get(parts: Resources, tenant: str, job_id: str) -> JobRecord:
    """Give a job.

    Raises
    ------
    Refusal
        ``not_found`` or ``job_purged``, like all that is asked of one job.
    """
    with parts.database.read(tenant) as unit:
        return _existing(unit, job_id)


def _existing(unit: Unit, job_id: str) -> JobRecord:
    record = unit.jobs.get(job_id) if _JOB_ID.fullmatch(job_id) else None
    if record is None:
        raise _no_job(unit, job_id)
    return record


def _no_job(unit: Unit, job_id: str) -> Refusal:
    if unit.jobs.purged(job_id):
        return Refusal(
            "job_purged",
            "The job ended longer ago than jobs are kept here, and has been deleted with its answer.",
        )
    return Refusal("not_found", "There is no such job.")


def listed(
    parts: Resources,
    tenant: str,
    limit: int,
    token: str | None,
    wanted: Filters,
    *,
    backwards: bool = False,
) -> Page[JobRecord]:
    """List jobs, the newest first; `Refusal` ``invalid_request`` for a malformed page token."""
    with page_token_checked(token), parts.database.read(tenant) as unit:
        return unit.jobs.page(limit, token, backwards=backwards, **wanted.wanted)


def instance(parts: Resources, tenant: str, job_id: str) -> Any:
    """Give the canonical body of a job; `Refusal` ``not_found``."""
    with parts.database.read(tenant) as unit:
        record = _existing(unit, job_id)
        document = unit.jobs.instance(job_id)
        if document is None:  # deleted since
            raise _no_job(unit, job_id)
    return document | beside(record.name, record.priority)


def result(parts: Resources, tenant: str, job_id: str, numbers: str) -> Any:
    """Give the result of a job that succeeded.

    Raises
    ------
    Refusal
        ``not_found``, ``job_not_finished``, ``job_failed`` or ``job_cancelled``;
        ``invalid_request`` if numbers are asked of a result that this version does not know.
    """
    with parts.database.read(tenant) as unit:
        record = _existing(unit, job_id)
        document = unit.jobs.result(job_id)
        _only_succeeded(record)
        if document is None:  # deleted since
            raise _no_job(unit, job_id)
    return _with_numbers(record.kind, document) if numbers == "float" else document


def trace(parts: Resources, tenant: str, job_id: str, numbers: str) -> dict[str, Any]:
    """Give how the solve of a job that succeeded came to its answer.

    Raises
    ------
    Refusal
        ``not_found``, ``job_not_finished``, ``job_failed`` or ``job_cancelled``; ``no_trace`` where
        the solver told of nothing on the way, or the worker was of a version that kept no trace.
    """
    with parts.database.read(tenant) as unit:
        record = _existing(unit, job_id)
        points = unit.jobs.trace(job_id)
    _only_succeeded(record)
    if points is None:
        raise Refusal(
            "no_trace",
            "Its solver told of nothing on the way, or its worker kept no trace; see the result.",
        )
    return trace_answer(points, numbers)


def succeeded(parts: Resources, tenant: str, job_id: str) -> JobRecord:
    """Give a job that has succeeded; refused as `result` is."""
    record = get(parts, tenant, job_id)
    _only_succeeded(record)
    return record


def stored_answer(
    parts: Resources,
    tenant: str,
    job_id: str,
    leave: Collection[str] = (),
    window: Window = WHOLE,
) -> StoredAnswer:
    """Give all of a job that has succeeded, packed as it is stored; `Refusal` ``not_found``.

    Parameters
    ----------
    leave, window
        Parts of the schedule that are left where they are, and of slots all that do not meet the
        window.
    """
    with parts.database.read(tenant) as unit:
        found = unit.jobs.stored_answer(job_id, leave, window)
        if found is None:
            raise _no_job(unit, job_id)
    return found


def _only_succeeded(record: JobRecord) -> None:
    if record.state is JobState.SUCCEEDED:
        return
    if record.state is JobState.FAILED:
        raise Refusal("job_failed", "The job has failed; its error says why.")
    if record.state is JobState.CANCELLED:
        raise Refusal("job_cancelled", "The job was cancelled.")
    raise Refusal(
        "job_not_finished",
        f"The job is {record.state.value}; wait for its end.",
        headers={"Retry-After": "1"},
    )


def _with_numbers(kind: str, document: Any) -> Any:
    try:
        model = PROBLEMS[kind].result.model_validate(document)
    except (KeyError, ValidationError):
        raise refused_parameter(
            "numbers",
            "unknown_result",
            "another version of this service has made the result; leave numbers out to get it as it"
            " is stored",
        ) from None
    return model.model_dump(mode="json", context={"numbers": "float"})


def cancel(parts: Resources, identity: Identity, job_id: str) -> JobRecord:
    """Ask for a job's end; `Refusal` ``not_found``."""
    with parts.database.write(identity.tenant) as unit:
        if _JOB_ID.fullmatch(job_id) and unit.jobs.cancel(job_id):
            unit.audit.write(identity.tenant, identity.actor, Action.JOB_CANCELLED, job_id)
        record = _existing(unit, job_id)
    if record.state is JobState.CANCELLING:
        parts.broker.nudge()
    return record


def delete(parts: Resources, identity: Identity, job_id: str) -> None:
    """Delete a job that has ended; `Refusal` ``not_found`` or ``job_active``."""
    try:
        with parts.database.write(identity.tenant) as unit:
            if not (_JOB_ID.fullmatch(job_id) and unit.jobs.delete(job_id)):
                raise _no_job(unit, job_id)
            unit.audit.write(identity.tenant, identity.actor, Action.JOB_DELETED, job_id)
    except JobActiveError:
        raise Refusal("job_active", "The job has not ended; cancel it first.") from None


class News(NamedTuple):
    """What happened to a job since some event."""

    events: Sequence[EventRecord]
    over: bool
    """Nothing will follow these events."""


def news(parts: Resources, tenant: str, job_id: str, after: int) -> News:
    """Give the next events of a job; `Refusal` ``not_found``."""
    with parts.database.read(tenant) as unit:
        record = _existing(unit, job_id)
        events = unit.events.after(job_id, after, EVENTS_AT_ONCE)
    return News(events, record.state.final and len(events) < EVENTS_AT_ONCE)


def look(database: Database, job_ids: Collection[str]) -> Mapping[str, Sighting]:
    """Look at the jobs that somebody waits for, whoever owns them."""
    with database.read_all() as unit:
        return {
            job_id: Sighting(state.final, seq)
            for job_id, (seq, state) in unit.watch.versions(job_ids).items()
        }
