"""Sarkar's clusters of each instance, dispatched to the processors that finish them first."""

from collections.abc import Sequence
from fractions import Fraction

from workers.problems.mono_allocation.answer import NoMapping, Simulation
from workers.problems.mono_allocation.data_parallel import first_to_finish
from workers.problems.mono_allocation.ranks import mean_times, mean_transfer_times, upward_ranks
from workers.problems.mono_allocation.simulation import Execution, Operations, topological_order
from workers.problems.mono_allocation.tables import Tables
from workers.solving.control import Control


def clustering(tables: Tables, instances: int, control: Control) -> Simulation:
    """Execute instances in turn, each cluster on the processor that finishes it first.

    The clusters are the same for all instances (`clusters`). Tasks run by decreasing upward
    rank; when the first task of a cluster is due, the whole cluster is tried on each processor
    that can run it, with the files that it needs from tasks that have run and the files that
    it sends to tasks that are bound to a single processor; other files are not known yet.

    Parameters
    ----------
    tables
        The instance; files take the reference ways.
    instances
        How many.
    control
        Is asked to stop at each processor that is tried.

    Raises
    ------
    NoMapping
        If no processor that can run a cluster has ways for its files.
    Interrupted
        If the time is over.

    Notes
    -----
    002, 4.5.1.
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
    for instance in range(instances):
        chosen: dict[int, int] = {}
        for task in order:
            cluster = cluster_of[task]
            if cluster not in chosen:
                control.check()
                tasks = members[cluster]
                chosen[cluster] = _dispatch(execution, instance, tasks, able[cluster])
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
    ties in the order of the files: the clusters at its two ends become one if the graph then
    takes no longer on as many processors as there are clusters, all alike, where files within
    a cluster take no time and its tasks run one at a time.

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
    execution: Execution, instance: int, tasks: Sequence[int], able: Sequence[int]
) -> int:
    """Choose the processor for the tasks of a cluster of an instance."""
    candidates = [q for q in able if _reached(execution, instance, tasks, q)]
    if not candidates:
        names = execution.tables.tasks
        raise NoMapping(
            f"clustering: no processor can run {', '.join(repr(names[task]) for task in tasks)}"
            " and get all files from where they were made"
        )
    if len(candidates) == 1:
        return candidates[0]
    processors = execution.processors[instance]

    def end_on(processor: int, instance: int) -> int:
        end = _attempt(execution, instance, tasks, processor)
        for task in tasks:
            processors[task] = -1
        return end

    return first_to_finish(execution, dict.fromkeys(candidates, 0), instance, end_on)


def _reached(execution: Execution, instance: int, tasks: Sequence[int], processor: int) -> bool:
    """Tell whether a cluster has ways from the tasks that have run and to those bound."""
    tables, operations = execution.tables, execution.operations
    done = execution.processors[instance]
    return all(
        operations.transfer(file, done[tables.files[file][0]], processor) is not None
        for task in tasks
        for file in tables.incoming[task]
        if done[tables.files[file][0]] >= 0
    ) and all(
        operations.transfer(file, processor, tables.labels[tables.files[file][1]][0]) is not None
        for task in tasks
        for file in tables.outgoing[task]
        if len(tables.labels[tables.files[file][1]]) == 1
    )


def _attempt(execution: Execution, instance: int, tasks: Sequence[int], processor: int) -> int:
    """Run a cluster on a processor; give the date at which all that is known has ended."""
    tables = execution.tables
    end = 0
    for task in tasks:
        end = max(end, execution.perform(instance, task, processor))
    for task in tasks:
        for file in tables.outgoing[task]:
            bound_to = tables.labels[tables.files[file][1]]
            if len(bound_to) == 1 and execution.processors[instance][tables.files[file][1]] < 0:
                end = max(end, execution.carry(instance, file, bound_to[0]))
    return end
