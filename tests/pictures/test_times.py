"""The picture of predicted times: each dot is a row of the answer, exactly, and so is the bound."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from html import escape
from typing import Any

import pytest

from steadygrid.domain.view import TimeOfSize
from steadygrid.pictures import times
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.pictures.picture import THEMES, Picture, Wanted
from steadygrid.pictures.rendering import svg
from steadygrid.report.report import Report
from tests.pictures.hostile import HOSTILE
from tests.pictures.reports import example, reported, slow_links

F = Fraction
PREDICTED, BOUND = "predicted", "what the bound allows"
ROWS = (
    TimeOfSize(1_000, "1 kB", F(1, 10), F(1, 1_000), F(1, 100)),
    TimeOfSize(32_000, "32 kB", F(2, 10), F(32, 1_000), F(16, 100)),
    TimeOfSize(1_000_000, "1 MB", F(4, 3), F(1), F(3, 4)),
)


def with_times(*rows: TimeOfSize) -> Report:
    """Give an answer whose view tells these."""
    report = example("star")
    changed = Report(report.submission, report.result, report.found)
    changed.__dict__["view"] = replace(report.view, times=rows)
    return changed


def drawn(*rows: TimeOfSize, **wanted: Any) -> Picture:
    return times.picture(with_times(*rows), Wanted(**wanted))


def corners(picture: Picture, line: str) -> list[tuple[float, float]]:
    rows = picture.datasets["lines"]
    return [(row["size"], row["time"]) for row in rows if row["line"] == line]


def encoding(picture: Picture, layer: int, channel: str) -> dict[str, Any]:
    assert picture.spec is not None
    found: dict[str, Any] = picture.spec["layer"][layer]["encoding"][channel]
    return found


@cache
def broadcast() -> Report:
    return reported(slow_links("ABC"))


def test_the_table_is_the_prediction_exactly() -> None:
    report = broadcast()
    told = report.result.execution  # type: ignore[attr-defined]
    picture = picture_of(report, "times", Wanted())
    assert picture.table.columns == (
        "bytes",
        "time",
        "algorithm bandwidth",
        BOUND,
        "of the bound",
    )
    assert picture.table.rows == tuple(
        (row.bytes, row.time, row.algbw, row.time * row.of_bound, row.of_bound)
        for row in told.predicted
    )


def test_the_bound_is_a_line_of_slope_one_below_the_times() -> None:
    picture = picture_of(broadcast(), "times", Wanted())
    # The links carry 2 GB per s, and no broadcast is faster.
    least = [row[3] for row in picture.table.rows]
    assert least == [F(size, 2 * 10**9) for size in (1_000, 1_000_000, 10**9)]
    assert all(row[1] > row[3] for row in picture.table.rows)  # type: ignore[operator]
    assert corners(picture, BOUND) == [(1_000, 5e-7), (1_000_000, 5e-4), (10**9, 0.5)]


def test_lines_are_straight_from_dot_to_dot_on_logarithmic_axes() -> None:
    picture = drawn(*ROWS)
    assert corners(picture, PREDICTED) == [(1_000, 0.1), (32_000, 0.2), (1_000_000, 4 / 3)]
    dots = [(row["size"], row["time"]) for row in picture.datasets["dots"]]
    assert dots == corners(picture, PREDICTED)
    assert picture.spec is not None
    assert picture.spec["layer"][0]["mark"] == {"type": "line"}
    for layer in range(2):
        for channel in "xy":
            assert encoding(picture, layer, channel)["scale"]["type"] == "log"
    assert encoding(picture, 0, "x")["axis"]["values"] == [1_000, 32_000, 1_000_000]


def test_dots_tell_the_bandwidth_and_what_the_bound_allows() -> None:
    picture = drawn(*ROWS)
    headings = [entry["title"] for entry in encoding(picture, 1, "tooltip")]  # type: ignore[index]
    assert headings == ["size", "time", "algorithm bandwidth", BOUND, "of the bound"]
    assert [picture.datasets["dots"][2][f"told{place}"] for place in range(5)] == [
        "1 MB",
        "4/3 ≈ 1.33333 time units",
        "3/4 = 0.75 of data per time unit",
        "1 time unit",
        "75 %",
    ]


def test_words_say_the_numbers() -> None:
    picture = drawn(*ROWS)
    assert picture.description == (
        "One task of 1 kB is predicted to take 0.1 time units, and one of 1 MB 4/3 time units, with"
        " an algorithm bandwidth of 0.75 of data per time unit; 3 sizes were simulated. The smallest"
        " runs at 1 % of the bound, the largest at 75 %."
    )
    assert picture.spec is not None
    assert " ".join(picture.spec["title"]["subtitle"]) == (
        "1 MB in 4/3 time units: 0.75 of data per time unit, 75 % of the bound (the line without"
        " dots)"
    )


def test_without_a_bound_there_are_times_alone() -> None:
    picture = drawn(*(row._replace(least=None) for row in ROWS))
    assert corners(picture, BOUND) == []
    assert encoding(picture, 0, "color")["scale"]["domain"] == [PREDICTED]
    assert "bound" not in picture.description
    assert [row[3:] for row in picture.table.rows] == [(None, None)] * 3
    assert svg(picture.vega, 800)


def test_one_size_is_no_line() -> None:
    assert not times.applies_to(with_times(ROWS[0]))
    assert times.applies_to(with_times(*ROWS[:2]))
    for rows in ((), ROWS[:1]):
        with pytest.raises(ValueError, match="no times"):
            drawn(*rows)


def test_the_gallery_has_it_where_times_are_predicted() -> None:
    assert "times" in {entry.name for entry in entries_of(broadcast())}
    for name in ("star", "three-sites-broadcast", "rr4872-figure-2-scatter"):
        assert "times" not in {entry.name for entry in entries_of(example(name))}


@pytest.mark.parametrize("odd", [F(10) ** 400, F(1, 10**400), F(0)])
def test_what_has_no_place_on_the_axis_is_left_out_of_the_drawing_only(odd: Fraction) -> None:
    picture = drawn(ROWS[0]._replace(time=odd, least=odd), *ROWS[1:])
    for line in (PREDICTED, BOUND):
        assert [size for size, _ in corners(picture, line)] == [32_000, 1_000_000]
    assert len(picture.datasets["dots"]) == 2
    assert picture.table.rows[0][1] == odd
    json.dumps(picture.vega, allow_nan=False)


def test_a_single_time_stands_between_ticks() -> None:
    rows = [row._replace(time=F(4), least=None) for row in ROWS]
    picture = drawn(*rows)
    assert encoding(picture, 0, "y")["scale"]["domain"] == [2, 4]
    assert "domain" not in encoding(picture, 0, "x")["scale"]
    assert svg(picture.vega, 800)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [320, 800])
def test_it_is_drawn(theme: Any, width: int) -> None:
    picture = picture_of(broadcast(), "times", Wanted(theme=theme, width=width))
    text = svg(picture.vega, width).decode()
    for word in (times.TITLE, PREDICTED, BOUND, "1 kB", "1 GB", "time in s", "of one broadcast"):
        assert word in text
    assert escape(picture.description) in text


def test_hostile_ids_are_not_even_data() -> None:
    picture = picture_of(reported(slow_links(HOSTILE[:3])), "times", Wanted())
    told = json.dumps([picture.vega, picture.title], ensure_ascii=False)
    assert not any(name in told for name in HOSTILE)
    assert picture.table == picture_of(broadcast(), "times", Wanted()).table
