"""How many mappings there are, and whether each stage can have a processor of its own."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from math import prod
from typing import NamedTuple

MOST_PAIRS = 100_000
"""Of a stage and a processor. Where more of them matter, nothing is found out beforehand."""
MANY = 10**15
"""Stands for any larger number of mappings."""


def without_room(able: Sequence[AbstractSet[str]]) -> list[int]:
    """Find stages that have fewer processors among them than they are. None where all have room.

    Parameters
    ----------
    able
        For each stage, the processors that can run it.

    Notes
    -----
    A stage that has as many processors as there are stages finds one in the end, so it is left out,
    again and again. The others are matched by augmenting paths. Where one finds none, the stages that
    its search has met are too many (Hall).
    """
    left = list(range(len(able)))
    while True:
        kept = [k for k in left if len(able[k]) < len(left)]
        if len(kept) == len(left):
            break
        left = kept
    if sum(len(able[k]) for k in left) > MOST_PAIRS:
        return []
    matched = _Matched({}, {})
    for root in left:
        met = _augment(able, matched, root)
        if met:
            return sorted(met)
    return []


class _Matched(NamedTuple):
    stage_on: dict[str, int]
    place_of: dict[int, str]


def _augment(able: Sequence[AbstractSet[str]], matched: _Matched, root: int) -> list[int]:
    """Find a processor for one more stage; else give all stages that prevent it."""
    met = [root]
    found_by: dict[str, int] = {}
    for stage in met:
        for processor in sorted(able[stage] - found_by.keys()):
            found_by[processor] = stage
            other = matched.stage_on.get(processor)
            if other is not None:
                met.append(other)
                continue
            free: str | None = processor
            while free is not None:
                taker = found_by[free]
                matched.stage_on[free] = taker
                left = matched.place_of.get(taker)
                matched.place_of[taker] = free
                free = left
            return []
    return met


def num_mappings(able: Sequence[int], most: Sequence[int | None], processors: int) -> int:
    """Count the mappings with all orders of their processors, from above; `MANY` stands for more.

    Parameters
    ----------
    able
        For each stage, how many processors can run it.
    most
        How many it may have. None: any number.
    processors
        How many there are that can run any.
    """
    caps = [n if c is None else min(n, c) for n, c in zip(able, most, strict=True)]
    apart = 1
    for n, cap in zip(able, caps, strict=True):
        apart = min(MANY, apart * _tuples(n, cap))
    return min(apart, _shared_out(caps, processors))


def _tuples(n: int, most: int) -> int:
    """Count the ordered selections of 1 to `most` of n."""
    total, count = 0, 1
    for r in range(most):
        count *= n - r
        total += count
        if total >= MANY:
            return MANY
    return total


def _shared_out(caps: Sequence[int], processors: int) -> int:
    """Count the methods to share out processors that can all run everything, in every order."""
    stages = len(caps)
    orders = [1]
    while len(orders) <= processors and orders[-1] < MANY:
        orders.append(orders[-1] * (processors - len(orders) + 1))
    if len(orders) <= stages:
        return MANY
    counts = [1] + [0] * (len(orders) - 1)
    for cap in caps:
        counts = [sum(counts[max(0, total - cap) : total]) for total in range(len(counts))]
    return min(MANY, sum(map(prod, zip(orders, counts, strict=True))))
