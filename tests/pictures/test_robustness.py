"""The picture of what executions keep of a plan: each dot is a row of the table."""

from fractions import Fraction
from functools import cache
from html import escape
from typing import Any

import pytest

from steadygrid.pictures import robustness
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.pictures.picture import THEMES, Wanted
from steadygrid.pictures.rendering import svg
from steadygrid.report.report import Report
from tests.kinds.divisible_star.bodies import star
from tests.kinds.simulation import bodies
from tests.pictures.reports import example, reported

F = Fraction


@cache
def simulated(noise: tuple[str, ...] = ("1/10", "0", "1/20")) -> Report:
    return reported(bodies.example(noise=list(noise), instances=40, seeds=2))


def test_the_table_is_that_of_the_simulation() -> None:
    report = simulated()
    told = report.result
    picture = picture_of(report, "robustness", Wanted())
    rows = sorted(told.table, key=lambda row: row.noise)  # type: ignore[attr-defined]
    plan = told.plan  # type: ignore[attr-defined]
    assert picture.table.rows == tuple(
        (
            "dispatch, overtaking" if row.overtake else row.execution,
            row.noise,
            row.of_plan,
            row.least / plan,
            row.greatest / plan,
        )
        for row in rows
    )
    assert [(one["noise"], one["mean"]) for one in picture.datasets["dots"]] == [
        (float(row.noise), float(row.of_plan)) for row in rows
    ]


def test_of_makespans_less_than_the_plan_is_worse_too() -> None:
    report = reported(bodies.simulated(star([1, 2], [3, 2]), noise=["0", "1/10"], seeds=4))
    assert report.result.table[1].greatest > report.result.plan  # type: ignore[attr-defined]
    for one in report.view.kept:
        assert one.least <= one.mean <= one.greatest
    assert report.view.kept[-1].least < 1
    assert picture_of(report, "robustness", Wanted()).description.endswith(" %.")


def test_words_say_what_keeps_most() -> None:
    picture = picture_of(simulated(), "robustness", Wanted())
    best = {
        noise: max((row for row in picture.table.rows if row[1] == noise), key=lambda row: row[2])
        for noise in (F(1, 20), F(1, 10))
    }
    assert f"At 5 % noise {best[F(1, 20)][0]} keeps" in picture.description
    assert f"at 10 % noise {best[F(1, 10)][0]} keeps" in picture.description


def test_the_gallery_has_it_where_a_line_can_be_drawn() -> None:
    assert "robustness" in {entry.name for entry in entries_of(simulated())}
    one = simulated(("1/20",))
    for report in (one, example("star")):
        assert "robustness" not in {entry.name for entry in entries_of(report)}
    with pytest.raises(ValueError, match="no plan was simulated"):
        robustness.picture(one, Wanted())


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [320, 800])
def test_it_is_drawn(theme: Any, width: int) -> None:
    picture = picture_of(simulated(), "robustness", Wanted(theme=theme, width=width))
    text = svg(picture.vega, width).decode()
    for word in (robustness.TITLE, "clock", "on_demand", "of the plan", "times are wrong"):
        assert word in text
    assert escape(picture.description) in text
