"""``steadygrid hosts``: which processors a platform has, by the names that options take."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from steadygrid.cli.console import emit_lines
from steadygrid.cli.files_given import Sort, platform_of, read_problem_files
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.solve_options import Settings, unique_values
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import Refusal, emit
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from steadygrid.report.glyphs import printable
from steadygrid.report.layout import Column, table
from steadygrid.studies.sweep_table import guarded_text

COLUMNS = ("id", "speed", "degree")
"""`speed` is exact, and null where nothing is computed; `degree` is the number of its links."""


def hosts(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="A platform, as JSON or in a foreign format, or a whole problem. - is standard input.",
        ),
    ],
    parameters: Settings = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Write one line of CSV for each.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List the processors of a platform: the names that --master takes, speeds, links.

    Switches are left out, since they hold no tasks. A processor without a speed only forwards. The degree is the number of its links, in either direction.
    """
    if as_csv and as_json:
        raise Refusal("--csv and --json: choose one")
    rows = host_rows(_platform(files, unique_values(parameters or ()), settings().limits))
    if as_json:
        emit_json({"hosts": [dict(zip(COLUMNS, row, strict=True)) for row in rows]})
    elif as_csv:
        page = io.StringIO()
        writer = csv.writer(page, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([guarded_text(name), speed, degree] for name, speed, degree in rows)
        emit(page.getvalue())
    else:
        columns = [Column("id"), *(Column(name, right=True) for name in COLUMNS[1:])]
        cells = [
            (printable(name), "" if speed is None else speed, str(degree))
            for name, speed, degree in rows
        ]
        emit_lines(lambda width, glyphs: table(columns, cells, width, glyphs))


def host_rows(platform: Platform) -> list[tuple[str, str | None, int]]:
    """List the processors but switches, in the order of the platform: id, speed, degree.

    Parameters
    ----------
    platform
        Of any kind.
    """
    ends = Counter(end for link in platform.links for end in (link.source, link.target))
    return [
        (one.id, None if one.time_per_work is None else str(1 / one.time_per_work), ends[one.id])
        for one in platform.processors
        if not one.switch
    ]


def _platform(names: Sequence[str], parameters: Mapping[str, str], limits: Limits) -> Platform:
    """Read a platform, or take that of a whole problem."""
    files, behind = read_problem_files(names, limits)
    file = files[0]
    if behind or len(files) > 1:
        raise Refusal(f"{len(names)} files are given, and one platform is listed")
    if file.sort not in (Sort.PLATFORM, Sort.BODY):
        raise Refusal(f"{file.shown}: {file.why or file.sort.value + ', and no platform'}")
    return platform_of(file, parameters, limits)
