"""Flows without what goes round in circles."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.platform import Platform


def without_cycles(platform: Platform, flow: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Take all cycles out of a flow, and leave out the arcs that then carry nothing.

    What comes in and goes out of each processor stays as it is.

    Parameters
    ----------
    flow
        How much each arc carries, by its index.

    Notes
    -----
    Walks along arcs that carry something, the first of each processor first; whenever the walk
    bites its tail, the cycle is taken out. ``O(arcs)`` per cycle, and each cycle empties an arc.
    """
    left = {arc: amount for arc, amount in flow.items() if amount}
    leaving: dict[int, list[int]] = defaultdict(list)
    for arc in sorted(left, reverse=True):
        leaving[platform.arcs[arc].source].append(arc)
    finished: set[int] = set()
    for start in sorted(leaving):
        walk: list[int] = []
        position = {start: 0}
        place = start
        while True:
            onward = leaving[place]
            while onward and (not left[onward[-1]] or platform.arcs[onward[-1]].target in finished):
                onward.pop()
            if not onward:
                finished.add(place)
                del position[place]
                if not walk:
                    break
                place = platform.arcs[walk.pop()].source
                continue
            walk.append(onward[-1])
            place = platform.arcs[onward[-1]].target
            if place not in position:
                position[place] = len(walk)
                continue
            cycle = walk[position[place] :]
            amount = min(left[arc] for arc in cycle)
            for arc in cycle:
                left[arc] -= amount
            for arc in cycle[1:]:
                del position[platform.arcs[arc].source]
            del walk[position[place] :]
    return {arc: amount for arc, amount in left.items() if amount}
