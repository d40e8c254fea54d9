"""One processor for each stage, then more for the stages that hold up the others."""

from collections.abc import Iterator
from fractions import Fraction

from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space, Tuples

SHORTER = 1 - 1e-12
"""What is longer by less than roundings is not looked at."""


def greedy(space: Space, start: Tuples) -> Iterator[Tuples]:
    """Give the mapping to start with, and better and better ones.

    Free processors are appended: one to a stage, or one to each of the stages that hold up the
    others. Of all changes the one is made whose period is shortest, of equals the one whose mean times
    are shortest, the longest compared first. It ends where no change makes either of them shorter.

    Parameters
    ----------
    space
        The mappings of an instance.
    start
        A mapping whose links are there.
    """
    best, period = start, space.period(start)
    assert period is not None
    times = space.sorted_times(best)
    yield best
    while True:
        found: tuple[Fraction, tuple[float, ...], Tuples] | None = None
        near = []
        for mapping in (*tied(space, best), *_grown(space, best)):
            space.heartbeat()
            own = space.sorted_times(mapping)
            if may_be_better(own, times, period) and space.fits(mapping):
                near.append((own, mapping))
        for own, mapping in sorted(near):
            if found is not None and own[0] * SHORTER > found[0]:
                break
            value = space.period(mapping)
            if value is not None and (value, own) < (period, times):
                one = value, own, mapping
                found = one if found is None else min(found, one)
        if found is None:
            return
        falls = found[0] < period
        period, times, best = found
        if falls:
            yield best


def may_be_better(times: tuple[float, ...], best: tuple[float, ...], period: Fraction) -> bool:
    """Tell whether a mapping may have a shorter period, or the same with shorter mean times.

    Parameters
    ----------
    times
        Mean times of its processors, the longest first.
    best
        Those of a known mapping.
    period
        Of the known mapping.
    """
    return times[0] < float(period) * SHORTER or (times < best and times[0] * SHORTER <= period)


def tied(space: Space, mapping: Tuples) -> Iterator[Tuples]:
    """Append a processor to each of the stages that hold up the others, as far as there are any.

    Parameters
    ----------
    space
        The mappings of an instance.
    mapping
        By stage, its processors in turn, by position.
    """
    stages = [k for k in space.longest_stages(mapping) if len(mapping[k]) < space.most[k]]
    if len(stages) < 2:
        return
    grown = [*mapping]
    for k in stages:
        able = [p for p in space.free(grown) if p in space.times[k]]
        if able:
            grown[k] = (*grown[k], min(able, key=space.times[k].__getitem__))
    if sum(map(len, grown)) > 1 + sum(map(len, mapping)):
        yield tuple(grown)


def _grown(space: Space, mapping: Tuples) -> Iterator[Tuples]:
    for p in space.free(mapping):
        for k, processors in enumerate(mapping):
            if p in space.times[k] and len(processors) < space.most[k]:
                yield (*mapping[:k], (*processors, p), *mapping[k + 1 :])
