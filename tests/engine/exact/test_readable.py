"""Numbers that no program could read are rounded, to the safe side."""

from fractions import Fraction

from steadygrid.domain.rational import MAX_ANSWER_DIGITS
from steadygrid.domain.rounding import READABLE_BITS
from steadygrid.engine.exact.safe_rounding import (
    ROUNDED_BITS,
    STATED_BITS,
    rounded_prices,
    too_long,
)


def test_numbers_that_are_not_too_long_can_be_read_by_clients():
    longest = 2**READABLE_BITS - 1
    assert not too_long([Fraction(1), Fraction(1, longest)], READABLE_BITS)
    assert len(str(longest)) <= MAX_ANSWER_DIGITS
    assert too_long([Fraction(1), Fraction(1, longest + 1)], READABLE_BITS)
    assert too_long([Fraction(8)], 3)


def test_what_two_stated_numbers_make_can_be_read_too():
    value, bound = Fraction(2**STATED_BITS - 1, 3), Fraction(7, 2**STATED_BITS - 3)
    assert not too_long([value, bound])
    for made in (value / bound, abs(bound - value) / bound, 1 - value / bound):
        assert len(str(max(abs(made.numerator), made.denominator))) <= MAX_ANSWER_DIGITS


def test_rounded_prices_are_no_lower_and_short():
    price = Fraction(1, 3**9000)
    (rounded,) = rounded_prices({"P1.compute": price}).values()
    assert price < rounded <= price + Fraction(1, 2**ROUNDED_BITS)
    assert not too_long([rounded])
