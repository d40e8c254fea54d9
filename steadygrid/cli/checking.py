"""``steadygrid check``: an answer in files before the referee."""

import re
from collections.abc import Iterator
from typing import Annotated

import typer

from steadygrid.cli.answering import FAILED
from steadygrid.cli.documents import read_result, read_schedule, read_submission, referee_lines
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import Refusal, emit
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Result
from steadygrid.report.glyphs import printable
from steadygrid.report.judged import explained
from steadygrid.submissions.submission import Submission
from steadygrid.submissions.verdict import Verdict, judge, refusal

_ENDS = re.compile("->|--")
_OWNED = ("compute", "send", "receive", "port", "link", "half", "in", "out")
_NAMED = 4
_NO_SCHEDULE = (
    "steadygrid: no schedule was given: add the file that `steadygrid solve --schedule` wrote, as"
    " the third argument"
)


def check(
    instance: Annotated[
        str, typer.Argument(help="The body as posted, or as GET .../instance gives it.")
    ],
    result: Annotated[str, typer.Argument(help="As --json or GET .../result gives it.")],
    schedule: Annotated[
        str | None,
        typer.Argument(
            help="As --schedule or GET .../document gives it; leave it out where there is none."
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print the verdict as exactly one JSON document: accepted, holds, not_judged, faults.",
        ),
    ] = False,
) -> None:
    """Let the referee alone judge an answer, in exact arithmetic.

    Exit code 1 means that it found faults; all of them are listed. What it did not judge is listed,
    too, as pointers into the result.
    """
    if [instance, result, schedule].count("-") > 1:
        raise Refusal("only one of the files can be standard input")
    limits = settings().limits
    submission = read_submission(instance, limits)
    answered = read_result(result, submission, limits)
    found = None if schedule is None else read_schedule(schedule, limits, submission.problem.form)
    try:
        verdict = judge(submission, answered, found, limits)
    except InvalidScheduleError as error:
        if as_json:
            emit_json(refusal(error))
            raise typer.Exit(FAILED) from None
        raise _refused(error, submission, answered, has_schedule=found is not None) from None
    if as_json:
        emit_json(verdict.document)
    else:
        emit(f"accepted: {verdict.holds}\n{_not_judged(verdict)}")


def _of_another(asked: Submission, answered: Result) -> Iterator[str]:
    """Say that an answer prices resources of none of the processors that were asked about."""
    platform = asked.document()["problem"].get("platform", {})
    known = {processor["id"] for processor in platform.get("processors", ())}
    prices = (name.rpartition(".") for name in answered.certificate.prices)
    owners = sorted(
        {end for stem, _, what in prices if what in _OWNED for end in _ENDS.split(stem)}
    )
    if not known or not owners or not known.isdisjoint(owners):
        return
    more = f" and {len(owners) - _NAMED:,} more" if len(owners) > _NAMED else ""
    named = ", ".join(map(repr, owners[:_NAMED])) + more
    verb = "is not" if len(owners) == 1 else "are not"
    yield printable(f"  {named} {verb} in this problem: is this the answer to another one?")


def _not_judged(verdict: Verdict) -> str:
    listed = ", ".join(
        f"{member} ({meaning})" if meaning else member
        for member, meaning in explained(verdict.not_judged)
    )
    return f"not judged: {listed}\n" if listed else ""


def _refused(
    error: InvalidScheduleError, asked: Submission, answered: Result, *, has_schedule: bool
) -> Refusal:
    lines = [*_of_another(asked, answered), *referee_lines(error)]
    faults = max(len(error.faults), 1)
    count = "1 fault" if faults == 1 else f"{faults} faults"
    forgotten = not has_schedule and answered.objective is not None
    return Refusal([f"refused: {count}", *lines, *([_NO_SCHEDULE] if forgotten else [])], FAILED)
