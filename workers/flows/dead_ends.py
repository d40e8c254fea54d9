"""Links that lead nowhere but back."""

from collections.abc import Collection

from steadygrid.domain.platform import Arc, Platform


def without_dead_ends(platform: Platform, ends: Collection[int]) -> list[Arc]:
    """Leave out the arcs from and to dead ends, which no path between two ends needs.

    A processor that is no end is a dead end if it has at most one neighbour that is none. Linear time.

    Parameters
    ----------
    ends
        Positions of processors where data begins and ends its way.
    """
    around: list[set[int]] = [set() for _ in platform.processors]
    for arc in platform.arcs:
        around[arc.source].add(arc.target)
        around[arc.target].add(arc.source)
    kept = set(ends)
    gone: set[int] = set()
    waiting = [i for i, others in enumerate(around) if len(others) < 2 and i not in kept]
    while waiting:
        i = waiting.pop()
        gone.add(i)
        for other in around[i] - gone:
            around[other].discard(i)
            if len(around[other]) == 1 and other not in kept:
                waiting.append(other)
    return [arc for arc in platform.arcs if arc.source not in gone and arc.target not in gone]
