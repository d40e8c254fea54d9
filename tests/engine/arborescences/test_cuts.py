from fractions import Fraction
from random import Random

import pytest

from benchmarks.boxes import a100, mi250
from steadygrid.engine.arborescences.cuts import least_cut, violated
from tests.draws import draws
from tests.engine.arborescences.checks import (
    least_ratio,
    out_of,
    random_network,
    too_narrow,
    within,
)


@pytest.mark.parametrize("seed", range(draws(8, 4000)))
def test_violated_sets_are_those_that_enumeration_finds(seed: int) -> None:
    random = Random(seed)
    number, capacities, members = random_network(random)
    demands = {member: random.choice((0, 1, 2, 3)) for member in members}
    found = violated(number, capacities, demands, members)
    narrow = too_narrow(number, capacities, demands, members)
    assert set(found) <= set(narrow)
    assert bool(found) == bool(narrow)
    assert len(set(found)) == len(found)


def test_both_sides_of_a_flow_are_found() -> None:
    chain = {(0, 1): 1, (1, 2): 1, (2, 3): 1}
    assert violated(4, chain, {0: 2}, [0, 3]) == [{0}, {0, 1, 2}]
    assert violated(4, chain, {0: 1}, [0, 3]) == []


@pytest.mark.parametrize("seed", range(draws(8, 4000)))
def test_the_least_cut_is_that_of_enumeration(seed: int) -> None:
    random = Random(seed)
    number, capacities, members = random_network(random)
    bandwidths = {arc: Fraction(c, random.randint(1, 4)) for arc, c in capacities.items()}
    data = {member: Fraction(random.randint(0, 3), random.randint(1, 3)) for member in members}
    data[members[0]] += 1
    ratio, inside = least_cut(number, bandwidths, data, members)
    assert ratio == least_ratio(number, bandwidths, data, members)
    assert ratio == out_of(inside, bandwidths) / within(inside, data)
    assert set(members) - inside


def test_nothing_to_move_has_no_cut() -> None:
    with pytest.raises(ValueError, match="nothing has to move"):
        least_cut(2, {(0, 1): 1}, {0: 1}, [0])
    with pytest.raises(ValueError, match="nothing has to move"):
        least_cut(2, {(0, 1): 1}, {0: 0, 1: 0}, [0, 1])


RING = {(0, 1): 1000003, (1, 2): 999983, (2, 0): 7}
BOTH_WAYS = RING | {(v, u): b for (u, v), b in RING.items()}


@pytest.mark.parametrize(
    ("data", "ratio"),
    [((1, 1, 1), 499995), ((Fraction(3, 7), 0, 11), Fraction(999990, 11))],
)
def test_a_ring_with_coprime_bandwidths(data: tuple[Fraction, ...], ratio: Fraction) -> None:
    assert least_cut(3, BOTH_WAYS, dict(enumerate(data)), range(3))[0] == ratio


@pytest.mark.parametrize(
    ("boxes", "ratio"),
    [
        (a100(1), Fraction(300, 7)),
        (a100(2), Fraction(65, 3)),
        (a100(4), Fraction(25, 3)),
        (mi250(1), Fraction(150, 7)),
        (mi250(2), Fraction(166, 15)),
    ],
)
def test_boxes_of_graphics_processors(boxes, ratio: Fraction) -> None:
    number, bandwidths, members = boxes
    assert least_cut(number, bandwidths, dict.fromkeys(members, 1), members)[0] == ratio
