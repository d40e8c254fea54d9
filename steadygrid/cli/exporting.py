"""``steadygrid export``: platforms and linear programs in foreign formats."""

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated

import typer

from steadygrid.cli import solve_options
from steadygrid.cli.answering import memory_of, program
from steadygrid.cli.asking import read_question
from steadygrid.cli.asking_options import asking_options
from steadygrid.cli.files_given import Sort, platform_of, read_files
from steadygrid.cli.solve_options import SolveRequest
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import Refusal, check_target, complain, emit, shown, write_file
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.domain.nearest import Known
from steadygrid.formats.exporter import Answer, Exported
from steadygrid.report.glyphs import printable
from steadygrid.submissions.exports import EXPORTERS, PLATFORM_FORMATS, write_platform

OF_PROGRAMS = tuple(name for name, one in EXPORTERS.items() if one.of_program)
TARGETS = (*PLATFORM_FORMATS, *OF_PROGRAMS)


@asking_options(behind="format_name")
def export(
    files: solve_options.Files,
    asked: SolveRequest,
    format_name: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="|".join(TARGETS),
            help="Format to write. A platform: graphml or simgrid. The linear program of a problem:"
            " lp or mps.",
        ),
    ],
    numbers: Annotated[
        str | None,
        typer.Option(
            "--numbers",
            metavar="exact|rounded",
            help="Numbers of lp and mps: exact or rounded. Rounded: 17 digits in rows with whole"
            " numbers above 10^15, which solvers of floats refuse. Default: exact.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write here, not to standard output."),
    ] = None,
) -> None:
    """Write a platform, or the linear program of a problem, in a foreign format.

    The program is solved, too, for its exact optimum. Answers are written by `steadygrid convert`. What
    the format cannot say is refused.
    """
    if format_name not in TARGETS:
        hint = Known(TARGETS).hint(format_name)
        raise Refusal(f"the format is one of: {', '.join(TARGETS)}{hint}")
    if output is not None:
        check_target(output)
    limits = settings().limits
    try:
        if format_name in OF_PROGRAMS:
            written = _program(files, asked, format_name, numbers, limits)
        elif numbers is not None:
            raise Refusal(f"--numbers is for {' and '.join(OF_PROGRAMS)}")
        else:
            written = _platform(files, asked, format_name, limits)
    except (InstanceError, LimitError) as error:
        raise Refusal(
            [
                f"{f'--{fault.pointer[0]}' if fault.pointer else shown(files[0])}:"
                f" {printable(fault.detail)}"
                for fault in error.faults
            ]
        ) from None
    complain([f"note: {printable(note)}" for note in written.notes])
    if output is None:
        emit(written.text)
    else:
        write_file(output, iter((written.text,)))


def _platform(
    files: Sequence[str], asked: SolveRequest, format_name: str, limits: Limits
) -> Exported:
    """Write a platform; `--set` says what its own format cannot say."""
    if replace(asked, settings={}) != SolveRequest():
        given = next(one.name for one in fields(asked) if getattr(asked, one.name) is not None)
        raise Refusal(
            f"--format {format_name} writes a platform, which has no {given.replace('_', ' ')}: leave"
            " out all options but --set"
        )
    given_files = read_files(files, limits)
    if len(given_files) != 1 or given_files[0].sort is not Sort.PLATFORM:
        raise Refusal(
            f"{', '.join(file.shown for file in given_files)}: expected one platform. An answer is written"
            " by `steadygrid convert`"
        )
    return write_platform(format_name, platform_of(given_files[0], asked.settings, limits))


def _program(
    files: Sequence[str],
    asked: SolveRequest,
    format_name: str,
    numbers: str | None,
    limits: Limits,
) -> Exported:
    """Have the program of a problem stated in a process of its own, and write it."""
    question = read_question(files, asked, limits)
    complain(question.notes)
    exporter = EXPORTERS[format_name]
    parameters = {} if numbers is None else {"numbers": [numbers]}
    stated = program(question.submission, limits, memory_of(asked.memory))
    return exporter.write(Answer(None, program=stated), parameters)
