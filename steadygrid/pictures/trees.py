"""How messages travel: one tree for each shape, the greatest rates first.

A tree is drawn from where its message begins or, where data is combined, from where the last of it
is. Each further row is a transfer, indented below the processor that it starts or ends at.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rich.cells import cell_len

from steadygrid.pictures.assembling import MARGIN, specification, subtitle_lines
from steadygrid.pictures.house_style import FAINT, INK, SERIES
from steadygrid.pictures.numbers import exact, printed
from steadygrid.pictures.picture import Cell, Picture, PictureTable, Theme, Wanted
from steadygrid.pictures.routing_trees import Shape, Tree, TreeRow, shapes_of, tree_of
from steadygrid.report.glyphs import UNICODE, printable, shorten
from steadygrid.report.quantities import exact_text, percent
from steadygrid.report.report import Report

NAME = "trees"
TITLE = "How messages travel"
MOST_TREES = 12
"""Shapes that are drawn. The others are counted."""
MOST_ROWS = 30
"""Rows of a tree that are drawn. The others are counted."""
_PANEL = 215
"""Least pixels of a tree's width."""
_CAPTION, _ROW, _INDENT, _PAD = 40, 16, 15, 18
_CHARACTER, _BOLD = 6.6, 7.6
_HEADINGS = ("processor", "transfer", "data", "part", "does")


def applies_to(report: Report) -> bool:
    """Whether an answer's schedule has routes of messages."""
    schedule = report.schedule
    return schedule is not None and any(
        allocation.message is not None and allocation.transfers
        for allocation in schedule.allocations
    )


def picture(report: Report, wanted: Wanted) -> Picture:
    """Draw the trees.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.
    """
    schedule = report.schedule
    assert schedule is not None
    trees = [tree_of(one) for one in schedule.allocations if one.message is not None]
    shapes, places = shapes_of(trees)
    total = sum((shape.rate for shape in shapes), Fraction(0))
    panels = _Panels(report, wanted, shapes[:MOST_TREES], total)
    subtitle = _subtitle(shapes, len(trees), total)
    return Picture(
        NAME,
        TITLE,
        _description(shapes, len(trees), total),
        specification(panels.chart(), wanted.theme, TITLE, subtitle_lines(subtitle, wanted.width)),
        panels.data,
        _table(trees, places, total),
        sum(map(len, panels.data.values())),
    )


def _subtitle(shapes: Sequence[Shape], number: int, total: Fraction) -> str:
    gathers = any(shape.tree.gathers for shape in shapes)
    reads = "← data comes from below" if gathers else "→ data goes down"
    if gathers and any(shape.tree.spreads for shape in shapes):
        reads += ", → what is combined goes down"
    left = shapes[MOST_TREES:]
    if left:
        rate = sum((shape.rate for shape in left), Fraction(0))
        reads += f"; {len(left):,} more shapes, {_share(rate, total)} of the data, are not drawn"
    return f"{_count(number, 'tree')} of {_count(len(shapes), 'shape')}, by rate; {reads}"


def _description(shapes: Sequence[Shape], number: int, total: Fraction) -> str:
    first = shapes[0]
    hops = len(first.tree.allocation.transfers)
    text = (
        f"{_count(number, 'tree')} of {_count(len(shapes), 'shape')};"
        f" the greatest part of the data, {_share(first.rate, total)}, goes by"
        f" {_count(first.number, 'tree')} of {_count(hops, 'transfer')}"
        f"{' each' if first.number > 1 else ''}."
    )
    more = len(shapes) - MOST_TREES
    return text + (
        f" {_count(more, 'shape')} more {'is' if more == 1 else 'are'} not drawn."
        if more > 0
        else ""
    )


def _share(rate: Fraction, total: Fraction) -> str:
    return percent(rate / total) if total else "0 %"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class _Look:
    """How a processor is drawn."""

    word: str
    shape: str
    colour: str


def _looks(theme: Theme) -> dict[str, _Look]:
    blue, red, green, *_ = SERIES[theme]
    return {
        "source": _Look("data begins", "square", green),
        "combines": _Look("combines", "diamond", red),
        "other": _Look("receives", "circle", blue),
    }


