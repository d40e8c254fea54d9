"""How many processors each stage gets, and which: a bound of all mappings, and one that may meet it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import NoSolution, search_mixed_integer
from steadygrid.kinds.replicated_workflow.solver.mappings.model_copies import build_copies
from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space, Tuples

MOST_CHOICES = 20_000
"""Variables of the program of copies that choose processors."""


class ProcessorClass(NamedTuple):
    """Processors that are busy equally long with a data set of each stage."""

    processors: list[int]
    loads: Mapping[int, Fraction]
    """By stage that they can run."""


Numbers = Sequence[Mapping[int, int]]
"""By stage, how many processors of each class it gets."""


class Counted(NamedTuple):
    """A throughput that no mapping exceeds, by the numbers of processors alone."""

    value: Fraction
    mapping: Tuples | None
    """With the numbers that give the bound. None if it has no links, or a known one is as good."""
    complete: bool
    """Whether each program was answered; else more time may give a lower bound."""


def by_copies(space: Space, control: Control, known: Fraction | None) -> Counted | None:
    """Bound by how many processors each stage gets, and which: a search's word.

    A processor of a stage with r has one data set in r, so it must not be busy with one for more than r
    periods. Of the periods that processors allow, the least for which disjoint sets of
    processors exist is found by bisection. The sets are a mapping, which often has that period.

    Parameters
    ----------
    known
        Period of a mapping, where there is one.

    Returns
    -------
    Counted
        None where the programs would be too large.
    """
    loads = busy_times(space)
    classes = by_class(loads)
    choices = sum(
        min(space.most[k], len(loads[k]))
        for processor_class in classes
        for k in processor_class.loads
    )
    if choices > MOST_CHOICES:
        return None
    periods = sorted(
        {
            load / r
            for own, most in zip(loads, space.most, strict=True)
            for load in set(own.values())
            for r in range(1, most + 1)
        }
    )
    # Processors of the period before the first are not enough; those of the last are.
    first, last = 0, len(periods) - 1
    if known is not None:
        last = next((i for i, period in enumerate(periods) if period >= known), last)
    numbers: Numbers | None = None
    complete = True
    while first < last:
        middle = (first + last) // 2
        try:
            numbers = _numbers(classes, space.most, periods[middle], control)
        except NoSolution:
            first = middle + 1
        else:
            last = middle
            complete = complete and numbers is not None
    period = periods[first]
    if not period:
        return None
    if numbers is None and (known is None or period < known):
        try:
            numbers = _numbers(classes, space.most, period, control)
        except NoSolution:
            numbers = None
    mapping = None if numbers is None else _placed(space, classes, numbers)
    return Counted(1 / period, mapping, complete)


def busy_times(space: Space) -> list[dict[int, Fraction]]:
    """Give how long each processor is busy, at least, with a data set of each stage.

    Parameters
    ----------
    space
        The mappings of an instance.

    Returns
    -------
    list
        By stage and processor.
    """
    quickest: dict[tuple[int, bool], Fraction] = {}
    for (sender, receiver), time in space.links.items():
        for end in ((sender, True), (receiver, False)):
            quickest[end] = min(time, quickest.get(end, time))
    found: list[dict[int, Fraction]] = []
    for k, times in enumerate(space.times):
        sent = sum((e.size for e in space.exchanges if e.sender == k), Fraction(0))
        received = sum((e.size for e in space.exchanges if e.receiver == k), Fraction(0))
        own: dict[int, Fraction] = {}
        for p, time in times.items():
            sends = sent * quickest.get((p, True), Fraction(0))
            receives = received * quickest.get((p, False), Fraction(0))
            busy = (time, sends, receives)
            own[p] = sum(busy, Fraction(0)) if space.no_overlap else max(busy)
        found.append(own)
    return found


def by_class(loads: Sequence[Mapping[int, Fraction]]) -> list[ProcessorClass]:
    """Put processors together that are as good as each other, the slowest first.

    Parameters
    ----------
    loads
        By stage and processor, see `busy_times`.
    """
    by_loads: dict[tuple[Fraction | None, ...], list[int]] = {}
    for p in sorted(set[int]().union(*loads)):
        by_loads.setdefault(tuple(own.get(p) for own in loads), []).append(p)
    classes = [
        ProcessorClass(listed, {k: load for k, load in enumerate(key) if load is not None})
        for key, listed in by_loads.items()
    ]
    return sorted(
        classes,
        key=lambda processor_class: (
            len(processor_class.loads),
            -sum(processor_class.loads.values()),
        ),
    )


def _numbers(
    classes: Sequence[ProcessorClass], most: Sequence[int], period: Fraction, control: Control
) -> Numbers | None:
    """Find numbers of processors for all stages within a period.

    Returns
    -------
    list
        None where no answer comes in the time: there may be such numbers.

    Raises
    ------
    NoSolution
        If there are none.
    """
    fast_enough: dict[tuple[int, int], list[int]] = {}
    for k, copies in enumerate(most):
        before: list[int] = []
        for r in range(1, copies + 1):
            able = [
                s
                for s, processor_class in enumerate(classes)
                if k in processor_class.loads and processor_class.loads[k] <= r * period
            ]
            # With r - 1 of the same classes the stage is in time, too.
            if able != before and sum(len(classes[s].processors) for s in able) >= r:
                fast_enough[k, r] = before = able
    if {k for k, _ in fast_enough} != set(range(len(most))):
        raise NoSolution("a stage has too few processors that are fast enough")
    counts = [len(processor_class.processors) for processor_class in classes]
    model = build_copies(len(most), fast_enough, counts)
    try:
        tree = search_mixed_integer(model, control)
    except NoSolution:
        raise
    except (SolverError, OutOfTime):
        return None
    if tree.best is None:
        return None
    numbers: list[dict[int, int]] = [{} for _ in most]
    for (k, _, s), value in tree.best.values_of(model.chosen).items():
        if round(value):
            numbers[k][s] = numbers[k].get(s, 0) + round(value)
    return numbers


def _placed(space: Space, classes: Sequence[ProcessorClass], numbers: Numbers) -> Tuples | None:
    """Choose processors of the classes, side by side and with the quickest links that are left.

    Returns
    -------
    tuple
        None if links are missing, or rounding has made the numbers too large.
    """
    chosen: list[tuple[int, ...]] = [()] * len(numbers)
    for k, own in enumerate(numbers):
        for s in sorted(own):
            for _ in range(own[s]):
                space.heartbeat()
                able = [p for p in space.free(chosen) if p in classes[s].processors]
                if not able:
                    return None
                # Processors of one kind are alike here, so most often there is but one to look at.
                rated = [(space.rough(_appended(chosen, k, p)), p) for p in able]
                chosen[k] = (*chosen[k], min(rated)[1])
    mapping = tuple(chosen)
    right = all(0 < len(one) <= most for one, most in zip(mapping, space.most, strict=True))
    return mapping if right and space.fits(mapping) and space.rough(mapping) < inf else None


def _appended(mapping: Sequence[tuple[int, ...]], stage: int, processor: int) -> Tuples:
    return (*mapping[:stage], (*mapping[stage], processor), *mapping[stage + 1 :])
