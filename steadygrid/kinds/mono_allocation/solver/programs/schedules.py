"""The exact program, searched for the best schedule: where slots carry less than ports allow."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.job import relative_gap as distance
from steadygrid.domain.platform import SINGLE_PORT
from steadygrid.engine.mapping.tables import Mapping_
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.allocated import Allocated
from steadygrid.kinds.mono_allocation.solver.programs.search import (
    Exchange,
    Search,
    search_program,
)
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes.carried import (
    carried,
    needs_of,
    places_of,
)


def search_schedules(
    tables: MonoTables,
    control: Control,
    *,
    start: Mapping_ | None = None,
    relative_gap: float = 0.0,
    incumbent: Callable[[Fraction], None] | None = None,
    exchange: Exchange | None = None,
) -> Search:
    """Search for the allocation whose schedule has the shortest period.

    Where a processor takes part in one transfer at a time, an optimal allocation of `search_program`
    may be too much for an odd set of processors. Then the set becomes a resource, and the program is
    searched again, until the optimum is too much for none, or nothing can be better than what was
    found. Under other ports this is `search_program`. There the period may still be shorter than that
    of its schedule, see `carried`.

    Parameters
    ----------
    start, relative_gap, incumbent, exchange
        See `search_program`.

    Returns
    -------
    Search
        Its bound holds for all odd sets, known or not.

    Raises
    ------
    Cancelled, OutOfTime, SolverError
        See `search_program`.
    """
    if tables.instance.ports not in SINGLE_PORT:
        return search_program(
            tables,
            control,
            start=start,
            relative_gap=relative_gap,
            incumbent=incumbent,
            exchange=exchange,
        )
    best: Allocated | None = None
    bound, nodes = Fraction(0), 0
    while True:
        # What the search reports is not the period of a schedule.
        part = control.limited(control.remaining, silent=True)
        found = search_program(
            tables, part, start=start, relative_gap=relative_gap, exchange=exchange
        )
        nodes += found.nodes
        if found.allocation is None:
            if best is None:
                return replace(found, nodes=nodes)
            return Search(best, bound, False, nodes)
        needs = needs_of(tables, found.allocation)
        one = carried(tables, found.allocation, control)
        if best is None or one.period < best.period:
            best = one
            control.progress(value=1 / one.period if one.period else None)
            if incumbent is not None:
                incumbent(one.period)
        bound = min(max(bound, found.bound), best.period)
        reached = one.period == found.period or _near(best.period, bound, relative_gap)
        if reached or not found.proved or control.remaining <= 0:
            return Search(best, bound, reached and found.proved, nodes)
        tables = tables.knowing(needs)
        start = _start(tables, one) or start


def _near(period: Fraction, bound: Fraction, gap: float) -> bool:
    """Tell whether a bound is as near to a period as was asked."""
    return bound > 0 and distance(1 / period, 1 / bound) <= gap


def _start(tables: MonoTables, allocation: Allocated) -> list[int] | None:
    """Give the mapping of an allocation without copies."""
    places = places_of(tables, allocation)
    return [row[0] for row in places] if all(len(row) == 1 for row in places) else None
