"""Rows of a ranking: a label, a bar of one or several parts, and what is said at its end.

Pictures of this form have no axis: what a bar's length stands for is written next to it. Labels and
the legend are marks like the bars, so that ids are nothing but data.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

from rich.cells import cell_len

from steadygrid.pictures.assembling import MARGIN
from steadygrid.pictures.house_style import FAINT, INK
from steadygrid.pictures.picture import Theme
from steadygrid.report.glyphs import UNICODE, shorten

_LONGEST_LABEL = 34
"""Cells of a label."""
_CHARACTER = 7.4
"""Pixels of most characters of labels, rather too many."""
_FONT = 12
_STEP, _BAR = 24, 15
_LEGEND_STEP, _SWATCH = 20, 10
_LONGEST_KEY = 30
_BETWEEN = 1
"""Pixels between the parts of a bar."""
_GAP = 8
"""Pixels between texts and bars."""
_LABELS = 0.44
"""Most of a drawing's width that labels take."""
_LEAST = 1.5
"""Pixels of the shortest bar, so that what is not zero is seen."""

Data = dict[str, list[dict[str, Any]]]


class Part(NamedTuple):
    """A part of a row's bar."""

    length: Fraction
    colour: str
    told: Mapping[str, str]
    """What the tooltip says, by its headings: those that `drawn` is given."""


class Row(NamedTuple):
    """A row of the ranking."""

    label: str
    said: str
    """Next to the bar's end; beyond all bars where a line crosses them."""
    parts: tuple[Part, ...]
    strong: bool = False
    """Whether it is set off, by its weight."""
    dots: tuple[Part, ...] = ()
    """Points, each as far from the beginning as it is long."""


@dataclass(frozen=True)
class Mark:
    """A line across all bars."""

    at: Fraction
    label: str


def drawn(
    rows: Sequence[Row],
    headings: Sequence[str],
    theme: Theme,
    width: int,
    legend: Sequence[tuple[str, str]] = (),
    mark: Mark | None = None,
) -> tuple[Any, Data, int]:
    """Make the chart.

    Parameters
    ----------
    headings
        Of tooltips.
    width
        Pixels of the whole drawing.
    legend
        Words and their colours.

    Returns
    -------
    tuple
        The chart, its rows by the name of their data, and the number of its marks.

    Raises
    ------
    ValueError
        If there is no row.
    """
    import altair as alt

    inner = width - 2 * MARGIN
    longest = max(cell_len(row.label) for row in rows)
    left = min(longest * _CHARACTER + _GAP, inner * _LABELS)
    right = inner - _CHARACTER * max(cell_len(row.said) for row in rows) - _GAP
    frame = _Frame(rows, left, right, mark)
    keys, top = _legend(legend, inner)
    top += 16 if mark else 0
    height = top + _STEP * len(rows)
    data = frame.data(top, height) | {"keys": keys}

    def place(x: str, y: str, x2: str = "", y2: str = "") -> dict[str, Any]:
        ends = {"x2": f"{x2}:Q"} if x2 else {}
        across = alt.Scale(domain=[0, inner], nice=False, zero=False)
        down = alt.Scale(domain=[0, height], nice=False, zero=False, reverse=True)
        return ends | {
            **({"y2": f"{y2}:Q"} if y2 else {}),
            "x": alt.X(f"{x}:Q", axis=None, scale=across),
            "y": alt.Y(f"{y}:Q", axis=None, scale=down),
        }

    def chart(name: str) -> Any:
        return alt.Chart(alt.NamedData(name))

    colour = alt.Color("colour:N", scale=None, legend=None)
    tips = [alt.Tooltip(f"told{i}:N", title=name) for i, name in enumerate(headings)]
    text = {"baseline": "middle", "fontSize": _FONT}
    label = text | {"align": "right", "limit": left, "color": INK[theme]}
    layers = [
        chart("bars").mark_rect(cornerRadius=2),
        chart("labels").mark_text(**label),
        chart("strong").mark_text(**label, fontWeight="bold"),
        chart("said").mark_text(**text, align="left", color=FAINT[theme]),
        chart("keys").mark_square(size=_SWATCH**2, opacity=1),
        chart("keys").mark_text(**text, align="left", color=FAINT[theme], dx=_SWATCH),
    ]
    codes = [
        place("x", "y", "x2", "y2") | {"color": colour, "tooltip": tips},
        place("x", "y") | {"text": "label:N"},
        place("x", "y") | {"text": "label:N"},
        place("x", "y") | {"text": "label:N"},
        place("x", "y") | {"color": colour},
        place("x", "y") | {"text": "label:N"},
    ]
    if data["dots"]:
        layers.append(chart("dots").mark_tick(thickness=2, size=_BAR, color=INK[theme]))
        codes.append(place("x", "y") | {"tooltip": tips})
    if mark:
        layers.append(chart("mark").mark_rule(color=INK[theme], strokeDash=[3, 2]))
        codes.append(place("x", "y", "", "y2"))
        layers.append(chart("mark").mark_text(**text | {"fontSize": 11}, color=INK[theme]))
        codes.append(place("x", "label_y") | {"text": "label:N"})
    layered = alt.layer(*(one.encode(**code) for one, code in zip(layers, codes, strict=True)))
    marks = sum(map(len, data.values())) + len(keys)
    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    return layered.properties(width=width, height=height, autosize=fit), data, marks


