"""What is known when the time is over, and answers whose numbers would be too long."""

from fractions import Fraction
from typing import Any

import pytest

from app.problems.submission import parse_submission
from app.settings import Limits
from tests.problems.divisible_chain.random_chains import random_chain
from tests.problems.divisible_chain.solving import body, result_of, solve, two_equal
from workers.exact import proving
from workers.problems.divisible_chain import answer as answers
from workers.problems.divisible_chain import program
from workers.solving.control import Interrupted

F = Fraction


def interrupt(*_: Any) -> None:
    """Let the time be over."""
    raise Interrupted("time_limit")


@pytest.fixture
def _no_time_for_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "BasicSystem", interrupt)


@pytest.mark.usefixtures("_no_time_for_proofs")
@pytest.mark.parametrize("seed", range(1000, 1040))
def test_the_solution_of_the_solver_is_kept_when_its_proof_takes_too_long(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = random_chain(seed)
    result = result_of(document)
    assert result.objective is not None
    assert result.bound is not None
    assert result.bound.exact
    value, bound = result.objective.value, result.bound.value
    assert any("time limit" in note for note in result.notes)
    longest = max(share.fraction.denominator for share in result.shares)
    assert longest <= 10**17
    monkeypatch.undo()
    best = result_of(document).objective
    assert best is not None
    assert bound <= best.value <= value
    assert value - best.value <= F(1, 10**9) * (1 + abs(value))
    if "availability" not in document["problem"]:
        assert value - bound <= F(1, 10**9) * (1 + abs(value))
