"""Numbers that no program could read are rounded, to the safe side."""

from fractions import Fraction

from steadygrid.domain.rational import MAX_ANSWER_DIGITS
from workers.exact.readable import READABLE_BITS, ROUNDED_BITS, rounded_prices, too_long


def test_numbers_that_are_not_too_long_can_be_read_by_clients():
    longest = 2**READABLE_BITS - 1
    assert not too_long([Fraction(1), Fraction(1, longest)])
    assert len(str(longest)) <= MAX_ANSWER_DIGITS
    assert too_long([Fraction(1), Fraction(1, longest + 1)])
    assert too_long([Fraction(8)], 3)


def test_rounded_prices_are_no_lower_and_short():
    price = Fraction(1, 3**9000)
    (rounded,) = rounded_prices({"P1.compute": price}).values()
    assert price < rounded <= price + Fraction(1, 2**ROUNDED_BITS)
    assert not too_long([rounded])
