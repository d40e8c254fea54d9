"""All methods side by side, for `compare`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from app.domain.job import Options
from app.domain.periods import last_period
from app.domain.schedule import Allocation
from app.problems.mono_allocation.program import (
    MOST_COMPARED,
    Measures,
    exact_program,
    relaxed_program,
)
from app.problems.mono_allocation.schemas import ComparedMethod
from workers.problems.mono_allocation.answer import NoMapping, PeriodBound
from workers.problems.mono_allocation.finding import (
    HEURISTICS,
    REFERENCES,
    Finding,
    find,
)
from workers.problems.mono_allocation.tables import Tables
from workers.solving.control import Control, Interrupted

RELAXED = ("rlp_max", "rlp_rand")
"""Heuristics that build and solve a program, which may take longer than their part."""
EXACT = ("portfolio", "milp")


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


def contestants(tables: Tables, options: Options, control: Control) -> Iterator[Contestant]:
    """Run every method, those that solve programs last; each gets an equal part of the time left.

    Raises
    ------
    Interrupted
        If cancelled.
    """
    quick = [name for name in (*HEURISTICS, *REFERENCES) if name not in RELAXED]
    methods = [*quick, *RELAXED, *EXACT]
    for position, method in enumerate(methods):
        part = control.within(control.remaining / (len(methods) - position))
        started = part.elapsed
        large = too_large(tables, method)
        if large is not None:
            yield Contestant(method, 0.0, note=large)
            continue
        try:
            found = _run(tables, method, options, part)
        except NoMapping as failure:
            yield Contestant(method, _since(part, started), note=str(failure))
        except Interrupted as stop:
            if stop.reason == "cancelled":
                raise
            yield Contestant(
                method, _since(part, started), note="its part of the time was not enough"
            )
        else:
            yield Contestant(method, _since(part, started), *found)


def too_large(tables: Tables, method: str) -> str | None:
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


def _since(control: Control, started: float) -> float:
    return round(control.elapsed - started, 3)


def _run(
    tables: Tables, method: str, options: Options, control: Control
) -> tuple[Fraction, Fraction, str | None, Finding | None]:
    """Give throughput, latency, a note and, unless the method is a reference, the allocation."""
    if method in REFERENCES:
        simulation = REFERENCES[method](tables, tables.instance.instances, control)
        return simulation.instances / simulation.makespan, simulation.latency, None, None
    finding = find(tables, method, options, control)
    note = "not proved optimal by its search" if method in EXACT else None
    if finding.proved:
        note = "proved optimal by the search"
    return 1 / finding.period, latency(tables, finding), note, finding


def latency(tables: Tables, finding: Finding) -> Fraction:
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
