"""An allocation by names, and the period of the schedule that it gets."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from steadygrid.domain.schedule import Transfer
from workers.allocations.workload import workload_of
from workers.mapping.tables import Tables
from workers.mapping.transfers import Places, period_of
from workers.problems.mono_allocation.allocated import Allocated
from workers.problems.mono_allocation.tables import MonoTables
from workers.problems.mono_allocation.ways.best import best_ways
from workers.scheduling import Plan
from workers.scheduling.putting_off import with_slots
from workers.solving.control import Control


def allocated(tables: Tables, places: Places, transfers: Iterable[Transfer]) -> Allocated:
    """Name processors and tasks, and give the period that the resources allow."""
    processors, listed = tables.platform.processors, tuple(transfers)
    return Allocated(
        {
            task: tuple(processors[i].id for i in row)
            for task, row in zip(tables.tasks, places, strict=True)
        },
        listed,
        period_of(tables, places, listed),
    )


def places_of(tables: Tables, allocation: Allocated) -> list[list[int]]:
    """Give the positions of the processors that run each task."""
    index = tables.platform.index_by_id
    return [[index[name] for name in allocation.tasks[task]] for task in tables.tasks]


def carried(tables: Tables, allocation: Allocated) -> Allocated:
    """Give an allocation the period of the schedule that it gets.

    It is the period that resources allow, or longer by up to a factor of two: under ``one_port``,
    where half-duplex links are used in both directions off a tree.
    """
    if tables.instance.ports != "one_port" or not allocation.period:
        return allocation
    plan = Plan(1 / allocation.period, allocation.tasks, allocation.transfers)
    plans, _ = with_slots(workload_of(tables.instance), [plan])
    return replace(allocation, period=1 / plans[0].rate)


def over_best_ways(tables: MonoTables, mapping: Sequence[int], control: Control) -> Allocated:
    """Send the files of a mapping over the best ways that the routing allows.

    Raises
    ------
    NoMapping
        If a file has no way.
    Cancelled
        If the solve was told to stop.
    """
    ways = best_ways(tables, mapping, control)
    return carried(tables, allocated(tables, [(i,) for i in mapping], ways))
