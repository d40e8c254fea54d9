"""``steadygrid picture``, and the pictures that ``steadygrid solve`` writes."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from steadygrid.cli.answering import FAILED, answer, interruptible, memory_of
from steadygrid.cli.asking_options import (
    Given,
    ResultFile,
    ScheduleFile,
    asking_options,
    read_given,
)
from steadygrid.cli.documents import read_result, read_schedule, referee_lines
from steadygrid.cli.files_given import Sort, platform_of
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.solve_options import SolveRequest
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import STANDARD_INPUT, Refusal, check_target, complain, emit, shown
from steadygrid.domain.errors import (
    Fault,
    InvalidScheduleError,
    format_pointer,
)
from steadygrid.domain.limits import Limits
from steadygrid.domain.nearest import Known
from steadygrid.pictures import drawn
from steadygrid.pictures.asking import read_wanted
from steadygrid.pictures.drawn import DrawnPicture, drawing_of_platform, picture_of_answer
from steadygrid.pictures.errors import (
    PictureError,
    PictureFailed,
    PicturesNotInstalled,
    UnfitPicture,
)
from steadygrid.pictures.gallery import GALLERY, entries_of
from steadygrid.pictures.picture import FORMATS, PLATFORM, Format, Wanted
from steadygrid.report.glyphs import printable
from steadygrid.report.occupation import strange_price
from steadygrid.report.report import Report
from steadygrid.submissions.submission import schedule_limits

_FLAGS = {
    **{name: f"--{name}" for name in ("theme", "width", "scale", "cells", "around", "hops")},
    "begin": "--from",
    "end": "--to",
    "lanes": "--lane",
}


@asking_options(behind="hops")
def picture(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="A problem, as solve takes it, or a platform alone. - is standard input.",
        ),
    ],
    asked: SolveRequest,
    result: ResultFile = None,
    schedule: ScheduleFile = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="Name of the picture. --list lists them."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write. Its ending says the format: .svg, .png, .pdf, .html, .csv (the table)"
            " or .json (Vega-Lite). - is standard output.",
        ),
    ] = None,
    format_name: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="|".join(FORMATS),
            help="Format, if the name of the file does not say it.",
        ),
    ] = None,
    list_them: Annotated[
        bool, typer.Option("--list", help="List the pictures that there are, and draw none.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --list: print one JSON document.")
    ] = False,
    theme: Annotated[str, typer.Option(metavar="light|dark")] = "light",
    width: Annotated[int, typer.Option(help="Pixels, 320 to 4000.")] = 800,
    scale: Annotated[
        float, typer.Option(help="Of a PNG: its pixels for each pixel of the drawing, 1 to 4.")
    ] = 1,
    begin: Annotated[
        str | None,
        typer.Option("--from", metavar="TIME", help="Where a Gantt chart begins, such as 21/2."),
    ] = None,
    end: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Where a Gantt chart ends.")
    ] = None,
    lanes: Annotated[
        list[str] | None,
        typer.Option(
            "--lane",
            metavar="ID",
            help="A resource of a Gantt chart. May be repeated. Default: the busiest.",
        ),
    ] = None,
    cells: Annotated[
        int | None,
        typer.Option(
            help="Of a Gantt chart, 100 to 4000. Bars shorter than the window divided by this number"
            " are joined."
        ),
    ] = None,
    around: Annotated[
        str | None,
        typer.Option(
            "--around",
            metavar="ID",
            help="Of the picture platform: draw only what is near this processor.",
        ),
    ] = None,
    hops: Annotated[
        int | None,
        typer.Option(help="With --around: how many links from there, 1 to 3. Default: 1."),
    ] = None,
) -> None:
    """Draw an answer, or a platform alone, as SVG, PNG, PDF, HTML, CSV or Vega-Lite.

    Needs the extra `pictures`. A terminal shows on standard error what is being solved.
    """
    with interruptible(), refusing():
        given = {
            "theme": theme,
            "width": width,
            "scale": scale,
            "cells": cells,
            "begin": begin,
            "end": end,
            "lanes": lanes,
            "around": around,
            "hops": hops,
        }
        wanted = read_wanted(given, None if list_them else name or PLATFORM)
        if as_json and not list_them:
            raise Refusal("--json is for --list. --format says in which format a picture is")
        tell = (_print_list if not as_json else _print_json) if list_them else None
        form: Format | None = None
        if not list_them:
            form = _format(output, format_name)
            check_installed()
        limits = settings().limits
        had = read_given(files, result, schedule, limits, asked.mapping)
        drawing: DrawnPicture | None
        if [file.sort for file in had.files] == [Sort.PLATFORM] and not asked.of_problem:
            drawing = _of_platform(had, asked, name, wanted, limits, tell)
        else:
            drawing = _of_answer(had, asked, name, wanted, limits, tell)
        if drawing is not None and output is not None and form is not None:
            _write(output, drawn.drawn(drawing.picture, form, wanted))


def pictures_target(directory: Path) -> None:
    """Make sure, before any work is done, that pictures can be drawn and written here.

    Raises
    ------
    Refusal
        The extra is missing, or the directory cannot be made or written.
    """
    with refusing():
        check_installed()
    name = shown(str(directory))
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise Refusal(f"{name}: this is no directory: give the name of one") from None
    except OSError as error:
        raise Refusal(f"{name}: {error.strerror or error}") from None
    if not os.access(directory, os.W_OK | os.X_OK):
        raise Refusal(f"{name}: no permission to write here")


def write_pictures(directory: Path, report: Report) -> bool:
    """Write all pictures of an answer as SVG, and tell their names on standard error.

    Parameters
    ----------
    directory
        Where the files go; it exists.
    report
        The answer.

    Returns
    -------
    bool
        Whether all could be drawn.
    """
    whole = True
    entries = entries_of(report)
    if not entries:
        complain(["steadygrid: this answer has no picture"])
    for entry in entries:
        path = directory / f"{entry.name}.svg"
        try:
            with interruptible():
                drawing = picture_of_answer(report, entry.name, Wanted())
                _write(str(path), drawing.svg.encode())
        except PictureError as error:
            whole = whole and isinstance(error, UnfitPicture)
            complain([f"steadygrid: {entry.name} is not drawn: {printable(error.detail)}"])
        else:
            complain([f"{shown(str(path))}: {entry.title}"])
    return whole


def _of_platform(
    had: Given,
    asked: SolveRequest,
    name: str | None,
    wanted: Wanted,
    limits: Limits,
    tell: Callable[[Sequence[tuple[str, str, str]]], None] | None,
) -> DrawnPicture | None:
    (file,) = had.files
    if had.result is not None:
        raise Refusal(f"{file.shown} is a platform alone, and has no result: leave it out")
    if tell is not None:
        tell([(PLATFORM, "the platform alone", "")])
        return None
    if name not in (None, PLATFORM):
        raise Refusal(
            f"--name {printable(name or '')}: {file.shown} is a platform alone, and has one picture:"
            f" {PLATFORM}"
        )
    return drawing_of_platform(platform_of(file, asked.settings, limits), wanted)


def _of_answer(
    had: Given,
    asked: SolveRequest,
    name: str | None,
    wanted: Wanted,
    limits: Limits,
    tell: Callable[[Sequence[tuple[str, str, str]]], None] | None,
) -> DrawnPicture | None:
    if name is None and tell is None:
        raise Refusal("--name says which picture. --list lists those that this answer has")
    if name is not None and name not in GALLERY:
        known = ", ".join(GALLERY)
        raise Refusal(
            f"--name {printable(name)}: there is no such picture. There are"
            f" {known}{Known(GALLERY).hint(name)}"
        )
    submission = had.submission(asked, limits)
    result, schedule = had.result, had.schedule
    if result is None:
        report = Report(submission, *answer(submission, limits, memory_of(asked.memory)))
    else:
        found = read_result(result, submission, limits)
        form = submission.problem.form
        report = Report(
            submission, found, None if schedule is None else read_schedule(schedule, limits, form)
        )
        if strange_price(report) is not None:
            _judge(report, limits)
    try:
        if tell is not None:
            tell([(entry.name, entry.title, entry.says) for entry in entries_of(report)])
            return None
        return picture_of_answer(report, name or "", wanted)
    except (PictureError, Refusal):
        raise
    except Exception:
        if result is not None:
            _judge(report, limits)
        raise


def _print_list(pictures: Sequence[tuple[str, str, str]]) -> None:
    """List pictures for people."""
    for name, title, says in pictures:
        emit(f"{name:<12}{title}: {says}\n" if says else f"{name}  {title}\n")


def _print_json(pictures: Sequence[tuple[str, str, str]]) -> None:
    """List pictures as one JSON document."""
    keys = ("name", "title", "description")
    emit_json({"pictures": [dict(zip(keys, one, strict=True)) for one in pictures]})


def _judge(report: Report, limits: Limits) -> None:
    """Say what is wrong with an answer that cannot be drawn, or is of something else."""
    asked = report.submission
    try:
        asked.problem.validate(
            asked.instance, asked.options, report.result, report.found, schedule_limits(limits)
        )
    except InvalidScheduleError as error:
        lines = referee_lines(error)
        told = ["this is no answer to the problem", *lines]
        raise Refusal(told, coded=bool(error.faults)) from None


def _format(output: str | None, format_name: str | None) -> Format:
    if output is None:
        raise Refusal("--output FILE says where to write it. - is standard output")
    if output != STANDARD_INPUT:
        check_target(Path(output))
    if format_name is not None:
        if format_name not in FORMATS:
            known = ", ".join(FORMATS)
            hint = Known(FORMATS).hint(format_name)
            raise Refusal(f"--format {printable(format_name)}: expected one of {known}{hint}")
        return FORMATS[FORMATS.index(format_name)]
    if output == STANDARD_INPUT:
        raise Refusal("--format says in which format standard output is written")
    try:
        return drawn.format_of(output)
    except ValueError as error:
        raise Refusal(f"{shown(output)}: {error}, or give --format") from None


def check_installed() -> None:
    """Raise `PicturesNotInstalled` where the extra is missing."""
    if not drawn.installed():
        raise PicturesNotInstalled


def _write(output: str, data: bytes) -> None:
    try:
        if output != STANDARD_INPUT:
            drawn.write_whole(Path(output), data)
        elif sys.stdout is not None:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise Refusal("standard output: no process reads it any more", FAILED) from None
    except OSError as error:
        where = "standard output" if output == STANDARD_INPUT else shown(output)
        raise Refusal(f"{where}: {error.strerror or error}", FAILED) from None


@contextmanager
def refusing() -> Iterator[None]:
    """Say why there is no picture, naming options as they are called."""
    try:
        yield
    except PictureError as error:
        code = FAILED if isinstance(error, PictureFailed) else 2
        raise Refusal(_lines(error), code) from None


def _lines(error: PictureError) -> Sequence[str]:
    if not error.faults:
        return [printable(error.detail)]
    lines = [f"{_place(fault)}{printable(fault.detail)}" for fault in error.faults]
    if len(lines) == 1:
        return lines
    return [f"the picture cannot be so: {len(lines)} faults", *(f"  {line}" for line in lines)]


def _place(fault: Fault) -> str:
    first: Any = fault.pointer[0] if fault.pointer else ""
    return f"{_FLAGS.get(first, format_pointer(fault.pointer))}: " if fault.pointer else ""
