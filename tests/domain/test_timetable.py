"""Schedules that repeat row by row, as documents."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.forms import schedule_from_document
from steadygrid.domain.timetable import Computing, Firing, Row, Sending, Timetable, counted

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
    assert (counted(firing), counted(ROWS.document["rows"][0])) == ("cycle", "data_set")


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
        ({"kind": "wait"}, "unknown kind of operation 'wait'"),
        ({"start": "-1"}, "expected a number"),
    ],
)
def test_a_row_that_means_nothing_is_refused(changed: dict[str, Any], error: str) -> None:
    document = ROWS.document
    document["rows"][1] |= changed
    with pytest.raises(ValueError, match=error):
        schedule_from_document(document)
