"""A program that asks what is next does the schedule, by its dates or by its orders."""

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import steadygrid as sg
from steadygrid.domain.schedule import Schedule
from steadygrid.engine.executions.ordered import in_order
from tests.engine.executions.seen import example, pair, seen
from tests.kinds.dataflow import bodies as dataflow

F = Fraction
EXAMPLES = Path(__file__).parents[2] / "examples"
Stretch = tuple[Fraction, Fraction]


def solved(body: Any, **options: Any) -> sg.Answer[Any]:
    return sg.solve({"problem": body["problem"], "options": options}, in_process=True)


def carried_out(answer: sg.Answer[Any], periods: int, *, clocked: bool) -> dict[int, Any]:
    """Follow a clock: begin all that may begin, then go to the next end or date; give starts."""
    sequencer = sg.Sequencer(answer, clocked=clocked, periods=periods)
    now, starts, ends = F(0), {}, {}
    while not sequencer.is_done:
        while (one := sequencer.next(now)) is not None:
            starts[one.number] = (now, one)
            ends[one.number] = now + one.time
        due = [end for number, end in ends.items() if number in sequencer.unfinished]
        date = sequencer.next_date()
        now = min([*due, *([date] if date is not None and clocked else [])])
        for number in sorted(sequencer.unfinished):
            if ends[number] <= now:
                sequencer.finish(number)
    return starts


CASES = [
    ("master_worker", "one_port"),
    ("task_graph", "multiport"),
    ("task_graph", "send_or_receive"),
    ("mono_allocation", "one_port"),
    ("collective", "one_port"),
]


@pytest.mark.parametrize(("kind", "ports"), CASES)
def test_by_the_clock_every_operation_begins_at_its_date(kind: str, ports: str) -> None:
    answer = solved(example(kind, ports))
    _, period = seen(example(kind, ports))
    periods = period.warm_up + 2
    starts = carried_out(answer, periods, clocked=True)
    assert all(start == one.date for start, one in starts.values())
    steady = [one for _, one in starts.values() if one.date >= (periods - 1) * period.length]
    assert sorted((one.date - (periods - 1) * period.length, one.time) for one in steady) == sorted(
        (part.offset, part.time) for part in period.parts
    )


@pytest.mark.parametrize(("kind", "ports"), CASES)
def test_by_the_order_instances_end_when_the_simulation_says(kind: str, ports: str) -> None:
    answer = solved(example(kind, ports))
    _, period = seen(example(kind, ports))
    periods = period.warm_up + 3
    starts = carried_out(answer, periods, clocked=False)
    did = in_order(period, periods, clocked=False)
    ends: dict[tuple[int, int], Fraction] = {}
    for start, one in starts.values():
        if one.ends:
            place = (one.allocation.index, one.instance)
            ends[place] = max(ends.get(place, F(0)), start + one.time)
    counted = {
        place: end
        for place, end in ends.items()
        for course in period.courses
        if course.allocation.index == place[0]
        and place[1] < course.per_period * (periods + 1 - course.periods)
    }
    if len(period.weights) == 1:
        assert sorted(counted.values()) == [date for date, _ in did.progress]
    else:
        assert max(counted.values()) >= did.progress[-1][0]


def test_several_cards_serve_several_files_at_a_time() -> None:
    body = pair(4, 4)
    body["problem"]["platform"] = {
        "processors": [{"id": "M", "cards": 3}, *({"id": one, "unit_time": 1} for one in "ABC")],
        "links": [{"source": "M", "target": one, "unit_time": 1} for one in "ABC"],
    }
    sequencer = sg.Sequencer(solved(body), clocked=False)
    sent = [sequencer.next(processor="M") for _ in range(3)]
    assert {one.path[1] for one in sent if one is not None} == set("ABC")
    assert sequencer.next() is None
    assert sent[1] is not None
    sequencer.finish(sent[1].number)
    following = [sequencer.next(), sequencer.next()]
    assert {(one.processor, one.task) for one in following if one is not None} <= {
        ("M", None),
        (sent[1].path[1], "task"),
    }
    assert (sent[1].path[1], "task") in {(o.processor, o.task) for o in following if o is not None}


