"""The ``steadygrid`` command: thin, everything it does is done elsewhere.

Exit codes: 0 done; 1 failed, or `check` found faults; 2 bad input or an unreadable file;
3 infeasible; 4 a limit left nothing but a bound; 130 interrupted.
"""

import json
import os
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import version as distribution_version
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from steadygrid.cli import solve_options
from steadygrid.cli.answering import FAILED, LIMIT_REACHED, answer, exit_code
from steadygrid.cli.asking import read_question
from steadygrid.cli.catalogue import problems
from steadygrid.cli.checking import check
from steadygrid.cli.converting import convert
from steadygrid.cli.picturing import picture, pictures_target, write_pictures
from steadygrid.cli.plugins import Commands
from steadygrid.cli.replanning import forecast_command, replan_command
from steadygrid.cli.solve_options import Asked, once_each
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.sweeping import sweep_command
from steadygrid.cli.terminal import (
    Refusal,
    check_target,
    complain,
    emit,
    emit_json,
    emit_lines,
    notes_of_the_system,
    prepare_streams,
    shown,
    speaks_unicode,
    write_file,
)
from steadygrid.cli.what_if import what_if_command
from steadygrid.documents import result_json, schedule_chunks
from steadygrid.domain.errors import InternalError, failure_of
from steadygrid.report.glyphs import printable
from steadygrid.report.page import page
from steadygrid.report.report import Report

SERVICES = ("api", "serve", "worker")

app = typer.Typer(
    name="steadygrid",
    cls=Commands,
    help="Exact, verified steady-state schedules for heterogeneous platforms.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and leave with its exit code; no input gives a traceback."""
    prepare_streams()
    try:
        with notes_of_the_system():
            app(args=arguments, prog_name="steadygrid")
    except Refusal as refusal:
        first, *rest = refusal.lines
        _tell([f"steadygrid: {first}", *rest], arguments)
        sys.exit(refusal.exit_code)
    except MemoryError as error:
        _tell(["steadygrid: out of memory"], arguments)
        sys.exit(failure_of(error).exit_code)
    except Exception as error:  # noqa: BLE001 - the last resort, told in a sentence
        _tell(_internal_error(error), arguments)
        sys.exit(failure_of(error).exit_code)
    raise AssertionError("typer always leaves")


def _tell(lines: list[str], arguments: Sequence[str] | None) -> None:
    """Say why it ends; a service whose log is JSON says so in one line of it."""
    command = [*(sys.argv[1:] if arguments is None else arguments), ""][0]
    as_json = os.environ.get("STEADYGRID_LOG_JSON", "").lower() in ("1", "true", "yes", "on")
    if command in SERVICES and as_json:
        lines = [json.dumps({"event": "ended", "level": "error", "said": lines})]
    complain(lines)


def _internal_error(error: Exception) -> list[str]:
    if os.environ.get("STEADYGRID_LOG_LEVEL", "").upper() == "DEBUG":
        return "".join(traceback.format_exception(error)).splitlines()
    what = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
    hint = "a fault of steadygrid, not of the input; STEADYGRID_LOG_LEVEL=DEBUG shows where"
    return [f"steadygrid: internal error: {printable(what)}", f"  {hint}"]


def _print_version(wanted: bool) -> None:
    if wanted:
        emit(f"steadygrid {distribution_version('steadygrid')}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Exact, verified steady-state schedules for heterogeneous platforms."""


@app.command()
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
    latencies: solve_options.Latencies = None,
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
        pictures_target(pictures)
    limits = settings().limits
    asked = Asked(
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
        latencies=latencies,
        settings=once_each(parameters or ()),
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
        code = code or LIMIT_REACHED
    if pictures is not None and not write_pictures(pictures, report):
        code = code or FAILED
    raise typer.Exit(code)


app.command()(check)
app.command("sweep")(sweep_command)
app.command()(picture)
app.command()(problems)
app.command()(convert)
app.command("what-if")(what_if_command)
app.command("replan")(replan_command)
app.command("forecast")(forecast_command)


if __name__ == "__main__":
    main()
