"""What can be done with jobs; sync, for the thread pool."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from pydantic import ValidationError

from app.db.engine import Database
from app.db.errors import JobOfSweepError
from app.db.events import EventRecord
from app.db.jobs import JobRecord
from app.db.new_jobs import OF_JOBS, NewJob
from app.db.stored_answers import WHOLE, StoredAnswer, Window
from app.db.turns import Lane
from app.db.unit import Unit
from app.http.bodies import Body, read_json
from app.http.idempotency import Keyed, Reading, Same, make_once, read_once
from app.http.long_running import LongRunning, Made, Seen
from app.http.quotas import check_asked, quotas_of, take_place, with_time_limit
from app.http.refusals import Refusal, refused_parameter, refused_pointers
from app.http.resources import Resources
from app.http.sources import Sources
from app.http.watcher import Sighting
from app.jobs.documents import job_document, trace_answer
from app.jobs.references import (
    BASE,
    at_references,
    names_only_stored,
    on_base,
    resolve_references,
    use_references,
)
from steadygrid.domain.errors import InstanceError, LimitError, SchedulingError
from steadygrid.domain.job import JobState
from steadygrid.domain.problem import Sizing
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.changes import CHANGES, changed_body
from steadygrid.submissions.counts import most_entries
from steadygrid.submissions.job_names import name_of
from steadygrid.submissions.submission import (
    ANSWERED_JOB,
    Submission,
    name_and_priority,
    parse_submission,
    restore_submission,
    size_submission,
)

EVENTS_AT_ONCE = 500


def _seen(parts: Sources, record: JobRecord) -> Seen:
    document = partial(job_document, record, parts.entries)
    return Seen(record.id, record.state.final, record.id, document)


def _delete(unit: Unit, job_id: str) -> bool:
    try:
        return unit.jobs.delete(job_id)
    except JobOfSweepError:
        raise Refusal(
            "job_of_sweep",
            "The job is one of a sweep's, which keeps all of its jobs: delete the sweep.",
        ) from None


JOBS: LongRunning[JobRecord] = LongRunning(
    noun="job",
    prefix=OF_JOBS,
    below=" with its answer",
    find=lambda unit, job_id: unit.jobs.get(job_id),
    read=lambda parts, tenant, job_id: _seen(parts, JOBS.get(parts, tenant, job_id)),
    see=_seen,
    cancel=lambda unit, job_id: unit.jobs.cancel(job_id),
    cancel_more=lambda parts, _: parts.broker.nudge(),
    delete=_delete,
)


class Checked(NamedTuple):
    """A body that can become a job."""

    submission: Submission
    sizing: Sizing
    references: Mapping[str, str]
    """Names of the members that stored documents stand for, and these documents' ids."""
    draft: Any = None
    """The body as it was sent, where it names what is stored or has changes."""

    def meant(self) -> dict[str, Any]:
        """Give a document that is equal for bodies that mean the same."""
        document = self.submission.document()
        look = {"transient": True} if self.submission.transient else {}
        return document | {"problem": document["problem"] | self.references} | look


def check(parts: Sources, tenant: str, body: Body) -> Checked:
    """Read, resolve and validate the body of ``POST /v1/jobs``.

    Raises
    ------
    Refusal
        ``malformed_json``.
    InstanceError, LimitError
        With pointers that walk the body as it was sent, references unresolved.
    """
    return _checked(parts, tenant, _read(parts, body))


def _read(parts: Sources, body: Body) -> Any:
    return read_json(body, most_entries(parts.settings.limits))


def _checked(parts: Sources, tenant: str, document: Any) -> Checked:
    with parts.database.read(tenant) as unit:
        quotas = quotas_of(parts.settings, unit.tenants.get(tenant))
    draft, based = document, on_base(parts.database, tenant, document)
    document = with_time_limit(quotas, based)
    resolved, references = resolve_references(parts.database, tenant, document)
    try:
        submission = parse_submission(resolved, parts.settings.limits)
        sizing = size_submission(submission, parts.settings.limits)
    except (InstanceError, LimitError) as error:
        named = {*references, BASE} if based is not draft else references
        raise at_references(error, named) from None
    check_asked(quotas, submission)
    says_more = references or based is not draft or draft.get(CHANGES)
    return Checked(submission, sizing, references, draft if says_more else None)


def validation(parts: Sources, tenant: str, body: Body) -> dict[str, Any]:
    """Write what a job would be. See `check`."""
    checked = check(parts, tenant, body)
    return {
        "valid": True,
        "kind": checked.submission.kind,
        "method": checked.sizing.method,
        "sizes": checked.sizing.sizes_document(),
        "warnings": list(checked.sizing.warnings),
    }


