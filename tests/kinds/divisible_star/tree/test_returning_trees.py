"""Trees whose results come back the other way round: the optimum, and who says so."""

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.draws import draws
from tests.kinds.divisible_star.bodies import Number, makespan, result_of, tree
from tests.kinds.divisible_star.tree.returning_trees import Returning, random_returning_tree
from tests.solved import solve

F = Fraction


def returning(
    works: Mapping[str, Number | None], wires: Mapping[tuple[str, str], Number], **asks: Any
) -> dict[str, Any]:
    """Write a tree whose results take as long as the data."""
    document = tree(works, wires, return_orders="lifo", **asks)
    document["problem"]["load"]["return_volume"] = "1"
    return document


CHAIN = returning({"M": None, "R": 2, "P": 2}, {("M", "R"): 1, ("R", "P"): 1})
"""R and P behind it do the whole load in 4/3, and it is 2 on its way."""


@pytest.mark.parametrize("ports", ["one_port", "strict_one_port"])
@pytest.mark.parametrize("method", ["closed_form", "lp"])
@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (CHAIN, F(10, 3)),
        # R only forwards: P, behind two links there and two back.
        (returning({"M": None, "R": None, "P": 2}, {("M", "R"): 1, ("R", "P"): 1}), F(6)),
        # P is to R as one processor of 3, and R to M as one of 5.
        (returning({"M": 1, "R": None, "P": 1}, {("M", "R"): 1, ("R", "P"): 1}), F(5, 6)),
        # Without work R computes all that it receives, and sends nothing on.
        (returning({"M": None, "R": 3, "P": 1}, {("M", "R"): 1, ("R", "P"): 1}, work=0), F(2)),
    ],
)  # fmt: skip
def test_known_optima(
    document: Mapping[str, Any], expected: Fraction, method: str, ports: str
) -> None:
    assert makespan(document, method=method, ports=ports) == expected


def test_who_is_sent_to_first_returns_last_everywhere() -> None:
    document = returning(
        {"M": None, "R": None, "P": 2, "Q": 3, "S": 1},
        {("M", "S"): 5, ("M", "R"): 1, ("R", "Q"): 2, ("R", "P"): 1},
    )
    result = result_of(document)
    assert (result.order, result.return_order) == (["R", "S", "P", "Q"], ["Q", "P", "S", "R"])
    assert (result.order_proof, result.bound_source) == ("theorem", "theorem")
    assert (result.proved_bound, result.any_rounds_bound) == (None, None)
    given = result_of(document, order=["S", "R", "Q", "P"])
    assert (given.return_order, given.order_proof) == (["P", "Q", "R", "S"], "given")


def test_links_are_chosen_by_the_times_there_and_back_together() -> None:
    """The fastest there is the slowest back."""
    document = returning({"M": None, "R": 1, "S": 1, "P": 1}, {("M", "R"): 1, ("M", "S"): 2})
    platform = document["problem"]["platform"]
    platform["links"][0]["duplex"] = "simplex"
    platform["links"] += [
        {"source": "R", "target": "M", "unit_time": 9, "duplex": "simplex"},
        {"source": "S", "target": "P", "unit_time": 1},
    ]
    assert result_of(document).order == ["S", "R", "P"]


def test_no_participants_and_no_order_are_better() -> None:
    """All orders, and all sets of those who compute, of small trees under both port models."""
    deep = worse = 0
    for seed in range(draws(20, 2000)):
        random = Random(seed)
        document = random_returning_tree(random, 5)
        every = Returning(document)
        orders = [*every.orders()]
        if len(orders) > 6:
            continue
        best = min(every.shortest(way, who) for way in orders for who in every.participants())
        result = result_of(document)
        assert (result.makespan, result.outcome) == (best, "optimal")
        chosen = random.choice(orders)
        order = [name for siblings in chosen.values() for name in siblings]
        along = min(every.shortest(chosen, who) for who in every.participants())
        if order:
            assert makespan(document, order=order) == along
        deep += result.proved_bound is None
        worse += along > best
    assert deep > draws(5, 400)
    assert worse > draws(1, 60)


def test_the_closed_form_is_the_optimum_of_one_program_over_the_whole_tree() -> None:
    for seed in range(draws(5, 300)):
        random = Random(seed)
        document = random_returning_tree(random, 9)
        found = [one["id"] for one in document["problem"]["platform"]["processors"][1:]]
        random.shuffle(found)
        for asks in ({}, {"order": found} if found else {}):
            by_program = makespan(document, method="lp", **asks)
            assert makespan(document, method="closed_form", **asks) == by_program


def test_both_methods_stand_side_by_side() -> None:
    rows = result_of(CHAIN, method="compare").comparison
    assert rows is not None
    assert [row.method for row in rows] == ["closed_form", "lp"]


def test_long_answers_are_rounded_with_a_negligible_gap() -> None:
    """A broad tree and a deep one."""
    random = Random(2)
    for size, width in ((400, 20), (200, 1)):
        names = [f"P{i}" for i in range(size)]
        times = [F(random.randint(1, 10**6), random.randint(1, 10**6)) for _ in range(2 * size)]
        works = dict(zip(names, times, strict=False))
        wires = {(names[max(0, i - width)], names[i]): times[-i] for i in range(1, size)}
        result = result_of(returning(works, wires, master="P0"))
        assert result.outcome == "feasible"
        assert result.gap is not None
        assert 0 < result.gap < F(1, 10**60)


@pytest.mark.parametrize("seconds", [0, 60])
def test_no_time_is_needed(seconds: float) -> None:
    result = solve(CHAIN, seconds=seconds).result
    assert (result.makespan, result.outcome) == (F(10, 3), "optimal")


def test_routers_that_lead_to_no_worker_make_no_tree() -> None:
    """A router that leads to no processor with a speed: a star, with its bounds for all orders."""
    document = returning({"M": None, "R": None, "Q": None, "P": 2, "S": 1},
        {("M", "P"): 1, ("M", "S"): 3, ("M", "R"): 1, ("R", "Q"): 1})  # fmt: skip
    order = ["R", "Q", "S", "P"]
    assert result_of(document).proved_bound is not None
    for back in ("lifo", "fifo", "any", ["P", "Q", "S", "R"]):
        result = result_of(document, order=order, return_orders=back)
        assert (result.order, result.outcome) == (order, "optimal")
    document["problem"]["platform"]["links"][0]["latency"] = "1"
    for asks in ({"load": {"communication_volume": 1, "computation_volume": 1}}, {}):
        assert result_of(document, order=order, **asks).outcome == "optimal"
