"""An allocation by names, and the period of the schedule that it gets."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import SINGLE_PORT
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.allocations.workload import workload_of
from steadygrid.engine.mapping.tables import Tables
from steadygrid.engine.mapping.transfers import Places, period_of
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.matching.shares import needs_of_sets
from steadygrid.engine.scheduling import Plan
from steadygrid.engine.scheduling.in_slots import in_best_slots
from steadygrid.engine.scheduling.workload import operations
from steadygrid.engine.slots.search import CUT_SHORT
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.allocated import Allocated
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes.best import best_paths

JUDGING_SHARE = 0.05
"""Of the time left, for slots of an allocation that is compared with others."""
LONGEST_JUDGING = 2.0
"""Seconds for it, at most."""


def allocated(tables: Tables, places: Places, transfers: Iterable[Transfer]) -> Allocated:
    """Name processors and tasks, and give the period that the resources allow.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    places
        Positions of the processors that run each task.
    transfers
        Paths of the files, with their shares.
    """
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
    """Give the positions of the processors that run each task.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    allocation
        By names.
    """
    index = tables.platform.index_by_id
    return [[index[name] for name in allocation.tasks[task]] for task in tables.tasks]


def carried(tables: Tables, allocation: Allocated, control: Control) -> Allocated:
    """Give an allocation the period of the schedule that it gets.

    It is the period that resources allow, or longer by up to a factor of two: under ``one_port``,
    where half-duplex links are used in both directions off a tree. Where a processor takes part in
    one transfer at a time, by up to a half, if an odd set of processors needs more. Slots of
    half-duplex links are searched for in a part of the time (`JUDGING_SHARE`, at most
    `LONGEST_JUDGING` seconds).

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    allocation
        By names. Its period is what the resources allow.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled
        If cancelled.
    """
    ports = tables.instance.ports
    if ports == "multiport" or not allocation.period:
        return allocation
    if ports in SINGLE_PORT:
        needs = needs_of(tables, allocation)
        period = max([allocation.period, *needs.values()])
        longest = tuple(odd for odd, time in needs.items() if time == period)
        return replace(allocation, period=period, odd_sets=longest)
    seconds = min(LONGEST_JUDGING, JUDGING_SHARE * control.remaining)
    return in_slots(tables, allocation, control.limited(seconds, silent=True))


def in_slots(tables: Tables, allocation: Allocated, control: Control) -> Allocated:
    """Give an allocation the shortest period under ``one_port`` that the time is enough to find.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    allocation
        By names.
    control
        Deadline, cancellation and progress of the solve.
    """
    least = period_of(tables, places_of(tables, allocation), allocation.transfers)
    plan = Plan(1 / least, allocation.tasks, allocation.transfers)
    found = in_best_slots(workload_of(tables.instance), [plan], 1 / least, control)
    period = 1 / found.throughput
    return replace(allocation, period=period, slots=found.slots, notes=found.notes)


def searched_on(tables: Tables, allocation: Allocated, control: Control) -> Allocated:
    """Go on with a search for slots that was cut short; never worse.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    allocation
        As `carried` gives it.
    control
        Deadline, cancellation and progress of the solve.
    """
    if CUT_SHORT not in allocation.notes:
        return allocation
    found = in_slots(tables, allocation, control)
    return found if found.period <= allocation.period else allocation


def needs_of(tables: Tables, allocation: Allocated) -> dict[OddSet, Fraction]:
    """Give the time of one instance on the odd sets that are known, and on others that need more.

    Where a processor takes part in one transfer at a time. See `needs_of_sets`.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    allocation
        By names; sets are added that need longer than its period.
    """
    instance = tables.instance
    plan = Plan(Fraction(1), allocation.tasks, allocation.transfers)
    times: Amounts[int] = Amounts()
    for hop in operations(workload_of(instance), [plan]):
        times[hop.arc.index] += hop.time
    known = dict.fromkeys((*tables.odd_sets, *allocation.odd_sets))
    return needs_of_sets(instance.platform, instance.ports, times, allocation.period, known)


def over_best_paths(tables: MonoTables, mapping: Sequence[int], control: Control) -> Allocated:
    """Send the files of a mapping over the best routes that the routing allows.

    Where a processor takes part in one transfer at a time, odd sets of processors that need longer
    than the ports become resources. Routes are chosen once more, as long as there are such sets
    and there is time. Never worse than the reference routes.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    mapping
        Position of the processor of each task.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    NoMapping
        If a file has no route.
    Cancelled
        If the solve was asked to stop.
    """
    places = [(i,) for i in mapping]
    routes = best_paths(tables, mapping, control)
    best = found = carried(tables, allocated(tables, places, routes), control)
    if not found.odd_sets or tables.instance.routing == "fixed":
        return best
    reference = carried(tables, allocated(tables, places, tables.transfers(mapping)), control)
    best = min(best, reference, key=lambda one: one.period)
    while control.remaining > 0 and not set(found.odd_sets) <= set(tables.odd_sets):
        tables = tables.knowing(found.odd_sets)
        routes = best_paths(tables, mapping, control)
        found = carried(tables, allocated(tables, places, routes), control)
        best = min(best, found, key=lambda one: one.period)
    return best
