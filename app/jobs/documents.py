"""Jobs as JSON documents."""

from collections.abc import Sequence
from typing import Any

from app.db.jobs import JobRecord
from app.error_entries import ErrorEntries
from app.http.answers import moment, with_numbers
from app.http.pictures import pictures_installed
from steadygrid.domain.job import JobState
from steadygrid.domain.problem_details import problem_details
from steadygrid.domain.rational import as_number, decimal_text, parse_exact, parse_exact_or_decimal

_QUANTITIES = frozenset(("value", "bound", "gap"))


def job_document(
    record: JobRecord, entries: ErrorEntries, numbers: str = "exact"
) -> dict[str, Any]:
    """Write a job as the contract shows it.

    Parameters
    ----------
    record
        The row of the job.
    entries
        Say where the guide describes the error of a failed job.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    own = f"/v1/jobs/{record.id}"
    links = {
        "self": own,
        "instance": f"{own}/instance",
        "draft": f"{own}/draft",
        "events": f"{own}/events",
    }
    if not record.state.final:
        links["cancel"] = f"{own}/cancel"
    if record.state is JobState.SUCCEEDED:
        links["result"] = f"{own}/result"
        if pictures_installed():
            links["pictures"] = f"{own}/pictures"
    if record.schedule_id is not None:
        links["schedule"] = f"/v1/schedules/{record.schedule_id}"
    if record.traced:
        links["trace"] = f"{own}/trace"
    if record.sweep_id is not None:
        links["sweep"] = f"/v1/sweeps/{record.sweep_id}"
    return {
        "id": record.id,
        "kind": record.kind,
        "name": record.name,
        "state": record.state.value,
        "outcome": None if record.outcome is None else record.outcome.value,
        "objective": quantities(record.objective, numbers),
        "bound": quantities(record.bound, numbers),
        "gap": _number(record.gap) if numbers == "float" else record.gap,
        "limited_by": record.limited_by,
        "labels": record.labels,
        "priority": record.priority,
        "attempt": record.attempt,
        "created_at": moment(record.created_at),
        "started_at": moment(record.started_at),
        "finished_at": moment(record.finished_at),
        "progress": told_quantities(record.progress, numbers),
        "schedule": record.schedule_id,
        "error": error_document(record.error, entries),
        "warnings": record.warnings,
        "sweep": None
        if record.sweep_id is None
        else {"id": record.sweep_id, "index": record.sweep_index, "try": record.sweep_try},
        "retry_of": record.retry_of,
        "replaced_by": record.replaced_by,
        "replan_of": record.replan_of,
        "transient": record.transient,
        "simulation_of": record.simulation_of,
        "links": links,
    }


def quantities(document: dict[str, Any] | None, numbers: str) -> dict[str, Any] | None:
    """Write an objective or a bound. What is exact in it as JSON numbers on demand.

    Parameters
    ----------
    document
        As it is stored. None if there is none.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    if document is None or numbers != "float":
        return document
    return with_numbers(document, _QUANTITIES)


def told_quantities(document: dict[str, Any] | None, numbers: str) -> dict[str, Any] | None:
    """Write progress, or a point of a trace: what is not exact in it as decimals.

    Parameters
    ----------
    document
        As it is stored. None if there is none.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    if document is None or numbers == "float" or document.get("exact", True):
        return quantities(document, numbers)
    told = _QUANTITIES & document.keys()
    return document | {name: _decimal(document[name]) for name in told}


def _decimal(text: str | None) -> str | None:
    return None if text is None else decimal_text(parse_exact_or_decimal(text))


def trace_answer(points: Sequence[dict[str, Any]], numbers: str) -> dict[str, Any]:
    """Write a stored trace as the contract shows it.

    Parameters
    ----------
    points
        As they are stored.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    return {"items": [told_quantities(point, numbers) for point in points]}


def _number(text: str | None) -> float | str | None:
    return None if text is None else as_number(parse_exact(text))


def error_document(error: dict[str, Any] | None, entries: ErrorEntries) -> dict[str, Any] | None:
    """Write why a job failed as problem details.

    Parameters
    ----------
    error
        As it is stored. None where the job has not failed.
    entries
        Say where the guide describes its code.
    """
    if error is None:
        return None
    code = error.get("code", "internal")
    details = problem_details(code, error.get("detail", "")) | entries.members(code)
    return details | ({"errors": error["errors"]} if "errors" in error else {})
