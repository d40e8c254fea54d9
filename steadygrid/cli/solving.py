"""``steadygrid solve``: solve a problem and explain the answer."""

from pathlib import Path
from typing import Annotated

import typer

from steadygrid.cli import solve_options
from steadygrid.cli.answering import FAILED, LIMIT_REACHED, answer, exit_code
from steadygrid.cli.asking import read_question
from steadygrid.cli.console import emit_lines
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.solve_options import SolveRequest, unique_values
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


def solve(
    files: solve_options.Files,
    kind: solve_options.Kind = None,
    master: solve_options.Master = None,
    work: solve_options.Work = None,
    input_size: solve_options.Input = None,
    output_size: solve_options.Output = None,
    ports: solve_options.Ports = None,
    routing: solve_options.Routing = None,
    method: solve_options.Method = None,
    mapping: solve_options.Mapping_ = None,
    time_limit: solve_options.TimeLimit = None,
    max_period: solve_options.MaxPeriod = None,
    instances: solve_options.Instances = None,
    horizon: solve_options.Horizon = None,
    latencies: solve_options.Latencies = None,
    prefer: solve_options.Prefer = None,
    parameters: solve_options.Settings = None,
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
            help="Write all pictures of the answer, as SVG, into this directory, which is made"
            " where there is none.",
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
    limits = settings().limits
    asked = SolveRequest(
        kind=kind,
        master=master,
        work=work,
        input_size=input_size,
        output_size=output_size,
        ports=ports,
        routing=routing,
        method=method,
        mapping=mapping,
        time_limit=time_limit,
        max_period=max_period,
        instances=instances,
        horizon=horizon,
        latencies=latencies,
        prefer=prefer,
        settings=unique_values(parameters or ()),
    )
    question = read_question(files, asked, limits)
    complain(question.notes)
    if print_body:
        emit_json(question.body)
        return
    submission = question.submission
    found = answer(submission, limits)
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
