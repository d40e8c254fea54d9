"""Whatever is solved is also refereed and replayed, and no change to it slips through."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission
from tests.kinds.master_worker.solving import solve
from tests.replay import assert_replays
from tests.verification.answers import RIGHT, Answer
from tests.verification.test_planted_faults import FACTORS, place, places

SMALL = 200
"""Instances per period, and slot transfers, that are replayed file by file."""


@st.composite
def bodies(draw: Callable[..., Any]) -> dict[str, Any]:
    """Small platforms with everything that a platform may have."""
    ports = draw(st.sampled_from(["one_port", "multiport"]))
    times = st.sampled_from([1, 2, 3, "1/2", "4/3"])
    count = draw(st.integers(2, 6))
    processors, links = [], []
    for i in range(count):
        processor: dict[str, Any] = {"id": f"P{i}"}
        role = draw(st.sampled_from(["computes", "computes", "router", "switch"]))
        if role == "computes":
            processor["unit_time"] = draw(times)
        processor["switch"] = role == "switch" and i > 0
        if ports == "multiport":
            for name in draw(st.sets(st.sampled_from(["bandwidth_in", "bandwidth_out"]))):
                processor[name] = draw(times)
        processors.append(processor)
    shares_medium = st.booleans() if ports == "multiport" else st.just(False)
    for i in range(count):
        for j in range(i):
            if draw(st.booleans()):
                ends = draw(st.permutations([i, j]))
                duplex = draw(st.sampled_from(["full", "half", "simplex"]))
                link = {"source": f"P{ends[0]}", "target": f"P{ends[1]}", "duplex": duplex}
                media = ["bus"] if draw(shares_medium) else []
                links.append(link | {"unit_time": draw(times), "media": media})
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "processors": processors,
                "links": links,
                "media": [{"id": "bus", "bandwidth": draw(times)}],
            },
            "master": "P0",
            "ports": ports,
            "task": {
                "work": draw(times),
                "input_size": draw(st.sampled_from([0, 1, 2, "1/2"])),
                "output_size": draw(st.sampled_from([0, 0, 1, "1/3"])),
            },
        },
        "options": {
            "max_period": draw(st.sampled_from([None, None, 2, 10, 100, "37/3"])),
            "whole_files": draw(st.sampled_from([None, True, False])),
        },
    }


def solved(body: dict[str, Any], limits: Limits | None = None) -> Answer:
    submission = parse_submission(body, Limits())
    return Answer(submission.instance, submission.options, *solve(body, limits))


def is_small(answer: Answer) -> bool:
    schedule = answer.schedule
    transfers = sum(len(slot.transfers) for slot in schedule.slots)
    return schedule.instances_per_period <= SMALL and transfers <= SMALL


@settings(max_examples=150)
@given(bodies())
def test_what_is_solved_delivers_its_instances_when_replayed(body: dict[str, Any]) -> None:
    answer = solved(body)
    assert answer.faults() == []
    assume(is_small(answer))
    assert_replays(answer.instance, answer.schedule, periods=3)


@settings(max_examples=60)
@given(bodies())
def test_a_schedule_that_was_shortened_unasked_delivers_too(body: dict[str, Any]) -> None:
    answer = solved(body, Limits(max_period_digits=1))
    assume(is_small(answer))
    assert_replays(answer.instance, answer.schedule, periods=3)


@settings(max_examples=100)
@given(bodies(), st.data())
def test_a_changed_number_is_refused_or_does_no_harm(body: dict[str, Any], data: Any) -> None:
    answer = solved(body)
    assume(is_small(answer))
    path = data.draw(st.sampled_from(places(answer)))
    before = place(answer, path)
    if isinstance(before, Fraction):
        answer = answer.change(path, before * data.draw(FACTORS))
    else:
        answer = answer.change(path, type(before)(before + data.draw(st.integers(1, 3))))
    if not answer.faults():
        assert_replays(answer.instance, answer.schedule, periods=3)


@pytest.mark.parametrize("name", RIGHT)
def test_what_was_built_by_hand_is_found_again(name: str) -> None:
    by_hand = RIGHT[name]()
    answer = solved({"problem": by_hand.instance.model_dump(mode="json", exclude_none=True)})
    assert answer.result.objective == by_hand.result.objective
    assert answer.result.outcome == "optimal"
    assert_replays(answer.instance, answer.schedule, periods=2)
