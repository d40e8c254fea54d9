"""What each method finds: one allocation, or what a reference makes of a number of instances."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.problems.mono_allocation.schemas import MonoAllocationStatistics
from workers.allocations.infeasible import why_infeasible
from workers.mapping import NoMapping
from workers.mapping.transfers import period_of
from workers.problems.mono_allocation.answer import Allocated, PeriodBound
from workers.problems.mono_allocation.heuristics.delegate import MOST_NEIGHBOURHOODS, capped
from workers.problems.mono_allocation.heuristics.few import num_seen
from workers.problems.mono_allocation.heuristics.registry import (
    GREEDY,
    HEURISTICS,
    QUICK_SECONDS,
    ROUNDING,
    SOME,
    THOROUGH,
)
from workers.problems.mono_allocation.portfolio import Found, portfolio
from workers.problems.mono_allocation.programs import search as milp
from workers.problems.mono_allocation.references.clustering import clustering
from workers.problems.mono_allocation.references.data_parallel import data_parallel
from workers.problems.mono_allocation.references.heft import heft
from workers.problems.mono_allocation.tables import MonoTables
from workers.problems.mono_allocation.ways.best import best_ways
from workers.problems.mono_allocation.ways.carried import carried_period
from workers.simulation.execution import Simulation
from workers.solving.control import Control


@dataclass(frozen=True)
class Finding:
    """An allocation, and what a search knows of all the others.

    Attributes
    ----------
    period
        Of its schedule.
    searched
        No allocation has a shorter period, by the solver's word; None without a search.
    proved
        Whether the search has closed the gap as far as was asked.
    bound
        Proved on the way.
    """

    allocated: Allocated
    period: Fraction
    searched: Fraction | None = None
    proved: bool = False
    statistics: MonoAllocationStatistics = field(default_factory=MonoAllocationStatistics)
    notes: tuple[str, ...] = ()
    bound: PeriodBound | None = None


REFERENCES: Mapping[str, Callable[[MonoTables, int, Control], Simulation]] = {
    "heft": heft,
    "data_parallel": data_parallel,
    "clustering": clustering,
}


START_SHARE = 0.1
"""Of the time, for the mapping from which `milp` starts."""
LONGEST_START = 10.0
"""Seconds for it, at most."""


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
        return _portfolio(tables, options, control, known or {})
    if method == "milp":
        return _milp(tables, options, control)
    mapping = HEURISTICS[method](tables, control)
    return mapped(
        tables, mapping, control, (*_notes(tables, method), *seen_in_part(tables, method))
    )


def mapped(
    tables: MonoTables, mapping: Sequence[int], control: Control, notes: tuple[str, ...] = ()
) -> Finding:
    """Send the files of a mapping over the best ways that the routing allows."""
    names = [processor.id for processor in tables.platform.processors]
    tasks = {task: (names[i],) for task, i in zip(tables.tasks, mapping, strict=True)}
    ways = best_ways(tables, mapping, control)
    period = period_of(tables, [(i,) for i in mapping], ways)
    found = Allocated(tasks, ways)
    return Finding(found, carried_period(tables, found, period), notes=notes)


def quick_mapping(
    tables: MonoTables, control: Control, methods: Iterable[str] = GREEDY
) -> list[int] | None:
    """Give the best mapping of those that take next to no time; None where they find none.

    Parameters
    ----------
    methods
        Heuristics that are tried, as far as there is time.
    """
    found: list[list[int]] = []
    for method in (SOME, *methods):
        try:
            found.append(HEURISTICS[method](tables, control.within(QUICK_SECONDS)))
        except NoMapping:
            continue
        except OutOfTime:
            break
    if not found and "delegate" not in methods:
        return quick_mapping(tables, control, ["delegate"])
    return min(found, key=tables.period, default=None)


def _portfolio(
    tables: MonoTables, options: Options, control: Control, known: Mapping[str, Finding]
) -> Finding:
    best = portfolio(
        tables,
        control,
        relative_gap=float(options.mip_gap),
        known={name: Found(one.allocated, one.period, name) for name, one in known.items()},
    )
    statistics = MonoAllocationStatistics(
        found_by=best.found_by, iterations=best.rounds, nodes=best.nodes
    )
    return Finding(
        best.allocated,
        best.period,
        best.searched,
        best.proved,
        statistics,
        seen_in_part(tables, "portfolio"),
        best.bound,
    )


def _milp(tables: MonoTables, options: Options, control: Control) -> Finding:
    share = min(START_SHARE * control.remaining, LONGEST_START)
    start = quick_mapping(tables, control.within(share), [*GREEDY, "delegate"])
    search = milp.search(tables, control, start=start, relative_gap=float(options.mip_gap))
    if search.allocation is None or search.period is None:
        if search.proved:
            raise NoMapping(why_infeasible(tables.instance), proved=True)
        raise OutOfTime
    statistics = MonoAllocationStatistics(nodes=search.nodes)
    period = carried_period(tables, search.allocation, search.period)
    proved = search.proved and period == search.period
    return Finding(search.allocation, period, search.bound, proved, statistics)


def _notes(tables: MonoTables, method: str) -> tuple[str, ...]:
    if method != "delegate":
        return ()
    names = capped(tables, tables.instance.depth)
    if not names:
        return ()
    return (
        f"task {names[0]!r} and {len(names) - 1} more have more connected neighbourhoods than"
        f" delegate tries: the smallest {MOST_NEIGHBOURHOODS} of each were tried",
    )


def seen_in_part(tables: MonoTables, method: str) -> tuple[str, ...]:
    """Say where a method looked at some of the processors only."""
    usable = len({i for labels in tables.labels for i in labels})
    seen = num_seen(tables)
    if method not in (*THOROUGH, *ROUNDING, "portfolio") or seen == usable:
        return ()
    what = "all but the greedy heuristics look" if method == "portfolio" else f"{method} looks"
    return (
        f"{what} at about {seen} of {usable:,} processors: the fastest, and those nearest to"
        " where greedy heuristics place tasks",
    )
