"""Where a theorem says that orders of messages and results are the best."""

from fractions import Fraction

import pytest

from steadygrid.kinds.divisible_star.claims.order_proofs import is_best_by_theorem
from steadygrid.kinds.divisible_star.replay.star_terms import StarTerms, Times
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance
from tests.kinds.divisible_star.bodies import star

ZERO = Fraction(0)


def terms(
    pairs: str, back: str, latency: int = 0, others: int = 0, items: int | None = None
) -> StarTerms:
    """Write c and d of workers, and the order of results; others may take part, and do not."""
    sent = [
        Times(Fraction(c), Fraction(1), Fraction(d), Fraction(latency), ZERO, ZERO)
        for c, d in (pair.split("/") for pair in pairs.split())
    ]
    return StarTerms(
        "M",
        None,
        [f"P{i}" for i in range(len(sent))],
        sent,
        [int(place) for place in back],
        1,
        False,
        items,
        sent + sent[:1] * others,
    )


def asked(return_orders: str, *, order: bool) -> DivisibleStarInstance:
    document = star([1], [1], return_orders=return_orders)["problem"]
    document["load"]["return_volume"] = "1"
    return DivisibleStarInstance.model_validate(document | ({"order": ["P1"]} if order else {}))


@pytest.mark.parametrize(
    ("return_orders", "stated", "best"),
    [
        ("lifo", terms("1/2 2/2 4/1", "210"), True),
        ("lifo", terms("2/2 1/2 4/1", "210"), False),
        ("fifo", terms("1/1 2/2 3/3", "012"), True),
        ("fifo", terms("2/1 4/2", "01"), True),
        ("fifo", terms("4/2 2/1", "01"), False),
        ("fifo", terms("2/4 1/2", "01"), True),
        ("fifo", terms("1/2 2/4", "01"), False),
        ("fifo", terms("1/2 2/3", "01"), False),
        ("fifo", terms("0/2 0/3", "01"), False),
        ("fifo", terms("1/2 1/2", "01"), True),
        ("any", terms("1/2 1/2", "01"), True),
        ("any", terms("1/2 1/2", "10"), False),
        ("any", terms("1/1 2/2", "01"), False),
        ("any", terms("1/2 1/2", "01", latency=1), False),
        ("any", terms("1/2 1/2", "01", others=1), False),
        ("any", terms("1/2 1/2", "01", items=3), False),
        ("any", terms("1/2 1/2", ""), False),
    ],
)
def test_theorems_are_believed_where_they_hold(
    return_orders: str, stated: StarTerms, *, best: bool
) -> None:
    assert is_best_by_theorem(asked(return_orders, order=False), stated) is best


def test_of_a_given_order_only_that_of_a_bus_is_known_to_be_best() -> None:
    given = asked("any", order=True)
    assert is_best_by_theorem(given, terms("1/2 1/2", "01"))
    assert not is_best_by_theorem(asked("fifo", order=True), terms("1/1 2/2", "01"))
