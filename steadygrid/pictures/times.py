"""How long one operation is predicted to take, by its size, next to what the bound allows.

Both axes are logarithmic: a bandwidth is a line of slope 1, and a curve that bends away from the bound
towards small sizes is what latencies cost. Between two sizes nothing is known. The dots are what was
simulated.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from steadygrid.domain.rational import approximate
from steadygrid.domain.view import TimeOfSize
from steadygrid.pictures.assembling import specification, subtitle_lines
from steadygrid.pictures.house_style import SERIES
from steadygrid.pictures.numbers import exact, printed
from steadygrid.pictures.picture import Cell, Picture, PictureTable, Theme, Wanted
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.quantities import counted, elapsed_text, percent
from steadygrid.report.report import Report

NAME = "times"
TITLE = "Predicted times by size"
LEAST_SIZES = 2
"""With fewer there is no line."""
PREDICTED, BOUND = "predicted", "what the bound allows"
_HEIGHT = 300
_PADDING = 12
"""Pixels around the lines."""
_WIDTHS = (1.8, 4)
"""Of lines: where they are one, both are seen."""
_BYTES = r"replace(format(datum.value, '.4~s'), regexp('[kMGTP]?$'), ' $&B')"
"""Of an axis, in the language of Vega: ``32 kB``."""
_HEADINGS = ("size", "time", "algorithm bandwidth", BOUND, "of the bound")


def applies_to(report: Report) -> bool:
    """Whether times of an operation are predicted for several sizes."""
    return len(report.view.times) >= LEAST_SIZES


def picture(report: Report, wanted: Wanted) -> Picture:
    """Draw the times, and the bound as a line next to them.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    ValueError
        If too few are predicted: `applies_to` says so beforehand.
    """
    times = report.view.times
    if len(times) < LEAST_SIZES:
        raise ValueError("no times are predicted for several sizes of this operation")
    lines = [*_line(BOUND, times), *_line(PREDICTED, times)]
    data = {"lines": lines, "dots": list(_dots(report, times))}
    return Picture(
        NAME,
        TITLE,
        _description(report, times),
        specification(
            _chart(report, lines, wanted.theme, wanted.width),
            wanted.theme,
            TITLE,
            subtitle_lines(_subtitle(report, times[-1]), wanted.width),
        ),
        data,
        _table(times),
        sum(map(len, data.values())),
    )


def _line(name: str, times: Sequence[TimeOfSize]) -> Iterator[dict[str, Any]]:
    """Give the corners of a line. What has no logarithm, or no double near it, is left out."""
    for row in times:
        height = _height(row.time if name == PREDICTED else row.least)
        if height is not None:
            yield {"line": name, "size": row.size, "time": height}


def _height(time: Fraction | None) -> float | None:
    return approximate(time) if time is not None and time > 0 else None


def _dots(report: Report, times: Sequence[TimeOfSize]) -> Iterator[dict[str, Any]]:
    for row in times:
        height = _height(row.time)
        if height is None:
            continue
        told = (
            row.label,
            _time_text(report, row.time),
            f"{exact(row.bandwidth)} of data {report.per_time}",
            "" if row.least is None else _time_text(report, row.least),
            _share_text(row),
        )
        yield {"line": PREDICTED, "size": row.size, "time": height} | {
            f"told{place}": said for place, said in enumerate(told)
        }


def _time_text(report: Report, time: Fraction) -> str:
    return f"{exact(time)} {report.time_unit or counted('time unit', time)}"


def _share(row: TimeOfSize) -> Fraction | None:
    """Give the part of the time that the bound allows."""
    return None if row.least is None or not row.time else row.least / row.time


def _share_text(row: TimeOfSize) -> str:
    share = _share(row)
    return "" if share is None else percent(share)


def _scale(numbers: Sequence[float]) -> dict[str, Any]:
    scale: dict[str, Any] = {"type": "log", "nice": False, "padding": _PADDING}
    if numbers and min(numbers) == max(numbers):
        # A scale without extent would have one tick, rounded and in the wrong place.
        scale["domain"] = [numbers[0] / 2, numbers[0]]
    return scale


def _chart(report: Report, lines: Sequence[dict[str, Any]], theme: Theme, width: int) -> Any:
    import altair as alt

    words = [word for word in (PREDICTED, BOUND) if any(row["line"] == word for row in lines)]
    colours = dict(zip((PREDICTED, BOUND), SERIES[theme], strict=False))
    of_line: dict[str, Any] = {
        "x": alt.X(
            "size:Q",
            title=f"size of one {report.noun}",
            scale=alt.Scale(**_scale([row["size"] for row in lines])),
            axis=alt.Axis(
                labelExpr=_BYTES,
                grid=False,
                labelOverlap=True,
                values=sorted({row["size"] for row in lines}),
            ),
        ),
        "y": alt.Y(
            "time:Q",
            title=f"time in {report.time_unit or 'time units'}",
            scale=alt.Scale(**_scale([row["time"] for row in lines])),
            axis=alt.Axis(format=".6~g", labelOverlap=True, tickCount=6),
        ),
        "color": alt.Color(
            "line:N",
            title=None,
            scale=alt.Scale(domain=words, range=[colours[word] for word in words]),
            legend=alt.Legend(orient="bottom", direction="horizontal", symbolOpacity=1),
        ),
    }
    strokes = alt.Chart(alt.NamedData("lines")).mark_line()
    dots = alt.Chart(alt.NamedData("dots")).mark_point(filled=True, size=60, opacity=1)
    return alt.layer(
        strokes.encode(
            **of_line,
            # A scale of widths would be in the legend of colours, or Vega warns of a conflict.
            strokeWidth=alt.condition(
                alt.datum.line == BOUND, alt.value(_WIDTHS[1]), alt.value(_WIDTHS[0])
            ),
        ),
        dots.encode(
            **of_line,
            tooltip=[alt.Tooltip(f"told{i}:N", title=name) for i, name in enumerate(_HEADINGS)],
        ),
    ).properties(
        width=width,
        height=_HEIGHT,
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
    )


def _subtitle(report: Report, row: TimeOfSize) -> str:
    told = f"{row.label} in {report.duration(row.time, UNICODE)}"
    told += f": {elapsed_text(row.bandwidth, UNICODE)} of data {report.per_time}"
    share = _share_text(row)
    return f"{told}, {share} of the bound (the line without dots)" if share else told


def _description(report: Report, times: Sequence[TimeOfSize]) -> str:
    first, last = times[0], times[-1]
    told = (
        f"One {report.noun} of {first.label} is predicted to take"
        f" {report.duration(first.time, UNICODE)}, and one of {last.label}"
        f" {report.duration(last.time, UNICODE)}, with an algorithm bandwidth of"
        f" {elapsed_text(last.bandwidth, UNICODE)} of data {report.per_time};"
        f" {len(times)} sizes were simulated."
    )
    at, end = _share_text(first), _share_text(last)
    if at and end:
        told += f" The smallest runs at {at} of the bound, the largest at {end}."
    return told


def _table(times: Sequence[TimeOfSize]) -> PictureTable:
    rows: list[tuple[Cell, ...]] = [
        (row.size, *map(_cell, (row.time, row.bandwidth, row.least, _share(row)))) for row in times
    ]
    columns = ("bytes", "time", "algorithm bandwidth", BOUND, "of the bound")
    return PictureTable(columns, tuple(rows))


def _cell(value: Fraction | None) -> Fraction | None:
    return None if value is None else printed(value)
