"""What can be made of what several sources have, and from which two parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

Positions = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Parts:
    """Parts by number: first those of one source each, all together last, and operands before outcomes.

    Attributes
    ----------
    singles
        The source, by position, of each of the first parts.
    splits
        By part, the numbers of the first and of the second operands of which it can be made, in
        two arrays; of the parts of one source none.
    """

    singles: tuple[int, ...]
    splits: Sequence[tuple[Positions, Positions]]

    @property
    def full(self) -> int:
        """The number of all together."""
        return len(self.splits) - 1


@lru_cache(64)
def intervals(order: tuple[int, ...]) -> Parts:
    """Give the parts that are made of neighbours only: sources that follow each other in an order."""
    count = len(order)
    number: dict[tuple[int, int], int] = {}
    for length in range(1, count + 1):
        for first in range(count - length + 1):
            number[first, first + length] = len(number)
    splits = [
        (
            np.array([number[first, middle] for middle in range(first + 1, end)], dtype=np.intp),
            np.array([number[middle, end] for middle in range(first + 1, end)], dtype=np.intp),
        )
        for first, end in number
    ]
    return Parts(order, splits)


@lru_cache(4)
def subsets(count: int) -> Parts:
    """Give all parts of some sources: about ``3**count / 2`` methods to make them of two others."""
    listed = [
        sum(1 << source for source in chosen)
        for size in range(1, count + 1)
        for chosen in combinations(range(count), size)
    ]
    number = np.zeros(1 << count, dtype=np.intp)
    number[listed] = np.arange(len(listed))
    splits = []
    for part in listed:
        first = part & -part
        halves = _subsets_of(part ^ first)[:-1] | first
        splits.append((number[halves], number[part ^ halves]))
    return Parts(tuple(range(count)), splits)


def _subsets_of(part: int) -> Positions:
    """List all sets of bits of a number, itself last."""
    found = np.zeros(1, dtype=np.intp)
    while part:
        bit = part & -part
        found = np.concatenate((found, found | bit))
        part ^= bit
    return found
