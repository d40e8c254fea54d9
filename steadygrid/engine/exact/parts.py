"""Short exact parts of a whole from approximate ones."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

K = TypeVar("K")

DIGITS = 17
"""Decimal digits of a part that came from floating point."""


def rounded_parts(near: Mapping[K, float | Fraction], digits: int = DIGITS) -> dict[K, Fraction]:
    """Give parts of so many decimal digits, at least 0, that sum to 1: the largest takes the rest.

    Parameters
    ----------
    near
        As good as they may be, at least one. Where none is above 0, the first is all. Those that
        are rounded to 0 are left out.

    >>> rounded_parts({"a": 1 / 3, "b": 2 / 3, "c": -1e-20}, 2)
    {'a': Fraction(33, 100), 'b': Fraction(67, 100)}
    """
    unit = 10**digits
    parts = {
        place: min(max(Fraction(part), Fraction(0)), Fraction(1)) for place, part in near.items()
    }
    total = sum(parts.values(), Fraction(0)) or Fraction(1)
    units = {place: round(part / total * unit) for place, part in parts.items()}
    largest = max(units, key=lambda place: units[place])
    units[largest] += unit - sum(units.values())
    return {place: Fraction(count, unit) for place, count in units.items() if count}