def is_of_body(error: SchedulingError | Refusal) -> bool:
    """Whether a check failed by what the body says, and not by who asks or by the service."""
    return isinstance(error, SchedulingError) or error.code == "invalid_request"


def faulty(error: SchedulingError | Refusal) -> dict[str, Any]:
    """Write what is wrong with a body that was only checked."""
    parts = error.errors if isinstance(error, Refusal) else refused_pointers(error.faults)
    errors = [one.model_dump(exclude_none=True) for one in parts]
    return {"valid": False, "detail": error.detail, "errors": errors}


def new_job(submission: Submission, sizing: Sizing, draft: Any = None) -> NewJob:
    """Make a submission a job that is ready to be stored; not inside a unit.

    Parameters
    ----------
    submission
        What is asked, with its options.
    sizing
        Of the same submission.
    draft
        As it was sent, where it names what is stored or has changes.
    """
    return NewJob.create(
        submission.kind,
        submission.stored_document(),
        submission.labels,
        sizing.warnings,
        submission.requires,
        name_of(submission),
        submission.priority,
        draft,
        Lane.TRANSIENT if submission.transient else Lane.SINGLE,
    )


class ReadyJob(NamedTuple):
    """A job ready to be stored, and what `Checked` has of it."""

    job: NewJob
    asked: Keyed | None
    references: Mapping[str, str]


def read(parts: Sources, tenant: str, body: Body, key: str | None) -> ReadyJob | Made[JobRecord]:
    """Make a body a job that is ready to be stored, unless its key has made one already.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    body
        As it was sent.
    key
        The idempotency key. None: there is none.

    Raises
    ------
    Refusal, InstanceError, LimitError
        See `check`, and `read_once` for keys.
    """
    reading = Reading(
        "body",
        partial(_read, parts, body),
        partial(_checked, parts, tenant),
        Checked.meant,
        _body_comparison,
    )
    found = read_once(parts, tenant, JOBS, key, reading)
    if isinstance(found, Made):
        return found
    checked, asked = found
    job = new_job(checked.submission, checked.sizing, checked.draft)
    return ReadyJob(job, asked, checked.references)


def submit(parts: Resources, tenant: str, ready: ReadyJob) -> Made[JobRecord]:
    """Store a job, unless its idempotency key has made one meanwhile.

    Raises
    ------
    Refusal
        See `make_once` for keys and `take_place` for a full queue.
    DatabaseUnavailableError
        See `make_once`.
    """
    job = ready.job

    def add(unit: Unit) -> None:
        transient = job.lane is Lane.TRANSIENT
        take_place(parts.settings, unit, 0 if transient else job.num_bytes)
        if transient:
            unit.jobs.cancel_transient()
        use_references(unit, ready.references)
        unit.jobs.add(job, simulation_of=ready.references.get(ANSWERED_JOB))

    made = make_once(parts, tenant, JOBS, ready.asked, job.id, add)
    if not made.replayed:
        parts.broker.wake(job.requires)
    return made


def _body_comparison(checked: Checked) -> Same:
    """Compare a body with that of a job, of whichever version, as this version reads it."""

    def read(unit: Unit, job_id: str) -> Callable[[], bool]:
        record, document = unit.jobs.get(job_id), unit.jobs.instance(job_id)

        def same() -> bool:
            if record is None or document is None:
                return False
            try:
                made = restore_submission(
                    document | name_and_priority(record.name, record.priority)
                )
            except (InstanceError, KeyError):
                return False
            if record.transient is not checked.submission.transient:
                return False
            return made.document() == checked.submission.document()

        return same

    return read


def instance(parts: Resources, tenant: str, job_id: str) -> Any:
    """Give the canonical body of a job; `Refusal` ``not_found``."""
    with parts.database.read(tenant) as unit:
        record = JOBS.existing(unit, job_id)
        document = unit.jobs.instance(job_id)
        if document is None:  # deleted since
            raise JOBS.missing(unit, job_id)
    if record.sweep_id is not None:
        with suppress(InstanceError):  # then it is shown as its job has failed with it
            document = restore_submission(document).stored_document()
    return document | name_and_priority(record.name, record.priority)


def draft(parts: Resources, tenant: str, job_id: str) -> Any:
    """Give the body of a job as it can be edited; `Refusal` ``not_found``.

    It is as it was sent, as long as all that it names is stored; else it is the canonical one.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    job_id
        Of the job.
    """
    with parts.database.read(tenant) as unit:
        record = JOBS.existing(unit, job_id)
        sent = unit.jobs.draft(job_id)
        if sent is not None and names_only_stored(unit, sent):
            return sent | name_and_priority(record.name, record.priority)
    return instance(parts, tenant, job_id)


