"""Every method through the whole pipeline: refereed answers that agree with each other."""

from fractions import Fraction
from random import Random
from typing import Any, get_args

import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime, SchedulingError
from steadygrid.domain.job import Outcome, Proof
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import Answer, run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.methods import Method as MethodName
from steadygrid.kinds.mono_allocation.schemas import (
    REFERENCES,
    ComparedMethod,
    MonoAllocationResult,
)
from steadygrid.kinds.mono_allocation.solver import methods
from steadygrid.kinds.mono_allocation.solver.allocated import PeriodBound
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import drawn

METHODS = tuple(name for name in get_args(MethodName) if name != "given")
"""Those that need no mapping."""


def solved(document: dict[str, Any], method: str, seconds: float = 60) -> Answer:
    body = {
        "problem": {"kind": "mono_allocation", **document, "method": method},
        "options": {"time_limit": seconds},
    }
    return run(parse_submission(body, Limits()), Control(seconds), Limits())


def document(seed: int, **fields: Any) -> dict[str, Any]:
    """Draw an instance that is not refused."""
    random = Random(seed)
    while True:
        found = drawn(random, random.randint(2, 6), random.randint(2, 4), instances=5, **fields)
        try:
            parse_submission({"problem": {"kind": "mono_allocation", **found}}, Limits())
        except SchedulingError:
            continue
        return found


@pytest.mark.parametrize("routing", ["fixed", "free", "multipath"])
@pytest.mark.parametrize("seed", range(draws(1, 4)))
def test_no_method_is_better_than_the_search_nor_the_search_than_a_bound(
    routing: str, seed: int
) -> None:
    instance = document(seed, routing=routing, duplication="none")
    best = solved(instance, "milp").result
    assert best.outcome is Outcome.OPTIMAL
    assert best.objective is not None
    upper = solved(instance, "upper_bound").result
    assert upper.outcome is Outcome.BOUND_ONLY
    assert upper.bound is not None
    assert upper.bound.exact
    assert best.objective.value <= upper.bound.value
    for method in set(METHODS) - {"milp", "upper_bound"}:
        answer = solved(instance, method)
        result = answer.result
        assert result.verified
        if result.objective is None:
            assert result.outcome is Outcome.UNKNOWN
            assert result.notes
            continue
        assert result.bound is not None
        assert (answer.schedule is None) == (method in REFERENCES)
        if method in ("portfolio", "compare"):
            assert result.outcome is Outcome.OPTIMAL
            assert result.objective.value == best.objective.value
        elif method not in REFERENCES:
            assert result.objective.value <= best.objective.value


@pytest.mark.parametrize("routing", ["fixed", "free", "multipath"])
@pytest.mark.parametrize("seed", range(20, 22))
def test_copies_never_make_the_best_allocation_worse(routing: str, seed: int) -> None:
    plain = document(seed, routing=routing, duplication="none")
    values = []
    for duplication in ("none", "tasks", "tasks_and_files"):
        result = solved({**plain, "duplication": duplication}, "portfolio").result
        assert result.outcome is Outcome.OPTIMAL
        assert result.objective is not None
        values.append(result.objective.value)
    assert values == sorted(values)


@pytest.mark.parametrize("method", METHODS)
def test_no_time_leaves_an_honest_answer(method: str) -> None:
    answered = 0
    for seed in range(40, 40 + draws(3, 6)):
        instance = document(seed, duplication="none")
        best = solved(instance, "milp").result.objective
        assert best is not None
        result = solved(instance, method, seconds=1e-6).result
        assert isinstance(result, MonoAllocationResult)
        assert result.verified
        if result.outcome is Outcome.INFEASIBLE:
            continue
        answered += 1
        assert result.bound is not None
        if method not in REFERENCES:
            assert result.bound.value >= best.value
        if result.objective is not None:
            assert result.objective.value <= result.bound.value
    assert answered


def test_compare_lists_every_method_once_and_answers_with_the_best() -> None:
    result = solved(document(60, duplication="none"), "compare").result
    assert isinstance(result, MonoAllocationResult)
    assert result.comparison is not None
    assert {row.method for row in result.comparison} == set(METHODS) - {"compare"}
    assert len(result.comparison) == len(METHODS) - 1
    assert result.objective is not None
    assert result.bound is not None
    found = [
        row.throughput
        for row in result.comparison
        if row.throughput is not None and row.method not in (*REFERENCES, "upper_bound")
    ]
    assert max(found) == result.objective.value
    for row in result.comparison:
        if row.throughput is not None:
            ratio = None if row.method in REFERENCES else row.throughput / result.bound.value
            assert row.ratio_to_bound == ratio


