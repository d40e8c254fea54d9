"""``steadygrid convert``: between foreign formats and steadygrid's."""

from pathlib import Path
from typing import Annotated, get_args

import typer

from steadygrid.cli.exports import exported
from steadygrid.cli.imports import imported, imported_body
from steadygrid.cli.solve_options import named_values
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import Refusal, check_target, emit, speaks_unicode, write_file
from steadygrid.documents import folded_json
from steadygrid.domain.nearest import Known
from steadygrid.formats import Noun
from steadygrid.submissions.exports import EXPORTERS
from steadygrid.submissions.imports import INSTANCE_IMPORTERS

NOUNS: tuple[Noun, ...] = get_args(Noun)
OF_ANSWERS = tuple(name for name, one in EXPORTERS.items() if not one.of_program)
"""Formats that need an answer, and no solver."""
TARGETS = (*NOUNS, *INSTANCE_IMPORTERS, *OF_ANSWERS)


def convert(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT...",
            help="A file in a foreign format, or a result of steadygrid. - is standard input. Tables"
            " of one platform may be in several files.",
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="|".join(TARGETS),
            help="What a foreign file contains, or the format of a result. A kind of problem writes"
            " the body of POST /v1/jobs.",
        ),
    ],
    format_name: Annotated[
        str | None,
        typer.Option(
            "--format", help="Name of the foreign format. Default: recognised by the contents."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write here, not to standard output."),
    ] = None,
    body: Annotated[
        str | None,
        typer.Option(
            "--into",
            metavar="BODY",
            help="Put it into this body of POST /v1/jobs, and write the body. Files then keep to the"
            " routes of a SimGrid platform, unless the body has a routing.",
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Parameter of the format, such as reference_speed=2Gf of a workflow. `steadygrid"
            " formats` lists them. For msccl: name, proto, inplace, min_bytes, max_bytes,"
            " dialect, trees, bytes, split, order, instances, rank. Repeat rank for each"
            " participant in turn.",
        ),
    ] = None,
    schedule: Annotated[
        str | None,
        typer.Option(
            "--schedule",
            metavar="FILE",
            help="The schedule of a result. The file has what it does in a period. If the period is"
            " bounded, that only comes near the rates of the result.",
        ),
    ] = None,
    instance: Annotated[
        str | None,
        typer.Option(
            "--instance",
            metavar="FILE",
            help="The problem of the result, as posted or as GET .../instance gives it. Needed for"
            " pnml, and for msccl with order=start.",
        ),
    ] = None,
) -> None:
    """Turn a foreign format into a platform, an application or a body, or a result into a foreign format.

    What cannot be represented is listed on standard error, never dropped silently.
    """
    if output is not None:
        check_target(output)
    limits, given = settings().limits, named_values(parameters or ())
    file = files[0]
    if to in EXPORTERS and to not in OF_ANSWERS:
        raise Refusal(
            f"--to {to}: the program is written by `steadygrid export FILE --format {to}`"
        )
    if to not in TARGETS:
        raise Refusal(f"--to is one of: {', '.join(TARGETS)}{Known(TARGETS).hint(to)}")
    if len(files) > 1 and to not in NOUNS:
        raise Refusal(f"{len(files)} files are given, and --to {to} takes one")
    if to in EXPORTERS:
        if format_name is not None or body is not None:
            raise Refusal(f"--format and --into are for foreign files, and --to {to} writes one")
        text = exported(file, schedule, instance, EXPORTERS[to], given, limits)
    elif schedule is not None:
        raise Refusal("--schedule is for results, and a foreign file is none")
    elif instance is not None:
        raise Refusal("--instance is for results, and a foreign file is none")
    else:
        last = {name: values[-1] for name, values in given.items()}
        if to in INSTANCE_IMPORTERS:
            if body is not None:
                raise Refusal(
                    f"--into is for platforms and applications, and --to {to} is a whole body"
                )
            document = imported_body(file, INSTANCE_IMPORTERS[to], format_name, last, limits)
        else:
            noun = NOUNS[NOUNS.index(to)]
            document = imported(files, noun, format_name, body, last, limits)
        text = folded_json(document, ascii_only=output is None and not speaks_unicode()) + "\n"
    if output is None:
        emit(text)
    else:
        write_file(output, iter((text,)))
