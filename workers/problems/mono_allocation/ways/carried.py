"""An allocation by names, and the period of the schedule that it gets."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.schedule import Transfer
from workers.allocations.workload import workload_of
from workers.mapping.tables import Tables
from workers.mapping.transfers import Places
from workers.problems.mono_allocation.answer import Allocated
from workers.scheduling import Plan
from workers.scheduling.putting_off import with_slots


def carried_period(tables: Tables, allocated: Allocated, period: Fraction) -> Fraction:
    """Give the period of the schedule that an allocation gets.

    It is the period that resources allow, or longer by up to a factor of two: under ``one_port``,
    where half-duplex links are used in both directions off a tree.

    Parameters
    ----------
    period
        That resources allow, see `period_of`.
    """
    if tables.instance.ports != "one_port" or not period:
        return period
    plan = Plan(1 / period, allocated.tasks, allocated.transfers)
    plans, _ = with_slots(workload_of(tables.instance), [plan])
    return 1 / plans[0].rate


def allocated(tables: Tables, places: Places, transfers: Sequence[Transfer]) -> Allocated:
    """Name processors and tasks."""
    processors = tables.platform.processors
    return Allocated(
        {
            task: tuple(processors[i].id for i in row)
            for task, row in zip(tables.tasks, places, strict=True)
        },
        tuple(transfers),
    )
