"""Conditions on all data sets, checked by residues, against going through the data sets."""

from fractions import Fraction
from math import lcm
from random import Random

import pytest

from steadygrid.verification.cycles import (
    Step,
    breach,
    by_modulus,
    closes,
    longest_stay,
    mean_stay,
    meeting,
    open_step,
)
from tests.draws import draws


@pytest.mark.parametrize("seed", range(draws(30, 2000)))
def test_a_breach_is_the_first_worst_of_all_data_sets(seed: int) -> None:
    random = Random(seed)
    one, other = random.randint(1, 6), random.randint(1, 6)
    ends = [random.randint(0, 5) for _ in range(one)]
    starts = [random.randint(2, 7) for _ in range(other)]
    shift, period = random.randint(0, 4), Fraction(random.randint(0, 3), 2)
    lacking = [
        ends[n % one] - starts[(n + shift) % other] - shift * period for n in range(lcm(one, other))
    ]
    found = breach(ends, starts, shift, shift * period)
    if max(lacking) <= 0:
        assert found is None
    else:
        assert found is not None
        assert found.lacking == max(lacking)
        assert lacking[found.data_set] == max(lacking)


def test_residues_meet_at_their_least_common_number() -> None:
    for one in range(1, 9):
        for other in range(1, 9):
            for n in range(lcm(one, other)):
                assert meeting(n % one, one, n % other, other) == n


@pytest.mark.parametrize("seed", range(draws(15, 500)))
def test_stays_are_those_of_all_data_sets(seed: int) -> None:
    random = Random(seed)

    def tables() -> list[list[int]]:
        return [
            [random.randint(0, 9) for _ in range(random.choice((1, 2, 3, 4, 6)))]
            for _ in range(random.randint(1, 4))
        ]

    ends, starts = tables(), tables()
    stays = [
        max(table[n % len(table)] for table in ends)
        - min(table[n % len(table)] for table in starts)
        for n in range(12)
    ]
    last, first = by_modulus(ends, max), by_modulus(starts, min)
    assert longest_stay(last, first) == max(stays)
    assert mean_stay(last, first) == Fraction(sum(stays), 12)


def test_a_walk_waits_step_by_step_and_closes_at_the_same_places() -> None:
    waits = {(0, 1): {0}, (1, 0): {2}}
    walk = [Step(0, 0), Step(1, 0), Step(0, 2), Step(1, 2)]
    assert open_step(walk, 4, waits) is None
    assert open_step(walk, 2, waits) == 0
    assert open_step([Step(0, 0), Step(1, 1)], 3, waits) == 1
    assert open_step([Step(1, 0), Step(1, 0)], 3, waits) == 0
    assert closes(walk, 4, [2, 4])
    assert not closes(walk, 2, [2, 4])
    assert not closes(walk, 0, [2, 4])
