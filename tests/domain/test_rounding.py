"""Exact numbers made shorter, to the safe side."""

import doctest
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain import amounts, rounding
from steadygrid.domain.amounts import Amounts
from steadygrid.domain.rounding import (
    leading_bits,
    magnitude,
    num_bits,
    power_near,
    rounded_down,
    rounded_up,
)

values = st.fractions() | st.builds(
    lambda number, power: number * Fraction(2) ** power, st.fractions(), st.integers(-900, 900)
)


@pytest.mark.parametrize("module", [amounts, rounding])
def test_the_examples_in_the_docstrings_are_true(module):
    failed, attempted = doctest.testmod(module)
    assert attempted
    assert not failed


@given(values, st.integers(0, 80))
def test_a_rounded_value_is_the_nearest_multiple_on_its_side(value, bits):
    unit = Fraction(1, 2**bits)
    below, above = rounded_down(value, bits), rounded_up(value, bits)
    assert below <= value < below + unit
    assert above - unit < value <= above
    assert (below / unit).denominator == (above / unit).denominator == 1


@given(values.filter(bool))
def test_the_power_near_a_value_is_within_a_factor_of_two(value):
    assert power_near(value) == Fraction(2) ** magnitude(value)
    assert Fraction(1, 2) < abs(value) / power_near(value) < 2


def test_nothing_has_no_magnitude():
    assert magnitude(0) == 0
    assert leading_bits(Fraction(0), 53) == 0


@given(values.filter(lambda value: value > 0), st.integers(1, 80))
def test_leading_bits_lose_less_than_the_last_of_them(value, bits):
    short = leading_bits(value, bits)
    assert 0 <= value - short < 2 * value / 2**bits
    assert num_bits(short / power_near(short)) <= bits + 2


@given(st.lists(st.tuples(st.sampled_from("abc"), st.fractions())))
def test_amounts_of_a_name_add_up_and_reading_adds_none(entries):
    totals: Amounts[str] = Amounts()
    for name, amount in entries:
        totals[name] += amount
    assert totals == {
        name: sum((amount for other, amount in entries if other == name), Fraction(0))
        for name in {name for name, _ in entries}
    }
    known = dict(totals)
    assert totals["d"] == 0
    assert totals == known
