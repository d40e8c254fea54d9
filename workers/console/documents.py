"""Submissions, results and schedules: read from files, written to files."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from steadygrid.domain.errors import (
    Fault,
    InstanceError,
    InvalidScheduleError,
    LimitError,
    format_pointer,
)
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.problems.submission import Submission, parse_submission, validation_faults
from workers.console.glyphs import printable
from workers.console.terminal import Refusal, fault_lines, read_json, shown


def read_submission(name: str, limits: Limits) -> Submission:
    """Read the body of ``POST /v1/jobs`` from a file.

    Raises
    ------
    Refusal
        With every fault found, each with its pointer into the body.
    """
    body = read_json(name, limits.max_body_bytes)
    try:
        return parse_submission(body, limits)
    except (InstanceError, LimitError) as error:
        stored = any(fault.code in _STORED for fault in error.faults)
        hint = [_NO_STORE] if stored else []
        raise Refusal([*fault_lines(name, error.faults), *hint]) from None


_STORED = ("unknown_platform", "unknown_application")
_NO_STORE = "steadygrid: only the service stores documents; a file has to hold the object itself"


def read_result(name: str, submission: Submission, limits: Limits) -> Result:
    """Read a result of the submission's kind, as ``--json`` and ``GET .../result`` give it."""
    body = read_json(name, limits.max_body_bytes)
    if isinstance(body, dict) and "outcome" not in body and body.keys() & {"slots", "events"}:
        raise Refusal(f"{shown(name)}: this is a schedule; the order is instance, result, schedule")
    try:
        result: Result = submission.problem.result.model_validate(body)
    except ValidationError as error:
        faults = list(validation_faults(submission.problem.result, error, body))
        hint = [_FLOATS] if any(_rounded(body, fault) for fault in faults) else []
        raise Refusal([*fault_lines(name, faults), *hint]) from None
    return result


_FLOATS = (
    "steadygrid: its quantities are rounded, and only exact ones can be judged: fetch it without"
    " numbers=float"
)


def _rounded(body: Any, fault: Fault) -> bool:
    """Whether a fault is that a quantity is a float."""
    part = body
    for step in fault.pointer:
        part = part[step] if fault.code == "not_a_rational" else None
    return isinstance(part, float)


def _holds_float(part: Any) -> bool:
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list):
        return any(map(_holds_float, part))
    return isinstance(part, float)


def read_schedule(name: str, limits: Limits, form: type[AnySchedule]) -> AnySchedule:
    """Read a schedule of this form, as ``--schedule`` and ``GET .../document`` give it."""
    # A schedule at its limit, a million transfers with long numbers, is longer than any body.
    body = read_json(name, 64 * limits.max_body_bytes)
    try:
        return form.from_document(body)
    except KeyError as error:
        raise Refusal(
            f"{shown(name)}: not a whole schedule, {error.args[0]!r} is missing;"
            " expected what `steadygrid solve --schedule` writes or GET .../document gives"
        ) from None
    except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
        refused = f"{shown(name)}: not a schedule: {printable(_reason(error))}"
        raise Refusal([refused, _FLOATS] if _holds_float(body) else refused) from None


def _reason(error: Exception) -> str:
    # Pydantic's own errors carry their sentence in a method.
    message = getattr(error, "message", None)
    return message() if callable(message) else str(error)


def result_json(result: Result, *, ascii_only: bool) -> str:
    """Write a result as one JSON document."""
    return folded_json(result.model_dump(mode="json"), ascii_only=ascii_only) + "\n"


def folded_json(value: Any, *, ascii_only: bool, indent: int = 0, width: int = 96) -> str:
    """Write JSON with everything that fits on one line."""
    flat = json.dumps(value, ensure_ascii=ascii_only)
    if len(flat) + indent <= width or not value or not isinstance(value, dict | list):
        return flat
    inner = indent + 2
    if isinstance(value, list):
        opening, closing = "[", "]"
        parts = [folded_json(v, ascii_only=ascii_only, indent=inner, width=width) for v in value]
    else:
        opening, closing = "{", "}"
        parts = [
            f"{json.dumps(k, ensure_ascii=ascii_only)}: "
            + folded_json(v, ascii_only=ascii_only, indent=inner, width=width)
            for k, v in value.items()
        ]
    between = ",\n" + " " * inner
    return f"{opening}\n{' ' * inner}{between.join(parts)}\n{' ' * indent}{closing}"


def schedule_chunks(schedule: AnySchedule) -> Iterator[str]:
    """Write a schedule as one JSON document, one line for each of its parts."""
    document = schedule.document
    closing = "{\n"
    for name, value in document.items():
        yield f"{closing}  {json.dumps(name)}: "
        if name in schedule.parts and value:
            yield from _lines(value)
        else:
            yield json.dumps(value, ensure_ascii=False)
        closing = ",\n"
    yield "\n}\n"


def _lines(values: list[dict[str, Any]]) -> Iterator[str]:
    opening = "[\n    "
    for value in values:
        yield opening + json.dumps(value, ensure_ascii=False)
        opening = ",\n    "
    yield "\n  ]"


def referee_lines(error: InvalidScheduleError) -> list[str]:
    """List what the referee found, one fault per line, after the file it is in."""
    lines = []
    for fault in error.faults:
        part, rest = fault.pointer[:1], fault.pointer[1:]
        place = f"{part[0]}{format_pointer(rest)}: " if part else ""
        lines.append(f"  {printable(place + fault.detail)}")
    return lines or [f"  {printable(error.detail)}"]
