"""What the referee refuses of a second objective."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.domain.preferred import Preferred
from steadygrid.submissions.submission import parse_submission
from tests.kinds.master_worker.test_preferred import ANY, DETOUR, LEAST, drawn
from tests.solved import solve
from tests.verification.answers import Answer

F = Fraction
AT = "result/preferred"


def answer(body: dict[str, Any]) -> Answer:
    submission = parse_submission(body, Limits())
    return Answer(submission.instance, submission.options, *solve(body))


@pytest.fixture(scope="module", name="right")
def right_answers() -> dict[str, Answer]:
    return {
        "detour": answer(DETOUR),
        "fixed": answer(DETOUR | {"problem": DETOUR["problem"] | {"routing": "fixed"}}),
        "results": answer(drawn(2, output_size=1)),
        "any": answer(DETOUR | {"options": ANY}),
    }


def half_of_all(prices: dict[str, Fraction]) -> dict[str, Fraction]:
    return {name: price / 2 for name, price in prices.items()}


def over_the_detour(sent: list[Any]) -> list[Any]:
    """Send what B gets over A, which is as many tasks, and more traffic."""
    to_b = next(one for one in sent if one.target == "B")
    others = [one for one in sent if one.target != "B"]
    (to_a,) = others
    return [
        to_a.model_copy(update={"rate": to_a.rate + to_b.rate}),
        to_b.model_copy(update={"source": "A"}),
    ]


def proved_by_a_detour(result: Any) -> Any:
    """Tell its traffic, and that it was least, with the same prices."""
    value = F(1, 10) + F(1, 200)
    preferred = result.preferred.model_copy(update={"value": value, "before": value})
    sent = over_the_detour(result.sent)
    return result.model_copy(update={"preferred": preferred, "sent": sent})


def dearer(preferred: Preferred) -> Preferred:
    """Let a task be worth more, and raise the prices so that the sum is right."""
    prices = dict(preferred.prices)
    name = min(prices)
    prices[name] += F(5, 4)
    assert preferred.worth is not None
    return preferred.model_copy(update={"worth": preferred.worth + 1, "prices": prices})


PLANTED: list[tuple[str, str, Any, str, str]] = [
    ("detour", AT, None, "wrong_preferred", "not where any rates are asked for"),
    ("any", "options/prefer", "least_traffic", "wrong_preferred", "where `prefer` asks for it"),
    ("detour", "options/prefer", "any", "wrong_preferred", "where `prefer` asks for it"),
    ("detour", f"{AT}/value", F(1, 11), "wrong_traffic", "for 1/10 of the time together, not for 1/11"),
    ("detour", "result/sent", over_the_detour, "wrong_traffic", "for 21/200 of the time"),
    ("detour", "result/sent/0/target", "nowhere", "wrong_traffic", "for 1/20 of the time"),
    ("detour", f"{AT}/before", F(1, 20), "more_than_before", "was 1/20 before, and is 1/10"),
    ("detour", f"{AT}/proof", "none", "wrong_proof", "has a worth and prices, and nothing else"),
    ("detour", f"{AT}/worth", None, "wrong_proof", "has a worth and prices, and nothing else"),
    ("detour", f"{AT}/worth", F(0), "wrong_proof", "not above 0"),
    ("detour", f"{AT}/prices/M.nothing", F(0), "ghost_resource", "'M.nothing'"),
    ("detour", f"{AT}/prices/M.compute", F(-1), "negative_price", "'M.compute'"),
    ("detour", f"{AT}/worth", F(2), "traffic_not_least", "of worth 2"),
    ("detour", f"{AT}/prices", half_of_all, "traffic_not_least", "another value than 1/10"),
    ("detour", "result", proved_by_a_detour, "traffic_not_least", "another value than 21/200"),
    ("detour", AT, dearer, "cheap_traffic", "less than its worth"),
    ("fixed", AT, dearer, "cheap_traffic", "less than its worth"),
    ("results", f"{AT}/prices", half_of_all, "cheap_traffic", "less than its worth"),
]  # fmt: skip


@pytest.mark.parametrize("name", ["detour", "fixed", "results", "any"])
def test_a_right_answer_is_accepted(name: str, right: dict[str, Answer]) -> None:
    assert right[name].faults() == []
    assert (right[name].result.preferred is None) == (name == "any")


@pytest.mark.parametrize(
    ("case", "path", "value", "code", "sentence"),
    PLANTED,
    ids=[f"{i}-{row[0]}-{row[3]}" for i, row in enumerate(PLANTED)],
)
def test_a_planted_fault_is_named(
    case: str, path: str, value: Any, code: str, sentence: str, right: dict[str, Answer]
) -> None:
    faults = right[case].change(path, value).faults()
    assert any(fault.code == code and sentence in fault.detail for fault in faults), faults


def test_what_is_not_proved_needs_no_prices(right: dict[str, Answer]) -> None:
    unproved = Preferred.unproved("least_traffic", F(1, 10))
    assert right["any"].change("options", right["detour"].options).codes() == {"wrong_preferred"}
    assert right["detour"].change(AT, unproved).faults() == []
    assert right["detour"].options.prefer == LEAST["prefer"]
