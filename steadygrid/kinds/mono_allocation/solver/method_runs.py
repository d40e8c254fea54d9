"""What each method finds: one allocation, or what a reference makes of a number of instances."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.simulation.execution import Simulation
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.allocated import Finding
from steadygrid.kinds.mono_allocation.solver.heuristics.delegate import capped, most_neighbourhoods
from steadygrid.kinds.mono_allocation.solver.heuristics.few import num_seen
from steadygrid.kinds.mono_allocation.solver.heuristics.registry import (
    HEURISTICS,
    QUICK_SECONDS,
    SOME,
    Effort,
    of_effort,
)
from steadygrid.kinds.mono_allocation.solver.portfolio import nothing_found, portfolio
from steadygrid.kinds.mono_allocation.solver.programs.schedules import search_schedules
from steadygrid.kinds.mono_allocation.solver.references.clustering import clustering
from steadygrid.kinds.mono_allocation.solver.references.data_parallel import data_parallel
from steadygrid.kinds.mono_allocation.solver.references.heft import heft
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes.carried import carried, over_best_paths

REFERENCES: Mapping[str, Callable[[MonoTables, int, Control], Simulation]] = {
    "heft": heft,
    "data_parallel": data_parallel,
    "clustering": clustering,
}


START_SHARE = 0.1
"""Of the time, for the mapping from which `milp` starts."""
LONGEST_START = 10.0
"""Seconds for it, at most."""
BETTER_SECONDS = 3.0
"""For each quick heuristic where another one has found a mapping already."""


def find(
    tables: MonoTables,
    method: str,
    options: Options,
    control: Control,
    known: Mapping[str, Finding] | None = None,
) -> Finding:
    """Find an allocation by a heuristic or an exact method.

    Parameters
    ----------
    known
        What heuristics have found already, by their names, for the portfolio.

    Raises
    ------
    NoMapping
        If the method finds none.
    Cancelled, OutOfTime
        If cancelled, or if the time is over before there is any.
    """
    if method == "portfolio":
        best = portfolio(tables, control, relative_gap=float(options.mip_gap), known=known or {})
        return replace(best, notes=seen_in_part(tables, method))
    if method == "milp":
        return _milp(tables, options, control)
    mapping = HEURISTICS[method].mapping(tables, control)
    allocated = over_best_paths(tables, mapping, control)
    return Finding(allocated, notes=(*_notes(tables, method), *seen_in_part(tables, method)))


def quick_mapping(
    tables: MonoTables, control: Control, *, thorough: bool = False
) -> list[int] | None:
    """Give the best mapping of the quick heuristics. None where they find none.

    Parameters
    ----------
    thorough
        Whether `delegate` is tried even where the others have found one.
    """
    last = HEURISTICS["delegate"]
    found: list[list[int]] = []
    for heuristic in (SOME, *of_effort(Effort.QUICK), *((last,) if thorough else ())):
        try:
            seconds = BETTER_SECONDS if found else QUICK_SECONDS
            found.append(heuristic.mapping(tables, control.limited(seconds)))
        except NoMapping:
            continue
        except OutOfTime:
            break
    if not found and not thorough:
        return quick_mapping(tables, control, thorough=True)
    return min(found, key=tables.period, default=None)


def _milp(tables: MonoTables, options: Options, control: Control) -> Finding:
    share = min(START_SHARE * control.remaining, LONGEST_START)
    start = quick_mapping(tables, control.limited(share), thorough=True)
    search = search_schedules(tables, control, start=start, relative_gap=float(options.mip_gap))
    if search.allocation is None:
        if search.proved:
            raise nothing_found(tables, control)
        raise OutOfTime
    allocated = carried(tables, search.allocation, control)
    proved = search.proved and allocated.period == search.period
    return Finding(allocated, searched=search.bound, proved=proved, nodes=search.nodes)


def _notes(tables: MonoTables, method: str) -> tuple[str, ...]:
    if method != "delegate":
        return ()
    names = capped(tables, tables.instance.depth)
    if not names:
        return ()
    return (
        f"task {names[0]!r} and {len(names) - 1} more have more connected neighbourhoods than"
        f" delegate tries: the smallest {most_neighbourhoods(tables)} of each were tried",
    )


def seen_in_part(tables: MonoTables, method: str) -> tuple[str, ...]:
    """Say where a method looked at some of the processors only.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    method
        Name of the one that ran.

    Returns
    -------
    tuple of str
        A note for the answer; empty where it looked at all.
    """
    usable = len(tables.usable)
    seen = num_seen(tables)
    quick = method in HEURISTICS and HEURISTICS[method].effort is Effort.QUICK
    if quick or seen == usable:
        return ()
    what = "all but the greedy heuristics look" if method == "portfolio" else f"{method} looks"
    return (
        f"{what} at about {seen} of {usable:,} processors: the fastest, and those nearest to"
        " where greedy heuristics place tasks",
    )
