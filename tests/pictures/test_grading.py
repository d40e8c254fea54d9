"""Amounts in a few classes: every amount in one, alike ones together."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from steadygrid.pictures.grading import Class, classes_of, place_in

F = Fraction


@pytest.mark.parametrize(
    ("amounts", "ends"),
    [
        ([], []),
        ([5, 5], [(5, 5)]),
        ([1, 2, 3, 4], [(1, 1), (2, 2), (3, 3), (4, 4)]),
        ([1, 2, 100, 101, 102], [(1, 1), (2, 2), (100, 100), (101, 102)]),
        ([10, 11, 12, 1000, 1001, 10**6], [(10, 10), (11, 12), (1000, 1001), (10**6, 10**6)]),
    ],
)
def test_classes_are_cut_where_amounts_differ_most(
    amounts: list[int], ends: list[tuple[int, int]]
) -> None:
    expected = [Class(F(least), F(greatest)) for least, greatest in ends]
    assert classes_of(map(F, amounts), 4) == expected


def test_a_long_range_is_cut_evenly_by_ratio() -> None:
    ratios = [one.greatest / one.least for one in classes_of(map(F, range(1, 1001)), 4)]
    assert len(ratios) == 4
    assert max(ratios) < 20


def test_every_amount_is_in_one_class() -> None:
    random = Random(1)
    for _ in range(50):
        amounts = [F(random.randint(1, 60), random.randint(1, 9)) for _ in range(20)]
        classes = classes_of(amounts, 4)
        assert 1 < len(classes) <= 4
        assert all(before.greatest < after.least for before, after in pairwise(classes))
        for amount in amounts:
            chosen = classes[place_in(classes, amount)]
            assert chosen.least <= amount <= chosen.greatest
