"""How a Gantt chart is drawn."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from steadygrid.pictures.assembling import specification
from steadygrid.pictures.gantt_rows import NARROW, doings, pixels, room_for_names, ruler
from steadygrid.pictures.house_style import FAINT, GRID, INK, PAPER, PORT_COLOURS
from steadygrid.pictures.picture import Theme, Wanted
from steadygrid.report.lanes import Lanes
from steadygrid.report.report import Report

_STEP, _NARROW_STEP, _MANY = 24, 18, 24
"""Pixels of a lane, of one among many, and how many these are."""
_PORT_STEP = 28
"""Pixels of a lane in which a port sends above and receives below."""
_BETWEEN = 8
"""Pixels between the numbers of the axis, at least."""
_SLACK = 12
"""Pixels by which a name may be wider than was guessed before its end is cut off, too."""
_LEGEND_COLUMNS = 2
"""Of a narrow drawing, which would cut off a longer line."""
_WORDS = {
    "compute": "computes",
    "send": "sends",
    "receive": "receives",
    "carry": "carries data",
    "mixed": "short pieces of several sorts",
}
_FIRED = _WORDS | {"compute": "fires"}
_WIDTH = "abs(scale('x', datum.end) - scale('x', datum.start))"


def chart(
    report: Report,
    lanes: Lanes,
    window: tuple[Fraction, Fraction],
    rows: Sequence[Mapping[str, Any]],
    bars: Sequence[Mapping[str, Any]],
    wanted: Wanted,
    title: str,
    subtitle: str,
) -> tuple[Mapping[str, Any], Mapping[str, Sequence[Mapping[str, Any]]]]:
    """Give the specification and its data.

    Parameters
    ----------
    report
        The answer, and what was asked.
    lanes
        All lanes of the schedule, and the time that they show.
    window
        Begin and end of what is shown, in time units.
    rows
        Of `lane_rows`.
    bars
        Of `bar_rows`.
    wanted
        Theme, size, and what is to be shown.
    title, subtitle
        Written above the chart.
    """
    import altair as alt

    scale, theme = ruler(report, lanes, *window), wanted.theme
    halves = any(row["word"] == "port" for row in rows)
    step = _NARROW_STEP if len(rows) > _MANY else _PORT_STEP if halves else _STEP
    x = alt.X(
        "start:Q",
        title=scale.title,
        scale=alt.Scale(domain=[scale.position(window[0]), scale.position(window[1])], nice=False),
        axis=alt.Axis(
            orient="bottom" if len(rows) <= _MANY else "top",
            tickCount=8,
            grid=True,
            labelSeparation=_BETWEEN,
        ),
    )
    done = doings(bars)
    words = _FIRED if report.fires else _WORDS
    colour = alt.Color(
        "doing:N",
        scale=alt.Scale(domain=done, range=[PORT_COLOURS[theme][one] for one in done]),
        legend=alt.Legend(
            title=None,
            orient="top",
            offset=8,
            symbolType="square",
            columns=_LEGEND_COLUMNS if wanted.width < NARROW else 0,
            labelExpr=" : ".join(f"datum.value == '{one}' ? '{words[one]}'" for one in done)
            + " : datum.value",
        )
        if done
        else None,
    )
    zoom = alt.selection_interval(
        name="zoom",
        bind="scales",
        encodings=["x"],
        zoom="wheel![event.ctrlKey]",
    )
    bar = (
        alt.Chart(alt.NamedData("bars"))
        .mark_bar(
            clip=True,
            cornerRadius=1.5,
            stroke=alt.expr(f"{_WIDTH} < 1.5 ? scale('color', datum.doing) : '{PAPER[theme]}'"),
            strokeWidth=alt.expr(f"{_WIDTH} < 1.5 ? 1 : {_WIDTH} > 4 ? 0.8 : 0"),
        )
        .encode(
            x=x,
            x2="end:Q",
            y=alt.Y(
                "top:Q",
                axis=None,
                scale=alt.Scale(domain=[0, len(rows)], reverse=True, nice=False, zero=False),
            ),
            y2="bottom:Q",
            color=colour,
            opacity=alt.Opacity(
                "density:Q", scale=alt.Scale(domain=[0, 1], range=[0.3, 1]), legend=None
            ),
            tooltip=[
                alt.Tooltip("lane:N", title="lane"),
                alt.Tooltip("what:N", title="what"),
                alt.Tooltip("from:N", title="from"),
                alt.Tooltip("to:N", title="to"),
                alt.Tooltip("busy:N", title="busy"),
                alt.Tooltip("members:N", title="members"),
            ],
        )
        .add_params(zoom)
    )
    names = _names(alt, rows, theme, wanted.width)
    layered = alt.layer(*_lines(alt, theme), bar, _labels(alt), *names).properties(
        width=wanted.width,
        height=max(len(rows), 1) * step,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        padding=8,
    )
    spec = specification(layered, theme, title, subtitle)
    labels = [dict(row) for row in bars if row["labelled"]]
    return spec, {"bars": list(bars), "labels": labels, "lanes": list(rows)}


def _lines(alt: Any, theme: Theme) -> list[Any]:
    """Draw where lanes end, more clearly where another processor begins."""
    return [
        alt.Chart(alt.NamedData("lanes"))
        .mark_rule(color=GRID[theme], strokeWidth=1)
        .encode(
            y=alt.Y("row:Q", axis=None),
            opacity=alt.condition("datum.first", alt.value(1), alt.value(0.45)),
        )
    ]


def _labels(alt: Any) -> Any:
    """Write on bars what there is room for, anew at every zoom."""
    words = f"{_WIDTH} > datum.room ? datum.long : {_WIDTH} > datum.least ? datum.short : ''"
    return (
        alt.Chart(alt.NamedData("labels"))
        .mark_text(
            clip=True, align="left", baseline="middle", dx=5, fontSize=10.5, text=alt.expr(words)
        )
        .transform_calculate(middle="(datum.top + datum.bottom) / 2")
        .encode(x="start:Q", y=alt.Y("middle:Q", axis=None), color=alt.Color("ink:N", scale=None))
    )


def _names(alt: Any, rows: Sequence[Mapping[str, Any]], theme: Theme, width: int) -> list[Any]:
    """Write the names of lanes on the left, and on the right how busy they are."""
    words = max((pixels(row["word"]) for row in rows if row["word"]), default=0)
    room = room_for_names(width)
    base = alt.Chart(alt.NamedData("lanes")).encode(
        y=alt.Y("middle:Q", axis=None),
        tooltip=[
            alt.Tooltip("lane:N", title="lane"),
            alt.Tooltip("share:N", title="busy"),
            alt.Tooltip("members:N", title="members"),
        ],
    )
    style = {"baseline": "middle", "fontSize": 11.5, "clip": False}
    busy = base.mark_text(align="left", color=FAINT[theme], **style)
    texts = [busy.encode(x=alt.value("width"), xOffset=alt.value(10), text="share:N")]
    # Links need no word, and have its room, too.
    for has_word, gap in ((False, 10), (True, words + 22)):
        names = base.transform_filter(f"{'' if has_word else '!'}datum.word").mark_text(
            align="right", color=INK[theme], fontWeight=600, limit=room - gap + _SLACK, **style
        )
        texts.append(names.encode(x=alt.value(-gap), text="name:N"))
    word = base.mark_text(align="right", color=FAINT[theme], **style)
    return [*texts, word.encode(x=alt.value(-10), text="word:N")]