def changed_bodies(parts: Resources, tenant: str, job_id: str) -> tuple[Any, Any] | None:
    """Give the body of a job without the changes that were sent with it, and with them.

    None where no changes were sent, or where something that the body names is not stored any more.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    job_id
        Of the job.

    Raises
    ------
    Refusal
        ``not_found``.
    """
    sent = draft(parts, tenant, job_id)
    if not sent.get(CHANGES):
        return None
    resolved, _ = resolve_references(parts.database, tenant, on_base(parts.database, tenant, sent))
    before = changed_body({**resolved, CHANGES: []})
    return before.body, changed_body(resolved).body


def result(parts: Resources, tenant: str, job_id: str, numbers: str) -> Any:
    """Give the result of a job that succeeded.

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

    Raises
    ------
    Refusal
        ``not_found``, ``job_not_finished``, ``job_failed`` or ``job_cancelled``;
        ``invalid_request`` if numbers are asked of a result that this version does not know.
    """
    with parts.database.read(tenant) as unit:
        record = JOBS.existing(unit, job_id)
        document = unit.jobs.result(job_id)
        only_succeeded(record)
        if document is None:  # deleted since
            raise JOBS.missing(unit, job_id)
    return _with_numbers(record.kind, document) if numbers == "float" else document


def trace(parts: Resources, tenant: str, job_id: str, numbers: str) -> dict[str, Any]:
    """Give how the solve of a job that succeeded came to its answer.

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

    Raises
    ------
    Refusal
        ``not_found``, ``job_not_finished``, ``job_failed`` or ``job_cancelled``; ``no_trace`` where
        the solver reported nothing before its end, or the worker was of a version that kept no
        trace.
    """
    with parts.database.read(tenant) as unit:
        record = JOBS.existing(unit, job_id)
        points = unit.jobs.trace(job_id)
    only_succeeded(record)
    if points is None:
        raise Refusal(
            "no_trace",
            "Its solver reported no progress, or its worker kept no trace. See the result.",
        )
    return trace_answer(points, numbers)


def succeeded(parts: Resources, tenant: str, job_id: str) -> JobRecord:
    """Give a job that has succeeded; refused as `result` is."""
    record = JOBS.get(parts, tenant, job_id)
    only_succeeded(record)
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
            raise JOBS.missing(unit, job_id)
    return found


def answered(unit: Unit, job_id: str) -> JobRecord:
    """Give a job that has succeeded, in a unit that reads more of it; refused as `result` is."""
    record = JOBS.existing(unit, job_id)
    only_succeeded(record)
    return record


def answer_in(unit: Unit, job_id: str, leave: Collection[str] = ()) -> StoredAnswer:
    """Give all of a job that has succeeded, as `stored_answer`, in a unit that reads more of it."""
    found = unit.jobs.stored_answer(job_id, leave)
    if found is None:
        raise JOBS.missing(unit, job_id)
    return found


def only_succeeded(record: JobRecord) -> None:
    """Refuse a job that has not succeeded: ``job_failed``, ``job_cancelled``, ``job_not_finished``."""
    if record.state is JobState.SUCCEEDED:
        return
    if record.state is JobState.FAILED:
        raise Refusal("job_failed", "The job has failed. Its error says why.")
    if record.state is JobState.CANCELLED:
        raise Refusal("job_cancelled", "The job was cancelled.")
    raise Refusal(
        "job_not_finished",
        f"The job is {record.state.value}. Wait for its end.",
        headers={"Retry-After": "1"},
    )


def _with_numbers(kind: str, document: Any) -> Any:
    try:
        model = PROBLEMS[kind].result.model_validate(document)
    except (KeyError, ValidationError):
        raise refused_parameter(
            "numbers",
            "unknown_result",
            "another version of this service has made the result: leave numbers out to get it as it"
            " is stored",
        ) from None
    return model.model_dump(mode="json", context={"numbers": "float"})


class News(NamedTuple):
    """What happened to a job since some event."""

    events: Sequence[EventRecord]
    over: bool
    """Nothing will follow these events."""


def news(parts: Resources, tenant: str, job_id: str, after: int) -> News:
    """Give the next events of a job; `Refusal` ``not_found``."""
    with parts.database.read(tenant) as unit:
        record = JOBS.existing(unit, job_id)
        events = unit.events.list_after(job_id, after, EVENTS_AT_ONCE)
    return News(events, record.state.final and len(events) < EVENTS_AT_ONCE)


def look(database: Database, job_ids: Collection[str]) -> Mapping[str, Sighting]:
    """Look at the jobs that clients wait for, of all owners."""
    with database.read_all() as unit:
        return {
            job_id: Sighting(state.final, seq)
            for job_id, (seq, state) in unit.watch.versions(job_ids).items()
        }
