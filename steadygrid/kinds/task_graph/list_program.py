"""The program over constraint lists: its lists, block by block, and its exact size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from steadygrid.domain.platform import Arc, arc_uses
from steadygrid.kinds.task_graph.dependencies import Edge, blocks, constraint_lists, in_order
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance


@dataclass(frozen=True)
class BlockLists:
    """A biconnected block of the undirected task graph, and the lists of its files.

    Lists are sorted tuples of tasks. Tasks and files are their positions in the application.
    """

    files: tuple[int, ...]
    order: tuple[int, ...]
    """The tasks of the block, producers before users."""
    outgoing: dict[int, tuple[int, ...]]
    """By task, the list of each of its files within the block."""
    incoming: dict[int, tuple[int, ...]]
    """By task, the union of the lists of the files that enter it within the block."""
    end: tuple[int, ...]
    """The union of the lists of the tasks that have no file within the block."""
    sources: frozenset[int]
    """Tasks that no file of the block enters."""
    sinks: frozenset[int]
    """Tasks that no file of the block leaves."""


def block_lists(number: int, edges: Sequence[Edge]) -> list[BlockLists]:
    """Give the constraint lists of a task graph, each block for itself.

    Placements of a block's tasks can be combined with placements of another's wherever they
    agree on the one task that both may share, so no list has to reach beyond its block. A tree
    needs none at all.

    Parameters
    ----------
    number
        How many tasks there are. They are numbered from 0.
    edges
        Producer and user of each file.
    """
    return [_block(sorted(files), edges) for files in blocks(number, edges)]


def _block(files: Sequence[int], edges: Sequence[Edge]) -> BlockLists:
    tasks = sorted({task for file in files for task in edges[file]})
    position = {task: i for i, task in enumerate(tasks)}
    inner = [(position[edges[f][0]], position[edges[f][1]]) for f in files]
    lists = constraint_lists(len(tasks), inner)

    def named(listed: Iterable[int]) -> tuple[int, ...]:
        return tuple(tasks[i] for i in sorted(listed))

    return BlockLists(
        files=tuple(files),
        order=tuple(tasks[i] for i in in_order(len(tasks), inner)),
        outgoing={task: named(lists.outgoing[i]) for task, i in position.items()},
        incoming={task: named(lists.incoming[i]) for task, i in position.items()},
        end=named(lists.end),
        sources=frozenset(tasks) - {edges[f][1] for f in files},
        sinks=frozenset(tasks) - {edges[f][0] for f in files},
    )


def dependency_depth(found: Iterable[BlockLists]) -> int:
    """Give the number of tasks in the longest list of all blocks."""
    return max((len(listed) for b in found for listed in b.outgoing.values()), default=0)


def components(number: int, edges: Iterable[Edge]) -> list[list[int]]:
    """Split tasks into those that files connect, each part and all of them in order.

    Parameters
    ----------
    number
        How many tasks there are. They are numbered from 0.
    edges
        Producer and user of each file.
    """
    around: list[list[int]] = [[] for _ in range(number)]
    for source, target in edges:
        around[source].append(target)
        around[target].append(source)
    seen = [False] * number
    parts: list[list[int]] = []
    for root in range(number):
        if seen[root]:
            continue
        seen[root] = True
        part = [root]
        for task in part:
            for other in around[task]:
                if not seen[other]:
                    seen[other] = True
                    part.append(other)
        parts.append(sorted(part))
    return parts


class ProgramSize(NamedTuple):
    """What the program over constraint lists consists of."""

    depth: int
    """Tasks in the longest list: the dependency depth."""
    variables: int
    constraints: int
    coefficients: int
    """Of the constraints; zeros do not count."""


def program_size(instance: TaskGraphInstance) -> ProgramSize:
    """Count the program that ``constraint_lists`` builds, without building it; exact.

    O(arcs + files + places that tasks name) besides the lists.
    """
    platform = instance.platform
    edges = [(source, target) for source, target, _ in instance.files]
    places, busy = _places(instance)
    labels = [len(row) for row in places]
    apart = frozenset(range(len(platform.processors))).difference(
        *((arc.source, arc.target) for arc in platform.arcs)
    )

    def maps(listed: Iterable[int]) -> int:
        return prod(labels[task] for task in listed)

    blocks_of_lists = block_lists(len(labels), edges)
    variables = sum(labels) + 1
    parts = components(len(labels), edges)
    constraints = len(parts)
    coefficients = sum(1 + labels[part[0]] for part in parts)
    sent = 0
    for block in blocks_of_lists:
        ready = {task: labels[task] * maps(block.incoming[task]) for task in block.order}
        for task in block.order:
            if block.incoming[task]:
                variables += ready[task]
                constraints += labels[task]
                coefficients += labels[task] + ready[task]
            if task in block.sinks and block.outgoing[task]:
                constraints += maps(block.outgoing[task])
                coefficients += ready[task] + maps(block.end)
        if block.end:
            variables += maps(block.end)
        for file in block.files:
            source, target, size = instance.files[file]
            listed = block.outgoing[source]
            lists = maps(listed)
            variables += len(platform.arcs) * lists
            coefficients += 2 * len(platform.arcs) * lists + ready[source] + ready[target]
            constraints += (len(platform.processors) - len(apart)) * lists
            constraints += len(apart & places[target]) * lists
            alone = len(apart & (places[source] - places[target]))
            constraints += alone * (lists // labels[source] if source in listed else lists)
            sent += lists if size else 0
    coefficients += sum(map(len, busy))
    constraints += len(frozenset().union(*busy))
    if sent:
        uses = [_used(instance, arc) for arc in platform.arcs]
        coefficients += sent * sum(map(len, uses))
        constraints += len(frozenset().union(*uses))
    return ProgramSize(dependency_depth(blocks_of_lists), variables, constraints, coefficients)


Places = list[frozenset[int]]
"""Processors by task."""


def _places(instance: TaskGraphInstance) -> tuple[Places, Places]:
    """Give the processors where each task can run, and those where that takes time."""
    platform = instance.platform
    index = platform.index_by_id
    working = frozenset(
        i for i, p in enumerate(platform.processors) if p.time_per_work is not None and not p.switch
    )
    places: Places = []
    busy: Places = []
    for task in instance.application.tasks:
        if task.times is None:
            able, taking = working, frozenset[int]() if task.work == 0 else working
        else:
            able = frozenset(index[name] for name in task.times)
            taking = frozenset(index[name] for name, time in task.times.items() if time)
        if task.allowed is not None:
            allowed = frozenset(index[name] for name in task.allowed)
            able, taking = able & allowed, taking & allowed
        places.append(able)
        busy.append(taking)
    return places, busy


def _used(instance: TaskGraphInstance, arc: Arc) -> set[str]:
    return {use.resource for use in arc_uses(instance.platform, arc, instance.ports)}
