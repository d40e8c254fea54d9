"""Answers say how they were found, and agree with themselves."""

import json
from itertools import pairwise

import pytest

import steadygrid as sg
from steadygrid.domain.trace import MOST_POINTS, Trace
from tests.tree import ROOT

TOLD = {
    "cell-filter-bank": (1, True),
    "dataflow-two-actors": (2, True),
    "divisible-loads-on-a-chain": (1, True),
    "microscope": (2, True),
    "rr4870-figure-9": (4, True),
    "three-sites-broadcast": (2, False),
    "triangle-no-overlap": (4, False),
}
"""How many points there are at least, and whether the first has a value."""


def assert_holds(answer: sg.Answer, trace: Trace) -> None:
    """Assert that a trace only gets better, and ends in its answer."""
    sign = -1 if answer.result.objective and answer.result.objective.minimised else 1
    bound = answer.result.bound
    last = trace[-1]
    assert (last.value, last.bound) == (answer.objective, answer.bound)
    assert last.exact == (bound is None or bound.exact)
    assert len(trace) <= MOST_POINTS
    for point in trace:
        if point.value is not None and point.bound is not None:
            assert (point.bound - point.value) * sign >= 0
    for before, after in pairwise(trace):
        assert 0 <= before.seconds <= after.seconds
        assert before[2:] != after[2:]
        if before.value is not None:
            assert after.value is not None
            assert (after.value - before.value) * sign >= 0
        if before.bound is not None:
            assert after.bound is not None
            assert (before.bound - after.bound) * sign >= 0


@pytest.mark.parametrize("name", TOLD)
def test_an_answer_s_trace_ends_in_it(name: str) -> None:
    answer = sg.solve(ROOT / "examples" / f"{name}.json", in_process=True)
    least, valued = TOLD[name]
    assert len(answer.trace) >= least
    assert (answer.trace[0].value is not None) == valued
    assert_holds(answer, answer.trace)


def test_a_process_of_its_own_gives_it_too() -> None:
    answer = sg.solve(ROOT / "examples" / "rr4870-figure-9.json")
    assert len(answer.trace) >= 4
    assert_holds(answer, answer.trace)


def test_pictures_of_an_answer_have_it() -> None:
    place = ROOT / "examples" / "rr4870-figure-9.json"
    assert "convergence" in sg.solve(place, in_process=True).pictures


def test_what_tells_of_nothing_has_none() -> None:
    assert sg.solve(ROOT / "examples" / "rr4870-figure-3.json", in_process=True).trace == ()


def test_makespans_and_their_bounds_are_traced() -> None:
    body = json.loads((ROOT / "examples" / "divisible-loads-on-a-chain.json").read_text())
    problem = body.get("problem", body)
    answer = sg.solve(problem | {"objective": "makespan"}, in_process=True)
    assert answer.result.objective is not None
    assert answer.result.objective.minimised
    assert answer.trace
    assert_holds(answer, answer.trace)


def test_values_of_parts_are_no_values_of_the_whole() -> None:
    """Each load alone ends earlier than all; that is no answer."""
    body = json.loads((ROOT / "examples" / "divisible-loads-on-a-chain.json").read_text())
    problem = body.get("problem", body) | {"method": "heuristic_b"}
    assert sg.solve(problem, in_process=True).trace == ()
