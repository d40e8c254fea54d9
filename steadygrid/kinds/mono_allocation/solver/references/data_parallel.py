"""Pure data parallelism: every instance wholly on one processor."""

from collections.abc import Callable
from heapq import heapify, heappop, heappush

from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.tables import Tables
from steadygrid.engine.simulation.execution import (
    Execution,
    Operations,
    Simulation,
    topological_order,
)
from steadygrid.engine.solving.control import Control


def data_parallel(tables: Tables, instances: int, control: Control) -> Simulation:
    """Execute instances in turn, each on the processor that finishes it first.

    Tasks that only one processor can run (where the inputs come from, where the results go)
    stay there, and their files travel. The other tasks of an instance run one after the other.
    Only processors with the memory for all tasks that they would run are taken.
    Each processor is tried with all the transfers it causes, after what earlier instances have
    reserved; ties go to the first.

    Parameters
    ----------
    tables
        The instance. Files take the reference routes.
    instances
        How many.
    control
        Is asked to stop at each processor that is tried.

    Raises
    ------
    NoMapping
        If no processor can run all tasks that are not bound to one.
    Cancelled, OutOfTime
        If the time is over.

    Notes
    -----
    M. Gallet, "Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms", PhD thesis,
    2009, section 4.5.1. What a processor could do for an earlier instance bounds what it can do for
    this one, because reservations only ever grow. Processors are tried by these bounds, and
    only while one could still be the best.
    """
    operations = Operations(tables, control)
    execution = Execution(operations, instances)
    order = topological_order(tables)
    mappings = _mappings(tables, operations)

    def end_on(processor: int, instance: int) -> int:
        control.check()
        return _execute(execution, instance, mappings[processor], order)

    bounds = dict.fromkeys(mappings, 0)
    for instance in range(instances):
        chosen = first_to_finish(execution, bounds, instance, end_on)
        end_on(chosen, instance)
    return execution.simulation()


def first_to_finish(
    execution: Execution,
    bounds: dict[int, int],
    instance: int,
    end_on: Callable[[int, int], int],
) -> int:
    """Give the processor on which something ends first, ties to the first processor.

    Parameters
    ----------
    execution
        So far; afterwards the same.
    bounds
        By candidate, a date before which it cannot end there; raised where more was learnt.
    instance
        The instance it is done for.
    end_on
        Does it for an instance on a processor, and says when it ends.
    """
    timetable = execution.timetable
    waiting = [(bound, processor) for processor, bound in bounds.items()]
    heapify(waiting)
    best: tuple[int, int] | None = None
    while waiting and (best is None or waiting[0] < best):
        bound, processor = heappop(waiting)
        timetable.begin_look()
        alone = end_on(processor, instance)
        alone = max(alone, timetable.end_look())
        if alone > bound:
            bounds[processor] = alone
            heappush(waiting, (alone, processor))
            continue
        timetable.begin_trial()
        end = end_on(processor, instance)
        timetable.end_trial()
        if best is None or (end, processor) < best:
            best = (end, processor)
    if best is None:
        raise AssertionError("there is a candidate")
    return best[1]


def _execute(execution: Execution, instance: int, mapping: list[int], order: list[int]) -> int:
    """Run an instance, its free tasks one after the other; give its end."""
    labels = execution.tables.labels
    date = 0
    for task in order:
        if len(labels[task]) == 1:
            execution.perform(instance, task, mapping[task])
        else:
            date = execution.perform(instance, task, mapping[task], date)
    return max(execution.ends[instance])


def _mappings(tables: Tables, operations: Operations) -> dict[int, list[int]]:
    """Give the mapping for each processor that can run what is not bound to a single one."""
    bound = [task for task, labels in enumerate(tables.labels) if len(labels) == 1]
    rest = [task for task, labels in enumerate(tables.labels) if len(labels) != 1]
    able = set(tables.labels[(rest or bound)[0]]).intersection(
        *(tables.labels[task] for task in rest)
    )
    if not able:
        raise NoMapping(
            "data_parallel: no processor can run every task that is not bound to a single one"
        )
    mappings = {}
    for processor in sorted(able):
        mapping = [labels[0] if len(labels) == 1 else processor for labels in tables.labels]
        if all(
            operations.transfer(file, mapping[producer], mapping[user]) is not None
            for file, (producer, user, _) in enumerate(tables.files)
        ):
            mappings[processor] = mapping
    limits = tables.limits
    if limits is not None:
        mappings = {
            i: mapping for i, mapping in mappings.items() if limits.fit([(k,) for k in mapping])
        }
        if not mappings:
            raise NoMapping(
                "data_parallel: no processor has the memory for all tasks that are not bound to one"
            )
    if not mappings:
        raise NoMapping(
            "data_parallel: no processor that can run all tasks has a path from and to the"
            " processors of the tasks that are bound to a single one"
        )
    return mappings
