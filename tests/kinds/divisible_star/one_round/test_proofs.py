"""What the referee says of bounds and orders that are proved by more than prices."""

import copy
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.limits import Limits
from steadygrid.domain.rational import approximate
from steadygrid.domain.timeline import Timeline
from steadygrid.kinds.divisible_star.schemas import DivisibleStarResult
from steadygrid.kinds.divisible_star.validator import validate
from steadygrid.submissions.submission import parse_submission
from tests.kinds.divisible_star.bodies import star
from tests.kinds.divisible_star.one_round.test_search import late_star
from tests.solved import solve

F = Fraction
Change = Callable[[dict[str, Any]], Any]

DOCUMENTS = {
    "search": late_star([5, 4, 2], [2, 1, 4], [5, 0, 2], [2, 5, 2]),
    "given": late_star([5, 4, 2], [2, 1, 4], [5, 0, 2], [2, 5, 2], order=["P3", "P2", "P1"]),
    "local": late_star(
        [5, 4, 2, 3], [2, 1, 4, 9], [5, 0, 2, 1], [2, 5, 2, 0], method="local_search"
    ),
    "linear": star([1, 2, 3], [3, 2, 1]),
    "rounds": star([1, 2], [4, 3], order=["P1", "P2"], rounds=2),
}


@cache
def _solved(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    answer = solve(copy.deepcopy(DOCUMENTS[name]))
    return answer.result.model_dump(mode="json"), answer.schedule.document


def codes(name: str, *changes: Change) -> set[str]:
    """Judge an answer after some changes to its result."""
    result, schedule = copy.deepcopy(_solved(name))
    for change in changes:
        change(result)
    submission = parse_submission(copy.deepcopy(DOCUMENTS[name]), Limits())
    try:
        validate(
            submission.instance,
            submission.options,
            DivisibleStarResult.model_validate(result),
            Timeline.from_document(schedule),
        )
    except InvalidScheduleError as error:
        return {fault.code for fault in error.faults}
    return set()


def certified(**members: Any) -> Change:
    return lambda result: result["certificate"].update(members)


def said(**members: Any) -> Change:
    return lambda result: result.update(members)


def bounded(value: str) -> Change:
    """Claim a bound, with all that follows from it."""

    def change(result: dict[str, Any]) -> None:
        bound, makespan = F(value), F(result["makespan"])
        result["bound"].update(value=value, approx=approximate(bound))
        result["gap"] = str((makespan - bound) / bound)
        result["outcome"] = "optimal" if bound == makespan else "feasible"

    return change


@pytest.mark.parametrize("name", DOCUMENTS)
def test_right_answers_are_accepted(name: str) -> None:
    assert codes(name) == set()


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("search", [said(order_proof="given")], {"wrong_order_proof"}),
        ("search", [said(order_proof="exhaustive")], {"wrong_order_proof"}),
        ("search", [said(order_proof="none")], {"wrong_order_proof"}),
        ("search", [said(proved_bound="60/7")], {"bound_not_proved"}),
        ("search", [said(any_rounds_bound="60/7")], {"wrong_any_rounds_bound"}),
        ("search", [said(bound_source="order_free")], {"wrong_bound_source"}),
        ("search", [said(bound_source="any_rounds")], {"wrong_bound_source"}),
        ("search", [said(bound_source="program")], {"wrong_bound_source"}),
        ("search", [certified(prices={"P1.message1": "1"})], {"unknown_price"}),
        ("search", [certified(prices={"P2.message1": "1"})], {"bound_not_proved"}),
        (
            "search",
            [
                certified(type="lp_duality", prices={}),
                said(bound_source="program", order_proof="theorem"),
            ],
            {"no_theorem", "prices_of_participants", "prices_not_one"},
        ),
        (
            "search",
            [said(guarantee={"bound": "100", "of": "rounding"})],
            {"guarantee_not_proved"},
        ),
        ("given", [said(order_proof="search")], {"wrong_order_proof"}),
        ("given", [certified(type="lp_duality")], {"prices_of_participants"}),
        ("local", [certified(type="lp_duality")], {"prices_of_one_order", "wrong_bound_source"}),
        ("local", [said(order_proof="search")], {"wrong_order_proof"}),
        ("linear", [certified(type="enumeration", prices={})], {"wrong_certificate"}),
        ("linear", [said(proved_bound="1")], {"stray_bound"}),
        ("linear", [said(any_rounds_bound="1")], {"stray_bound"}),
        ("linear", [said(guarantee={"bound": "9", "of": "rounding"})], {"stray_bound"}),
    ],
)
def test_a_planted_fault_is_found(name: str, changes: list[Change], expected: set[str]) -> None:
    assert expected <= codes(name, *changes)


def test_an_enumeration_is_repeated_for_the_bound_it_is_said_to_prove() -> None:
    """The nodes a solver needed prove nothing, and need not be right."""
    assert codes("search", certified(nodes=1)) == set()
    less = said(order_proof="none"), bounded("8")
    assert codes("search", *less) == set()
    assert codes("given", bounded("28/3")) == set()
    worse = late_star([5, 4, 2], [2, 1, 4], [5, 0, 2], [2, 5, 2], order=["P3", "P2"])
    answer = solve(worse)
    assert answer.result.makespan == F(28, 3)
    submission = parse_submission(copy.deepcopy(DOCUMENTS["search"]), Limits())
    result = answer.result.model_copy(update={"order_proof": "search", "method": "search"})
    assert isinstance(result, DivisibleStarResult)
    with pytest.raises(InvalidScheduleError) as refused:
        validate(submission.instance, submission.options, result, answer.schedule)
    faults = {(fault.pointer, fault.code) for fault in refused.value.faults}
    assert faults == {(("result", name), "bound_not_proved") for name in ("bound", "proved_bound")}


def test_what_cannot_be_repeated_is_no_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "steadygrid.kinds.divisible_star.claims.one_round.nothing_is_faster", lambda *_, **__: None
    )
    assert codes("search") == {"not_repeated"}
