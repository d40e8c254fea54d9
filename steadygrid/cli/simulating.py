"""``steadygrid simulate``: what is left of a schedule when times are not exact."""

from typing import Annotated, Any

import typer

from steadygrid.cli import solve_options
from steadygrid.cli.answering import answer, exit_code, memory_of
from steadygrid.cli.asking_options import ResultFile, ScheduleFile, asking_options, read_given
from steadygrid.cli.console import emit_lines
from steadygrid.cli.documents import read_answer, refusing
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.solve_options import SolveRequest
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import Refusal, emit, speaks_unicode
from steadygrid.documents import result_json
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.simulating import simulation_body
from steadygrid.submissions.submission import parse_submission


@asking_options(but=("instances", "horizon"), behind="schedule")
def simulate_command(
    files: solve_options.Files,
    asked: SolveRequest,
    result: ResultFile = None,
    schedule: ScheduleFile = None,
    executions: Annotated[
        list[str] | None,
        typer.Option(
            "--execution",
            metavar="NAME",
            help="clock, order, dispatch or on_demand; may be given several times; default: all.",
        ),
    ] = None,
    noise: Annotated[
        str | None,
        typer.Option(metavar="PARTS", help="Such as 0,1/20,1/10; default: 0 to 1/5."),
    ] = None,
    noise_of: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="operation: every time has a factor of its own; resource: all of one have the same.",
        ),
    ] = None,
    instances: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="That each run completes; default: 1000 at most."),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="dispatch: instances under way, at most."),
    ] = None,
    overtake: Annotated[
        bool | None,
        typer.Option(
            "--overtake/--no-overtake",
            help="dispatch: whether transfers overtake those that wait; default: both.",
        ),
    ] = None,
    buffer: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="on_demand: tasks that a worker has or is sent."),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Runs for each noise; default: 3.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Of the random numbers; default: 0.")
    ] = None,
    print_body: solve_options.PrintBody = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what is left of a schedule when times are not exact, and how to carry it out."""
    limits = settings().limits
    given = read_given(files, result, schedule, limits, asked.mapping)
    submission = given.submission(asked, limits)
    found: tuple[Result, AnySchedule | None]
    if given.result is None:
        found = answer(submission, limits, memory_of(asked))[:2]
    else:
        found = read_answer(submission, given.result, given.schedule, limits)
    answered, scheduled = found
    if scheduled is None:
        raise Refusal("this answer has no schedule, and there is nothing to simulate")
    how: dict[str, Any] = {
        "executions": executions or None,
        "noise": None if noise is None else noise.split(","),
        "noise_of": noise_of,
        "instances": instances,
        "window": window,
        "overtake": overtake,
        "buffer": buffer,
        "seeds": seeds,
        "seed": seed,
    }
    body = simulation_body(submission, answered, scheduled, **how)
    if print_body:
        emit_json(body)
        return
    with refusing("the simulation"):
        simulation = parse_submission(body, limits)
    told = answer(simulation, limits, memory_of(asked))
    if as_json:
        emit(result_json(told[0], ascii_only=not speaks_unicode()))
    else:
        emit_lines(lambda width, glyphs: page(Report(simulation, *told), width, glyphs))
    raise typer.Exit(exit_code(simulation, told[0]))
