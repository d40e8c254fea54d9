"""What came of the jobs of a sweep: a line, bars, or maps of values over the parameters that vary.

One parameter of numbers is a line, and one of anything else is bars. Two are a map. Of more, there is a
map for each combination of the others. Names and values of parameters are data, as ids are.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from steadygrid.domain.errors import Fault
from steadygrid.domain.rational import approximate
from steadygrid.domain.wording import shown
from steadygrid.pictures.assembling import MARGIN, specification, subtitle_lines
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.house_style import FAINT, SERIES
from steadygrid.pictures.numbers import printed
from steadygrid.pictures.picture import Cell, Picture, PictureTable, Wanted
from steadygrid.pictures.ranking import Part, Row, drawn, label_cells
from steadygrid.pictures.sweep_maps import maps
from steadygrid.pictures.sweep_points import HEADINGS, Data, Drawing, Point, tooltip
from steadygrid.report.glyphs import UNICODE, printable, shorten
from steadygrid.report.quantities import exact_text
from steadygrid.studies.sweep_plan import Parameter
from steadygrid.studies.sweep_table import SweepRow

NAME = "table"
TITLE = "Values over the parameters"
MOST_BARS = 100
"""Jobs that have bars; the first ones."""
DECADES = 100
"""An axis is logarithmic where its end is so many times as far as its beginning."""
_HEIGHT = 300
_PADDING = 12
_FONT = 11
_TICK = 90
"""Pixels between ticks, at least."""


def sweep_picture(
    parameters: Sequence[Parameter],
    rows: Sequence[SweepRow],
    wanted: Wanted,
    *,
    together: bool = False,
    axes: Mapping[str, str] = MappingProxyType({}),
) -> Picture:
    """Draw the table of a sweep.

    Parameters
    ----------
    parameters, rows
        Of the sweep.
    wanted
        How the picture is to be.
    together
        Whether the parameters vary together (``zip``), so that one of them is the axis for all.
    axes
        Names of the parameters along the map, and down it, each by what this axis is called: ``x``
        and ``y``, or one of them. By default those with most values.

    Raises
    ------
    UnfitPicture
        ``no_axis``, at what the axis is called, for parameters that do not vary.
    """
    varying = [parameter for parameter in parameters if len(parameter.values) > 1]
    chosen = _chosen(varying, axes)
    if together and varying:
        chosen = chosen[:1] if axes else varying[:1]
    points = [Point.from_row(row, parameters) for row in rows]
    if len(chosen) == 2 and not together:
        drawing = maps(points, chosen, [p for p in varying if p not in chosen], wanted)
    else:
        axis = chosen[0] if chosen else (parameters[0] if parameters else None)
        others = [p for p in varying if p is not axis]
        drawing = _row(points, axis, () if together else others, wanted)
    told = subtitle_lines(drawing.says, wanted.width)
    return Picture(
        NAME,
        TITLE,
        _description(points),
        None if drawing.chart is None else specification(drawing.chart, wanted.theme, TITLE, told),
        drawing.data,
        _table(parameters, points),
        sum(map(len, drawing.data.values())),
    )


def _chosen(varying: Sequence[Parameter], axes: Mapping[str, str]) -> list[Parameter]:
    """Find the parameters on the axes: along and down."""
    known = {parameter.name: parameter for parameter in varying}
    names = ", ".join(map(shown, known)) or "none"
    detail = f"expected a parameter that varies and is not on the other axis: {names}"
    faults = [
        Fault((axis,), "no_axis", detail)
        for number, (axis, name) in enumerate(axes.items())
        if name not in known or name in [*axes.values()][:number]
    ]
    if faults:
        raise UnfitPicture(faults=faults)
    if axes:
        return [known[name] for name in axes.values()]
    return sorted(varying, key=lambda parameter: -len(parameter.values))[:2]


def _row(
    points: Sequence[Point],
    axis: Parameter | None,
    others: Sequence[Parameter],
    wanted: Wanted,
) -> Drawing:
    """Draw one parameter: a line where its values are numbers, else bars."""
    if axis is not None and not others:
        places = [point.numbers[axis.name] for point in points]
        if all(place is not None for place in places) and any(
            p.row.value not in (None, 0) for p in points
        ):
            return _line(points, axis, wanted)
    names = [axis, *others] if axis is not None else []
    cells = label_cells(wanted.width)
    colour = SERIES[wanted.theme][0]
    bars = [
        Row(
            shorten(", ".join(point.labels[p.name] for p in names) or "the job", cells, UNICODE),
            point.said,
            ()
            if point.row.value is None
            else (
                Part(
                    point.row.value,
                    colour,
                    dict(zip(HEADINGS, point.tooltip.values(), strict=True)),
                ),
            ),
        )
        for point in points[:MOST_BARS]
    ]
    if not bars:
        return Drawing(None, {}, "")
    chart, data, _ = drawn(bars, HEADINGS, wanted.theme, wanted.width)
    more = len(points) > MOST_BARS
    return Drawing(chart, data, f"The first {MOST_BARS} of {len(points):,} jobs" if more else "")


def _line(points: Sequence[Point], axis: Parameter, wanted: Wanted) -> Drawing:
    import altair as alt

    theme, inner = wanted.theme, wanted.width - 2 * MARGIN
    value, bound = SERIES[theme][0], SERIES[theme][1]
    rows = [
        {"across": point.numbers[axis.name], "value": point.row.approx} | point.tooltip
        for point in points
        if point.row.value is not None
    ]
    bounds = [
        {"across": point.numbers[axis.name], "value": _approximate(point.row.bound)} | point.tooltip
        for point in points
        if point.row.bound is not None and point.row.bound != point.row.value
    ]
    nothing = [
        {"across": point.numbers[axis.name]} | point.tooltip
        for point in points
        if point.row.value is None
    ]
    data: Data = {
        "values": rows,
        "bounds": bounds,
        "nothing": nothing,
        "name": [{"label": printable(axis.name)}],
    }
    places = [0.0 if place is None else place for place in (p.numbers[axis.name] for p in points)]
    ticks = max(3, wanted.width // _TICK)
    ends = alt.Scale(**_scale(places, zero=False))
    drawn_at = (row["value"] for row in (*rows, *bounds))
    heights = [height for height in drawn_at if isinstance(height, float)]
    up = alt.Scale(**_scale(heights, zero=True))
    shared: dict[str, Any] = {
        "x": alt.X(
            "across:Q",
            title=None,
            scale=ends,
            axis=alt.Axis(format=".6~g", grid=False, labelOverlap=True, tickCount=ticks),
        )
    }
    high = alt.Y("value:Q", title="value", scale=up, axis=alt.Axis(labelOverlap=True, tickCount=6))
    told = tooltip()
    lines = [
        alt.Chart(alt.NamedData("values")).mark_line(color=value).encode(y=high, **shared),
        alt.Chart(alt.NamedData("values"))
        .mark_point(filled=True, size=50, opacity=1, color=value)
        .encode(y=high, tooltip=told, **shared),
        alt.Chart(alt.NamedData("bounds"))
        .mark_point(shape="triangle-down", size=60, opacity=1, color=bound)
        .encode(y=high, tooltip=told, **shared),
        alt.Chart(alt.NamedData("nothing"))
        .mark_point(shape="cross", size=60, opacity=1, color=FAINT[theme])
        .encode(y=alt.value(_HEIGHT - 6), tooltip=told, **shared),
        alt.Chart(alt.NamedData("name"))
        .mark_text(align="right", baseline="top", fontSize=_FONT, color=FAINT[theme], dy=22)
        .encode(x=alt.value("width"), y=alt.value(_HEIGHT), text="label:N"),
    ]
    chart = alt.layer(*lines).properties(
        width=inner, height=_HEIGHT, autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
    )
    says = ["Each dot is a job"]
    if bounds:
        says.append("a triangle is what no schedule exceeds, where the value is not proved")
    if nothing:
        says.append("a cross at the bottom is a job without a value")
    return Drawing(chart, data, "; ".join(says))


def _scale(numbers: Sequence[float], *, zero: bool) -> dict[str, Any]:
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    if low > 0 and high >= DECADES * low:
        return {"type": "log", "nice": False, "padding": _PADDING}
    return {"zero": zero and low >= 0, "nice": False, "padding": _PADDING}


def _approximate(value: Fraction | None) -> float | None:
    return None if value is None else approximate(value)


def _description(points: Sequence[Point]) -> str:
    known = [point for point in points if point.row.value is not None]
    count = f"{len(points):,} jobs" if len(points) != 1 else "One job"
    if not known:
        return f"{count}, and none has a value yet."
    without = len(points) - len(known)
    least = min(known, key=lambda point: (point.row.value, point.row.index))
    most = max(known, key=lambda point: (point.row.value, -point.row.index))
    said = f"{count}{f', {without:,} of them without a value' if without else ''}"
    if least.row.value == most.row.value:
        return f"{said}: all values are {_value_text(least)}."
    return f"{said}: from {_value_text(least)} for {_point_text(least)} to {_value_text(most)} for {_point_text(most)}."


def _value_text(point: Point) -> str:
    assert point.row.value is not None
    return exact_text(point.row.value, UNICODE)


def _point_text(point: Point) -> str:
    pairs = (f"{printable(name)} = {text}" for name, text in point.labels.items())
    return shorten(", ".join(pairs) or "the job", 80, UNICODE)


def _table(parameters: Sequence[Parameter], points: Sequence[Point]) -> PictureTable:
    names = [parameter.name for parameter in parameters]
    rows: list[tuple[Cell, ...]] = [
        (
            point.row.index,
            *(point.labels[name] for name in names),
            point.row.state,
            point.row.outcome or point.row.error,
            None if point.row.value is None else printed(point.row.value),
            None if point.row.bound is None else printed(point.row.bound),
        )
        for point in points
    ]
    columns = ("job", *map(printable, names), "state", "outcome", "value", "bound")
    return PictureTable(columns, tuple(rows))
