"""The routes of files where the routing is fixed, found when they are asked for."""

import heapq
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from fractions import Fraction
from itertools import pairwise
from math import lcm

from steadygrid.domain.platform import Arc, Platform, Route

Path = tuple[int, ...]
"""Arcs by index, in order."""

LONGEST_SCALE = 2048
"""Bits; above, a common denominator of all unit times costs more than it saves."""


class Routes:
    """The route from each processor to each other under ``routing: fixed``.

    The platform's route. Where none is given the path with the least total unit time, ties to
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
        By source and target, the routes that are not shortest paths, or not for that reason. None
        where the route is missing.

    Notes
    -----
    One search (Dijkstra) per processor from which a route is asked for, or per neighbour where
    processors have only one. All routes of a host that hangs on one switch begin with its only
    link, and go on as the switch's do. It goes no further than the farthest processor that was
    asked for. A path is put together when it is asked for, in time proportional to its length.
    """

    def __init__(
        self,
        platform: Platform,
        given: tuple[Route, ...] | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._platform = platform
        self._check = check
        names = [processor.id for processor in platform.processors]
        self._ranks = [0] * len(names)
        for rank, i in enumerate(sorted(range(len(names)), key=names.__getitem__)):
            self._ranks[i] = rank
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
        self._searches: dict[int, _NearestFirst] = {}

    def unhurried(self) -> "Routes":
        """Give the same routes, found without a look at the clock from now on."""
        same = copy(self)
        same._check = lambda: None
        return same

    def path(self, source: int, target: int) -> Path | None:
        """Give the route between two processors; empty from one to itself, None where none is.

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
        if root not in self._searches:
            self._searches[root] = self._search(root)
        search = self._searches[root]
        if not search.reaches(target):
            return None
        return (*start, *search.path(target))

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
        arcs_out = self._platform.arcs_out
        search = self._search(source)
        if all(arc.target in stops for arc in arcs_out[source]):
            search.limit = max((self._times[arc.index] for arc in arcs_out[source]), default=0)
        open_: set[int] = set()
        ahead: set[int] = set()
        paths: dict[int, Path] = {}
        for here in search:
            ahead.discard(here)
            if here != source:
                if search.last[here].source not in open_:
                    continue
                paths[here] = search.path(here)
            if here == source or here not in stops:
                open_.add(here)
                targets = (arc.target for arc in arcs_out[here])
                ahead.update(target for target in targets if target not in search.settled)
            if not ahead:
                break
        return paths

    def _search(self, root: int) -> "_NearestFirst":
        self._check()
        return _NearestFirst(self._platform.arcs_out, self._times, self._ranks, root)


class _NearestFirst(Iterator[int]):
    """Give the processors that can be reached, the nearest first, each when it is asked for.

    A processor is nearer by time, then hops, which with each arc get more: so the paths to all
    that are nearer are known, and ties are recognised by ids where two of them part.

    Attributes
    ----------
    settled
        Processors that were given.
    last
        The last arc on the route to each.
    limit
        Time of those that are of interest; farther ones may be left out.
    """

    def __init__(
        self,
        arcs_out: Sequence[Sequence[Arc]],
        times: Sequence[int | Fraction],
        ranks: Sequence[int],
        root: int,
    ) -> None:
        self._arcs_out, self._times, self._ranks = arcs_out, times, ranks
        self._root = root
        self.settled: set[int] = set()
        self.last: dict[int, Arc] = {}
        self.limit: int | Fraction | None = None
        self._best: dict[int, tuple[int | Fraction, int]] = {root: (0, 0)}
        self._heap: list[tuple[int | Fraction, int, int]] = [(0, 0, root)]

    def __next__(self) -> int:
        """Settle one more."""
        while self._heap:
            time, hops, here = heapq.heappop(self._heap)
            if here not in self.settled:
                self.settled.add(here)
                self._look_around(here, time, hops + 1)
                return here
        raise StopIteration

    def _look_around(self, here: int, time: int | Fraction, hops: int) -> None:
        best, settled, times, limit = self._best, self.settled, self._times, self.limit
        for arc in self._arcs_out[here]:
            there, far = arc.target, time + times[arc.index]
            if there in settled or (limit is not None and far > limit):
                continue
            key = (far, hops)
            if there not in best or key < best[there]:
                best[there] = key
                self.last[there] = arc
                heapq.heappush(self._heap, (*key, there))
            elif key == best[there] and self._is_first(arc, self.last[there]):
                self.last[there] = arc

    def _is_first(self, one: Arc, other: Arc) -> bool:
        """Whether the ids on the route over one arc come before those over another, of as many hops."""
        parted = False
        while one.source != other.source:
            parted = self._ranks[one.source] < self._ranks[other.source]
            one, other = self.last[one.source], self.last[other.source]
        return parted

    def reaches(self, target: int) -> bool:
        """Whether there is a path; searched for as far as that takes."""
        return target in self.settled or target in self

    def path(self, target: int) -> Path:
        """Follow the last arcs back from a processor that was given."""
        back: list[int] = []
        while target != self._root:
            arc = self.last[target]
            back.append(arc.index)
            target = arc.source
        return tuple(reversed(back))


def fixed_routes(
    platform: Platform,
    sources: list[int],
    targets: list[int],
    check: Callable[[], None] = lambda: None,
) -> dict[tuple[int, int], Path]:
    """Give the route of each pair of different processors under ``routing: fixed``.

    Parameters
    ----------
    check
        Called for each source; may raise.
    """
    taken_routes = Routes(platform)
    found: dict[tuple[int, int], Path] = {}
    for source in sources:
        check()
        for target in targets:
            taken_route = taken_routes.path(source, target)
            if taken_route:
                found[source, target] = taken_route
    return found
