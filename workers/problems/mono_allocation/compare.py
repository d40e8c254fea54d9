"""All methods side by side, for `compare`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.periods import last_period
from steadygrid.domain.schedule import Allocation
from steadygrid.problems.mono_allocation.program import (
    MOST_COMPARED,
    Measures,
    exact_program,
    relaxed_program,
)
from steadygrid.problems.mono_allocation.schemas import ComparedMethod
from workers.mapping import NoMapping
from workers.problems.mono_allocation.answer import PeriodBound
from workers.problems.mono_allocation.finding import REFERENCES, Finding, find
from workers.problems.mono_allocation.heuristics.registry import (
    GREEDY,
    HEURISTICS,
    ROUNDING,
    THOROUGH,
)
from workers.problems.mono_allocation.tables import MonoTables
from workers.simulation.execution import Simulation
from workers.solving.control import Control

EXACT = ("portfolio", "milp")
"""Methods that always use all the time there is: they come last."""
REFERENCE_SHARE = 0.6
"""Of the time, for the references, which simulate all the instances that were asked for."""
FEWER = (1, 30)
"""Instances that references simulate before all that were asked for."""


@dataclass(frozen=True)
class Contestant:
    """What became of one method.

    Attributes
    ----------
    throughput, latency
        None where the method found nothing: the note says why.
    seconds
        That it took.
    finding
        None for references.
    """

    method: str
    seconds: float
    throughput: Fraction | None = None
    latency: Fraction | None = None
    note: str | None = None
    finding: Finding | None = field(default=None, repr=False)

    def row(self, bound: Fraction) -> ComparedMethod:
        """Give the line of the table, with the throughput as a part of a bound."""
        note = self.note
        if note is None and self.throughput is not None and self.throughput > bound:
            note = "places every instance anew: the bound is one of single allocations"
        return ComparedMethod(
            method=self.method,
            throughput=self.throughput,
            ratio_to_bound=None if self.throughput is None else self.throughput / bound,
            latency=self.latency,
            seconds=self.seconds,
            note=note,
        )


def contestants(tables: MonoTables, options: Options, control: Control) -> Iterator[Contestant]:
    """Run every method, each with a turn of its own.

    The greedy heuristics, which take next to no time, then the references, which share
    `REFERENCE_SHARE` of the time: what one does not need is left to the others, and what they all
    leave to the methods after them. The other heuristics follow, and at last the searches. The
    portfolio begins from what the heuristics have found; their seconds count as its own.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled.
    """
    known: dict[str, Contestant] = {}

    def turn(method: str, seconds: float) -> Contestant:
        found = _contestant(tables, method, options, control.within(seconds), known)
        if method in HEURISTICS and found.finding is not None:
            known[method] = found
        return found

    for method in GREEDY:
        yield turn(method, control.remaining)
    end = control.elapsed + REFERENCE_SHARE * control.remaining
    for position, method in enumerate(REFERENCES):
        left = end - control.elapsed
        yield turn(method, left / (len(REFERENCES) - position))
    others = [*THOROUGH, *ROUNDING]
    for position, method in enumerate(others):
        yield turn(method, control.remaining / (len(others) - position + len(EXACT)))
    for position, method in enumerate(EXACT):
        yield turn(method, control.remaining / (len(EXACT) - position))


def _contestant(
    tables: MonoTables,
    method: str,
    options: Options,
    control: Control,
    known: Mapping[str, Contestant],
) -> Contestant:
    """Run one method with the time that is its own."""
    started = control.elapsed
    large = too_large(tables, method)
    if large is not None:
        return Contestant(method, 0.0, note=large)
    before = sum(one.seconds for one in known.values()) if method == "portfolio" else 0.0

    def seconds() -> float:
        return round(before + control.elapsed - started, 3)

    try:
        found = _run(tables, method, options, control, known)
    except NoMapping as failure:
        return Contestant(method, seconds(), note=str(failure))
    except OutOfTime:
        return Contestant(method, seconds(), note="its part of the time was not enough")
    return Contestant(method, seconds(), *found)


def too_large(tables: MonoTables, method: str) -> str | None:
    """Say why a method is left out, where its program would be too large to be compared."""
    if method not in ("milp", "rlp_max", "rlp_rand"):
        return None
    labels = [len(row) for row in tables.labels]
    measures = Measures.of(tables.instance, labels, len(tables.resources))
    program = (
        exact_program(tables.instance, measures) if method == "milp" else relaxed_program(measures)
    )
    if program["coefficients"] <= MOST_COMPARED:
        return None
    return (
        f"left out: its program would have {program['coefficients']:,} coefficients, more than"
        f" {MOST_COMPARED:,}"
    )


def _run(
    tables: MonoTables,
    method: str,
    options: Options,
    control: Control,
    known: Mapping[str, Contestant],
) -> tuple[Fraction, Fraction, str | None, Finding | None]:
    """Give throughput, latency, a note and, unless the method is a reference, the allocation."""
    if method in REFERENCES:
        return *_simulated(tables, method, control), None
    findings = {name: one.finding for name, one in known.items() if one.finding is not None}
    finding = find(tables, method, options, control, findings)
    note = "not proved optimal by its search" if method in EXACT else None
    if finding.proved:
        note = "proved optimal by the search"
    return 1 / finding.period, latency(tables, finding), note, finding


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
    """Give the time from the beginning to the end of one instance, in its periodic schedule."""
    allocated, instance = finding.allocated, tables.instance
    allocation = Allocation(
        0, 1 / finding.period, Fraction(1), allocated.tasks, allocated.transfers
    )
    return last_period(instance.file_sizes, allocation, instance.ports) * finding.period


def comparison(run: list[Contestant], bound: PeriodBound, seconds: float) -> list[ComparedMethod]:
    """Give the table: first the bound, then the methods in the order they ran.

    Parameters
    ----------
    bound
        Of the answer; references, which mix allocations, may pass it.
    seconds
        That the bound took.
    """
    best = 1 / bound.period
    return [
        ComparedMethod(
            method="upper_bound",
            throughput=best,
            ratio_to_bound=Fraction(1),
            latency=None,
            seconds=seconds,
            note=f"no allocation is better ({bound.source.replace('_', ' ')})",
        ),
        *(contestant.row(best) for contestant in run),
    ]
