"""Pictures of timetables: who is at work for which data set, in a window where all rows have begun."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.domain.timetable import Firing, Row, Timetable
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.report.gantt import MOST_DRAWN, gantt
from steadygrid.report.glyphs import ASCII, UNICODE
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission

F = Fraction


@cache
def example(kind: str) -> Report:
    return solved(dict(PROBLEMS[kind].example))


def solved(body: dict[str, Any]) -> Report:
    asked = parse_submission(body, Limits())
    result, schedule = run(asked, Control(30), Limits())
    return Report(asked, result, schedule)


def drawn(report: Report, width: int = 80) -> list[str]:
    return [line.plain for line in gantt(report, width, UNICODE)]


def test_one_port_has_a_row_for_each_direction_and_for_computing() -> None:
    body = dict(PROBLEMS["replicated_workflow"].example)
    one_port = {**body, "problem": {**body["problem"], "ports": "one_port"}}
    lines = drawn(solved(one_port))
    assert lines[0].startswith("From ")
    assert lines[0].endswith("one period, 2 data sets")
    assert [line[:11] for line in lines[3:9]] == [
        "P1    send ",
        "      comp ",
        "P2    recv ",
        "      comp ",
        "P3    recv ",
        "      comp ",
    ]
    assert lines[3].endswith("   100 %")
    assert lines[-1].startswith("n: for data set n")


def test_no_overlap_has_one_row_for_each_processor() -> None:
    lines = drawn(example("replicated_workflow"))
    assert lines[0] == "From 18 time units on: one period, 2 data sets"
    assert [line[:9] for line in lines[3:6]] == ["P1    all", "P2    all", "P3    all"]
    assert "read 3" in lines[3]
    assert "filter 3" in lines[5]


def test_everything_fits_into_any_width() -> None:
    for kind in ("replicated_workflow", "dataflow"):
        for width in (40, 57, 200):
            for glyphs in (ASCII, UNICODE):
                lines = gantt(example(kind), width, glyphs)
                assert lines
                assert max(line.cell_len for line in lines) <= width


def test_an_actor_that_fires_several_times_at_once_has_several_rows() -> None:
    def firings(number: int) -> Timetable:
        listed = [Row(Firing("a", 1), i, number, F(i), F(number), F(number)) for i in range(number)]
        return Timetable(None, F(number), number, tuple(listed))

    lines = drawn(replace(example("dataflow"), found=firings(4)))
    assert [line.split()[0] for line in lines[3:7]] == ["a", "█", "█", "█"]
    assert all(line.endswith("   100 %") for line in lines[3:7])
    hidden = drawn(replace(example("dataflow"), found=firings(9)))
    assert hidden[9] == "and 3 more rows of firings at the same time, not drawn"


def test_firings_of_several_phases_are_numbered_by_cycle_and_phase() -> None:
    listed = tuple(Row(Firing("a", i + 1), 0, 1, F(i), F(1), F(2)) for i in range(2))
    lines = drawn(replace(example("dataflow"), found=Timetable(None, F(2), 1, listed)))
    assert "█ 1.1 ██" in lines[3]
    assert "█ 1.2 ██" in lines[3]
    assert lines[4] == "n.1: phase 1 of cycle n of the actor, █ fires, · idle"


def test_long_periods_are_drawn_in_part_and_the_busiest_rows_first() -> None:
    often = [Row(Firing(f"a{i}", 1), 0, 1, F(0), F(1, i + 2), F(1, i + 1)) for i in range(30)]
    short = Timetable(None, F(1000), 1000, tuple(often))
    lines = drawn(replace(example("dataflow"), found=short))
    assert lines[0].endswith("1250/111 time units of the period")
    assert lines[-1] == "and 6 less busy actors, not drawn"
    assert lines[3].startswith("a6 ")
    assert lines[3].endswith("  87.5 %")
    quick = Row(Firing("a", 1), 0, 10**9, F(0), F(1), F(1))
    lines = drawn(replace(example("dataflow"), found=Timetable(None, F(10**9), 1, (quick,))))
    assert lines[0].endswith(f"{MOST_DRAWN} time units of the period")


def test_what_takes_no_time_is_not_drawn_and_nothing_without_a_timetable() -> None:
    instant = Timetable(None, F(1), 1, (Row(Firing("a", 1), 0, 1, F(0), F(0), F(1)),))
    assert drawn(replace(example("dataflow"), found=instant)) == []
    assert drawn(replace(example("dataflow"), found=None)) == []
