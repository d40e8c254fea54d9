"""The shape of a task graph: orders, constraint lists, blocks. Tasks are their positions."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

Edge = tuple[int, int]
"""A file by the positions of the task that makes it and the task that uses it."""


def in_order(number: int, edges: Iterable[Edge]) -> list[int]:
    """Sort tasks so that producers come before users. What lies on a cycle is left out.

    Parameters
    ----------
    number
        How many tasks there are. They are numbered from 0.
    edges
        Producer and user of each file.
    """
    waiting = [0] * number
    users: list[list[int]] = [[] for _ in range(number)]
    for source, target in edges:
        users[source].append(target)
        waiting[target] += 1
    order = [task for task in range(number) if waiting[task] == 0]
    for task in order:
        for user in users[task]:
            waiting[user] -= 1
            if waiting[user] == 0:
                order.append(user)
    return order


class ConstraintLists(NamedTuple):
    """The tasks whose places must be remembered, as sets of positions."""

    outgoing: list[set[int]]
    """By task: the list of every file that leaves it (to END, if nothing else does)."""
    incoming: list[set[int]]
    """By task: the union of the lists of the files that enter it."""
    end: set[int]
    """The union of the lists of the files that enter END."""

    @property
    def depth(self) -> int:
        """Tasks in the longest list."""
        return max(map(len, self.outgoing), default=0)


def constraint_lists(number: int, edges: Sequence[Edge]) -> ConstraintLists:
    """Give the constraint list of each task's files, in a graph without cycles.

    A task constrains the files of those tasks that it reaches, or is, strictly before its
    immediate post-dominator, if it has two files or more. A fictitious END comes after every
    task without a file.

    Parameters
    ----------
    number
        How many tasks there are. They are numbered from 0.
    edges
        Producer and user of each file.

    Notes
    -----
    RR-4870, section 5.2, corrected: the last task of both paths counts as their end, see the
    kind's formulation. One pass back for the post-dominators (Cooper, Harvey, Kennedy), one
    forth for the lists.
    """
    order = in_order(number, edges)
    end = number
    followers: list[list[int]] = [[] for _ in range(number)]
    producers: list[list[int]] = [[] for _ in range(number)]
    for source, target in edges:
        followers[source].append(target)
        producers[target].append(source)
    height = [0] * number + [0]
    after = [end] * (number + 1)
    released: list[list[int]] = [[] for _ in range(number + 1)]
    for task in reversed(order):
        common = followers[task][0] if followers[task] else end
        for other in followers[task][1:]:
            while common != other:
                if height[common] >= height[other]:
                    common = after[common]
                else:
                    other = after[other]
        after[task] = common
        height[task] = height[common] + 1
        released[common].append(task)
    outgoing: list[set[int]] = [set() for _ in range(number)]
    incoming: list[set[int]] = [set() for _ in range(number)]
    for task in order:
        for producer in producers[task]:
            incoming[task] |= outgoing[producer]
        outgoing[task] = incoming[task].difference(released[task])
        if len(followers[task]) > 1:
            outgoing[task].add(task)
    last: set[int] = set()
    for task in order:
        if not followers[task]:
            last |= outgoing[task]
    return ConstraintLists(outgoing, incoming, last)


def blocks(number: int, edges: Sequence[Edge]) -> list[list[int]]:
    """Split the undirected task graph into biconnected blocks, each a list of file positions.

    Parameters
    ----------
    number
        How many tasks there are. They are numbered from 0.
    edges
        Producer and user of each file.

    Notes
    -----
    Hopcroft and Tarjan, without recursion; linear. A task without files is in no block.
    """
    incident: list[list[tuple[int, int]]] = [[] for _ in range(number)]
    for position, (source, target) in enumerate(edges):
        incident[source].append((target, position))
        incident[target].append((source, position))
    found: list[list[int]] = []
    depth = [-1] * number
    low = [0] * number
    trail: list[int] = []
    for root in range(number):
        if depth[root] >= 0:
            continue
        depth[root] = low[root] = 0
        stack = [(root, -1, iter(incident[root]))]
        while stack:
            task, via, rest = stack[-1]
            for other, position in rest:
                if position == via:
                    continue
                if depth[other] < 0:
                    trail.append(position)
                    depth[other] = low[other] = depth[task] + 1
                    stack.append((other, position, iter(incident[other])))
                    break
                if depth[other] < depth[task]:
                    trail.append(position)
                    low[task] = min(low[task], depth[other])
            else:
                stack.pop()
                if not stack:
                    continue
                above = stack[-1][0]
                low[above] = min(low[above], low[task])
                if low[task] >= depth[above]:
                    start = len(trail) - 1
                    while trail[start] != via:
                        start -= 1
                    found.append(sorted(trail[start:]))
                    del trail[start:]
    return found
