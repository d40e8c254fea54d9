r"""Bounds by what one processor can run: weights of tasks that do not fit into a shorter period.

In an allocation of a period below T, the tasks S of a processor take less than T together. The
files between S and the other tasks leave and enter it in less than T. And its memory holds S. Weights
:math:`\alpha_k \ge 0` prove that there is none if the heaviest such sets of all processors weigh
less than all tasks together. The best weights are the duals of a program over such sets (see the
model), found by column generation. The heaviest set by branch and bound, in integers.

With duplication a task runs on one processor or more, and a set may get rid of its files by
other means: only what enters counts.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import ceil, floor, inf, lcm
from typing import NamedTuple

from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.relaxation import Relaxation
from steadygrid.kinds.mono_allocation.solver.bounds.model_packing import build_packing
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

UNIT = 1 << 30
"""Weights are whole multiples of its inverse."""
MOST_TASKS = 300
"""Larger applications are not tried."""
MOST_NODES = 60_000
"""Of one search for the heaviest set."""
MOST_NODES_OF_PROOF = 50_000
"""Of the searches on all kinds of processors together. The referee has to repeat them."""
SEEDS = 20
"""Kinds of processors on which each task alone is known from the beginning, the fastest."""
NO_GAIN = 1e-9
"""By how much a set must weigh more than the program says, to be worth a column."""

Tasks = frozenset[int]


class TooLargeError(Exception):
    """A search for the heaviest set has more nodes than is sensible."""


class Host(NamedTuple):
    """Processors that can run the same sets of tasks.

    Attributes
    ----------
    times
        By task, in whole units. None where it cannot run.
    most_time, most_out, most_in
        What a set takes at most of time, of data that leaves and that enters, in whole units.
    most_memory
        What a set needs of memory at most. None for no limit.
    """

    times: tuple[int | None, ...]
    most_time: int
    most_out: int | None
    most_in: int
    most_memory: int | None = None


class _Kind(NamedTuple):
    """Processors that are alike, for every period."""

    time_class: int
    out: Fraction
    into: Fraction
    memory: Fraction | None


class Packing:
    """Sets of tasks that fit on processors, for periods of any length.

    Attributes
    ----------
    counts
        Processors of each kind.
    """

    def __init__(self, tables: MonoTables) -> None:
        instance = tables.instance
        self.num_tasks = len(tables.tasks)
        self._names = tables.tasks
        self._copies = instance.duplication != "none"
        self._size_unit = lcm(*(size.denominator for _, _, size in tables.files))
        self.files = [
            (source, target, int(size * self._size_unit)) for source, target, size in tables.files
        ]
        self._sent: list[list[tuple[int, int]]] = [[] for _ in tables.tasks]
        self._got: list[list[tuple[int, int]]] = [[] for _ in tables.tasks]
        for source, target, size in self.files:
            self._sent[source].append((target, size))
            self._got[target].append((source, size))
        self._crossings: dict[Tasks, tuple[int, int]] = {}
        self._memory_unit = lcm(*(need.denominator for need in instance.needs))
        self._needs = [int(need * self._memory_unit) for need in instance.needs]
        kinds: dict[_Kind, int] = {}
        leaving: dict[int, list[int]] = {}
        entering: dict[int, list[int]] = {}
        for arc in tables.platform.arcs:
            leaving.setdefault(arc.source, []).append(arc.index)
            entering.setdefault(arc.target, []).append(arc.index)
        for processor in tables.usable:
            kind = _Kind(
                instance.sorts[processor],
                _capacity([dict(tables.arc_uses(arc)) for arc in leaving.get(processor, ())]),
                _capacity([dict(tables.arc_uses(arc)) for arc in entering.get(processor, ())]),
                instance.memory[processor],
            )
            kinds[kind] = kinds.get(kind, 0) + 1
        self.counts = list(kinds.values())
        self._kinds = list(kinds)
        self._times = [tuple(row[kind.time_class] for row in instance.times) for kind in kinds]
        self._units = [
            lcm(*(t.denominator for t in times if t is not None)) for times in self._times
        ]
        self._whole_times = [
            tuple(None if t is None else int(t * unit) for t in times)
            for times, unit in zip(self._times, self._units, strict=True)
        ]
        self._known: list[set[Tasks]] = [set() for _ in kinds]
        self._sets: set[Tasks] = set()

    def hosts(self, below: Fraction) -> list[Host]:
        """State what fits into any period that is shorter."""
        return [
            Host(
                times,
                _whole_number_below(below * unit),
                None if self._copies else _whole_number_below(below * kind.out * self._size_unit),
                _whole_number_below(below * kind.into * self._size_unit),
                None if kind.memory is None else floor(kind.memory * self._memory_unit),
            )
            for kind, times, unit in zip(self._kinds, self._whole_times, self._units, strict=True)
        ]

    @property
    def shortest_operation(self) -> Fraction:
        """The least time that anything takes which takes some: a task, or a file of a processor."""
        times = {time for row in self._times for time in row if time}
        capacities = {capacity for kind in self._kinds for capacity in (kind.out, kind.into)}
        sizes = {Fraction(size, self._size_unit) for _, _, size in self.files if size}
        return min(
            times | {size / capacity for size in sizes for capacity in capacities if capacity}
        )

    def weights(self, below: Fraction, control: Control) -> dict[str, Fraction] | None:
        """Look for weights that prove that no allocation has a shorter period.

        Parameters
        ----------
        below
            Period, in time units, that is to be ruled out.
        control
            Deadline, cancellation and progress of the solve.

        Returns
        -------
        dict or None
            By task. None if there are none, or a search for the heaviest set is too large.

        Raises
        ------
        Cancelled, OutOfTime
            When cancelled or out of time.
        """
        hosts = self.hosts(below)
        for task in range(self.num_tasks):
            for _, number in sorted(
                (time, number)
                for number, times in enumerate(self._times)
                if (time := times[task]) is not None
            )[:SEEDS]:
                self._known[number].add(frozenset([task]))
        self._sets.update(*self._known)
        fitting: list[set[Tasks]] = []
        for host in hosts:
            control.check()
            fitting.append({tasks for tasks in self._sets if self._fits(host, tasks)})
        while True:
            shares = [
                (number, tasks)
                for number, known in enumerate(self._known)
                for tasks in sorted(known & fitting[number], key=sorted)
            ]
            model = build_packing(self.num_tasks, self.counts, shares)
            with Relaxation(model, control) as relaxation:
                if not relaxation.solve() or -relaxation.value >= 1 - NO_GAIN:
                    return None
                prices = relaxation.prices_of(model.cover)
                limits = relaxation.prices_of(model.run)
            weights = [max(0, int(prices.get(k, 0.0) * UNIT)) for k in range(self.num_tasks)]
            worth = [(limits.get(number, 0.0) + NO_GAIN) * UNIT for number in range(len(hosts))]
            heaviest, nodes, gained = 0, 0, False
            most: dict[int, int] = {}
            for number in self._loosest_first(hosts):
                control.check()
                host = hosts[number]
                weight, tasks = self._heaviest_known(fitting[number], weights)
                upper = min(
                    (m for other, m in most.items() if _holds_as_much(hosts[other], host)),
                    default=sum(weights),
                )
                search = _Heaviest(
                    host, self.files, weights, control.check, weight, upper, self._needs
                )
                try:
                    search.run()
                except TooLargeError:
                    return None
                most[number] = search.weight
                heaviest += self.counts[number] * search.weight
                nodes += search.nodes
                self._sets.update(found for _, found in search.found)
                for found in (found for _, found in search.found):
                    for here, other in zip(fitting, hosts, strict=True):
                        if self._fits(other, found):
                            here.add(found)
                new = {
                    found for found_weight, found in search.found if found_weight > worth[number]
                }
                if tasks is not None and weight > worth[number]:
                    new.add(tasks)
                gained = gained or bool(new - self._known[number])
                self._known[number] |= new
            if heaviest < sum(weights):
                if nodes > MOST_NODES_OF_PROOF:
                    return None
                return {
                    name: Fraction(weight, UNIT)
                    for name, weight in zip(self._names, weights, strict=True)
                    if weight
                }
            if not gained:
                return None

    def _loosest_first(self, hosts: Sequence[Host]) -> list[int]:
        return sorted(
            range(len(hosts)),
            key=lambda n: (_or_no_limit(hosts[n].most_out), hosts[n].most_in),
            reverse=True,
        )

    def _heaviest_known(
        self, fitting: Iterable[Tasks], weights: Sequence[int]
    ) -> tuple[int, Tasks | None]:
        weighed = ((sum(weights[k] for k in tasks), sorted(tasks), tasks) for tasks in fitting)
        weight, _, tasks = max(weighed, default=(0, [], None))
        return weight, tasks

    def _fits(self, host: Host, tasks: Tasks) -> bool:
        time = 0
        for task in tasks:
            here = host.times[task]
            if here is None:
                return False
            time += here
        if time > host.most_time:
            return False
        if host.most_memory is not None and sum(self._needs[k] for k in tasks) > host.most_memory:
            return False
        out, into = self._crossing(tasks)
        return into <= host.most_in and (host.most_out is None or out <= host.most_out)

    def _crossing(self, tasks: Tasks) -> tuple[int, int]:
        """Give how much data leaves and enters a set of tasks."""
        known = self._crossings.get(tasks)
        if known is None:
            out = sum(size for k in tasks for other, size in self._sent[k] if other not in tasks)
            into = sum(size for k in tasks for other, size in self._got[k] if other not in tasks)
            known = self._crossings[tasks] = out, into
        return known


def _holds_as_much(one: Host, other: Host) -> bool:
    """Tell whether one host can run all that another can."""
    return (
        one.times == other.times
        and one.most_time >= other.most_time
        and one.most_in >= other.most_in
        and _or_no_limit(one.most_memory) >= _or_no_limit(other.most_memory)
        and _or_no_limit(one.most_out) >= _or_no_limit(other.most_out)
    )


def _or_no_limit(most: int | None) -> float:
    return inf if most is None else most


def _whole_number_below(limit: Fraction) -> int:
    """Give the largest whole number below a limit; 0 at least."""
    return max(0, ceil(limit) - 1)


def _capacity(hops: Sequence[dict[int, Fraction]]) -> Fraction:
    """Give how much data per time unit can take these hops together, at most."""
    if not hops:
        return Fraction(0)
    best = sum((1 / max(uses.values()) for uses in hops), Fraction(0))
    shared = set.intersection(*(set(uses) for uses in hops))
    return min([best, *(1 / min(uses[resource] for uses in hops) for resource in shared)])


def _rank(weight: int, takes: int) -> tuple[bool, Fraction]:
    """Give the place of a task in the order of weights per what it takes, the highest first."""
    return (True, Fraction(-weight, takes)) if takes else (False, Fraction(0))


class _Heaviest:
    """The heaviest set of tasks that a host can run: depth-first branch and bound.

    Tasks are put in or left out one after the other, those first that share the most data with
    the tasks put in. What that implies for others, because a file between them is too large to
    leave or to enter, is done at once. The bound is the fractional knapsack of the time left, and that
    of the memory left.

    Parameters
    ----------
    known, upper
        The heaviest set weighs as much at least, and at most.

    Attributes
    ----------
    weight
        Of the heaviest set.
    found
        Sets in the order in which they were found, each heavier than those before and `known`.
    nodes
        Of the search.
    """

    def __init__(
        self,
        host: Host,
        files: Iterable[tuple[int, int, int]],
        weights: Sequence[int],
        check: Callable[[], None],
        known: int = 0,
        upper: int | None = None,
        needs: Sequence[int] = (),
    ) -> None:
        self.weight = known
        self._upper = sum(weights) if upper is None else upper
        self.found: list[tuple[int, Tasks]] = []
        self._times = host.times
        self._most_time = host.most_time
        self._most_in = host.most_in
        self._weights = weights
        self._check = check
        self.nodes = 0
        count = len(weights)
        most_out = host.most_out
        self._most_out = sum(s for _, _, s in files) if most_out is None else most_out
        self._around: list[list[tuple[int, int, bool]]] = [[] for _ in range(count)]
        for source, target, size in files:
            self._around[source].append((target, size, True))
            self._around[target].append((source, size, False))
        most_memory = host.most_memory
        self._needs = [0] * count if most_memory is None else list(needs)
        self._most_memory = 0 if most_memory is None else most_memory
        self._state = [0] * count
        able = [k for k in range(count) if self._time(k) <= host.most_time]
        self._order = sorted(able, key=lambda k: _rank(weights[k], self._time(k)))
        self._by_memory = (
            []
            if most_memory is None
            else sorted(able, key=lambda k: _rank(weights[k], self._needs[k]))
        )

    def _time(self, task: int) -> int:
        time = self._times[task]
        return self._most_time + 1 if time is None else time

    def run(self) -> None:
        """Search.

        Raises
        ------
        TooLargeError
            If there are too many nodes.
        """
        taken: tuple[int, ...] = (0, 0, 0, 0, 0)
        for task in set(range(len(self._state))).difference(self._order):
            done = self._decided(task, -1, taken, [])
            if done is not None:
                taken = done
        self._branch(taken)

    def _branch(self, taken: tuple[int, ...]) -> None:
        self.nodes += 1
        if self.nodes % 1000 == 0:
            self._check()
            if self.nodes > MOST_NODES:
                raise TooLargeError
        if self.weight >= self._upper or self._weight_bound(taken) <= self.weight:
            return
        task = self._next()
        if task is None:
            self.weight = taken[3]
            chosen = frozenset(k for k, state in enumerate(self._state) if state == 1)
            self.found.append((self.weight, chosen))
            return
        for choice in (1, -1):
            trail: list[int] = []
            after = self._decided(task, choice, taken, trail)
            if after is not None:
                self._branch(after)
            for done in trail:
                self._state[done] = 0

    def _weight_bound(self, taken: tuple[int, ...]) -> int:
        """Bound the weight by the fractional knapsack: what weighs most per time comes first.

        Tasks that take no time come before all others, with any weight: they always fit.
        """
        weight = self._knapsack(self._order, self._times, self._most_time - taken[0], taken[3])
        if not self._by_memory:
            return weight
        left = self._most_memory - taken[4]
        return min(weight, self._knapsack(self._by_memory, self._needs, left, taken[3]))

    def _knapsack(
        self, order: Sequence[int], takes: Sequence[int | None], left: int, weight: int
    ) -> int:
        state, weights = self._state, self._weights
        for task in order:
            if not state[task]:
                takes_of = takes[task]
                taken = 0 if takes_of is None else takes_of
                if taken > left:
                    return weight + weights[task] * left // taken
                left -= taken
                weight += weights[task]
        return weight

    def _next(self) -> int | None:
        best, found = -1, None
        state = self._state
        for task in self._order:
            if not state[task]:
                shared = 0
                for other, size, _ in self._around[task]:
                    if state[other] == 1:
                        shared += size
                if shared > best:
                    best, found = shared, task
        return found

    def _decided(
        self, task: int, choice: int, taken: tuple[int, ...], trail: list[int]
    ) -> tuple[int, ...] | None:
        """Put a task in or leave it out, with all that follows. None if that cannot be."""
        state, around = self._state, self._around
        time, out, into, weight, memory = taken
        waiting = [(task, choice)]
        while waiting:
            task, choice = waiting.pop()
            if state[task]:
                if state[task] != choice:
                    return None
                continue
            state[task] = choice
            trail.append(task)
            if choice == 1:
                time += self._time(task)
                weight += self._weights[task]
                memory += self._needs[task]
            for other, size, outgoing in around[task]:
                if state[other] == -choice:
                    # The file crosses: it leaves if its producer is the one that was put in.
                    if outgoing == (choice == 1):
                        out += size
                    else:
                        into += size
            if time > self._most_time or out > self._most_out or into > self._most_in:
                return None
            if memory > self._most_memory:
                return None
            for other, size, outgoing in around[task]:
                if not state[other]:
                    leaves = outgoing == (choice == 1)
                    if (out + size > self._most_out) if leaves else (into + size > self._most_in):
                        waiting.append((other, choice))
        return time, out, into, weight, memory
