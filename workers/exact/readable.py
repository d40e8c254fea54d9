"""Numbers that programs can read: what is longer is rounded, to the safe side.

Rates that are rounded down stay feasible, and prices that are rounded up prove a bound that is no
less true; what is lost is below any double.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from steadygrid.domain.rounding import ROUNDED, ROUNDED_BITS, num_bits, rounded_up

__all__ = ["READABLE_BITS", "ROUNDED", "ROUNDED_BITS", "rounded_prices", "too_long"]

READABLE_BITS = 14_000
"""Numbers of up to so many bits have less than 4,300 digits, what clients can read."""


def too_long(numbers: Iterable[Fraction], most_bits: int = READABLE_BITS) -> bool:
    """Tell whether some number has more bits."""
    return any(num_bits(number) > most_bits for number in numbers)


def rounded_prices(prices: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Round prices up."""
    return {name: rounded_up(price, ROUNDED_BITS) for name, price in prices.items()}
