"""The cheapest trees of combinations, against all bracketings at all places."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from steadygrid.engine.combining.orders import cheap_trees, leaves
from steadygrid.engine.combining.parts import intervals, subsets
from steadygrid.engine.combining.table import (
    Combined,
    Pair,
    Places,
    Table,
    Unreachable,
    whole_prices,
)
from tests.draws import draws
from tests.kinds.collective.bracketings import cheapest_bracketing, drawn_prices


def cost_of(
    tree: Combined,
    places: Places,
    prices: dict[Pair, Fraction],
    joining: dict[int, Fraction],
) -> Fraction:
    """Add up a tree; all data is where it is used, once, and the last of it comes to the target."""
    at = dict(enumerate(places.owners)) | {~k: join.place for k, join in enumerate(tree.joins)}
    total = sum((joining[join.place] for join in tree.joins), Fraction(0))
    for data, way in tree.moves:
        assert at[data] == way[0]
        at[data] = way[-1]
        total += sum((prices[ends] for ends in pairwise(way)), Fraction(0))
    used: list[int] = []
    for k, join in enumerate(tree.joins):
        for data in (join.first, join.second):
            assert data >= 0 or ~data < k
            assert at[data] == join.place
            used.append(data)
    (last,) = at.keys() - used
    assert len(used) == len(set(used)) == 2 * len(places.owners) - 2
    assert at[last] == places.target
    return total


@pytest.mark.parametrize("fixed", [True, False])
def test_no_bracketing_is_cheaper(fixed: bool) -> None:
    for seed in range(draws(75, 5_000)):
        draw = Random(seed)
        prices, joining, owners, target = drawn_prices(draw)
        least = cheapest_bracketing(prices, joining, owners, target, fixed=fixed)
        parts = intervals(tuple(range(len(owners)))) if fixed else subsets(len(owners))
        places = Places(tuple(owners), tuple(joining), target)
        moved, joined, unit = whole_prices(prices, list(joining.values()))
        if least is None:
            with pytest.raises(Unreachable):
                Table(parts, places, moved, joined)
            continue
        table = Table(parts, places, moved, joined)
        assert Fraction(table.cost) / unit == least
        for cost, tree in table.trees(5):
            assert cost_of(tree, places, prices, joining) == Fraction(cost) / unit
        floats = {ends: float(price) for ends, price in prices.items()}
        rough = Table(parts, places, floats, [float(price) for price in joining.values()])
        assert float(rough.cost) == pytest.approx(float(least), rel=1e-12, abs=1e-12)


def test_orders_of_neighbours_find_what_any_order_allows() -> None:
    """On few sources, the trees of drawn orders reach the cheapest of all; none is cheaper."""
    for seed in range(draws(5, 300)):
        draw = Random(seed)
        prices, joining, owners, target = drawn_prices(draw)
        least = cheapest_bracketing(prices, joining, owners, target, fixed=False)
        if least is None:
            continue
        places = Places(tuple(owners), tuple(joining), target)
        moved, joined, unit = whole_prices(prices, list(joining.values()))
        found = cheap_trees(places, moved, joined, [], Random(seed), lambda: None)
        for cost, tree in found:
            assert cost_of(tree, places, prices, joining) == Fraction(cost) / unit
            assert sorted(leaves(tree)) == list(range(len(owners)))
        assert Fraction(found[0][0]) / unit == least


def test_parts_are_counted() -> None:
    for count in range(1, 8):
        number = sum(len(first) for first, _ in subsets(count).splits)
        assert number == (3**count + 1) // 2 - 2**count
        within = sum(len(first) for first, _ in intervals(tuple(range(count))).splits)
        assert within == (count**3 - count) // 6
