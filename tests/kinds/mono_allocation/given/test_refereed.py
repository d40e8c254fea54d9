"""The referee refuses an answer about a given mapping in which one thing is wrong."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.kinds.mono_allocation import PROBLEM, referee_given
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationResult
from steadygrid.submissions.submission import schedule_limits
from tests.engine.slots import cycles
from tests.kinds.mono_allocation.drawn import instance
from tests.kinds.mono_allocation.given.test_faults import problem
from tests.kinds.mono_allocation.test_answers import answered

Document = dict[str, Any]
LIMITS = schedule_limits(Limits())
ASKED = problem(
    mapping={"make": ["A"], "use": ["C"]},
    application={
        "tasks": [{"id": "make", "work": 3}, {"id": "use", "work": 3, "allowed": ["A", "C", "D"]}],
        "files": [{"source": "make", "target": "use", "size": 4}],
    },
    routing="free",
)
"""The file takes 4 from A to C, each task 3; on A and D it takes 4, on one processor 6."""
ALONE = problem(
    mapping={"make": ["A"], "use": ["A"]},
    application={"tasks": ASKED["application"]["tasks"], "files": []},
)
"""Six on A; elsewhere either task leaves three."""


def faults(
    asked: Document, change: Callable[[Document], Any], *, scheduled: bool = True
) -> set[str]:
    """Let the referee judge an answer with one change."""
    solved = answered(asked)
    document = solved.result.model_dump(mode="json")
    change(document)
    result = MonoAllocationResult.model_validate_json(_json(document))
    schedule = solved.schedule if scheduled else None
    try:
        PROBLEM.validate(instance(asked), Options(), result, schedule, LIMITS)
    except InvalidScheduleError as refusal:
        return {fault.code for fault in refusal.faults}
    return set()


def _json(document: Document) -> str:
    return json.dumps(document)


MOVE = {"task": "use", "source": "A", "target": "C", "throughput": "1/3"}


@pytest.mark.parametrize("asked", [ASKED, ALONE])
def test_the_answer_itself_is_accepted(asked: Document) -> None:
    assert faults(asked, lambda _: None) == set()


@pytest.mark.parametrize(
    ("asked", "change", "code"),
    [
        (ASKED, lambda told: told["mapping"].update(use=["D"]), "other_mapping"),
        (ASKED, lambda told: told["transfers"][0].update(path=["A", "B", "C"]), "other_ways"),
        (ASKED, lambda told: told.update(bottlenecks=["A.compute"]), "wrong_bottleneck"),
        (ASKED, lambda told: told.update(bottlenecks=[]), "wrong_bottleneck"),
        (ASKED, lambda told: told.update(distance="1/7"), "wrong_distance"),
        (ASKED, lambda told: told.update(distance=None), "wrong_distance"),
        (ASKED, lambda told: told.update(moves=None), "wrong_moves"),
        (ASKED, lambda told: told["moves"].update(tried=99), "wrong_moves"),
        (ASKED, lambda told: told.update(moves={"tried": 99, "total": 99}), "wrong_moves"),
        (ASKED, lambda told: told["moves"].update(tried=1), "no_note"),
        (ASKED, lambda told: told.update(better=MOVE), "no_move"),
        (ALONE, lambda told: told.update(better=None), "better_move"),
        (ALONE, lambda told: told["better"].update(throughput="1/2"), "wrong_throughput"),
        (ALONE, lambda told: told["better"].update(throughput="1/4"), "wrong_throughput"),
        (ALONE, lambda told: told["better"].update(target="B"), "no_move"),
        (ALONE, lambda told: told["better"].update(target="X"), "no_move"),
        (ALONE, lambda told: told["better"].update(task="X"), "no_move"),
    ],
)
def test_one_wrong_thing_is_found(
    asked: Document, change: Callable[[Document], Any], code: str
) -> None:
    assert code in faults(asked, change)


def test_a_move_that_helps_less_than_another_is_not_the_best() -> None:
    asked = copy.deepcopy(ALONE)
    asked["platform"]["processors"][3]["speed"] = "3/4"
    worse = MOVE | {"target": "D", "throughput": "1/4"}
    assert faults(asked, lambda told: told.update(better=worse)) == {"better_move"}


def test_where_not_all_moves_were_tried_the_one_that_is_named_still_has_to_hold() -> None:
    def some(better: Document) -> Callable[[Document], None]:
        return lambda told: told.update(
            better=better, moves=told["moves"] | {"tried": 1}, notes=["not all were tried"]
        )

    asked = copy.deepcopy(ALONE)
    asked["platform"]["processors"][3]["speed"] = "3/4"
    worse = MOVE | {"target": "D", "throughput": "1/4"}
    assert faults(asked, some(worse)) == set()
    wrong = worse | {"throughput": "1/3"}
    found = faults(asked, some(wrong))
    assert found == {"wrong_throughput"}


def test_a_move_that_does_not_help_is_not_better() -> None:
    asked = copy.deepcopy(ALONE)
    asked["platform"]["processors"] = [{"id": "A", "speed": 1}, {"id": "B"}] + [
        {"id": name, "speed": "1/2"} for name in "CD"
    ]
    assert answered(asked).result.better is None
    same = MOVE | {"throughput": "1/6"}
    assert "not_better" in faults(asked, lambda told: told.update(better=same))


def test_a_bound_stands_only_where_it_was_asked_for() -> None:
    def unbounded(told: Document, *notes: str) -> None:
        told.update(notes=list(notes))
        told.update(bound=None, gap=None, distance=None, bound_source=None, outcome="feasible")
        told.update(certificate={"type": "none"}, proof=None)

    assert faults(ALONE, unbounded) == {"no_note"}
    assert faults(ALONE, lambda told: unbounded(told, "late")) == set()
    bounded = answered(ALONE).result.model_dump(mode="json")
    kept = {n: bounded[n] for n in ("bound", "gap", "distance", "bound_source", "certificate")}
    asked = ALONE | {"bound_method": "none"}
    assert faults(asked, lambda told: told.update(kept)) == {"wrong_bound_source", "wrong_proof"}


def test_the_throughput_of_a_mapping_without_a_route_is_0_and_no_other_is() -> None:
    asked = copy.deepcopy(ASKED)
    asked["platform"]["links"] = asked["platform"]["links"][3:]

    def running(told: Document) -> None:
        told["objective"] = {"name": "throughput", "value": "1/4", "approx": 0.25}

    def idle(told: Document) -> None:
        told["objective"] = {"name": "throughput", "value": "0", "approx": 0.0}

    assert faults(asked, lambda _: None) == set()
    assert "wrong_throughput" in faults(asked, running)
    assert "wrong_throughput" in faults(ASKED, idle)


def test_a_given_mapping_has_a_throughput() -> None:
    def nothing(told: Document) -> None:
        kept = {"kind", "method", "bound", "certificate", "bound_source", "messages", "weights"}
        kept |= {"mapping", "moves", "statistics", "notes", "warnings", "proof", "verified"}
        for name in told.keys() - kept - {"distance", "outcome"}:
            told[name] = [] if isinstance(told[name], list) else None
        told.update(outcome="bound_only", distance="0")

    assert faults(ASKED, nothing, scheduled=False) == {"wrong_outcome"}


def test_other_methods_say_nothing_of_moves() -> None:
    asked = ALONE | {"method": "simple_greedy"}
    assert faults(asked, lambda told: told.update(distance="1/3")) == {"wrong_fields"}
    assert faults(asked, lambda told: told.update(better=MOVE)) == {"wrong_fields"}
    assert faults(asked, lambda told: told.update(moves={"tried": 1, "total": 1})) == {
        "wrong_fields"
    }


def test_of_very_many_moves_only_the_named_one_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    assert faults(ALONE, lambda told: told.update(better=None)) == {"better_move"}
    monkeypatch.setattr(referee_given, "MOST_STEPS", 0)
    assert faults(ALONE, lambda told: told.update(better=None)) == set()
    wrong = MOVE | {"throughput": "1/2"}
    assert faults(ALONE, lambda told: told.update(better=wrong)) == {"wrong_throughput"}


def test_a_move_over_half_duplex_links_promises_no_more_than_resources_allow() -> None:
    problem = cycles.five("mono_allocation")["problem"]
    tasks = problem["application"]["tasks"]
    mapping = {task["id"]: list(task["times"]) for task in tasks}
    next(task for task in tasks if task["id"] == "g0")["times"]["A"] = "1/100"
    asked = problem | {"method": "given", "mapping": mapping}
    assert faults(asked, lambda _: None) == set()
    assert faults(asked, lambda told: told["better"].update(throughput="2/3")) == {
        "wrong_throughput"
    }
