"""Submissions, results and schedules, of every given document: what is wrong is listed."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.errors import Fault, InstanceError, LimitError, SchedulingError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.header import TwoFormsError
from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.domain.rational import MAX_DIGITS
from steadygrid.submissions.submission import Submission, parse_submission, validation_faults

AnyPath = str | os.PathLike[str]

SCHEDULE_FACTOR = 64
"""A schedule at its limit, a million transfers with long numbers, is longer than any body."""
_STORED = ("unknown_platform", "unknown_application")
_NO_STORE = "only the service stores documents. A file has to hold the object itself"
_ROUNDED = (
    "its quantities are rounded, and only exact ones can be judged: fetch it without numbers=float"
)
_WHOLE = "expected what `steadygrid solve --schedule` writes or GET .../document gives"
_BEYOND = str(10**MAX_DIGITS)


def read_submission(
    body: Any, limits: Limits, options: Mapping[str, Any] | None = None
) -> Submission:
    """Read the body of ``POST /v1/jobs``, or the problem alone.

    Parameters
    ----------
    body
        JSON-ready, or with numbers and nouns as objects of Python's. See `plain`.
    options
        More options, which go before those of the body.

    Raises
    ------
    InstanceError, LimitError
        With every fault found, each with its pointer into the body. Where something can be said
        about all of it, that is a note of the exception.
    """
    document = plain(body)
    if isinstance(document, dict):
        if "kind" in document and "problem" not in document:
            document = {"problem": document}
        if options:
            document["options"] = merged(document.get("options", {}), plain(options))
    with without_store():
        return parse_submission(document, limits)


@contextmanager
def without_store() -> Iterator[None]:
    """Say to whom refers to stored documents that there are none here."""
    try:
        yield
    except InstanceError as error:
        if any(fault.code in _STORED for fault in error.faults):
            error.add_note(_NO_STORE)
        raise


def merged(options: Any, more: Any) -> Any:
    """Give the options of a body with more of them, which go before those that it has.

    Parameters
    ----------
    options
        Of the body.
    more
        Options by name.
    """
    # What is no object is a fault that the reader of the body finds.
    return options | more if isinstance(options, dict) else options


def read_result(document: Any, submission: Submission) -> Result:
    """Read an answer to a submission, as ``--json`` and ``GET .../result`` give it.

    Parameters
    ----------
    document
        As JSON has it, or a result that is read already.
    submission
        What was asked, with its options.

    Raises
    ------
    InstanceError
        With every fault found.
    """
    answer: type[Result] = submission.problem.result
    if isinstance(document, answer):
        return document
    body = document.model_dump(mode="json") if isinstance(document, BaseModel) else document
    if (
        isinstance(body, dict)
        and "outcome" not in body
        and body.keys() & {"runs", "slots", "events", "rows"}
    ):
        wrong = "this is a schedule. The order is instance, result, schedule"
        raise InstanceError(wrong, [Fault((), "invalid_type", wrong)])
    try:
        return answer.model_validate(body)
    except ValidationError as error:
        refused = InstanceError(faults=validation_faults(answer, error, body))
        if any(_rounded(body, fault) for fault in refused.faults):
            refused.add_note(_ROUNDED)
        raise refused from None


def _rounded(body: Any, fault: Fault) -> bool:
    """Whether a fault is that a quantity is a float."""
    part = body
    for step in fault.pointer:
        part = part[step] if fault.code == "not_a_rational" else None
    return isinstance(part, float)


def read_schedule(document: Any, form: type[AnySchedule]) -> AnySchedule:
    """Read a schedule of this form, as ``--schedule`` and ``GET .../document`` give it.

    Parameters
    ----------
    document
        As JSON has it, or a schedule that is read already.
    form
        Of the kind's schedules.

    Raises
    ------
    InstanceError
        It is none, or not whole.
    """
    if isinstance(document, form):
        return document
    body = document.document if isinstance(document, AnySchedule) else document
    try:
        return form.from_document(body)
    except KeyError as error:
        detail = f"not a whole schedule, {error.args[0]!r} is missing: {_WHOLE}"
        raise _no_schedule(detail, "missing") from None
    except TwoFormsError as error:
        raise _no_schedule(f"not one schedule: {error}", "schedule_form_twice") from None
    except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
        refused = _no_schedule(f"not a schedule: {_reason(error)}", "invalid_schedule")
        if _holds_float(body):
            refused.add_note(_ROUNDED)
        raise refused from None


def _no_schedule(detail: str, code: str) -> InstanceError:
    return InstanceError(detail, [Fault((), code, detail)])


def _holds_float(part: Any) -> bool:
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list):
        return any(map(_holds_float, part))
    return isinstance(part, float)


def _reason(error: Exception) -> str:
    # Pydantic's own errors carry their sentence in a method.
    message = getattr(error, "message", None)
    return message() if callable(message) else str(error)


def plain(value: Any) -> Any:
    """Turn what a Python program holds into what JSON could say, exactly.

    Nouns (`Platform`, `Application`, ...) become their documents, fractions and decimals strings,
    numbers of other libraries those of Python, moments those of RFC 3339. What has no such form is
    left for the reader to refuse.

    Raises
    ------
    InstanceError
        If it is nested too deeply, or in itself.
    """
    try:
        return _plain(value)
    except RecursionError:
        detail = "the document is nested too deeply"
        raise InstanceError(detail, [Fault((), "malformed_json", detail)]) from None


def _plain(value: Any) -> Any:
    if value is None or type(value) in (str, int, float, bool):
        return value
    if isinstance(value, Mapping):
        return {_name(key): _plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, Enum):
        return _plain(value.value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return _number(value)


def _name(key: Any) -> str:
    return key if type(key) is str else str(_plain(key))


def _number(value: Any) -> Any:
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Fraction):
        if max(value.numerator, value.denominator) >= 10**MAX_DIGITS:
            return _BEYOND  # it may be too long to be written; this is refused as it would be
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Decimal):
        return str(value)
    return float(value) if isinstance(value, Real) else value


def read_file(path: AnyPath, most: int) -> Any:
    """Read one JSON document of at most `most` bytes, strictly. See `read_bytes`, `read_json`.

    Parameters
    ----------
    path
        Of the file.
    most
        Bytes that it may have.
    """
    return read_json(read_bytes(path, most))


def read_json(data: bytes) -> Any:
    """Read one JSON document, strictly.

    Raises
    ------
    InstanceError
        It is none. The fault says line and column.
    """
    try:
        return parse_json(data)
    except MalformedJSONError as error:
        detail = f"not a JSON document: {error}"
        raise InstanceError(detail, [Fault((), "malformed_json", detail)]) from None


def read_bytes(path: AnyPath, most: int) -> bytes:
    """Read a file of at most `most` bytes.

    Parameters
    ----------
    path
        Of the file.
    most
        Bytes that it may have.

    Raises
    ------
    OSError
        The file cannot be read.
    LimitError
        It is longer.
    """
    with Path(path).open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        detail = f"longer than {most:,} bytes, the most that is read"
        raise LimitError(detail, [Fault((), "limit_exceeded", detail)])
    return data


@contextmanager
def naming(document: Any, name: str) -> Iterator[None]:
    """Let the faults that are found say in which document: in which file, or in which argument.

    Parameters
    ----------
    document
        What is read. If it is a path, that names it.
    name
        What else to call it.
    """
    try:
        yield
    except SchedulingError as error:
        error.source = os.fspath(document) if isinstance(document, str | os.PathLike) else name
        raise


def result_json(result: Result, *, ascii_only: bool = False) -> str:
    """Write a result as one JSON document.

    Parameters
    ----------
    result
        The answer.
    ascii_only
        Whether to escape all other characters.
    """
    return folded_json(result.model_dump(mode="json"), ascii_only=ascii_only) + "\n"


def folded_json(value: Any, *, ascii_only: bool = False, indent: int = 0, width: int = 96) -> str:
    """Write JSON with everything that fits on one line.

    Parameters
    ----------
    value
        JSON-ready.
    ascii_only
        Whether to escape all other characters.
    indent
        Cells by which it is indented.
    width
        Cells per line.
    """
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
        if name in schedule.listed and value:
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
