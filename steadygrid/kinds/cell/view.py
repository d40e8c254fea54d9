"""What people read about an answer of `cell`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import Column, Measure, Phrase, Section, Table, View
from steadygrid.kinds.cell.referee_view import RefereeView
from steadygrid.kinds.cell.schemas import CellInstance, CellResult
from steadygrid.kinds.shared.headlines import periodic_view

_LISTED = 4
"""Tasks and cores in one line."""


def view(
    instance: CellInstance, options: Options, result: CellResult, schedule: Schedule | None
) -> View:
    """Say how often the mapping is used, how much faster it is, and how full the cores are.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer. None where it has none.
    """
    return replace(
        periodic_view(instance, schedule, result.bound, instance.task_index),
        facts=tuple(_busy(RefereeView(instance), result)),
        sections=(*_speed_up(result), *_local_stores(result), *_calls(result)),
        # The main memory, for one, is not seen in a schedule.
        occupation={use.resource: use.time for use in result.occupation},
        bottleneck=result.bottleneck,
    )


def _busy(seen: RefereeView, result: CellResult) -> Iterator[tuple[str, Phrase]]:
    """Tell with which tasks the busiest core is busy, and which cores have time and no room for them."""
    if result.bottleneck is None:
        return
    core, _, use = result.bottleneck.rpartition(".")
    costs = _costs(seen, result, core, use)
    ranked = sorted((task for task in costs if costs[task]), key=lambda task: -costs[task])
    told = _listed([repr(task) for task in ranked])
    if full := _full(seen, result, [*costs]):
        told += f"; {_listed(full)} would have time for more, but no room for any task of {core}"
    yield "busy with", (told,)


def _costs(seen: RefereeView, result: CellResult, core: str, use: str) -> dict[str, Fraction]:
    """Give what each task takes of a core: time to compute, or data that it takes in or gives out."""
    here = [task for task, place in result.mapping.items() if place == core]
    if use == "compute":
        times = {task: seen.time(task, core) for task in here}
        return {task: Fraction(0) if time is None else time for task, time in times.items()}
    inwards = use == "in"
    costs = {task: seen.tasks[task].read if inwards else seen.tasks[task].write for task in here}
    for (source, target), size in seen.sizes.items():
        own, other = (target, source) if inwards else (source, target)
        if own in costs and result.mapping[other] != core:
            costs[own] += size
    return costs


def _full(seen: RefereeView, result: CellResult, tasks: Sequence[str]) -> list[str]:
    """Name the SPEs that are not busy all the time, and whose store has no room for any of some tasks."""
    busiest = {
        use.resource.partition(".")[0] for use in result.occupation if use.time == result.period
    }
    return [
        store.core
        for store in result.local_store
        if store.core not in busiest
        and all(
            store.used + seen.needs[task] > store.of
            for task in tasks
            if seen.time(task, store.core) is not None
        )
    ]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more


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
