"""Weighted arborescences that satisfy given demands within integer capacities."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from steadygrid.engine.arborescences.cuts import Arc
from steadygrid.engine.arborescences.growth import PATIENCE, Growth, Tree
from steadygrid.engine.arborescences.maxflow import MaxFlow
from steadygrid.engine.arborescences.splitting import Interiors, split_off

VertexPath = tuple[int, ...]
"""A path of vertices from a member over forwarders to another member."""


@dataclass(frozen=True)
class Arborescence:
    """A tree of paths between members.

    Attributes
    ----------
    root
        Where it begins.
    weight
        How often it is used.
    routes
        Each begins at the root or at the end of an earlier one. Every member but the root is the
        end of exactly one. Two paths may share an arc, which then carries the weight twice.
    """

    root: int
    weight: int
    routes: tuple[VertexPath, ...]


def pack(
    number: int,
    capacities: Mapping[Arc, int],
    demands: Mapping[int, int],
    members: Collection[int],
    check: Callable[[], None] = lambda: None,
    shallow: bool = False,
    patience: int = PATIENCE,
) -> list[Arborescence]:
    """Pack arborescences that span all members.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    capacities
        By arc; integers. At every forwarder (a vertex that is no member) in >= out; `balanced`
        makes that so.
    demands
        By root, a member: the sum of the weights of its trees.
    members
        Who copies and is reached by every tree. All others pass on what enters them, once.
    check
        Called often; may raise, for instance when the time is over.
    shallow
        Deal out the capacity of forwarders evenly: where all members are joined by switches trees
        are up to seven times less deep, elsewhere they need not be; mostly they are several times
        as many.
    patience
        After how many trees that could not be completed every arc is tested by a flow.

    Returns
    -------
    list of Arborescence
        By root, the heaviest first. No arc carries more than its capacity, counted as often as a
        tree's paths pass it. Of one root no two are equal.

    Raises
    ------
    ValueError
        If there is no such packing, with a set that proves it. If a forwarder sends more than it
        takes.
    """
    split = split_off(number, capacities, demands, members, check, even=shallow)
    growth = Growth(members, split.capacities, demands, split.narrow, check, patience)
    weights: dict[tuple[int, tuple[VertexPath, ...]], int] = defaultdict(int)
    for tree in growth.run():
        for weight, routes in _over_forwarders(tree, split.routes):
            weights[tree.root, routes] += weight
    trees = [Arborescence(root, weight, routes) for (root, routes), weight in weights.items()]
    return sorted(trees, key=lambda tree: (tree.root, -tree.weight, tree.routes))


def _over_forwarders(
    tree: Tree, routes: dict[Arc, Interiors]
) -> list[tuple[int, tuple[VertexPath, ...]]]:
    """Let the arcs of a tree take paths that are left, which may cut its weight into parts."""
    parts: list[tuple[int, tuple[VertexPath, ...]]] = []
    rest = tree.weight
    while rest:
        chosen = [_roomiest(routes[arc], rest) for arc in tree.arcs]
        weight = min([rest, *(routes[a][i] for a, i in zip(tree.arcs, chosen, strict=True))])
        paths: list[VertexPath] = []
        for arc, interior in zip(tree.arcs, chosen, strict=True):
            routes[arc][interior] -= weight
            if not routes[arc][interior]:
                del routes[arc][interior]
            paths.append((arc[0], *interior, arc[1]))
        parts.append((weight, tuple(paths)))
        rest -= weight
    return parts


def _roomiest(routes: Interiors, weight: int) -> VertexPath:
    """Choose the path with the least room for all of a weight, or that with the most room."""
    enough = [interior for interior, room in routes.items() if room >= weight]
    if enough:
        return min(enough, key=lambda interior: (routes[interior], interior))
    return max(routes, key=lambda interior: (routes[interior], interior))


def balanced(capacities: Mapping[Arc, int], forwarders: Collection[int]) -> dict[Arc, int]:
    """Reduce capacities by little until in = out at every forwarder.

    Parameters
    ----------
    capacities
        By arc; integers, at least 0.
    forwarders
        Where in = out is wanted.

    Returns
    -------
    dict
        Capacities above 0, none larger than before.

    Notes
    -----
    What is taken away is a flow: from forwarders that send too much along arcs to forwarders that
    take too much, or from and to any other vertices. Two maximum flows along shortest paths find
    it. All capacities together are such a flow, so there always is one.
    """
    inner = set(forwarders)
    wide = {arc: c for arc, c in capacities.items() if c and arc[0] != arc[1]}
    excess: dict[int, int] = dict.fromkeys(sorted(inner), 0)
    for (tail, head), capacity in wide.items():
        if head in inner:
            excess[head] += capacity
        if tail in inner:
            excess[tail] -= capacity
    everything = sum(wide.values())
    number = 1 + max((v for arc in wide for v in arc), default=0)
    number = max(number, 1 + max(inner, default=0))
    ends = {v for arc in wide for v in arc} - inner
    start, stop, outside = number, number + 1, number + 2
    flow = MaxFlow(number + 3)
    numbers = {arc: flow.add(*arc, capacity) for arc, capacity in wide.items()}
    for vertex in ends:
        flow.add(vertex, outside, everything)
    for vertex, amount in excess.items():
        if amount < 0:
            flow.add(start, vertex, -amount)
        elif amount:
            flow.add(vertex, stop, amount)
    out = flow.add(outside, stop, everything)
    flow.push(start, stop)
    flow.set_capacity(out, flow.flow(out))
    for vertex in ends:
        flow.add(start, vertex, everything)
    flow.push(start, stop)
    left = {arc: capacity - flow.flow(numbers[arc]) for arc, capacity in wide.items()}
    return {arc: capacity for arc, capacity in left.items() if capacity}
