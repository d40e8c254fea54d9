"""The route of each pair of processors, from trying all simple paths."""

from fractions import Fraction

from steadygrid.domain.platform import Platform

Way = tuple[int, ...]
"""Processors, in order."""


def all_ways(platform: Platform) -> dict[tuple[int, int], Way]:
    """Give the route of each pair that has one: the given one, or the best of all simple paths."""
    ids = [processor.id for processor in platform.processors]
    best: dict[tuple[int, int], tuple[Fraction, int, list[str], Way]] = {}

    def walk(way: Way, time: Fraction) -> None:
        found = (time, len(way), [ids[i] for i in way], way)
        ends = (way[0], way[-1])
        best[ends] = min(best.get(ends, found), found)
        for arc in platform.arcs_out[way[-1]]:
            if arc.target not in way:
                walk((*way, arc.target), time + arc.unit_time)

    for start in range(len(ids)):
        walk((start,), Fraction(0))
    ways = {ends: entry[3] for ends, entry in best.items() if ends[0] != ends[1]}
    for route in platform.routes:
        steps = (route.source, *route.via, route.target)
        way = tuple(platform.index_by_id[step] for step in steps)
        if route.missing:
            ways.pop((way[0], way[-1]), None)
        else:
            ways[way[0], way[-1]] = way
    return ways
