"""The methods of `mono_allocation`: an allocation, what bounds all of them, and the answer."""

from dataclasses import replace

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options, Phase
from steadygrid.domain.problem import Sizing
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.allocated import Finding
from steadygrid.kinds.mono_allocation.solver.bounds.prices import longest_task
from steadygrid.kinds.mono_allocation.solver.bounds.strongest import (
    all_bounds,
    rough_bound,
    schedule_bound,
    strongest_bound,
)
from steadygrid.kinds.mono_allocation.solver.compare import comparison, contestants
from steadygrid.kinds.mono_allocation.solver.given.answer import evaluated
from steadygrid.kinds.mono_allocation.solver.method_runs import (
    REFERENCES,
    find,
    quick_mapping,
)
from steadygrid.kinds.mono_allocation.solver.result import (
    allocation_solution,
    bound_solution,
    empty_solution,
    simulation_solution,
)
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes.carried import (
    over_best_paths,
    searched_on,
)

FINDING_SHARE = 0.7
"""Of the time, for allocations. The rest is for the bound."""
SLOTS_SHARE = 0.5
"""Of that rest, for slots of half-duplex links, where there was not enough time before."""


def solve(
    instance: MonoAllocationInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Answer by the method that was asked for.

    Parameters
    ----------
    instance
        Without faults.
    options
        `mip_gap` is read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled, or if the time is over before there is any allocation.
    """
    control.phase(Phase.BUILDING)
    tables = MonoTables(instance)
    control.phase(Phase.SOLVING)
    method = instance.method
    if method == "given":
        return evaluated(tables, options, control)
    part = control.limited(FINDING_SHARE * control.remaining)
    try:
        if tables.limits is not None:
            tables.fitting(control)
        if method == "upper_bound":
            bound, notes = all_bounds(tables, control)
            return bound_solution(instance, bound, notes)
        if method in REFERENCES:
            simulation = REFERENCES[method](tables, instance.instances, part)
            return simulation_solution(instance, simulation, schedule_bound(tables, control))
        if method == "compare":
            return _compared(tables, options, part, control)
        return _answered(tables, options, find(tables, method, options, part), control)
    except NoMapping as failure:
        proof = failure if failure.proved else _proof_of_none(tables, control)
        return empty_solution(instance, proof or failure)


def _proof_of_none(tables: MonoTables, control: Control) -> NoMapping | None:
    """Prove that there is no mapping, if that can be and there is time. None if it is not."""
    try:
        rough_bound(tables, control.limited(control.remaining, silent=True))
    except NoMapping as failure:
        return failure if failure.proved else None
    except OutOfTime:
        pass
    return None


def _answered(tables: MonoTables, options: Options, finding: Finding, control: Control) -> Solution:
    """Bound an allocation and answer with it."""
    finding = _in_best_slots(tables, finding, control)
    bound = strongest_bound(tables, finding, control)
    return allocation_solution(tables.instance, finding, bound, options.mip_gap)


def _in_best_slots(tables: MonoTables, finding: Finding, control: Control) -> Finding:
    """Go on with a search for slots that was cut short when the allocation was one of many."""
    part = control.limited(SLOTS_SHARE * control.remaining, silent=True)
    return replace(finding, allocated=searched_on(tables, finding.allocated, part))


def _compared(tables: MonoTables, options: Options, part: Control, control: Control) -> Solution:
    """Answer with the best allocation of all methods, and the table."""
    run = list(contestants(tables, options, part))
    findings = [finding for _, finding in run if finding is not None]
    if not findings:
        notes = [f"{row.method}: {row.note}" for row, _ in run if row.note]
        return bound_solution(tables.instance, rough_bound(tables, control), notes)
    best = min(findings, key=lambda finding: (finding.period, not finding.proved))
    best = _in_best_slots(tables, best, control)
    started = control.elapsed
    bound = strongest_bound(tables, best, control)
    rows = comparison((row for row, _ in run), bound, control.elapsed - started)
    return allocation_solution(tables.instance, best, bound, options.mip_gap, rows)


def best_without_solver(
    instance: MonoAllocationInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over before the method had anything: a greedy mapping, a bound.

    Parameters
    ----------
    instance
        Without faults.
    options
        `mip_gap` is read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Grace time that is left, and cancellation.
    interruption
        Not read.
    """
    tables = MonoTables(instance)
    if instance.method == "given":
        return evaluated(tables, options, control, late=True)
    mapping = (
        None if instance.method in (*REFERENCES, "upper_bound") else quick_mapping(tables, control)
    )
    least = longest_task(tables)
    try:
        bound = rough_bound(tables, control)
    except NoMapping as failure:
        return empty_solution(instance, failure)
    except OutOfTime:
        if mapping is None or not least.period:
            raise
        bound = least
    if mapping is None:
        return bound_solution(instance, bound)
    bound = max(bound, least, key=lambda one: one.period)
    late = f"{instance.method} had no time to find an allocation: this one is a quick heuristic's"
    finding = Finding(over_best_paths(tables, mapping, control), notes=(late,))
    return allocation_solution(instance, finding, bound, options.mip_gap)
