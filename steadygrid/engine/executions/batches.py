"""Instances planned in batches by HEFT: each task where it ends first, with all its transfers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.resources import pair_name
from steadygrid.domain.slots import FileName
from steadygrid.domain.unrolling import Line, Repetition, Unrolling
from steadygrid.engine.executions.fastest import fastest_paths
from steadygrid.engine.executions.steps import Network

_ZERO = Fraction(0)


class Graph(NamedTuple):
    """What one instance does.

    Attributes
    ----------
    times
        By task, the time on each processor that can run it.
    sizes
        Data of each file. One that no task makes comes from the home, one that none uses goes there.
    home
        A processor. None where tasks make and use all files.
    """

    times: Mapping[str, Mapping[str, Fraction]]
    sizes: Mapping[FileName, Fraction]
    home: str | None


def planned_batch(
    graph: Graph,
    network: Network,
    size: int,
    *,
    paid: bool = False,
    check: Callable[[], None] = lambda: None,
) -> Unrolling | None:
    """Plan a batch of instances. All batches are alike, and follow each other on every resource.

    Parameters
    ----------
    graph
        Of an instance; without cycles.
    network
        Whose resources serve one operation at a time.
    size
        Instances of a batch.
    paid
        Whether latencies are.
    check
        Is called for each task; may raise.

    Returns
    -------
    Unrolling or None
        With as many repetitions for an instance as there are on the average, rounded up. None where a
        task cannot get the files of tasks that have their places.

    Notes
    -----
    H. Topcuoglu, S. Hariri and M.-Y. Wu, "Performance-Effective and Low-Complexity Task Scheduling for
    Heterogeneous Computing", IEEE Transactions on Parallel and Distributed Systems 13(3), 2002, with
    ports: tasks by decreasing upward rank, of one rank by instance. Each on the processor where it
    ends first if its files take the fastest paths, hop by hop, as soon as ports are free. Gaps are
    not filled. O(tasks processors hops) for each instance.
    """
    batch = _Batch(graph, network, paid)
    for _, instance, task in sorted(
        (-rank, k, task) for task, rank in batch.ranks().items() for k in range(size)
    ):
        check()
        if not batch.place(instance, task):
            return None
    return batch.unrolling(size)


class _Operation(NamedTuple):
    start: Fraction
    time: Fraction
    draws: str
    resources: tuple[str, ...]
    computes: bool
    needs: tuple[int, ...]


@dataclass
class _Batch:
    graph: Graph
    network: Network
    paid: bool
    operations: list[_Operation] = field(default_factory=list)
    instances: list[int] = field(default_factory=list)
    free: dict[str, Fraction] = field(default_factory=dict)
    placed: dict[tuple[int, str], tuple[str, int]] = field(default_factory=dict)
    """By instance and task, the processor and the position of the execution."""

    def __post_init__(self) -> None:
        after: dict[str, list[tuple[str, Fraction]]] = {}
        for (sender, receiver), hop in self.network.hops.items():
            after.setdefault(sender, []).append((receiver, hop.unit_time))
        self.able = dict.fromkeys(name for times in self.graph.times.values() for name in times)
        sources = self.able if self.graph.home is None else {**self.able, self.graph.home: None}
        self.paths = {source: fastest_paths(source, after) for source in sources}
        self.into: dict[str, list[FileName]] = {task: [] for task in self.graph.times}
        self.away: dict[str, list[FileName]] = {task: [] for task in self.graph.times}
        for source, target in self.graph.sizes:
            if target in self.into:
                self.into[target].append((source, target))
            elif source in self.away:
                self.away[source].append((source, target))

    def ranks(self) -> dict[str, Fraction]:
        """Give the upward rank of each task: mean times of paths of tasks and files to the end."""
        known = [
            self._unit_time(paths[there])
            for here, paths in self.paths.items()
            for there in self.able
            if there != here and there in paths
        ]
        mean = sum(known, _ZERO) / max(1, len(known))
        users: dict[str, list[FileName]] = {}
        for file in self.graph.sizes:
            users.setdefault(file[0], []).append(file)
        found: dict[str, Fraction] = {}
        waiting = list(self.graph.times)
        while waiting:
            task = waiting[-1]
            files = [file for file in users.get(task, ()) if file[1] in self.graph.times]
            missing = [target for _, target in files if target not in found]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            times = self.graph.times[task].values()
            own = sum(times, _ZERO) / len(times)
            behind = (found[file[1]] + mean * self.graph.sizes[file] for file in files)
            found[task] = own + max(behind, default=_ZERO)
        return found

    def _unit_time(self, path: Sequence[str]) -> Fraction:
        return sum((self.network.hops[ends].unit_time for ends in pairwise(path)), _ZERO)

    def place(self, instance: int, task: str) -> bool:
        """Put a task where it ends first; tell whether it can be anywhere."""
        best: tuple[Fraction, str, list[_Operation]] | None = None
        for processor in self.graph.times[task]:
            tried = self._tried(instance, task, processor)
            if tried is not None and (best is None or tried[-1].start + tried[-1].time < best[0]):
                best = tried[-1].start + tried[-1].time, processor, tried
        if best is None:
            return False
        _, processor, operations = best
        self._keep(instance, operations)
        done = len(self.operations) - 1
        self.placed[instance, task] = processor, done
        for file in self.away[task]:
            sent = self._sent(processor, self.graph.home, file, done, len(self.operations), {})
            if sent is None:
                return False
            self._keep(instance, sent)
        return True

    def _keep(self, instance: int, operations: Sequence[_Operation]) -> None:
        for one in operations:
            self.operations.append(one)
            self.instances.append(instance)
            for resource in one.resources:
                self.free[resource] = one.start + one.time

    def _tried(self, instance: int, task: str, processor: str) -> list[_Operation] | None:
        """Give the transfers that a task needs on a processor, and its execution."""
        found: list[_Operation] = []
        busy: dict[str, Fraction] = {}
        needs: list[int] = []
        ready = _ZERO
        for file in self.into[task]:
            at, made = self.placed.get((instance, file[0]), (self.graph.home, -1))
            place = len(self.operations) + len(found)
            sent = self._sent(at, processor, file, made, place, busy)
            if sent is None:
                return None
            if sent:
                found += sent
                needs.append(place + len(sent) - 1)
                ready = max(ready, sent[-1].start + sent[-1].time)
            elif made >= 0:
                needs.append(made)
                ready = max(ready, self.operations[made].start + self.operations[made].time)
        time = self.graph.times[task][processor]
        if self.paid:
            time += (self.network.start_ups or {}).get(processor, _ZERO)
        resources = (self.network.computing(processor),) if time else ()
        start = max([ready, *(self._free(one, busy) for one in resources)])
        found.append(_Operation(start, time, processor, resources, True, tuple(needs)))
        return found

    def _free(self, resource: str, busy: Mapping[str, Fraction]) -> Fraction:
        return busy.get(resource, self.free.get(resource, _ZERO))

    def _sent(
        self,
        sender: str | None,
        receiver: str | None,
        file: FileName,
        made: int,
        place: int,
        busy: dict[str, Fraction],
    ) -> list[_Operation] | None:
        """Give the hops of a file. None where it is there already. None: there is no path."""
        if sender == receiver:
            return []
        if sender is None or receiver is None or receiver not in self.paths[sender]:
            return None
        size = self.graph.sizes[file]
        ready = _ZERO
        if made >= 0:
            ready = self.operations[made].start + self.operations[made].time
        found: list[_Operation] = []
        for ends in pairwise(self.paths[sender][receiver]):
            hop = self.network.hops[ends]
            time = size * hop.unit_time
            resources = tuple(name for name, _ in hop.uses) if time else ()
            time += hop.latency if self.paid and size else _ZERO
            ready = max([ready, *(self._free(one, busy) for one in resources)])
            needs = (place + len(found) - 1,) if found else (made,) if made >= 0 else ()
            found.append(_Operation(ready, time, pair_name(*ends), resources, False, needs))
            ready += time
            busy.update(dict.fromkeys(resources, ready))
        return found

    def unrolling(self, size: int) -> Unrolling:
        """Repeat the batch: each resource ends what it does for one before the next."""
        every = max(one.start + one.time for one in self.operations)
        lines = [
            Line(one.start, one.time, every, one.draws, one.resources, one.computes)
            for one in self.operations
        ]
        number = len(lines)

        def repetitions_of(instances: int) -> list[Repetition]:
            return [
                Repetition(
                    line,
                    batch,
                    batch * size + self.instances[line],
                    tuple(batch * number + need for need in one.needs),
                )
                for batch in range(-(-instances // size))
                for line, one in enumerate(self.operations)
            ]

        return Unrolling(lines, -(-number // size), repetitions_of)
