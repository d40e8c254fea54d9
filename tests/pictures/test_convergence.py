"""The picture of a trace: every step is a point of it, and nothing else is drawn."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from steadygrid.domain.job import Bound, Objective, Outcome
from steadygrid.domain.trace import MOST_POINTS, Trace, TracePoint
from steadygrid.pictures import convergence
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.pictures.picture import THEMES, Picture, Wanted
from steadygrid.pictures.rendering import svg
from steadygrid.report.report import Report
from tests.draws import draws
from tests.pictures.reports import example

F = Fraction
TRACE = (
    TracePoint(1, 0.5, None, F(1), False),
    TracePoint(2, 1.0, F(1, 4), F(1), False),
    TracePoint(2, 1.25, F(1, 2), F(3, 4), False),
    TracePoint(2, 2.0, F(21, 40), F(21, 40), True),
)


def traced(trace: Trace, **result: Any) -> Report:
    """Give figure 3 a trace, and members of its result."""
    report = example("rr4870-figure-3")
    return replace(report, result=report.result.model_copy(update=result), trace=trace)


def drawn(trace: Trace = TRACE, **wanted: Any) -> Picture:
    return convergence.picture(traced(trace), Wanted(**wanted))


def corners(picture: Picture, line: str) -> list[tuple[float, float]]:
    rows = picture.datasets["steps"]
    return [(row["second"], row["height"]) for row in rows if row["line"] == line]


def scale(picture: Picture, layer: int, channel: str) -> dict[str, Any]:
    assert picture.spec is not None
    found: dict[str, Any] = picture.spec["layer"][layer]["encoding"][channel]["scale"]
    return found


def test_lines_step_from_point_to_point_and_end_with_the_trace() -> None:
    picture = drawn()
    assert corners(picture, "best found") == [(1.0, 0.25), (1.25, 0.5), (2.0, 0.525)]
    assert corners(picture, "bound proved") == [(0.5, 1), (1.0, 1), (1.25, 0.75), (2.0, 0.525)]
    assert picture.spec is not None
    assert picture.spec["layer"][1]["mark"] == {"type": "line", "interpolate": "step-after"}


def test_the_gap_is_shaded_where_both_are_known_and_differ() -> None:
    assert drawn().datasets["gap"] == [
        {"begin": 1.0, "end": 1.25, "value": 0.25, "bound": 1.0},
        {"begin": 1.25, "end": 2.0, "value": 0.5, "bound": 0.75},
    ]


def test_changes_are_marked_with_what_they_are() -> None:
    dots = drawn().datasets["dots"]
    assert [(dot["told0"], dot["told1"], dot["told2"], dot["told3"]) for dot in dots] == [
        ("best found", "1/4 = 0.25", "1 s", "a solver's decimals"),
        ("best found", "1/2 = 0.5", "1.25 s", "a solver's decimals"),
        ("best found", "21/40 = 0.525", "2 s", "exact"),
        ("bound proved", "1", "0.5 s", "a solver's decimals"),
        ("bound proved", "3/4 = 0.75", "1.25 s", "a solver's decimals"),
        ("bound proved", "21/40 = 0.525", "2 s", "exact"),
    ]


def test_the_table_is_the_trace_exactly() -> None:
    table = drawn().table
    assert table.columns == ("seconds", "iteration", "best found", "bound proved", "exact")
    assert [row[1:] for row in table.rows] == [
        (p.iteration, p.value, p.bound, "yes" if p.exact else "no") for p in TRACE
    ]
    assert [float(str(row[0])) for row in table.rows] == [point.seconds for point in TRACE]


def test_words_say_the_numbers() -> None:
    picture = drawn()
    assert picture.description == (
        "The first answer, 1/4 tasks per s, was found after 1 s, the last, 21/40 tasks per s, after"
        " 2 s. A first bound, 1 task per s, was proved after 0.5 s, the last, 21/40 tasks per s,"
        " after 2 s. After 2 s no gap was left."
    ).replace("per s", example("rr4870-figure-3").per_time)
    assert picture.spec is not None
    assert picture.spec["title"]["subtitle"] == [
        "Best found 21/40 after 2 s; bound proved 21/40 after 2 s; no gap is left"
    ]


def test_what_is_minimised_has_its_bound_below() -> None:
    makespan = Objective(name="makespan", value=F(7), approx=7.0)
    report = traced(
        (
            TracePoint(None, 0.1, F(9), None, True),
            TracePoint(None, 0.2, F(8), F(5), True),
            TracePoint(None, 0.9, F(7), F(6), True),
        ),
        objective=makespan,
        bound=Bound.from_value(F(6), exact=True),
        gap=F(1, 6),
        outcome=Outcome.FEASIBLE,
    )
    picture = convergence.picture(report, Wanted())
    assert picture.datasets["gap"] == [{"begin": 0.2, "end": 0.9, "value": 8.0, "bound": 5.0}]
    assert "a gap of 17 % was left" in picture.description
    assert picture.spec is not None
    axis = picture.spec["layer"][1]["encoding"]["y"]["title"]
    assert axis.startswith("makespan in ")


def test_bounds_alone_are_drawn_too() -> None:
    trace = tuple(point._replace(value=None) for point in TRACE)
    report = traced(trace, objective=None, gap=None, outcome=Outcome.BOUND_ONLY)
    picture = convergence.picture(report, Wanted())
    assert corners(picture, "best found") == []
    assert picture.datasets["gap"] == []
    assert "answer" not in picture.description
    assert svg(picture.vega, 800)


def test_one_point_can_be_drawn_but_is_nothing_to_show() -> None:
    picture = drawn(TRACE[-1:])
    assert len(picture.datasets["dots"]) == 2
    assert svg(picture.vega, 800)
    assert not convergence.applies_to(traced(TRACE[-1:]))
    assert convergence.applies_to(traced(TRACE[-2:]))
    with pytest.raises(ValueError, match="not known"):
        convergence.picture(traced(()), Wanted())


def test_the_gallery_has_it_where_there_is_a_trace() -> None:
    assert "convergence" in {entry.name for entry in entries_of(traced(TRACE))}
    assert "convergence" not in {entry.name for entry in entries_of(traced(()))}
    assert picture_of(traced(TRACE), "convergence", Wanted()).name == "convergence"


@pytest.mark.parametrize(("first", "is_log"), [(0.0201, False), (0.02, True), (0.0, True)])
def test_long_searches_have_logarithmic_seconds(first: float, is_log: bool) -> None:
    picture = drawn((TRACE[0]._replace(seconds=first), *TRACE[1:]))
    for layer in range(3):
        assert (scale(picture, layer, "x").get("type") == "log") == is_log
    assert scale(picture, 1, "x")["domain"][0] == (max(first, 1e-6) if is_log else 0)
    assert min(row["second"] for row in picture.datasets["steps"]) > 0


@pytest.mark.parametrize(("least", "is_log"), [(F(1, 99), False), (F(1, 100), True), (F(0), False)])
def test_numbers_far_apart_have_a_logarithmic_axis(least: Fraction, is_log: bool) -> None:
    picture = drawn((TracePoint(1, 0.4, least, F(1), True), *TRACE))
    for layer in range(3):
        assert (scale(picture, layer, "y").get("type") == "log") == is_log


def test_what_no_double_comes_near_is_left_out_of_the_drawing_only() -> None:
    huge = F(10) ** 400
    picture = drawn((TRACE[0]._replace(bound=huge), *TRACE[1:]))
    assert corners(picture, "bound proved") == [(1.0, 1), (1.25, 0.75), (2.0, 0.525)]
    assert picture.table.rows[0][3] == huge
    assert svg(picture.vega, 800)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [320, 800])
def test_it_is_drawn(theme: Any, width: int) -> None:
    text = svg(drawn(theme=theme, width=width).vega, width).decode()
    assert "How the solve came to its answer" in text
    assert "best found" in text
    assert "seconds" in text


def test_random_traces_lose_nothing() -> None:
    random = Random(9)
    for _ in range(draws(5, 300)):
        trace = random_trace(random, random.choice((1, 2, 5, 130, MOST_POINTS)))
        picture = drawn(trace)
        for line, place in (("best found", 2), ("bound proved", 3)):
            known = [(p.seconds, float(p[place])) for p in trace if p[place] is not None]
            assert corners(picture, line) == known
            dots = [dot for dot in picture.datasets["dots"] if dot["line"] == line]
            changes = {number for _, number in known}
            assert len(dots) == (len(changes) if len(changes) <= convergence.MOST_DOTS else 1)
            if known:
                assert dots[-1]["height"] == known[-1][1]
        shaded = sum(row["end"] - row["begin"] for row in picture.datasets["gap"])
        both = sum(
            after.seconds - before.seconds
            for before, after in pairwise(trace)
            if None not in before[2:4] and before.value != before.bound
        )
        assert shaded == pytest.approx(both)
        json.dumps(picture.vega, allow_nan=False)


def random_trace(random: Random, points: int) -> Trace:
    seconds, value, bound = 0.0, F(1, 10), F(100)
    found: list[TracePoint] = []
    while len(found) < points:
        seconds += random.uniform(0.001, 1)
        value += F(random.randint(0, 3), 100)
        bound -= F(random.randint(1, 9), 100)
        has_value = len(found) > points // 4
        found.append(TracePoint(None, seconds, value if has_value else None, bound, True))
    return tuple(found)


def test_a_single_number_stands_at_its_height_between_ticks() -> None:
    picture = drawn((TracePoint(1, 0.5, F(4), F(4), True),))
    assert scale(picture, 1, "y")["domain"] == [3.8, 4.2]
    nothing = drawn((TracePoint(1, 0.5, F(0), F(0), True),))
    assert scale(nothing, 1, "y")["domain"] == [-1, 1]
