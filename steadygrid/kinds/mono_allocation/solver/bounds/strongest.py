"""Which bounds are tried for an answer, and for how long."""

from collections.abc import Callable
from typing import ParamSpec

from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.allocated import Finding, PeriodBound
from steadygrid.kinds.mono_allocation.solver.bounds import prices
from steadygrid.kinds.mono_allocation.solver.intervals import interval_bound
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

Given = ParamSpec("Given")

ROUGH_SECONDS = 5.0
"""Past the time limit, for a rough bound where there is no other."""
PROOF_SECONDS = 2.0
"""For an exact proof of what a search has closed already, at least."""
INTERVALS_SHARE = 0.5
"""Of the time left, for the best intervals of a chain."""
PROOF_SHARE = 0.2
"""Of the time left, for the same."""


def strongest_bound(tables: MonoTables, finding: Finding, control: Control) -> PeriodBound:
    """Bound all allocations: by what a search knows, or by what can be proved exactly.

    The exact bound is preferred where it is as strong. Where a search has closed the gap, only
    a little time goes into an exact proof. Odd sets of processors that decide the period may be
    priced; without them, bounds hold as well, but may not reach it.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    finding
        The best allocation that was found, with what a search knows.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled.
    """
    if finding.bound is not None and finding.bound.period == finding.period:
        return finding.bound
    share = control.limited(INTERVALS_SHARE * control.remaining, silent=True)
    cut = in_time(interval_bound, tables, share)
    if cut is not None and cut.period == finding.period:
        return cut
    tables = tables.knowing(finding.allocated.odd_sets)
    searched, seconds = None, control.remaining
    if finding.searched is not None and finding.searched > 0:
        searched = PeriodBound(finding.searched, "search", exact=False)
        if finding.proved:
            seconds = max(PROOF_SECONDS, PROOF_SHARE * control.remaining)
    part = control.limited(seconds, silent=True)
    proved = in_time(prices.forbidding, tables, part, finding.period)
    mixed = in_time(prices.allocations, tables, part) if tables.odd_sets else None
    found = finding.bound, cut, proved, mixed, searched
    known = [bound for bound in found if bound is not None]
    if not known:
        known.append(rough_bound(tables, control))
    return max(known, key=lambda bound: (bound.period, bound.exact))


def schedule_bound(tables: MonoTables, control: Control) -> PeriodBound:
    """Bound every schedule that runs each task of an instance once, on any processors.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled.
    """
    part = control.limited(control.remaining, silent=True)
    found = in_time(prices.allocations, tables, part)
    return rough_bound(tables, control) if found is None else found


def all_bounds(tables: MonoTables, control: Control) -> tuple[PeriodBound, list[str]]:
    """Give the strongest bound of single allocations, and notes on those that were not found.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    NoMapping
        If there is no allocation.
    Cancelled, OutOfTime
        If cancelled, or if the time is over before anything is proved.
    """
    methods: dict[str, Callable[[MonoTables, Control], PeriodBound | None]] = {
        "the relaxed program": prices.relaxation,
        "the best mix of any number of allocations": prices.allocations,
        "forbidding what takes too long alone": prices.forbidding,
    }
    if tables.instance.contiguous and tables.instance.routing == "fixed":
        methods["the best intervals of the chain"] = interval_bound
    found: list[PeriodBound] = []
    notes: list[str] = []
    for position, (name, bound_by) in enumerate(methods.items()):
        part = control.limited(control.remaining / (len(methods) - position), silent=True)
        bound = in_time(bound_by, tables, part)
        if bound is None:
            notes.append(f"{name}: there was not enough time, or the solver gave up")
        else:
            found.append(bound)
    if len(found) < len(methods):
        # Not only for a bound: what there was no time for may have been that nothing fits.
        try:
            found.append(rough_bound(tables, control))
        except OutOfTime:
            if not found:
                raise
    return max(found, key=lambda bound: (bound.period, bound.exact)), notes


def rough_bound(tables: MonoTables, control: Control) -> PeriodBound:
    """Bound every schedule quickly, if need be a little past the time limit.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline and cancellation. Its time is extended by `ROUGH_SECONDS`.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled, or if even that takes too long.
    """
    control.extend(ROUGH_SECONDS)
    return prices.rough(tables, control)


def in_time(
    find: Callable[Given, PeriodBound | None], *given: Given.args, **named: Given.kwargs
) -> PeriodBound | None:
    """Give a bound, or None where its time is over or the solver cannot help."""
    try:
        return find(*given, **named)
    except OutOfTime:
        return None
    except (CertificationError, SolverError):
        return None
