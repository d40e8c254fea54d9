"""What came of the jobs of a sweep: a line, bars, or maps of values over the parameters that vary.

One parameter of numbers is a line; one of anything else, bars; two are a map; of more, there is a map
for each combination of the others. Names and values of parameters are data, as ids are.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from pydantic_core import PydanticCustomError

from steadygrid.domain.document import canonical_json
from steadygrid.domain.rational import approximate, parse_rational
from steadygrid.pictures.assembling import MARGIN, specification, subtitle_lines
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.house_style import FAINT, INK, SERIES, on_ramp, ramp
from steadygrid.pictures.labels import text_width
from steadygrid.pictures.numbers import exact, printed
from steadygrid.pictures.picture import Cell, Picture, PictureTable, Theme, Wanted
from steadygrid.pictures.ranking import Part, Row, drawn, label_cells
from steadygrid.report.glyphs import UNICODE, printable, shorten
from steadygrid.report.quantities import decimal_text, exact_text
from steadygrid.studies.sweep_plan import Parameter
from steadygrid.studies.sweep_table import SweepRow

NAME = "table"
TITLE = "Values over the parameters"
MOST_BARS = 100
"""Jobs that have bars; the first ones."""
MOST_MAPS = 12
"""Combinations of the parameters that are on no axis; the first ones are drawn."""
DECADES = 100
"""An axis is logarithmic where its end is so many times as far as its beginning."""
_HEADINGS = ("job", "parameters", "value", "bound", "outcome")
_HEIGHT = 300
_PADDING = 12
_FONT = 11
_TICK = 90
"""Pixels between ticks, at least."""
_LABELS = 0.3
"""Most of a drawing's width that labels of rows take."""
_LEAST_CELL, _MOST_CELL = 2.0, 96.0
_ROW, _MOST_ROWS, _HIGHEST = 24.0, 60, 1_200.0
"""Pixels of a row of a map; where it has more than so many rows, they share so many pixels."""
_GAP = 8
_LINE = 18
_SWATCH = 10

Data = dict[str, list[dict[str, Any]]]


