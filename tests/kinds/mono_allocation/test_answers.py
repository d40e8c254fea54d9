"""The referee accepts what every method answers, for each routing and duplication."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from steadygrid.domain.job import Outcome
from steadygrid.kinds.mono_allocation.schemas import REFERENCES, MonoAllocationResult
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import drawn
from tests.kinds.mono_allocation.test_instances import INSTANCES
from tests.kinds.mono_allocation.test_methods import METHODS
from tests.solved import Solved, solve

ONCE = frozenset({"compare", "upper_bound", *REFERENCES})


def answered(problem: dict[str, Any], **options: Any) -> Solved:
    """Run an instance through the whole pipeline, the referee included."""
    body = {"problem": {"kind": "mono_allocation"} | problem, "options": options}
    return solve(body)


def result_of(answer: Solved) -> MonoAllocationResult:
    assert isinstance(answer.result, MonoAllocationResult)
    return answer.result


@pytest.mark.parametrize("seed", range(draws(1, 2)))
@pytest.mark.parametrize("method", METHODS)
def test_the_referee_accepts_what_a_method_answers(method: str, seed: int) -> None:
    random = Random(seed)
    document = drawn(random, 5, 3, everywhere=True)
    routing = random.choice(("fixed", "free", "multipath"))
    result = result_of(answered(document | {"method": method, "routing": routing, "instances": 9}))
    assert result.method == method
    assert result.bound is not None
    if method == "upper_bound":
        assert result.outcome is Outcome.BOUND_ONLY
    else:
        assert result.objective is not None
        assert (result.simulation is not None) == (method in REFERENCES)


@pytest.mark.parametrize("duplication", ["tasks", "tasks_and_files"])
@pytest.mark.parametrize("method", sorted(set(METHODS) - ONCE))
def test_the_referee_accepts_answers_where_copies_are_allowed(
    method: str, duplication: str
) -> None:
    for seed in range(draws(1, 3)):
        asked = {"method": method, "duplication": duplication, "routing": "free"}
        result = result_of(answered(drawn(Random(seed), 4, 3, everywhere=True) | asked))
        assert result.objective is not None
        copies = max(map(len, result.mapping.values()))
        assert copies == 1 or method in ("portfolio", "milp")


@pytest.mark.parametrize("method", ["milp", "portfolio"])
@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_known_instances_are_solved_to_the_optimum(path: Path, method: str) -> None:
    document = json.loads(path.read_text())
    for case in document["expected"]["periods"][method == "portfolio" :: draws(2, 1)]:
        asked = {name: case[name] for name in ("routing", "duplication")} | {"method": method}
        result = result_of(answered(document["body"]["problem"] | asked))
        assert result.period == Fraction(case["period"])
        # Shares of files may make any sum, and the search's bound stays a little away from it.
        split = asked["routing"] == "multipath" and asked["duplication"] == "tasks"
        assert result.outcome is Outcome.OPTIMAL or (split and 0 < result.gap < Fraction(1, 10**6))


def test_the_answer_for_the_example_is_proved_exactly() -> None:
    path = next(path for path in INSTANCES if path.stem == "camera")
    result = result_of(answered(json.loads(path.read_text())["body"]["problem"]))
    assert result.mapping == {
        "capture": ["camera"],
        "align": ["small"],
        "detect": ["large"],
        "track": ["large"],
    }
    assert result.bound is not None
    assert result.bound.exact
    assert result.outcome is Outcome.OPTIMAL
