"""The drawing of a platform: layers of marks over the rows of a scene, and a legend of such marks."""

from collections.abc import Iterable, Mapping
from math import cos, pi, sin, sqrt
from typing import Any, NamedTuple

from steadygrid.pictures import house_style
from steadygrid.pictures.assembling import MARGIN
from steadygrid.pictures.house_style import BUSY_CLASSES
from steadygrid.pictures.labels import text_width
from steadygrid.pictures.picture import Theme
from steadygrid.pictures.platform_scene import (
    BUSY_WIDTHS,
    FONT,
    LINE_HEIGHT,
    WIDTHS,
    Row,
    Scene,
    number,
    speed_stretch,
)

_LINE = 20.0
"""Pixels of a line of the legend."""


def _polygon(corners: int, inner: float = 1.0, turn: float = -pi / 2) -> str:
    """Give the path of a regular polygon; of a star, where every other corner is further in."""
    points = [
        (r * cos(turn + pi * k / corners), r * sin(turn + pi * k / corners))
        for k in range(2 * corners)
        for r in (inner if k % 2 else 1.0,)
        if inner < 1 or not k % 2
    ]
    return "M" + "L".join(f"{x:.4f},{y:.4f}" for x, y in points) + "Z"


def _pie(part: float) -> str:
    """Give the path of a part of a disc, from the top clockwise; empty for nothing."""
    if not part:
        return "M0,0Z"
    if part == 1:
        return "M0,-1A1,1,0,1,1,0,1A1,1,0,1,1,0,-1Z"
    x, y = sin(2 * pi * part), -cos(2 * pi * part)
    return f"M0,0L0,-1A1,1,0,{int(part > 0.5)},1,{x:.4f},{y:.4f}Z"


SHAPES: Mapping[str, str] = {
    "master": _polygon(8, 0.8),
    "source": _polygon(8, 0.8),
    "target": _polygon(6, turn=0.0),
    "participant": _polygon(8, turn=pi / 8),
    "processor": _pie(1),
    "router": "M-0.85,-0.85H0.85V0.85H-0.85Z",
    "switch": _polygon(4),
    "medium": "M-0.8,-0.5H0.8A0.5,0.5,0,0,1,0.8,0.5H-0.8A0.5,0.5,0,0,1,-0.8,-0.5Z",
    "not used": _polygon(3, turn=pi / 2),
}
"""What is what, by its outline."""
ARROW = "M0,-1L0.8,0.8L0,0.4L-0.8,0.8Z"
BALLS: Mapping[str, str] = dict(
    zip(BUSY_CLASSES, map(_pie, (0.0, 0.25, 0.667, 0.9, 1.0)), strict=True)
)
"""How busy, by how much of a disc is filled."""
SAYS: Mapping[str, str] = {
    "router": "router: forwards only",
    "not used": "more that nobody uses",
    "medium": "medium: links share it",
}


class Item(NamedTuple):
    """An entry of the legend: rows with places beside its corner, and what they mean."""

    text: str
    rows: tuple[tuple[str, Row], ...]

    @property
    def radius(self) -> float:
        """Half the pixels of its greatest node."""
        sizes = (float(row["size"]) for _, row in self.rows if "size" in row)
        return max([0.0, *(sqrt(size) / 2 + 1 for size in sizes)])

    @property
    def symbol(self) -> float:
        """Pixels before the text."""
        ends = (float(row["x2"]) for _, row in self.rows if "x2" in row)
        caps = 6 if any(name == "casings" for name, _ in self.rows) else 0
        return max([2 * self.radius, *ends, 14.0]) + 6 + caps


