"""The cycle that decides how fast everything is: operations that wait for each other, as a ring."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import cos, pi, sin
from typing import Any, NamedTuple

from steadygrid.domain.view import Cycle, Step, plural
from steadygrid.pictures.assembling import specification
from steadygrid.pictures.gantt_rows import exact_text
from steadygrid.pictures.house_style import FAINT, INK, ON_PORT_COLOURS, PAPER, PORT_COLOURS
from steadygrid.pictures.picture import Cell, Picture, PictureTable, Theme, Wanted
from steadygrid.report.glyphs import UNICODE, shorten
from steadygrid.report.quantities import amount, percent
from steadygrid.report.report import Report

MOST_STEPS = 24
"""Steps that are drawn. Those in the middle of a longer cycle are counted."""
_ROW = 54
"""Pixels between two steps of a side."""
_SMALLEST, _GREATEST = 220, 900
"""Areas of steps, by the time that they take."""
_LETTER = 6.6
_ITALIC = 5.3
_LINE = 13
_RADIUS = 18
"""Of the largest steps, and a little more."""
_COLUMNS = ("step", "operation", "place", "number", "waits for", "tokens", "time")


class Place(NamedTuple):
    """A point of the ring, in pixels from the left and the top."""

    x: float
    y: float


class Ring(NamedTuple):
    """Two sides with a half of an ellipse above and one below; steps go down on the right.

    Attributes
    ----------
    left, right
        Of the two sides.
    rows
        Of the right side. The left one has as many, or one fewer.
    number
        Of steps.
    height
        Of everything.
    """

    left: float
    right: float
    rows: int
    number: int

    @property
    def bend(self) -> float:
        """Height of the half of an ellipse."""
        return min((self.right - self.left) / 4, 60.0)

    @property
    def top(self) -> float:
        """Where the sides begin."""
        return self.bend + 20

    @property
    def bottom(self) -> float:
        """Where the sides end."""
        return self.top + max(self.rows - 1, 1) * _ROW

    @property
    def height(self) -> float:
        """Of everything."""
        return self.bottom + self.bend + 20

    def step(self, position: int) -> Place:
        """Give the place of a step: the first half on the right, the others on the left."""
        if position < self.rows:
            room = (self.bottom - self.top) / 2 if self.rows == 1 else 0
            return Place(self.right, self.top + position * _ROW + room)
        on_left = self.number - self.rows
        gap = (self.bottom - self.top) / on_left
        return Place(self.left, self.bottom - (position - self.rows + 0.5) * gap)

    def curve(self) -> list[Place]:
        """Give points along it, clockwise and closed."""
        middle, wide = (self.left + self.right) / 2, (self.right - self.left) / 2
        turns = [pi * i / 40 for i in range(41)]
        above = [Place(middle - wide * cos(t), self.top - self.bend * sin(t)) for t in turns]
        below = [Place(middle + wide * cos(t), self.bottom + self.bend * sin(t)) for t in turns]
        return [*above, *below, above[0]]

    def arrow_to(self, position: int) -> tuple[Place, float]:
        """Give the place of the arrow that leads to a step, and where it points, in degrees."""
        middle = (self.left + self.right) / 2
        if position == 0:
            return Place(middle, self.top - self.bend), 90
        if position == self.rows and self.number > self.rows:
            return Place(middle, self.bottom + self.bend), 270
        one, other = self.step(position - 1), self.step(position)
        return Place(one.x, (one.y + other.y) / 2), 180 if position < self.rows else 0


def applies_to(report: Report) -> bool:
    """Tell whether the answer names a cycle."""
    return report.view.cycle is not None


def picture(report: Report, wanted: Wanted) -> Picture:
    """Draw the critical cycle of an answer, or the one in which everything waits for ever.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    ValueError
        If the answer names none.
    """
    cycle = report.view.cycle
    if cycle is None:
        raise ValueError("this answer names no cycle")
    title, said = _title(report, cycle), _description(report, cycle)
    spec, datasets = _drawn(report, cycle, wanted, title)
    marks = sum(map(len, datasets.values()))
    return Picture("cycle", title, said, spec, datasets, _table(cycle), marks)


def _title(report: Report, cycle: Cycle) -> str:
    if cycle.advance is None or cycle.time is None:
        return "A cycle that waits for ever"
    return f"{report.duration(cycle.time, UNICODE)} for {_advance(cycle)}"


def _advance(cycle: Cycle) -> str:
    assert cycle.advance is not None
    return amount(cycle.advance, cycle.noun, UNICODE)


def _description(report: Report, cycle: Cycle) -> str:
    number = amount(len(cycle.steps), "operation", UNICODE)
    if cycle.advance is None or cycle.time is None:
        said = f"{number}, each of which waits for the one before, and the first for the last."
    else:
        each = report.duration(cycle.time / cycle.advance, UNICODE)
        waits = (
            "each of which waits for the one before"
            if len(cycle.steps) > 1
            else "that waits for itself"
        )
        comma = "," if len(cycle.steps) > 1 else ""
        said = (
            f"{number}{comma} {waits}: a turn takes {report.duration(cycle.time, UNICODE)} and gets"
            f" {_advance(cycle)} further, {each} for each."
        )
    hidden = len(cycle.steps) - MOST_STEPS
    if hidden > 0:
        said += f" {amount(hidden + 1, 'step', UNICODE)} in the middle are not drawn; the table has all."
    return said


def _table(cycle: Cycle) -> PictureTable:
    rows: list[tuple[Cell, ...]] = [
        (
            number,
            step.what,
            " → ".join(step.places) or None,
            step.number,
            step.waits or None,
            step.tokens,
            step.time,
        )
        for number, step in enumerate(cycle.steps, start=1)
    ]
    return PictureTable(_COLUMNS, tuple(rows))


class _Drawn(NamedTuple):
    """A step that is drawn, by its position in the cycle; or those that are not."""

    position: int
    step: Step | None


def _chosen(cycle: Cycle) -> list[_Drawn]:
    every = [_Drawn(position, step) for position, step in enumerate(cycle.steps)]
    if len(every) <= MOST_STEPS:
        return every
    half = MOST_STEPS // 2
    return [*every[:half], _Drawn(half, None), *every[len(every) - half + 1 :]]


def _drawn(
    report: Report, cycle: Cycle, wanted: Wanted, title: str
) -> tuple[Mapping[str, Any], Mapping[str, Sequence[Mapping[str, Any]]]]:
    """Give the specification and its data."""
    import altair as alt

    chosen = _chosen(cycle)
    side = min(wanted.width * 0.36, 280)
    ring = Ring(side, wanted.width - side - 16, -(-len(chosen) // 2), len(chosen))
    steps = [_step_row(report, cycle, one, i, ring, side) for i, one in enumerate(chosen)]
    room = (ring.right - ring.left) / 2
    arrows = [_arrow_row(cycle, chosen, i, ring, room) for i in range(len(chosen))]
    _leave_out(arrows, ring)
    curve = [{"x": at.x, "y": at.y, "order": i} for i, at in enumerate(ring.curve())]
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, wanted.width - 16], nice=False))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[0, ring.height], reverse=True, nice=False))
    layers = _layers(alt, wanted.theme, x, y)
    layered = alt.layer(*layers).properties(
        width=wanted.width,
        height=ring.height,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        padding=8,
    )
    subtitle = (
        "Each operation waits for the one before" if len(chosen) > 1 else "It waits for itself"
    )
    spec = specification(layered, wanted.theme, title, subtitle)
    return spec, {"ring": curve, "steps": steps, "arrows": arrows}


def _step_row(
    report: Report, cycle: Cycle, one: _Drawn, i: int, ring: Ring, side: float
) -> dict[str, Any]:
    """Give what is drawn of a step, and written next to it."""
    at, on_right = ring.step(i), i < ring.rows
    letters = max(int((side - 24) / _LETTER), 6)
    row: dict[str, Any] = {
        "x": at.x,
        "y": at.y,
        "right": on_right,
        "doing": "mixed",
        "size": _SMALLEST,
    }
    if one.step is None:
        hidden = len(cycle.steps) - MOST_STEPS + 1
        more = f"{hidden:,} more steps"
        return row | {"mark": "…", "name": more, "detail": "in the table", "told": more}
    step = one.step
    total, time = _known(cycle.time), _known(step.time)
    longest = max(_known(one.time) for one in cycle.steps)
    share = time / total if total else Fraction(0)
    number = f"{cycle.counts} {step.number:,}"
    places = " → ".join(step.places)
    duration = "" if step.time is None else report.duration(step.time, UNICODE)
    details = [
        " · ".join(part for part in parts if part)
        for parts in ((places, number, duration), (places, duration), (duration or number,))
    ]
    detail = next((one for one in details if len(one) <= letters), details[-1])
    told = "" if step.time is None else f"{exact_text(step.time)}, {percent(share)} of the cycle"
    return row | {
        "doing": "send" if len(step.places) == 2 else "compute",
        "size": _SMALLEST + float(time / longest if longest else 0) * (_GREATEST - _SMALLEST),
        "mark": str(one.position + 1),
        "name": shorten(step.what, letters, UNICODE),
        "detail": shorten(detail, letters, UNICODE),
        "told": step.what,
        "place": places or "—",
        "number": number,
        "time": told or "—",
    }


def _known(time: Fraction | None) -> Fraction:
    return Fraction(0) if time is None else time


def _arrow_row(
    cycle: Cycle, chosen: Sequence[_Drawn], i: int, ring: Ring, room: float
) -> dict[str, Any]:
    """Give an arrow and what lies between two steps."""
    at, angle = ring.arrow_to(i)
    step = chosen[i].step
    if i > 0 and chosen[i - 1].step is None:
        step = None
    tokens = channel = ""
    if step is not None:
        tokens = f"{step.tokens:,} {_several(cycle.token, step.tokens)}" if step.tokens else ""
        channel = step.waits
    upright = angle in (0, 180)
    letters = max(int((room if upright else 2 * room) / _LETTER) - 3, 4)
    kept = f" · {tokens}" if tokens and channel else tokens
    words = f"{shorten(channel, max(letters - len(kept), 4), UNICODE)}{kept}" if channel else kept
    inwards = {0: (14, 0), 180: (-14, 0), 90: (0, 16), 270: (0, -16)}[int(angle)]
    return {
        "x": at.x,
        "y": at.y,
        "angle": angle,
        "words": words,
        "wx": at.x + inwards[0],
        "wy": at.y + inwards[1],
        "align": {0: "left", 180: "right", 90: "center", 270: "center"}[int(angle)],
        "told": " · ".join(part for part in (channel, tokens) if part) or "the one before",
    }


def _leave_out(arrows: Sequence[dict[str, Any]], ring: Ring) -> None:
    """Leave all words out where some have no room. Who points at an arrow still reads them."""
    spans: list[tuple[float, float, float]] = []
    for arrow in arrows:
        width = _ITALIC * len(arrow["words"])
        left = arrow["wx"] - {"left": 0, "center": width / 2, "right": width}[arrow["align"]]
        spans.append((left, left + width, arrow["wy"]))
    within = all(
        left >= ring.left + (_RADIUS if arrow["align"] != "left" else 0)
        and right <= ring.right - (_RADIUS if arrow["align"] != "right" else 0)
        for arrow, (left, right, _) in zip(arrows, spans, strict=True)
    )
    apart = all(
        abs(y - y2) >= _LINE or right <= left2 or right2 <= left
        for (left, right, y), (left2, right2, y2) in combinations(spans, 2)
    )
    if not (within and apart):
        for arrow in arrows:
            arrow["words"] = ""


def _several(noun: str, number: int) -> str:
    """Give ``token``, ``tokens``, ``data sets later``."""
    if number == 1:
        return noun
    return f"{plural(noun.removesuffix(' later'))}{' later' if noun.endswith(' later') else ''}"


def _layers(alt: Any, theme: Theme, x: Any, y: Any) -> list[Any]:
    """Draw the ring, its arrows, its steps, and their words."""
    ink, faint = INK[theme], FAINT[theme]
    ring = (
        alt.Chart(alt.NamedData("ring"))
        .mark_line(color=faint, strokeWidth=2, opacity=0.7)
        .encode(x=x, y=y, order="order:Q")
    )
    arrows = alt.Chart(alt.NamedData("arrows"))
    heads = arrows.mark_point(
        shape="triangle", filled=True, size=110, color=faint, opacity=1, stroke=PAPER[theme]
    ).encode(
        x=x,
        y=y,
        angle=alt.Angle("angle:Q", scale=None),
        tooltip=[alt.Tooltip("told:N", title="waits for")],
    )
    steps = alt.Chart(alt.NamedData("steps"))
    colours = PORT_COLOURS[theme]
    shown = ["compute", "send", "mixed"]
    dots = steps.mark_point(
        shape="circle", filled=True, opacity=1, stroke=PAPER[theme], strokeWidth=2
    ).encode(
        x=x,
        y=y,
        size=alt.Size("size:Q", scale=None),
        color=alt.Color(
            "doing:N",
            scale=alt.Scale(domain=shown, range=[colours[one] for one in shown]),
            legend=None,
        ),
        tooltip=[
            alt.Tooltip("told:N", title="operation"),
            alt.Tooltip("place:N", title="place"),
            alt.Tooltip("number:N", title="of"),
            alt.Tooltip("time:N", title="takes"),
        ],
    )
    on = ON_PORT_COLOURS[theme]
    marks = steps.mark_text(fontSize=10, fontWeight=600).encode(
        x=x,
        y=y,
        text="mark:N",
        color=alt.Color(
            "doing:N", scale=alt.Scale(domain=shown, range=[on[one] for one in shown]), legend=None
        ),
    )
    words: list[Any] = []
    for right, align, dx in ((True, "left", 22), (False, "right", -22)):
        beside = steps.transform_filter(alt.datum.right == right)
        for field, dy, colour, weight in (
            ("name:N", -7, ink, 600),
            ("detail:N", 8, faint, 400),
        ):
            words.append(
                beside.mark_text(
                    align=align, dx=dx, dy=dy, color=colour, fontWeight=weight, fontSize=11.5
                ).encode(x=x, y=y, text=field)
            )
    for align in ("left", "right", "center"):
        between = arrows.transform_filter(alt.datum.align == align)
        words.append(
            between.mark_text(align=align, color=faint, fontSize=11, fontStyle="italic").encode(
                x=alt.X("wx:Q", axis=None), y=alt.Y("wy:Q", axis=None), text="words:N"
            )
        )
    layered = alt.layer(dots, marks).resolve_scale(color="independent")
    return [ring, heads, layered, *words]
