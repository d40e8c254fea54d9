"""One processor for each stage, then one more for the stage that holds up the others."""

from collections.abc import Iterator
from fractions import Fraction

from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space, Tuples


def greedy(space: Space, start: Tuples) -> Iterator[Tuples]:
    """Give the mapping to start with, and better and better ones.

    As long as the period falls, some free processor is appended to some stage: of all ways the one
    whose period is shortest, of equals the one whose longest mean time of a resource is shortest.

    Parameters
    ----------
    space
        The mappings of an instance.
    start
        A mapping whose links are there.
    """
    best, period = start, space.period(start)
    assert period is not None
    yield best
    while True:
        found: tuple[Fraction, float, Tuples] | None = None
        for mapping in _grown(space, best):
            space.heartbeat()
            longest = space.rough(mapping)
            if longest >= period or not space.fits(mapping):
                continue
            if found is None or longest < found[0]:
                shorter = space.period(mapping)
                if shorter is not None:
                    one = shorter, longest, mapping
                    found = one if found is None else min(found, one)
        if found is None or found[0] >= period:
            return
        period, _, best = found
        yield best


def _grown(space: Space, mapping: Tuples) -> Iterator[Tuples]:
    for p in space.free(mapping):
        for k, processors in enumerate(mapping):
            if p in space.times[k] and len(processors) < space.most[k]:
                yield (*mapping[:k], (*processors, p), *mapping[k + 1 :])
