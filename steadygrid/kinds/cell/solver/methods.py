"""The methods of `cell`."""

from collections.abc import Callable
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.domain.job import Options, Phase
from steadygrid.domain.problem import Sizing
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import NoSolution
from steadygrid.engine.solving.subset_sums import Use, least_possible
from steadygrid.kinds.cell.schemas import CellInstance
from steadygrid.kinds.cell.solver.answer import Findings, result_of, schedule_of
from steadygrid.kinds.cell.solver.bounds import best_bound
from steadygrid.kinds.cell.solver.local_search import LocalSearch
from steadygrid.kinds.cell.solver.milp import search
from steadygrid.kinds.cell.solver.placement import (
    UndecidedError,
    crowded,
    explain_infeasible,
    find_placement,
)
from steadygrid.kinds.cell.solver.references import NoMappingError, greedy, ppe_only
from steadygrid.kinds.cell.solver.tables import Tables

REFERENCES: dict[str, Callable[[Tables], list[int]]] = {"greedy": greedy, "ppe_only": ppe_only}
SEARCH_SHARE = 0.25
"""Of the time left, for the local search before the integer program."""
SHARE_BEFORE = 0.1
"""The same where it goes on at the same time as the program."""
SECONDS_PER_COEFFICIENT = 4e-5
"""To build the integer program and hand it over. It is left out where time is too short."""


def solve(instance: CellInstance, options: Options, sizing: Sizing, control: Control) -> Solution:
    """Find a mapping by the method that was asked for, and a bound on all of them.

    Parameters
    ----------
    instance
        Without faults.
    options
        `mip_gap`, `time_limit` and `max_period` are read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Deadline, cancellation and progress of the solve.
    """
    control.phase(Phase.BUILDING)
    tables = Tables(instance)
    control.phase(Phase.SOLVING)
    found = _begin(tables, sizing.method, control)
    if sizing.method == "milp":
        _optimise(tables, options, sizing, control, found)
    return _solution(tables, options, sizing, found)


