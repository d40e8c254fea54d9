"""Maps of a sweep's values over two of its parameters, one below the other for those of the others."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from steadygrid.pictures.assembling import MARGIN
from steadygrid.pictures.house_style import FAINT, INK, on_ramp, ramp
from steadygrid.pictures.labels import text_width
from steadygrid.pictures.picture import Theme, Wanted
from steadygrid.pictures.sweep_points import Data, Drawing, Point, label, tooltip
from steadygrid.report.glyphs import UNICODE, printable, shorten
from steadygrid.report.quantities import decimal_text
from steadygrid.studies.sweep_plan import Parameter

MOST_MAPS = 12
"""Combinations of the parameters that are on no axis. The first ones are drawn."""
_FONT = 11
_LABELS = 0.3
"""Most of a drawing's width that labels of rows take."""
_LEAST_CELL, _MOST_CELL = 2.0, 96.0
_ROW, _MOST_ROWS, _HIGHEST = 24.0, 60, 1_200.0
"""Pixels of a row of a map. Where it has more than so many rows, they share so many pixels."""
_GAP = 8
_LINE = 18
_SWATCH = 10


def maps(
    points: Sequence[Point],
    axes: Sequence[Parameter],
    others: Sequence[Parameter],
    wanted: Wanted,
) -> Drawing:
    """Draw a map for each combination of the other parameters, one below the other.

    Parameters
    ----------
    points
        The jobs of the sweep.
    axes
        Two parameters: along, and down.
    others
        Parameters that vary besides.
    wanted
        Theme, size, and what is to be shown.
    """
    along, down = axes
    panels: dict[tuple[str, ...], list[Point]] = {}
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
    return Drawing(sheet.chart(), sheet.data, says)


class _Classes:
    """Values in a few classes of equal extent; exact, so that what is equal looks equal."""

    def __init__(self, points: Sequence[Point], theme: Theme) -> None:
        values = [point.row.value for point in points if point.row.value is not None]
        self._theme = theme
        self._low, self._high = min(values, default=Fraction(0)), max(values, default=Fraction(0))
        self._number = len(ramp(theme))

    def class_of(self, value: Fraction) -> int:
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

    def add(self, heading: str, points: Sequence[Point]) -> None:
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

    def _cell(self, point: Point, top: float) -> None:
        x = self._left + self._width * self._columns[point.labels[self._along.name]]
        y = top + self._step * self._rows[point.labels[self._down.name]]
        value = point.row.value
        place = 0 if value is None else self._classes.class_of(value)
        colour = FAINT[self._theme] if value is None else ramp(self._theme)[place]
        box = {"x": x, "x2": x + self._width, "y": y, "y2": y + self._step, "colour": colour}
        self.data["cells"].append(box | point.tooltip)
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
            cells.encode(x2="x2:Q", y2="y2:Q", color=coloured, tooltip=tooltip(), **place),
            text("said", align="center").encode(text="label:N", color=coloured, **place),
            text("labels", align="left", color=ink).encode(text="label:N", **place),
            text("ends", align="right", color=ink).encode(text="label:N", **place),
            swatches.encode(color=coloured, **place),
            text("keys", align="left", color=ink, dx=_SWATCH).encode(text="label:N", **place),
        ]
        fit = alt.AutoSizeParams(type="fit-x", contains="padding")
        return alt.layer(*layers).properties(width=self._inner, height=height, autosize=fit)


def _places(parameter: Parameter) -> dict[str, int]:
    """Give each value of a parameter its number. Those that read alike are one."""
    return {text: place for place, text in enumerate(dict.fromkeys(map(label, parameter.values)))}
