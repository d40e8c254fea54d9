"""The cheapest trees, against all trees there are."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random

import pytest

from steadygrid.verification.cheapest_trees import (
    SteinerTable,
    cheapest_arborescence,
    cheapest_path_prices,
)
from tests.draws import draws

Priced = Mapping[tuple[str, str], int | Fraction]


def drawn(random: Random, names: str, density: float) -> dict[tuple[str, str], int | Fraction]:
    per = random.choice([1, 7])
    prices = {
        pair: Fraction(random.randint(0, 9), per)
        for pair in permutations(names, 2)
        if random.random() < density
    }
    return {pair: price if per > 1 else int(price) for pair, price in prices.items()}


def leaving(arcs: Priced) -> dict[str, list[tuple[str, int | Fraction]]]:
    found: dict[str, list[tuple[str, int | Fraction]]] = {}
    for (here, there), price in arcs.items():
        found.setdefault(here, []).append((there, price))
    return found


def ways(arcs: Priced, start: str, end: str, through: str) -> Iterator[int | Fraction]:
    """Price all ways between two that pass some others only."""
    for number in range(len(through) + 1):
        for passed in permutations(through, number):
            hops = list(zip((start, *passed), (*passed, end), strict=True))
            if all(hop in arcs for hop in hops):
                yield sum(arcs[hop] for hop in hops)


def cheapest_of_all(arcs: Priced, root: str, ends: str, names: str) -> int | Fraction | None:
    """Let each processor of each set that holds the ends be entered by any way from any other."""
    others = [name for name in names if name != root]
    forwarders = "".join({name for pair in arcs for name in pair} - set(names))
    between = {
        pair: min(ways(arcs, *pair, forwarders), default=None) for pair in permutations(names, 2)
    }
    found = []
    for number in range(len(ends), len(others) + 1):
        for members in combinations(others, number):
            if not set(ends) <= set(members):
                continue
            for parents in product((root, *members), repeat=number):
                parent = dict(zip(members, parents, strict=True))
                prices = [between.get((parent[name], name)) for name in members]
                if all(_leads(parent, name, root) for name in members) and None not in prices:
                    found.append(sum(prices))
    return min(found, default=None)


def _leads(parent: Mapping[str, str], name: str, root: str) -> bool:
    for _ in parent:
        name = parent.get(name, root)
    return name == root


def test_a_cheapest_arborescence_costs_as_little_as_any_tree() -> None:
    random, lost = Random(1), 0
    for _ in range(draws(300, 20_000)):
        names = "ABCDE"[: random.randint(2, 4)]
        arcs = drawn(random, names, random.choice([0.5, 0.8, 1]))
        listed = [(a, b, price) for (a, b), price in arcs.items()]
        found = cheapest_arborescence("A", names, listed)
        assert found == cheapest_of_all(arcs, "A", names[1:], names)
        lost += found is None
    assert lost


@pytest.mark.parametrize("branching", ["ABCD", "ABC", "AB"])
def test_a_steiner_table_knows_the_cheapest_trees(branching: str) -> None:
    random = Random(2)
    for _ in range(draws(100, 5_000)):
        arcs = drawn(random, "ABCDE", random.choice([0.5, 0.8]))
        ends = branching[1 : random.randint(2, 3)]
        table = SteinerTable(leaving(arcs), ends, branching)
        for root in set(branching) - set(ends):
            assert table.cost(root, ends) == cheapest_of_all(arcs, root, ends, branching)


def test_a_table_of_all_ends_serves_messages_to_some_of_them() -> None:
    arcs = {("A", "X"): 1, ("X", "B"): 1, ("X", "C"): 1, ("B", "C"): 5}
    table = SteinerTable(leaving(arcs), "ABC", "ABCX")
    assert [table.cost("A", ends) for ends in ("B", "C", "BC")] == [2, 2, 3]
    assert (table.cost("B", "C"), table.cost("B", "A")) == (5, None)
    assert SteinerTable(leaving(arcs), "BC", "ABC").cost("A", "BC") == 4


def test_paths_pass_only_permitted_processors() -> None:
    random = Random(3)
    for _ in range(draws(100, 5_000)):
        arcs = drawn(random, "ABCDE", 0.5)
        found = cheapest_path_prices(leaving(arcs), "A", "DE")
        for end in "BC":
            assert found.get(end) == min(ways(arcs, "A", end, "DE"), default=None)


def test_many_cycles_in_each_other_are_no_matter() -> None:
    """Pairs, pairs of pairs, and so on, are each cheaper to go round in than to leave."""
    names = [f"P{i}" for i in range(64)]
    arcs = [
        (a, b, (i ^ j).bit_length() ** 2)
        for (i, a), (j, b) in permutations(enumerate(names), 2)
    ]  # fmt: skip
    expected = 1 * 32 + 4 * 16 + 9 * 8 + 16 * 4 + 25 * 2 + 36
    assert cheapest_arborescence("P0", names, arcs) == expected
    assert cheapest_arborescence("P5", names[:1] + names[5:6], [("P5", "P0", 3)]) == 3
