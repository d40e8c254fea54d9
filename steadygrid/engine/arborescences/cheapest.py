"""Cheapest paths over forwarders, and cheapest arborescences over members."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import lcm

from steadygrid.engine.arborescences.cuts import Arc, Number

Entering = list[tuple[int, Arc] | None]
"""By tail: the cheapest arc from there into a component, with its price there."""


@dataclass(frozen=True)
class CheapestPath:
    """A path over forwarders from one member to another, and its price."""

    price: Fraction
    path: tuple[int, ...]


@dataclass(frozen=True)
class CheapestTree:
    """Arcs in an order in which each begins at the root or at the head of an earlier one."""

    cost: Fraction
    arcs: tuple[Arc, ...]


def in_integers(prices: Mapping[Arc, Number]) -> tuple[dict[Arc, int], int]:
    """Multiply prices by their least common denominator, which is given too."""
    scale = lcm(1, *(Fraction(price).denominator for price in prices.values()))
    return {arc: int(price * scale) for arc, price in prices.items()}, scale


def cheapest_paths(
    prices: Mapping[Arc, Number], members: Collection[int], number: int
) -> dict[Arc, CheapestPath]:
    """Find the cheapest paths over forwarders from every member to every other one.

    Parameters
    ----------
    prices
        By arc, at least 0.
    members
        Where paths begin and end. No path passes one in between.
    number
        The vertices are ``0..number-1``.

    Returns
    -------
    dict
        By beginning and end; without the pairs that no path joins. Of equally cheap paths one with
        the fewest arcs.

    Notes
    -----
    E. W. Dijkstra, *A note on two problems in connexion with graphs*, 1959, from each member, in
    integers: ``O(members arcs log number)``.
    """
    whole, scale = in_integers(prices)
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(number)]
    for (tail, head), price in whole.items():
        leaving[tail].append((head, price))
    inner = [True] * number
    for member in members:
        inner[member] = False
    found: dict[Arc, CheapestPath] = {}
    for start in sorted(members):
        reached: dict[int, tuple[int, int]] = {start: (0, 0)}
        before: dict[int, int] = {}
        settled: set[int] = set()
        heap = [(0, 0, start)]
        while heap:
            price, steps, vertex = heappop(heap)
            if vertex in settled:
                continue
            settled.add(vertex)
            if vertex != start and not inner[vertex]:
                continue
            for head, further in leaving[vertex]:
                label = (price + further, steps + 1)
                if head not in reached or label < reached[head]:
                    reached[head] = label
                    before[head] = vertex
                    heappush(heap, (*label, head))
        for end in sorted(settled.intersection(members) - {start}):
            path = [end]
            while path[-1] != start:
                path.append(before[path[-1]])
            found[start, end] = CheapestPath(Fraction(reached[end][0], scale), tuple(path[::-1]))
    return found


def cheapest_arborescence(
    costs: Mapping[Arc, Number], root: int, members: Collection[int]
) -> CheapestTree:
    """Find the cheapest arborescence that spans all members.

    Parameters
    ----------
    costs
        By arc between members; of any sign.
    root
        Where it begins, a member.
    members
        What it spans.

    Raises
    ------
    ValueError
        If some member cannot be reached from the root.

    Notes
    -----
    Y. J. Chu, T. H. Liu, *On the shortest arborescence of a directed graph*, 1965; J. Edmonds,
    *Optimum branchings*, 1967. A path grows backwards along cheapest entering arcs; cycles become
    components, whose entering arcs cost what they cost more than the arc of the cycle that they
    replace. Every component keeps one entering arc for each tail: ``O(members^2)`` in all.
    """
    whole, scale = in_integers(
        {(u, v): c for (u, v), c in costs.items() if u != v and v != root and u in members}
    )
    contraction = _Contraction(sorted(members), whole)
    done = {contraction.leaf(root)}
    for vertex in sorted(members):
        path = [contraction.top(contraction.leaf(vertex))]
        while path[-1] not in done:
            tail = contraction.choose(path[-1])
            if tail is None:
                lost = contraction.vertices(path[-1])
                raise ValueError(f"no arc leads from root {root} into {lost}: add one")
            if tail in path:
                cycle = path[path.index(tail) :]
                del path[path.index(tail) :]
                path.append(contraction.contract(cycle))
            else:
                path.append(tail)
        done.update(path)
    parents = contraction.expand()
    arcs: list[Arc] = []
    waiting = [root]
    children: dict[int, list[int]] = {}
    for head in sorted(parents):
        children.setdefault(parents[head], []).append(head)
    for vertex in waiting:
        arcs += ((vertex, head) for head in children.get(vertex, ()))
        waiting += children.get(vertex, ())
    return CheapestTree(Fraction(sum(whole[arc] for arc in arcs), scale), tuple(arcs))


class _Contraction:
    """Components within components, each with its arcs that enter it.

    Components are numbered. The first are the single vertices, in order.
    """

    def __init__(self, vertices: list[int], costs: Mapping[Arc, int]) -> None:
        self._vertices = vertices
        self._leaf = {vertex: k for k, vertex in enumerate(vertices)}
        self._top = list(range(len(vertices)))
        self._entering: list[Entering] = [[None] * len(vertices) for _ in vertices]
        self._chosen: dict[int, tuple[int, Arc]] = {}
        self._outer: dict[int, int] = {}
        self._cycles: dict[int, list[int]] = {}
        for (tail, head), cost in costs.items():
            if head in self._leaf:
                self._entering[self._leaf[head]][self._leaf[tail]] = (cost, (tail, head))

    def leaf(self, vertex: int) -> int:
        """Give the component of a single vertex."""
        return self._leaf[vertex]

    def top(self, leaf: int) -> int:
        """Give the largest component that holds a vertex."""
        return self._top[leaf]

    def vertices(self, component: int) -> list[int]:
        """Give the vertices of a largest component."""
        return [v for v, top in zip(self._vertices, self._top, strict=True) if top == component]

    def choose(self, component: int) -> int | None:
        """Choose the cheapest arc into a component; give the component from which it comes."""
        arcs = [arc for arc in self._entering[component] if arc]
        if not arcs:
            return None
        self._chosen[component] = cheapest = min(arcs)
        return self._top[self._leaf[cheapest[1][0]]]

    def contract(self, cycle: list[int]) -> int:
        """Make components that choose each other in a circle one."""
        made = len(self._entering)
        inside = set(cycle)
        merged: Entering = [None] * len(self._vertices)
        for component in cycle:
            paid, _ = self._chosen[component]
            for tail, arc in enumerate(self._entering[component]):
                if arc is None or self._top[tail] in inside:
                    continue
                best = merged[tail]
                if best is None or arc[0] - paid < best[0]:
                    merged[tail] = (arc[0] - paid, arc[1])
            self._outer[component] = made
        self._top = [made if top in inside else top for top in self._top]
        self._cycles[made] = cycle
        self._entering.append(merged)
        return made

    def expand(self) -> dict[int, int]:
        """Undo the contractions; give the tail of the arc into each vertex but the root."""
        entered = {component: arc for component, (_, arc) in self._chosen.items()}
        for component, cycle in reversed(self._cycles.items()):
            arc = entered.pop(component)
            replaced = self._leaf[arc[1]]
            while replaced not in cycle:
                replaced = self._outer[replaced]
            entered[replaced] = arc
        return {self._vertices[leaf]: arc[0] for leaf, arc in entered.items()}
