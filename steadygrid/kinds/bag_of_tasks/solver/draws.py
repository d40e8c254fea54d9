"""The tasks of a stream, drawn with random numbers that every language computes alike."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, lcm
from typing import NamedTuple

from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksInstance, UniformTasks

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


class Kind(NamedTuple):
    """Tasks that are all alike, or one alone."""

    name: str
    """Of the class. The bag where its tasks are uniform."""
    bag: str
    input_size: Fraction
    work: Fraction


class Drawn(NamedTuple):
    """The tasks of a stream, each by the position of its kind."""

    kinds: Sequence[Kind]
    tasks: Sequence[int]


def draw_stream(instance: BagOfTasksInstance, seed: int, control: Control) -> Drawn:
    """Draw the tasks of a stream.

    A `count` is shuffled first (Fisher and Yates, from the end). Then each task takes one draw for its
    class, by the sums of the probabilities in their order; or, where they are uniform, one for a and
    one for b, see `UniformTasks`.

    Parameters
    ----------
    instance
        Without faults.
    seed
        Of the random numbers.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        If the time is over.
    """
    draws = random_numbers(seed)
    bags = _bags(instance, draws, control)
    kinds = [Kind(one.name, one.bag, one.input_size, one.work) for one in instance.classes]
    borders = _borders(instance)
    uniform = [
        None if bag.uniform is None else _Uniform.from_tasks(bag.id, bag.uniform)
        for bag in instance.bags
    ]
    tasks = []
    for n, k in enumerate(bags):
        if not n % _OFTEN:
            control.check()
        if (law := uniform[k]) is not None:
            tasks.append(len(kinds))
            kinds.append(law.kind(next(draws), next(draws)))
        else:
            first, sums = borders[k]
            tasks.append(first + bisect_right(sums, next(draws)))
    return Drawn(kinds, tasks)


def _bags(instance: BagOfTasksInstance, draws: Iterator[int], control: Control) -> list[int]:
    """Give the bag of each task, by its position."""
    stream = instance.stream
    assert stream is not None
    if stream.order is not None:
        position = {bag.id: k for k, bag in enumerate(instance.bags)}
        return [position[name] for name in stream.order]
    assert stream.count is not None
    bags = [
        k for k, bag in enumerate(instance.bags) for _ in range(int(stream.count * bag.priority))
    ]
    for i in range(len(bags) - 1, 0, -1):
        j = next(draws) * (i + 1) >> BITS
        bags[i], bags[j] = bags[j], bags[i]
        if not i % _OFTEN:
            control.check()
    return bags


def _borders(instance: BagOfTasksInstance) -> list[tuple[int, list[int]]]:
    """Give the first class of each bag, and the least draws that are beyond each of its classes."""
    found, first = [], 0
    for bag in instance.bags:
        parts = [one.probability for one in bag.distribution]
        sums = accumulate(parts, initial=Fraction(0))
        found.append((first, [ceil(total * 2**BITS) for total in list(sums)[1:-1]]))
        first += len(parts)
    return found


class _Uniform(NamedTuple):
    """Sizes and works of a bag as whole numbers of draws, over common denominators."""

    bag: str
    size: tuple[int, int, int]
    """At no draw, per draw, and the denominator."""
    work: tuple[int, int, int, int]
    """The same, per draw of a and per draw of b."""

    @classmethod
    def from_tasks(cls, bag: str, given: UniformTasks) -> "_Uniform":
        (least, greatest), (light, heavy) = given.input_size, given.work
        size = _over_draws(least, greatest - least)
        by_size = given.correlation * (heavy - light)
        work = _over_draws(light, by_size, heavy - light - by_size)
        return cls(bag, (size[0], size[1], size[2]), (work[0], work[1], work[2], work[3]))

    def kind(self, a: int, b: int) -> Kind:
        """Make the task of two draws."""
        least, per_size, unit_size = self.size
        light, by_size, alone, unit_work = self.work
        return Kind(
            self.bag,
            self.bag,
            Fraction(least + a * per_size, unit_size),
            Fraction(light + a * by_size + b * alone, unit_work),
        )


def _over_draws(base: Fraction, *rates: Fraction) -> tuple[int, ...]:
    """Scale a value at no draw, and the part of each draw in ``2**BITS``, to whole numbers."""
    unit = lcm(base.denominator, *(rate.denominator for rate in rates))
    parts = [rate.numerator * (unit // rate.denominator) for rate in rates]
    return (base.numerator * (unit // base.denominator) << BITS, *parts, unit << BITS)
