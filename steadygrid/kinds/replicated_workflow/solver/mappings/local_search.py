"""Moves, exchanges, new orders, more copies and fewer, as long as the period falls."""

from collections.abc import Iterator
from fractions import Fraction
from heapq import nsmallest
from itertools import combinations
from math import inf
from random import Random

from steadygrid.kinds.replicated_workflow.solver.mappings.greedy import may_be_better, tied
from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space, Tuples

KICKS = 40
"""Fresh starts from the best mapping after random changes."""
CHANGES = 3
"""Random changes of a fresh start."""
MOST_TRIED = 50
"""Neighbours that are drawn for a random change."""
MOST_EVALUATED = 12
"""Neighbours of which the period is found, those of the shortest mean times."""


def local_search(space: Space, start: Tuples, seed: int, kicks: int = KICKS) -> Iterator[Tuples]:
    """Give better and better mappings. The first is the best around the one to start with.

    More copies are not always better, since a turn waits for the slowest. So copies are dropped,
    too. The period decides; of equal ones the mean times of the processors do, the longest compared
    first.

    Parameters
    ----------
    seed
        Of the random changes: the same seed, the same mappings.
    """
    random = Random(seed)
    best, rank = _descended(space, start)
    yield best
    for _ in range(kicks):
        space.heartbeat()
        mapping = best
        for _ in range(CHANGES):
            mapping = _changed(space, mapping, random)
        if space.period(mapping) is None:
            continue
        found, one = _descended(space, mapping)
        if one < rank:
            falls = one[0] < rank[0]
            best, rank = found, one
            if falls:
                yield best


def _changed(space: Space, mapping: Tuples, random: Random) -> Tuples:
    """Give some neighbour that can run. The mapping itself if none of some dozens can."""
    near = [*neighbours(space, mapping)]
    for one in random.sample(near, min(MOST_TRIED, len(near))):
        if space.fits(one) and space.rough(one) < inf:
            return one
    return mapping


def _descended(space: Space, mapping: Tuples) -> tuple[Tuples, tuple[Fraction, tuple[float, ...]]]:
    """Change a mapping for the better until no change is one; give its period and mean times, too."""
    period = space.period(mapping)
    assert period is not None
    times = space.sorted_times(mapping)
    while True:
        near: list[tuple[tuple[float, ...], Tuples]] = []
        for one in (*tied(space, mapping), *neighbours(space, mapping)):
            space.heartbeat()
            own = space.sorted_times(one)
            if may_be_better(own, times, period) and space.fits(one):
                near.append((own, one))
        for own, one in nsmallest(MOST_EVALUATED, near):
            value = space.period(one)
            if value is not None and (value, own) < (period, times):
                mapping, period, times = one, value, own
                break
        else:
            return mapping, (period, times)


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
