"""What people read about an answer of `simulation`."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from steadygrid.domain.job import Alike, Execution, Options
from steadygrid.domain.view import Amount, Column, KeptShare, Measure, Phrase, Section, Table, View
from steadygrid.kinds.simulation.schemas import (
    SimulatedRow,
    SimulationInstance,
    SimulationResult,
)

_WORDS = {
    "clock": "by the clock: nothing starts before its date",
    "order": "in the order of the schedule, without dates",
    "dispatch": "in the dispatch order: each port serves who comes first",
    "on_demand": "on demand: a worker asks for tasks",
    "heft": "by HEFT: planned anew in batches, each task where it ends first",
    "program": "as the exported program: one operation, from its start to its end",
}


def named(execution: Execution, overtake: bool | None) -> str:
    """Name an execution for people.

    Parameters
    ----------
    execution
        As in the result.
    overtake
        Whether transfers overtake each other. None where that was no question.
    """
    return f"{execution}, overtaking" if overtake is True else execution


def view(
    instance: SimulationInstance, options: Options, result: SimulationResult, schedule: Any
) -> View:
    """Say which execution keeps most of the plan, and what each does at each noise.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    result
        The answer.
    schedule
        There is none.
    """
    headline: Phrase = ()
    best = result.recommended
    if best is not None:
        headline = (
            f"{named(best.execution, best.overtake)} does ",
            Amount(best.of_plan, Measure.SHARE),
            " of the plan",
            *((" at ", Amount(best.noise, Measure.SHARE), " noise") if best.noise else ()),
            *(
                (f", as {_listed(best.alike)} {'do' if best.alike[1:] else 'does'}",)
                if best.alike
                else ()
            ),
        )
    return View(
        noun="instance",
        headline=headline,
        facts=tuple(_facts(result)),
        kept=tuple(_kept_shares(result)),
        sections=tuple(_sections(result)),
        subject=f"a schedule of {result.simulated}",
    )


def _facts(result: SimulationResult) -> Iterator[tuple[str, Phrase]]:
    once = result.period is None
    measure = Measure.DURATION if once else Measure.RATE
    yield "plan", (Amount(result.plan, measure), " by the schedule")
    if result.optimum is not None:
        title = "at least" if once else "at most"
        yield title, (Amount(result.optimum, measure), " by the bound of its answer")
    if result.recommended is not None:
        best = result.recommended
        yield "run it", (_WORDS[best.execution],)
        if best.alike:
            sentence = (
                f"{_listed(best.alike)}: what they differ by is within the error of the measurement,"
                f" and {named(best.execution, best.overtake)} is the simplest"
            )
            yield "or by", (sentence,)
    yield "proof", ("none: these values are simulated",)


def _listed(alike: list[Alike]) -> str:
    return ", ".join(named(one.execution, one.overtake) for one in alike)


def _kept_shares(result: SimulationResult) -> Iterator[KeptShare]:
    for row in sorted(result.table, key=lambda row: row.noise):
        ends = sorted(
            result.plan / one if result.period is None else one / result.plan
            for one in (row.least, row.greatest)
        )
        yield KeptShare(
            named(row.execution, row.overtake), row.noise, ends[0], row.of_plan, ends[1]
        )


def _sections(result: SimulationResult) -> Iterator[Section]:
    if not result.table:
        return
    lines: dict[tuple[Execution, bool | None], dict[Fraction, SimulatedRow]] = {}
    for row in result.table:
        lines.setdefault((row.execution, row.overtake), {})[row.noise] = row
    noises = sorted({row.noise for row in result.table})
    shown = tuple(Column(f"{percent(noise)} noise", Measure.SHARE) for noise in noises)
    yield Section(
        "What is left of the plan",
        table=Table(
            (Column("execution", Measure.TEXT), *shown),
            tuple(
                (
                    named(*execution),
                    *(rows[noise].of_plan if noise in rows else None for noise in noises),
                )
                for execution, rows in lines.items()
            ),
            "executions",
        ),
        notes=tuple(
            (execution, _WORDS[execution])
            for execution in dict.fromkeys(execution for execution, _ in lines)
        ),
    )
    first = next((noise for noise in noises if noise), noises[0])
    columns = (
        Column("execution", Measure.TEXT),
        Column("makespan", Measure.DURATION) if result.period is None else Column("", Measure.RATE),
        Column("error", Measure.COARSE, optional=True),
        Column("least", Measure.COARSE, optional=True),
        Column("greatest", Measure.COARSE, optional=True),
        Column(
            "late, of the makespan" if result.period is None else "late, in periods",
            Measure.COARSE,
            optional=True,
        ),
        Column("waiting", Measure.COUNT, optional=True),
    )
    table = tuple(
        _cells(execution, rows[first]) for execution, rows in lines.items() if first in rows
    )
    yield Section(f"At {percent(first)} noise", table=Table(columns, table, "executions"))


def percent(noise: Fraction) -> str:
    """Write a noise in per cent.

    Parameters
    ----------
    noise
        A part of 1.
    """
    return f"{float(100 * noise):.4g} %"


def _cells(
    execution: tuple[Execution, bool | None], row: SimulatedRow
) -> tuple[str | Fraction | None, ...]:
    return (
        named(*execution),
        row.makespan if row.throughput is None else row.throughput,
        row.error,
        row.least,
        row.greatest,
        row.late,
        Fraction(row.waiting),
    )
