"""How long a period is: the shortest exact one, and numbers that people can read."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import TypeVar

from steadygrid.domain.rounding import magnitude

S = TypeVar("S")
"""What is found for a number."""


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


FINER = {1: ("3/5", "4/5"), 2: ("5/8", "3/4"), 5: ("1/2", "3/5", "4/5")}
"""By first digit, parts of a round number that are round too, above the one before."""


def shortest_round(least: Fraction, suits: Callable[[Fraction], S | None]) -> S:
    """Give what suits first of round numbers, which grow, then of those shortly before it.

    Parameters
    ----------
    least
        The first round number is no less.
    suits
        Gives None for what does not suit; large numbers do.
    """
    for number in round_numbers(least):
        found = suits(number)
        if found is None:
            continue
        for part in FINER[int(number / decade(number))]:
            shorter = number * Fraction(part)
            if shorter >= least and (better := suits(shorter)) is not None:
                return better
        return found
    raise AssertionError("round numbers have no end")
