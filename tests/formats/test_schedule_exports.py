"""Schedules as Chrome trace events, traces of Paje and CSV, compared with the schedules themselves."""

import csv
import dataclasses
import io
import json
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import steadygrid as sg
from steadygrid.domain.schedule import Schedule
from steadygrid.formats.exporter import Answer
from steadygrid.formats.schedule_exports import activities
from steadygrid.formats.schedule_exports.trace import viewer_scale
from steadygrid.submissions.exports import EXPORTERS
from tests.tree import ROOT

NAMES = ["rr4870-figure-3", "rr4870-figure-9", "three-sites-broadcast", "star"]


@cache
def answer(name: str) -> Any:
    return sg.solve(ROOT / "examples" / f"{name}.json", in_process=True)


def switches(solved: Any) -> set[str]:
    platform = solved.submission.instance.platform
    return {processor.id for processor in platform.processors if processor.switch}


def complete_events(solved: Any, **parameters: Any) -> list[dict[str, Any]]:
    document = json.loads(solved.export("trace", **parameters))
    return [event for event in document["traceEvents"] if event["ph"] == "X"]


def busy_by_processor(solved: Any) -> dict[tuple[str, str], Fraction]:
    """Time in a period that each processor computes, sends and receives, from the schedule."""
    busy: dict[tuple[str, str], Fraction] = {}
    for one in solved.schedule.computations:
        key = one.processor, "compute"
        busy[key] = busy.get(key, Fraction(0)) + one.time
    for slot in solved.schedule.slots:
        for hop in slot.transfers:
            for key in ((hop.sender, "send"), (hop.receiver, "receive")):
                busy[key] = busy.get(key, Fraction(0)) + slot.duration
    quiet = switches(solved)
    return {key: time for key, time in busy.items() if time and key[0] not in quiet}


@pytest.mark.parametrize("name", NAMES)
def test_a_trace_keeps_each_processor_busy_as_long_as_the_schedule(name: str) -> None:
    solved = answer(name)
    document = json.loads(solved.export("trace"))
    processors = {
        event["pid"]: event["args"]["name"]
        for event in document["traceEvents"]
        if event["name"] == "process_name"
    }
    busy: dict[tuple[str, str], Fraction] = {}
    for event in complete_events(solved):
        key = processors[event["pid"]], event["cat"]
        busy[key] = busy.get(key, Fraction(0)) + Fraction(event["args"]["duration"])
    assert busy == {key: 2 * time for key, time in busy_by_processor(solved).items()}
    assert document["otherData"]["period"] == str(solved.schedule.period)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_overlaps_on_a_thread_and_all_is_in_the_window(name: str) -> None:
    solved = answer(name)
    threads: dict[tuple[int, int], list[tuple[Fraction, Fraction]]] = {}
    first, period = solved.schedule.prologue_periods, solved.schedule.period
    for event in complete_events(solved):
        start, length = (Fraction(event["args"][key]) for key in ("start", "duration"))
        assert first * period <= start < start + length <= (first + 2) * period
        threads.setdefault((event["pid"], event["tid"]), []).append((start, start + length))
    assert threads
    for spans in threads.values():
        spans.sort()
        assert all(a[1] <= b[0] for a, b in pairwise(spans))


def test_times_of_the_viewer_are_the_exact_ones_scaled() -> None:
    solved = answer("rr4870-figure-3")
    document = json.loads(solved.export("trace"))
    scale = Fraction(document["otherData"]["time_unit_in_us"])
    begin = Fraction(document["otherData"]["begins_at"])
    for event in complete_events(solved):
        assert event["ts"] == float((Fraction(event["args"]["start"]) - begin) * scale)
        assert event["dur"] == float(Fraction(event["args"]["duration"]) * scale)


@pytest.mark.parametrize(
    ("window", "scale"),
    [("1", 10**6), ("1000", 10**6), ("1001", 10**5), ("1/1000", 10**6), ("1/1001", 10**7)],
)
def test_a_window_takes_between_a_millisecond_and_a_thousand_seconds(
    window: str, scale: int
) -> None:
    assert viewer_scale(Fraction(window)) == scale


def test_other_periods_can_be_asked_for_within_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = answer("rr4870-figure-3")
    first = solved.schedule.prologue_periods
    one = complete_events(solved, from_=first + 3, to=first + 4)
    assert {event["args"]["period"] for event in one} == {first + 3}
    assert 2 * len(one) == len(complete_events(solved))
    for parameters, words in (
        ({"from_": "soon"}, "no whole number of periods"),
        ({"from_": first - 1}, "not every part works yet"),
        ({"from_": first + 1, "to": first + 1}, "greater than from"),
        ({"colour": "red"}, "no such parameter"),
    ):
        with pytest.raises(sg.InstanceError, match=words):
            solved.export("trace", **parameters)
    monkeypatch.setattr(activities, "MOST_ACTIVITIES", len(one))
    with pytest.raises(sg.LimitError, match="ask for fewer periods"):
        solved.export("paje")


def paje_lines(solved: Any) -> list[list[str]]:
    """The events below the definitions, with their fields."""
    lines = solved.export("paje").splitlines()
    return [next(csv.reader([line], delimiter=" ")) for line in lines if not line.startswith("%")]


