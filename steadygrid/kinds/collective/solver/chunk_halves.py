"""Whole chunks of an allreduce: how long they take at least, and what each half may use of links."""

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction

from steadygrid.engine.arborescences.chunk_times import ChunkTime, least_chunk_time

Arc = tuple[int, int]


def least_time_across(
    number: int,
    bandwidths: Mapping[Arc, Fraction],
    chunks: int,
    members: Collection[int],
    check: Callable[[], None],
) -> ChunkTime:
    """Find the least time in which chunks can leave every set with members on both sides.

    A chunk that is combined inside leaves the set afterwards, one that is combined outside has operands
    in it.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    bandwidths
        Of the arcs, in chunks per time unit.
    chunks
        How many there are in all.
    members
        Who takes part.
    check
        Called often; may raise, for instance when the time is over.

    Returns
    -------
    ChunkTime
        The time, and the set that decides.
    """
    first = min(members)
    demand = {first: chunks}
    out = least_chunk_time(number, bandwidths, demand, members, check)
    turned = {(head, tail): b for (tail, head), b in bandwidths.items()}
    into = least_chunk_time(number, turned, demand, members, check)
    if out.time >= into.time:
        return out
    return ChunkTime(into.time, frozenset(range(number)) - into.cut)


def halved(capacities: Mapping[Arc, int]) -> Iterator[dict[Arc, int]]:
    """Give parts of capacities that trees may use, if they are used backwards, too.

    Both directions of a link together get as much as the narrower one carries. Where that is odd, one of
    them gets more: along walks over all such links, so that as many lead into a vertex as out of it, or
    one more or less.

    Parameters
    ----------
    capacities
        By arc; integers.

    Returns
    -------
    iterator of dict
        Two, with the walks in either direction; one where nothing is odd.
    """
    both = {
        (tail, head): min(c, capacities.get((head, tail), 0))
        for (tail, head), c in capacities.items()
        if tail < head
    }
    even = {arc: c // 2 for (tail, head), c in both.items() for arc in ((tail, head), (head, tail))}
    odd = _walks([link for link, c in both.items() if c % 2])
    for arcs in ([*odd], [(head, tail) for tail, head in odd])[: 2 if odd else 1]:
        part = dict(even)
        for arc in arcs:
            part[arc] += 1
        yield {arc: c for arc, c in part.items() if c}


def _walks(links: Collection[Arc]) -> list[Arc]:
    """Direct links along walks, each as long as it can be. Those that cannot be closed come first."""
    around: dict[int, set[int]] = {}
    for tail, head in links:
        around.setdefault(tail, set()).add(head)
        around.setdefault(head, set()).add(tail)
    directed = []
    starts = [vertex for vertex in sorted(around) if len(around[vertex]) % 2]
    for start in (*starts, *sorted(around)):
        while around[start]:
            here = start
            while around[here]:
                there = min(around[here])
                around[here].remove(there)
                around[there].remove(here)
                directed.append((here, there))
                here = there
            if start in starts:
                break
    return directed
