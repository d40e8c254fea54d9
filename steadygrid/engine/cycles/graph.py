"""Graphs whose edges have a time and a height."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Whole = npt.NDArray[Any]
"""Whole numbers: int64, or Python's integers (dtype object) where these may be too large."""

ROOM = 2**61
"""Sums below this are kept in int64, with room to add two of them."""


class Graph(NamedTuple):
    """A directed graph; edges may be parallel, and lead back to where they start.

    Attributes
    ----------
    nodes
        How many; they are ``0 .. nodes-1``.
    sources, targets
        Of each edge.
    times
        Of each edge: whole, not negative, of any size. In units of the caller's.
    heights
        Of each edge: whole, of any sign and size. Their sum over a cycle is how far it advances.
    """

    nodes: int
    sources: Integers
    targets: Integers
    times: Sequence[int] | Whole
    heights: Sequence[int] | Whole


def whole(values: Sequence[int] | Whole) -> Whole:
    """Give an array of int64, or of Python's integers if one does not fit."""
    if isinstance(values, np.ndarray) and values.dtype == np.int64:
        return values
    numbers = [int(value) for value in values]
    try:
        return np.array(numbers, dtype=np.int64)
    except OverflowError:
        return np.array(numbers, dtype=object)


def largest(values: Whole) -> int:
    """Give the largest absolute value; 0 for none."""
    return max(abs(int(values.max())), abs(int(values.min()))) if len(values) else 0


def fitting(values: Whole, fits: bool) -> Whole:
    """Give the same numbers as int64 if they fit, else as Python's integers.

    Parameters
    ----------
    values
        Whole numbers, of either type.
    fits
        Whether they, and what is computed of them, fit into 64 bits.
    """
    return values.astype(np.int64 if fits else object, copy=False)
