"""Gantt charts: what they show, and what they say that they do not."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from steadygrid.domain.schedule import Computation
from steadygrid.pictures import gantt
from steadygrid.pictures.asking import MOST_LANES_ASKED
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.pictures.gantt_rows import exact_text
from steadygrid.pictures.picture import MOST_BARS, Picture, Wanted
from steadygrid.report.lanes import lanes_of
from steadygrid.report.report import Report
from tests.pictures.reports import example, reported, star
from tests.pictures.schedules import DRAWN

F = Fraction


def busy(drawn: Picture) -> dict[tuple[Any, Any], Fraction]:
    place = drawn.table.columns.index("busy")
    sums: dict[tuple[Any, Any], Fraction] = {}
    for row in drawn.table.rows:
        time = row[place]
        assert isinstance(time, Fraction)
        sums[row[0], row[1]] = sums.get((row[0], row[1]), F(0)) + time
    return sums


def refusal(report: Report, wanted: Wanted) -> tuple[tuple[str | int, ...], str, str]:
    with pytest.raises(UnfitPicture) as caught:
        gantt.picture(report, wanted)
    return caught.value.faults[0]


@pytest.mark.parametrize("name", DRAWN)
def test_every_lane_of_an_example_is_drawn_with_all_that_it_does(name: str) -> None:
    report = example(name)
    assert "gantt" in {entry.name for entry in entries_of(report)}
    drawn, lanes = picture_of(report, "gantt", Wanted(cells=100)), lanes_of(report)
    assert lanes is not None
    within = [
        sum(
            (
                bar.busy
                * (min(bar.end, lanes.end) - max(bar.start, lanes.begin))
                / (bar.end - bar.start)
                for bar in lane.bars
            ),
            F(0),
        )
        for lane in lanes.lanes
    ]
    members = {(row[0], row[1]): str(row[2]).count(", ") + 1 for row in drawn.table.rows}
    assert sum(time * members[lane] for lane, time in busy(drawn).items()) == sum(within)
    bars = drawn.datasets["bars"]
    assert len(bars) == len(drawn.table.rows) <= MOST_BARS
    assert all(bar["start"] <= bar["end"] and 0 < bar["density"] <= 1 for bar in bars)
    assert {int(bar["top"]) for bar in bars} == {lane["row"] for lane in drawn.datasets["lanes"]}
    assert drawn.description.endswith(".")


def test_figure_3_says_who_does_what_when() -> None:
    drawn = gantt.picture(example("rr4870-figure-3"), Wanted())
    assert drawn.title == "One period: 40 s"
    assert drawn.description == (
        "One period of 40 s, 21 tasks; it repeats for ever after a prologue of 2 periods. 9 lanes;"
        " the busiest is busy for 100 % of the time."
    )
    sent = [bar for bar in drawn.datasets["bars"] if bar["lane"] == "P1 send"]
    assert [(bar["start"], bar["end"], bar["what"]) for bar in sent] == [
        (0, 30, "sends 15 × input to P2"),
        (30, 40, "sends 5 × input to P3"),
    ]
    assert [bar["long"] for bar in sent] == ["→P2 ×15", "→P3 ×5"]
    assert [(lane["name"], lane["word"], lane["share"]) for lane in drawn.datasets["lanes"]][
        :4
    ] == [
        ("P1", "compute", "100 %"),
        ("", "send", "100 %"),
        ("P2", "receive", "75 %"),
        ("", "compute", "100 %"),
    ]


def test_constant_rates_are_shares_and_not_times() -> None:
    drawn = gantt.picture(example("shared-wide-area-link"), Wanted())
    assert drawn.vega["title"]["subtitle"] == "46 tasks in each period; shares, not times"
    assert "bars of links are shares of their capacity" in drawn.description
    (wan,) = [bar for bar in drawn.datasets["bars"] if bar["lane"] == "store→lab"]
    assert wan["busy"] == "184/375 ≈ 0.490667 of the capacity"
    assert wan["density"] == float(F(184, 375))


def test_a_timetable_shows_data_sets_after_its_start() -> None:
    drawn = gantt.picture(example("replicated-workflow"), Wanted())
    assert drawn.title == "6 data sets in 1384 time units"
    assert drawn.description.startswith(
        "1384 time units of a schedule that does 6 data sets every 1384 time units, from 4844/3 time"
        " units on after the start. 7 lanes"
    )
    fired = gantt.picture(example("dataflow-two-actors"), Wanted())
    assert fired.title == "3 iterations in 15 time units"
    assert fired.datasets["bars"][0]["what"] == "fires phase 1 of cycle 1"


def test_a_schedule_that_runs_once_is_whole() -> None:
    drawn = gantt.picture(example("divisible-load-on-a-tree-with-results"), Wanted())
    assert drawn.title.startswith("From 0 to ")
    assert drawn.description.startswith("A schedule that runs once, for ")


def test_transfers_without_a_platform_are_counted() -> None:
    report = example("cell-filter-bank")
    assert report.schedule is not None
    moved = sum(len(slot.transfers) for slot in report.schedule.slots)
    said = gantt.picture(report, Wanted()).description
    assert (f"{moved} transfers not shown" in said) == (report.platform is None)


def test_a_window_cuts_what_goes_beyond_it() -> None:
    report = example("rr4870-figure-3")
    drawn = gantt.picture(report, Wanted(begin=F(25), end=F(100), lanes=("P1.send",)))
    assert drawn.title == "A window of 15 s, from 25 s on"
    place = drawn.table.columns.index("from")
    assert [row[place : place + 3] for row in drawn.table.rows] == [(25, 30, 5), (30, 40, 10)]
    assert drawn.vega["layer"][1]["encoding"]["x"]["scale"]["domain"] == [25, 40]


def test_windows_that_show_nothing_are_refused() -> None:
    report = example("rr4870-figure-3")
    assert refusal(report, Wanted(begin=F(3), end=F(3)))[:2] == (("end",), "empty_window")
    place, code, detail = refusal(report, Wanted(begin=F(40)))
    assert (place, code) == (("begin",), "empty_window")
    assert detail.endswith("the schedule goes from 0 to 40")
    assert refusal(report, Wanted(end=F(-1)))[0] == ("end",)
    assert refusal(example("replicated-workflow"), Wanted(end=F(0)))[0] == ("end",)


def test_lanes_can_be_asked_for() -> None:
    report = example("rr4870-figure-3")
    drawn = gantt.picture(report, Wanted(lanes=("P4", "P1.compute")))
    assert [lane["lane"] for lane in drawn.datasets["lanes"]] == [
        "P1 compute",
        "P4 receive",
        "P4 compute",
    ]
    links = gantt.picture(example("shared-wide-area-link"), Wanted(lanes=("store->lab.link",)))
    assert [lane["lane"] for lane in links.datasets["lanes"]] == ["store→lab"]


def test_lanes_that_do_not_exist_are_refused_with_the_nearest() -> None:
    report = example("rr4870-figure-3")
    place, code, detail = refusal(report, Wanted(lanes=("P1", "P1.sent")))
    assert (place, code) == (("lanes", 1), "unknown_lane")
    assert detail == "this schedule has no lane 'P1.sent'. Did you mean 'P1.send'?"
    many = tuple(f"P{i}" for i in range(MOST_LANES_ASKED + 1))
    assert refusal(report, Wanted(lanes=many))[1] == "too_many_lanes"


def test_the_busiest_of_many_lanes_are_shown_and_those_alike_are_one() -> None:
    workers = [(f"W{i}", 100 + i, F(1, 1000).__str__()) for i in range(70)]
    report = reported(star(workers))
    drawn = gantt.picture(report, Wanted())
    lanes = lanes_of(report)
    assert lanes is not None
    shown = drawn.datasets["lanes"]
    assert len(shown) == gantt.USUAL_LANES
    assert f"{len(lanes.lanes) - gantt.USUAL_LANES} less busy lanes not shown" in drawn.description
    times = sorted(
        (sum((bar.busy for bar in lane.bars), F(0)) for lane in lanes.lanes), reverse=True
    )
    assert sorted(busy(drawn).values(), reverse=True) == times[: gantt.USUAL_LANES]
    alike = reported(star([(f"W{i}", 100, F(1, 1000).__str__()) for i in range(40)]))
    folded = gantt.picture(alike, Wanted())
    names = [lane["name"] for lane in folded.datasets["lanes"]]
    assert "W0 … ×40" in names
    (members,) = {row[2] for row in folded.table.rows if row[0] == "W0 … ×40"}
    assert members == ", ".join(f"W{i}" for i in range(40))
    assert f"in {len(names)} rows" in folded.description


def many_bars(count: int) -> Report:
    """Give a schedule whose only processor alternates between long pieces and shorter ones."""
    report = example("rr4870-figure-3")
    assert report.schedule is not None
    starts = [F(40 * i, count) for i in range(count + 1)]
    pieces = tuple(
        Computation("P1", f"t{i % 2}", 0, F(1), start, (end - start) * F(1 + i % 2, 2))
        for i, (start, end) in enumerate(pairwise(starts))
    )
    return replace(report, found=replace(report.schedule, computations=pieces, runs=()))


def test_more_bars_than_can_be_drawn_are_joined_with_fewer_cells() -> None:
    report = many_bars(10_000)
    drawn = gantt.picture(report, Wanted(cells=4_000))
    assert sum(busy(drawn).values()) == 30
    assert len(drawn.datasets["bars"]) <= MOST_BARS
    assert "10,000 short pieces are drawn as 4000 blocks" in drawn.description
    assert "since no more than" not in drawn.description
    fine = gantt.picture(report, Wanted(cells=40_000))
    assert (
        "since no more than 5,000 bars are drawn: a shorter window shows more" in fine.description
    )
    assert sum(bar["labelled"] for bar in fine.datasets["bars"]) <= 600


def longer(report: Report, factor: Fraction) -> Report:
    """Stretch a schedule's time."""
    schedule = report.schedule
    assert schedule is not None
    done = tuple(
        one._replace(start=one.start * factor, time=one.time * factor)
        for one in schedule.computations
    )
    period = schedule.period * factor
    return replace(report, found=replace(schedule, period=period, computations=done, runs=()))


