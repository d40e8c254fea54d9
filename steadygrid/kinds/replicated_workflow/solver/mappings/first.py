"""A mapping of one processor for each stage, where there is one."""

from math import inf

from steadygrid.kinds.replicated_workflow.limits import MOST_TRIED
from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space, Tuples

MOST_STEPS = 100_000
"""Choices that are looked at; beyond them, or beyond `MOST_TRIED`, nothing is known."""


class TooLong(Exception):
    """Whether there is a mapping takes too many steps to find out."""


def first_mapping(space: Space) -> Tuples | None:
    """Find a processor for each stage with all links, by the quickest resources first.

    Depth first. A processor that is chosen leaves the neighbours of its stage those that it has a
    link with, and all other stages the others. The stage with the fewest left is next, and its
    processor is the one that leaves the longest mean time of a resource shortest.

    Returns
    -------
    Tuples
        None if there is none.

    Raises
    ------
    TooLong
        If `MOST_STEPS` are not enough to tell, or a referee would not find out.
    """
    size = len(space.stages)
    chosen: list[tuple[int, ...]] = [()] * size
    left: dict[int, frozenset[int]] | None = {
        k: frozenset(times) for k, times in enumerate(space.times)
    }
    stack: list[tuple[dict[int, frozenset[int]], int, int]] = []
    trail: list[int] = []
    steps = tried = 0
    while left:
        _, stage = min((len(able), k) for k, able in left.items())
        steps += 1
        tried += len(left) * len(left[stage])
        if steps > MOST_STEPS or tried > MOST_TRIED:
            raise TooLong
        found = []
        for p in left[stage]:
            trial = [*chosen]
            trial[stage] = (p,)
            longest = space.rough(trial)
            if longest < inf:
                found.append((longest, p))
        stack += [(left, stage, p) for _, p in sorted(found, reverse=True)]
        left = None
        while stack and left is None:
            space.heartbeat()
            before, stage, p = stack.pop()
            while len(trail) > size - len(before):
                chosen[trail.pop()] = ()
            left = _remaining_choices(space, before, stage, p)
        if left is not None:
            chosen[stage] = (p,)
            trail.append(stage)
    return None if left is None else tuple(chosen)


def _remaining_choices(
    space: Space, left: dict[int, frozenset[int]], stage: int, processor: int
) -> dict[int, frozenset[int]] | None:
    """Give what a choice leaves to the other stages. None if it leaves one of them nothing."""
    rest = {k: able - {processor} for k, able in left.items() if k != stage}
    for exchange, other in space.neighbours[stage]:
        if other in rest:
            links = space.links
            if exchange.sender == stage:
                rest[other] = frozenset(q for q in rest[other] if (processor, q) in links)
            else:
                rest[other] = frozenset(q for q in rest[other] if (q, processor) in links)
    return rest if all(rest.values()) else None
