"""What is answered where time does not suffice, for the search or for the referee."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Outcome, Proof
from steadygrid.engine import pipeline
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.layer_pipeline.solver import methods
from steadygrid.kinds.layer_pipeline.solver import search as searching
from tests.kinds.layer_pipeline.bodies import B, D, alike, body, training
from tests.solved import solve


def test_without_any_time_there_is_a_plan_with_a_bound() -> None:
    document = training(12, (2, 2))
    result, schedule = solve(document, seconds=0, time_limit=0.01)
    assert result.outcome is Outcome.FEASIBLE
    assert result.bound.exact
    assert 0 < result.gap < 1
    assert any("time limit" in note for note in result.notes)
    assert schedule.throughput == result.objective.value


def test_the_best_so_far_has_the_bound_of_the_tests_that_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tests = searching._tested
    left = [4]

    def some(*given: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise OutOfTime
        return tests(*given)

    monkeypatch.setattr(searching, "_tested", some)
    result, _ = solve(B)
    assert result.outcome is Outcome.FEASIBLE
    assert result.bound.exact
    # By work alone a data set takes 3; the optimum is 6.
    assert Fraction(1, 6) <= result.bound.value < Fraction(1, 3)


def test_that_nothing_fits_is_found_without_time() -> None:
    result, _ = solve(body(alike(3), {"count": 2, "memory": 2}), seconds=0, time_limit=0.01)
    assert result.outcome is Outcome.INFEASIBLE


def test_a_given_plan_is_judged_without_time() -> None:
    problem: Any = D["problem"] | {
        "method": "evaluate",
        "stages": [
            {"layers": ["a", "a"], "device": "gpu"},
            {"layers": ["b", "c"], "device": "gpu"},
        ],
    }
    result, _ = solve({"problem": problem}, seconds=0, time_limit=0.01)
    assert result.outcome is Outcome.OPTIMAL


def test_where_the_referee_is_late_the_bound_is_the_word_of_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pipeline, "VERIFICATION_GRACE", -1000.0)
    result, _ = solve(D)
    assert result.outcome is Outcome.OPTIMAL
    assert not result.bound.exact
    assert result.proof is Proof.SEARCH
    assert methods._LATE_PROOF in result.notes
    assert PROBLEMS["layer_pipeline"].validate_in_time is not None
