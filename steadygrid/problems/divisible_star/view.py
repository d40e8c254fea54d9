"""What people are told about an answer of `divisible_star`."""

from collections.abc import Iterator

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.job import Options
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.view import Amount, Cell, Column, Measure, Phrase, Section, Table, View
from steadygrid.problems.comparison import comparison
from steadygrid.problems.divisible_star.schemas import (
    LOAD,
    DivisibleStarInstance,
    DivisibleStarResult,
)


def view(
    instance: DivisibleStarInstance,
    options: Options,
    result: DivisibleStarResult,
    schedule: Timeline | None,
) -> View:
    """Say when everything is done, and who computes how much."""
    done: Phrase = ()
    if schedule is not None:
        done = ("everything is done after ", Amount(schedule.makespan, Measure.DURATION))
    return View(
        instance.platform,
        instance.ports,
        tasks=(LOAD,),
        headline=done,
        sections=tuple(_shares(result)),
        comparison=_comparison(result),
    )


def _comparison(result: DivisibleStarResult) -> Section | None:
    """Put the methods that were compared side by side, the best first."""
    if not result.comparison:
        return None
    ranked = sorted(
        result.comparison, key=lambda row: (row.makespan is None, row.makespan, not row.is_answer)
    )
    return comparison([(row, (row.makespan,)) for row in ranked], Column("", Measure.TIME))


def _shares(result: DivisibleStarResult) -> Iterator[Section]:
    if not result.shares:
        return
    fractions: Amounts[str] = Amounts()
    for share in result.shares:
        fractions[share.processor] += share.fraction
    columns = (
        Column("processor", Measure.TEXT),
        Column("of the load", Measure.SHARE),
        Column("computing", Measure.TIME),
        Column("idle", Measure.TIME),
    )
    rows: list[tuple[Cell, ...]] = [
        (one.processor, fractions[one.processor], one.computing, one.idle) for one in result.idle
    ]
    yield Section("Shares", table=Table(columns, tuple(rows), "processors"))
