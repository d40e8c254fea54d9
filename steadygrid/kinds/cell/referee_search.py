"""What the referee searches for itself: Algorithm 7, any mapping at all, the cheapest core types."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import accumulate
from math import lcm

from steadygrid.domain.resources import compute_resource, in_resource, out_resource
from steadygrid.kinds.cell.referee_view import RefereeView

MOST_STEPS = 400_000
"""Of the search for any mapping."""


def filled_in_order(view: RefereeView) -> dict[str, str] | None:
    """Run Algorithm 7, retrying a task on the next core. None if a task finds none.

    A task without a time on SPEs goes to the first PPE at once, where there is one.
    """
    order = [*view.spes, *view.cores[: min(1, len(view.ppes))]]
    placing = Placing(view)
    current = 0
    for name, task in view.tasks.items():
        if task.time_spe is None and view.ppes:
            if not placing.place(name, view.cores[0]):
                return None
            continue
        while view.time(name, order[current]) is None or not placing.place(name, order[current]):
            placing.take(name)
            current += 1
            if current == len(order):
                return None
    return placing.mapping


def too_many_tasks(view: RefereeView) -> bool:
    """Tell whether counting alone shows that no mapping keeps within the local stores.

    Only tasks that no PPE runs are counted. Rules, for every size s that one of them needs:

    1. as many tasks of size s or more fit into one store as the smallest of them do; if all SPEs
       together hold fewer than there are, there is no mapping;
    2. if s is at most half a store: two tasks of more than half a store share none, and one that
       leaves less than s shares with no task of size s or more. What tasks of sizes from s to
       half a store need beyond what the other large ones leave needs stores of its own, and so
       there is no mapping if these are more than the SPEs.
    """
    store, spes = view.instance.machine.local_store, len(view.spes)
    needs = sorted(
        view.needs[name]
        for name, task in view.tasks.items()
        if task.time_ppe is None or not view.ppes
    )
    for s in sorted(set(needs)):
        counted = [need for need in needs if need >= s]
        held = [number for number, need in enumerate(accumulate(counted), 1) if need <= store]
        if len(counted) > spes * max(held, default=0):
            return True
        if s <= store / 2:
            lonely = sum(need > store - s for need in counted)
            large = [need for need in counted if store / 2 < need <= store - s]
            small = sum((need for need in counted if need <= store / 2), Fraction(0))
            beyond = small - sum((store - need for need in large), Fraction(0))
            if beyond > store * (spes - lonely - len(large)):
                return True
            if lonely + len(large) > spes:
                return True
    return False


def mapping_exists(view: RefereeView) -> bool | None:
    """Tell whether any mapping keeps all limits. None where that takes more than `MOST_STEPS`.

    False where `too_many_tasks`. Else by depth first: tasks with the fewest cores and the most need of room first. What a few
    tasks break, further ones do not mend; empty cores of a type are all the same.
    """
    if too_many_tasks(view):
        return False
    machine = view.instance.machine
    able = {
        task: [
            core
            for core in view.cores
            if view.time(task, core) is not None
            and (core in view.ppes or view.needs[task] <= machine.local_store)
        ]
        for task in view.tasks
    }
    order = sorted(able, key=lambda task: (len(able[task]), -view.needs[task]))
    placing = Placing(view)
    waiting = [_worth_trying(view, placing, able[order[0]])]
    steps = 0
    while waiting:
        task = order[len(waiting) - 1]
        placing.take(task)
        if not waiting[-1]:
            waiting.pop()
            continue
        steps += 1
        if steps > MOST_STEPS:
            return None
        if not placing.place(task, waiting[-1].pop(0)):
            continue
        if len(waiting) == len(order):
            return True
        waiting.append(_worth_trying(view, placing, able[order[len(waiting)]]))
    return False


def _worth_trying(view: RefereeView, placing: "Placing", able: list[str]) -> list[str]:
    """Leave out all empty cores of a type but the first."""
    busy = set(placing.mapping.values())
    empty = [core for core in able if core not in busy]
    first = {core in view.ppes: core for core in reversed(empty)}
    return [core for core in able if core in busy or first[core in view.ppes] == core]


class Placing:
    """Tasks placed one by one, and what they take of the limits."""

    def __init__(self, view: RefereeView) -> None:
        self._view = view
        self.mapping: dict[str, str] = {}
        self._used = dict.fromkeys(view.spes, Fraction(0))
        self._calls: Counter[tuple[str, str | None]] = Counter()
        self._joined: dict[str, list[tuple[str, str]]] = {task: [] for task in view.tasks}
        for source, target in view.sizes:
            self._joined[source].append((source, target))
            self._joined[target].append((source, target))

    def place(self, task: str, core: str) -> bool:
        """Place a task, and tell whether what it changes keeps the limits.

        Parameters
        ----------
        task
            One that is on no core.
        core
            May be any that can run the task.
        """
        view = self._view
        self.mapping[task] = core
        kept = True
        if core in self._used:
            self._used[core] += view.needs[task]
            kept = self._used[core] <= view.instance.machine.local_store
        for call in self._calls_of(task):
            self._calls[call] += 1
            kept = kept and self._calls[call] <= view.most_calls(call[0])
        return kept

    def take(self, task: str) -> None:
        """Take a task off its core, if it is on one."""
        if task not in self.mapping:
            return
        for call in self._calls_of(task):
            self._calls[call] -= 1
        core = self.mapping.pop(task)
        if core in self._used:
            self._used[core] -= self._view.needs[task]

    def _calls_of(self, task: str) -> Iterator[tuple[str, str | None]]:
        for source, target in self._joined[task]:
            if source in self.mapping and target in self.mapping:
                yield from self._view.call(self.mapping[source], self.mapping[target])


def cheapest(view: RefereeView, prices: Mapping[str, Fraction]) -> Fraction:
    """Give a cost that one instance has at least at these prices, on any mapping.

    As if every task and file could take the cheapest core of a type, and files moved for free
    within a type: the least cost of sharing the tasks among the two types, a minimum cut.

    Parameters
    ----------
    view
        The instance, by the names of tasks and cores.
    prices
        By resource. What is not named is free.

    Notes
    -----
    The classical reduction (Stone, 1977). The cut is found by Dinic's algorithm on integers.
    """
    machine = view.instance.machine
    cores_by_type = (view.cores[: len(view.ppes)], view.spes)
    tasks = list(view.tasks)
    position = {task: i for i, task in enumerate(tasks)}
    costs: list[tuple[Fraction | None, Fraction | None]] = []
    for name, task in view.tasks.items():
        each: list[Fraction | None] = []
        for own_cores, time in zip(cores_by_type, (task.time_ppe, task.time_spe), strict=True):
            fits = own_cores is cores_by_type[0] or view.needs[name] <= machine.local_store
            each.append(
                None
                if time is None or not own_cores or not fits
                else min(
                    time * prices.get(compute_resource(core), Fraction(0))
                    + task.read / machine.bandwidth * prices.get(in_resource(core), Fraction(0))
                    + task.write / machine.bandwidth * prices.get(out_resource(core), Fraction(0))
                    for core in own_cores
                )
            )
        costs.append((each[0], each[1]))
    cross = [
        min((prices.get(out_resource(core), Fraction(0)) for core in here), default=Fraction(0))
        + min((prices.get(in_resource(core), Fraction(0)) for core in there), default=Fraction(0))
        for here, there in (cores_by_type, cores_by_type[::-1])
    ]
    moved = {
        (position[source], position[target]): size / machine.bandwidth
        for (source, target), size in view.sizes.items()
    }
    known = [cost for pair in costs for cost in pair if cost is not None]
    known += [time * price for time in moved.values() for price in cross]
    scale = lcm(*(cost.denominator for cost in known))
    never = sum(int(cost * scale) for cost in known) + 1
    start, end = len(tasks), len(tasks) + 1
    cut = _Flow(len(tasks) + 2)
    for i, (on_ppe, on_spe) in enumerate(costs):
        cut.add(start, i, never if on_spe is None else int(on_spe * scale))
        cut.add(i, end, never if on_ppe is None else int(on_ppe * scale))
    for (source, target), time in moved.items():
        cut.add(source, target, int(time * cross[0] * scale))
        cut.add(target, source, int(time * cross[1] * scale))
    return Fraction(cut.max_flow(start, end), scale)


class _Flow:
    """A network with integer capacities."""

    def __init__(self, num_vertices: int) -> None:
        self._out: list[list[int]] = [[] for _ in range(num_vertices)]
        self._head: list[int] = []
        self._left: list[int] = []

    def add(self, tail: int, head: int, capacity: int) -> None:
        """Add an edge. Its opposite has the next number."""
        for vertex, other, room in ((tail, head, capacity), (head, tail, 0)):
            self._out[vertex].append(len(self._head))
            self._head.append(other)
            self._left.append(room)

    def max_flow(self, start: int, end: int) -> int:
        """Give the value of a maximum flow."""
        total = 0
        while (level := self._levels(start))[end]:
            rest = [0] * len(self._out)
            while path := self._path(start, end, level, rest):
                flow = min(self._left[edge] for edge in path)
                for edge in path:
                    self._left[edge] -= flow
                    self._left[edge ^ 1] += flow
                total += flow
        return total

    def _levels(self, start: int) -> list[int]:
        level = [0] * len(self._out)
        level[start] = 1
        waiting = deque([start])
        while waiting:
            vertex = waiting.popleft()
            for edge in self._out[vertex]:
                head = self._head[edge]
                if self._left[edge] and not level[head]:
                    level[head] = level[vertex] + 1
                    waiting.append(head)
        return level

    def _path(self, start: int, end: int, level: list[int], rest: list[int]) -> list[int]:
        """Find a path along rising levels; edges found useless are not looked at again."""
        path: list[int] = []
        vertex = start
        while vertex != end:
            if rest[vertex] == len(self._out[vertex]):
                if not path:
                    break
                vertex = self._head[path.pop() ^ 1]
                rest[vertex] += 1
                continue
            edge = self._out[vertex][rest[vertex]]
            if self._left[edge] and level[self._head[edge]] == level[vertex] + 1:
                path.append(edge)
                vertex = self._head[edge]
            else:
                rest[vertex] += 1
        return path
