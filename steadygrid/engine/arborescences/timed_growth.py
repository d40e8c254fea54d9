"""Arborescences that grow as a program runs: each hop is taken when its data is there and its arc is free."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from heapq import heappop, heappush
from math import lcm

from steadygrid.engine.arborescences.cuts import Arc
from steadygrid.engine.arborescences.packing import Arborescence
from steadygrid.engine.arborescences.partial_trees import PartialTree, PartialTrees, Route

CHECKED = 64
"""Events between two calls of `check`."""


def grow_by_time(
    number: int,
    bandwidths: Mapping[Arc, Fraction],
    capacities: Mapping[Arc, int],
    chunks: Mapping[int, int],
    check: Callable[[], None] = lambda: None,
) -> list[Arborescence] | None:
    """Pack arborescences that span all vertices, so that chunks which follow each other arrive early.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``. All of them copy.
    bandwidths
        By arc, chunks per time unit; above 0 where there is a capacity.
    capacities
        By arc; integers.
    chunks
        By root: how many trees it has, each of one chunk.
    check
        Called often; may raise, for instance when the time is over.

    Returns
    -------
    list of Arborescence
        Of weight 1, by root. No arc is in more of them than its capacity. None if there is no such packing.

    Notes
    -----
    An arc carries one chunk after the other. Whenever it is free it takes a chunk that its tail has and the
    tree of which lacks its head: the one that has come over the fewest hops, then the first tree. It keeps
    that hop if all trees can still be completed, see `PartialTrees`. A hop that is refused stays refused. So
    the trees are those of an execution in which arcs are idle only where they have nothing to do. At most
    ``sum(chunks) * len(capacities)`` hops are tried, each with at most ``number`` repairs of a flow.
    """
    return _TimedGrowth(number, bandwidths, capacities, chunks, check).run()


class _TimedGrowth:
    """All trees as they grow. See `grow_by_time`."""

    def __init__(
        self,
        number: int,
        bandwidths: Mapping[Arc, Fraction],
        capacities: Mapping[Arc, int],
        chunks: Mapping[int, int],
        check: Callable[[], None],
    ) -> None:
        self._check = check
        self._trees = [PartialTree(root, 1) for root in sorted(chunks) for _ in range(chunks[root])]
        self._lacking = len(self._trees) * (number - 1)
        self._kept = PartialTrees(number, capacities, range(number), self._trees)
        self._routes = [Route(arc, (index,)) for index, arc in enumerate(self._kept.arcs)]
        self._leaving: list[list[int]] = [[] for _ in range(number)]
        for index, (tail, _) in enumerate(self._kept.arcs):
            self._leaving[tail].append(index)
        times = [1 / bandwidths[arc] for arc in self._kept.arcs]
        grain = lcm(*(time.denominator for time in times))
        self._times = [int(time * grain) for time in times]
        self._offered: list[list[tuple[int, int]]] = [[] for _ in times]
        """By arc, what its tail has: hops that it has come over, and the number of its tree."""
        self._busy = [False] * len(times)
        self._events: list[tuple[int, int, int]] = []
        """Tick, arc and tree of what arrives."""

    def run(self) -> list[Arborescence] | None:
        """Grow all trees until they span the vertices. None where that fails."""
        if not self._kept.possible:
            return None
        idle = set[int]()
        for number, tree in enumerate(self._trees):
            idle.update(self._offer(number, tree.root))
        now = count = 0
        while True:
            for arc in sorted(idle):
                self._take(arc, now)
            if not self._events:
                break
            now = self._events[0][0]
            idle = set()
            while self._events and self._events[0][0] == now:
                _, arc, number = heappop(self._events)
                self._busy[arc] = False
                idle.add(arc)
                idle.update(self._offer(number, self._kept.arcs[arc][1]))
                if count % CHECKED == 0:
                    self._check()
                count += 1
        if self._lacking:
            return None
        return [
            Arborescence(tree.root, 1, tuple(route.vertices for route in tree.routes))
            for tree in self._trees
        ]

    def _offer(self, number: int, vertex: int) -> list[int]:
        """Offer a chunk to all arcs that leave a vertex which has it now; give those that are free."""
        tree = self._trees[number]
        depth = tree.depth[vertex]
        free = []
        for arc in self._leaving[vertex]:
            if not tree.mask >> self._kept.arcs[arc][1] & 1 and self._kept.room[arc]:
                heappush(self._offered[arc], (depth, number))
                if not self._busy[arc]:
                    free.append(arc)
        return free

    def _take(self, arc: int, now: int) -> None:
        """Let a free arc take the first chunk that it may."""
        offered, route = self._offered[arc], self._routes[arc]
        while offered and self._kept.room[arc]:
            _, number = heappop(offered)
            tree = self._trees[number]
            if not tree.mask >> route.end & 1 and self._kept.add(tree, route):
                self._busy[arc] = True
                self._lacking -= 1
                heappush(self._events, (now + self._times[arc], arc, number))
                return
