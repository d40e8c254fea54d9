"""Greedy mappings: tasks one by one, never moved again.

Source: M. Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms* (2009),
section 4.4.1.
"""

from collections.abc import Iterable
from fractions import Fraction
from heapq import heapify, heappop

from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.occupation import Changes, Number, Occupation, costs_of
from steadygrid.engine.mapping.tables import Tables
from steadygrid.engine.mapping.twins import twins_of
from steadygrid.engine.solving.control import Control


def simple_greedy(tables: Tables, control: Control) -> list[int]:
    """Balance the computing times, without regard to files (thesis, Algorithm 2).

    Tasks are taken by decreasing weight, the longest time of the task on any processor, and
    placed where the processor's computing time becomes shortest. ``O(tasks * processors)``.
    Beyond the source: only processors that can run the task count, and a processor without a route
    to or from a task that is already placed is skipped. Ties: order of the application, then of
    the platform.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline, cancellation and progress of the solve.

    Returns
    -------
    list of int
        Position of the processor of each task.

    Raises
    ------
    NoMapping
        If no processor is left for a task.
    Cancelled, OutOfTime
        If the time is over before all tasks are placed.
    """
    occupation = Occupation(costs_of(tables))
    times = occupation.costs.times
    computing: list[Number] = [0] * tables.num_processors
    weights = [max(times[k][i] or 0 for i in firsts) for k, firsts in enumerate(tables.sorts)]
    for task in sorted(range(len(weights)), key=lambda k: -weights[k]):
        loads = [(computing[i] + (times[task][i] or 0), i) for i in tables.labels[task]]
        heapify(loads)
        changes: Changes | None = None
        while changes is None:
            control.check()
            if not loads:
                raise stuck(tables, task)
            busy, processor = heappop(loads)
            changes = occupation.changes({task: processor})
        occupation.move({task: processor}, changes)
        computing[processor] = busy
    return occupation.complete()


def refined_greedy(tables: Tables, control: Control) -> list[int]:
    """Take tasks by decreasing rank, each to where it hurts least (thesis, Algorithm 3).

    The weight of a task is the largest sum of average times over a path that ends in it: files
    and tasks, but not the first task, whose weight the source sets to 0. The average
    communication time of a file is its size times the mean unit time of all links, in each
    direction in which they can be used. A task goes where the longest occupation of any resource
    becomes shortest. ``O((tasks * degree) * processors)`` changes of an occupation.

    Where the source is silent: times are averaged over the processors that can run the task.
    Ties in the longest occupation are broken by the next longest and so on, then by the order of
    the platform; ties in the weights by the order of the application. Beyond the source:
    processors without a route to or from a task already placed are skipped.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline, cancellation and progress of the solve.

    Returns
    -------
    list of int
        Position of the processor of each task.

    Raises
    ------
    NoMapping
        If no processor is left for a task.
    Cancelled, OutOfTime
        If the time is over before all tasks are placed.
    """
    weights = ranks(tables)
    occupation = Occupation(costs_of(tables))
    place_all(occupation, sorted(range(len(weights)), key=lambda k: -weights[k]), control)
    return occupation.complete()


def ranks(tables: Tables) -> list[Fraction]:
    """Give the weights of 002, Algorithm 3."""
    arcs = tables.platform.arcs
    mean = sum((arc.unit_time for arc in arcs), Fraction(0)) / max(1, len(arcs))
    waiting = [len(files) for files in tables.incoming]
    weights = [Fraction(0)] * len(tables.tasks)
    ready = [k for k, count in enumerate(waiting) if count == 0]
    for task in ready:
        if tables.incoming[task]:
            times = (tables.time(task, i) * len(tables.sort_members[i]) for i in tables.sorts[task])
            weights[task] += sum(times, Fraction(0)) / len(tables.labels[task])
        for file in tables.outgoing[task]:
            _, target, size = tables.files[file]
            weights[target] = max(weights[target], weights[task] + size * mean)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return weights


def place_all(occupation: Occupation, order: Iterable[int], control: Control) -> None:
    """Place tasks one by one, each where the occupations become shortest.

    Occupations are compared sorted, the longest first. Of interchangeable processors without a task
    only the first is tried.

    Parameters
    ----------
    occupation
        Of the tasks that are placed already. Those of `order` are added.
    order
        Positions of tasks without a place, as they are taken.
    control
        Asked before every change that is tried.

    Raises
    ------
    NoMapping
        If no processor is left for a task.
    Cancelled, OutOfTime
        If the solve was asked to stop.
    """
    tables = occupation.costs.tables
    twins = twins_of(tables)
    for task in order:
        best: tuple[int, Changes] | None = None
        used = {i for i in occupation.mapping if i is not None}
        for processor in twins.candidates(tables.labels[task], used):
            control.check()
            changes = occupation.changes({task: processor})
            if changes is not None and (best is None or occupation.compare(changes, best[1]) < 0):
                best = (processor, changes)
        if best is None:
            raise stuck(tables, task)
        occupation.move({task: best[0]}, best[1])


def stuck(tables: Tables, task: int) -> NoMapping:
    """Say that a task cannot follow those placed before it.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    task
        By position.
    """
    return NoMapping(
        f"no processor that can run {tables.tasks[task]!r} has a route to and from"
        " the processors of its neighbours that were placed before it"
        + ("" if tables.limits is None else ", and room for it within the limits")
    )
