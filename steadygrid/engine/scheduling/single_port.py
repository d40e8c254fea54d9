"""The order of transfers where a processor takes part in one at a time."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import lcm
from types import MappingProxyType

import networkx as nx

from steadygrid.domain.platform import Arc, Platform
from steadygrid.engine.matching.odd_sets import OddSet, Pair
from steadygrid.engine.matching.separation import least_length, violated_sets
from steadygrid.engine.matching.slots import matchings_that_carry
from steadygrid.engine.scheduling.link_runs import demands_by_link, place_demands, run_links
from steadygrid.engine.scheduling.matching import Edge, decompose
from steadygrid.engine.scheduling.timeline import (
    Interval,
    Piece,
    distribute,
    intervals_of,
    pieces_of,
)
from steadygrid.engine.scheduling.workload import Operation
from steadygrid.engine.solving.control import Control


class SinglePort:
    """The conflicts among the operations of a workload, as `OnePort` has them for its model.

    A switch is split into one vertex for each direction of each of its links; between two switches
    the directions of a half-duplex link share both. The parts of what is used are ordered each by
    itself: a bipartite one by `decompose`, any other by `matchings_that_carry`.

    Attributes
    ----------
    resources
        What each operation occupies while it runs: two vertices.
    """

    is_bipartite = False
    """Of senders and receivers; here the two sides of a part would be other ones."""
    capacities: Mapping[Hashable, int] = MappingProxyType({})
    """How many operations may occupy a resource at a time: one, each."""

    def __init__(
        self,
        platform: Platform,
        hops: Sequence[Operation],
        control: Control,
    ) -> None:
        self._platform = platform
        self._control = control
        self._numbers: dict[Hashable, int] = {}
        self._arcs = [hop.arc for hop in hops]
        self.resources = {k: self._vertices(hop.arc) for k, hop in enumerate(hops)}

    @property
    def unit_denominator(self) -> int:
        """A period in units may be any whole number."""
        return 1

    def violated(self, times: Sequence[int], length: int) -> list[OddSet]:
        """Find sets of processors for which a period of some length is too short.

        Parameters
        ----------
        times
            Of the operations. No port is busy for longer than `length`.
        """
        return violated_sets(self._by_pair(times), length, self._control.check)

    def least_length(self, times: Sequence[int]) -> int:
        """Give the largest load of a port, or of an odd set's place, in the unit of the times."""
        loads: Counter[int] = Counter()
        for k, time in enumerate(times):
            for vertex in self.resources[k]:
                loads[vertex] += time
        busiest = max(loads.values(), default=0)
        return least_length(self._by_pair(times), busiest, self._control.check)

    def pieces(
        self, times: Sequence[int], length: int, max_transfers: int | None = None
    ) -> tuple[list[Piece], int]:
        """Order the operations so that each runs for its time, within `length`.

        Parameters
        ----------
        times
            Of the operations; 0 for those that do not run.
        length
            The period in the same unit, at least the `least_length`.

        Returns
        -------
        list, int
            The pieces, in parts of the unit, and how many parts make one.

        Raises
        ------
        TooManyTransfers
            If the pieces list more operations than `max_transfers`.
        """
        sides, others = self._parts(times)
        pieces = self._in_sides(sides, times, length, max_transfers)
        if not others:
            return pieces, 1
        found, parts = self._add_parts(intervals_of(pieces), others, times, length)
        return pieces_of(found, self.resources, max_transfers), parts

    def intervals(
        self, times: Sequence[int], length: int, check: Callable[[], None] | None = None
    ) -> tuple[list[Interval], int]:
        """Order the operations so that links are interrupted rarely.

        Parameters
        ----------
        times, length
            As for `pieces`.
        check
            Called now and then. It may raise to give up.

        Returns
        -------
        list, int
            Intervals, of which those of a link do not overlap, in parts of the unit, and how many
            parts make one.
        """
        sides, others = self._parts(times)
        running = self._running(sides, times)
        on_link = demands_by_link(running, times, self._arcs)
        ends = {k: sorted(self.resources[k], key=sides.__getitem__) for k in running}
        open_times = run_links(on_link, ends, length, check)
        found = place_demands(on_link, open_times)
        return self._add_parts(found, others, times, length) if others else (found, 1)

    def _parts(self, times: Sequence[int]) -> tuple[dict[int, int], list[Mapping[Pair, int]]]:
        """Give the sides of all vertices of bipartite parts, and the times of the other parts."""
        by_pair = self._by_pair(times)
        graph = nx.Graph(list(by_pair))
        sides: dict[int, int] = {}
        others: list[Mapping[Pair, int]] = []
        for part in nx.connected_components(graph):
            inner = graph.subgraph(part)
            if nx.is_bipartite(inner):
                sides |= nx.bipartite.color(inner)
            else:
                others.append({pair: t for pair, t in by_pair.items() if pair[0] in part})
        return sides, others

    def _add_parts(
        self,
        found: Iterable[Interval],
        others: Iterable[Mapping[Pair, int]],
        times: Sequence[int],
        length: int,
    ) -> tuple[list[Interval], int]:
        """Add the operations of the parts that are not bipartite."""
        windows, parts = self._windows(others, length)
        intervals = [Interval(start * parts, end * parts, k) for start, end, k in found]
        for pair, open_times in windows.items():
            wanted = [
                (k, times[k] * parts) for k, ends in self.resources.items() if _pair(ends) == pair
            ]
            intervals += distribute(open_times, [(k, time) for k, time in wanted if time])
        return intervals, parts

    def _running(self, sides: Mapping[int, int], times: Sequence[int]) -> list[int]:
        """List the operations of the bipartite parts."""
        return [k for k, time in enumerate(times) if time and self.resources[k][0] in sides]

    def _windows(
        self, graphs: Iterable[Mapping[Pair, int]], length: int
    ) -> tuple[dict[Pair, list[tuple[int, int]]], int]:
        """Say when each edge may run, in parts of the unit, and how many parts make one."""
        found = [matchings_that_carry(times, length, self._control) for times in graphs]
        parts = lcm(*(slot.duration.denominator for slots in found for slot in slots))
        windows: dict[Pair, list[tuple[int, int]]] = defaultdict(list)
        for slots in found:
            start = 0
            for slot in slots:
                end = start + int(slot.duration * parts)
                for edge in slot.edges:
                    windows[edge].append((start, end))
                start = end
        return windows, parts

    def _in_sides(
        self,
        sides: Mapping[int, int],
        times: Sequence[int],
        length: int,
        max_transfers: int | None,
    ) -> list[Piece]:
        """Order the operations of the bipartite parts."""
        running = self._running(sides, times)
        edges = []
        for k in running:
            one, other = sorted(self.resources[k], key=sides.__getitem__)
            edges.append(Edge(one, other, times[k]))
        return [
            Piece(m.duration, tuple(running[e] for e in m.edges), m.times)
            for m in decompose(edges, length, max_transfers)
        ]

    def _by_pair(self, times: Sequence[int]) -> dict[Pair, int]:
        by_pair: Counter[Pair] = Counter()
        for k, time in enumerate(times):
            if time:
                by_pair[_pair(self.resources[k])] += time
        return by_pair

    def _vertices(self, arc: Arc) -> Pair:
        """Give the vertices of an arc: processors by index, the parts of switches beyond them."""
        processors = self._platform.processors
        first = len(processors)
        line = arc.index if arc.half is None else min(arc.index, arc.half)
        source, target = (
            first + self._numbers.setdefault((end, line), len(self._numbers))
            if processors[end].switch
            else end
            for end in (arc.source, arc.target)
        )
        return source, target


def _pair(ends: Pair) -> Pair:
    return min(ends), max(ends)
