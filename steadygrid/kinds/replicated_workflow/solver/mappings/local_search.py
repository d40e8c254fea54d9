"""Moves, exchanges, new orders, more copies and fewer, as long as the period falls."""

from collections.abc import Iterator
from fractions import Fraction
from heapq import nsmallest
from itertools import combinations
from math import inf
from random import Random

from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space, Tuples

KICKS = 40
"""Fresh starts from the best mapping after random changes."""
CHANGES = 3
"""Random changes of a fresh start."""
MOST_TRIED = 50
"""Neighbours that are drawn for a random change."""
SHORTER = 1 - 1e-12
"""What is longer by less than roundings is not looked at."""
MOST_EVALUATED = 12
"""Neighbours of which the period is found, those of the shortest longest mean times."""


def local_search(space: Space, start: Tuples, seed: int, kicks: int = KICKS) -> Iterator[Tuples]:
    """Give better and better mappings; the first is the best around the one to start with.

    More copies are not always better, since a turn waits for the slowest; so copies are dropped,
    too. The period decides, and where it cannot fall, the longest mean time of a resource does not
    matter.

    Parameters
    ----------
    seed
        Of the random changes: the same seed, the same mappings.
    """
    random = Random(seed)
    best, period = _descended(space, start)
    yield best
    for _ in range(kicks):
        space.heartbeat()
        mapping = best
        for _ in range(CHANGES):
            mapping = _changed(space, mapping, random)
        if space.period(mapping) is None:
            continue
        found, one = _descended(space, mapping)
        if one < period:
            best, period = found, one
            yield best


def _changed(space: Space, mapping: Tuples, random: Random) -> Tuples:
    """Give some neighbour that can run; the mapping itself if none of some dozens can."""
    near = [*neighbours(space, mapping)]
    for one in random.sample(near, min(MOST_TRIED, len(near))):
        if space.fits(one) and space.rough(one) < inf:
            return one
    return mapping


def _descended(space: Space, mapping: Tuples) -> tuple[Tuples, Fraction]:
    """Change a mapping for the better until no change is one."""
    period = space.period(mapping)
    assert period is not None
    while True:
        near: list[tuple[float, Tuples]] = []
        limit = float(period) * SHORTER
        for one in neighbours(space, mapping):
            space.heartbeat()
            longest = space.rough(one)
            if longest < limit and space.fits(one):
                near.append((longest, one))
        for _, one in nsmallest(MOST_EVALUATED, near):
            value = space.period(one)
            if value is not None and value < period:
                mapping, period = one, value
                break
        else:
            return mapping, period


def neighbours(space: Space, mapping: Tuples) -> Iterator[Tuples]:
    """Give all mappings that are one change away, whether their links are there or not.

    Parameters
    ----------
    space
        The mappings of an instance.
    mapping
        By stage, its processors in turn, by position.
    """
    free = [*space.free(mapping)]
    for k, processors in enumerate(mapping):
        able = [p for p in free if p in space.times[k]]

        def at(changed: tuple[int, ...], k: int = k) -> Tuples:
            return (*mapping[:k], changed, *mapping[k + 1 :])

        for j in range(len(processors)):
            for p in able:
                yield at((*processors[:j], p, *processors[j + 1 :]))
            if len(processors) > 1:
                yield at((*processors[:j], *processors[j + 1 :]))
        if len(processors) < space.most[k]:
            for j in range(len(processors) + 1):
                for p in able:
                    yield at((*processors[:j], p, *processors[j:]))
    places = [(k, j) for k, processors in enumerate(mapping) for j in range(len(processors))]
    for (k, j), (l, i) in combinations(places, 2):
        p, q = mapping[k][j], mapping[l][i]
        if q in space.times[k] and p in space.times[l] and space.kinds[p] != space.kinds[q]:
            changed = [list(processors) for processors in mapping]
            changed[k][j], changed[l][i] = q, p
            yield tuple(map(tuple, changed))
