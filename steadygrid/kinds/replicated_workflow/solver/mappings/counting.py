"""Whether the bound by numbers of processors is one, exactly: what is in floating point is checked."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, prod

from steadygrid.kinds.replicated_workflow.limits import MOST_COUNT_STEPS
from steadygrid.kinds.replicated_workflow.solver.mappings.copies import busy_times, by_class
from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space

Used = tuple[int, ...]
"""Processors by class."""


def proves_bound(space: Space, value: Fraction) -> bool:
    """Tell whether no numbers of processors allow a larger throughput; False where that takes too long.

    Stage by stage: the least numbers of processors by class that the stages so far can have, none of
    which is less than another in every class.

    Parameters
    ----------
    space
        The mappings of an instance.
    value
        The throughput that is the bound.
    """
    classes = by_class(busy_times(space))
    counts = tuple(len(processor_class.processors) for processor_class in classes)
    period = 1 / value
    quick = [
        [_quick_classes(loads_of, number, period) for number in range(1, most + 1)]
        for loads_of, most in zip(
            [
                [processor_class.loads.get(k) for processor_class in classes]
                for k in range(len(space.most))
            ],
            space.most,
            strict=True,
        )
    ]
    choices = sum(
        comb(number + len(able) - 1, number)
        for stage in quick
        for number, able in enumerate(stage, start=1)
        if able
    )
    if choices * prod(count + 1 for count in counts) > MOST_COUNT_STEPS:
        return False
    reached: list[Used] = [(0,) * len(counts)]
    for stage in quick:
        space.heartbeat()
        own = {
            used
            for number, able in enumerate(stage, start=1)
            for used in _distributions(counts, able, number)
        }
        added = (
            tuple(map(sum, zip(one, other, strict=True)))
            for one in reached
            for other in _least_numbers(own)
        )
        reached = _least_numbers({used for used in added if _fits_within(used, counts)})
    return not reached


def _quick_classes(loads: Sequence[Fraction | None], number: int, period: Fraction) -> list[int]:
    """Give the classes that are busy for less than so many periods."""
    return [s for s, load in enumerate(loads) if load is not None and load < number * period]


def _distributions(counts: Used, able: Sequence[int], number: int) -> Iterator[Used]:
    """Give all numbers by class of so many processors."""
    if not able:
        return
    first, others = able[0], able[1:]
    if not others:
        if number <= counts[first]:
            yield tuple(number if s == first else 0 for s in range(len(counts)))
        return
    for own in range(min(number, counts[first]) + 1):
        for rest in _distributions(counts, others, number - own):
            yield tuple(own if s == first else value for s, value in enumerate(rest))


def _fits_within(used: Used, counts: Used) -> bool:
    return all(one <= count for one, count in zip(used, counts, strict=True))


def _least_numbers(numbers: set[Used]) -> list[Used]:
    """Leave out what is no less than another in any class."""
    kept: list[Used] = []
    for one in sorted(numbers, key=lambda used: (sum(used), used)):
        if not any(_fits_within(other, one) for other in kept):
            kept.append(one)
    return kept
