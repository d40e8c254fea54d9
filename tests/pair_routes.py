"""The route of each pair of processors, from trying all simple paths."""

from fractions import Fraction

from steadygrid.domain.platform import Platform

Route = tuple[int, ...]
"""Processors, in order."""


def all_routes(platform: Platform) -> dict[tuple[int, int], Route]:
    """Give the route of each pair that has one: the given one, or the best of all simple paths."""
    ids = [processor.id for processor in platform.processors]
    best: dict[tuple[int, int], tuple[Fraction, int, list[str], Route]] = {}

    def walk(route: Route, time: Fraction) -> None:
        found = (time, len(route), [ids[i] for i in route], route)
        ends = (route[0], route[-1])
        best[ends] = min(best.get(ends, found), found)
        for arc in platform.arcs_out[route[-1]]:
            if arc.target not in route:
                walk((*route, arc.target), time + arc.unit_time)

    for start in range(len(ids)):
        walk((start,), Fraction(0))
    routes = {ends: entry[3] for ends, entry in best.items() if ends[0] != ends[1]}
    for declared in platform.routes:
        steps = (declared.source, *declared.via, declared.target)
        route = tuple(platform.index_by_id[step] for step in steps)
        if declared.missing:
            routes.pop((route[0], route[-1]), None)
        else:
            routes[route[0], route[-1]] = route
    return routes