def test_a_processor_asks_for_its_own_operations_without_an_end() -> None:
    """Tasks take 3, files 2: the first file is sent from 0 and computed in the next period."""
    answer = solved(pair(3, 2))
    clock = sg.Sequencer(answer, clocked=True)
    assert clock.next(0, "W") is None
    assert clock.next_date("W") is None
    sent = clock.next(0, "M")
    assert sent is not None
    assert (sent.file, sent.path, sent.data, sent.time) == (("begin", "task"), ("M", "W"), 2, 2)
    clock.finish(sent.number)
    assert (clock.next(2.5, "W"), clock.next_date("W"), clock.next_date()) == (None, 3, 3)
    assert clock.next(3.0, "W") is not None
    order = sg.Sequencer(answer, clocked=False)
    for number in range(200):
        one = order.next(processor="M")
        assert one is not None
        assert (one.instance, one.part) == (number, 1)
        order.finish(one.number)
    assert not order.is_done


@pytest.mark.parametrize(
    ("how", "code"),
    [({"periods": 0}, "invalid_parameter"), ({}, "missing_parameter")],
)
def test_what_it_cannot_do_is_refused(how: dict[str, Any], code: str) -> None:
    answer = solved(pair(3, 2))
    with pytest.raises(sg.InstanceError) as refused:
        sg.Sequencer(answer, clocked=True, **how).next()
    assert refused.value.faults[0].code == code
    sequencer = sg.Sequencer(answer, clocked=False)
    with pytest.raises(sg.InstanceError, match="has not been handed out"):
        sequencer.finish(0)


def test_only_what_repeats_slot_by_slot_is_handed_out() -> None:
    timetable = solved({"problem": dataflow.problem({"a": 2}, "a 1>1 a 1")})
    assert not isinstance(timetable.schedule, Schedule)
    with pytest.raises(sg.InstanceError, match="only a schedule that repeats"):
        sg.Sequencer(timetable, clocked=True)


@pytest.mark.parametrize(
    ("name", "max_period", "rounded"),
    [("file-server-two-cards", 10, (9, F(1, 33))), ("star", "22/7", (3, F(3, 13)))],
)
def test_dates_of_a_rounded_period_are_those_that_the_schedule_has(
    name: str, max_period: Any, rounded: tuple[int, Fraction]
) -> None:
    """Of a period, every processor computes and every link carries what is listed, just then."""
    body = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    answer = solved(body, max_period=max_period)
    schedule = answer.schedule
    assert isinstance(schedule, Schedule)
    assert (schedule.period, schedule.loss) == rounded
    assert schedule.runs is not None
    done: dict[Any, list[Stretch]] = defaultdict(list)
    periods = schedule.prologue_periods + 2
    last = (periods - 1) * schedule.period
    for date, one in carried_out(answer, periods, clocked=True).values():
        assert date == one.date
        if date >= last:
            what = (one.allocation.index, one.task or one.file, *one.path)
            done[what].append((date - last, date - last + one.time))
    listed: dict[Any, list[Stretch]] = defaultdict(list)
    for work in schedule.computations:
        what = (work.allocation, work.task, work.processor)
        listed[what].append((work.start, work.start + work.time))
    for run in schedule.runs:
        for start, end, cargo in run.stretches():
            what = (cargo.allocation, cargo.file, run.sender, run.receiver)
            listed[what].append((start, end))
    assert {what: joined(parts) for what, parts in done.items()} == {
        what: joined(parts) for what, parts in listed.items()
    }


def joined(parts: list[Stretch]) -> list[Stretch]:
    """Join what follows each other without a break."""
    found: list[Stretch] = []
    for start, end in sorted(parts):
        if found and found[-1][1] == start:
            start = found.pop()[0]
        found.append((start, end))
    return [one for one in found if one[0] < one[1]]
