"""The request for a study, and the job that it is about."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from app.db.jobs import JobRecord
from app.db.packing import unpack
from app.http.bodies import Body, read_json
from app.http.quotas import check_asked, quotas_of
from app.http.refusals import Refusal, refused_pointers
from app.http.sources import Sources
from app.jobs import service
from steadygrid.domain.errors import (
    Fault,
    InstanceError,
    LimitError,
    SchedulingError,
)
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.wording import described
from steadygrid.submissions.submission import (
    Submission,
    name_and_priority,
    restore_submission,
    validation_faults,
)

M = TypeVar("M", bound=BaseModel)

_CODES = frozenset(("no_prices", "no_value", "not_periodic"))
"""Faults of studies that are a refusal of their own."""
_MOST_TOLD = 5


class Answered(NamedTuple):
    """A job that has succeeded."""

    record: JobRecord
    submission: Submission
    result: Result
    schedule: AnySchedule | None
    """Without the parts that were left."""


def read_request(model: type[M], body: Body) -> M:
    """Read the body of a request for a study.

    Parameters
    ----------
    model
        Of the request.
    body
        As it was sent.

    Raises
    ------
    Refusal
        ``malformed_json``, ``invalid_request`` with every fault of its form.
    """
    return read_document(model, read_json(body, {}))


def read_document(model: type[M], document: Any) -> M:
    """Do what `read_request` does, of JSON that has been read.

    Parameters
    ----------
    model
        Of the request.
    document
        As JSON has it.
    """
    if not isinstance(document, Mapping):
        detail = f"expected a JSON object, not {described(document)}"
        refuse(InstanceError(faults=[Fault((), "invalid_type", detail)]))
    try:
        return model.model_validate(document)
    except ValidationError as error:
        refuse(InstanceError(faults=validation_faults(model, error, document)))


Leave = Callable[[Mapping[str, Any], Mapping[str, int]], Collection[str]]
"""Names the parts of a schedule that are left where they are, from its header and their bytes."""


def answered(parts: Sources, tenant: str, job_id: str, leave: Leave) -> Answered:
    """Read all that a study needs of a job, from one unit.

    Parameters
    ----------
    leave
        Asked before the schedule is read; may refuse it.

    Raises
    ------
    Refusal
        ``not_found``, ``job_purged``; as for ``/result`` where the job has not succeeded;
        ``invalid_request`` where another version has made the result.
    """
    with parts.database.read(tenant) as unit:
        record = service.answered(unit, job_id)
        left: Collection[str] = ()
        found = None if record.schedule_id is None else unit.schedules.get(record.schedule_id)
        if found is not None:
            left = leave(found.header, unit.schedules.packed_bytes(found.id))
        stored = service.answer_in(unit, job_id, left)
    try:
        document = unpack(stored.instance) | name_and_priority(record.name, record.priority)
        submission = restore_submission(document)
        result = submission.problem.result.model_validate(unpack(stored.result))
        schedule = None if stored.schedule is None else stored.schedule.unpack()
    except (SchedulingError, ValidationError, KeyError):
        raise Refusal(
            "invalid_request",
            "Another version of this service has made the result: submit the instance again.",
        ) from None
    return Answered(record, submission, result, schedule)


def may_be_queued(parts: Sources, tenant: str, submission: Submission) -> None:
    """Refuse a job of a study that asks for more than its tenant may. See `check_asked`.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    submission
        The job that the study would make.
    """
    with parts.database.read(tenant) as unit:
        check_asked(quotas_of(parts.settings, unit.tenants.get(tenant)), submission)


def refuse(error: InstanceError | LimitError, known: Collection[str] | None = None) -> NoReturn:
    """Refuse what a study refuses, in terms of the request.

    Parameters
    ----------
    known
        Members of the request, as pointers begin with: what is wrong elsewhere is wrong with the
        body of the job. None: all pointers walk the request.
    """
    faults = list(dict.fromkeys(_in_request(fault, known) for fault in error.faults))
    code = next((fault.code for fault in faults if fault.code in _CODES), error.code)
    details = dict.fromkeys(fault.detail for fault in faults[:_MOST_TOLD])
    told = "; ".join(details) or error.detail
    sentence = f"This cannot be asked of the job: {told}"
    ended = sentence if sentence.endswith((".", "?")) else f"{sentence}."
    raise Refusal(code, ended, errors=refused_pointers(faults)) from None


def _in_request(fault: Fault, known: Collection[Any] | None) -> Fault:
    if known is None or not fault.pointer or fault.pointer[0] in known:
        return fault
    return fault.moved(())
