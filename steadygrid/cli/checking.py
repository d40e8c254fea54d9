"""``steadygrid check``: an answer in files before the referee."""

import re
from collections.abc import Iterator
from typing import Annotated

import typer

from steadygrid.cli import solve_options
from steadygrid.cli.answering import FAILED
from steadygrid.cli.asking_options import ScheduleFile, asking_options, read_given
from steadygrid.cli.documents import read_result, read_schedule, referee_lines
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.solve_options import SolveRequest
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
    "steadygrid: no schedule was given: name the file that `steadygrid solve --schedule` wrote with"
    " --schedule-in"
)


@asking_options(but=("time_limit", "memory"), behind="schedule")
def check(
    files: solve_options.Files,
    asked: SolveRequest,
    result: Annotated[
        str | None,
        typer.Option(
            "--result", metavar="FILE", help="The answer, as --json or GET .../result gives it."
        ),
    ] = None,
    schedule: ScheduleFile = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print the verdict as exactly one JSON document: accepted, holds, not_judged, faults.",
        ),
    ] = False,
) -> None:
    """Let the referee alone judge an answer, in exact arithmetic.

    Exit code 1 means that it found faults. It lists all of them. It also lists what it did not
    judge, as pointers into the result.
    """
    limits = settings().limits
    given = read_given(files, result, schedule, limits, asked.mapping)
    if given.result is None:
        raise Refusal("say with --result FILE which answer is judged")
    submission = given.submission(asked, limits)
    answered = read_result(given.result, submission, limits)
    found = None
    if given.schedule is not None:
        found = read_schedule(given.schedule, limits, submission.problem.form)
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
    told = [f"refused: {count}", *lines, *([_NO_SCHEDULE] if forgotten else [])]
    return Refusal(told, FAILED, coded=bool(error.faults))
