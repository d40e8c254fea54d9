"""The tasks of a stream, as the referee draws them."""

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256

from steadygrid.problems.bag_of_tasks.runs import TaskStream
from steadygrid.problems.bag_of_tasks.schemas import Bag

_RANGE = 1 << 64


class Drawn:
    """Random numbers of a seed, one after the other: SHA-256 of ``seed:k``, its first 8 bytes."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._number = -1

    def next(self) -> int:
        """Give the next one, below 2^64."""
        self._number += 1
        digest = sha256(f"{self._seed}:{self._number}".encode()).digest()
        return int(digest[:8].hex(), 16)


def bags_in_order(stream: TaskStream, bags: Sequence[Bag], numbers: Drawn) -> list[str]:
    """Give the bag of each task: as listed, or so many of each, shuffled from the last place on."""
    if stream.order is not None:
        return list(stream.order)
    each = Fraction(stream.count or 0)
    names = [bag.id for bag in bags for _ in range(round(each * bag.priority))]
    for last in reversed(range(1, len(names))):
        other = (last + 1) * numbers.next() // _RANGE
        names[last], names[other] = names[other], names[last]
    return names


def read_stream(
    stream: TaskStream,
    bags: Sequence[Bag],
    classes: Sequence[tuple[str, Fraction]],
    seed: int,
) -> list[int]:
    """Draw the class of each task: the first of its bag up to which the probabilities exceed a draw.

    Parameters
    ----------
    classes
        Of all bags, bag by bag: the bag, and the probability of the class there.
    """
    numbers = Drawn(seed)
    names = bags_in_order(stream, bags, numbers)
    upto: dict[str, list[tuple[int, int, int]]] = {}
    sums: dict[str, Fraction] = {}
    for position, (bag, probability) in enumerate(classes):
        sums[bag] = total = sums.get(bag, Fraction(0)) + probability
        upto.setdefault(bag, []).append((total.numerator * _RANGE, total.denominator, position))
    found = []
    for name in names:
        drawn = numbers.next()
        found.append(_first_beyond(upto[name], drawn))
    return found


def _first_beyond(sums: Sequence[tuple[int, int, int]], drawn: int) -> int:
    """Halve the list until the first sum above what was drawn is left."""
    low, high = 0, len(sums) - 1
    while low < high:
        middle = (low + high) // 2
        numerator, denominator, _ = sums[middle]
        if drawn * denominator < numerator:
            high = middle
        else:
            low = middle + 1
    return sums[low][2]
