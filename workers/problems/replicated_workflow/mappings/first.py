"""A mapping of one processor for each stage, where there is one."""

from steadygrid.problems.replicated_workflow.limits import MOST_TRIED
from workers.problems.replicated_workflow.mappings.space import Space, Tuples

MOST_STEPS = 100_000
"""Choices that are looked at; beyond them, or beyond `MOST_TRIED`, nothing is known."""


class TooLong(Exception):
    """Whether there is a mapping takes too many steps to find out."""


def first_mapping(space: Space) -> Tuples | None:
    """Find a processor for each stage with all links, by the quickest resources first.

    Depth first; a processor that is chosen leaves the neighbours of its stage those that it has a
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
    stack = [({k: frozenset(times) for k, times in enumerate(space.times)}, -1, -1)]
    trail: list[int] = []
    steps = tried = 0
    while stack:
        left, stage, processor = stack.pop()
        while trail and (stage < 0 or len(trail) > size - len(left) - 1):
            chosen[trail.pop()] = ()
        if stage >= 0:
            chosen[stage] = (processor,)
            trail.append(stage)
        if not left:
            return tuple(chosen)
        stage = min(left, key=lambda k: (len(left[k]), k))
        steps += 1
        tried += len(left) * len(left[stage])
        if steps > MOST_STEPS or tried > MOST_TRIED:
            raise TooLong
        space.heartbeat()
        found = []
        for p in left[stage]:
            rest = _left(space, left, stage, p)
            if rest is not None:
                trial = [*chosen]
                trial[stage] = (p,)
                found.append((space.rough(trial), p, rest))
        found.sort(key=lambda one: (-one[0], -one[1]))
        stack += [(rest, stage, p) for _, p, rest in found]
    return None


def _left(
    space: Space, left: dict[int, frozenset[int]], stage: int, processor: int
) -> dict[int, frozenset[int]] | None:
    """Give what a choice leaves to the other stages; None if it leaves one of them nothing."""
    rest = {k: able - {processor} for k, able in left.items() if k != stage}
    for exchange, other in space.neighbours[stage]:
        if other in rest:
            links = space.links
            if exchange.sender == stage:
                rest[other] = frozenset(q for q in rest[other] if (processor, q) in links)
            else:
                rest[other] = frozenset(q for q in rest[other] if (q, processor) in links)
    return rest if all(rest.values()) else None
