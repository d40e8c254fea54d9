"""Few routes over forwarders, each with a bandwidth of its own, so that members have few neighbours."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from steadygrid.engine.arborescences.cuts import Arc
from steadygrid.engine.arborescences.packing import VertexPath


class Direct(NamedTuple):
    """A network of members alone.

    Attributes
    ----------
    bandwidths
        By arc between members.
    routes
        By arc, the path of vertices that it stands for.
    """

    bandwidths: dict[Arc, Fraction]
    routes: dict[Arc, VertexPath]


def few_routes(number: int, bandwidths: Mapping[Arc, Fraction], members: Collection[int]) -> Direct:
    """Put few arcs between members into the place of forwarders.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    bandwidths
        By arc.
    members
        All others are forwarders.

    Returns
    -------
    Direct
        Its arcs together never take more of an arc than its bandwidth. They may take less.

    Notes
    -----
    In each round every member in turn gets a route over forwarders to one other member, which no
    other gets in this round. It goes to a member far away (in hops over arcs between members), of
    those the widest, then the next in number. The route takes all the bandwidth that is left on it.
    Rounds end when none gets a route. Complexity: as many searches as there are routes and members
    that get none.
    """
    ends = sorted(members)
    inside = frozenset(ends)
    found = {arc: width for arc, width in bandwidths.items() if width and inside.issuperset(arc)}
    routes: dict[Arc, VertexPath] = {arc: arc for arc in found}
    left = {arc: width for arc, width in bandwidths.items() if width and arc not in found}
    far = _distances(number, found, ends)
    while True:
        taken = set[int]()
        for here in ends:
            offers = [
                (-far[here].get(there, number), -width, (there - here) % number, path)
                for there, (width, path) in _widest(left, here, inside).items()
                if (here, there) not in found and there not in taken
            ]
            if offers:
                *_, path = min(offers)
                hops = list(pairwise(path))
                width = min(left[hop] for hop in hops)
                for hop in hops:
                    left[hop] -= width
                    if not left[hop]:
                        del left[hop]
                found[here, path[-1]] = width
                routes[here, path[-1]] = path
                taken.add(path[-1])
        if not taken:
            return Direct(found, routes)


def _distances(
    number: int, arcs: Collection[Arc], ends: Collection[int]
) -> dict[int, dict[int, int]]:
    heads: list[list[int]] = [[] for _ in range(number)]
    for tail, head in arcs:
        heads[tail].append(head)
    found = {}
    for end in ends:
        hops = {end: 0}
        waiting = [end]
        for here in waiting:
            for there in heads[here]:
                if there not in hops:
                    hops[there] = hops[here] + 1
                    waiting.append(there)
        found[end] = hops
    return found


def _widest(
    left: Mapping[Arc, Fraction], begin: int, inside: Collection[int]
) -> dict[int, tuple[Fraction, VertexPath]]:
    """Find a shortest path over forwarders to each member, and of those a widest."""
    heads: dict[int, list[int]] = {}
    for tail, head in left:
        heads.setdefault(tail, []).append(head)
    level: dict[int, tuple[Fraction, VertexPath]] = {
        begin: (max(left.values(), default=Fraction(0)), (begin,))
    }
    seen = {begin}
    found: dict[int, tuple[Fraction, VertexPath]] = {}
    while level:
        following: dict[int, tuple[Fraction, VertexPath]] = {}
        for here, (width, path) in level.items():
            for there in heads.get(here, ()):
                if there in seen:
                    continue
                new = min(width, left[here, there]), (*path, there)
                if there not in following or new[0] > following[there][0]:
                    following[there] = new
        seen |= following.keys()
        found |= {there: one for there, one in following.items() if there in inside}
        level = {there: one for there, one in following.items() if there not in inside}
    return found
