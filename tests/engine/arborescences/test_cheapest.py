from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from steadygrid.engine.arborescences.cheapest import (
    CheapestPath,
    cheapest_arborescence,
    cheapest_paths,
)
from steadygrid.engine.arborescences.cuts import Arc
from tests.draws import draws
from tests.engine.arborescences.checks import all_arborescences, random_network


@pytest.mark.parametrize("seed", range(draws(10, 5000)))
def test_no_arborescence_is_cheaper(seed: int) -> None:
    random = Random(seed)
    _, drawn, members = random_network(random, 6, random.choice((1, 5, 10**20)))
    costs = {arc: Fraction(c - 1, random.randint(1, 3)) for arc, c in drawn.items()}
    between = [arc for arc in costs if set(arc) <= set(members)]
    root = random.choice(members)
    trees = list(all_arborescences(between, root, members))
    if not trees:
        with pytest.raises(ValueError, match=f"from root {root}"):
            cheapest_arborescence(costs, root, members)
        return
    tree = cheapest_arborescence(costs, root, members)
    assert tree.cost == sum(costs[arc] for arc in tree.arcs)
    assert tree.cost == min(sum(costs[arc] for arc in arcs) for arcs in trees)
    reached = {root}
    for tail, head in tree.arcs:
        assert tail in reached
        assert head not in reached
        reached.add(head)
    assert reached == set(members)


def paths(costs: dict[Arc, Fraction], members: list[int], path: list[int]):
    for tail, head in costs:
        if tail == path[-1] and head not in path:
            if head in members:
                yield [*path, head]
            else:
                yield from paths(costs, members, [*path, head])


@pytest.mark.parametrize("seed", range(draws(8, 5000)))
def test_no_path_is_cheaper(seed: int) -> None:
    random = Random(seed)
    number, drawn, members = random_network(random)
    costs = {arc: Fraction(c, random.randint(1, 3)) for arc, c in drawn.items()}
    found = cheapest_paths(costs, members, number)
    best: dict[Arc, tuple[Fraction | int, int]] = {}
    for start in members:
        for path in paths(costs, members, [start]):
            price = sum(costs[arc] for arc in pairwise(path))
            key = (start, path[-1])
            best[key] = min(best.get(key, (price, len(path))), (price, len(path)))
    assert {key: (way.price, len(way.path)) for key, way in found.items()} == best
    for (start, end), way in found.items():
        assert (way.path[0], way.path[-1]) == (start, end)
        assert not set(members).intersection(way.path[1:-1])
        assert way.price == sum(costs[arc] for arc in pairwise(way.path))


def test_no_path_passes_a_member() -> None:
    prices = {(0, 1): 1, (1, 2): 1, (0, 3): 2, (3, 2): 1}
    assert cheapest_paths(prices, [0, 1, 2], 4) == {
        (0, 1): CheapestPath(Fraction(1), (0, 1)),
        (0, 2): CheapestPath(Fraction(3), (0, 3, 2)),
        (1, 2): CheapestPath(Fraction(1), (1, 2)),
    }


def test_many_members() -> None:
    """Cycles within cycles: every vertex likes the one before it, and the last one costs most."""
    number = 400
    costs = {(k, k + 1): k for k in range(number)} | {(k + 1, k): 0 for k in range(1, number)}
    costs[0, number] = 5
    tree = cheapest_arborescence(costs, 0, range(number + 1))
    assert tree.cost == 5
    assert len(tree.arcs) == number
