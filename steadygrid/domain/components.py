"""The connected parts of an undirected graph whose edges are given one by one."""

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

V = TypeVar("V", bound=Hashable)


class Parts(Generic[V]):
    """Sets of vertices that edges have joined; almost constant time per call (path halving)."""

    def __init__(self) -> None:
        self._above: dict[V, V] = {}

    def root(self, vertex: V) -> V:
        """Give the vertex that stands for all of its part until something is joined."""
        above = self._above
        while above.setdefault(vertex, vertex) != vertex:
            above[vertex] = above[above[vertex]]
            vertex = above[vertex]
        return vertex

    def join(self, one: V, other: V) -> bool:
        """Add an edge; False if it closes a cycle.

        Parameters
        ----------
        one, other
            Ends of the edge.
        """
        first, second = self.root(one), self.root(other)
        self._above[first] = second
        return first != second


def is_forest(edges: Iterable[tuple[V, V]]) -> bool:
    """Whether edges contain no cycle; two between the same vertices, in either direction, are one."""
    parts = Parts[V]()
    return all(parts.join(*pair) for pair in {frozenset(edge) for edge in edges})
