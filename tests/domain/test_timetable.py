"""Schedules that repeat row by row, as documents."""

from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from steadygrid.domain.forms import schedule_from_document
from steadygrid.domain.timetable import (
    Computing,
    Firing,
    Row,
    Sending,
    Timetable,
    earliest,
    occurrence_document,
    occurrences,
    row_document,
)

F = Fraction
ROWS = Timetable(
    "one_port",
    F(14),
    2,
    (
        Row(Computing("read", "P1"), 0, 1, F(0), F(2), F(7)),
        Row(Sending(("read", "filter"), "P1", "P2"), 0, 2, F(2), F(3), F(14)),
        Row(Sending(("read", "filter"), "P1", "P3"), 1, 2, F(9), F(5), F(14)),
        Row(Computing("filter", "P2"), 0, 2, F(5), F(7), F(14)),
        Row(Computing("filter", "P3"), 1, 2, F(14), F(1, 3), F(14)),
    ),
)
FIRINGS = Timetable(None, F(5), 1, (Row(Firing("a", 1), 0, 1, F(0), F(1), F(5)),))


@pytest.mark.parametrize("schedule", [ROWS, FIRINGS])
def test_a_timetable_reads_back_what_it_writes(schedule: Timetable) -> None:
    assert schedule_from_document(schedule.document) == schedule


def test_rows_are_written_as_the_events_they_repeat() -> None:
    header = ROWS.header
    assert (header["period"], header["throughput"], header["counts"]["rows"]) == ("14", "1/7", 5)
    assert ROWS.document["rows"][2] == {
        "kind": "transfer",
        "link": ["P1", "P3"],
        "file": ["read", "filter"],
        "residue": "1",
        "modulus": "2",
        "start": "9",
        "time": "5",
        "every": "14",
    }
    firing = FIRINGS.document["rows"][0]
    assert (firing["kind"], firing["actor"], firing["phase"]) == ("compute", "a", 1)


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"throughput": "1/8"}, "throughput is '1/8', but its period says 1/7"),
        ({"optimal_throughput": "1"}, "optimal_throughput is '1'"),
        ({"loss": "1/2"}, "loss is '1/2', but its period says 0"),
        ({"preempted": True}, "never preempted"),
        ({"preempted": 0}, "never preempted"),
        ({"ports": "multiport"}, "unknown port model 'multiport'"),
        ({"period": "0"}, "takes time and holds a data set"),
        ({"instances_per_period": "0"}, "takes time and holds a data set"),
        ({"period": None}, "its form is 'timetable', but its period is None"),
        ({"makespan": "3"}, "its form is 'timetable', but its makespan is '3'"),
    ],
)
def test_a_header_that_contradicts_itself_is_refused(changed: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        schedule_from_document(ROWS.document | changed)


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"residue": "2"}, "residue 2 by modulus 2"),
        ({"residue": "-1"}, "expected a number"),
        ({"modulus": "0"}, "residue 0 by modulus 0"),
        ({"residue": "1/2"}, "expected a whole number, not '1/2'"),
        ({"every": "0"}, "takes time before it starts again"),
        ({"kind": "wait"}, "unknown kind of operation 'wait'"),
        ({"start": "-1"}, "expected a number"),
    ],
)
def test_a_row_that_means_nothing_is_refused(changed: dict[str, Any], error: str) -> None:
    document = ROWS.document
    document["rows"][1] |= changed
    with pytest.raises(ValueError, match=error):
        schedule_from_document(document)


def listed(begin: Fraction, end: Fraction) -> list[tuple[Fraction, int, int]]:
    """What is at work in a window, by looking at every turn of every row."""
    return sorted(
        (row.start + turn * row.every, position, turn)
        for position, row in enumerate(ZERO.rows)
        for turn in range(40)
        if (start := row.start + turn * row.every) < end
        and (start >= begin or start + row.time > begin)
    )


ZERO = replace(ROWS, rows=(*ROWS.rows, Row(Computing("end", "P1"), 0, 2, F(7), F(0), F(14))))


@pytest.mark.parametrize("begin", [F(0), F(5, 2), F(7), F(28), F(63, 2)])
@pytest.mark.parametrize("long", [F(0), F(7), F(61)])
def test_a_window_shows_all_that_is_at_work_in_it(begin: Fraction, long: Fraction) -> None:
    due = listed(begin, begin + long)
    found = list(occurrences(ZERO.rows, begin, begin + long))
    assert found == due
    documents = [row_document(row) for row in ZERO.rows]
    for i, one in enumerate([None, *found]):
        assert list(occurrences(ZERO.rows, begin, begin + long, one)) == due[i:]
        for most in range(1, 5):
            rows = earliest(documents, begin, begin + long, most, one)
            assert len(rows) <= most
            assert list(rows) == sorted(rows)
            page = list(islice(occurrences(rows, begin, begin + long, one), most))
            assert page == due[i:][:most]


def test_an_event_says_which_data_set_or_cycle_it_is_of() -> None:
    (*_, last) = occurrences(ROWS.rows, F(42), F(50))
    assert occurrence_document(ROWS.rows[last.row], last) == {
        "start": "49",
        "end": "51",
        "kind": "compute",
        "processor": "P1",
        "task": "read",
        "data_set": 7,
    }
    (first, *_) = occurrences(FIRINGS.rows, F(42), F(50))
    assert occurrence_document(FIRINGS.rows[0], first)["cycle"] == 9
