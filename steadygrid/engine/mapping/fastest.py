"""Processors by the time that a task takes on them."""

from collections.abc import Iterator
from heapq import merge
from itertools import groupby

from steadygrid.kinds.shared.collection import CollectionInstance


def fastest_first(instance: CollectionInstance, task: int) -> Iterator[int]:
    """Give the processors that can run a task, the fastest first, ties by position.

    Only as many as are asked for are looked at one by one.

    Parameters
    ----------
    instance
        Times of tasks, and processors that are alike.
    task
        Its position.
    """
    row = instance.times[task]
    by_time = sorted(
        (time, first) for first in instance.sort_members if (time := row[first]) is not None
    )
    for _, alike in groupby(by_time, key=lambda entry: entry[0]):
        yield from merge(*(instance.sort_members[first] for _, first in alike))