def best_without_solver(
    instance: CellInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over: a short local search, and the bound of the relaxation.

    Parameters
    ----------
    instance
        Without faults.
    options
        `mip_gap` and `max_period` are read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Grace time that is left, cancellation and progress.
    interruption
        Not read.
    """
    tables = Tables(instance)
    found = _begin(tables, sizing.method, control)
    if sizing.method == "milp":
        _improve(tables, options, control.limited(control.remaining / 6), found)
    return _solution(tables, options, sizing, found)


def _begin(tables: Tables, method: str, control: Control) -> Findings:
    """Run the references, take the one that was asked for, and bound every mapping."""
    found = Findings()
    for name, reference in REFERENCES.items():
        try:
            mapping = reference(tables)
        except NoMappingError as reason:
            if name == method:
                found.missed = f"{name} finds no mapping: {reason}; milp may find one"
        else:
            found.references[name] = tables.period(mapping)
            if name == method or (
                method == "milp" and found.references[name] == min(found.references.values())
            ):
                found.mapping = mapping
    if found.missed is None:
        unit = max(found.references.values(), default=tables.unit)
        bound = best_bound(tables, unit, control)
        if bound is not None:
            found.improve_bound(bound.throughput, bound.prices)
    return found


def _optimise(
    tables: Tables, options: Options, sizing: Sizing, control: Control, found: Findings
) -> None:
    """Local search, then the integer program, until the gap is closed or time is over."""
    if crowded(tables):
        found.infeasible = explain_infeasible(tables, control)
        return
    seconds = SECONDS_PER_COEFFICIENT * sizing.sizes["coefficients"]
    beside = control.cores > 1 and seconds <= (1 - SHARE_BEFORE) * control.remaining
    share = SHARE_BEFORE if beside else SEARCH_SHARE
    local = _improve(tables, options, control.limited(share * control.remaining), found)
    if _close_enough(tables, options, found):
        return
    try:
        if found.mapping is None and not _place(tables, control, found):
            return
        if seconds > control.remaining:
            found.notes.append(
                f"the integer program has about {sizing.sizes['coefficients']:,} coefficients,"
                " too many for the time left: this is a mapping of the local search; ask for a"
                " longer time_limit"
            )
            return
        outcome = search(
            tables,
            control,
            found.mapping,
            options.mip_gap,
            local if beside else None,
            _enough(tables, options, found),
        )
    except SolverError as error:
        if found.mapping is None and not isinstance(error, NoSolution):
            raise
        found.notes.append(_NO_MAPPING if found.mapping is None else _SOLVER_FAILED)
        return
    except OutOfTime:
        if found.mapping is None:
            raise
        found.notes.append(_OUT_OF_TIME.format(limit=options.time_limit))
        return
    found.nodes = outcome.nodes
    found.variables, found.constraints = outcome.variables, outcome.constraints
    found.mapping = outcome.mapping
    if not outcome.closed and _close_enough(tables, options, found):
        return
    if outcome.mapping is not None and outcome.closed:
        _close(tables, options, outcome.mapping, outcome.bound, found)
        return
    if outcome.bound is not None:
        found.improve_bound(1 / outcome.bound)
    if outcome.late:
        note = _OUT_OF_TIME if found.mapping is not None else _NOTHING_YET
        found.notes.append(note.format(limit=options.time_limit))
    else:
        found.notes.append(_SOLVER_FAILED if found.mapping is not None else _NO_MAPPING)


_NO_MAPPING = "the integer program's search found no mapping"
_SOLVER_FAILED = "the integer program's search failed: this is a mapping of the local search"
_NEAR_TIE = "floating point does not tell periods apart that differ by as little as the gap"
_NOTHING_YET = "the time limit of {limit:g} s was reached before any mapping was found"
_OUT_OF_TIME = (
    "the time limit of {limit:g} s was reached before the optimum was proved; more time may find a"
    " better mapping"
)


def _close(
    tables: Tables,
    options: Options,
    mapping: list[int],
    bound: Fraction | None,
    found: Findings,
) -> None:
    """Take the bound of a search that has ended: up to the next period that is possible."""
    period = tables.period(mapping)
    if bound is not None:
        found.improve_bound(1 / least_possible(uses_of(tables), min(bound, period), period))
    if found.bound is None:
        return
    gap = 1 - 1 / (period * found.bound)
    found.closed = gap <= options.mip_gap and not found.exact
    if gap > options.mip_gap:
        found.notes.append(_NEAR_TIE)


def uses_of(tables: Tables) -> list[Use]:
    """State what may add up to the time of one resource."""
    unit = tables.unit
    moved = [{move * unit} for move in tables.move if move]
    uses = [
        Use([{time * unit} for times in tables.compute if (time := times[core_type])])
        for core_type in (0, 1)
    ]
    uses += [
        Use([*moved, *({time * unit} for time in memory if time)])
        for memory in (tables.read, tables.write)
    ]
    return uses


def _improve(tables: Tables, options: Options, control: Control, found: Findings) -> LocalSearch:
    """Let the local search go on from the references."""
    enough = _enough(tables, options, found)
    starts = [] if found.mapping is None else [found.mapping]
    local = LocalSearch(tables, control)
    mapping = local.run(starts, enough)
    if mapping is not None:
        found.mapping = mapping
        control.progress(value=1 / tables.period(mapping), bound=found.bound)
    return local


def _enough(tables: Tables, options: Options, found: Findings) -> Callable[[float], bool]:
    """Tell for a period in the tables' unit whether it is as near to the exact bound as was asked."""
    shortest = None if found.bound is None else 1 / found.bound / tables.unit
    return lambda period: shortest is not None and period * (1 - options.mip_gap) <= shortest


def _close_enough(tables: Tables, options: Options, found: Findings) -> bool:
    """Tell whether the exact bound is reached, as far as asked. The outcome says which."""
    if found.mapping is None or found.bound is None:
        return False
    throughput = 1 / tables.period(found.mapping)
    return throughput >= found.bound * (1 - options.mip_gap)


def _place(tables: Tables, control: Control, found: Findings) -> bool:
    """Find any mapping; False if it is proved that there is none."""
    try:
        found.mapping = find_placement(tables, control)
    except UndecidedError:
        return True
    if found.mapping is None:
        found.infeasible = explain_infeasible(tables, control)
    return found.mapping is not None


def _solution(tables: Tables, options: Options, sizing: Sizing, found: Findings) -> Solution:
    result = result_of(tables, sizing.method, found)
    if found.mapping is None:
        return Solution(result)
    schedule, notes = schedule_of(tables, found.mapping, options.longest_period)
    result.notes.extend(notes)
    return Solution(result, schedule=schedule)