@pytest.mark.parametrize("factor", [F(10**40), F(1, 10**40), F(10**70 + 1, 3)])
def test_periods_beyond_doubles_are_parts(factor: Fraction) -> None:
    drawn = gantt.picture(longer(example("rr4870-figure-3"), factor), Wanted())
    bars = drawn.datasets["bars"]
    assert max(bar["end"] for bar in bars) == 1
    assert drawn.vega["layer"][1]["encoding"]["x"]["title"] == "part of the period"
    assert all(len(bar["to"]) < 80 for bar in bars)
    place = drawn.table.columns.index("to")
    assert {row[place] for row in drawn.table.rows} == {40 * factor}


def test_windows_too_narrow_for_doubles_are_parts() -> None:
    wanted = Wanted(begin=F(20), end=20 + F(1, 10**30))
    drawn = gantt.picture(example("rr4870-figure-3"), wanted)
    assert drawn.vega["layer"][1]["encoding"]["x"]["title"] == "part of the window"
    assert {(bar["start"], bar["end"]) for bar in drawn.datasets["bars"]} == {(0, 1)}


def test_exact_numbers_are_cut_in_the_middle() -> None:
    assert exact_text(F(40)) == "40"
    assert exact_text(F(1, 3)) == "1/3 ≈ 0.333333"
    assert exact_text(F(10**99)) == f"1{'0' * 28}…{'0' * 29} ≈ 1e99"


def test_names_stay_different_in_a_narrow_drawing() -> None:
    narrow = gantt.picture(example("file-server-two-cards"), Wanted(width=320))
    lanes = narrow.datasets["lanes"]
    names = [lane["name"] for lane in lanes if lane["name"]]
    assert len(set(names)) == len(names) == 6
    assert names[1:3] == ["ren…r1", "ren…r2"]
    assert {lane["word"].split(" ")[-1] for lane in lanes} >= {"comp", "recv"}
    assert "gateway lan receive" in [lane["lane"] for lane in lanes]
    wide = gantt.picture(example("file-server-two-cards"), Wanted(width=800)).datasets["lanes"]
    assert "render1" in [lane["name"] for lane in wide]
    assert {lane["word"].split(" ")[-1] for lane in wide} >= {"compute", "receive"}
