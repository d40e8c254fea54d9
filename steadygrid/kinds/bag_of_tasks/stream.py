"""The tasks of a stream, as the referee draws them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple

from steadygrid.kinds.bag_of_tasks.referee_star import TaskKind
from steadygrid.kinds.bag_of_tasks.runs import TaskStream
from steadygrid.kinds.bag_of_tasks.schemas import Bag, UniformTasks

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
    """Give the bag of each task: as listed, or so many of each, shuffled from the last place on.

    Parameters
    ----------
    stream
        With a count, or an order of bags.
    bags
        All of the instance, in order.
    numbers
        Random numbers; as many are drawn as the shuffling takes.
    """
    if stream.order is not None:
        return list(stream.order)
    each = Fraction(0 if stream.count is None else stream.count)
    names = [bag.id for bag in bags for _ in range(round(each * bag.priority))]
    for last in reversed(range(1, len(names))):
        other = (last + 1) * numbers.next() // _RANGE
        names[last], names[other] = names[other], names[last]
    return names


class StreamTasks(NamedTuple):
    """Kinds of tasks with their names, and the kind of each task of a stream by its position."""

    names: Sequence[str]
    kinds: Sequence[TaskKind]
    tasks: Sequence[int]


def read_stream(
    stream: TaskStream, bags: Sequence[Bag], classes: Mapping[str, TaskKind], seed: int
) -> StreamTasks:
    """Draw the tasks of a stream.

    A task of classes is of the first of its bag up to which the probabilities exceed one draw. A
    uniform one takes two, a and b. Its size is the part a of the distance from the least size to
    the greatest. Its work is a part of the distance from the least work to the greatest: a and b,
    weighed by the correlation.

    Parameters
    ----------
    classes
        Of all bags, bag by bag.
    """
    numbers = Drawn(seed)
    order = bags_in_order(stream, bags, numbers)
    names, kinds = list(classes), list(classes.values())
    upto: dict[str, list[tuple[int, int, int]]] = {}
    sums: dict[str, Fraction] = {}
    for position, kind in enumerate(kinds):
        sums[kind.bag] = total = sums.get(kind.bag, Fraction(0)) + kind.probability
        upto.setdefault(kind.bag, []).append(
            (total.numerator * _RANGE, total.denominator, position)
        )
    uniform = {bag.id: bag.uniform for bag in bags if bag.uniform is not None}
    tasks = []
    for name in order:
        if name in uniform:
            tasks.append(len(kinds))
            names.append(name)
            kinds.append(_uniform_task(name, uniform[name], numbers))
        else:
            tasks.append(_first_beyond(upto[name], numbers.next()))
    return StreamTasks(names, kinds, tasks)


def _uniform_task(bag: str, given: UniformTasks, numbers: Drawn) -> TaskKind:
    a, b = Fraction(numbers.next(), _RANGE), Fraction(numbers.next(), _RANGE)
    phi, (least, greatest), (light, heavy) = given.correlation, given.input_size, given.work
    size = least + a * (greatest - least)
    work = light + (phi * a + (1 - phi) * b) * (heavy - light)
    return TaskKind(bag, -1, Fraction(0), size, work, Fraction(0))


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
