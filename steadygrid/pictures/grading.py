"""Sorting amounts into a few classes where they differ most."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple


class Class(NamedTuple):
    """Amounts from `least` to `greatest`, both among those that were sorted."""

    least: Fraction
    greatest: Fraction


def classes_of(amounts: Iterable[Fraction], most: int) -> list[Class]:
    """Sort positive amounts into at most `most` classes of amounts that are alike.

    The class whose greatest amount is the greatest multiple of its least one is cut, where its
    halves are most alike, until there are enough.

    Parameters
    ----------
    amounts
        Above 0.
    most
        At least 1.

    Returns
    -------
    list
        From the least amounts on. Every amount is in one class.
    """
    ranked = sorted(set(amounts))
    found = [(0, len(ranked) - 1)] if ranked else []

    def ratio(first: int, last: int) -> Fraction:
        return ranked[last] / ranked[first]

    while len(found) < min(most, len(ranked)):
        widest = max(range(len(found)), key=lambda i: (ratio(*found[i]), -i))
        first, last = found[widest]
        cut = min(range(first, last), key=lambda i: max(ratio(first, i), ratio(i + 1, last)))
        found[widest : widest + 1] = [(first, cut), (cut + 1, last)]
    return [Class(ranked[first], ranked[last]) for first, last in found]


def place_in(classes: list[Class], amount: Fraction) -> int:
    """Give the position of the class that an amount is in.

    Parameters
    ----------
    classes
        From the least amounts on.
    amount
        One of those that were sorted.
    """
    return next(i for i, one in enumerate(classes) if amount <= one.greatest)
