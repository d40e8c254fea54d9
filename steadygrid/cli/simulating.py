"""``steadygrid simulate``: what is left of a schedule when times are not exact."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
from steadygrid.cli.terminal import Refusal, emit, shown, speaks_unicode
from steadygrid.documents import result_json
from steadygrid.domain.errors import InstanceError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.report.glyphs import printable
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.simulating import simulation_body
from steadygrid.submissions.submission import parse_submission

_OPTIONS = {"executions": "--execution", "noise_of": "--noise-of"}
"""Names of options that differ from those of the members that they give."""


@contextmanager
def _naming_options(given: Mapping[str, Any]) -> Iterator[None]:
    """Say which options are wrong. The user wrote these, and not the body that they make."""
    try:
        yield
    except InstanceError as error:
        lines = []
        for pointer, _, detail in error.faults:
            name = str(pointer[1]) if pointer[:1] == ("problem",) and len(pointer) > 1 else ""
            if name not in given:
                raise
            value = given[name]
            listed = isinstance(value, list) and len(pointer) > 2
            said = f" {shown(str(value[int(pointer[2])]))}" if listed else ""
            lines.append(f"{_OPTIONS.get(name, f'--{name}')}{said}: {printable(detail)}")
        raise Refusal(lines) from None


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
            help="clock, order, dispatch, on_demand, heft or program. May be repeated. Default: all but"
            " heft.",
        ),
    ] = None,
    noise: Annotated[
        str | None,
        typer.Option(
            metavar="PARTS", help="How much times vary, such as 0,1/20,1/10. Default: 0 to 1/5."
        ),
    ] = None,
    noise_of: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="operation: each time has its own factor. resource: all times of a resource have the"
            " same factor. drift: factors change slowly.",
        ),
    ] = None,
    instances: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Instances that each run completes. Default: 1000 at most."
        ),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="dispatch: most instances in progress at a time."),
    ] = None,
    overtake: Annotated[
        bool | None,
        typer.Option(
            "--overtake/--no-overtake",
            help="dispatch: whether transfers may overtake waiting ones. Default: both.",
        ),
    ] = None,
    buffer: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="on_demand: tasks that a worker has or is sent."),
    ] = None,
    size: Annotated[
        int | None,
        typer.Option("--bytes", metavar="NUMBER", help="program: bytes of the operation."),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Runs for each noise. Default: 3.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Seed of the random numbers. Default: 0.")
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
        found = answer(submission, limits, memory_of(asked.memory))[:2]
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
        "bytes": size,
        "seeds": seeds,
        "seed": seed,
    }
    body = simulation_body(submission, answered, scheduled, **how)
    if print_body:
        emit_json(body)
        return
    with refusing("the simulation"), _naming_options(how):
        simulation = parse_submission(body, limits)
    told = answer(simulation, limits, memory_of(asked.memory))
    if as_json:
        emit(result_json(told[0], ascii_only=not speaks_unicode()))
    else:
        emit_lines(lambda width, glyphs: page(Report(simulation, *told), width, glyphs))
    raise typer.Exit(exit_code(simulation, told[0]))
