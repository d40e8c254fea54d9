"""Runs of links: each fault that can be planted in right ones is refused, with the right sentence."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.domain.runs import Cargo, DerivedSlots, Run, runs_of_slots
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.solved import solve
from tests.verification.answers import Answer

F = Fraction
EXAMPLES = Path(__file__).parents[2] / "examples"
INPUT = ("begin", "task")
Runs = tuple[Run, ...]


@cache
def answered(name: str, **options: Any) -> Answer:
    body = json.loads((EXAMPLES / f"{name}.json").read_text())
    body["options"] = body.get("options", {}) | options
    submission = parse_submission(body, Limits())
    return Answer(submission.instance, submission.options, *solve(body))


def without(position: int) -> Callable[[Runs], Runs]:
    return lambda runs: (*runs[:position], *runs[position + 1 :])


def also(run: Run) -> Callable[[Runs], Runs]:
    return lambda runs: tuple(sorted((*runs, run)))


def cut_in_two(runs: Runs) -> Runs:
    """Let the last run carry half of a file, and the rest after the end of the period."""
    (first, *more) = runs[-1].cargo
    part = first._replace(count=first.count - F(1, 2), time=first.time - 1)
    rest = first._replace(count=F(1, 2), time=F(1))
    return (*runs[:-1], runs[-1]._replace(cargo=(part, rest, *more)))


def told_as_two(runs: Runs) -> Runs:
    """Let the run with two sorts of cargo be told as two that touch."""
    run = next(run for run in runs if len(run.cargo) > 1)
    first, *more = run.cargo
    between = run.start + first.time
    two = run._replace(end=between, cargo=(first,)), run._replace(start=between, cargo=tuple(more))
    return tuple(sorted((*(one for one in runs if one is not run), *two)))


SENT = Cargo(INPUT, 1, F(1), F(2))

PLANTED = [
    ("runs", without(0), "wrong_count", "the runs carry 0 of the input file from 'P2' to"),
    ("runs", lambda runs: runs[::-1], "runs_out_of_order", "Run 1 starts before run 0"),
    ("runs/0/start", F(-1), "run_before_period", "Run 0 starts before the period"),
    ("runs/0/end", F(41), "run_past_period", "Run 0 ends after the period"),
    ("runs/0/end", F(0), "empty_run", "Run 0 lasts 0"),
    ("runs/0/cargo", (), "empty_run", "Run 0 has no cargo"),
    ("runs/0/end", F(1), "cargo_past_run", "the run lasts 1"),
    ("runs/0/cargo/0/count", F(0), "empty_transfer", "Run 0 moves 0 files from 'P2' to"),
    ("runs/0/cargo/0/count", F(-3), "empty_transfer", "Run 0 moves -3 files"),
    ("runs/0/cargo/0/count", F(99), "cargo_too_fast", "to 99 of the input file, which take longer"),
    ("runs/0/cargo/0/time", F(1), "cargo_too_fast", "Run 0 leaves 1 to"),
    ("runs/0/cargo/0/allocation", 9, "unknown_move", "which allocation 9 does not send over"),
    ("runs/0/cargo/0/file", ("task", "end"), "unknown_move", "moves the output file from 'P2'"),
    ("runs/1/receiver", "P4", "unknown_move", "from 'P1' to 'P4'"),
    ("runs", also(Run(F(0), F(2), "P1", "P3", (SENT,))), "run_overlaps", "P1.send serves two runs"),
    ("runs", cut_in_two, "wrong_preempted", "no run moves part of a file, but run 2 does"),
    ("runs", cut_in_two, "part_of_file", "moves part of a file, but whole files were asked for"),
    ("runs", told_as_two, "run_goes_on", "starts where run 0 ends: they are one run"),
    ("preempted", True, "wrong_preempted", "but none does"),
    ("slots", (), "", ""),
]


@pytest.mark.parametrize(("place", "value", "code", "sentence"), PLANTED)
def test_each_planted_fault_is_refused(place: str, value: Any, code: str, sentence: str) -> None:
    right = answered("rr4870-figure-3")
    assert right.faults() == []
    found = right.change(f"schedule/{place}", value).faults()
    if not code:
        assert found == []  # slots of runs are derived: what is written there says nothing
        return
    assert any(fault.code == code and sentence in fault.detail for fault in found), found


def test_runs_are_refused_where_latencies_are_paid_and_under_other_ports() -> None:
    paid = answered("rr4870-figure-3-latencies")
    runs = tuple(runs_of_slots(paid.schedule.slots))
    found = paid.change("schedule/runs", runs).faults()
    assert any(f.code == "wrong_form" and "latencies are paid" in f.detail for f in found)
    flowing = answered("shared-wide-area-link")
    found = flowing.change("schedule/runs", ()).faults()
    assert any(f.code == "wrong_form" and "ports are multiport" in f.detail for f in found)


def test_a_port_serves_as_many_runs_as_it_has_cards() -> None:
    right = answered("file-server-two-cards")
    assert right.faults() == []
    extra = Run(F(0), F(1), "store", "far1", (SENT,))
    found = right.change("schedule/runs", also(extra)).faults()
    assert {"unknown_move"} <= {fault.code for fault in found}
    third = right.schedule.runs[0]._replace(receiver="gateway")
    found = right.change("schedule/runs", also(third)).faults()
    assert any(f.code == "run_overlaps" and "3 runs at once" in f.detail for f in found)


def test_stated_interruptions_are_those_of_the_runs() -> None:
    right = answered("rr4870-figure-3")
    document = right.schedule.document | {"interruptions": 3}
    wrong = right._replace(schedule=Schedule.from_document(document))
    (fault,) = wrong.faults()
    assert (fault.code, fault.pointer) == ("wrong_interruptions", ("schedule", "interruptions"))


def test_right_runs_are_accepted_as_slots_where_no_file_is_cut() -> None:
    right = answered("rr4870-figure-3").in_slots()
    assert right.faults() == []


def drawn_runs(draw: random.Random) -> Runs:
    """Runs of four links that may begin and end at any time."""
    runs = []
    for k in range(4):
        now = F(draw.randint(0, 3))
        for _ in range(draw.randint(0, 3)):
            cargo = tuple(
                Cargo(INPUT, draw.randint(0, 2), F(draw.randint(1, 4)), F(draw.randint(1, 5), 2))
                for _ in range(draw.randint(1, 3))
            )
            end = sum((one.time for one in cargo), now) + draw.choice([F(0), F(0), F(1, 3)])
            runs.append(Run(now, end, f"A{k}", f"B{k}", cargo))
            now = end + draw.choice([F(1, 2), F(1), F(2)])
    return tuple(sorted(runs))


def slots_by_hand(runs: Runs) -> list[Slot]:
    """Look between any two moments at which something changes, who is at work."""
    bars = [(start, end, run, cargo) for run in runs for start, end, cargo in run.stretches()]
    moments = sorted({moment for start, end, *_ in bars for moment in (start, end)})
    slots = []
    for begin, end in pairwise(moments):
        here = [
            SlotTransfer(
                run.sender, run.receiver, *cargo[:2], cargo.count * (end - begin) / cargo.time
            )
            for start, stop, run, cargo in bars
            if start <= begin and end <= stop
        ]
        if here:
            slots.append(Slot(begin, end - begin, tuple(here)))
    return slots


@pytest.mark.parametrize("seed", range(draws(30, 3000)))
def test_derived_slots_are_what_goes_on_between_two_changes(seed: int) -> None:
    runs = drawn_runs(random.Random(seed))
    derived, expected = DerivedSlots(runs), slots_by_hand(runs)
    assert [(s.start, s.duration) for s in derived] == [(s.start, s.duration) for s in expected]
    for one, other in zip(derived, expected, strict=True):
        assert sorted(map(tuple, one.transfers)) == sorted(map(tuple, other.transfers))
    assert len(derived) == len(expected)
    assert derived.num_transfers == sum(len(slot.transfers) for slot in expected)
    for k in range(len(derived)):
        assert derived[k] == next(derived.starting_with(k))
    assert derived[1:3] == tuple(derived)[1:3]


@pytest.mark.parametrize("seed", range(draws(15, 1000)))
def test_joined_slots_are_the_runs_that_they_came_from(seed: int) -> None:
    runs = tuple(sorted(drawn_runs(random.Random(seed)), key=lambda run: (run.start, run.sender)))
    joined = sorted(runs_of_slots(DerivedSlots(runs)), key=lambda run: (run.start, run.sender))
    assert [(run.start, *run[2:4]) for run in joined] == [(run.start, *run[2:4]) for run in runs]
    ends = [sum((cargo.time for cargo in run.cargo), run.start) for run in runs]
    assert [run.end for run in joined] == ends
    counts = [[(c.file, c.allocation, c.count) for c in run.cargo] for run in joined]
    assert counts == [merged(run) for run in runs]


def merged(run: Run) -> list[tuple[tuple[str, str], int, Fraction]]:
    found: list[tuple[tuple[str, str], int, Fraction]] = []
    for cargo in run.cargo:
        if found and found[-1][:2] == cargo[:2]:
            found[-1] = (*cargo[:2], found[-1][2] + cargo.count)
        else:
            found.append((*cargo[:2], cargo.count))
    return found


def test_times_without_a_common_unit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    document = answered("rr4870-figure-3").schedule.document
    monkeypatch.setattr("steadygrid.domain.runs.MOST_BITS", 60)
    document["runs"][0]["start"] = f"1/{10**20 + 39}"
    with pytest.raises(ValueError, match="common denominator"):
        Schedule.from_document(document)


def test_documents_have_runs_or_slots_and_never_both() -> None:
    schedule = answered("rr4870-figure-3").schedule
    document = schedule.document
    assert "slots" not in document
    assert Schedule.from_document(document) == schedule
    told = replace(schedule, runs=None, slots=tuple(schedule.slots)).document
    assert "runs" not in told
    with pytest.raises(ValueError, match="leave out slots"):
        Schedule.from_document(document | {"slots": told["slots"]})
