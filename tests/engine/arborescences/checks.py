"""Independent checks: cuts and arborescences by enumeration, packings by adding up."""

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

from steadygrid.engine.arborescences.cuts import Arc
from steadygrid.engine.arborescences.packing import Arborescence


def sets_without_a_member(number: int, members: Collection[int]) -> Iterator[set[int]]:
    for size in range(1, number):
        for inside in combinations(range(number), size):
            if set(members) - set(inside):
                yield set(inside)


def out_of(inside: Collection[int], capacities: Mapping[Arc, Any]) -> Any:
    return sum(c for (u, v), c in capacities.items() if u in inside and v not in inside)


def within(inside: Collection[int], demands: Mapping[int, Any]) -> Any:
    return sum(d for root, d in demands.items() if root in inside)


def too_narrow(
    number: int,
    capacities: Mapping[Arc, int],
    demands: Mapping[int, int],
    members: Collection[int],
) -> list[frozenset[int]]:
    return [
        frozenset(inside)
        for inside in sets_without_a_member(number, members)
        if out_of(inside, capacities) < within(inside, demands)
    ]


def least_ratio(
    number: int,
    capacities: Mapping[Arc, Any],
    data: Mapping[int, Any],
    members: Collection[int],
) -> Fraction:
    return min(
        Fraction(out_of(inside, capacities)) / within(inside, data)
        for inside in sets_without_a_member(number, members)
        if within(inside, data)
    )


def check_packing(
    trees: list[Arborescence],
    capacities: Mapping[Arc, int],
    demands: Mapping[int, int],
    members: Collection[int],
) -> None:
    load: dict[Arc, int] = {}
    weights: dict[int, int] = {}
    for tree in trees:
        assert tree.weight > 0
        weights[tree.root] = weights.get(tree.root, 0) + tree.weight
        reached = {tree.root}
        for way in tree.routes:
            assert way[0] in reached
            assert way[-1] not in reached
            assert not set(members).intersection(way[1:-1])
            assert len(set(way)) == len(way)
            reached.add(way[-1])
            for arc in pairwise(way):
                load[arc] = load.get(arc, 0) + tree.weight
        assert reached == set(members)
    assert weights == {root: demand for root, demand in demands.items() if demand}
    assert all(amount <= capacities[arc] for arc, amount in load.items())
    assert len({(tree.root, tree.routes) for tree in trees}) == len(trees)


def all_arborescences(
    arcs: Collection[Arc], root: int, members: Collection[int]
) -> Iterator[tuple[Arc, ...]]:
    entering = [[a for a in arcs if a[1] == v] for v in sorted(members) if v != root]
    for chosen in product(*entering):
        parent = {head: tail for tail, head in chosen}
        if all(_leads_to(root, vertex, parent) for vertex in parent):
            yield chosen


def _leads_to(root: int, vertex: int, parent: Mapping[int, int]) -> bool:
    seen: set[int] = set()
    while vertex != root and vertex not in seen:
        seen.add(vertex)
        vertex = parent[vertex]
    return vertex == root


def random_network(
    random: Random, largest: int = 6, wide: int = 6
) -> tuple[int, dict[Arc, int], list[int]]:
    """Draw the number of vertices, capacities and at least two members."""
    number = random.randint(2, largest)
    members = sorted(random.sample(range(number), random.randint(2, number)))
    density = random.choice((0.4, 0.7, 1.0))
    capacities = {
        (u, v): random.randint(0, wide)
        for u in range(number)
        for v in range(number)
        if u != v and random.random() < density
    }
    return number, capacities, members
