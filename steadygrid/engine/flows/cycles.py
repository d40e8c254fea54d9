"""Flows without what goes round in circles."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Protocol


class Joining(Protocol):
    """What leads from one place to another."""

    @property
    def source(self) -> int:
        """Where it begins."""

    @property
    def target(self) -> int:
        """Where it ends."""


def without_cycles(arcs: Sequence[Joining], flow: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Take all cycles out of a flow, and leave out the arcs that then carry nothing.

    What comes in and goes out of each place stays as it is.

    Parameters
    ----------
    arcs
        All that leads from one place to another.
    flow
        How much each arc carries, by its index.

    Notes
    -----
    Walks along arcs that carry something, the first of each place first; whenever the walk
    bites its tail, the cycle is taken out. ``O(arcs)`` per cycle, and each cycle empties an arc.
    """
    left = {arc: amount for arc, amount in flow.items() if amount}
    leaving: dict[int, list[int]] = defaultdict(list)
    for arc in sorted(left, reverse=True):
        leaving[arcs[arc].source].append(arc)
    finished: set[int] = set()
    for start in sorted(leaving):
        walk: list[int] = []
        position = {start: 0}
        place = start
        while True:
            onward = leaving[place]
            while onward and (not left[onward[-1]] or arcs[onward[-1]].target in finished):
                onward.pop()
            if not onward:
                finished.add(place)
                del position[place]
                if not walk:
                    break
                place = arcs[walk.pop()].source
                continue
            walk.append(onward[-1])
            place = arcs[onward[-1]].target
            if place not in position:
                position[place] = len(walk)
                continue
            cycle = walk[position[place] :]
            amount = min(left[arc] for arc in cycle)
            for arc in cycle:
                left[arc] -= amount
            for arc in cycle[1:]:
                del position[arcs[arc].source]
            del walk[position[place] :]
    return {arc: amount for arc, amount in left.items() if amount}
