"""What people are told about an answer of `cell`."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import Column, Measure, Section, Table, View
from steadygrid.problems.cell.schemas import CellInstance, CellResult
from steadygrid.problems.headlines import periodic_view


def view(
    instance: CellInstance, options: Options, result: CellResult, schedule: Schedule | None
) -> View:
    """Say how often the mapping is used, how much faster it is, and how full the cores are."""
    return replace(
        periodic_view(instance, schedule, instance.task_index),
        sections=(*_speed_up(result), *_local_stores(result), *_calls(result)),
        # The main memory, for one, is not seen in a schedule.
        occupation={use.resource: use.time for use in result.occupation},
        bottleneck=result.bottleneck,
    )


def _speed_up(result: CellResult) -> Iterator[Section]:
    named = (("ppe_only", result.speed_up.ppe_only), ("greedy", result.speed_up.greedy))
    factors = {
        name: factor for name, factor in named if factor is not None and name != result.method
    }
    if not factors:
        return
    longest = max(factors.values())
    rows = tuple((name, factor, factor / longest) for name, factor in factors.items())
    columns = (
        Column("over", Measure.TEXT),
        Column("faster", Measure.FACTOR),
        Column("", Measure.BEST),
    )
    yield Section("Speed-ups", table=Table(columns, rows, "methods"))


def _local_stores(result: CellResult) -> Iterator[Section]:
    if not result.local_store:
        return
    ranked = sorted(result.local_store, key=lambda store: (-store.used, store.core))
    rows = tuple(
        (
            store.core,
            store.used,
            store.of,
            store.used / store.of if store.of else None,
            store.used / store.of if store.of else Fraction(0),
        )
        for store in ranked
    )
    columns = (
        Column("core", Measure.TEXT),
        Column("buffers", Measure.NUMBER),
        Column("room", Measure.NUMBER),
        Column("in use", Measure.SHARE),
        Column("", Measure.FILL),
    )
    yield Section("Local stores", table=Table(columns, rows, "local stores"))


def _calls(result: CellResult) -> Iterator[Section]:
    listed = [use for use in result.dma if use.calls]
    if not listed:
        return
    ranked = sorted(listed, key=lambda use: (Fraction(-use.calls, use.of), use.core))
    rows = tuple(
        (
            use.core,
            use.source or "all cores",
            Fraction(use.calls),
            Fraction(use.of),
            Fraction(use.calls, use.of),
        )
        for use in ranked
    )
    columns = (
        Column("core", Measure.TEXT),
        Column("fetches from", Measure.TEXT),
        Column("files", Measure.COUNT),
        Column("at most", Measure.COUNT),
        Column("", Measure.FILL),
    )
    yield Section("DMA calls per period", table=Table(columns, rows, "such limits"))
