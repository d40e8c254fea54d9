"""How a solve came to its answer: the best value found and the best bound proved, by second.

Each step is a point of the trace. Nothing is drawn before the first one, and where both lines are
known, the gap between them is shaded.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from steadygrid.domain.rational import approximate
from steadygrid.domain.trace import TracePoint
from steadygrid.domain.view import plural
from steadygrid.pictures.assembling import specification, subtitle_lines
from steadygrid.pictures.house_style import FAINT, SERIES
from steadygrid.pictures.numbers import exact, printed
from steadygrid.pictures.picture import Cell, Picture, PictureTable, Theme, Wanted
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.quantities import counted, exact_text, small_percent
from steadygrid.report.report import Report

NAME = "convergence"
TITLE = "How the solve came to its answer"
LEAST_POINTS = 2
"""With fewer it cannot be seen."""
DECADES = 100
"""An axis is logarithmic where its end is so many times as far as its beginning."""
MOST_DOTS = 60
"""Steps of a line that are marked one by one."""
VALUE, BOUND = "best found", "bound proved"
_HEIGHT = 260
_PADDING = 12
"""Pixels above and below the lines."""
_BESIDE = 0.05
"""Above and below a single number, as part of it."""
_TICK = 90
"""Pixels between ticks of seconds, at least."""
_WIDTHS = (1.8, 4)
"""Of lines: where they are one, both are seen."""
_LEAST_SECONDS = 1e-6
_HEADINGS = ("what", "number", "after", "written as", "iteration")


def applies_to(report: Report) -> bool:
    """Whether it is known how the solve came to the answer."""
    return len(report.trace) >= LEAST_POINTS


def picture(report: Report, wanted: Wanted) -> Picture:
    """Draw a trace.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    ValueError
        If there is none: `applies_to` says so beforehand.
    """
    trace = report.trace
    if not trace:
        raise ValueError("it is not known how the solve came to this answer")
    values = _Line(VALUE, trace, [point.value for point in trace])
    bounds = _Line(BOUND, trace, [point.bound for point in trace])
    data = {
        "gap": list(_gap(values, bounds)),
        "steps": [*bounds.steps, *values.steps],
        "dots": [*values.dots, *bounds.dots],
    }
    heights = [row["height"] for row in data["steps"]]
    axes = _Axes(_unit(report), _seconds(trace[0]), _seconds(trace[-1]), heights)
    return Picture(
        NAME,
        TITLE,
        _description(report, values, bounds),
        specification(
            _chart(axes, wanted.theme, wanted.width),
            wanted.theme,
            TITLE,
            subtitle_lines(_subtitle(report, values, bounds), wanted.width),
        ),
        data,
        _table(trace),
        sum(map(len, data.values())),
    )


class _Change(NamedTuple):
    """When a line took a number."""

    point: TracePoint
    number: Fraction


class _Line:
    """Values, or bounds, by second."""

    def __init__(
        self, name: str, trace: Sequence[TracePoint], numbers: Sequence[Fraction | None]
    ) -> None:
        self.name = name
        self.heights = [None if number is None else approximate(number) for number in numbers]
        self._trace = trace
        self.changes = [
            _Change(point, number)
            for point, number, before in zip(trace, numbers, (None, *numbers), strict=False)
            if number is not None and number != before
        ]

    @property
    def last(self) -> _Change | None:
        """What it ended with."""
        return self.changes[-1] if self.changes else None

    @property
    def steps(self) -> Iterator[dict[str, Any]]:
        """Give the corners of the line. What no double comes near is left out."""
        for point, height in zip(self._trace, self.heights, strict=True):
            if height is not None:
                yield {"line": self.name, "second": _seconds(point), "height": height}

    @property
    def dots(self) -> Iterator[dict[str, Any]]:
        """Give the changes to be marked; of very many only the last one."""
        few = self.changes if len(self.changes) <= MOST_DOTS else self.changes[-1:]
        for point, number in few:
            height = approximate(number)
            if height is not None:
                told = (
                    self.name,
                    exact(number),
                    f"{point.seconds:g} s",
                    "exact" if point.exact else "a solver's decimals",
                    "" if point.iteration is None else f"{point.iteration:,}",
                )
                yield {"line": self.name, "second": _seconds(point), "height": height} | {
                    f"told{place}": said for place, said in enumerate(told)
                }


def _seconds(point: TracePoint) -> float:
    return max(point.seconds, _LEAST_SECONDS)


def _gap(values: _Line, bounds: _Line) -> Iterator[dict[str, Any]]:
    points = zip(values._trace, values.heights, bounds.heights, strict=True)
    for (begin, value, bound), (end, _, _) in pairwise(points):
        if value is not None and bound is not None and value != bound:
            yield {"begin": _seconds(begin), "end": _seconds(end), "value": value, "bound": bound}


class _Axes(NamedTuple):
    unit: str
    first: float
    last: float
    heights: Sequence[float]

    @property
    def seconds(self) -> dict[str, Any]:
        """Give the scale of seconds: those of a search that goes on for long are logarithmic."""
        if self.last >= DECADES * self.first:
            return {"type": "log", "domain": [self.first, self.last], "nice": False}
        return {"domain": [0, self.last], "nice": False}

    @property
    def vertical(self) -> dict[str, Any]:
        """Give the other scale."""
        low, high = min(self.heights, default=0.0), max(self.heights, default=0.0)
        if low == high:
            # A scale without extent would have one tick, rounded and in the wrong place.
            beside = abs(low) * _BESIDE or 1.0
            return {"domain": [low - beside, low + beside], "nice": False}
        if low > 0 and high >= DECADES * low:
            return {"type": "log", "nice": False, "padding": _PADDING}
        return {"zero": False, "nice": False, "padding": _PADDING}


def _chart(axes: _Axes, theme: Theme, width: int) -> Any:
    import altair as alt

    words, ticks = [VALUE, BOUND], max(3, width // _TICK)

    def across(name: str) -> Any:
        axis = alt.Axis(format=".6~g", grid=False, labelOverlap=True, tickCount=ticks)
        return alt.X(f"{name}:Q", title="seconds", scale=alt.Scale(**axes.seconds), axis=axis)

    def up(name: str) -> Any:
        axis = alt.Axis(labelOverlap=True, tickCount=6)
        return alt.Y(f"{name}:Q", title=axes.unit, scale=alt.Scale(**axes.vertical), axis=axis)

    legend = alt.Legend(orient="bottom", direction="horizontal", symbolOpacity=1)
    of_line: dict[str, Any] = {
        "x": across("second"),
        "y": up("height"),
        "color": alt.Color(
            "line:N",
            title=None,
            scale=alt.Scale(domain=words, range=list(SERIES[theme][:2])),
            legend=legend,
        ),
    }
    shapes = alt.Scale(domain=words, range=["circle", "diamond"])
    gap = alt.Chart(alt.NamedData("gap")).mark_rect(color=FAINT[theme], opacity=0.18)
    steps = alt.Chart(alt.NamedData("steps")).mark_line(interpolate="step-after")
    dots = alt.Chart(alt.NamedData("dots")).mark_point(filled=True, size=60, opacity=1)
    return alt.layer(
        gap.encode(x=across("begin"), x2="end:Q", y=up("value"), y2="bound:Q"),
        steps.encode(
            **of_line,
            # A scale of widths would be in the legend of colours, or Vega warns of a conflict.
            strokeWidth=alt.condition(
                alt.datum.line == BOUND, alt.value(_WIDTHS[1]), alt.value(_WIDTHS[0])
            ),
        ),
        dots.encode(
            **of_line,
            shape=alt.Shape("line:N", title=None, scale=shapes, legend=legend),
            tooltip=[alt.Tooltip(f"told{i}:N", title=name) for i, name in enumerate(_HEADINGS)],
        ),
    ).properties(
        width=width,
        height=_HEIGHT,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
    )


def _unit(report: Report) -> str:
    objective = report.result.objective
    if objective is None:
        return ""
    if objective.name == "throughput":
        return f"{plural(report.noun)} {report.per_time}"
    return f"{objective.name.replace('_', ' ')} in {report.time_unit or 'time units'}"


def _number(report: Report, value: Fraction) -> str:
    text, objective = exact_text(value, UNICODE), report.result.objective
    if objective is not None and objective.name == "throughput":
        return f"{text} {counted(report.noun, value)} {report.per_time}"
    return f"{text} {report.time_unit}" if report.time_unit else text


def _subtitle(report: Report, values: _Line, bounds: _Line) -> str:
    parts = [
        f"{line.name} {exact_text(line.last.number, UNICODE)} after {line.last.point.seconds:.2g} s"
        for line in (values, bounds)
        if line.last is not None
    ]
    gap = report.result.gap
    if gap is not None:
        parts.append(f"gap {small_percent(gap)}" if gap > 0 else "no gap is left")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def _description(report: Report, values: _Line, bounds: _Line) -> str:
    end = f"{report.trace[-1].seconds:.2g} s"
    told = []
    for line, first in (
        (values, "The first answer, {}, was found"),
        (bounds, "A first bound, {}, was proved"),
    ):
        if line.last is None:
            continue
        one = line.changes[0]
        text = first.format(_number(report, one.number)) + f" after {one.point.seconds:.2g} s"
        if line.last is not one:
            text += f", the last, {_number(report, line.last.number)}, after"
            text += f" {line.last.point.seconds:.2g} s"
        told.append(text + ".")
    gap = report.result.gap
    if gap is not None:
        left = f"a gap of {small_percent(gap)}" if gap > 0 else "no gap"
        told.append(f"After {end} {left} was left.")
    schedule = report.schedule
    if schedule is not None and schedule.loss:
        less = small_percent(schedule.loss)
        told.append(f"These are rates; the schedule of a short period does {less} less.")
    return " ".join(told)


def _table(trace: Sequence[TracePoint]) -> PictureTable:
    rows: list[tuple[Cell, ...]] = [
        (
            f"{point.seconds:.6f}".rstrip("0").rstrip("."),
            point.iteration,
            None if point.value is None else printed(point.value),
            None if point.bound is None else printed(point.bound),
            "yes" if point.exact else "no",
        )
        for point in trace
    ]
    return PictureTable(("seconds", "iteration", VALUE, BOUND, "exact"), tuple(rows))
