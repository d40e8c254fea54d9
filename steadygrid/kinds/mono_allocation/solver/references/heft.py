"""HEFT (heterogeneous earliest finish time) on a number of instances."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.tables import Tables
from steadygrid.engine.simulation.execution import (
    Execution,
    Operations,
    Simulation,
    topological_order,
)
from steadygrid.engine.simulation.timetable import Profile
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.references.ranks import (
    mean_times,
    mean_transfer_times,
    upward_ranks,
)

Planned = list[list[tuple[int, int]]]
"""By instance and task: processor and start."""

_MOST = 2**61


def heft(tables: Tables, instances: int, control: Control) -> Simulation:
    """Plan all instances as one big graph, then execute the plan.

    Parameters
    ----------
    tables
        The instance. Files take the reference routes.
    instances
        How many.
    control
        Is asked to stop at each task of each instance.

    Returns
    -------
    `planned_makespan` is HEFT's own, which knows no contention between files; `makespan` is
    that of its placement and order (of each processor, by planned start) under the port model.

    Raises
    ------
    NoMapping
        If a task cannot get the files of tasks that are already placed. HEFT does not look
        ahead and never takes anything back.
    Cancelled, OutOfTime
        If the time is over: a plan for fewer instances is another plan.

    Notes
    -----
    H. Topcuoglu, S. Hariri and M.-Y. Wu, "Performance-Effective and Low-Complexity Task
    Scheduling for Heterogeneous Computing", IEEE Transactions on Parallel and Distributed
    Systems 13(3), 2002. Tasks come by decreasing upward rank (`upward_ranks`), each on the
    processor that finishes it first, in the first gap between the tasks there that is long enough.
    Every copy of a task has the same rank: ties go to the earlier instance, then to the task that
    is earlier in the graph; among processors to the first. The published worst case is the square
    of the tasks times the processors. Here gaps are found by bisection, each processor is
    searched only while it could still be the best, and what was searched without success for one
    instance is not searched again for the next.
    """
    operations = Operations(tables, control)
    plan, makespan = planned(operations, instances, control)
    execution = Execution(operations, instances)
    place_in_order = {task: place for place, task in enumerate(topological_order(tables))}
    order = sorted(
        (start, instance, place_in_order[task], task, processor)
        for instance, row in enumerate(plan)
        for task, (processor, start) in enumerate(row)
    )
    free = [0] * tables.num_processors
    for _, instance, _, task, processor in order:
        control.check()
        end = execution.perform(instance, task, processor, free[processor])
        free[processor] = max(free[processor], end)
    return execution.simulation(makespan)


def planned(operations: Operations, instances: int, control: Control) -> tuple[Planned, int]:
    """Give HEFT's plan and its makespan, in steps of the lattice of `operations`.

    Parameters
    ----------
    operations
        The tasks and files of one instance, with their times in whole steps.
    instances
        How many instances are scheduled together.
    control
        Deadline, cancellation and progress of the solve.
    """
    tables = operations.tables
    labels = operations.labels
    times = _times(operations)
    transfers, never, integers = _transfer_times(operations, times, instances)
    ranks = upward_ranks(tables, mean_times(tables), mean_transfer_times(operations))
    place_in_order = {task: place for place, task in enumerate(topological_order(tables))}
    order = sorted(
        (-ranks[task], instance, place_in_order[task], task)
        for task in range(len(tables.tasks))
        for instance in range(instances)
    )
    plan: Planned = [[(-1, -1)] * len(tables.tasks) for _ in range(instances)]
    searches = [
        _EarliestFinish(times[task], labels[task], never, integers)
        for task in range(len(tables.tasks))
    ]
    processors = [Profile(1) for _ in range(tables.num_processors)]
    makespan = 0
    for _, instance, _, task in order:
        control.check()
        ready = searches[task].begin.copy()
        for file in tables.incoming[task]:
            producer = tables.files[file][0]
            sender, start = plan[instance][producer]
            made = start + times[producer][sender]
            np.maximum(ready, transfers[file][sender] + made, out=ready)
        processor, start = searches[task].choose(ready, processors)
        if start >= never:
            raise NoMapping(
                f"heft: no processor that can run task {tables.tasks[task]!r} is reached by all of"
                " its files from where their tasks were placed. heft does not look ahead"
            )
        plan[instance][task] = (processor, start)
        end = start + times[task][processor]
        if end > start:
            processors[processor].reserve(start, end, 1)
        makespan = max(makespan, end)
    return plan, makespan


class _EarliestFinish:
    """The search for the processor that finishes a copy of one task first.

    Parameters
    ----------
    times
        Steps by processor.
    labels
        The processors to choose from.
    never
        A date that no plan reaches.
    integers
        Type of the arrays of dates.
    """

    def __init__(
        self, times: dict[int, int], labels: tuple[int, ...], never: int, integers: Any
    ) -> None:
        self._times = times
        self._never = never
        size = max(times) + 1
        self.begin = np.full(size, never, dtype=integers)
        self.begin[list(labels)] = 0
        self._durations = np.zeros(size, dtype=integers)
        for processor in labels:
            self._durations[processor] = times[processor]
        # Between the two dates of a processor no gap is long enough: gaps only ever shrink.
        self._since = np.zeros(size, dtype=integers)
        self._until = np.zeros(size, dtype=integers)

    def choose(self, ready: Any, processors: list[Profile]) -> tuple[int, int]:
        """Give the processor and the start. A start of `never` or later if there is none."""
        futile = (self._since <= ready) & (ready < self._until)
        earliest = np.where(futile, self._until, ready)
        ends = earliest + self._durations
        searched: set[int] = set()
        while True:
            processor = int(np.argmin(ends))
            start = int(earliest[processor])
            if processor in searched or start >= self._never:
                return processor, start
            searched.add(processor)
            duration = self._times[processor]
            if not duration:
                return processor, start
            found = processors[processor].earliest(start, duration, 1)
            if found > ready[processor]:
                asked = int(ready[processor])
                joined = self._since[processor] <= asked <= self._until[processor]
                self._since[processor] = self._since[processor] if joined else asked
                self._until[processor] = found
                earliest[processor] = found
                ends[processor] = found + duration


def _times(operations: Operations) -> list[dict[int, int]]:
    return [
        {
            processor: operations.computation(task, processor).duration
            for processor in operations.tables.labels[task]
        }
        for task in range(len(operations.tables.tasks))
    ]


def _transfer_times(
    operations: Operations, times: list[dict[int, int]], instances: int
) -> tuple[list[Any], int, Any]:
    """Tabulate the time of each file from each processor to all, in steps.

    Returns
    -------
    The table, by file, sender and receiver. A date that no plan reaches, which stands where there
    is no route, and the type of the arrays: machine integers where every date fits, Python's where
    not.
    """
    tables = operations.tables
    ends = [(tables.labels[producer], tables.labels[user]) for producer, user, _ in tables.files]
    per_data = {pair: _per_data(operations, *pair) for pair in set(ends)}
    unit = lcm(*(time.denominator for found in per_data.values() for time in found.values()))
    sizes = [Fraction(size) / unit for _, _, size in tables.files]
    most = {
        pair: int(max(found.values(), default=Fraction(0)) * unit)
        for pair, found in per_data.items()
    }
    longest = sum(max(row.values()) for row in times) + sum(
        int(size * most[pair]) for size, pair in zip(sizes, ends, strict=True)
    )
    never = instances * longest + 1
    largest = max(
        (size.numerator * most[p] for size, p in zip(sizes, ends, strict=True)), default=0
    )
    integers: Any = np.int64 if max(never, largest) < _MOST else object
    matrices = {}
    for pair, found in per_data.items():
        shape = [max(processors) + 1 for processors in pair]
        matrix = np.full(shape, -1, dtype=integers)
        for (sender, receiver), time in found.items():
            matrix[sender, receiver] = int(time * unit)
        matrices[pair] = matrix, np.asarray(matrix < 0, dtype=np.bool_)
    table = []
    for size, pair in zip(sizes, ends, strict=True):
        matrix, absent = matrices[pair]
        of_file = matrix * size.numerator // size.denominator
        of_file[absent] = never
        table.append(of_file)
    return table, never, integers


def _per_data(
    operations: Operations, senders: Sequence[int], receivers: Sequence[int]
) -> dict[tuple[int, int], Fraction]:
    """Give the steps that a unit of data takes from sender to receiver, where there is a route."""
    found = {}
    for sender in senders:
        for receiver in receivers:
            time = operations.time_per_data(sender, receiver)
            if time is not None:
                found[sender, receiver] = time / operations.step
    return found
