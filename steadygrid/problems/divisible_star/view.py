"""What people are told about an answer of `divisible_star`."""

from collections.abc import Iterator

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.job import Options
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.view import Amount, Cell, Column, Measure, Phrase, Section, Table, View
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
    )


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
