"""All methods side by side, for `compare`."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.periods import last_period
from steadygrid.domain.schedule import Allocation
from steadygrid.engine.allocations.workload import workload_of
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.scheduling.computations import in_order
from steadygrid.engine.simulation.execution import Simulation
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.fitting import limits_unknown_to
from steadygrid.kinds.mono_allocation.program import (
    MOST_COMPARED,
    Measures,
    exact_program,
    relaxed_program,
)
from steadygrid.kinds.mono_allocation.schemas import ComparedMethod
from steadygrid.kinds.mono_allocation.solver.allocated import Finding, PeriodBound
from steadygrid.kinds.mono_allocation.solver.heuristics.registry import (
    HEURISTICS,
    Effort,
    of_effort,
)
from steadygrid.kinds.mono_allocation.solver.method_runs import REFERENCES, find
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

EXACT = ("portfolio", "milp")
"""Methods that always use all the time there is: they come last."""
REFERENCE_SHARE = 0.6
"""Of the time, for the references, which simulate all the instances that were asked for."""
FEWER = (1, 30)
"""Instances that references simulate before all that were asked for."""


Contestant = tuple[ComparedMethod, Finding | None]
"""What became of one method: its line of the table, as yet without a ratio to the bound, and its
allocation, which references have not."""


def contestants(tables: MonoTables, options: Options, control: Control) -> Iterator[Contestant]:
    """Run every method, each with a turn of its own.

    The greedy heuristics, which take next to no time, then the references, which share
    `REFERENCE_SHARE` of the time. What one does not need is left to the others, and what they all
    leave to the methods after them. The other heuristics follow, and at last the searches. The
    portfolio begins from what the heuristics have found. Their seconds count as its own.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    options
        `mip_gap` is read, by searches.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled.
    """
    known: dict[str, Finding] = {}
    spent = 0.0

    def turn(method: str, seconds: float) -> Contestant:
        nonlocal spent
        row, finding = _contestant(tables, method, options, control.limited(seconds), known)
        if method == "portfolio":
            row = row.model_copy(update={"seconds": round(row.seconds + spent, 3)})
        if method in HEURISTICS and finding is not None:
            known[method] = finding
            spent += row.seconds
        return row, finding

    for heuristic in of_effort(Effort.QUICK):
        yield turn(heuristic.name, control.remaining)
    end = control.elapsed + REFERENCE_SHARE * control.remaining
    for position, method in enumerate(REFERENCES):
        left = end - control.elapsed
        yield turn(method, left / (len(REFERENCES) - position))
    others = of_effort(Effort.PAIRS, Effort.PROGRAM)
    for position, heuristic in enumerate(others):
        yield turn(heuristic.name, control.remaining / (len(others) - position + len(EXACT)))
    for position, method in enumerate(EXACT):
        yield turn(method, control.remaining / (len(EXACT) - position))


def _contestant(
    tables: MonoTables,
    method: str,
    options: Options,
    control: Control,
    known: Mapping[str, Finding],
) -> Contestant:
    """Run one method with the time that is its own."""
    unable = limits_unknown_to(tables.instance, method)
    out = too_large(tables, method) if unable is None else f"left out: {unable}"
    if out is not None:
        return _row(method, 0.0, note=out), None
    started = control.elapsed
    finding: Finding | None = None
    found: tuple[Fraction | None, Fraction | None, str | None]
    try:
        if method in REFERENCES:
            found = _simulated(tables, method, control)
        else:
            finding = find(tables, method, options, control, known)
            note = "its search did not end" if method in EXACT and not finding.proved else None
            found = 1 / finding.period, latency(tables, finding), note
    except NoMapping as failure:
        found = None, None, str(failure)
    except OutOfTime:
        found = None, None, "its part of the time was not enough"
    return _row(method, control.elapsed - started, *found), finding


def _row(
    method: str,
    seconds: float,
    throughput: Fraction | None = None,
    latency: Fraction | None = None,
    note: str | None = None,
) -> ComparedMethod:
    return ComparedMethod(
        method=method,
        throughput=throughput,
        ratio_to_bound=None,
        latency=latency,
        seconds=round(seconds, 3),
        note=note,
    )


def too_large(tables: MonoTables, method: str) -> str | None:
    """Say why a method is left out, where its program would be too large to be compared.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    method
        Name of any method that is compared.
    """
    solving = method in HEURISTICS and HEURISTICS[method].effort is Effort.PROGRAM
    if method != "milp" and not solving:
        return None
    labels = [len(row) for row in tables.needed_labels]
    measures = Measures.from_instance(tables.instance, labels, len(tables.resources))
    program = (
        exact_program(tables.instance, measures) if method == "milp" else relaxed_program(measures)
    )
    if program["coefficients"] <= MOST_COMPARED:
        return None
    return (
        f"left out: its program would have {program['coefficients']:,} coefficients, more than"
        f" {MOST_COMPARED:,}"
    )


def _simulated(
    tables: MonoTables, method: str, control: Control
) -> tuple[Fraction, Fraction, str | None]:
    """Simulate as many instances as there is time for: all that were asked for, or fewer.

    A few come first, in almost no time. They are the answer where the time is over before all
    are done, and a note says so.

    Raises
    ------
    NoMapping, Cancelled, OutOfTime
        See the references.
    """
    asked = tables.instance.instances
    done: Simulation | None = None
    for number in sorted({*(few for few in FEWER if few < asked), asked}):
        try:
            done = REFERENCES[method](tables, number, control)
        except OutOfTime:
            if done is None:
                raise
            note = (
                f"simulated for {done.instances:,} instances only: there was no time for {asked:,}"
            )
            break
    else:
        note = None
    assert done is not None
    return done.instances / done.makespan, done.latency, note


def latency(tables: MonoTables, finding: Finding) -> Fraction:
    """Give the time from the beginning to the end of one instance, in its periodic schedule.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    finding
        A method's best allocation.

    Returns
    -------
    Fraction
        In time units.
    """
    allocated, instance = finding.allocated, tables.instance
    allocation = Allocation(
        0, 1 / finding.period, Fraction(1), allocated.tasks, allocated.transfers
    )
    sizes = instance.file_sizes
    allocation = in_order(workload_of(instance), allocation, tuple(sizes))
    return last_period(sizes, allocation, instance.ports) * finding.period


def comparison(
    run: Iterable[ComparedMethod], bound: PeriodBound, seconds: float
) -> list[ComparedMethod]:
    """Give the table: first the bound, then the methods in the order they ran.

    Parameters
    ----------
    bound
        Of the answer; references, which mix allocations, may pass it.
    seconds
        That the bound took.
    """
    best = 1 / bound.period
    return [_with_ratio(best, row) for row in (_row("upper_bound", seconds, best), *run)]


def _with_ratio(best: Fraction, row: ComparedMethod) -> ComparedMethod:
    """Give a line with its throughput as a part of a bound, if that bound holds for its method."""
    if row.throughput is None or row.method in REFERENCES:
        return row
    return row.model_copy(update={"ratio_to_bound": row.throughput / best})