def test_a_placement_that_cannot_be_is_proved_infeasible() -> None:
    """Figure 7 of RR-4870: each file can travel alone, but no join gets both of its files."""
    places = {
        "A": "T1",
        "D": "T1",
        "B": "T2",
        "B2": "T2",
        "E": "T3",
        "E2": "T3",
        "C": "T4",
        "F": "T4",
    }
    links = ("A>B", "A>E", "D>B2", "D>E2", "B>C", "E2>C", "B2>F", "E>F")
    instance = {
        "platform": {
            "processors": [{"id": name} for name in places],
            "links": [
                {
                    "source": link.split(">")[0],
                    "target": link.split(">")[1],
                    "unit_time": 1,
                    "duplex": "simplex",
                }
                for link in links
            ],
        },
        "application": {
            "tasks": [
                {"id": task, "times": {name: 1 for name, here in places.items() if here == task}}
                for task in ("T1", "T2", "T3", "T4")
            ],
            "files": [
                {"source": source, "target": target, "size": 1}
                for source, target in (("T1", "T2"), ("T1", "T3"), ("T2", "T4"), ("T3", "T4"))
            ],
        },
    }
    for method in ("portfolio", "milp", "upper_bound", "compare", "simple_greedy", "heft"):
        result = solved(instance, method).result
        assert (result.outcome, result.proof) == (Outcome.INFEASIBLE, Proof.EXACT)
        assert result.notes
    copied = solved({**instance, "duplication": "tasks"}, "portfolio").result
    assert copied.objective is not None
    assert copied.objective.value == Fraction(1)


@pytest.mark.parametrize("method", METHODS)
def test_a_file_without_a_route_is_infeasible_for_the_reason_that_task_graph_gives(
    method: str,
) -> None:
    instance = {
        "platform": {
            "processors": [{"id": "P"}, {"id": "Q"}],
            "links": [{"source": "P", "target": "Q", "unit_time": 1, "duplex": "simplex"}],
        },
        "application": {
            "tasks": [{"id": "a", "times": {"Q": 1}}, {"id": "b", "times": {"P": 1}}],
            "files": [{"source": "a", "target": "b", "size": 1}],
        },
    }
    body = {"problem": {"kind": "task_graph", **instance}}
    there = run(parse_submission(body, Limits()), Control(60), Limits()).result
    here = solved(instance, method).result
    for result in (there, here):
        assert (result.outcome, result.proof) == (Outcome.INFEASIBLE, Proof.EXACT)
    assert here.notes == there.notes
    assert (
        "no processor that can run 'a' ('Q') has a route to one that can run 'b' ('P')"
        in (here.notes[0])
    )


def trap() -> dict[str, Any]:
    """Both processors run ``first``, but only from B its file can travel on."""
    return {
        "platform": {
            "processors": [{"id": name} for name in "ABC"],
            "links": [{"source": "B", "target": "C", "unit_time": 1, "duplex": "simplex"}],
        },
        "application": {
            "tasks": [
                {"id": "first", "times": {"A": 1, "B": 2}},
                {"id": "second", "times": {"C": 1}},
            ],
            "files": [{"source": "first", "target": "second", "size": 1}],
        },
    }


def test_what_a_heuristic_does_not_find_is_unknown() -> None:
    result = solved(trap(), "simple_greedy").result
    assert (result.outcome, result.proof) == (Outcome.UNKNOWN, Proof.NONE)
    assert (result.objective, result.bound, result.gap) == (None, None, None)
    assert 'ask for "portfolio"' in result.notes[-1]
    assert solved(trap(), "portfolio").result.outcome is Outcome.OPTIMAL


@pytest.mark.parametrize("interruption", [OutOfTime, Cancelled])
def test_a_heuristic_that_is_interrupted_in_its_proof(
    monkeypatch: pytest.MonkeyPatch, interruption: type[Exception]
) -> None:
    def late(*_: Any) -> PeriodBound:
        raise interruption

    monkeypatch.setattr(methods, "rough_bound", late)
    if interruption is Cancelled:
        with pytest.raises(Cancelled):
            solved(trap(), "simple_greedy")
    else:
        assert solved(trap(), "simple_greedy").result.outcome is Outcome.UNKNOWN


def test_where_no_method_finds_anything_there_is_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    late = ComparedMethod(
        method="milp", throughput=None, ratio_to_bound=None, latency=None, seconds=0.0, note="late"
    )
    monkeypatch.setattr(methods, "contestants", lambda *_: [(late, None)])
    result = solved(trap(), "compare").result
    assert (result.outcome, result.notes) == (Outcome.BOUND_ONLY, ["milp: late"])
