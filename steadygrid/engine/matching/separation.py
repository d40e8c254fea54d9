r"""Odd sets of vertices among which more is sent than slots can carry.

For times :math:`t_e` on the edges of a graph and a period of length L, with no more than L at any
vertex, an odd set B is violated if :math:`\sum_{e \subseteq B} t_e > L (|B| - 1) / 2`. Let a further
vertex be joined to each vertex v by an edge of weight :math:`L - \sum_{e \ni v} t_e`. Then the edges
that leave B weigh :math:`L |B| - 2 \sum_{e \subseteq B} t_e` together, which is less than L exactly
if B is violated. The set that is violated most is a minimum odd cut, and one of the cuts of a
Gomory-Hu tree is one (Padberg and Rao, *Odd minimum cut-sets and b-matchings*, 1982).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

import networkx as nx

from steadygrid.engine.matching.odd_sets import OddSet, Pair

_SLACK = -1
"""The further vertex."""


def violated_sets(
    times: Mapping[Pair, int], length: int, check: Callable[[], None] = lambda: None
) -> list[OddSet]:
    """Find odd sets that a period of some length has no room for.

    Parameters
    ----------
    times
        By edge, above 0; together at most `length` at each vertex.
    length
        Of the period, in the same unit.
    check
        Called between steps; may raise.

    Returns
    -------
    list of OddSet
        Sets that are violated, each connected beyond the loss of one vertex; empty only if no
        set is. In a fixed order.

    Notes
    -----
    Exact: all numbers are Python's integers. A set that matters has no bridge and no vertex whose
    loss parts it, and is not bipartite. So each block of the graph is looked at by itself:
    as many maximum flows as it has vertices.
    """
    graph = nx.Graph()
    graph.add_weighted_edges_from(((u, v, time) for (u, v), time in sorted(times.items())))
    found: dict[tuple[int, ...], None] = {}
    for block in nx.biconnected_components(graph):
        check()
        inner = graph.subgraph(block)
        if len(block) >= 3 and not nx.is_bipartite(inner):
            for members in _violated(inner, length):
                found.setdefault(tuple(sorted(members)))
    return [OddSet(members) for members in sorted(found, key=lambda m: (len(m), m))]


def least_length(
    times: Mapping[Pair, int], length: int, check: Callable[[], None] = lambda: None
) -> int:
    """Give the least length that no odd set is violated for, at least `length`.

    Parameters
    ----------
    times
        By pair of processors, each pair once.
    length
        In the unit of the times. No processor is busy for longer.
    check
        Called between steps; may raise.

    Notes
    -----
    Newton's method: the length rises to the largest one that a violated set needs, until there is
    none. Each set is met once.
    """
    while sets := violated_sets(times, length, check):
        length = max(-(-_inside(times, odd.members) // odd.max_transfers) for odd in sets)
    return length


def _inside(times: Mapping[Pair, int], members: Iterable[int]) -> int:
    inner = set(members)
    return sum(time for (u, v), time in times.items() if u in inner and v in inner)


def _violated(block: nx.Graph, length: int) -> Iterator[frozenset[int]]:
    """Look for violated sets among the cuts of a Gomory-Hu tree of a block."""
    graph = nx.Graph()
    for u, v, time in block.edges(data="weight"):
        graph.add_edge(u, v, capacity=time)
    for vertex, busy in block.degree(weight="weight"):
        graph.add_edge(vertex, _SLACK, capacity=length - busy)
    tree = nx.gomory_hu_tree(graph)
    for one, other, weight in list(tree.edges(data="weight")):
        if weight >= length:
            continue
        tree.remove_edge(one, other)
        side = nx.node_connected_component(tree, one)
        if _SLACK in side:
            side = nx.node_connected_component(tree, other)
        tree.add_edge(one, other, weight=weight)
        if len(side) % 2:
            yield from _cores(block.subgraph(side), length)


def _cores(graph: nx.Graph, length: int) -> Iterator[frozenset[int]]:
    """Break a violated set up into violated sets that the loss of no vertex parts.

    Notes
    -----
    If a set is violated and falls into parts, then so is one of its odd parts. If the loss of v
    parts it into even parts, one of them is violated together with v; otherwise, one of
    the odd ones is. (An even part holds no more than half its vertices, v no more than 1.)
    """
    # Not Graph.size("weight"), which halves the sum of the degrees in floating point.
    if 2 * sum(time for _, _, time in graph.edges(data="weight")) <= length * (len(graph) - 1):
        return
    vertex = next(chain(sorted(nx.articulation_points(graph)), (None,)))
    if vertex is None and nx.is_connected(graph):
        yield frozenset(graph)
        return
    parts = list(nx.connected_components(graph.subgraph(set(graph) - {vertex})))
    odd = [part for part in parts if len(part) % 2]
    for part in odd or [{*part, vertex} for part in parts]:
        yield from _cores(graph.subgraph(part), length)
