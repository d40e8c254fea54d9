"""Which sums are possible: what lies between a search's bound and what it found.

A bound in floating point holds only when it is widened by the search's tolerances. But a period
is the time that one resource is used, and so the sum of some of few numbers. Where no such sum
lies between the bound and a value, the value is the least one.
"""

from collections.abc import Collection, Iterable
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import NamedTuple

MOST_SUMS = 20_000
"""Kept at once; beyond them only the common divisor counts."""


class Use(NamedTuple):
    """What may add up to the use of one resource.

    Attributes
    ----------
    groups
        Of each group one number at most is taken, and each number is above 0.
    repeated
        Whether any numbers may be taken, any number of times.
    """

    groups: Collection[Collection[Fraction]]
    repeated: bool = False


def least_possible(uses: Iterable[Use], bound: Fraction, best: Fraction) -> Fraction:
    """Give the least value from `bound` on that a sum may have; at most `best`.

    Parameters
    ----------
    uses
        Of each resource; equal ones need be given only once.
    bound
        No sum that matters is smaller; above 0.
    best
        A sum that is reached.

    Returns
    -------
    Fraction
        Where the sums are too many, the least multiple of the common divisor of the numbers: no
        sum lies below it either.

    Notes
    -----
    O(groups * `MOST_SUMS`) for each use.
    """
    least = best
    for use in uses:
        if least <= bound:
            break
        least = min(least, _least_of(use, bound, least))
    return least


def _least_of(use: Use, bound: Fraction, below: Fraction) -> Fraction:
    """Give the least possible sum in [bound, below); `below` if there is none."""
    groups = [set(group) for group in use.groups if group]
    unit = lcm(*(number.denominator for group in groups for number in group))
    whole = sorted((sorted(int(number * unit) for number in group) for group in groups), key=max)
    low, high = max(0, ceil(bound * unit)), ceil(below * unit)
    total = sum(group[-1] for group in whole)
    if not whole or low >= high or (total < low and not use.repeated):
        return below
    divisor = gcd(*(number for group in whole for number in group))
    multiple = -(-low // divisor) * divisor
    if multiple >= high:
        return below
    if use.repeated:
        return Fraction(multiple, unit)
    sums, rest = {0}, total
    for group in reversed(whole):
        rest -= group[-1]
        sums |= {known + number for known in sums for number in group if known + number < high}
        sums = {known for known in sums if known + rest >= low}
        if len(sums) > MOST_SUMS:
            return Fraction(multiple, unit)
    return Fraction(min(sums), unit) if sums else below
