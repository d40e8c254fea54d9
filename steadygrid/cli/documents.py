"""Submissions, results and schedules of files; faults become what the command says."""

from collections.abc import Iterator
from contextlib import contextmanager

from steadygrid import documents
from steadygrid.cli.answering import FAILED
from steadygrid.cli.json_files import coded, fault_lines, read_json
from steadygrid.cli.terminal import Refusal
from steadygrid.domain.errors import (
    InstanceError,
    InvalidScheduleError,
    LimitError,
    format_pointer,
)
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.report.glyphs import printable
from steadygrid.submissions.submission import Submission, schedule_limits


def read_submission(name: str, limits: Limits) -> Submission:
    """Read the body of ``POST /v1/jobs`` from a file.

    Parameters
    ----------
    name
        Of the file, or ``-`` for standard input.
    limits
        How large a problem may be.

    Raises
    ------
    Refusal
        With every fault found, each with its pointer into the body.
    """
    body = read_json(name, limits.max_body_bytes)
    with refusing(name):
        return documents.read_submission(body, limits)


def read_result(name: str, submission: Submission, limits: Limits) -> Result:
    """Read a result of the submission's kind, as ``--json`` and ``GET .../result`` give it.

    Parameters
    ----------
    name
        Of the file, or ``-`` for standard input.
    submission
        What was asked, with its options.
    limits
        How large a problem may be.
    """
    body = read_json(name, limits.max_body_bytes)
    with refusing(name):
        return documents.read_result(body, submission)


def read_schedule(name: str, limits: Limits, form: type[AnySchedule]) -> AnySchedule:
    """Read a schedule of this form, as ``--schedule`` and ``GET .../document`` give it.

    Parameters
    ----------
    name
        Of the file, or ``-`` for standard input.
    limits
        How large a problem may be.
    form
        Of the kind's schedules.
    """
    body = read_json(name, documents.SCHEDULE_FACTOR * limits.max_body_bytes)
    with refusing(name):
        return documents.read_schedule(body, form)


def read_answer(
    submission: Submission, result: str, schedule: str | None, limits: Limits
) -> tuple[Result, AnySchedule | None]:
    """Read an answer, and let the referee see it, since all that follows rests on it.

    Parameters
    ----------
    submission
        What was asked, with its options.
    result
        Name of its file.
    schedule
        Name of its file. None if there is none.
    limits
        How large a problem may be.

    Raises
    ------
    Refusal
        With every fault found, of either form or content.
    """
    problem = submission.problem
    judged = read_result(result, submission, limits)
    found = None if schedule is None else read_schedule(schedule, limits, problem.form)
    try:
        problem.validate(
            submission.instance, submission.options, judged, found, schedule_limits(limits)
        )
    except InvalidScheduleError as error:
        forgotten = found is None and judged.objective is not None
        hint = ["  name the schedule, too: what `steadygrid solve --schedule` wrote"]
        raise Refusal(
            ["the answer is refused", *referee_lines(error), *(hint if forgotten else [])],
            FAILED,
            coded=bool(error.faults),
        ) from None
    return judged, found


@contextmanager
def refusing(name: str) -> Iterator[None]:
    """Say what a document's faults are, and in which file."""
    try:
        yield
    except (InstanceError, LimitError) as error:
        notes = [f"steadygrid: {note}" for note in getattr(error, "__notes__", ())]
        raise Refusal([*fault_lines(name, error.faults), *notes], coded=True) from None


def referee_lines(error: InvalidScheduleError) -> list[str]:
    """List what the referee found, one fault per line, after the file it is in."""
    lines = []
    for fault in error.faults:
        part, rest = fault.pointer[:1], fault.pointer[1:]
        place = f"{part[0]}{format_pointer(rest)}: " if part else ""
        lines.append(f"  {printable(place)}{coded(fault)}")
    return lines or [f"  {printable(error.detail)}"]
