"""Upward ranks: how far the end of the graph is from each task, at mean times."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.engine.mapping.tables import Tables
from steadygrid.engine.simulation.execution import Operations, topological_order


def mean_times(tables: Tables) -> list[Fraction]:
    """Give each task's time, averaged over the processors that can run it."""
    return [
        sum((tables.time(task, processor) for processor in processors), Fraction(0))
        / len(processors)
        for task, processors in enumerate(tables.labels)
    ]


def mean_transfer_times(operations: Operations) -> list[Fraction]:
    """Give each file's time on an idle platform, averaged over where it can travel.

    Over the ordered pairs of different processors that can run its two tasks and have a route;
    0 if there is none.
    """
    tables = operations.tables
    per_data: dict[tuple[tuple[int, ...], tuple[int, ...]], Fraction] = {}
    times = []
    for producer, user, size in tables.files:
        ends = (tables.labels[producer], tables.labels[user])
        if ends not in per_data:
            found = [operations.time_per_data(q, r) for q in ends[0] for r in ends[1] if q != r]
            known = [time for time in found if time is not None]
            per_data[ends] = sum(known, Fraction(0)) / max(1, len(known))
        times.append(size * per_data[ends])
    return times


def upward_ranks(
    tables: Tables, times: Sequence[Fraction], transfer_times: Sequence[Fraction]
) -> list[Fraction]:
    """Give the length of the longest path from the beginning of each task to the end.

    Parameters
    ----------
    tables
        The graph.
    times, transfer_times
        Of each task and of each file.

    Notes
    -----
    Equation (7) of H. Topcuoglu, S. Hariri and M.-Y. Wu, "Performance-Effective and
    Low-Complexity Task Scheduling for Heterogeneous Computing", IEEE Transactions on Parallel
    and Distributed Systems 13(3), 2002. It is a task's mean time, plus the largest sum of the mean
    time of one of its files and the rank of its user. Linear in the files.
    """
    ranks = list(times)
    for task in reversed(topological_order(tables)):
        ranks[task] += max(
            (transfer_times[file] + ranks[tables.files[file][1]] for file in tables.outgoing[task]),
            default=Fraction(0),
        )
    return ranks