def drawing(scene: Scene, theme: Theme) -> tuple[Any, dict[str, list[Row]]]:
    """Draw a scene with its legend.

    Parameters
    ----------
    scene
        What is drawn, in pixels.
    theme
        Of the page: light or dark.

    Returns
    -------
    chart, datasets
        The chart of Altair, and the rows by the names of its data.
    """
    import altair as alt

    legend, height = _legend_rows(scene)
    datasets = {name: rows for name, rows in scene.rows.items() if rows}
    datasets |= {f"legend {name}": rows for name, rows in legend.items() if rows}
    views = [
        alt.layer(*marks.lines(), *marks.nodes(graded=bool(scene.speeds)), *marks.texts())
        .resolve_scale(shape="independent", strokeWidth="independent")
        .properties(width=scene.width, height=tall)
        for prefix, rows, tall in (("", scene.rows, scene.height), ("legend ", legend, height))
        if rows
        for marks in [_Marks(scene.width, tall, prefix, rows, theme)]
    ]
    chart = alt.vconcat(*views, spacing=6).properties(padding=MARGIN)
    return chart, datasets


class _Marks:
    """Draws the rows of a scene, or of its legend, layer by layer."""

    def __init__(
        self, width: float, height: float, prefix: str, rows: Mapping[str, list[Row]], theme: Theme
    ) -> None:
        import altair as alt

        self._prefix, self._rows, self._theme = prefix, rows, theme
        across = alt.Scale(domain=[0, width], nice=False, zero=False)
        down = alt.Scale(domain=[height, 0], nice=False, zero=False)
        self._at = alt.X("x:Q", axis=None, scale=across), alt.Y("y:Q", axis=None, scale=down)
        self._ends = (*self._at, alt.X2("x2:Q"), alt.Y2("y2:Q"))
        self._busy = any("busy" in row for row in rows.get("edges", ()))
        colours = list(house_style.BUSY_COLOURS[theme])
        self._colour = _nominal(alt.Color, "busy", list(BUSY_CLASSES), colours)
        self._size = alt.Size("size:Q", scale=None)
        self._width = alt.StrokeWidth("width:Q", scale=None)  # a scale would space them evenly
        self._told = [alt.Tooltip("who:N", title=" "), alt.Tooltip("told:N", title="  ")]
        if self._busy:
            self._told.insert(1, alt.Tooltip("busy:N", title="busy"))

    def _chart(self, name: str) -> Iterable[Any]:
        """Give a chart of rows, if there are any."""
        import altair as alt

        if self._rows.get(name):
            yield alt.Chart(alt.NamedData(self._prefix + name))

    def lines(self) -> Iterable[Any]:
        """Draw what lies below the nodes."""
        import altair as alt

        faint = house_style.FAINT[self._theme]
        halo = {"color": house_style.SERIES[self._theme][3], "opacity": 0.28}
        for chart in self._chart("halos"):
            yield chart.mark_point(shape="circle", filled=True, **halo).encode(
                *self._at, self._size
            )
        spoke = {"color": faint, "strokeWidth": 1, "strokeDash": [1, 3], "opacity": 0.9}
        for chart in self._chart("spokes"):
            yield chart.mark_rule(**spoke).encode(*self._ends)
        dashes = [[2, 3], *([[1, 0]] * 4)]
        dash = _nominal(alt.StrokeDash, "busy", list(BUSY_CLASSES), dashes)
        for chart in self._chart("edges"):
            yield self._line(chart, *([dash] if self._busy else []))
        for chart in self._chart("casings"):
            for colour, width in ((house_style.INK, 10), (house_style.PAPER, 7)):
                line = {"color": colour[self._theme], "strokeWidth": width, "strokeCap": "round"}
                yield chart.mark_rule(**line).encode(*self._ends)
            if not self._prefix:
                yield self._line(chart)
        for chart in self._chart("edges" if not self._prefix else ""):
            unseen = {"strokeWidth": 12, "opacity": 0}  # thin lines are hard to point at
            yield chart.mark_rule(**unseen).encode(*self._ends, tooltip=self._told)
        for chart in self._chart("arrows"):
            arrow = {"shape": ARROW, "size": 130, "stroke": house_style.PAPER[self._theme]}
            yield chart.mark_point(filled=True, opacity=1, strokeWidth=1, **arrow).encode(
                *self._at, self._colour, angle=alt.Angle("angle:Q", scale=None)
            )

    def _line(self, chart: Any, *more: Any) -> Any:
        if self._busy:
            return chart.mark_rule().encode(*self._ends, self._colour, self._width, *more)
        faint = house_style.FAINT[self._theme]
        return chart.mark_rule(color=faint, opacity=0.75).encode(*self._ends, self._width)

    def nodes(self, *, graded: bool) -> Iterable[Any]:
        """Draw nodes and media, each with its outline and how busy it is.

        Parameters
        ----------
        graded
            Whether sizes stand for speeds: nodes are filled, as nothing else fills them.
        """
        import altair as alt

        ink, faint = house_style.INK[self._theme], house_style.FAINT[self._theme]
        paper, blue = house_style.PAPER[self._theme], house_style.BUSY_COLOURS[self._theme][1]
        fills = dict.fromkeys(SHAPES, blue if graded else paper)
        fills |= dict.fromkeys(("switch", "not used"), house_style.GRID[self._theme])
        fills |= dict.fromkeys(("router", "medium"), paper)
        outline = (
            _nominal(alt.Shape, "kind", list(SHAPES), list(SHAPES.values())),
            _nominal(alt.StrokeWidth, "priced", [False, True], [1.2, 3.2]),
            _nominal(alt.Stroke, "priced", [False, True], [faint, ink]),
        )
        filled = _nominal(alt.Fill, "kind", list(fills), list(fills.values()))
        for name in ("rings", "media", "nodes"):
            for chart in self._chart(name):
                fill = alt.FillValue(paper) if name == "rings" else filled
                yield chart.mark_point(opacity=1).encode(
                    *self._at, self._size, *outline, fill, tooltip=self._told
                )
        ball = _nominal(alt.Shape, "busy", list(BALLS), list(BALLS.values()))
        for chart in self._chart("balls"):
            yield chart.mark_point(filled=True, opacity=1, strokeWidth=0).encode(
                *self._at, self._size, self._colour, ball, tooltip=self._told
            )

    def texts(self) -> Iterable[Any]:
        """Write the labels, and what the legend says."""
        for name in self._rows:
            for chart in self._chart(name if name.startswith("labels ") else ""):
                _, side, gap, lines = name.split()
                text = chart.encode(*self._at, text="text:N")
                yield from _labels(text, side, int(gap), int(lines), self._theme)
        said = {"fontSize": FONT, "color": house_style.INK[self._theme]}
        for chart in self._chart("texts"):
            yield chart.mark_text(align="left", baseline="middle", **said).encode(
                *self._at, text="text:N"
            )


