"""The schedule of a mapping: one period, repeated."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.schedule import (
    Allocation,
    Computation,
    Schedule,
    Slot,
    SlotTransfer,
    Transfer,
)
from steadygrid.kinds.cell.solver.tables import Tables


def schedule_of(
    tables: Tables, mapping: Sequence[int], max_period: Fraction | None
) -> tuple[Schedule, list[str]]:
    """Let every core run its tasks one after the other, and all files flow all the time.

    A period runs one instance. Where `max_period` is shorter than that takes, the schedule does
    nothing, and a note says what would do.

    Parameters
    ----------
    tables
        The instance in whole numbers.
    mapping
        Core of each task, by position.
    max_period
        In time units; None for as long as it takes.

    Returns
    -------
    tuple
        The schedule, and notes for the answer.

    Notes
    -----
    *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, Theorem 7.1: nothing
    depends on what happens in the same period, so any order is right. Linear.
    """
    period = tables.period(mapping)
    fits = max_period is None or period <= max_period
    count = Fraction(int(fits))
    length = period if fits or max_period is None else max_period
    throughput = count / length
    cores = [tables.cores[core] for core in mapping]
    names = [(tables.tasks[source], tables.tasks[target]) for source, target in tables.files]
    moved = [file for file, (k, l) in enumerate(tables.files) if mapping[k] != mapping[l]]
    ends = {file: (cores[k], cores[l]) for file, (k, l) in enumerate(tables.files)}
    transfers = tuple(Transfer(names[file], ends[file], Fraction(1)) for file in moved)
    placed = {task: (core,) for task, core in zip(tables.tasks, cores, strict=True)}
    first = {
        (task, core): when
        for task, core, when in zip(tables.tasks, cores, tables.first, strict=True)
    }
    carried = [file for file in moved if tables.move[file]] if fits else []
    last = max(tables.first) if fits else 1
    notes = []
    if not fits:
        notes.append(
            f"no instance fits a period of {max_period}: the smallest useful period of this"
            f" mapping is {period}"
        )
    schedule = Schedule(
        period=length,
        instances_per_period=count,
        throughput=throughput,
        optimal_throughput=1 / period,
        loss=1 - throughput * period,
        rounding_loss=None if fits else Fraction(1),
        bounded=None if fits else "asked",
        ports="multiport",
        prologue_periods=last - 1,
        latency_periods=last,
        preempted=False,
        files=tuple(names),
        allocations=(Allocation(0, 1 / period, count, placed, transfers, first),),
        computations=tuple(_computations(tables, mapping)) if fits else (),
        slots=(
            Slot(
                Fraction(0),
                length,
                tuple(SlotTransfer(*ends[file], names[file], 0, Fraction(1)) for file in carried),
            ),
        )
        if carried
        else (),
    )
    return schedule, notes


def _computations(tables: Tables, mapping: Sequence[int]) -> list[Computation]:
    """Tasks in the order given, on each core one after the other from 0."""
    on_core: list[list[Computation]] = [[] for _ in tables.cores]
    free = [0] * len(tables.cores)
    for task, core in enumerate(mapping):
        time = tables.time(task, core) or 0
        on_core[core].append(
            Computation(
                tables.cores[core],
                tables.tasks[task],
                0,
                Fraction(1),
                free[core] * tables.unit,
                time * tables.unit,
            )
        )
        free[core] += time
    return [computation for listed in on_core for computation in listed]
