"""Numbers that programs can read: what is longer is rounded, to the safe side.

Rates that are rounded down stay feasible, and prices that are rounded up prove a bound that is no
less true. What is lost is below any double.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from steadygrid.domain.rounding import (
    READABLE_BITS,
    ROUNDED,
    ROUNDED_BITS,
    num_bits,
    rounded_up,
)

__all__ = ["ROUNDED", "ROUNDED_BITS", "STATED_BITS", "rounded_prices", "too_long"]

STATED_BITS = READABLE_BITS // 2
"""Of a value, a bound, a rate or a price, so that the gap, or the loss, of two can be read as well."""


def too_long(numbers: Iterable[Fraction], most_bits: int = STATED_BITS) -> bool:
    """Tell whether some number has more bits.

    Parameters
    ----------
    numbers
        Fractions of any size.
    most_bits
        Bits that a number may have, as `num_bits` counts them.
    """
    return any(num_bits(number) > most_bits for number in numbers)


def rounded_prices(prices: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Round prices up."""
    return {name: rounded_up(price, ROUNDED_BITS) for name, price in prices.items()}