def _nominal(channel: Any, name: str, domain: list[Any], chosen: list[Any]) -> Any:
    """Encode classes, each by what is chosen for it."""
    import altair as alt

    # Vega-Lite warns of widths by classes that have no order.
    kind = "O" if channel is alt.StrokeWidth else "N"
    return channel(f"{name}:{kind}", scale=alt.Scale(domain=domain, range=chosen), legend=None)


def _labels(chart: Any, side: str, gap: int, lines: int, theme: Theme) -> Iterable[Any]:
    """Write labels on one side of what they name, lines below them kept off by a seam of paper."""
    more = LINE_HEIGHT * (lines - 1)  # Vega aligns the first line, and puts others below it
    places: Mapping[str, Mapping[str, Any]] = {
        "below": {"align": "center", "baseline": "top", "dy": gap},
        "above": {"align": "center", "baseline": "bottom", "dy": -gap - more},
        "right": {"align": "left", "baseline": "middle", "dx": gap, "dy": -more / 2},
        "left": {"align": "right", "baseline": "middle", "dx": -gap, "dy": -more / 2},
    }
    text: Mapping[str, Any] = {
        "fontSize": FONT,
        "lineBreak": "\n",
        "lineHeight": LINE_HEIGHT,
        "limit": 260,
        **places[side],
    }
    paper = house_style.PAPER[theme]
    yield chart.mark_text(stroke=paper, strokeWidth=3, strokeJoin="round", **text)
    yield chart.mark_text(color=house_style.INK[theme], **text)