class _Panels:
    """Trees side by side, in lines."""

    def __init__(
        self, report: Report, wanted: Wanted, shapes: Sequence[Shape], total: Fraction
    ) -> None:
        self._report, self._theme, self._total = report, wanted.theme, total
        self._width = wanted.width
        inner = wanted.width - 2 * MARGIN
        self._columns = max(1, min(4, inner // _PANEL, len(shapes)))
        self._panel = inner / self._columns
        self._looks = _looks(wanted.theme)
        self._column, self._top, self._bottom = 0, 24.0, 24.0
        names = ("captions", "under", "edges", "nodes", "names", "keys")
        self.data: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
        self._seen: set[str] = set()
        for shape in shapes:
            self._add(shape)

    def _add(self, shape: Shape) -> None:
        """Put a tree next to, or below, those before."""
        if self._column == self._columns:
            self._column, self._top = 0, self._bottom
        left = self._panel * self._column
        self._column += 1
        rate = f"{exact_text(shape.rate, UNICODE)} {self._report.per_time}"
        cells = int((self._panel - _PAD) / _BOLD)
        caption = shorten(f"{_share(shape.rate, self._total)} · {rate}", cells, UNICODE)
        self.data["captions"].append({"x": left, "y": self._top + 8, "label": caption})
        self.data["under"].append(
            {"x": left, "y": self._top + 24, "label": self._under(shape, cells)}
        )
        bottom = self._rows(shape.tree, left, self._top + _CAPTION)
        self._bottom = max(self._bottom, bottom + _PAD)

    def _under(self, shape: Shape, cells: int) -> str:
        message = printable(shape.tree.allocation.message or "")
        if shape.number == 1:
            return shorten(f"message {message}", cells, UNICODE)
        trees = "tree" if shape.number == 2 else "trees"
        more = f", and {shape.number - 1:,} {trees} like it"
        return shorten(f"message {message}", cells - len(more), UNICODE) + more

    def _rows(self, tree: Tree, left: float, top: float) -> float:
        shown = tree.rows[: MOST_ROWS if len(tree.rows) > MOST_ROWS + 1 else MOST_ROWS + 1]
        deepest = max(row.depth for row in shown)
        indent = min(_INDENT, (self._panel * 0.4) / max(deepest, 1))
        lowest: dict[int, float] = {}
        places: list[tuple[float, float]] = []
        for number, row in enumerate(shown):
            x, y = round(left + 6 + indent * row.depth, 2), top + _ROW * number
            places.append((x, y))
            self._node(tree, row, x, y, left)
            if row.above is not None:
                x1, _ = places[row.above]
                self.data["edges"].append({"x": x1, "x2": x, "y": y, "y2": y})
                lowest[row.above] = y
        for above, y in lowest.items():
            x1, y1 = places[above]
            self.data["edges"].append({"x": x1, "x2": x1, "y": y1, "y2": y})
        bottom = top + _ROW * len(shown)
        more = len(tree.rows) - len(shown)
        if more:
            label = f"and {more:,} more transfers"
            self.data["under"].append({"x": left + 14, "y": bottom, "label": label})
            bottom += _ROW
        return bottom

    def _node(self, tree: Tree, row: TreeRow, x: float, y: float, left: float) -> None:
        allocation, transfer = tree.allocation, row.transfer
        sort = "combines" if row.combines else "source" if row.begins else "other"
        look = self._looks[sort]
        self._seen.add(sort)
        said = (
            printable(row.processor),
            "" if transfer is None else f" {UNICODE.to} ".join(map(printable, transfer.path)),
            printable(allocation.message or ""),
            "" if transfer is None else exact(transfer.share),
            look.word,
        )
        told = {f"told{i}": text for i, text in enumerate(said)}
        self.data["nodes"].append(
            {"x": x, "y": y, "shape": look.shape, "colour": look.colour} | told
        )
        cells = int((left + self._panel - _PAD - x - 9) / _CHARACTER)
        self.data["names"].append(
            {"x": x + 9, "y": y, "label": self._label(tree, row, cells)} | told
        )

    def _label(self, tree: Tree, row: TreeRow, cells: int) -> str:
        names, transfer = self._report.names, row.transfer
        if transfer is None:
            role = "target" if tree.gathers else "source"
            if tree.gathers and tree.spreads:
                role = "all is combined here"
            return (
                names.short_name(row.processor, max(cells - len(role) - 2, 4), UNICODE)
                + f", {role}"
            )
        glyph = UNICODE.of if row.inwards else UNICODE.to
        room = max(cells - 2, 4)
        label = names.short_name(row.processor, room, UNICODE)
        relays = transfer.path[1:-1]
        if relays:
            more = f" +{len(relays) - 1}" if len(relays) > 1 else ""
            left = room - cell_len(label) - 5 - len(more)
            if left >= 4:
                label += f" via {names.short_name(relays[0], left, UNICODE)}{more}"
        return f"{glyph} {label}"

    def chart(self) -> Any:
        """Make the chart of all that was added."""
        import altair as alt

        inner, height = self._width - 2 * MARGIN, self._bottom - _PAD
        x = 0.0
        for sort, look in self._looks.items():
            if sort in self._seen:
                key = {"x": x + 6, "y": 8, "label": look.word}
                self.data["keys"].append(key | {"shape": look.shape, "colour": look.colour})
                x += 26 + len(look.word) * _BOLD

        def place(**more: Any) -> dict[str, Any]:
            across = alt.Scale(domain=[0, inner], nice=False, zero=False)
            down = alt.Scale(domain=[0, height], nice=False, zero=False, reverse=True)
            return {
                "x": alt.X("x:Q", axis=None, scale=across),
                "y": alt.Y("y:Q", axis=None, scale=down),
                **more,
            }

        ink, faint = INK[self._theme], FAINT[self._theme]
        tips = [alt.Tooltip(f"told{i}:N", title=name) for i, name in enumerate(_HEADINGS)]
        marked = {
            "color": alt.Color("colour:N", scale=None, legend=None),
            "shape": alt.Shape("shape:N", scale=None, legend=None),
        }
        text: dict[str, Any] = {"align": "left", "baseline": "middle"}

        def layer(name: str) -> Any:
            return alt.Chart(alt.NamedData(name))

        layers = [
            layer("edges")
            .mark_rule(color=faint, opacity=0.45, strokeWidth=1.2)
            .encode(**place(x2="x2:Q", y2="y2:Q")),
            layer("nodes")
            .mark_point(filled=True, size=60, opacity=1)
            .encode(**place(**marked, tooltip=tips)),
            layer("names")
            .mark_text(**text, fontSize=11, color=ink, limit=self._panel)
            .encode(**place(text="label:N", tooltip=tips)),
            layer("captions")
            .mark_text(**text, fontSize=12, fontWeight="bold", color=ink)
            .encode(**place(text="label:N")),
            layer("under")
            .mark_text(**text, fontSize=11, color=faint)
            .encode(**place(text="label:N")),
            layer("keys").mark_point(filled=True, size=70, opacity=1).encode(**place(**marked)),
            layer("keys")
            .mark_text(**text, fontSize=12, color=faint, dx=9)
            .encode(**place(text="label:N")),
        ]
        fit = alt.AutoSizeParams(type="fit-x", contains="padding")
        return alt.layer(*layers).properties(width=self._width, height=height, autosize=fit)


def _table(trees: Sequence[Tree], places: Sequence[int], total: Fraction) -> PictureTable:
    rows: list[tuple[Cell, ...]] = []
    for tree, place in zip(trees, places, strict=True):
        one = tree.allocation
        rows.append(
            (
                one.index,
                one.message,
                one.rate,
                printed(one.rate / total) if total else None,
                place + 1,
                "; ".join("->".join(transfer.path) for transfer in one.transfers),
                "; ".join(combination.processor for combination in one.combinations) or None,
            )
        )
    rows.sort(key=lambda row: (row[4], row[0]))
    columns = ("allocation", "message", "rate", "share", "shape", "transfers", "combined at")
    return PictureTable(columns, tuple(rows))
