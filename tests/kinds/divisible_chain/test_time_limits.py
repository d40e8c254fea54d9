"""What is known when the time is over, and answers whose numbers would be too long."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime
from steadygrid.domain.limits import Limits
from steadygrid.engine.exact import proving
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_chain.solver import answer as answers
from steadygrid.kinds.divisible_chain.solver import choice, methods, program
from steadygrid.kinds.divisible_chain.solver.bounds import best_bound
from steadygrid.kinds.divisible_chain.solver.chain import read_chain
from steadygrid.kinds.divisible_chain.solver.goal import read_goal
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.divisible_chain.random_chains import random_chain
from tests.kinds.divisible_chain.solving import body, result_of, two_equal
from tests.kinds.told import facts_of
from tests.solved import solve

F = Fraction


def interrupt(*_: Any, **__: Any) -> None:
    """Let the time be over."""
    raise OutOfTime


@pytest.fixture
def _no_time_for_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "BasicSystem", interrupt)


@pytest.mark.usefixtures("_no_time_for_proofs")
@pytest.mark.parametrize("seed", range(1000, 1000 + draws(5, 40)))
def test_the_solution_of_the_solver_is_kept_when_its_proof_takes_too_long(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = random_chain(seed, objective="makespan")
    problem = document["problem"]
    result = result_of(document)
    assert result.objective is not None
    assert result.bound is not None
    assert result.bound.exact
    value, bound = result.objective.value, result.bound.value
    rounded = any("an exact proof was not found in 90%" in note for note in result.notes)
    assert rounded == (result.outcome == "feasible")
    assert result.outcome == "optimal" or result.cases == []
    longest = max(share.fraction.denominator for share in result.shares)
    assert longest <= 10**17
    monkeypatch.undo()
    best = result_of(document).objective
    assert best is not None
    assert bound <= best.value <= value
    if not any("release_date" in load for load in problem["loads"]):
        assert value - best.value <= F(1, 10**9) * (1 + abs(value))
        if "availability" in problem:
            return
        assert value - bound <= F(1, 10**9) * (1 + abs(value))


@pytest.mark.usefixtures("_no_time_for_proofs")
def test_the_time_limit_is_named_where_it_struck(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = choice.solve_program

    def late(chain: Any, goal: Any, control: Any) -> Any:
        try:
            return honest(chain, goal, control)
        finally:
            whole._deadline = 0

    whole = Control(30.0)
    monkeypatch.setattr(methods, "solve_program", late)
    submission = parse_submission(two_equal("3/4", 3), Limits())
    result: Any = run(submission, whole, Limits()).result
    assert any("the time limit" in note and "reached" in note for note in result.notes)
    assert not any("an exact proof was not found in 90%" in note for note in result.notes)
    assert result.bound_source == "program"


@pytest.mark.usefixtures("_no_time_for_proofs")
def test_a_rounded_answer_may_come_before_the_time_limit() -> None:
    result = solve(two_equal("3/4", 3), seconds=None).result
    assert result.outcome == "feasible"
    assert result.certificate.type == "lp_duality"
    assert any("an exact proof was not found in 90%" in note for note in result.notes)
    assert not any("reached" in note for note in result.notes)
    assert result.objective is not None
    assert result.bound is not None
    assert result.bound.value < F(42591, 48596) < result.objective.value
    assert result.objective.value - result.bound.value < F(1, 10**12)


def test_dates_that_take_long_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = body([1, 3], ["1/4"], [(1, 2), (1, 6)])
    simple = problem | {"problem": problem["problem"] | {"method": "simple"}}
    monkeypatch.setattr(methods, "solve_program", interrupt)
    monkeypatch.setattr(methods, "EVALUATION_SECONDS", 0.0)
    result = result_of(problem)
    assert result.outcome == "feasible"
    assert result.objective == result_of(simple).objective


@pytest.mark.parametrize("looks", range(8))
def test_bounds_end_with_the_time_and_hold(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    control, left = Control(), iter(range(looks))

    def check() -> None:
        if next(left, None) is None:
            raise OutOfTime

    monkeypatch.setattr(control, "check", check)
    asked = parse_submission(body([1, 3, 2], ["1/4", 1], [(1, 2), (1, 6)]), Limits())
    instance = asked.instance
    chain, goal = read_chain(instance, (1, 1)), read_goal(instance)
    some, best = best_bound(chain, goal, control), best_bound(chain, goal, Control())
    assert 0 <= some.value <= best.value
    assert (some.value == 0) == (looks < chain.num_loads)


def test_shares_that_round_to_the_optimum_are_optimal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "BasicSystem", interrupt)
    result = result_of(body([1, 1], ["1/4"], [(0, 2), (0, 6)]))
    assert result.outcome == "optimal"
    assert result.makespan == 4


@pytest.mark.parametrize("seed", range(1000, 1012))
def test_long_numbers_are_rounded_and_still_prove_a_bound(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = random_chain(seed, objective="makespan", availability={})
    best = result_of(document).objective
    assert best is not None
    monkeypatch.setattr(answers, "LONGEST_BITS", 0)
    result = result_of(document)
    assert result.objective is not None
    assert result.bound is not None
    assert result.bound.exact
    assert result.bound.value <= best.value <= result.objective.value
    assert result.objective.value - result.bound.value <= F(1, 10**50)
    assert any("more than a thousand digits" in note for note in result.notes)


def test_long_numbers_stay_where_rounding_lets_a_latecomer_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answers, "LONGEST_BITS", 0)
    monkeypatch.setattr(answers, "holds", lambda *_: False)
    result = result_of(two_equal("3/4", 2))
    assert result.outcome == "optimal"
    assert result.makespan == F(2343, 2612)


def test_a_second_set_of_participants_that_takes_too_long_leaves_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = body([1, 1], [10], [(1, 2), (1, 2)], availability={"P2": 1})
    alone = result_of(body([1, None], [10], [(1, 2), (1, 2)]))
    honest = choice.solve_case
    seen: list[int] = []

    def once(rules: Any, *rest: Any, **more: Any) -> Any:
        seen.append(len(rules.workers))
        if len(seen) == 2:
            raise program.Unproved([])
        return honest(rules, *rest, **more)

    monkeypatch.setattr(choice, "solve_case", once)
    result = result_of(document)
    assert seen == [1, 2]
    assert result.bound_source == "resources"
    assert result.makespan is not None
    assert alone.makespan is not None
    assert result.makespan <= alone.makespan


def test_nothing_known_of_the_first_set_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "solve_certified", interrupt)
    result = result_of(two_equal(1, 2))
    assert result.bound_source == "resources"
    assert result.outcome == "feasible"


def test_a_cancelled_solve_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def cancel(*_: Any, **__: Any) -> None:
        raise Cancelled

    monkeypatch.setattr(program, "solve_certified", cancel)
    with pytest.raises(Cancelled):
        solve(two_equal(1, 2))


@pytest.mark.usefixtures("_no_time_for_proofs")
@pytest.mark.parametrize("objective", ["makespan", "mean_completion", "weighted_flow"])
def test_prices_of_no_use_leave_the_bound_of_resources(
    objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = program._known

    def without_prices(*given: Any) -> Any:
        (near,) = honest(*given)
        return [program.Approximation(near.rules, near.shares, {})]

    monkeypatch.setattr(program, "_known", without_prices)
    document = body([3, 2, 1], [2, 2], [(1, 4), (2, 5)], objective=objective)
    result = result_of(document)
    assert result.outcome == "feasible"
    monkeypatch.undo()
    best = result_of(document).objective
    assert best is not None
    assert result.bound is not None
    assert result.objective is not None
    assert result.bound.value <= best.value <= result.objective.value
    assert result.objective.value - best.value <= F(1, 10**9)


BREAK = body([1, 9, 2], [100, 1], [(1, 9), (1, 1), (1, 4)], objective="mean_completion")


def test_too_many_cases_leave_a_bound_that_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    best = result_of(BREAK)
    assert best.outcome == "optimal"
    assert best.objective is not None
    known = [F(0)]
    for most in (1, 2, 3, 5):
        monkeypatch.setattr(choice, "MOST_CASES", most)
        result = result_of(BREAK)
        assert result.objective is not None
        assert result.bound is not None
        assert known[-1] <= result.bound.value <= best.objective.value <= result.objective.value
        assert result.bound.exact
        known.append(result.bound.value)
        if result.outcome != "optimal" and result.cases:
            assert "not decided to the end" in facts_of(BREAK, result)["cases"]
    assert known[1] < best.objective.value


@pytest.fixture(scope="module")
def best_break() -> Fraction:
    best = result_of(BREAK).objective
    assert best is not None
    return best.value


@pytest.mark.parametrize("solved", range(1, 8, draws(2, 1)))
def test_what_was_proved_before_the_time_was_over_is_kept(
    solved: int, best_break: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = choice.solve_case
    seen = []

    def limited(*given: Any, **more: Any) -> Any:
        seen.append(given)
        if len(seen) > solved:
            raise program.Unproved([])
        return honest(*given, **more)

    monkeypatch.setattr(choice, "solve_case", limited)
    result = result_of(BREAK)
    assert result.objective is not None
    assert result.bound is not None
    assert 0 < result.bound.value <= best_break <= result.objective.value
    assert result.bound.exact


def test_the_cases_of_a_proof_are_rounded_where_their_numbers_are_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    best = result_of(BREAK)
    assert best.objective is not None
    assert len(best.cases) > 1
    monkeypatch.setattr(answers, "LONGEST_BITS", 0)
    result = result_of(BREAK)
    assert len(result.cases) == len(best.cases)
    assert result.objective is not None
    assert result.bound is not None
    assert result.bound.value <= best.objective.value <= result.objective.value
    assert result.objective.value - result.bound.value <= F(1, 10**50)


def test_long_shares_of_a_method_of_the_literature_are_rounded_too():
    def odd(i: int) -> int:
        return 10**12 + 7919 * i * i + 31 * i + 1

    result = result_of(
        body(
            [odd(i) for i in range(10)],
            [odd(100 + i) for i in range(9)],
            [(odd(200 + k), odd(300 + k)) for k in range(30)],
            method="single_load",
        )
    )
    text = result.model_dump(mode="json")  # Python prints no number of more than 4,300 digits
    assert max(len(event["end"]) for event in text["timeline"]) < 1_000
    assert any("the shares are rounded" in note for note in result.notes)
    assert result.bound.value <= result.objective.value
