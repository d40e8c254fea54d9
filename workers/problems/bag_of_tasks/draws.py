"""The tasks of a stream, drawn with random numbers that every language computes alike."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from math import ceil

from steadygrid.problems.bag_of_tasks.schemas import BagOfTasksInstance
from workers.solving.control import Control

BITS = 64
_OFTEN = 4096
"""Draws between two looks at the clock."""


def random_numbers(seed: int) -> Iterator[int]:
    """Give draws 0, 1, ... of a seed, below ``2**BITS``.

    Draw k is the beginning of SHA-256 of the text ``seed:k``, its first byte the highest.
    """
    begun = hashlib.sha256(f"{seed}:".encode("ascii"))
    k = 0
    while True:
        numbered = begun.copy()
        numbered.update(b"%d" % k)
        yield int.from_bytes(numbered.digest()[: BITS // 8], "big")
        k += 1


def draw_stream(instance: BagOfTasksInstance, seed: int, control: Control) -> list[int]:
    """Draw the class of each task of a stream, by its position among those of all bags.

    A `count` is shuffled first (Fisher and Yates, from the end); then each task takes one draw for its
    class, by the sums of the probabilities in their order.

    Raises
    ------
    Cancelled, OutOfTime
        If the time is over.
    """
    stream = instance.stream
    assert stream is not None
    draws = random_numbers(seed)
    if stream.order is not None:
        position = {bag.id: k for k, bag in enumerate(instance.bags)}
        bags = [position[name] for name in stream.order]
    else:
        assert stream.count is not None
        bags = [
            k
            for k, bag in enumerate(instance.bags)
            for _ in range(int(stream.count * bag.priority))
        ]
        for i in range(len(bags) - 1, 0, -1):
            j = next(draws) * (i + 1) >> BITS
            bags[i], bags[j] = bags[j], bags[i]
            if not i % _OFTEN:
                control.check()
    borders = _borders(instance)
    classes = []
    for n, k in enumerate(bags):
        first, sums = borders[k]
        classes.append(first + bisect_right(sums, next(draws)))
        if not n % _OFTEN:
            control.check()
    return classes


def _borders(instance: BagOfTasksInstance) -> list[tuple[int, list[int]]]:
    """Give the first class of each bag, and the least draws that are beyond each of its classes."""
    found, first = [], 0
    for bag in instance.bags:
        parts = [one.probability for one in bag.distribution]
        sums = accumulate(parts, initial=Fraction(0))
        found.append((first, [ceil(total * 2**BITS) for total in list(sums)[1:-1]]))
        first += len(parts)
    return found
