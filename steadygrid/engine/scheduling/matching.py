"""Weighted edge colouring of a bipartite multigraph: who sends to whom, and for how long."""

from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

CUTS_BETWEEN_CHECKS = 1_000


class Edge(NamedTuple):
    """A transfer that keeps a sender and a receiver busy for `weight` (a positive integer)."""

    sender: int
    receiver: int
    weight: int


class Matching(NamedTuple):
    """A stretch of time in which no vertex has more than one edge.

    ``edges[i]`` is active for ``times[i] <= duration`` from the beginning of the stretch.
    """

    duration: int
    edges: tuple[int, ...]
    times: tuple[int, ...]


class EdgeRun(NamedTuple):
    """An edge is active from `start` to `end`."""

    start: int
    end: int
    edge: int


class TooManyTransfers(Exception):
    """The decomposition lists more edges, over all matchings, than was allowed."""


def decompose(
    edges: Sequence[Edge], length: int | None = None, max_transfers: int | None = None
) -> list[Matching]:
    """Split a weighted bipartite multigraph into a sequence of matchings.

    Parameters
    ----------
    edges
        Vertices are any non-negative integers, senders and receivers counted apart;
        weights are positive integers in a unit of the caller's.
    length
        Time that is available, at least the largest weighted degree (the default). More
        time means fewer matchings.
    max_transfers
        Give up when the matchings together list more edges than this.

    Returns
    -------
    list of Matching
        In order. The times of an edge add up to its weight, the durations to at most
        `length`. An edge stays in consecutive matchings as long as it disturbs no vertex.

    Raises
    ------
    ValueError
        If a vertex has more to do than `length`.
    TooManyTransfers
        See `max_transfers`.

    Notes
    -----
    Let ``R`` be the time left and call a vertex *critical* if the weight left on its edges
    equals ``R``. As long as no vertex has more than ``R``, some matching covers all critical
    vertices: take a critical sender ``s`` without an edge and the senders ``X`` that
    alternating paths reach from it. If one of them is not critical it can step back, if a
    receiver is idle it can join. Otherwise all of ``X`` is critical and its neighbours are
    the ``|X| - 1`` receivers matched to ``X - {s}``, which cannot carry the weight
    ``|X| R``. Covering a vertex uncovers no critical one of either side, so the vertices are
    covered one after the other (and receivers likewise).

    A matching is kept until a vertex that is idle, or whose edge has ended, becomes critical:
    edges between vertices that have time to spare end inside a stretch without cutting it.
    Each cut is thus due to one of two things. Either an edge ends at a critical vertex, at most
    once for each edge. Or a vertex becomes critical, at most once for each vertex, because a
    critical vertex stays so. Hence at most ``|E| + 2p`` matchings for ``p`` processors, parallel
    edges counted one by one.

    Between cuts only what changes is touched. With ``D(v)`` the weight left at ``v`` outside
    the matching, the next cut is at ``length - max D``, at every current time. Worst
    case ``O((|E| + p) (|E| + p))`` plus the size of the answer; parallel edges share one
    entry of the adjacency, which is a bit mask for each vertex.

    The decomposition that RR-4870 uses in sections 4 and 6.3 (Schrijver, Combinatorial
    Optimization, chapter 20), in the form of Gonzalez and Sahni's open shop with preemption.
    """
    if not edges:
        return []
    colouring = _Colouring(edges, length)
    return colouring.run(max_transfers)


def run_edges(
    edges: Sequence[Edge], length: int | None = None, check: Callable[[], None] | None = None
) -> list[EdgeRun]:
    """Let every edge of a weighted bipartite multigraph run, interrupted as rarely as is found.

    Parameters
    ----------
    edges, length
        As for `decompose`.
    check
        Called now and then. It may raise to give up.

    Returns
    -------
    list of EdgeRun
        By their starts. No vertex has two edges at a time.

    Raises
    ------
    ValueError
        If a vertex has more to do than `length`.

    Notes
    -----
    The invariant is that of `decompose`, but a vertex whose edge has ended gets another one at
    once. An edge is interrupted only for a vertex that has no time to spare. So with a `length` of
    twice the largest degree nothing is interrupted: as long as a vertex has something left to do,
    it or its neighbour is busy. To interrupt as few edges as possible is NP-hard: with none at all
    it is the open shop without preemption (Gonzalez and Sahni).
    """
    return _Colouring(edges, length).runs(check) if edges else []


