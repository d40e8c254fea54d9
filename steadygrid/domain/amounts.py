"""Amounts that are added up by name."""

from fractions import Fraction
from typing import TypeVar

K = TypeVar("K")

_NOTHING = Fraction(0)


class Amounts(dict[K, Fraction]):
    """A dictionary of exact amounts, 0 of what is not in it.

    Reading an amount adds no entry, and `get` and ``in`` tell what there is.

    Examples
    --------
    >>> busy: Amounts[str] = Amounts()
    >>> busy["P1.compute"] += Fraction(1, 3)
    >>> busy["P1.compute"] += Fraction(1, 6)
    >>> busy == {"P1.compute": Fraction(1, 2)}, busy["P2.compute"]
    (True, Fraction(0, 1))
    """

    def __missing__(self, name: K) -> Fraction:
        """Give 0."""
        return _NOTHING
