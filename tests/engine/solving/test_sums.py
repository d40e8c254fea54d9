"""Sums between a bound and a value, against trying all of them."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from steadygrid.engine.solving import subset_sums
from steadygrid.engine.solving.subset_sums import Use, least_possible

F = Fraction


def all_sums(use: Use) -> set[Fraction]:
    return {sum(chosen, F(0)) for chosen in product(*((F(0), *group) for group in use.groups))}


def drawn_use(random: Random) -> Use:
    return Use(
        [
            {
                F(random.randint(1, 30), random.choice((1, 2, 3)))
                for _ in range(random.randint(0, 2))
            }
            for _ in range(random.randint(0, 6))
        ]
    )


MOST = subset_sums.MOST_SUMS


@pytest.mark.parametrize("most", [1, 4, MOST])
def test_no_possible_sum_is_left_out(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subset_sums, "MOST_SUMS", most)
    for seed in range(500):
        random = Random(seed)
        uses = [drawn_use(random) for _ in range(random.randint(1, 3))]
        best = F(random.randint(1, 80), random.choice((1, 2, 3)))
        bound = max(F(1, 7), best - F(random.randint(0, 20), 7))
        possible = [s for use in uses for s in all_sums(use) if s >= bound]
        right = min([best, *possible])
        found = least_possible(uses, bound, best)
        assert bound <= found <= right
        if most == MOST:
            assert found == right


def test_what_is_taken_often_is_a_multiple_of_the_common_divisor() -> None:
    use = Use([{F(1, 2), F(3, 4)}], repeated=True)
    assert least_possible([use], F(99, 10), F(11)) == 10
    assert least_possible([use], F(99, 10), F(10)) == 10
    assert least_possible([use], F(10), F(11)) == 10


def test_a_sum_that_is_too_small_for_the_bound_does_not_matter() -> None:
    assert least_possible([Use([{F(1, 10**12)}] * 40)], F(1), F(2)) == 2
    assert least_possible([Use([])], F(1), F(2)) == 2
    assert least_possible([], F(1), F(2)) == 2
    assert least_possible([Use([{F(1)}])], F(3), F(2)) == 2
