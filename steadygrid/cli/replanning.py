"""``steadygrid replan`` and ``forecast``: what is kept of a schedule, and what comes next."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.text import Text

from steadygrid.cli.answering import answer
from steadygrid.cli.console import emit_lines
from steadygrid.cli.documents import InstanceFile, ResultFile, read_answer, read_submission
from steadygrid.cli.json_files import emit_json, fault_lines, read_input, read_json
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import Refusal, complain
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.report.glyphs import Glyphs, printable
from steadygrid.report.layout import Column, folded, table
from steadygrid.report.quantities import cell_text, exact_text, percent
from steadygrid.studies.forecast import Forecast, forecast, read_table
from steadygrid.studies.measuring import ReplanRequest, read_request
from steadygrid.studies.replan import replan, require_periodic
from steadygrid.studies.replanned import KeptRate, ReplanOut
from steadygrid.studies.sentences import changes
from steadygrid.submissions.submission import parse_submission

_AT_MOST = 2
"""Resources that a line names."""
_ADVICE = {
    ("same_slots", "keep"): "keep the schedule as it is",
    ("same_slots", "change"): "change",
    ("same_shares", "keep"): "keep the shares, cut the slots anew",
    ("same_shares", "change"): "change",
    ("same_shares", None): "unknown: this is a bound",
}


def replan_command(
    instance: InstanceFile,
    result: ResultFile = None,
    schedule: Annotated[
        str | None, typer.Argument(help="Its schedule, as solve --schedule writes it.")
    ] = None,
    measured: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="What was measured, as JSON: processors, links, media; forecast writes such a file.",
        ),
    ] = "",
    scale: Annotated[
        bool, typer.Option("--scale", help="The values are factors of what was planned.")
    ] = False,
    tolerance: Annotated[
        str | None,
        typer.Option(
            metavar="PART", help="Part of the optimum that is not worth a change; default: 1/20."
        ),
    ] = None,
    cost: Annotated[
        str | None, typer.Option(metavar="TIME", help="That a change takes; with --horizon.")
    ] = None,
    horizon: Annotated[
        str | None, typer.Option(metavar="TIME", help="That is left; with --cost.")
    ] = None,
    print_body: Annotated[
        bool,
        typer.Option(
            "--print-body", help="Print the body on the platform of now, and solve nothing."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what a schedule still does on the platform as it was measured, and whether to change it."""
    if not measured:
        raise Refusal("say with --measured FILE what was measured")
    if [instance, result, schedule, measured].count("-") > 1:
        raise Refusal("only one of the files can be standard input")
    limits = settings().limits
    submission = read_submission(instance, limits)
    more = {"tolerance": tolerance, "cost": cost, "horizon": horizon, "scale": scale or None}
    request, alone = _read_request(measured, more, limits)
    try:
        require_periodic(submission)
        found: tuple[Result, AnySchedule | None]
        if result is None:
            found = answer(submission, limits)[:2]
        else:
            found = read_answer(submission, result, schedule, limits)
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
        told = study.judged(*answer(parse_submission(study.body, limits), limits)[:2])
    if as_json:
        emit_json(told.model_dump(mode="json"))
    else:
        emit_lines(lambda width, glyphs: lines_of(told, width, glyphs))


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


def _refused(name: str, error: InstanceError | LimitError, *, alone: bool) -> Refusal:
    """Say faults by their places in the file, or by the names of options."""
    lines = []
    faults = []
    for fault in error.faults:
        if alone and fault.pointer[:1] == ("measured",):
            fault = fault._replace(pointer=fault.pointer[1:])
        elif fault.pointer and fault.pointer[0] in ("tolerance", "cost", "horizon"):
            lines.append(printable(f"--{fault.pointer[0]}: {fault.detail}"))
            continue
        faults.append(fault)
    return Refusal([*(fault_lines(name, faults) if faults else []), *lines])


def lines_of(told: ReplanOut, width: int, glyphs: Glyphs) -> list[Text]:
    """Draw what is known: what was done, what is kept, what is best now, what changes, notes.

    Parameters
    ----------
    told
        What replanning found.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    sentences = [
        f"The schedule was made for {exact_text(told.before.value, glyphs)} per time unit."
    ]
    lines = [Text(line) for line in folded(sentences[0], width)]
    columns = [
        Column("on the platform of now"),
        Column("throughput", right=True),
        Column("of the best", right=True),
        Column("limited by", optional=True),
    ]
    lines += [Text(), *table(columns, list(_rows(told)), width, glyphs), Text()]
    for sentence in (*_closing(told, glyphs), *(f"note: {note}" for note in told.notes)):
        lines += [Text(line) for line in folded(printable(sentence), width)]
    return lines


def _rows(told: ReplanOut) -> Iterator[list[str]]:
    parts = told.of_optimum
    slots, shares = (None, None) if parts is None else (parts.same_slots, parts.same_shares)
    for title, kept, part in (
        ("as it stands", told.kept.same_slots, slots),
        ("slots cut anew", told.kept.same_shares, shares),
    ):
        sign = "" if kept.exact else "<= "
        share = "" if part is None else sign + percent(part)
        yield [title, sign + cell_text(kept.value), share, _limits(kept)]
    if told.optimum is not None:
        bound = told.bound
        best = "best" if bound is not None and bound.value == told.optimum.value else "best known"
        yield [best, cell_text(told.optimum.value), "100 %" if told.optimum.value else "", ""]


def _limits(kept: KeptRate) -> str:
    names = kept.limited_by
    more = f" and {len(names) - _AT_MOST} more" if len(names) > _AT_MOST else ""
    return printable(", ".join(names[:_AT_MOST]) + more)


def _closing(told: ReplanOut, glyphs: Glyphs) -> Iterator[str]:
    if told.advice is not None:
        slots = _ADVICE["same_slots", told.advice.same_slots]
        shares = _ADVICE["same_shares", told.advice.same_shares]
        by = "the tolerance"
        if told.whole_cost is not None and told.horizon is not None:
            cost, left = (exact_text(one, glyphs) for one in (told.whole_cost, told.horizon))
            by = f"a change that takes {cost} of {left}"
        yield f"By {by}, as it stands: {slots}; with slots cut anew: {shares}."
    if told.change is not None:
        yield changes(told.change)


def forecast_command(
    file: Annotated[
        str, typer.Argument(help="A table with the columns resource,at,speed; - is standard input.")
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
        raise Refusal(fault_lines(file, error.faults)) from None
    if as_json:
        emit_json(told.model_dump(mode="json"))
        return
    complain([printable(_said(one)) for one in told.forecasts])
    emit_json(told.measured)


def _said(one: Forecast) -> str:
    errors = ", ".join(f"{name} {cell_text(error)}" for name, error in one.errors.items())
    rounded = ", rounded to 12 digits" if one.rounded else ""
    return f"{one.resource}: {one.method} of {one.samples}{rounded}; squared errors: {errors}"