def _legend_rows(scene: Scene) -> tuple[dict[str, list[Row]], float]:
    """Put the items of the legend beside and below each other."""
    lines: list[list[tuple[float, Item]]] = []
    x = scene.width
    for item in _items(scene):
        wide = item.symbol + text_width(item.text, FONT) + 14
        if x + wide > scene.width:
            lines.append([])
            x = 0.0
        lines[-1].append((x, item))
        x += wide
    rows: dict[str, list[Row]] = {}
    y = 0.0
    for line in lines:
        tall = max([_LINE, *(2 * item.radius + 4 for _, item in line)])
        y += tall / 2
        for left, item in line:
            for name, row in item.rows:
                at = {"x": left + row.get("x", max(item.radius, 8.0)), "y": y}
                if "x2" in row:
                    at |= {"x2": left + row["x2"], "y2": y}
                rows.setdefault(name, []).append({**row, **at})
            text = {"x": left + item.symbol, "y": y, "text": item.text}
            rows.setdefault("texts", []).append(text)
        y += tall / 2
    return rows, y


def _items(scene: Scene) -> Iterable[Item]:
    """Say what the marks of a scene mean, of those that it has."""
    rows = scene.rows
    seen = [*rows["edges"], *rows["balls"]]
    line = {"x": 16.0, "x2": 36.0} if rows["balls"] else {"x": 0.0, "x2": 20.0}
    for name in BUSY_CLASSES:
        if any(row.get("busy") == name for row in seen):
            parts: list[tuple[str, Row]] = []
            if rows["edges"]:
                width = BUSY_WIDTHS[name]
                parts.append(("edges", {**line, "busy": name, "width": width}))
            if rows["balls"]:
                plain: Row = {"kind": "processor", "priced": False, "size": 150.0}
                ball: Row = {"busy": name, "size": 76.0}
                parts += [("nodes", plain), ("balls", ball)]
            yield Item(name, tuple(parts))
    if any(row["priced"] for name in ("edges", "nodes", "media") for row in rows[name]):
        parts = [("nodes", {"kind": "processor", "priced": True, "size": 150.0})]
        if rows["casings"]:
            parts.insert(0, ("casings", {"x": 16.0, "x2": 36.0}))
        yield Item("has a price: it limits", tuple(parts))
    if rows["arrows"]:
        arrow = {"angle": 90, "busy": BUSY_CLASSES[2]}
        yield Item("data goes this way only", (("arrows", arrow),))
    if rows["halos"]:
        yield Item("one side of the bottleneck cut", (("halos", {"size": 400.0}),))
    for place, speeds in enumerate(scene.speeds if len(scene.speeds) > 1 else ()):
        size = (2 * scene.radius * speed_stretch(place, len(scene.speeds))) ** 2
        node = {"kind": "processor", "priced": False, "size": size}
        yield Item(f"speed {_range(speeds.least, speeds.greatest)}", (("nodes", node),))
    for place, wide in enumerate(scene.bandwidths if len(scene.bandwidths) > 1 else ()):
        text = f"bandwidth {_range(wide.least, wide.greatest)}"
        yield Item(text, (("edges", {**line, "width": WIDTHS[place]}),))
    kinds = {row["kind"] for name in ("nodes", "media") for row in rows[name]}
    for kind in SHAPES:
        if kind in kinds and (kind != "processor" or len(kinds) > 1):
            node = {"kind": kind, "priced": False, "size": 500.0 if kind == "medium" else 180.0}
            yield Item(SAYS.get(kind, kind), (("media" if kind == "medium" else "nodes", node),))
    if rows["rings"]:
        twin = {"kind": "processor", "priced": False}
        both = (("rings", {**twin, "size": 289.0}), ("nodes", {**twin, "size": 121.0}))
        yield Item("several that are alike", both)


def _range(least: Any, greatest: Any) -> str:
    if least == greatest:
        return number(least)
    return f"{number(least)} to {number(greatest)}"
