"""How long a period is: the shortest exact one, and numbers that people can read."""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, gcd, lcm

from steadygrid.domain.rounding import magnitude


def shortest_period(rates: Iterable[Fraction]) -> Fraction:
    """Give the shortest time in which every allocation runs a whole number of instances.

    The least common multiple of the denominators over the greatest common divisor of the
    numerators; 1 if no rate is positive. RR-4870, sections 4 and 6.3.
    """
    positive = [rate for rate in rates if rate]
    if not positive:
        return Fraction(1)
    return Fraction(
        lcm(*(rate.denominator for rate in positive)), gcd(*(rate.numerator for rate in positive))
    )


def round_up(value: Fraction, digits: int) -> Fraction:
    """Give the least number of at most `digits` significant decimal digits that is no smaller.

    Parameters
    ----------
    value
        Any number; 0 is given where it is not above 0.
    digits
        At least 1.
    """
    if value <= 0:
        return Fraction(0)
    unit = decade(value) / Fraction(10 ** (digits - 1))
    return ceil(value / unit) * unit


def decade(value: Fraction) -> Fraction:
    """Give the largest power of ten that a positive value reaches."""
    estimate = magnitude(value) * 30103 // 100_000
    power = Fraction(1, 10 ** (1 - estimate)) if estimate < 1 else Fraction(10 ** (estimate - 1))
    while power * 10 <= value:
        power *= 10
    return power


def round_numbers(least: Fraction) -> Iterable[Fraction]:
    """Go through 1, 2, 5, 10, 20, 50, ... from the first that is at least `least`, for ever."""
    power = decade(least)
    while True:
        for digit in (1, 2, 5):
            if digit * power >= least:
                yield digit * power
        power *= 10
