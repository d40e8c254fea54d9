"""Sarkar's clusters of each instance, dispatched to the processors that finish them first."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.tables import Tables
from steadygrid.engine.simulation.execution import (
    Execution,
    Operations,
    Simulation,
    topological_order,
)
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.references.data_parallel import first_to_finish
from steadygrid.kinds.mono_allocation.solver.references.ranks import (
    mean_times,
    mean_transfer_times,
    upward_ranks,
)


def clustering(tables: Tables, instances: int, control: Control) -> Simulation:
    """Execute instances in turn, each cluster on the processor that finishes it first.

    The clusters are the same for all instances (`clusters`). Tasks run by decreasing upward rank.
    When the first task of a cluster is due, the whole cluster is tried on each processor that can
    run it. Only two groups of files count there: those that it needs from tasks that have run, and those
    that it sends to tasks whose processor is known. A processor is known if the task belongs to a
    cluster dispatched before, or can run on one processor only.

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
        If no processor that can run a cluster has routes for its files.
    Cancelled, OutOfTime
        If the time is over.

    Notes
    -----
    M. Gallet, "Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms", PhD thesis,
    2009, section 4.5.1.
    """
    operations = Operations(tables, control)
    execution = Execution(operations, instances)
    times, transfer_times = mean_times(tables), mean_transfer_times(operations)
    ranks = upward_ranks(tables, times, transfer_times)
    order = _by_rank(tables, ranks)
    cluster_of = clusters(tables, operations, times, transfer_times)
    members: dict[int, list[int]] = {}
    for task in order:
        members.setdefault(cluster_of[task], []).append(task)
    able = {
        cluster: sorted(set.intersection(*(set(operations.labels[task]) for task in tasks)))
        for cluster, tasks in members.items()
    }
    bound = [labels[0] if len(labels) == 1 else None for labels in tables.labels]
    for instance in range(instances):
        places = list(bound)
        chosen: dict[int, int] = {}
        for task in order:
            cluster = cluster_of[task]
            if cluster not in chosen:
                control.check()
                tasks = members[cluster]
                chosen[cluster] = _dispatch(execution, instance, tasks, able[cluster], places)
                for member in tasks:
                    places[member] = chosen[cluster]
            execution.perform(instance, task, chosen[cluster])
    return execution.simulation()


def clusters(
    tables: Tables,
    operations: Operations,
    times: Sequence[Fraction],
    transfer_times: Sequence[Fraction],
) -> list[int]:
    """Gather tasks between which files had better not travel: edge zeroing.

    At first each task is a cluster of its own. The files are looked at once, by decreasing time,
    ties in the order of the files. The clusters at its two ends become one if the graph then
    takes no longer on as many processors as there are clusters, all alike. There, files within a
    cluster take no time and its tasks run one at a time.

    Clusters are kept apart whose tasks no processor can all run. So are the tasks that are bound
    to a single processor: what is gathered around them would be bound too.

    Parameters
    ----------
    tables, operations
        The instance.
    times, transfer_times
        Of each task and of each file, on those processors.

    Returns
    -------
    For each task, the least task of its cluster.

    Notes
    -----
    V. Sarkar, "Partitioning and Scheduling Parallel Programs for Multiprocessors", MIT Press,
    1989 (internalization). Each step plans the graph: ``O(files * (files + tasks log tasks))``.
    """
    order = _by_rank(tables, upward_ranks(tables, times, transfer_times))
    cluster_of = list(range(len(tables.tasks)))
    able = [set(labels) for labels in operations.labels]
    shortest = _length(tables, order, cluster_of, times, transfer_times)
    for file in sorted(range(len(tables.files)), key=lambda f: -transfer_times[f]):
        producer, user, _ = tables.files[file]
        first, second = sorted((cluster_of[producer], cluster_of[user]))
        bound = len(tables.labels[producer]) == 1 or len(tables.labels[user]) == 1
        if first == second or bound or not able[first] & able[second]:
            continue
        merged = [first if cluster == second else cluster for cluster in cluster_of]
        length = _length(tables, order, merged, times, transfer_times)
        if length <= shortest:
            shortest, cluster_of = length, merged
            able[first] &= able[second]
    return cluster_of


def _by_rank(tables: Tables, ranks: Sequence[Fraction]) -> list[int]:
    # Sorting is stable, so a task of time 0 stays before the users of its files of time 0.
    return sorted(topological_order(tables), key=lambda task: -ranks[task])


def _length(
    tables: Tables,
    order: Sequence[int],
    cluster_of: Sequence[int],
    times: Sequence[Fraction],
    transfer_times: Sequence[Fraction],
) -> Fraction:
    """Give the makespan of the graph where each cluster has a processor of its own."""
    ends = [Fraction(0)] * len(order)
    free = [Fraction(0)] * len(order)
    for task in order:
        cluster = cluster_of[task]
        start = free[cluster]
        for file in tables.incoming[task]:
            producer = tables.files[file][0]
            travel = transfer_times[file] if cluster_of[producer] != cluster else 0
            start = max(start, ends[producer] + travel)
        ends[task] = free[cluster] = start + times[task]
    return max(ends)


def _dispatch(
    execution: Execution,
    instance: int,
    tasks: Sequence[int],
    able: Sequence[int],
    places: Sequence[int | None],
) -> int:
    """Choose the processor for the tasks of a cluster; `places` are the tasks' known ones."""
    candidates = [q for q in able if _linked(execution.operations, tasks, q, places)]
    if not candidates:
        names = execution.tables.tasks
        raise NoMapping(
            f"clustering: no processor can run {', '.join(repr(names[task]) for task in tasks)}"
            " and has paths from and to the processors that were chosen before"
        )
    if len(candidates) == 1:
        return candidates[0]
    processors = execution.processors[instance]

    def end_on(processor: int, instance: int) -> int:
        end = _attempt(execution, instance, tasks, processor, places)
        for task in tasks:
            processors[task] = -1
        return end

    bounds = {
        processor: _idle_end(execution, instance, tasks, processor) for processor in candidates
    }
    return first_to_finish(execution, bounds, instance, end_on)


