"""What exports of jobs and of schedules share: parameters, refusals, and reading a whole schedule."""

from collections.abc import Iterable
from threading import Lock
from typing import Any

from app.http.refusals import Refusal, RefusedPart
from app.http.resources import Resources
from steadygrid.domain.errors import Fault, InstanceError, LimitError
from steadygrid.domain.forms import AnySchedule, form_of, schedule_from_document
from steadygrid.formats.exporter import Exporter
from steadygrid.formats.schedule_exports.activities import MOST_ACTIVITIES

ONE_AT_A_TIME = Lock()
"""Large answers take many times their length while they are written."""


def openapi_parameters(exporters: Iterable[Exporter]) -> list[dict[str, Any]]:
    """Describe the query parameters of formats, for the OpenAPI document.

    Parameters
    ----------
    exporters
        The formats.
    """
    said: dict[str, dict[str, list[str]]] = {}
    repeated: set[str] = set()
    for exporter in exporters:
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


def openapi_content(exporters: Iterable[Exporter]) -> dict[str, Any]:
    """Describe the bodies of answers, by their content types.

    Parameters
    ----------
    exporters
        The formats.
    """
    return {
        one.content_type: {
            "schema": {"type": "object" if one.content_type.endswith("+json") else "string"}
        }
        for one in exporters
    }


def whole_schedule(parts: Resources, tenant: str, schedule_id: str) -> AnySchedule | None:
    """Read a schedule with all of its parts. None if there is none.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    schedule_id
        Of the schedule.

    Raises
    ------
    LimitError
        It is long.
    """
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


def export_refusal(error: InstanceError | LimitError, noun: str) -> Refusal:
    """Say which parameters are wrong. What is wrong with the answer is a fault of the format.

    Parameters
    ----------
    error
        What the format refused.
    noun
        What is not exported.
    """
    parts = [
        RefusedPart(
            parameter=str((*fault.pointer, "format")[0]), code=fault.code, detail=fault.detail
        )
        for fault in error.faults
    ]
    detail = f"The {noun} is not exported: " + "; ".join(part.detail for part in parts[:5])
    return Refusal(error.code, detail, errors=parts)
