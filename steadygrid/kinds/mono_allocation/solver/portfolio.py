"""The best of the heuristics, improved by searches of small programs and by the whole one."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.domain.rational import approximate
from steadygrid.engine.allocations.infeasible import why_infeasible
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.other_half import OtherHalf, start_half
from steadygrid.kinds.mono_allocation.program import (
    MOST_SEARCHED,
    Measures,
    exact_program,
    relaxed_program,
)
from steadygrid.kinds.mono_allocation.solver.allocated import Finding, PeriodBound
from steadygrid.kinds.mono_allocation.solver.bounds import prices
from steadygrid.kinds.mono_allocation.solver.heuristics.large_neighborhood import search_parts
from steadygrid.kinds.mono_allocation.solver.heuristics.parts_beside import search_parts_beside
from steadygrid.kinds.mono_allocation.solver.heuristics.registry import (
    QUICK_SECONDS,
    SOME,
    Effort,
    Heuristic,
    of_effort,
)
from steadygrid.kinds.mono_allocation.solver.improvement import (
    Exchanged,
    Improvement,
    improvement_of,
)
from steadygrid.kinds.mono_allocation.solver.intervals import best_intervals, interval_bound
from steadygrid.kinds.mono_allocation.solver.programs.schedules import search_schedules
from steadygrid.kinds.mono_allocation.solver.programs.search import Exchange, Search
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes.carried import carried, over_best_paths

OVERTIME, OVERTIME_SHARE = 1.5, 0.08
"""Seconds past the time limit, or as a part of it if that is more, at which even the last heuristic
has to end."""
ROUNDED_COEFFICIENTS = 100_000
"""Relaxed programs of up to so many are rounded."""
SMALL_COEFFICIENTS = 20_000
"""Exact programs of up to so many are searched as a whole at once."""
BOUND_SHARE = 0.2
"""Of the time left, for the first bound."""
INTERVALS_SHARE = 0.5
"""Of the time, for the best intervals of a chain."""
PART_SHARE = 0.5
"""Of the time left, for searching parts before the whole."""


def portfolio(
    tables: MonoTables,
    control: Control,
    *,
    relative_gap: float = 0.0,
    known: Mapping[str, Finding] | None = None,
) -> Finding:
    """Run the heuristics, then search around the best, then everywhere, as time allows.

    1. `simple_greedy`, `refined_greedy` and what is quicker still, `delegate`, `neighborhood`, and where the relaxed program
       is small `rlp_max` and `rlp_rand`. Each has as much time as it would have alone, counted
       from its own beginning, if need be up to `OVERTIME` past the limit. What one of them finds
       under a limit, the portfolio has under that limit, unless `OVERTIME` is over before.
    2. Their mappings, the best first, are improved by moves and swaps. Those of the greedy ones
       before the others begin.
    3. A large-neighbourhood search: the tasks of some processors are placed anew on these
       processors by the exact program, which is small. See `Neighborhoods`.
    4. `milp`, from the best mapping, with the time left, unless its program is very large.

    Intervals of a chain on fixed routes are searched for before all that, see `best_intervals`: mostly
    that is the answer.

    No period is shorter than the task takes that takes longest where it is fastest; after step 2
    the best mapping is bounded exactly. Whenever the best one meets such a bound, the rest is left
    out.

    Steps 2 and 3 evaluate mappings over the reference routes and without copies of tasks. The
    best mapping is then given the best routes. With the same seed the same mapping is found, as
    long as no limit of time ends a step. Of large platforms they see a part (`choose_part`).

    Parameters
    ----------
    relative_gap
        For `milp`.
    known
        What heuristics have found already: they are not run again.

    Raises
    ------
    NoMapping
        If there is none.
    Cancelled, OutOfTime
        If cancelled, or if the time is over before any mapping is found.
    """
    least = prices.longest_task(tables)
    heuristics = _Heuristics(tables, control, known or {}, least.period)
    cut = _best_intervals(tables, control)
    if cut is not None:
        if cut.bound is not None and cut.period == cut.bound.period:
            return cut
        heuristics.found.append(cut)
    heuristics.run([SOME, *of_effort(Effort.QUICK)], QUICK_SECONDS)
    search = None if heuristics.done else improvement_of(tables, control)
    size = exact_program(tables.instance, _measures(tables))["coefficients"]
    with _parts_beside(search, heuristics.found, control, size, least.period) as other:
        if search is not None:
            search.improve(heuristics.found)
        heuristics.run(of_effort(Effort.PAIRS))
        if relaxed_program(_measures(tables))["coefficients"] <= ROUNDED_COEFFICIENTS:
            heuristics.run(of_effort(Effort.PROGRAM))
        if not heuristics.found:
            first = _search_whole(tables, (), None, control, relative_gap)
            if first is None:
                raise OutOfTime
            return first
        best = min(heuristics.found, key=lambda one: one.period)
        if heuristics.done:
            return replace(best, bound=least)
        if search is None:
            return best
        search.improve(heuristics.found)
        if other is None:
            return _searched(tables, search, best, control, size, relative_gap)
        return _searched_beside(tables, search, other, best, control, size, relative_gap)


def _searched(
    tables: MonoTables,
    search: Improvement,
    best: Finding,
    control: Control,
    size: int,
    relative_gap: float,
) -> Finding:
    """Search small programs, then the whole one, unless that is very large."""
    best = search.finished(best, 0)
    bound = _first_bound(tables, best.period, control)
    floor = Fraction(0) if bound is None else bound.period
    if best.period > floor and size > SMALL_COEFFICIENTS:
        whole = size <= MOST_SEARCHED
        part = control.limited(PART_SHARE * control.remaining) if whole else control
        best = search.finished(best, search_parts(search.seen.tables, search.best, floor, part))
    if best.period > floor and size <= MOST_SEARCHED:
        start = search.seen.whole(search.best.mapping)
        best = _search_whole(tables, start, best, control, relative_gap) or best
    return replace(best, bound=bound)


def _searched_beside(
    tables: MonoTables,
    search: Improvement,
    other: OtherHalf,
    best: Finding,
    control: Control,
    size: int,
    relative_gap: float,
) -> Finding:
    """Do the same while small programs are searched on another core, too.

    Where the whole program is searched, its end decides, and the two tell each other what they find.
    Where it is not, each goes its own course to its end, so that the time at which one finds
    something makes no difference.
    """
    exchange = Exchanged(search, other)
    if size > MOST_SEARCHED:
        best = _searched(tables, search, best, control, size, relative_gap)
        if best.bound is None or best.period > best.bound.period:
            other.wait(control)
        exchange.hear()
        own = 0 if best.rounds is None else best.rounds
        return search.finished(best, own + exchange.rounds)
    exchange.hear()
    best = search.finished(best, exchange.rounds)
    other.send(search.best.mapping)
    bound = _first_bound(tables, best.period, control)
    if bound is None or best.period > bound.period:
        start = search.seen.whole(search.best.mapping)
        best = _search_whole(tables, start, best, control, relative_gap, exchange) or best
        if not best.proved:
            exchange.hear()
            best = search.finished(best, exchange.rounds)
    return replace(best, bound=bound)


def _parts_beside(
    search: Improvement | None,
    found: Sequence[Finding],
    control: Control,
    size: int,
    floor: Fraction,
) -> AbstractContextManager[OtherHalf | None]:
    """Have mappings improved, and small programs searched, on another core, if the whole one takes long."""
    if search is None or not found or size <= SMALL_COEFFICIENTS:
        return nullcontext()
    tables = search.seen.tables
    mappings = sorted(search.parts(found), key=tables.period)
    return start_half(control, search_parts_beside, tables.instance, mappings, floor)


def nothing_found(tables: MonoTables, control: Control) -> NoMapping:
    """Say what follows where a search says that there is no mapping: it is proved, if it can be.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        If the solve was asked to stop.
    """
    if tables.limits is None:
        return NoMapping(why_infeasible(tables.instance), proved=True)
    try:
        tables.fitting(control)
    except NoMapping as failure:
        return failure
    return NoMapping(
        "the search says that no mapping keeps to memory and intervals, which is not proved"
    )


def _best_intervals(tables: MonoTables, control: Control) -> Finding | None:
    """Search for the best intervals of a chain, where they were asked for."""
    part = control.limited(INTERVALS_SHARE * control.remaining, silent=True)
    bound = interval_bound(tables, part)
    if bound is None:
        return None
    found = tables.cached(best_intervals, part)
    if found is None or found.mapping is None:
        return None
    allocated = over_best_paths(tables, found.mapping, control)
    if allocated.period:
        control.progress(value=1 / allocated.period, bound=_throughput_bound(bound))
    return Finding(allocated, found_by="intervals", rounds=0, bound=bound)


def _first_bound(tables: MonoTables, period: Fraction, control: Control) -> PeriodBound | None:
    part = control.limited(BOUND_SHARE * control.remaining, silent=True)
    try:
        bound = prices.forbidding(tables, part, period)
    except OutOfTime:
        return None
    control.progress(bound=_throughput_bound(bound))
    return bound


def _throughput_bound(bound: PeriodBound) -> Fraction | float | None:
    return 1 / bound.period if bound.exact else approximate(1 / bound.period)


def _measures(tables: MonoTables) -> Measures:
    labels = [len(row) for row in tables.needed_labels]
    return Measures.from_instance(tables.instance, labels, len(tables.resources))


class _Heuristics:
    """Runs heuristics, each with as much time as it would have alone.

    Parameters
    ----------
    known
        What some have found already.
    least
        No period is shorter.

    Attributes
    ----------
    found
        What they found.
    """

    def __init__(
        self, tables: MonoTables, control: Control, known: Mapping[str, Finding], least: Fraction
    ) -> None:
        self._tables = tables
        self._least = least
        self._control = control
        self._known = known
        self._alone = control.remaining
        overtime = max(OVERTIME, OVERTIME_SHARE * control.remaining)
        self._latest = control.elapsed + control.remaining + overtime
        self.found: list[Finding] = []

    @property
    def done(self) -> bool:
        """Whether no period can be shorter than the shortest that was found."""
        return any(one.period <= self._least for one in self.found)

    def run(self, listed: Sequence[Heuristic], seconds: float = 0.0) -> None:
        """Run some, one after the other, until no period can be shorter.

        Parameters
        ----------
        seconds
            That each may take even beyond the limit, as long as none has found anything.

        Raises
        ------
        Cancelled, OutOfTime
            If cancelled.
        """
        for heuristic in listed:
            name = heuristic.name
            if self.done:
                return
            if name in self._known:
                self.found.append(replace(self._known[name], found_by=name, rounds=0, notes=()))
                continue
            part = self._own_time(0.0 if self.found else seconds)
            try:
                mapping = heuristic.mapping(self._tables, part)
                allocated = over_best_paths(self._tables, mapping, part)
            except NoMapping:
                continue
            except OutOfTime:
                pass
            else:
                one = Finding(allocated, found_by=name, rounds=0)
                self._report(one)
                self.found.append(one)

    def _own_time(self, seconds: float) -> Control:
        control = self._control
        alone = max(self._alone, seconds)
        part = control.limited(alone)
        part.extend(max(seconds, min(alone, self._latest - control.elapsed)))
        return part.limited(alone)

    def _report(self, one: Finding) -> None:
        if one.period and all(one.period < other.period for other in self.found):
            self._control.progress(value=1 / one.period)


def _search_whole(
    tables: MonoTables,
    start: Sequence[int],
    best: Finding | None,
    control: Control,
    relative_gap: float,
    exchange: Exchange | None = None,
) -> Finding | None:
    """Search the whole program from the best mapping with the time left."""
    if best is not None and (control.remaining <= 0 or not best.period):
        return best

    # The search begins from reference routes and reports what may not be the best so far.
    part = control.limited(control.remaining, silent=best is not None)

    def better(period: Fraction) -> None:
        if period and best is not None and period < best.period:
            control.progress(value=1 / period)

    try:
        found = search_schedules(
            tables,
            part,
            start=start or None,
            relative_gap=relative_gap,
            incumbent=better,
            exchange=exchange,
        )
    except SolverError:
        if best is None:
            raise
        return best
    except OutOfTime:
        if best is None:
            raise
        return best
    if found.allocation is None:
        if best is not None:
            return _with_search(best, found, found.proved)
        if found.proved:
            raise nothing_found(tables, control)
        return None
    allocated = carried(tables, found.allocation, control)
    if best is None or allocated.period < best.period:
        rounds = 0 if best is None else best.rounds
        best = Finding(allocated, found_by="milp", rounds=rounds)
    # Where its schedule takes longer, the search has not closed the gap of schedules.
    return _with_search(best, found, found.proved and found.allocation.period >= best.period)


def _with_search(best: Finding, search: Search, proved: bool) -> Finding:
    """Give the best, and what the search of the whole program reports of it."""
    bound = min(search.bound, best.period)
    return replace(best, searched=bound, proved=proved, nodes=search.nodes)
