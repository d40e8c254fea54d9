"""The same workflow with its files in another order: each optimum names the order it holds for."""

from fractions import Fraction

import pytest

from steadygrid.answer import Answer
from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission
from tests.kinds.replicated_workflow.bodies import Body, small, without_mapping, workflow
from tests.kinds.told import facts_of
from tests.solved import solve

TASKS = {"a": {"A": 4}, "b": {"B": 4}, "c": {"C": 1}}
LINKS = {"A B": 3, "B C": 3, "A C": 1}
NEAR = {"a b": 1, "b c": 1, "a c": 1}
FAR = {"a c": 1, "a b": 1, "b c": 1}
MAPPING = {"a": "A", "b": "B", "c": "C"}


def asked(files: dict[str, int], mapping: dict[str, str] | None = None, **problem: str) -> Body:
    return workflow(TASKS, files, LINKS, mapping, **problem)


@pytest.mark.parametrize(
    ("files", "value", "order"),
    [
        (NEAR, Fraction(2, 11), "a to b, a to c, b to c"),
        (FAR, Fraction(1, 11), "a to c, a to b, b to c"),
    ],
)
@pytest.mark.parametrize("mapping", [None, MAPPING])
def test_an_optimum_names_the_order_that_it_holds_for(
    files: dict[str, int], value: Fraction, order: str, mapping: dict[str, str] | None
) -> None:
    body = asked(files, mapping, order="listed")
    result, schedule = solve(body)
    assert (result.outcome, result.objective.value) == ("optimal", value)
    told = facts_of(body, result, schedule)
    whose = "schedule of this mapping" if mapping else "mapping"
    assert f"no {whose} with this order of files does better" in told["bound"]
    assert (
        f"files in this order: {order}; in another the period may be shorter" in told["bound for"]
    )
    assert any("in another order" in note for note in result.notes)
    assert not any("none has" in note or "optimal" in note for note in result.notes)


def test_the_verdict_names_the_order_too() -> None:
    body = asked(FAR, order="listed")
    result, schedule = solve(body)
    answer = Answer(parse_submission(body, Limits()), result, schedule)
    assert "\nOPTIMAL for this order of files: checked by the referee" in repr(answer)
    assert "OPTIMAL for this order of files: checked" in answer._repr_html_()
    assert "none has a shorter period" not in repr(answer)


def test_where_there_is_one_order_none_is_named() -> None:
    body = without_mapping(small(), method="exact")
    told = facts_of(body)
    assert told["bound"].endswith("no mapping does better")
    assert told["bound for"] == "all mappings"
    assert facts_of(small())["bound for"] == (
        "the mapping that was given: another may have a shorter period"
    )


def test_prices_hold_in_every_order() -> None:
    body = workflow(
        {"a": {"A": 9}, "b": {"B": 1}, "c": {"C": 1}}, FAR, LINKS, None, method="portfolio"
    )
    result, schedule = solve(body)
    assert (result.outcome, result.certificate.type) == ("optimal", "lp_duality")
    told = facts_of(body, result, schedule)
    assert told["bound for"] == "all mappings"
    assert told["bound"] == "1/9: reached, no mapping does better"


def test_a_resource_that_is_always_busy_is_so_in_every_order() -> None:
    body = workflow(
        {"a": {"A": 9}, "b": {"B": 1}, "c": {"C": 1}}, FAR, LINKS, MAPPING, ports="one_port"
    )
    assert "order" not in facts_of(body)["bound for"]


@pytest.mark.parametrize("files", [NEAR, FAR])
@pytest.mark.parametrize("mapping", [None, MAPPING])
def test_a_search_of_orders_makes_all_lists_alike(
    files: dict[str, int], mapping: dict[str, str] | None
) -> None:
    result, _ = solve(asked(files, mapping, order="searched"))
    assert (result.outcome, result.objective.value) == ("optimal", Fraction(1, 4))
