"""``steadygrid replan`` and ``forecast``: what is kept of a schedule, and what comes next."""

from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any

import typer

from steadygrid.cli import solve_options
from steadygrid.cli.answering import answer, memory_of
from steadygrid.cli.asking_options import ResultFile, ScheduleFile, asking_options, read_given
from steadygrid.cli.console import emit_lines
from steadygrid.cli.documents import read_answer
from steadygrid.cli.json_files import emit_json, fault_lines, read_input, read_json
from steadygrid.cli.solve_options import SolveRequest
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import Refusal, complain
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.domain.quantity import TIME, parse_quantity
from steadygrid.domain.rational import EXACT
from steadygrid.report.glyphs import printable
from steadygrid.report.quantities import cell_text
from steadygrid.studies.forecast import Forecast, forecast, read_table
from steadygrid.studies.measuring import ReplanRequest, read_request, time_unit
from steadygrid.studies.replan import replan, require_periodic
from steadygrid.studies.shown_replan import replan_lines
from steadygrid.submissions.submission import parse_submission


@asking_options(but=("horizon", "max_period", "time_limit"), behind="schedule")
def replan_command(
    files: solve_options.Files,
    asked: SolveRequest,
    result: ResultFile = None,
    schedule: ScheduleFile = None,
    measured: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="What was measured of processors, links and media, as JSON. forecast writes such a"
            " file.",
        ),
    ] = "",
    scale: Annotated[
        bool, typer.Option("--scale", help="The values are factors of what was planned.")
    ] = False,
    tolerance: Annotated[
        str | None,
        typer.Option(
            metavar="PART", help="Part of the optimum that is not worth a change. Default: 1/20."
        ),
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="Time that a change of schedule takes. Requires --horizon."
        ),
    ] = None,
    horizon: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Time that is left of the run. Requires --cost."),
    ] = None,
    max_period: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Longest period of the new schedule, or the word exact. Default: as the job asked.",
        ),
    ] = None,
    time_limit: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Longest time of each solve, such as 5min. Default: as the job asked.",
        ),
    ] = None,
    print_body: Annotated[
        bool,
        typer.Option("--print-body", help="Print the body with the current platform, and stop."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what a schedule still does on the platform as it was measured, and whether to change it."""
    if not measured:
        raise Refusal("say with --measured FILE what was measured")
    limits = settings().limits
    given = read_given(files, result, schedule, limits, measured, asked.mapping)
    submission = given.submission(replace(asked, time_limit=time_limit), limits)
    try:
        require_periodic(submission)
    except InstanceError as error:
        raise Refusal(printable(error.faults[0].detail)) from None
    label, where = time_unit(submission), given.files[0].shown
    more = {
        "tolerance": tolerance,
        "cost": _time("--cost", cost, label, where),
        "horizon": _time("--horizon", horizon, label, where),
        "max_period": max_period
        if max_period == EXACT
        else _time("--max-period", max_period, label, where),
        "time_limit": None if time_limit is None else _seconds(time_limit),
        "scale": scale or None,
    }
    request, alone = _read_request(measured, more, limits)
    memory = memory_of(asked.memory)
    try:
        found: tuple[Result, AnySchedule | None]
        if given.result is None:
            found = answer(submission, limits, memory)[:2]
        else:
            found = read_answer(submission, given.result, given.schedule, limits)
        study = replan(submission, *found, request, limits)
    except InstanceError as error:
        if not error.faults[0].pointer:
            raise Refusal(printable(error.faults[0].detail)) from None
        raise _refused(measured, error, alone=alone) from None
    if print_body:
        if study.body is None:
            raise Refusal(printable(study.notes[-1]))
        emit_json(study.body)
        return
    told = study.document()
    if study.body is not None and request.solve:
        told = study.judged(*answer(parse_submission(study.body, limits), limits, memory)[:2])
    if as_json:
        emit_json(told.model_dump(mode="json"))
    else:
        emit_lines(lambda width, glyphs: replan_lines(told, width, glyphs))


def _read_request(name: str, more: dict[str, Any], limits: Limits) -> tuple[ReplanRequest, bool]:
    """Read a request, or what was measured alone, and say which; options go before its members."""
    document = read_json(name, limits.max_body_bytes)
    alone = isinstance(document, dict) and "measured" not in document
    given = {key: value for key, value in more.items() if value is not None}
    if alone:
        document = {"measured": document}
    if isinstance(document, dict):
        document = document | given
    try:
        return read_request(document, limits), alone
    except (InstanceError, LimitError) as error:
        raise _refused(name, error, alone=alone) from None


def _time(flag: str, text: str | None, label: str | None, where: str) -> str | None:
    """Read a time, with a unit or in the platform's own."""
    if text is None:
        return None
    try:
        return str(parse_quantity(text, TIME, label, where))
    except ValueError as error:
        raise Refusal(f"{flag}: {error}") from None


def _seconds(text: str) -> float:
    return float(Fraction(_time("--time-limit", text, "s", "--time-limit") or 0))


_OPTIONS = ("tolerance", "cost", "horizon", "max_period", "time_limit")
"""Members of a request that options of the command give."""


def _refused(name: str, error: InstanceError | LimitError, *, alone: bool) -> Refusal:
    """Say faults by their places in the file, or by the names of options."""
    lines = []
    faults = []
    for fault in error.faults:
        if alone and fault.pointer[:1] == ("measured",):
            fault = fault._replace(pointer=fault.pointer[1:])
        elif fault.pointer and fault.pointer[0] in _OPTIONS:
            flag = str(fault.pointer[0]).replace("_", "-")
            lines.append(printable(f"--{flag}: {fault.detail} [{fault.code}]"))
            continue
        faults.append(fault)
    return Refusal([*(fault_lines(name, faults) if faults else []), *lines], coded=True)


def forecast_command(
    file: Annotated[
        str, typer.Argument(help="A table with the columns resource,at,speed. - is standard input.")
    ],
    method: Annotated[
        str, typer.Option(help="last, mean, median, harmonic, or best: the one that errs least.")
    ] = "best",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the forecasts with all errors instead.")
    ] = False,
) -> None:
    """Forecast speeds from past ones, and write them as what was measured, for replan."""
    limits = settings().limits
    try:
        text = read_input(file, limits.max_body_bytes).decode("utf-8-sig")
        told = forecast(read_table(text), method, limits=limits)
    except UnicodeDecodeError as error:
        raise Refusal(f"{printable(file)}: not a text in UTF-8: {error.reason}") from None
    except (InstanceError, LimitError) as error:
        raise Refusal(fault_lines(file, error.faults), coded=True) from None
    if as_json:
        emit_json(told.model_dump(mode="json"))
        return
    complain([printable(_said(one)) for one in told.forecasts])
    emit_json(told.measured)


def _said(one: Forecast) -> str:
    errors = ", ".join(f"{name} {cell_text(error)}" for name, error in one.errors.items())
    rounded = ", rounded to 12 digits" if one.rounded else ""
    return f"{one.resource}: {one.method} of {one.samples}{rounded}. Squared errors: {errors}"
