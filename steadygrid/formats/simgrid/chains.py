"""Which declared routes SimGrid chains within a zone, ties as its loops leave them."""

import heapq
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from steadygrid.formats.simgrid.declarations import DeclaredRoute
from steadygrid.formats.simgrid.network import Ends

Chain = Callable[[str, str], list[Ends] | None]
"""Which declared routes of a zone, by their ends, lead from one to another of its members."""


def declared(costs: Mapping[Ends, int]) -> Chain:
    """Take the one route that is declared."""
    return lambda source, target: [(source, target)] if (source, target) in costs else None


def floyd(members: Iterable[str], costs: Mapping[Ends, int]) -> Chain:
    """Run Floyd and Warshall's algorithm over the members in their order, the first of equals kept.

    Parameters
    ----------
    members
        All ends of routes, in SimGrid's order.
    costs
        By the ends of each declared route, how many links it has.
    """
    cost: dict[str, dict[str, int]] = {name: {} for name in members}
    before: dict[str, dict[str, str]] = {name: {} for name in cost}
    for (source, target), links in costs.items():
        cost[source][target] = links
        before[source][target] = source
    for middle, onward in cost.items():
        for source, here in cost.items():
            if middle not in here:
                continue
            reached = before[source]
            for target, further in onward.items():
                through = here[middle] + further
                if target != source and (target not in here or through < here[target]):
                    here[target] = through
                    reached[target] = before[middle][target]

    def chain(source: str, target: str) -> list[Ends] | None:
        return _back(before[source], source, target)

    return chain


def dijkstra(routes: Iterable[DeclaredRoute], costs: Mapping[Ends, int]) -> Chain:
    """Run Dijkstra's algorithm; of equals, the end that a route named first is looked at first.

    Parameters
    ----------
    routes
        In the order of the document.
    costs
        By the ends of each declared route, how many links it has.
    """
    named = dict.fromkeys(end for route in routes for end in (route.source, route.target))
    number = {name: i for i, name in enumerate(named)}
    onward: dict[str, list[tuple[str, int]]] = {}
    for (source, target), links in costs.items():
        onward.setdefault(source, []).append((target, links))
    trees: dict[str, dict[str, str]] = {}

    def tree(source: str) -> dict[str, str]:
        cost = {source: 0}
        before: dict[str, str] = {}
        done: set[str] = set()
        heap = [(0, number.get(source, -1), source)]
        while heap:
            here_cost, _, here = heapq.heappop(heap)
            if here in done:
                continue
            done.add(here)
            for target, links in onward.get(here, ()):
                if target not in cost or here_cost + links < cost[target]:
                    cost[target] = here_cost + links
                    before[target] = here
                    heapq.heappush(heap, (cost[target], number[target], target))
        return before

    def chain(source: str, target: str) -> list[Ends] | None:
        if source not in trees:
            trees[source] = tree(source)
        return _back(trees[source], source, target)

    return chain


def _back(before: Mapping[str, str], source: str, target: str) -> list[Ends] | None:
    """Follow predecessors back from a target."""
    steps = [target]
    while steps[-1] != source:
        if steps[-1] not in before:
            return None
        steps.append(before[steps[-1]])
    return list(pairwise(reversed(steps)))
