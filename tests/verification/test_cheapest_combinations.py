from random import Random

import pytest

from steadygrid.verification.cheapest_combinations import (
    any_two,
    cheapest_combination,
    neighbours,
    pairs_of_any,
    pairs_of_neighbours,
)
from steadygrid.verification.cheapest_trees import Price
from tests.draws import draws
from tests.kinds.collective.bracketings import cheapest_bracketing, drawn_prices


@pytest.mark.parametrize("fixed", [True, False])
def test_no_bracketing_is_cheaper(fixed: bool) -> None:
    for seed in range(draws(150, 5_000)):
        prices, joining, owners, target = drawn_prices(Random(f"referee {seed}"))
        arcs: dict[str, list[tuple[str, Price]]] = {}
        for (here, there), price in prices.items():
            arcs.setdefault(str(here), []).append((str(there), price))
        parts = neighbours(len(owners)) if fixed else any_two(len(owners))
        named = {str(place): price for place, price in joining.items()}
        cost = cheapest_combination(arcs, [*map(str, owners)], named, str(target), parts)
        assert cost == cheapest_bracketing(prices, joining, owners, target, fixed=fixed)


def test_pairs_are_counted() -> None:
    for number in range(1, 8):
        assert sum(len(pairs) for _, pairs in any_two(number)) == pairs_of_any(number)
        assert sum(len(pairs) for _, pairs in neighbours(number)) == pairs_of_neighbours(number)
