from collections.abc import Mapping
from itertools import count
from random import Random

import pytest

from benchmarks.boxes import a100, mi250
from steadygrid.engine.arborescences.cuts import Arc, least_cut
from steadygrid.engine.arborescences.growth import PATIENCE
from steadygrid.engine.arborescences.packing import Arborescence, balanced, pack
from tests.draws import draws
from tests.engine.arborescences.checks import (
    check_packing,
    out_of,
    random_network,
    too_narrow,
)


def at_the_optimum(
    number: int, bandwidths: Mapping[Arc, int], data: Mapping[int, int], members: list[int]
) -> tuple[dict[Arc, int], dict[int, int]]:
    """Scale capacities, and as much data as they can carry, to integers."""
    ratio, _ = least_cut(number, bandwidths, data, members)
    capacities = {arc: b * ratio.denominator for arc, b in bandwidths.items()}
    return capacities, {root: d * ratio.numerator for root, d in data.items()}


@pytest.mark.parametrize("patience", [PATIENCE, 0], ids=["known sets", "flows"])
@pytest.mark.parametrize("seed", range(draws(8, 5000)))
def test_what_cuts_allow_is_packed_and_no_more(seed: int, patience: int) -> None:
    random = Random(seed)
    number, wide, members = random_network(random, 6, random.choice((1, 3, 9, 10**30)))
    wide = balanced(wide, set(range(number)) - set(members))
    for tail, head in wide:
        if tail in members and head not in members:
            wide[tail, head] += random.choice((0, 0, 1, 5))  # Forwarders may take too much.
    data = {member: random.choice((0, 1, 1, 2, 3)) for member in members}
    data[members[0]] += 1
    capacities, demands = at_the_optimum(number, wide, data, members)
    trees = pack(number, capacities, demands, members, shallow=seed % 2 > 0, patience=patience)
    check_packing(trees, capacities, demands, members)
    demands[random.choice(members)] += 1
    narrow = too_narrow(number, capacities, demands, members)
    if not narrow:
        trees = pack(number, capacities, demands, members, patience=patience)
        check_packing(trees, capacities, demands, members)
        return
    with pytest.raises(ValueError, match="no packing") as refused:
        pack(number, capacities, demands, members, patience=patience)
    assert any(str(sorted(inside)) in str(refused.value) for inside in narrow)


@pytest.mark.parametrize("seed", range(draws(8, 5000)))
def test_balancing_takes_little_away(seed: int) -> None:
    random = Random(seed)
    number, wide, members = random_network(random)
    forwarders = set(range(number)) - set(members)
    capacities = {arc: c * 10**20 for arc, c in balanced(wide, forwarders).items()}
    assert balanced(capacities, forwarders) == capacities
    more = {arc: c + random.randint(0, 2) for arc, c in capacities.items()}
    less = balanced(more, forwarders)
    assert all(0 < less[arc] <= more[arc] for arc in capacities)
    assert sum(more.values()) - sum(less.values()) <= 2 * len(more) * number
    for vertex in forwarders:
        assert out_of({vertex}, less) == out_of(set(range(number)) - {vertex}, less)


def test_cycles_of_forwarders_lead_nowhere() -> None:
    assert balanced({(0, 1): 5, (1, 2): 7, (2, 1): 7, (3, 1): 0, (1, 1): 2}, [1, 2]) == {
        (1, 2): 7,
        (2, 1): 7,
    }
    assert balanced({}, [4]) == {}


@pytest.mark.parametrize(
    ("boxes", "most"), [(a100(1), 8), (a100(2), 33), (a100(4), 32), (mi250(1), 60), (mi250(2), 118)]
)
def test_boxes_of_graphics_processors(boxes, most: int) -> None:
    number, bandwidths, members = boxes
    capacities, demands = at_the_optimum(number, bandwidths, dict.fromkeys(members, 1), members)
    trees = pack(number, capacities, demands, members)
    check_packing(trees, capacities, demands, members)
    assert len(trees) <= most


def test_a_switch_forwards_what_enters_it_once() -> None:
    arms = {(0, 1): 2, (1, 2): 1, (1, 3): 1}
    assert pack(4, arms, {0: 1}, [0, 2, 3]) == [Arborescence(0, 1, ((0, 1, 2), (0, 1, 3)))]
    with pytest.raises(ValueError, match=r"2 have to leave .* \[0, 1, 3\], 1 can"):
        pack(4, arms, {0: 2}, [0, 2, 3])
    with pytest.raises(ValueError, match="forwarder 1 takes 1 and sends 2"):
        pack(4, arms | {(0, 1): 1}, {0: 1}, [0, 2])


def test_an_arc_over_two_switches_cuts_a_tree_into_parts() -> None:
    arms = {(0, 1): 2, (1, 3): 2, (0, 2): 5, (2, 3): 5}
    assert pack(4, arms, {0: 7}, [0, 3]) == [
        Arborescence(0, 5, ((0, 2, 3),)),
        Arborescence(0, 2, ((0, 1, 3),)),
    ]


def test_a_member_alone_has_trees_without_paths() -> None:
    assert pack(1, {}, {0: 3}, [0]) == [Arborescence(0, 3, ())]
    assert pack(1, {}, {0: 0}, [0]) == []


def test_only_members_are_roots() -> None:
    with pytest.raises(ValueError, match="root 1 demands 2"):
        pack(2, {(0, 1): 2, (1, 0): 2}, {1: 2}, [0])


def test_trees_are_shallow_where_that_is_free() -> None:
    complete = {(u, v): 3 for u in range(4) for v in range(4) if u != v}
    trees = pack(4, complete, dict.fromkeys(range(4), 3), range(4))
    assert [(tree.root, tree.weight) for tree in trees] == [(root, 3) for root in range(4)]
    assert all(way[0] == tree.root for tree in trees for way in tree.routes)


def test_a_switch_deals_evenly_where_shallow_trees_are_wanted() -> None:
    number, bandwidths, members = a100(1)
    capacities, demands = at_the_optimum(number, bandwidths, dict.fromkeys(members, 1), members)
    trees = pack(number, capacities, demands, members, shallow=True)
    check_packing(trees, capacities, demands, members)
    assert [tree.root for tree in trees] == members
    assert all(way[0] == tree.root for tree in trees for way in tree.routes)


def test_a_deadline_ends_the_packing() -> None:
    calls = count()

    def check() -> None:
        if next(calls) == 30:
            raise TimeoutError

    number, bandwidths, members = a100(2)
    capacities, demands = at_the_optimum(number, bandwidths, dict.fromkeys(members, 1), members)
    with pytest.raises(TimeoutError):
        pack(number, capacities, demands, members, check)
