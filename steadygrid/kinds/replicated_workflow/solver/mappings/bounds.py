"""What no mapping can exceed: by prices, and by the busy times of processors.

See `copies` for the bound by the numbers of processors.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.allocations.generation import FreeAllocation, Generation, NoAllocation
from steadygrid.engine.allocations.last_resort import speed_prices
from steadygrid.engine.allocations.optimum import proved_optimum
from steadygrid.engine.allocations.problem import Problem
from steadygrid.engine.allocations.room import Exhausted
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.replicated_workflow.solver.mappings.copies import busy_times
from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space
from steadygrid.kinds.shared.collection import CollectionInstance


class UpperBound(NamedTuple):
    """A throughput that no mapping exceeds."""

    value: Fraction
    prices: Mapping[str, Fraction]
    """That prove it. None where it is a search's word."""


def by_prices(space: Space, control: Control, most_entries: int | None) -> UpperBound | None:
    """Bound by the best mix of allocations of the task graph, which all mappings are mixes of.

    Every data set of a mapping has an allocation, whose files go over direct links. Where only one
    thing is done at a time, sets of processors are left out, which bounds from above, too.

    Parameters
    ----------
    most_entries
        Of labelling tables; where they would hold more, or there is no room for them, the speeds
        of the processors bound alone, or what was proved until then. None: any number.

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
    """Bound by the speeds of the processors alone. None where that bounds nothing."""
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


def by_stages(space: Space) -> UpperBound | None:
    """Bound by each stage alone, as if all that can run it were its own. None where none takes time."""
    period = Fraction(0)
    for own, most in zip(busy_times(space), space.most, strict=True):
        loads = sorted(own.values())[:most]
        period = max(period, min(load / (r + 1) for r, load in enumerate(loads)))
    return UpperBound(1 / period, {}) if period else None
