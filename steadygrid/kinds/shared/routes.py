"""The ways of files where the routing is fixed, found when they are asked for."""

import heapq
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import pairwise
from math import lcm

from steadygrid.domain.platform import Arc, Platform, Route

Path = tuple[int, ...]
"""Arcs by index, in order."""

LONGEST_SCALE = 2048
"""Bits; above, a common denominator of all unit times costs more than it saves."""


class Routes:
    """The way from each processor to each other under ``routing: fixed``.

    The platform's route; where none is given the path with the least total unit time, ties to
    fewer hops, then to the smaller identifiers.

    Parameters
    ----------
    platform
        Whose routes count unless `given` says otherwise.
    given
        Routes that count instead.
    check
        Called before each search for shortest paths; may raise.

    Attributes
    ----------
    given
        By source and target, the ways that are not shortest paths, or not for that reason; None where
        the route is missing.

    Notes
    -----
    One search (Dijkstra) per processor from which a way is asked for, or per neighbour where
    processors have only one: all ways of a host that hangs on one switch begin with its only
    link, and go on as the switch's do. A path is put together when it is asked for, in time
    proportional to its length.
    """

    def __init__(
        self,
        platform: Platform,
        given: tuple[Route, ...] | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._platform = platform
        self._names = [processor.id for processor in platform.processors]
        self._check = check
        index, arcs = platform.index_by_id, platform.arc_by_ends
        self.given: dict[tuple[int, int], Path | None] = {}
        for route in platform.routes if given is None else given:
            hops = [index[step] for step in (route.source, *route.via, route.target)]
            self.given[hops[0], hops[-1]] = (
                None if route.missing else tuple(arcs[hop].index for hop in pairwise(hops))
            )
        scale = lcm(*(arc.unit_time.denominator for arc in platform.arcs))
        if scale.bit_length() > LONGEST_SCALE:
            scale = 1
        self._times: list[int | Fraction] = [
            time.numerator if time.denominator == 1 else time
            for time in (arc.unit_time * scale for arc in platform.arcs)
        ]
        self._trees: dict[int, Mapping[int, Arc]] = {}

    def path(self, source: int, target: int) -> Path | None:
        """Give the way between two processors; empty from one to itself, None where none is.

        Parameters
        ----------
        source, target
            Indices of processors.

        Returns
        -------
        tuple of int or None
            Indices of the arcs, in the order of travel.

        Raises
        ------
        Cancelled, OutOfTime
            What `check` raises.
        """
        if source == target:
            return ()
        if (source, target) in self.given:
            return self.given[source, target]
        start: Path = ()
        root = source
        outwards = self._platform.arcs_out[source]
        if len(outwards) == 1:
            root, start = outwards[0].target, (outwards[0].index,)
            if root == target:
                return start
        if root not in self._trees:
            self._check()
            self._trees[root] = self._tree(root)
        tree = self._trees[root]
        if target not in tree:
            return None
        return (*start, *_along(tree, root, target))

    def direct(self, source: int, stops: AbstractSet[int]) -> dict[int, Path]:
        """Give the shortest paths from a processor that pass by none of `stops`, by their end.

        Parameters
        ----------
        source
            Index of the processor where all paths begin.
        stops
            Indices of processors that a path may end at, but not pass.

        Returns
        -------
        dict
            Indices of the arcs of each path, by the index of its last processor.

        Raises
        ------
        Cancelled, OutOfTime
            What `check` raises.
        """
        self._check()
        last: dict[int, Arc] = {}
        passing: dict[int, bool] = {}
        paths: dict[int, Path] = {}
        ahead: set[int] = set()
        for here, arc in self._walk_nearest_first(source):
            passing[here] = False
            if arc is not None:
                last[here] = arc
                before = arc.source
                passing[here] = passing[before] or (before in stops and before != source)
            if not passing[here]:
                paths[here] = _along(last, source, here)
                if here == source or here not in stops:
                    ahead.update(arc.target for arc in self._platform.arcs_out[here])
            ahead.difference_update(passing)
            if not ahead:
                break
        del paths[source]
        return paths

    def _tree(self, root: int) -> Mapping[int, Arc]:
        """Give the last arc of the shortest path to each processor that can be reached."""
        return {here: arc for here, arc in self._walk_nearest_first(root) if arc is not None}

    def _walk_nearest_first(self, root: int) -> Iterator[tuple[int, Arc | None]]:
        """Walk to all processors that can be reached, the nearest first; with the last arc."""
        platform, times = self._platform, self._times
        names = self._names
        settled: set[int] = set()
        last: dict[int, Arc] = {}
        best: dict[int, tuple[int | Fraction, int, tuple[str, ...]]] = {}
        heap: list[tuple[tuple[int | Fraction, int, tuple[str, ...]], int]]
        heap = [((0, 0, (names[root],)), root)]
        while heap:
            (time, hops, passed), here = heapq.heappop(heap)
            if here in settled:
                continue
            settled.add(here)
            yield here, last.get(here)
            for arc in platform.arcs_out[here]:
                there = arc.target
                if there in settled:
                    continue
                key = (time + times[arc.index], hops + 1, (*passed, names[there]))
                if there not in best or key < best[there]:
                    best[there] = key
                    last[there] = arc
                    heapq.heappush(heap, (key, there))


def _along(last: Mapping[int, Arc], source: int, target: int) -> Path:
    """Follow the last arcs back from a target."""
    back: list[int] = []
    here = target
    while here != source:
        back.append(last[here].index)
        here = last[here].source
    return tuple(reversed(back))


def fixed_routes(
    platform: Platform,
    sources: list[int],
    targets: list[int],
    check: Callable[[], None] = lambda: None,
) -> dict[tuple[int, int], Path]:
    """Give the way of each pair of different processors under ``routing: fixed``.

    Parameters
    ----------
    check
        Called for each source; may raise.
    """
    ways = Routes(platform)
    found: dict[tuple[int, int], Path] = {}
    for source in sources:
        check()
        for target in targets:
            way = ways.path(source, target)
            if way:
                found[source, target] = way
    return found
