"""``steadygrid export``: platforms in foreign formats."""

from pathlib import Path
from typing import Annotated

import typer

from steadygrid.cli.files_given import Sort, platform_of, read_files
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import Refusal, check_target, emit, shown, write_file
from steadygrid.domain.errors import InstanceError
from steadygrid.report.glyphs import printable
from steadygrid.submissions.exports import PLATFORM_FORMATS, write_platform


def export(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="A platform, ours or in a foreign format; - is standard input. Tables of one platform"
            " may be in several files.",
        ),
    ],
    format_name: Annotated[
        str,
        typer.Option(
            "--format", metavar="|".join(PLATFORM_FORMATS), help="The format that is written."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write here, not to standard output."),
    ] = None,
) -> None:
    """Write a platform in a foreign format.

    Answers are written by `steadygrid convert`. What the format cannot say is refused.
    """
    if output is not None:
        check_target(output)
    limits = settings().limits
    given = read_files(files, limits)
    if len(given) != 1 or given[0].sort is not Sort.PLATFORM:
        raise Refusal(
            f"{', '.join(file.shown for file in given)}: expected one platform; an answer is written by"
            " `steadygrid convert`"
        )
    platform = platform_of(given[0], {}, limits)
    try:
        text = write_platform(format_name, platform)
    except InstanceError as error:
        raise Refusal(
            [f"{shown(files[0])}: {printable(fault.detail)}" for fault in error.faults]
        ) from None
    if output is None:
        emit(text)
    else:
        write_file(output, iter((text,)))