class _Side:
    """Senders or receivers."""

    def __init__(self, size: int) -> None:
        self.partner = [-1] * size
        self.outside = [0] * size
        """Weight left on edges that are not in the matching."""
        self.neighbours = [0] * size
        """Bit mask of the vertices on the other side that an edge still leads to."""
        self.idle = (1 << size) - 1


class _Colouring:
    def __init__(self, edges: Sequence[Edge], length: int | None) -> None:
        senders = {v: i for i, v in enumerate(dict.fromkeys(e.sender for e in edges))}
        receivers = {v: i for i, v in enumerate(dict.fromkeys(e.receiver for e in edges))}
        self.left = [edge.weight for edge in edges]
        self.groups: dict[tuple[int, int], list[int]] = {}
        self.senders, self.receivers = _Side(len(senders)), _Side(len(receivers))
        for index, edge in enumerate(edges):
            if edge.weight <= 0:
                raise ValueError("the weight of an edge is positive")
            s, r = senders[edge.sender], receivers[edge.receiver]
            self.groups.setdefault((s, r), []).append(index)
            self.senders.outside[s] += edge.weight
            self.receivers.outside[r] += edge.weight
            self.senders.neighbours[s] |= 1 << r
            self.receivers.neighbours[r] |= 1 << s
        for group in self.groups.values():
            group.sort(key=self.left.__getitem__)
        degree = max(max(self.senders.outside), max(self.receivers.outside))
        self.length = degree if length is None else length
        if degree > self.length:
            raise ValueError("a vertex has more to do than the time that is available")
        self.now = 0
        self.active: dict[int, int] = {}
        """The edge of each busy sender."""
        self.end: dict[int, int] = {}
        """When the edge of each busy sender ends if nothing interrupts it."""
        self.ends: list[tuple[int, int]] = []
        """Heap of ends by sender, with stale entries."""
        self.begun: dict[int, int] = {}
        """When the edge of each busy sender began."""
        self.ran: list[EdgeRun] = []
        self.sides = (self.senders, self.receivers)
        self.load: list[tuple[int, int, int]] = [
            (-weight, side, v)
            for side in (0, 1)
            for v, weight in enumerate(self.sides[side].outside)
        ]
        """Heap of ``-D(v)`` with its side and vertex, with stale entries."""
        heapify(self.load)

    def run(self, max_transfers: int | None) -> list[Matching]:
        matchings: list[Matching] = []
        listed = 0
        fresh = [(0, s) for s in range(len(self.senders.partner))]
        while True:
            self._cover_critical(fresh)
            self._employ(fresh)
            if not self.active:
                return matchings
            cut = self._next_cut()
            names = tuple(self.active.values())
            listed += len(names)
            if max_transfers is not None and listed > max_transfers:
                raise TooManyTransfers
            duration = cut - self.now
            done = dict.fromkeys(names, duration)
            fresh = self._finish(cut, done)
            matchings.append(Matching(duration, names, tuple(done.values())))
            self.now = cut

    def runs(self, check: Callable[[], None] | None) -> list[EdgeRun]:
        fresh = [(0, s) for s in range(len(self.senders.partner))]
        cuts = 0
        while True:
            if check is not None and cuts % CUTS_BETWEEN_CHECKS == 0:
                check()
            cuts += 1
            self._cover_critical(fresh)
            self._employ(fresh)
            if not self.active:
                return sorted(self.ran)
            cut = min(self._next_cut(), self._next_end())
            fresh = self._finish(cut, {})
            self.now = cut

    def _next_end(self) -> int:
        while self.end.get(self.ends[0][1]) != self.ends[0][0]:
            heappop(self.ends)
        return self.ends[0][0]

    def _next_cut(self) -> int:
        load = self.load
        while True:
            weight, side, v = load[0]
            if self.sides[side].outside[v] == -weight:
                break
            heappop(load)
        if weight:
            return self.length + weight
        return max(self.end.values())

    def _finish(self, cut: int, done: dict[int, int]) -> list[tuple[int, int]]:
        """Take edges that end by `cut` out of the graph; give the vertices that are now idle.

        For edges that end, `done` is called with how long they ran since the cut before.
        """
        freed: list[tuple[int, int]] = []
        while self.ends and self.ends[0][0] <= cut:
            end, s = heappop(self.ends)
            if self.end.get(s) != end:
                continue
            r = self.senders.partner[s]
            done[self.active[s]] = end - self.now
            self._release(s, r, end)
            group = self.groups[s, r]
            group.pop()
            if not group:
                del self.groups[s, r]
                self.senders.neighbours[s] ^= 1 << r
                self.receivers.neighbours[r] ^= 1 << s
            freed += ((0, s), (1, r))
        return freed

    def _release(self, s: int, r: int, end: int) -> None:
        if (begun := self.begun[s]) < end:
            self.ran.append(EdgeRun(begun, end, self.active[s]))
        del self.active[s], self.end[s]
        self.senders.partner[s] = self.receivers.partner[r] = -1
        self.senders.idle |= 1 << s
        self.receivers.idle |= 1 << r

    def _stop(self, s: int) -> None:
        """Interrupt the edge of a busy sender."""
        r = self.senders.partner[s]
        edge = self.active[s]
        left = self.end[s] - self.now
        self.left[edge] = left
        self._release(s, r, self.now)
        self._change(s, r, left)

    def _start(self, s: int, r: int) -> None:
        edge = self.groups[s, r][-1]
        left = self.left[edge]
        self.active[s] = edge
        self.begun[s] = self.now
        self.end[s] = end = self.now + left
        heappush(self.ends, (end, s))
        self.senders.partner[s], self.receivers.partner[r] = r, s
        self.senders.idle ^= 1 << s
        self.receivers.idle ^= 1 << r
        self._change(s, r, -left)

    def _change(self, s: int, r: int, weight: int) -> None:
        outside = self.senders.outside[s] = self.senders.outside[s] + weight
        heappush(self.load, (-outside, 0, s))
        outside = self.receivers.outside[r] = self.receivers.outside[r] + weight
        heappush(self.load, (-outside, 1, r))

    def _cover_critical(self, fresh: list[tuple[int, int]]) -> None:
        """Find an edge for every idle vertex that has no time to spare."""
        critical = self.now - self.length
        while True:
            weight, side, v = self.load[0]
            if self.sides[side].outside[v] != -weight:
                heappop(self.load)
            elif weight == 0 or weight > critical:
                return
            else:
                self._cover(side, v, fresh)

    def _cover(self, side: int, v: int, fresh: list[tuple[int, int]]) -> None:
        """Move edges along an alternating path so that `v` gets one."""
        mine, other = self.sides[side], self.sides[1 - side]
        reached_from: dict[int, int] = {}
        seen = 0
        layer = [v]
        while layer:
            for x in layer:
                free = mine.neighbours[x] & other.idle
                if free:
                    y = self._heaviest(side, x, free)
                    reached_from[y] = x
                    self._shift(side, y, reached_from)
                    return
            following: list[int] = []
            spare, yielding = 0, -1
            for x in layer:
                new = mine.neighbours[x] & ~seen
                seen |= new
                for y in _bits(new):
                    reached_from[y] = x
                    z = other.partner[y]
                    slack = self._slack(side, z)
                    if slack == 0:
                        following.append(z)
                    elif slack > spare:
                        spare, yielding = slack, z
            if yielding >= 0:
                y = mine.partner[yielding]
                fresh += ((side, yielding),)
                self._stop(y if side else yielding)
                self._shift(side, y, reached_from)
                return
            layer = following
        raise AssertionError("a critical vertex cannot be covered")

    def _slack(self, side: int, v: int) -> int:
        """Time that a busy vertex has to spare."""
        s = self.receivers.partner[v] if side else v
        return self.length - self.sides[side].outside[v] - self.end[s]

    def _heaviest(self, side: int, x: int, candidates: int) -> int:
        best, heaviest = -1, 0
        for y in _bits(candidates):
            left = self.left[self.groups[(y, x) if side else (x, y)][-1]]
            if left > heaviest:
                best, heaviest = y, left
        return best

    def _shift(self, side: int, y: int, reached_from: dict[int, int]) -> None:
        """Give the idle vertex `y` the one it was reached from, that one's partner its own, ..."""
        mine = self.sides[side]
        pairs: list[tuple[int, int]] = []
        while y >= 0:
            x = reached_from[y]
            pairs.append((y, x) if side else (x, y))
            y = mine.partner[x]
            if y >= 0:
                self._stop(y if side else x)
        for s, r in pairs:
            self._start(s, r)

    def _employ(self, fresh: list[tuple[int, int]]) -> None:
        """Give idle vertices to each other, heavy edges first."""
        fresh.sort(key=lambda vertex: -self.sides[vertex[0]].outside[vertex[1]])
        for side, v in fresh:
            if self.sides[side].partner[v] < 0:
                free = self.sides[side].neighbours[v] & self.sides[1 - side].idle
                if free:
                    y = self._heaviest(side, v, free)
                    self._start(*((y, v) if side else (v, y)))


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
