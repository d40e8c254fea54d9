"""What a given mapping does, how far that is from a bound, and the best move of one task."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.schemas import (
    BoundMethod,
    MonoAllocationResult,
    Move,
    MovesTried,
    Occupation,
)
from steadygrid.kinds.mono_allocation.solver.allocated import Allocated, Finding, PeriodBound
from steadygrid.kinds.mono_allocation.solver.bounds import prices
from steadygrid.kinds.mono_allocation.solver.bounds.strongest import in_time, rough_bound
from steadygrid.kinds.mono_allocation.solver.given.moves import BestMove, Moves
from steadygrid.kinds.mono_allocation.solver.given.path_rule import (
    PathRule,
    Row,
    explain_missing_path,
    placed,
    transfers,
)
from steadygrid.kinds.mono_allocation.solver.result import allocation_solution, idle_solution
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes.carried import (
    allocated,
    carried,
    searched_on,
)

SLOTS_SHARE = 0.4
"""Of the time, for slots of half-duplex links, where there was not enough time before."""
MOVES_SHARE = 0.4
"""Of the time then left, for the moves. The rest is for the bound."""
NO_BOUND_IN_TIME = (
    "there was no time for a bound: the throughput holds; ask for a longer time_limit, or for"
    ' "bound_method": "none"'
)
NOTHING_FITS = "no mapping has routes for all files: there is no bound to compare this one with"
NOT_ALL_MOVES = (
    "better is the best of {tried:,} of {total:,} moves of one task: there was no time for the others,"
    " or too many"
)
BOUNDS: Mapping[BoundMethod, Callable[[MonoTables, Control], PeriodBound]] = {
    "relaxation": prices.relaxation,
    "allocations": prices.allocations,
}


def evaluated(
    tables: MonoTables, options: Options, control: Control, *, late: bool = False
) -> Solution:
    """Answer with a mapping as it is given.

    Its period is known first, and kept even if the rest fails.

    Parameters
    ----------
    late
        Whether the time is over: then there are no moves, and only a rough bound.

    Raises
    ------
    Cancelled
        If cancelled.
    """
    path_rule, places = PathRule(tables), placed(tables)
    sent = transfers(tables, path_rule, places)
    found = None
    if sent is not None:
        found = carried(tables, allocated(tables, places, sent), control)
        slots = control.limited(SLOTS_SHARE * control.remaining, silent=True)
        found = searched_on(tables, found, slots)
        control.progress(value=1 / found.period)
    period = None if found is None else found.period
    part = control.limited(0.0 if late else MOVES_SHARE * control.remaining, silent=True)
    move = Moves(tables, path_rule, places, period).best(part)
    notes: list[str] = []
    bound = _bound(tables, found, control, notes, late=late)
    if move.tried < move.total:
        notes.append(NOT_ALL_MOVES.format(tried=move.tried, total=move.total))
    if found is None:
        reason = explain_missing_path(tables, path_rule, places)
        solution = idle_solution(tables.instance, _named(tables, places), bound, [reason, *notes])
    else:
        finding = Finding(found, notes=tuple(notes))
        solution = allocation_solution(tables.instance, finding, bound, options.mip_gap)
    result = solution.result
    assert isinstance(result, MonoAllocationResult)
    return replace(solution, result=result.model_copy(update=_said(tables, result, move)))


def _bound(
    tables: MonoTables, found: Allocated | None, control: Control, notes: list[str], *, late: bool
) -> PeriodBound | None:
    """Bound all mappings as was asked. A note says where that cannot be."""
    asked = tables.instance.bound_method
    if asked == "none":
        return None
    if found is not None:
        tables = tables.knowing(found.odd_sets)
    try:
        part = control.limited(control.remaining, silent=True)
        bound = None if late else in_time(BOUNDS[asked], tables, part)
        return rough_bound(tables, control) if bound is None else bound
    except OutOfTime:
        notes.append(NO_BOUND_IN_TIME)
    except NoMapping:
        notes.append(NOTHING_FITS)
    return None


def _said(tables: MonoTables, result: MonoAllocationResult, move: BestMove) -> dict[str, object]:
    names = [processor.id for processor in tables.platform.processors]
    better = None
    if move.step is not None and move.period is not None:
        task, source, target = move.step
        better = Move(
            task=tables.tasks[task],
            source=names[source],
            target=names[target],
            throughput=1 / move.period,
        )
    return {
        "bottlenecks": _longest(result.occupation),
        "distance": result.gap,
        "better": better,
        "moves": MovesTried(tried=move.tried, total=move.total),
    }


def _longest(occupation: Sequence[Occupation]) -> list[str]:
    longest = occupation[0].time if occupation else Fraction(0)
    return [use.resource for use in occupation if use.time == longest]


def _named(tables: MonoTables, places: Sequence[Row]) -> dict[str, list[str]]:
    names = [processor.id for processor in tables.platform.processors]
    return {task: [names[i] for i in row] for task, row in zip(tables.tasks, places, strict=True)}
