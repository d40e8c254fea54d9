"""What each execution keeps of a plan, by how much times are wrong.

A line goes from noise to noise through the means; between two noises nothing is known. Rules behind
the dots reach from the least run to the greatest.
"""

from collections.abc import Sequence
from typing import Any

from steadygrid.domain.rational import approximate
from steadygrid.domain.view import KeptShare
from steadygrid.pictures.assembling import specification, subtitle_lines
from steadygrid.pictures.house_style import SERIES
from steadygrid.pictures.picture import Cell, Picture, PictureTable, Theme, Wanted
from steadygrid.report.quantities import percent
from steadygrid.report.report import Report

NAME = "robustness"
TITLE = "What is left of the plan"
LEAST_NOISES = 2
"""With fewer there is no line."""
_HEIGHT = 300
_PADDING = 12
"""Pixels around the lines."""
_HEADINGS = ("execution", "noise", "of the plan", "least run", "greatest run")


def applies_to(report: Report) -> bool:
    """Whether a plan was simulated at several noises."""
    return len({one.noise for one in report.view.kept}) >= LEAST_NOISES


def picture(report: Report, wanted: Wanted) -> Picture:
    """Draw a line for each execution.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    ValueError
        If too few noises were simulated: `applies_to` says so beforehand.
    """
    if not applies_to(report):
        raise ValueError("no plan was simulated at several noises")
    kept = report.view.kept
    names = list(dict.fromkeys(one.execution for one in kept))
    data = {"dots": [_dot(one) for one in kept]}
    return Picture(
        NAME,
        TITLE,
        _description(kept, names),
        specification(
            _chart(names, wanted.theme, wanted.width),
            wanted.theme,
            TITLE,
            subtitle_lines(_best(kept), wanted.width),
        ),
        data,
        _table(kept),
        len(kept),
    )


def _dot(one: KeptShare) -> dict[str, Any]:
    told = (one.execution, *map(percent, (one.noise, one.mean, one.least, one.greatest)))
    return {
        "execution": one.execution,
        "noise": approximate(one.noise),
        "least": approximate(one.least),
        "mean": approximate(one.mean),
        "greatest": approximate(one.greatest),
    } | {f"told{place}": said for place, said in enumerate(told)}


def _chart(names: Sequence[str], theme: Theme, width: int) -> Any:
    import altair as alt

    base = alt.Chart(alt.NamedData("dots")).encode(
        x=alt.X(
            "noise:Q",
            title="times are wrong by at most",
            scale=alt.Scale(nice=False, padding=_PADDING),
            axis=alt.Axis(format=".4~%", grid=False, labelOverlap=True),
        ),
        color=alt.Color(
            "execution:N",
            title=None,
            scale=alt.Scale(domain=list(names), range=list(SERIES[theme][: len(names)])),
            legend=alt.Legend(orient="bottom", direction="horizontal", symbolOpacity=1),
        ),
    )
    height: dict[str, Any] = {
        "title": "of the plan",
        "scale": alt.Scale(zero=False, padding=_PADDING),
        "axis": alt.Axis(format=".4~%", labelOverlap=True, tickCount=6),
    }
    return alt.layer(
        base.mark_rule(opacity=0.5).encode(y=alt.Y("least:Q", **height), y2="greatest:Q"),
        base.mark_line().encode(y=alt.Y("mean:Q", **height)),
        base.mark_point(filled=True, size=60, opacity=1).encode(
            y=alt.Y("mean:Q", **height),
            tooltip=[alt.Tooltip(f"told{i}:N", title=name) for i, name in enumerate(_HEADINGS)],
        ),
    ).properties(
        width=width,
        height=_HEIGHT,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
    )


def _best(kept: Sequence[KeptShare]) -> str:
    """Say what keeps most at the first noise above 0, and at the last."""
    noises = sorted({one.noise for one in kept if one.noise})
    told = []
    for noise in dict.fromkeys((noises[0], noises[-1])):
        best = max((one for one in kept if one.noise == noise), key=lambda one: one.mean)
        told.append(f"at {percent(noise)} noise {best.execution} keeps {percent(best.mean)}")
    text = ", ".join(told)
    return f"{text[0].upper()}{text[1:]}"


def _description(kept: Sequence[KeptShare], names: Sequence[str]) -> str:
    return f"{', '.join(names)}: the mean of all runs, as a part of the plan. {_best(kept)}."


def _table(kept: Sequence[KeptShare]) -> PictureTable:
    rows: list[tuple[Cell, ...]] = [
        (one.execution, one.noise, one.mean, one.least, one.greatest) for one in kept
    ]
    return PictureTable(_HEADINGS, tuple(rows))
