"""Results of jobs in foreign formats; sync, for the thread pool."""

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from pydantic import ValidationError

from app.http.refusals import Refusal, RefusedPart, refused_parameter
from app.http.resources import Resources
from app.jobs import service
from steadygrid.domain.errors import Fault, InstanceError, LimitError
from steadygrid.domain.forms import AnySchedule, form_of, schedule_from_document
from steadygrid.domain.rational import parse_exact
from steadygrid.formats.exporter import Answer, Instances
from steadygrid.formats.schedule_exports.activities import MOST_ACTIVITIES
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.exports import EXPORTERS, file_sizes_of
from steadygrid.submissions.submission import restore_submission

_ONE_AT_A_TIME = Lock()
"""Large answers take many times their length while they are written."""


def openapi_parameters() -> list[dict[str, Any]]:
    """Describe the query parameters of all formats, for the OpenAPI document."""
    said: dict[str, dict[str, list[str]]] = {}
    repeated: set[str] = set()
    for exporter in EXPORTERS.values():
        for name, parameter in exporter.parameters.items():
            said.setdefault(name, {}).setdefault(parameter.says, []).append(exporter.name)
            if parameter.repeated:
                repeated.add(name)
    return [
        {
            "name": name,
            "in": "query",
            "required": False,
            "description": "; ".join(
                f"{', '.join(names)} only: {says}" for says, names in texts.items()
            ),
            "schema": {"type": "array", "items": {"type": "string"}}
            if name in repeated
            else {"type": "string"},
        }
        for name, texts in said.items()
    ]


def what_formats_are_for() -> str:
    """Say of which kind of problem each format takes answers."""
    return "; ".join(
        f"`{one.name}`: {one.title}, of " + (f"`{one.kind}`" if one.kind else "every kind")
        for one in EXPORTERS.values()
    )


def export(
    parts: Resources,
    tenant: str,
    job_id: str,
    format_name: str,
    parameters: Mapping[str, Sequence[str]],
) -> str:
    """Write the result of a job in a foreign format, as its schedule runs it.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    job_id
        Of the job.
    format_name
        One of `EXPORTERS`.
    parameters
        Values of the query parameters, by name.

    Raises
    ------
    Refusal
        ``not_found``, ``job_not_finished``, ``job_failed`` or ``job_cancelled``;
        ``invalid_request`` for an unknown format or parameter, or a result without such a form,
        ``limit_exceeded`` for one that is too large for it.
    """
    document = service.result(parts, tenant, job_id, "exact")
    exporter = EXPORTERS.get(format_name)
    if exporter is None:
        known = "the format is one of: " + ", ".join(EXPORTERS)
        raise refused_parameter("format", "unknown_format", known)
    kind = document.get("kind")
    if not exporter.takes(str(kind)):
        detail = (
            f"{exporter.title} takes answers of {exporter.kind}, and the job is of another kind"
        )
        raise refused_parameter("format", "format_not_applicable", detail)
    try:
        result = PROBLEMS[str(kind)].result.model_validate(document)
    except ValidationError:
        detail = "another version of this service has made the result: submit the instance again"
        raise refused_parameter("format", "unknown_result", detail) from None
    try:
        asked, instances, whole, sizes = None, None, None, None
        if exporter.of_instance or exporter.of_schedule or exporter.takes_instance:
            asked = restore_submission(service.instance(parts, tenant, job_id))
        if exporter.of_schedule:
            if result.schedule is not None:
                whole = _whole_schedule(parts, tenant, result.schedule)
            if asked is not None:
                sizes = file_sizes_of(asked, result, whole)
        elif not exporter.of_instance:
            instances = _instances(parts, tenant, result.schedule)
        instance = None if asked is None else asked.instance
        answer = Answer(result, instances, instance, whole, sizes)
        with _ONE_AT_A_TIME:
            return exporter.write(answer, parameters).text
    except (InstanceError, LimitError) as error:
        raise _refusal(error) from None


def _instances(parts: Resources, tenant: str, schedule_id: str | None) -> Instances | None:
    """Read what a schedule does in a period."""
    if schedule_id is None:
        return None
    with parts.database.read(tenant) as unit:
        return {
            item["index"]: parse_exact(item["instances_per_period"])
            for item in unit.schedules.items(schedule_id, "allocations")
        }


def _whole_schedule(parts: Resources, tenant: str, schedule_id: str) -> AnySchedule | None:
    """Read a schedule with all of its parts; `LimitError` for one that is long."""
    with parts.database.read(tenant) as unit:
        record = unit.schedules.get(schedule_id)
        if record is None:
            return None
        longest = max(map(int, record.header["counts"].values()), default=0)
        if longest > MOST_ACTIVITIES:
            detail = (
                f"the schedule lists {longest:,} entries, and at most {MOST_ACTIVITIES:,} are exported"
                " here: fetch its document, and let `steadygrid convert` write it"
            )
            raise LimitError(detail, [Fault((), "limit_exceeded", detail)])
        listed = {
            name: list(unit.schedules.items(schedule_id, name))
            for name in form_of(record.header).parts_in(record.header)
        }
    return schedule_from_document({**record.header, **listed})


def _refusal(error: InstanceError | LimitError) -> Refusal:
    """Say which parameters are wrong; what is wrong with the answer is a fault of the format."""
    parts = [
        RefusedPart(
            parameter=str((*fault.pointer, "format")[0]), code=fault.code, detail=fault.detail
        )
        for fault in error.faults
    ]
    detail = "The answer is not exported: " + "; ".join(part.detail for part in parts[:5])
    return Refusal(error.code, detail, errors=parts)
