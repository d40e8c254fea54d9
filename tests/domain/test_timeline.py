"""Schedules that run once, and periodic ones, as documents."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.forms import schedule_from_document
from steadygrid.domain.periods import first_periods, hop_periods
from steadygrid.domain.schedule import Allocation, Schedule, Transfer
from steadygrid.domain.timeline import Event, Timeline
from tests.databases import small_schedule

HALF = Fraction(1, 2)
ONCE = Timeline(
    "strict_one_port",
    Fraction(3, 2),
    (
        Event(Fraction(0), HALF, ("P1", "P2"), "a", 1, HALF),
        Event(Fraction(0), Fraction(1), "P1", "a", 1, HALF),
        Event(HALF, Fraction(3, 2), "P2", "a", 1, HALF),
    ),
)


def test_a_schedule_that_runs_once_reads_back_what_it_writes() -> None:
    assert Timeline.from_document(ONCE.document) == ONCE
    assert schedule_from_document(ONCE.document) == ONCE
    assert schedule_from_document(small_schedule().document) == small_schedule()
    assert ONCE.document["events"][:2] == [
        {
            "start": "0",
            "end": "1/2",
            "link": ["P1", "P2"],
            "kind": "transfer",
            "load": "a",
            "installment": 1,
            "share": "1/2",
        },
        {
            "start": "0",
            "end": "1",
            "processor": "P1",
            "kind": "compute",
            "load": "a",
            "installment": 1,
            "share": "1/2",
        },
    ]
    assert ONCE.header["counts"]["events"] == 3


def test_both_forms_have_the_same_members_in_their_headers() -> None:
    assert ONCE.header.keys() == small_schedule().header.keys()
    assert (ONCE.header["form"], small_schedule().header["form"]) == ("once", "periodic")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"period": "2"}, "its form is 'once', but its period is '2'"),
        ({"ports": "multiport"}, "unknown port model 'multiport'"),
        ({"events": [ONCE.document["events"][0] | {"kind": "rest"}]}, "unknown kind of event"),
        ({"events": [ONCE.document["events"][0] | {"link": ["P1"]}]}, "unpack"),
        ({"makespan": "long"}, "expected a number"),
        ({"events": [ONCE.document["events"][0] | {"installment": 1.5}]}, "a whole number"),
        ({"counts": {"events": 0.5}}, "expected a whole number, not '0.5'"),
    ],
)
def test_what_is_no_schedule_that_runs_once_is_refused(change: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        Timeline.from_document(ONCE.document | change)


def test_a_document_keeps_what_it_says_of_its_counts() -> None:
    counts = dict.fromkeys(("allocations", "computations", "slots", "transfers"), 0)
    assert ONCE.counts == counts | {"events": len(ONCE.events)}
    assert Timeline.from_document(ONCE.document).stated_counts == ONCE.counts
    read = Schedule.from_document(small_schedule().document | {"counts": {"events": None}})
    assert (read, read.stated_counts) == (small_schedule(), {})
    assert small_schedule().stated_counts is None


def test_a_schedule_that_runs_once_is_no_periodic_one() -> None:
    with pytest.raises(
        ValueError, match="its form is 'once', but this kind's schedules are 'periodic'"
    ):
        Schedule.from_document(ONCE.document)


def test_an_allocation_may_bring_its_own_first_periods() -> None:
    file = ("k", "l")
    tasks = {"k": ("A",), "l": ("B",)}
    peeking = Allocation(
        0, HALF, Fraction(1), tasks, (Transfer(file, ("A", "B"), Fraction(1)),),
        {("k", "A"): 1, ("l", "B"): 6},
    )  # fmt: skip
    assert first_periods([file], peeking, "multiport") == {("k", "A"): 1, ("l", "B"): 6}
    assert hop_periods([file], peeking, "multiport") == ((2,),)
    periodic = Schedule(
        Fraction(2), Fraction(1), HALF, HALF, Fraction(0), None, "multiport", 5, 6, False,
        (file,), (peeking,), (), (),
    )  # fmt: skip
    assert periodic.document["allocations"][0]["first_periods"] == [
        {"task": "k", "processor": "A", "period": 1},
        {"task": "l", "processor": "B", "period": 6},
    ]
    assert Schedule.from_document(periodic.document) == periodic


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"operands": "ab"}, "list of operands"),
        ({"operands": ["a", 1]}, "expected a name"),
        ({"index": "x"}, "whole number"),
        ({"processor": None}, "expected a name"),
    ],
)
def test_what_is_no_combination_is_refused(change: dict[str, Any], error: str) -> None:
    document = small_schedule().document
    right = {"index": 0, "processor": "b", "operands": ["a", "b"]}
    document["allocations"][0]["combinations"] = [right]
    (read,) = Schedule.from_document(document).allocations[0].combinations
    assert read.document == right
    document["allocations"][0]["combinations"] = [right | change]
    with pytest.raises((TypeError, ValueError), match=error):
        Schedule.from_document(document)
