"""What no mapping can exceed: by prices, and by the numbers of processors."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.engine.allocations.generation import FreeAllocation, Generation, NoAllocation
from steadygrid.engine.allocations.last_resort import speed_prices
from steadygrid.engine.allocations.optimum import proved_optimum
from steadygrid.engine.allocations.problem import Problem
from steadygrid.engine.allocations.room import Exhausted
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import NoSolution, search_mixed_integer
from steadygrid.kinds.replicated_workflow.solver.mappings.model_copies import build_copies
from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space
from steadygrid.kinds.shared.collection import CollectionInstance

MOST_CHOICES = 20_000
"""Binary variables of the program of copies."""


class UpperBound(NamedTuple):
    """A throughput that no mapping exceeds."""

    value: Fraction
    prices: Mapping[str, Fraction]
    """That prove it; none where it is a search's word."""


def by_prices(space: Space, control: Control, most_entries: int | None) -> UpperBound | None:
    """Bound by the best mix of allocations of the task graph, which all mappings are mixes of.

    Every data set of a mapping has an allocation, whose files go over direct links. Where only one
    thing is done at a time, sets of processors are left out, which bounds from above, too.

    Parameters
    ----------
    most_entries
        Of labelling tables; where they would hold more, or there is no room for them, the speeds
        of the processors bound alone, or what was proved until then; None: any number.

    Returns
    -------
    UpperBound
        None where nothing is bounded, or the time was over before anything was.
    """
    best = by_speeds(space)
    instance = _bare(space)
    try:
        problem = Problem(instance, "free", check=control.check)
        if problem.too_large:
            return best
        generation = Generation(problem, control, most_entries, tells_bounds=True)
    except OutOfTime:
        return best
    try:
        if generation.full:
            return best
        try:
            optimum = proved_optimum(generation, control)
            value, prices = optimum.value, optimum.prices
        except (Exhausted, OutOfTime):
            if generation.bound is None:
                return best
            value, prices = generation.bound, generation.best_prices
    except (NoAllocation, FreeAllocation):
        return best
    finally:
        generation.close()
    names = problem.network.resources
    named = {name: price for name, price in zip(names, prices, strict=True) if price}
    return UpperBound(value, named) if best is None or value < best.value else best


def by_speeds(space: Space) -> UpperBound | None:
    """Bound by the speeds of the processors alone; None where that bounds nothing."""
    prices = speed_prices(_bare(space))
    return None if prices is None else UpperBound(sum(prices.values(), Fraction(0)), prices)


def _bare(space: Space) -> CollectionInstance:
    """Leave out network cards: every processor has one port, or two."""
    instance = space.instance
    platform = instance.platform
    processors = tuple(p.model_copy(update={"cards": None}) for p in platform.processors)
    links = tuple(
        link.model_copy(update={"source_card": None, "target_card": None})
        for link in platform.links
    )
    bare = platform.model_copy(update={"processors": processors, "links": links})
    return CollectionInstance(
        kind=instance.kind, platform=bare, application=instance.application, ports=instance.ports
    )


def by_copies(space: Space, control: Control, known: Fraction | None) -> UpperBound | None:
    """Bound by how many processors each stage gets, and which: a search's word.

    A processor of a stage with r has one data set in r, so it must not be busy with one for more than r
    periods. Of the periods that processors allow, the least for which disjoint sets of
    processors exist is found by bisection.

    Parameters
    ----------
    known
        Period of a mapping, where there is one.

    Returns
    -------
    UpperBound
        None where the programs would be too large.
    """
    loads = _loads(space)
    if sum(len(own) * most for own, most in zip(loads, space.most, strict=True)) > MOST_CHOICES:
        return None
    periods = sorted(
        {
            load / r
            for own, most in zip(loads, space.most, strict=True)
            for load in own.values()
            for r in range(1, most + 1)
        }
    )
    # Processors of the period before the first are not enough; those of the last are.
    first, last = 0, len(periods) - 1
    if known is not None:
        last = next((i for i, period in enumerate(periods) if period >= known), last)
    while first < last:
        middle = (first + last) // 2
        if _may_be_enough(loads, space.most, periods[middle], control):
            last = middle
        else:
            first = middle + 1
    return UpperBound(1 / periods[first], {}) if periods[first] else None


def _may_be_enough(
    loads: Sequence[Mapping[int, Fraction]],
    most: Sequence[int],
    period: Fraction,
    control: Control,
) -> bool:
    """Ask whether there are processors for all stages; true where no answer comes in the time."""
    fast_enough = {
        (k, r): able
        for k, own in enumerate(loads)
        for r in range(1, most[k] + 1)
        if len(able := [j for j, load in own.items() if load <= r * period]) >= r
    }
    if {k for k, _ in fast_enough} != set(range(len(loads))):
        return False
    try:
        search_mixed_integer(build_copies(len(loads), fast_enough), control)
    except NoSolution:
        return False
    except (SolverError, OutOfTime):
        return True
    return True


def by_stages(space: Space) -> UpperBound | None:
    """Bound by each stage alone, as if all that can run it were its own; None where none takes time."""
    period = Fraction(0)
    for own, most in zip(_loads(space), space.most, strict=True):
        loads = sorted(own.values())[:most]
        period = max(period, min(load / (r + 1) for r, load in enumerate(loads)))
    return UpperBound(1 / period, {}) if period else None


def _loads(space: Space) -> list[dict[int, Fraction]]:
    """Give how long each processor is busy, at least, with a data set of each stage."""
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