class _Frame:
    """Where on paper everything is."""

    def __init__(self, rows: Sequence[Row], left: float, right: float, mark: Mark | None) -> None:
        self._rows, self._left, self._right, self._mark = rows, left, max(right, left + 20), mark
        lengths = [sum((part.length for part in row.parts), Fraction(0)) for row in rows]
        dots = [dot.length for row in rows for dot in row.dots]
        self._lengths = lengths
        self._most = max(*lengths, *dots, mark.at if mark else Fraction(0)) or Fraction(1)

    def _x(self, length: Fraction) -> float:
        return round(self._left + float(length / self._most) * (self._right - self._left), 2)

    def data(self, top: float, height: float) -> Data:
        found: Data = {name: [] for name in ("bars", "labels", "strong", "said", "dots", "mark")}
        for number, (row, length) in enumerate(zip(self._rows, self._lengths, strict=True)):
            y = top + _STEP * number + _STEP / 2
            across = {"y": y - _BAR / 2, "y2": y + _BAR / 2}
            ends = list(accumulate((part.length for part in row.parts), initial=Fraction(0)))
            for part, begin, end in zip(row.parts, ends, ends[1:], strict=False):
                if part.length:
                    x = self._x(begin)
                    gap = _BETWEEN if end < length else 0
                    x2 = max(self._x(end) - gap, round(x + _LEAST, 2))
                    found["bars"].append({"x": x, "x2": x2} | across | _tooltip_fields(part))
            name = "strong" if row.strong else "labels"
            found[name].append({"x": self._left - _GAP, "y": y, "label": row.label})
            # Beyond a line across all bars, which would strike it through.
            end = self._most if self._mark else length
            found["said"].append({"x": self._x(end) + _GAP, "y": y, "label": row.said})
            found["dots"] += [
                {"x": self._x(dot.length), "y": y} | _tooltip_fields(dot) for dot in row.dots
            ]
        if self._mark:
            line = {"x": self._x(self._mark.at), "y": top, "y2": height, "label_y": top - 8}
            found["mark"].append(line | {"label": self._mark.label})
        return found


def _tooltip_fields(part: Part) -> dict[str, str]:
    return {"colour": part.colour} | {f"told{i}": said for i, said in enumerate(part.told.values())}


def _legend(keys: Sequence[tuple[str, str]], inner: float) -> tuple[list[dict[str, Any]], float]:
    """Set the legend in lines; give it with its height."""
    x, line = 0.0, 0
    found: list[dict[str, Any]] = []
    for word, colour in keys:
        short = shorten(word, _LONGEST_KEY, UNICODE)
        taken = cell_len(short) * _CHARACTER + _SWATCH + 20
        if x and x + taken > inner:
            x, line = 0.0, line + 1
        y = _LEGEND_STEP * line + _LEGEND_STEP / 2
        found.append({"x": x + _SWATCH / 2, "y": y, "colour": colour, "label": short})
        x += taken
    return found, _LEGEND_STEP * (line + 1) + 4 if keys else 0


def label_cells(width: int) -> int:
    """Give the most cells of a label in a drawing of `width` pixels."""
    room = (width - 2 * MARGIN) * _LABELS - _GAP
    return min(int(room / _CHARACTER), _LONGEST_LABEL)
