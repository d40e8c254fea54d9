"""``steadygrid solve``: solve a problem and explain the answer."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from steadygrid.cli import solve_options
from steadygrid.cli.answering import FAILED, LIMIT_REACHED, answer, exit_code, memory_of
from steadygrid.cli.asking import read_question
from steadygrid.cli.asking_options import asking_options
from steadygrid.cli.console import emit_lines
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.solve_options import SolveRequest
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import (
    Refusal,
    check_target,
    complain,
    emit,
    shown,
    speaks_unicode,
    write_file,
)
from steadygrid.documents import result_json, schedule_chunks
from steadygrid.report.page import page
from steadygrid.report.report import Report


@asking_options()
def solve(
    files: solve_options.Files,
    asked: SolveRequest,
    old_output_size: solve_options.OldReturn = None,
    print_body: solve_options.PrintBody = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as exactly one JSON document.")
    ] = False,
    schedule_file: Annotated[
        Path | None,
        typer.Option("--schedule", metavar="FILE", help="Write the schedule, as JSON, here."),
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option(
            "--pictures",
            metavar="DIR",
            help="Write all pictures of the answer to this directory, as SVG. The directory is made"
            " if needed.",
        ),
    ] = None,
) -> None:
    """Solve a problem and explain the answer.

    Exit code 3 means infeasible, 4 that the time limit left nothing but a bound.
    """
    if schedule_file is not None:
        if print_body:
            raise Refusal("--print-body solves nothing, and there is no schedule to write")
        check_target(schedule_file)
    if pictures is not None:
        if print_body:
            raise Refusal("--print-body solves nothing, and there is nothing to draw")
        from steadygrid.cli.picturing import pictures_target  # loads what draws

        pictures_target(pictures)
    if old_output_size is not None:
        if asked.output_size is not None:
            raise Refusal("--return and --output say the same: leave out --output")
        complain(["note: --output SIZE is called --return SIZE. The next release does not read it"])
        asked = replace(asked, output_size=old_output_size)
    limits = settings().limits
    question = read_question(files, asked, limits)
    complain(question.notes)
    if print_body:
        emit_json(question.body)
        return
    submission = question.submission
    found = answer(submission, limits, memory_of(asked.memory))
    result, schedule, *_ = found
    report = Report(submission, *found)
    if schedule_file is not None and schedule is not None:
        write_file(schedule_file, schedule_chunks(schedule))
    if as_json:
        emit(result_json(result, ascii_only=not speaks_unicode()))
    else:
        emit_lines(lambda width, glyphs: page(report, width, glyphs))
    code = exit_code(submission, result)
    if schedule_file is not None and schedule is None:
        complain([f"steadygrid: there is no schedule, {shown(str(schedule_file))} is not written"])
        runs_once = result.objective is not None and result.objective.name == "completion"
        code = code if runs_once else code or LIMIT_REACHED
    if pictures is not None:
        from steadygrid.cli.picturing import write_pictures

        code = code if write_pictures(pictures, report) else code or FAILED
    raise typer.Exit(code)
