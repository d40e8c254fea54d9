"""Links that lead nowhere but back."""

from collections.abc import Collection

from steadygrid.domain.platform import Arc, Platform


def without_dead_ends(
    platform: Platform, ends: Collection[int], copying: Collection[int] = ()
) -> list[Arc]:
    """Leave out the arcs from and to dead ends, which no path or tree between ends needs.

    A processor that is no end is a dead end if it has at most one neighbour that is none. But one that
    copies is none besides a neighbour that does not: data may go there to be copied, and come back.
    Linear time.

    Parameters
    ----------
    ends
        Positions of processors where data begins and ends its path.
    copying
        Those of processors that may send data on to several others.
    """
    around: list[set[int]] = [set() for _ in platform.processors]
    for arc in platform.arcs:
        around[arc.source].add(arc.target)
        around[arc.target].add(arc.source)
    kept = set(ends)
    gone: set[int] = set()

    copiers = set(copying)

    def leads_nowhere(i: int) -> bool:
        copies_for_others = i in copiers and not around[i] <= copiers
        return len(around[i]) < 2 and i not in kept and not copies_for_others

    waiting = [i for i in range(len(around)) if leads_nowhere(i)]
    while waiting:
        i = waiting.pop()
        gone.add(i)
        for other in around[i] - gone:
            around[other].discard(i)
            if len(around[other]) == 1 and leads_nowhere(other):
                waiting.append(other)
    return [arc for arc in platform.arcs if arc.source not in gone and arc.target not in gone]
