"""Whole items from the instance to the judged answer."""

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.limits import Limits
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance, DivisibleStarResult
from steadygrid.kinds.divisible_star.solver.star.star import read_star
from steadygrid.submissions.submission import parse_submission, schedule_limits
from tests.draws import draws
from tests.kinds.divisible_star.bodies import result_of, star
from tests.kinds.divisible_star.items.item_oracles import by_all_orders, by_dynamic_program
from tests.kinds.divisible_star.star.test_plans import random_star
from tests.solved import solve

F = Fraction


def of_items(document: Mapping[str, Any], items: int, **problem: Any) -> dict[str, Any]:
    """Make the load of a document consist of items."""
    load = document["problem"]["load"] | {"items": items}
    return {"problem": document["problem"] | {"load": load} | problem}


def dealt(result: DivisibleStarResult) -> dict[str, int | None]:
    return {share.processor: share.items for share in result.shares}


def test_items_are_dealt_out_in_all_orders_of_a_few_workers() -> None:
    result = result_of(of_items(star([1, 2, 3], [3, 2, 1]), 7))
    assert (result.makespan, result.outcome, result.order_proof) == (
        F(15, 7),
        "optimal",
        "exhaustive",
    )
    assert dealt(result) == {"P1": 3, "P2": 3, "P3": 1}
    assert (result.certificate.type, result.bound_source) == ("enumeration", "search")
    assert result_of(of_items(star([1, 2, 3], [3, 2, 1]), 1)).makespan == 4


def test_the_order_of_the_platform_is_answered_if_it_is_asked_for() -> None:
    tied = star([5, 5], [1, 6])
    given = result_of(of_items(tied, 4, order=["P1", "P2"]))
    assert (given.makespan, given.outcome, given.order_proof) == (6, "optimal", "given")
    best = result_of(of_items(tied, 4))
    assert (best.makespan, best.order, best.order_proof) == (F(11, 2), ["P2", "P1"], "bound")


def test_more_workers_are_sent_to_by_link_time_and_a_note_says_so() -> None:
    wide = of_items(star([1] * 8, [*range(1, 9)]), 40)
    result = result_of(wide)
    assert (result.outcome, result.order_proof, result.bound_source) == (
        "feasible",
        "none",
        "order_free",
    )
    assert result.bound is not None
    assert result.bound.value == result.proved_bound
    assert "give order to ask for just that" in result.notes[0]
    given = result_of(wide, order=result.order)
    assert (given.outcome, given.makespan, given.notes) == ("optimal", result.makespan, [])


@pytest.mark.parametrize("seed", range(draws(5, 1500)))
def test_the_oracles_the_solver_and_the_referee_agree(seed: int) -> None:
    random = Random(seed)
    items = random.randint(1, 9)
    document = of_items(random_star(random), items)
    names = [link["target"] for link in document["problem"]["platform"]["links"]]
    random.shuffle(names)
    model = read_star(DivisibleStarInstance.model_validate(document["problem"] | {"order": names}))
    given = result_of(document, order=names)
    assert (given.outcome, given.certificate.type) == ("optimal", "enumeration")
    assert given.makespan == by_dynamic_program(model, range(len(names)), items)
    free = result_of(document)
    proof = "bound" if free.bound_source == "order_free" else "exhaustive"
    assert (free.outcome, free.order_proof) == ("optimal", proof)
    assert free.makespan == by_all_orders(model, items)
    rounded = result_of(document, method="rounding")
    assert rounded.bound is not None
    assert rounded.makespan is not None
    assert rounded.bound.value <= free.makespan <= rounded.makespan
    assert (rounded.guarantee is None) == model.has_latencies
    assert rounded.guarantee is None or rounded.makespan <= rounded.guarantee.bound


def test_rounding_gives_the_largest_remainders_an_item() -> None:
    """8/17, 6/17 and 3/17 of seven items are 3 5/17, 2 8/17 and 1 4/17."""
    result = result_of(of_items(star([1, 2, 3], [3, 2, 1]), 7, method="rounding"))
    assert dealt(result) == {"P1": 3, "P2": 3, "P3": 1}
    assert result.guarantee is not None
    assert (result.guarantee.of, result.guarantee.bound) == ("rounding", F(32, 17) + F(6 + 3, 7))


def test_long_guarantees_are_rounded_up() -> None:
    random = Random(1)
    times = [F(random.randint(1, 10**9), random.randint(1, 10**9)) for _ in range(200)]
    result = result_of(of_items(star(times[:100], times[100:]), 10**6, method="rounding"))
    assert result.guarantee is not None
    assert result.makespan is not None
    assert result.makespan <= result.guarantee.bound < F(11, 10) * result.makespan
    assert result.guarantee.bound.denominator < 10**40


@pytest.mark.parametrize("method", ["search", "rounding"])
def test_without_time_divisible_shares_are_rounded(method: str) -> None:
    document = of_items(star([1, 2, 3], [3, 2, 1], own=5), 7, method=method)
    result = solve(document, seconds=0).result
    assert isinstance(result, DivisibleStarResult)
    assert (result.outcome, result.order_proof) == ("feasible", "none")
    assert any("time" in note for note in result.notes)


def test_items_that_take_no_time_are_worth_a_note() -> None:
    result = result_of(of_items(star([1, 2], [2, 3], data=0, work=0), 5))
    assert (result.makespan, result.outcome) == (0, "optimal")
    assert result.notes == ["nothing takes any time"]


def test_a_makespan_above_what_rounding_guarantees_is_refused() -> None:
    document = of_items(star([1, 2, 3], [3, 2, 1]), 7, method="rounding")
    asked, solved = parse_submission(document, Limits()), solve(document)
    later = solved.result.guarantee.bound + 1
    claimed = solved.result.model_copy(update={"makespan": later})
    with pytest.raises(InvalidScheduleError) as refused:
        asked.problem.validate(
            asked.instance, asked.options, claimed, solved.schedule, schedule_limits(Limits())
        )
    assert "guarantee_not_kept" in {fault.code for fault in refused.value.faults}
