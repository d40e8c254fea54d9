from collections.abc import Collection
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

import pytest

from steadygrid.engine.arborescences.cheapest import cheapest_arborescence, cheapest_paths
from steadygrid.engine.arborescences.cuts import Arc
from steadygrid.engine.arborescences.greedy_trees import nearest_receivers_trees
from steadygrid.engine.arborescences.journeys import SteinerTree
from steadygrid.engine.arborescences.steiner import cheapest_steiner_trees
from tests.draws import draws
from tests.engine.arborescences.checks import random_network


def by_enumeration(
    prices: dict[Arc, Fraction], root: int, receivers: set[int], members: list[int], number: int
) -> Fraction | None:
    """Try all sets of members, each with the cheapest arborescence over it."""
    ways = {ends: way.price for ends, way in cheapest_paths(prices, members, number).items()}
    others = sorted(set(members) - receivers - {root})
    found: list[Fraction] = []
    for size in range(len(others) + 1):
        for relays in combinations(others, size):
            inside = receivers | {root, *relays}
            between = {ends: price for ends, price in ways.items() if set(ends) <= inside}
            try:
                found.append(cheapest_arborescence(between, root, inside).cost)
            except ValueError:
                continue
    return min(found, default=None)


def check_tree(
    tree: SteinerTree,
    prices: dict[Arc, Fraction],
    root: int,
    receivers: Collection[int],
    members: Collection[int],
) -> None:
    reached, begun = {root}, set()
    for way in tree.routes:
        assert way[0] in reached
        assert way[-1] in set(members) - reached
        assert not set(members).intersection(way[1:-1])
        reached.add(way[-1])
        begun.add(way[0])
    assert reached >= set(receivers)
    assert reached - begun <= {root, *receivers}
    assert tree.cost == sum(prices[arc] for way in tree.routes for arc in pairwise(way))


@pytest.mark.parametrize("seed", range(draws(10, 4000)))
def test_no_steiner_tree_is_cheaper(seed: int) -> None:
    random = Random(seed)
    number, drawn, members = random_network(random, 7, random.choice((1, 5, 10**20)))
    prices = {arc: Fraction(c, random.randint(1, 3)) for arc, c in drawn.items()}
    root = random.choice(members)
    roots = [root, *random.sample(members, 1)]
    ends = {one: set(random.sample(members, random.randint(1, len(members)))) for one in roots}
    best = {one: by_enumeration(prices, one, ends[one], members, number) for one in ends}
    if lost := [one for one in ends if best[one] is None]:
        for search in (cheapest_steiner_trees, nearest_receivers_trees):
            with pytest.raises(ValueError, match=f"from root {lost[0]}"):
                search(prices, ends, members, number)
        return
    trees = cheapest_steiner_trees(prices, ends, members, number)
    near = nearest_receivers_trees(prices, ends, members, number)
    for one, receivers in ends.items():
        check_tree(trees[one], prices, one, receivers, members)
        assert trees[one].cost == best[one]
        check_tree(near[one], prices, one, receivers, members)
        assert near[one].cost >= trees[one].cost


def test_a_relay_is_worth_its_path_only_if_it_copies() -> None:
    prices = {(0, 1): 6, (1, 2): 2, (1, 3): 2, (0, 2): 7, (0, 3): 7}
    ends = {0: [2, 3]}
    over = SteinerTree(Fraction(10), ((0, 1), (1, 3), (1, 2)))
    assert cheapest_steiner_trees(prices, ends, [0, 1, 2, 3], 4) == {0: over}
    assert cheapest_steiner_trees(prices, ends, [0, 2, 3], 4)[0].cost == 14
    assert nearest_receivers_trees(prices, ends, [0, 1, 2, 3], 4)[0].cost == 10


def test_nothing_to_reach_costs_nothing() -> None:
    nothing = {0: SteinerTree(Fraction(0), ())}
    assert cheapest_steiner_trees({}, {0: [0]}, [0], 1) == nothing
    assert nearest_receivers_trees({}, {0: [0]}, [0], 1) == nothing
