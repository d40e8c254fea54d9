"""The edges of a graph that lie on cycles, as a search for the largest ratio looks at them."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from steadygrid.engine.cycles.graph import ROOM, Graph, Integers, Whole, fitting, largest, whole
from steadygrid.engine.solving.sparse import connected_components, csr_array

Heartbeat = Callable[[], None]

STOP = -1
"""The edge of a node that stops."""


class Edges:
    """The edges of a graph that lie on cycles, ordered by source.

    Attributes
    ----------
    part
        Strongly connected part of each node.
    order
        Of each edge, its number in the graph.
    all
        Edges of the graph, those that lie on no cycle included.
    exact
        Whether sums along all paths fit into int64; else times and heights are Python's integers.
    times_rounded, heights_rounded
        Whether they are not the graph's own.

    Raises
    ------
    ValueError
        If lengths differ, a node is none, or a time is negative.
    """

    def __init__(self, graph: Graph) -> None:
        sources = np.asarray(graph.sources, dtype=np.int64)
        targets = np.asarray(graph.targets, dtype=np.int64)
        times, heights = whole(graph.times), whole(graph.heights)
        if not len(sources) == len(targets) == len(times) == len(heights):
            raise ValueError("an edge needs a source, a target, a time and a height")
        for ends in (sources, targets):
            if len(ends) and not 0 <= ends.min() <= ends.max() < graph.nodes:
                raise ValueError("an edge ends at no node")
        if len(times) and times.min() < 0:
            raise ValueError("a time is negative")
        self.nodes, self.all = graph.nodes, len(sources)
        ones = np.ones(len(sources), dtype=np.int8)
        matrix = csr_array((ones, (sources, targets)), shape=(graph.nodes, graph.nodes))
        _, self.part = connected_components(matrix, connection="strong")
        inner = np.flatnonzero(self.part[sources] == self.part[targets])
        self.largest_time, self.largest_height = largest(times), largest(heights)
        self.exact = max(self.largest_time, self.largest_height) * (self.nodes + 2) < ROOM
        self.order = inner[np.argsort(sources[inner], kind="stable")]
        self.sources, self.targets = sources[self.order], targets[self.order]
        self.times_rounded = self.heights_rounded = False
        self.times = fitting(times[self.order], self.exact)
        self.heights = fitting(heights[self.order], self.exact)
        self._group()

    def _group(self) -> None:
        self.heads, self.first = np.unique(self.sources, return_index=True)
        ends = np.append(self.first[1:], len(self.sources))
        self.group = np.repeat(np.arange(len(self.heads)), ends - self.first)

    def rounded(self) -> "Edges":
        """Give the same edges with times and heights rounded so far that their sums fit."""
        other = Edges.__new__(Edges)
        other.__dict__.update(self.__dict__)
        other.times, other.times_rounded = self._shortened(self.times, self.largest_time)
        other.heights, other.heights_rounded = self._shortened(self.heights, self.largest_height)
        other.largest_time, other.largest_height = largest(other.times), largest(other.heights)
        other.exact = True
        return other

    def _shortened(self, values: Whole, most: int) -> tuple[Whole, bool]:
        bits = max(0, (most * (self.nodes + 2)).bit_length() - ROOM.bit_length() + 3)
        half = (1 << bits) >> 1
        return np.array([(int(value) + half) >> bits for value in values], dtype=np.int64), bits > 0

    def greatest(self, gains: Whole) -> Integers:
        """Give the policy in which each node that has edges follows the one that gains most."""
        policy = np.full(self.nodes, STOP, dtype=np.int64)
        if len(self.heads):
            self._follow(policy, gains, np.maximum.reduceat(gains, self.first), None)
        return policy

    def best(self, policy: Integers, gains: npt.NDArray[np.generic], least: object) -> bool:
        """Let each node follow the edge that gains most, if that is above `least`.

        Parameters
        ----------
        policy
            By node, the edge that it follows; changed in place.
        gains
            By edge, in the order of these edges.
        least
            No edge is followed that gains no more.

        Returns
        -------
        bool
            Whether any node found one.
        """
        if not len(self.heads):
            return False
        tops = np.maximum.reduceat(gains, self.first)
        better = np.asarray(tops > least, dtype=np.bool_)
        if not better.any():
            return False
        self._follow(policy, gains, tops, better)
        return True

    def _follow(
        self,
        policy: Integers,
        gains: npt.NDArray[np.generic],
        tops: npt.NDArray[np.generic],
        better: npt.NDArray[np.bool_] | None,
    ) -> None:
        chosen = np.asarray(gains == tops[self.group], dtype=np.bool_)
        if better is not None:
            chosen &= better[self.group]
        found = np.flatnonzero(chosen)[::-1]
        policy[self.sources[found]] = found