def sweep_picture(
    parameters: Sequence[Parameter],
    rows: Sequence[SweepRow],
    wanted: Wanted,
    *,
    together: bool = False,
    axes: Sequence[str] = (),
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
        Names of the parameters along the map, and down it; by default those with most values.

    Raises
    ------
    UnfitPicture
        If there is no such parameter.
    """
    varying = [parameter for parameter in parameters if len(parameter.values) > 1]
    chosen = _chosen(varying, axes)
    if together and varying:
        chosen = chosen[:1] if axes else varying[:1]
    points = [_Point.of(row, parameters) for row in rows]
    if len(chosen) == 2 and not together:
        drawing = _maps(points, chosen, [p for p in varying if p not in chosen], wanted)
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


def _chosen(varying: Sequence[Parameter], axes: Sequence[str]) -> list[Parameter]:
    """Find the parameters on the axes: along and down."""
    known = {parameter.name: parameter for parameter in varying}
    unknown = [name for name in axes if name not in known]
    if unknown or len(set(axes)) < len(axes) or len(axes) > 2:
        raise UnfitPicture("axes are one or two different parameters of the sweep that vary")
    if axes:
        return [known[name] for name in axes]
    return sorted(varying, key=lambda parameter: -len(parameter.values))[:2]


@dataclass(frozen=True)
class _Point:
    """A job, as it is drawn."""

    row: SweepRow
    labels: Mapping[str, str]
    """Of its values, by parameter."""
    numbers: Mapping[str, float | None]

    @classmethod
    def of(cls, row: SweepRow, parameters: Sequence[Parameter]) -> "_Point":
        values = {p.name: row.parameters[p.name] for p in parameters}
        return cls(
            row,
            {name: label(value) for name, value in values.items()},
            {name: _number(value) for name, value in values.items()},
        )

    @property
    def said(self) -> str:
        """What it came to, in a word or a number."""
        if self.row.value is not None:
            return decimal_text(self.row.value)
        return (self.row.outcome or self.row.state).replace("_", " ")

    @property
    def told(self) -> dict[str, str]:
        """What its tooltip says."""
        row = self.row
        said = (
            f"{row.index:,}",
            ", ".join(f"{printable(name)} = {text}" for name, text in self.labels.items()),
            "" if row.value is None else exact(row.value),
            "" if row.bound is None else exact(row.bound),
            (row.outcome or row.error or row.state).replace("_", " "),
        )
        return {f"told{place}": text for place, text in enumerate(said)}


class _Drawing(NamedTuple):
    chart: Any
    data: Data
    says: str


def label(value: Any) -> str:
    """Write a value of a parameter for people."""
    return printable(value if isinstance(value, str) else canonical_json(value))


def _number(value: Any) -> float | None:
    try:
        return approximate(parse_rational(value))
    except PydanticCustomError:
        return None


def _tooltip() -> list[Any]:
    import altair as alt

    return [alt.Tooltip(f"told{i}:N", title=name) for i, name in enumerate(_HEADINGS)]


def _row(
    points: Sequence[_Point],
    axis: Parameter | None,
    others: Sequence[Parameter],
    wanted: Wanted,
) -> _Drawing:
    """Draw one parameter: a line where its values are numbers, else bars."""
    if axis is not None and not others:
        places = [point.numbers[axis.name] for point in points]
        if all(place is not None for place in places) and any(p.row.value for p in points):
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
                    dict(zip(_HEADINGS, point.told.values(), strict=True)),
                ),
            ),
        )
        for point in points[:MOST_BARS]
    ]
    if not bars:
        return _Drawing(None, {}, "")
    chart, data, _ = drawn(bars, _HEADINGS, wanted.theme, wanted.width)
    more = len(points) > MOST_BARS
    return _Drawing(chart, data, f"The first {MOST_BARS} of {len(points):,} jobs" if more else "")


def _line(points: Sequence[_Point], axis: Parameter, wanted: Wanted) -> _Drawing:
    import altair as alt

    theme, inner = wanted.theme, wanted.width - 2 * MARGIN
    value, bound = SERIES[theme][0], SERIES[theme][1]
    rows = [
        {"across": point.numbers[axis.name], "value": point.row.approx} | point.told
        for point in points
        if point.row.value is not None
    ]
    bounds = [
        {"across": point.numbers[axis.name], "value": _approximate(point.row.bound)} | point.told
        for point in points
        if point.row.bound is not None and point.row.bound != point.row.value
    ]
    nothing = [
        {"across": point.numbers[axis.name]} | point.told
        for point in points
        if point.row.value is None
    ]
    data: Data = {
        "values": rows,
        "bounds": bounds,
        "nothing": nothing,
        "name": [{"label": printable(axis.name)}],
    }
    places = [point.numbers[axis.name] or 0.0 for point in points]
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
    tooltip = _tooltip()
    lines = [
        alt.Chart(alt.NamedData("values")).mark_line(color=value).encode(y=high, **shared),
        alt.Chart(alt.NamedData("values"))
        .mark_point(filled=True, size=50, opacity=1, color=value)
        .encode(y=high, tooltip=tooltip, **shared),
        alt.Chart(alt.NamedData("bounds"))
        .mark_point(shape="triangle-down", size=60, opacity=1, color=bound)
        .encode(y=high, tooltip=tooltip, **shared),
        alt.Chart(alt.NamedData("nothing"))
        .mark_point(shape="cross", size=60, opacity=1, color=FAINT[theme])
        .encode(y=alt.value(_HEIGHT - 6), tooltip=tooltip, **shared),
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
    return _Drawing(chart, data, "; ".join(says))


def _scale(numbers: Sequence[float], *, zero: bool) -> dict[str, Any]:
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    if low > 0 and high >= DECADES * low:
        return {"type": "log", "nice": False, "padding": _PADDING}
    return {"zero": zero and low >= 0, "nice": False, "padding": _PADDING}


def _approximate(value: Fraction | None) -> float | None:
    return None if value is None else approximate(value)


def _maps(
    points: Sequence[_Point],
    axes: Sequence[Parameter],
    others: Sequence[Parameter],
    wanted: Wanted,
) -> _Drawing:
    """Draw a map for each combination of the other parameters, one below the other."""
    along, down = axes
    panels: dict[tuple[str, ...], list[_Point]] = {}
    for point in points:
        panels.setdefault(tuple(point.labels[p.name] for p in others), []).append(point)
    order = [
        key
        for key in product(*(dict.fromkeys(map(label, p.values)) for p in others))
        if key in panels
    ]
    shown = [point for key in order[:MOST_MAPS] for point in panels[key]]
    classes = _Classes(shown, wanted.theme)
    sheet = _Sheet(along, down, classes, wanted)
    for key in order[:MOST_MAPS]:
        heading = ", ".join(f"{p.name} = {text}" for p, text in zip(others, key, strict=True))
        sheet.add(printable(heading), panels[key])
    says = "Darker is more" if wanted.theme == "light" else "Lighter is more"
    if len(order) > MOST_MAPS:
        says += f"; the first {MOST_MAPS} of {len(order):,} maps"
    return _Drawing(sheet.chart(), sheet.data, says)


class _Classes:
    """Values in a few classes of equal extent; exact, so that what is equal looks equal."""

    def __init__(self, points: Sequence[_Point], theme: Theme) -> None:
        values = [point.row.value for point in points if point.row.value is not None]
        self._theme = theme
        self._low, self._high = min(values, default=Fraction(0)), max(values, default=Fraction(0))
        self._number = len(ramp(theme))

    def of(self, value: Fraction) -> int:
        """Give the class of a value."""
        if self._low == self._high:
            return self._number - 1
        share = (value - self._low) / (self._high - self._low)
        return min(int(share * self._number), self._number - 1)

    @property
    def keys(self) -> Iterator[tuple[str, str]]:
        """Give the ends of each class, and its colour."""
        colours = ramp(self._theme)
        if self._low == self._high:
            yield decimal_text(self._low), colours[-1]
            return
        step = (self._high - self._low) / self._number
        for place, colour in enumerate(colours):
            begin, end = self._low + place * step, self._low + (place + 1) * step
            yield f"{decimal_text(begin)} to {decimal_text(end)}", colour


class _Sheet:
    """Maps in pixels, one below the other."""

    def __init__(
        self, along: Parameter, down: Parameter, classes: _Classes, wanted: Wanted
    ) -> None:
        self._along, self._down, self._classes = along, down, classes
        self._theme, self._inner = wanted.theme, wanted.width - 2.0 * MARGIN
        self._columns = _places(along)
        self._rows = _places(down)
        widest = max(text_width(text, _FONT) for text in (*self._rows, printable(down.name)))
        self._left = min(widest + _GAP, self._inner * _LABELS)
        room = (self._inner - self._left) / len(self._columns)
        self._width = max(_LEAST_CELL, min(room, _MOST_CELL))
        many = len(self._rows) > _MOST_ROWS
        self._step = _HIGHEST / len(self._rows) if many else _ROW
        self._y = 0.0
        self.data: Data = {name: [] for name in ("cells", "said", "labels", "ends", "keys")}
        self._legend()

    def _legend(self) -> None:
        x = 0.0
        for text, colour in self._classes.keys:
            taken = text_width(text, _FONT) + _SWATCH + 3 * _GAP
            if x and x + taken > self._inner:
                x, self._y = 0.0, self._y + _LINE
            place = {"x": x + _SWATCH / 2, "y": self._y + _LINE / 2}
            self.data["keys"].append(place | {"colour": colour, "label": text})
            x += taken
        self._y += _LINE + _GAP

    def _write(self, name: str, x: float, y: float, text: str) -> None:
        self.data[name].append({"x": x, "y": y, "label": text})

    def add(self, heading: str, points: Sequence[_Point]) -> None:
        """Add a map."""
        if heading:
            self._write("labels", 0.0, self._y + _LINE / 2, heading)
            self._y += _LINE
        last = self._left + self._width * len(self._columns)
        self._write("labels", self._left, self._y + _LINE / 2, printable(self._along.name))
        self._write("ends", self._left - _GAP, self._y + 1.5 * _LINE, printable(self._down.name))
        free = self._left
        for text, place in self._columns.items():
            x = self._left + self._width * (place + 0.5)
            half = text_width(text, _FONT) / 2
            if x - half >= free and x + half <= max(last, x + self._width / 2) + _GAP:
                self._write("labels", x - half, self._y + 1.5 * _LINE, text)
                free = x + half + _GAP
        top, drawn_to = self._y + 2 * _LINE, -1.0
        for text, place in self._rows.items():
            y = top + self._step * (place + 0.5)
            if y >= drawn_to:
                cells = max(3, int((self._left - _GAP) / text_width("x", _FONT)))
                self._write("ends", self._left - _GAP, y, shorten(text, cells, UNICODE))
                drawn_to = y + min(_LINE, _ROW) - 4
        for point in points:
            self._cell(point, top)
        self._y = top + self._step * len(self._rows) + 2 * _GAP

    def _cell(self, point: _Point, top: float) -> None:
        x = self._left + self._width * self._columns[point.labels[self._along.name]]
        y = top + self._step * self._rows[point.labels[self._down.name]]
        value = point.row.value
        place = 0 if value is None else self._classes.of(value)
        colour = FAINT[self._theme] if value is None else ramp(self._theme)[place]
        box = {"x": x, "x2": x + self._width, "y": y, "y2": y + self._step, "colour": colour}
        self.data["cells"].append(box | point.told)
        fits = text_width(point.said, _FONT) + 4 <= self._width and self._step >= _LINE
        if fits:
            middle = {"x": x + self._width / 2, "y": y + self._step / 2, "label": point.said}
            ink = on_ramp(self._theme, None if value is None else place)
            self.data["said"].append(middle | {"colour": ink})

    def chart(self) -> Any:
        """Make the chart of all maps."""
        import altair as alt

        height = self._y
        across = alt.Scale(domain=[0, self._inner], nice=False, zero=False)
        downwards = alt.Scale(domain=[0, height], nice=False, zero=False, reverse=True)
        place = {
            "x": alt.X("x:Q", axis=None, scale=across),
            "y": alt.Y("y:Q", axis=None, scale=downwards),
        }
        coloured = alt.Color("colour:N", scale=None, legend=None)

        def text(name: str, **mark: Any) -> Any:
            chart = alt.Chart(alt.NamedData(name))
            return chart.mark_text(baseline="middle", fontSize=_FONT, **mark)

        cells = alt.Chart(alt.NamedData("cells")).mark_rect(strokeWidth=0)
        swatches = alt.Chart(alt.NamedData("keys")).mark_square(size=_SWATCH**2 * 1.4, opacity=1)
        ink = INK[self._theme]
        layers = [
            cells.encode(x2="x2:Q", y2="y2:Q", color=coloured, tooltip=_tooltip(), **place),
            text("said", align="center").encode(text="label:N", color=coloured, **place),
            text("labels", align="left", color=ink).encode(text="label:N", **place),
            text("ends", align="right", color=ink).encode(text="label:N", **place),
            swatches.encode(color=coloured, **place),
            text("keys", align="left", color=ink, dx=_SWATCH).encode(text="label:N", **place),
        ]
        fit = alt.AutoSizeParams(type="fit-x", contains="padding")
        return alt.layer(*layers).properties(width=self._inner, height=height, autosize=fit)


def _places(parameter: Parameter) -> dict[str, int]:
    """Give each value of a parameter its number; those that read alike are one."""
    return {text: place for place, text in enumerate(dict.fromkeys(map(label, parameter.values)))}


def _description(points: Sequence[_Point]) -> str:
    known = [point for point in points if point.row.value is not None]
    count = f"{len(points):,} jobs" if len(points) != 1 else "One job"
    if not known:
        return f"{count}, and none has a value yet."
    without = len(points) - len(known)
    least = min(known, key=lambda point: (point.row.value, point.row.index))
    most = max(known, key=lambda point: (point.row.value, -point.row.index))
    said = f"{count}{f', {without:,} of them without a value' if without else ''}"
    if least.row.value == most.row.value:
        return f"{said}: all values are {_told(least)}."
    return f"{said}: from {_told(least)} for {_where(least)} to {_told(most)} for {_where(most)}."


def _told(point: _Point) -> str:
    assert point.row.value is not None
    return exact_text(point.row.value, UNICODE)


def _where(point: _Point) -> str:
    pairs = (f"{printable(name)} = {text}" for name, text in point.labels.items())
    return shorten(", ".join(pairs) or "the job", 80, UNICODE)


def _table(parameters: Sequence[Parameter], points: Sequence[_Point]) -> PictureTable:
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