def _linked(
    operations: Operations, tasks: Sequence[int], processor: int, places: Sequence[int | None]
) -> bool:
    """Tell whether a cluster has routes from and to the tasks whose processors are known."""
    tables = operations.tables
    for task in tasks:
        for file in tables.incoming[task]:
            sender = places[tables.files[file][0]]
            if sender is not None and operations.transfer(file, sender, processor) is None:
                return False
        for file in tables.outgoing[task]:
            receiver = places[tables.files[file][1]]
            if receiver is not None and operations.transfer(file, processor, receiver) is None:
                return False
    return True


def _idle_end(execution: Execution, instance: int, tasks: Sequence[int], processor: int) -> int:
    """Give a date before which a cluster cannot end there, even on an idle platform."""
    tables, operations = execution.tables, execution.operations
    done, ends = execution.processors[instance], execution.ends[instance]
    latest = 0
    for task in tasks:
        duration = operations.computation(task, processor).duration
        for file in tables.incoming[task]:
            producer = tables.files[file][0]
            if done[producer] >= 0:
                stages = operations.transfer(file, done[producer], processor) or ()
                travel = sum(stage.duration for stage in stages)
                latest = max(latest, ends[producer] + travel + duration)
    return latest


def _attempt(
    execution: Execution,
    instance: int,
    tasks: Sequence[int],
    processor: int,
    places: Sequence[int | None],
) -> int:
    """Run a cluster on a processor; give the date at which all that is known has ended."""
    tables, done = execution.tables, execution.processors[instance]
    end = 0
    for task in tasks:
        end = max(end, execution.perform(instance, task, processor))
    for task in tasks:
        for file in tables.outgoing[task]:
            user = tables.files[file][1]
            receiver = places[user]
            if receiver is not None and done[user] < 0:
                end = max(end, execution.carry(instance, file, receiver))
    return end