@pytest.mark.parametrize("name", NAMES)
def test_a_trace_of_paje_has_the_same_activities(name: str) -> None:
    solved = answer(name)
    events = paje_lines(solved)
    pushed = [event for event in events if event[0] == "5"]
    assert len(pushed) == len(complete_events(solved))
    times = [float(event[1]) for event in events if event[0] in "56"]
    assert times == sorted(times)
    depth: dict[str, int] = {}
    for event in events:
        if event[0] in "56":
            lane = event[3]
            depth[lane] = depth.get(lane, 0) + (1 if event[0] == "5" else -1)
            assert depth[lane] in (0, 1)
    assert set(depth.values()) == {0}
    made = {event[2] for event in events if event[0] == "3"}
    assert made == {event[3] for event in events if event[0] == "4"}
    assert set(depth) <= made


@pytest.mark.parametrize("name", NAMES)
def test_tables_have_exact_numbers_and_decimals(name: str) -> None:
    solved = answer(name)
    rows = list(csv.DictReader(io.StringIO(solved.export("csv"))))
    assert [
        (r["processor"], r["task"], Fraction(r["start"]), Fraction(r["time"])) for r in rows
    ] == [(one.processor, one.task, one.start, one.time) for one in solved.schedule.computations]
    assert all(float(row["time_decimal"]) == float(Fraction(row["time"])) for row in rows)
    sent = list(csv.DictReader(io.StringIO(solved.export("csv", part="transfers"))))
    busy: dict[str, Fraction] = {}
    for row in sent:
        busy[row["sender"]] = busy.get(row["sender"], Fraction(0)) + Fraction(row["duration"])
    told = {k[0]: time for k, time in busy_by_processor(solved).items() if k[1] == "send"}
    assert {k: time for k, time in busy.items() if k not in switches(solved)} == told
    shares = list(csv.DictReader(io.StringIO(solved.export("csv", part="allocations"))))
    assert {row["allocation"] for row in shares} <= {
        str(a.index) for a in solved.schedule.allocations
    }
    prices = list(csv.DictReader(io.StringIO(solved.export("csv", part="prices"))))
    assert {row["resource"]: Fraction(row["price"]) for row in prices} == dict(solved.prices)


@pytest.mark.parametrize("name", NAMES)
def test_a_schedule_that_tells_of_slots_is_written_alike(name: str) -> None:
    solved = answer(name)
    slots = tuple(solved.schedule.slots)
    told = dataclasses.replace(solved.schedule, runs=None, slots=slots)
    asked = solved.submission.instance
    traced = EXPORTERS["trace"].write(Answer(solved.result, None, asked, told)).text
    busy: dict[str, Fraction] = {}
    for event in json.loads(traced)["traceEvents"]:
        if event["ph"] == "X":
            length = Fraction(event["args"]["duration"])
            busy[event["cat"]] = busy.get(event["cat"], Fraction(0)) + length
    expected: dict[str, Fraction] = {}
    for (_, sort), time in busy_by_processor(solved).items():
        expected[sort] = expected.get(sort, Fraction(0)) + 2 * time
    assert busy == expected
    table = EXPORTERS["csv"].write(
        Answer(solved.result, None, asked, told), {"part": ["transfers"]}
    )
    rows = list(csv.DictReader(io.StringIO(table.text)))
    assert sum(Fraction(row["duration"]) for row in rows) == sum(
        slot.duration * len(slot.transfers) for slot in slots
    )


def test_numbers_that_no_double_holds_have_no_decimal_and_shrink_in_a_viewer() -> None:
    huge = str(10**60)
    problem = {
        "kind": "master_worker", "master": "M", "task": {"work": huge, "input_size": huge},
        "platform": {
            "processors": [{"id": "M"}, {"id": "W", "speed": f"1/{huge}"}],
            "links": [{"source": "M", "target": "W", "bandwidth": f"1/{huge}"}],
        },
    }  # fmt: skip
    solved: Any = sg.solve(problem, in_process=True)
    vast = dataclasses.replace(
        solved.schedule,
        period=solved.schedule.period * 10**300,
        runs=None,
        slots=(),
        computations=tuple(
            one._replace(start=one.start * 10**300, time=one.time * 10**300)
            for one in solved.schedule.computations
        ),
    )
    told = Answer(solved.result, None, solved.submission.instance, vast)
    (row,) = csv.DictReader(io.StringIO(EXPORTERS["csv"].write(told).text))
    assert (Fraction(row["time"]), row["time_decimal"]) == (vast.computations[0].time, "")
    for name in ("trace", "paje"):
        assert EXPORTERS[name].write(told).text


def test_a_cell_is_never_a_formula() -> None:
    problem = {
        "kind": "master_worker", "master": "=M",
        "platform": {
            "processors": [{"id": "=M", "speed": 1}, {"id": "@W", "speed": 1}],
            "links": [{"source": "=M", "target": "@W", "bandwidth": 1}],
        },
        "task": {"work": 1, "input_size": 1},
    }  # fmt: skip
    solved = sg.solve(problem, in_process=True)
    names = {row["processor"] for row in csv.DictReader(io.StringIO(solved.export("csv")))}
    assert names == {"'=M", "'@W"}


def test_an_answer_is_written_to_a_file_and_what_cannot_be_is_refused(tmp_path: Path) -> None:
    solved = answer("star")
    text = solved.export("trace", tmp_path / "trace.json")
    assert (tmp_path / "trace.json").read_text("utf-8") == text
    with pytest.raises(sg.InstanceError, match=r"the format is one of: .*trace"):
        solved.export("traces")
    with pytest.raises(sg.InstanceError, match="takes answers of collective"):
        solved.export("msccl")
    with pytest.raises(sg.InstanceError, match="none of computations"):
        solved.export("csv", part="colours")
    once = answer("divisible-load-on-a-star")
    assert not isinstance(once.schedule, Schedule)
    with pytest.raises(sg.InstanceError, match="no schedule that repeats"):
        once.export("trace")
