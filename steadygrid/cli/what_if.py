"""``steadygrid what-if``: what would help most, or hurt most if it failed."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from steadygrid.cli import solve_options
from steadygrid.cli.answering import answer, interruptible, memory_of
from steadygrid.cli.asking_options import ResultFile, ScheduleFile, asking_options, read_given
from steadygrid.cli.console import emit_lines, status_line
from steadygrid.cli.documents import read_answer
from steadygrid.cli.json_files import coded, emit_json
from steadygrid.cli.solve_options import SolveRequest
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import Refusal
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.solving import Found, Solver, cores_here
from steadygrid.studies.shown_study import study_lines
from steadygrid.studies.solved import solve_upgrades
from steadygrid.studies.study import StudyOut
from steadygrid.studies.what_if import WhatIfRequest, what_if
from steadygrid.submissions.submission import Submission, parse_model

_FACTOR = "2"


@asking_options(behind="schedule")
def what_if_command(
    files: solve_options.Files,
    asked: SolveRequest,
    result: ResultFile = None,
    schedule: ScheduleFile = None,
    factor: Annotated[
        str | None,
        typer.Option(metavar="NUMBER", help="How many times faster, such as 3/2. Default: 2."),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Ask instead what is lost if a resource fails.")
    ] = False,
    solve: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            help="Number of upgrades to solve exactly, the greatest bound first. At most 100.",
        ),
    ] = 10,
    resources: Annotated[
        list[str] | None,
        typer.Option(
            "--resource",
            metavar="NAME",
            help="Resource to ask about, such as P1.compute, A->B.link or M.medium. May be repeated."
            " Default: all with a price, or the busiest if there are no prices.",
        ),
    ] = None,
    together: Annotated[
        bool,
        typer.Option(
            "--together",
            help="Upgrade all resources that differ only in their names, not one of them.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what would help most: one resource after the other faster.

    A price says only what an upgrade brings at most. The upgrades with the greatest bounds are
    solved.
    """
    if remove and factor is not None:
        raise Refusal("--factor says how many times faster, and --remove that it fails: give one")
    limits = settings().limits
    given = read_given(files, result, schedule, limits, asked.mapping)
    submission = given.submission(asked, limits)
    request = _read_request(
        {
            "factor": "0" if remove else factor or _FACTOR,
            "resources": resources,
            "solve": solve,
            "twins": "all" if together else "one",
        }
    )
    memory = memory_of(asked.memory)
    if given.result is None:
        found: tuple[Result, AnySchedule | None] = answer(submission, limits, memory)[:2]
    else:
        found = read_answer(submission, given.result, given.schedule, limits)
    told = _studied(submission, *found, request, limits, memory)
    if as_json:
        emit_json(told.model_dump(mode="json", by_alias=True))
    else:
        emit_lines(lambda width, glyphs: study_lines(told, width, glyphs))


def _read_request(asked: Mapping[str, Any]) -> WhatIfRequest:
    try:
        return parse_model(WhatIfRequest, asked)
    except InstanceError as error:
        raise _refused(error) from None


def _refused(error: InstanceError | LimitError) -> Refusal:
    """Say faults by the names of the options."""
    lines = []
    for fault in error.faults:
        name = str(fault.pointer[0]) if fault.pointer else ""
        option = {"resources": "--resource", "factor": "--factor", "solve": "--solve"}.get(name)
        lines.append(f"{option}: {coded(fault)}" if option else coded(fault))
    return Refusal(lines, coded=True)


def _studied(
    submission: Submission,
    result: Result,
    schedule: AnySchedule | None,
    request: WhatIfRequest,
    limits: Limits,
    memory: int,
) -> StudyOut:
    chosen = settings()
    try:
        study = what_if(submission, result, request, schedule, limits)
    except (InstanceError, LimitError) as error:
        raise _refused(error) from None
    number = len(study.to_solve)
    with (
        interruptible(),
        status_line("solving") as tell,
        Solver(
            limits,
            memory=memory,
            grace=chosen.hard_stop_grace_seconds,
            cores=cores_here() if chosen.solver_cores is None else chosen.solver_cores,
        ) as solver,
    ):
        done = iter(range(1, number + 1))

        def solve(one: Submission) -> Found:
            if tell is not None:
                tell(f"solving {next(done)} of {number}")
            return solver.solve(one)

        return study.document(solve_upgrades(study, limits, solve))
