"""The cheapest trees in a graph with priced arcs: to all its vertices, or to some of them.

Prices are integers or fractions, and all sums are exact.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import count

Price = int | Fraction
Arcs = Mapping[str, Sequence[tuple[str, Price]]]
"""By the vertex where they begin: where they end, and their price, at least 0."""


def cheapest_path_prices(arcs: Arcs, start: str, through: Collection[str]) -> dict[str, Price]:
    """Price the cheapest routes from a vertex to others that pass `through` some only.

    Parameters
    ----------
    arcs
        By vertex, the arcs that leave it, each with where it ends and its price.
    start
        Where all of them begin.
    through
        Vertices that may be passed.

    Returns
    -------
    dict
        By where they end; `start` itself is left out.
    """
    found: dict[str, Price] = {}
    order = count()
    heap: list[tuple[Price, int, str]] = [(0, next(order), start)]
    while heap:
        cost, _, here = heappop(heap)
        if here in found:
            continue
        found[here] = cost
        if here == start or here in through:
            for there, price in arcs.get(here, ()):
                if there not in found:
                    heappush(heap, (cost + price, next(order), there))
    del found[start]
    return found


def cheapest_arborescence(
    root: str, vertices: Collection[str], arcs: Iterable[tuple[str, str, Price]]
) -> Price | None:
    """Price the cheapest tree of arcs that leads from a root to all vertices. None if there is none.

    Parameters
    ----------
    root
        One of the vertices.
    vertices
        All that the tree spans.
    arcs
        Where each begins and ends, and its price, at least 0. All ends are among the vertices.

    Notes
    -----
    Each vertex but the root takes its cheapest arc. A cycle of such arcs is made one vertex, which
    others enter for what they cost more than the arc that they replace. ``O(vertices * arcs)``.
    Source: Y. J. Chu, T. H. Liu, *On the shortest arborescence of a directed graph* (1965);
    J. Edmonds, *Optimum branchings* (1967).
    """
    number = {name: i for i, name in enumerate(vertices)}
    listed = [(number[a], number[b], price) for a, b, price in arcs if b != root and a != b]
    top, size, total = number[root], len(number), Fraction(0)
    while True:
        before = [top] * size
        least: list[Price | None] = [None] * size
        for a, b, price in listed:
            known = least[b]
            if known is None or price < known:
                before[b], least[b] = a, price
        least[top] = 0
        paid = [price for price in least if price is not None]
        if len(paid) < size:
            return None
        total += sum(paid)
        merged, smaller = _merged(before, top)
        if smaller == size:
            return total
        listed = [
            (merged[a], merged[b], price - paid[b])
            for a, b, price in listed
            if merged[a] != merged[b]
        ]
        top, size = merged[top], smaller


def _merged(before: Sequence[int], top: int) -> tuple[list[int], int]:
    """Give vertices new numbers, those of a cycle one; ``before[top]`` is not looked at."""
    number = [-1] * len(before)
    seen_from = [-1] * len(before)
    used = 0
    for start in range(len(before)):
        here = start
        while here != top and seen_from[here] == -1:
            seen_from[here] = start
            here = before[here]
        if here != top and seen_from[here] == start and number[here] == -1:
            while number[here] == -1:
                number[here] = used
                here = before[here]
            used += 1
    for vertex, given in enumerate(number):
        if given == -1:
            number[vertex] = used
            used += 1
    return number, used


class SteinerTable:
    """The cheapest trees from any vertex to any of a few ends, which branch at some vertices only.

    Parameters
    ----------
    arcs
        Of the graph. An arc that a tree takes twice is paid twice.
    ends
        To which trees lead. All of them are among `branching`.
    branching
        Vertices that several arcs of a tree may leave, and where it may end.

    Notes
    -----
    About ``3**len(ends)`` times the vertices that branch. Source: S. E. Dreyfus, R. A. Wagner, *The
    Steiner problem in graphs* (1971), on a directed graph.
    """

    def __init__(self, arcs: Arcs, ends: Sequence[str], branching: Collection[str]) -> None:
        self._backwards: dict[str, list[tuple[str, Price]]] = {}
        for here, leaving in arcs.items():
            for there, price in leaving:
                self._backwards.setdefault(there, []).append((here, price))
        self._bits = {end: 1 << i for i, end in enumerate(ends)}
        self._branching = branching
        self._rows: list[dict[str, Price]] = [{}]
        for subset in range(1, 1 << len(ends)):
            self._rows.append(self._spread(self._joined(subset)))

    def cost(self, root: str, ends: Iterable[str]) -> Price | None:
        """Price the cheapest tree from a root that branches to some of the ends. None if none.

        Parameters
        ----------
        root
            Any vertex.
        ends
            Some of the table's. The tree leads to all of them.
        """
        return self._rows[sum(self._bits[end] for end in ends)].get(root)

    def _joined(self, subset: int) -> dict[str, Price]:
        """Price trees that branch where they begin, or are nothing but an end."""
        if subset & (subset - 1) == 0:
            return {end: 0 for end, bit in self._bits.items() if bit == subset}
        found: dict[str, Price] = {}
        first = subset & -subset
        part = (subset - 1) & subset
        while part:
            if part & first:
                one, other = self._rows[part], self._rows[subset ^ part]
                for vertex in self._branching:
                    if vertex in one and vertex in other:
                        cost = one[vertex] + other[vertex]
                        if vertex not in found or cost < found[vertex]:
                            found[vertex] = cost
            part = (part - 1) & subset
        return found

    def _spread(self, begun: Mapping[str, Price]) -> dict[str, Price]:
        """Let routes lead to where trees begin, by Dijkstra's algorithm."""
        order = count()
        heap = [(cost, next(order), vertex) for vertex, cost in begun.items()]
        heapify(heap)
        found: dict[str, Price] = {}
        while heap:
            cost, _, here = heappop(heap)
            if here in found:
                continue
            found[here] = cost
            for there, price in self._backwards.get(here, ()):
                if there not in found:
                    heappush(heap, (cost + price, next(order), there))
        return found
