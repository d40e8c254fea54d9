"""Sums and comparisons of unreduced fractions."""

from fractions import Fraction
from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.verification.exact import (
    add,
    common_denominator,
    equals,
    less_or_equal,
    scaled_ratio,
    show,
    times,
)

RATIONALS = st.fractions(min_value=-100, max_value=100, max_denominator=10**6)
RATIOS = st.tuples(st.integers(-(10**6), 10**6), st.integers(1, 10**6))


@given(st.lists(RATIOS))
def test_a_sum_is_the_sum_of_the_fractions(ratios):
    numerator, denominator = add(ratios)
    assert denominator > 0
    assert Fraction(numerator, denominator) == sum(
        (Fraction(*ratio) for ratio in ratios), Fraction(0)
    )


@given(st.lists(RATIONALS), RATIONALS)
def test_scaling_loses_nothing(values, other):
    common = common_denominator(values)
    for value in (*values, other):
        assert Fraction(*scaled_ratio(value, common)) == value * common


def test_the_common_denominator_of_one_programs_values_is_their_least_one():
    determinant = lcm(*range(1, 400))
    values = [Fraction(k, determinant) for k in range(1, 300)]
    common = common_denominator(values)
    assert common == determinant
    assert all(scaled_ratio(value, common)[1] == 1 for value in values)


def test_the_common_denominator_of_unrelated_values_stays_short():
    values = [Fraction(1, 2**61 + 2 * k + 1) for k in range(3000)]
    common = common_denominator(values)
    assert common.bit_length() < 10_000
    assert Fraction(*scaled_ratio(values[-1], common)) == values[-1] * common


def test_one_value_far_longer_than_the_others_is_left_out():
    values = [Fraction(1, k) for k in range(2, 200)] + [Fraction(1, 3**20000)]
    common = common_denominator(values)
    assert common.bit_length() < 20_000
    assert Fraction(*scaled_ratio(values[-1], common)) == values[-1] * common


@given(RATIOS, RATIOS, RATIONALS)
def test_comparisons_and_products_are_those_of_fractions(one, other, factor):
    assert equals(one, other) == (Fraction(*one) == Fraction(*other))
    assert less_or_equal(one, other) == (Fraction(*one) <= Fraction(*other))
    assert Fraction(*times(factor, one)) == factor * Fraction(*one)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(21, 40), "21/40"),
        ((42, 80), "21/40"),
        (Fraction(10**30 + 1, 3 * 10**30), "about 0.333333333333"),
        (Fraction(10**5000), f"about 2^{(10**5000).bit_length() - 1}"),
    ],
)
def test_a_value_is_written_so_that_a_person_can_read_it(value, text):
    assert show(value) == text
