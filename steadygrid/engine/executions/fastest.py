"""Paths of the least time from one processor to all others."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush


def fastest_paths(
    source: str, links: Mapping[str, Sequence[tuple[str, Fraction]]]
) -> dict[str, tuple[str, ...]]:
    """Give a path to each processor that can be reached, that of the least time (Dijkstra).

    Parameters
    ----------
    source
        The processor at which all paths begin.
    links
        By sender, the receivers, each with the time for a unit of data.
    """
    waiting: list[tuple[Fraction, tuple[str, ...]]] = [(Fraction(0), (source,))]
    paths: dict[str, tuple[str, ...]] = {}
    while waiting:
        time, path = heappop(waiting)
        if path[-1] in paths:
            continue
        paths[path[-1]] = path
        for receiver, more in links.get(path[-1], ()):
            if receiver not in paths:
                heappush(waiting, (time + more, (*path, receiver)))
    return paths
