"""The operations of a mapped workflow, how long they take, and what waits for what.

Operation o starts at ``x_o(n)`` for data set n and takes ``t_o(n)``, which repeats every ``M_o`` data
sets: the copies ``R_k`` of a stage that is computed, ``lcm(R_k, R_l)`` for a file from k to l. For all n

(1) ``x_p(n) >= x_o(n) + t_o(n)`` where o makes what p needs: a stage is computed, its file sent,
the next stage computed

(2) for each stage k and type of resource, its operations ``o_1 ... o_s`` in the order of service:
    ``x_(o_i+1)(n) >= x_(o_i)(n) + t_(o_i)(n)`` and ``x_(o_1)(n + R_k) >= x_(o_s)(n) + t_(o_s)(n)``.

An operation with the lag ``l_o`` is served for data set n as if that were n + l_o. With ``r_o`` its lag
modulo R_k, and ``d_o`` the rest, the operations of a stage come in the order of (r_o, order of service),
and in (2) data set n of o is n - d_o.

Shifts do not depend on n, only times do. A closed walk of (1), (2) advances D data sets, and

(3) the period is the largest ratio of time to D over all closed walks.

Without lags there always is a schedule, since all goes forward in (data set, order of service).
Source: *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, 6.3.3 and 6.3.4, whose Petri nets these are, divided by their symmetry: a place holds a token where a
shift passes the last of ``lcm(R_k)`` rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import gcd, lcm
from typing import NamedTuple

from steadygrid.domain.resources import (
    compute_resource,
    port_resource,
    receive_resource,
    send_resource,
)
from steadygrid.domain.slots import FileName
from steadygrid.kinds.replicated_workflow.schemas import (
    MappedStage,
    ReplicatedWorkflowInstance,
)


class Stage(NamedTuple):
    """Some tasks, and the processors that run them in turn."""

    name: str
    tasks: tuple[str, ...]
    processors: tuple[str, ...]


class Operation(NamedTuple):
    """What is done once for each data set: a stage is computed, or a file is sent."""

    name: str | FileName
    stages: tuple[int, ...]
    """The one that is computed; or the sender's and the receiver's."""
    times: Sequence[int]
    """By residue of the data set; whole, in units of ``1 / Workflow.scale``."""

    @property
    def modulus(self) -> int:
        """After how many data sets the same processors take part again."""
        return len(self.times)

    @property
    def is_file(self) -> bool:
        """Whether a file is sent."""
        return len(self.stages) == 2


class Dependency(NamedTuple):
    """For every n: `after` for data set n + `shift` starts when `before` for data set n has ended."""

    before: int
    after: int
    shift: int


class Queue(NamedTuple):
    """What the resources of a stage of one kind do for a data set, in order."""

    stage: int
    kind: str
    operations: tuple[int, ...]
    data_sets: tuple[int, ...]
    """Of each operation, in the turn of data set 0; negative where it lags."""


Service = Mapping[str | FileName, int]
"""The lag of each operation, in the order of service."""


class Load(NamedTuple):
    """How long a resource is busy per data set, on average, in units of ``1 / Workflow.scale``."""

    resource: str
    queue: Queue
    turn: int
    """Of the processor among those of its stage."""
    total: Fraction
    parts: dict[str, Fraction]


_NAMES = {
    "compute": compute_resource,
    "send": send_resource,
    "receive": receive_resource,
    "port": port_resource,
}


class Workflow:
    """A mapped workflow as a recurrence with uniform shifts.

    Attributes
    ----------
    stages
        In topological order, of those that could come next the one listed first.
    operations
        In the order of service: each stage, followed by the files that it sends, as listed.
    scale
        Times are whole multiples of ``1 / scale``.
    lags
        Of each operation.
    waits_for_input
        Whether (1) holds; without it the data of all files are there at any time.
    """

    def __init__(
        self, instance: ReplicatedWorkflowInstance, mapping: Sequence[MappedStage]
    ) -> None:
        self.instance = instance
        self.mapping = mapping
        self.no_overlap = instance.ports == "no_overlap"
        self.stages = _stages(instance, mapping)
        times = [Fraction(0)]
        tables = [*self._tables(times)]
        self.scale = lcm(*{time.denominator for time in times})
        self.operations = [
            Operation(name, stages, self._by_residue(stages, table))
            for name, stages, table in tables
        ]
        self.lags = [0] * len(self.operations)
        self.waits_for_input = True

    def in_order(self, service: Service, *, waits_for_input: bool = True) -> "Workflow":
        """Give the same workflow with another order of service.

        Parameters
        ----------
        service
            Of all operations.
        waits_for_input
            Whether operations wait for what they need, and not only for resources.
        """
        other = copy(self)
        for name in ("queues", "dependencies", "loads", "moduli", "position"):
            other.__dict__.pop(name, None)
        by_name = {operation.name: operation for operation in self.operations}
        other.operations = [by_name[name] for name in service]
        other.lags = list(service.values())
        other.waits_for_input = waits_for_input
        return other

    @property
    def service(self) -> Service:
        """The lag of each operation, in the order of service."""
        names = [operation.name for operation in self.operations]
        return dict(zip(names, self.lags, strict=True))

    def _tables(
        self, times: list[Fraction]
    ) -> Iterator[tuple[str | FileName, tuple[int, ...], "_Table"]]:
        """Give the operations with the times of the processors. All times are added to a list."""
        instance = self.instance
        stage_of = {task: k for k, stage in enumerate(self.stages) for task in stage.tasks}
        for k, stage in enumerate(self.stages):
            computing = [_time(instance, stage.tasks, processor) for processor in stage.processors]
            times.extend(computing)
            yield stage.name, (k,), computing
            for file in instance.application.files:
                l = stage_of[file.target]
                if stage_of[file.source] == k != l:
                    sending = _Sending(instance, stage, self.stages[l], file.size)
                    times.extend(sending.values())
                    yield (file.source, file.target), (k, l), sending

    def _by_residue(self, stages: tuple[int, ...], table: "_Table") -> Sequence[int]:
        if isinstance(table, list):
            return [time.numerator * (self.scale // time.denominator) for time in table]
        whole = {
            pair: time.numerator * (self.scale // time.denominator) for pair, time in table.items()
        }
        r, s = (self.copies[k] for k in stages)
        return [whole[n % r, n % s] for n in range(lcm(r, s))]

    @cached_property
    def copies(self) -> list[int]:
        """Processors of each stage."""
        return [len(stage.processors) for stage in self.stages]

    @cached_property
    def rows(self) -> int:
        """Data sets after which every processor has its first turn again."""
        return lcm(*self.copies)

    @cached_property
    def moduli(self) -> list[int]:
        """Of each operation."""
        return [operation.modulus for operation in self.operations]

    @cached_property
    def position(self) -> Mapping[str | FileName, int]:
        """Of each operation in the order of service, by its name."""
        return {operation.name: o for o, operation in enumerate(self.operations)}

    @cached_property
    def queues(self) -> list[Queue]:
        """What the resources of each stage do for a data set, in the order of service."""
        found: dict[tuple[int, str], list[int]] = {}
        for o, operation in enumerate(self.operations):
            kinds = ("send", "receive") if operation.is_file else ("compute",)
            for k, kind in zip(operation.stages, kinds, strict=True):
                found.setdefault((k, "port" if self.no_overlap else kind), []).append(o)
        queues: list[Queue] = []
        for (k, kind), listed in sorted(found.items()):
            copies = self.copies[k]
            turn = sorted(listed, key=lambda o: (self.lags[o] % copies, o))
            earlier = tuple(self.lags[o] % copies - self.lags[o] for o in turn)
            queues.append(Queue(k, kind, tuple(turn), earlier))
        return queues

    @cached_property
    def dependencies(self) -> list[Dependency]:
        """All of (1) and (2), each once."""
        computing = {
            operation.stages[0]: o
            for o, operation in enumerate(self.operations)
            if not operation.is_file
        }
        found: dict[Dependency, None] = {}
        for o, operation in enumerate(self.operations):
            if operation.is_file and self.waits_for_input:
                k, l = operation.stages
                found[Dependency(computing[k], o, 0)] = None
                found[Dependency(o, computing[l], 0)] = None
        for queue in self.queues:
            served = list(zip(queue.operations, queue.data_sets, strict=True))
            again = served[0][0], served[0][1] + self.copies[queue.stage]
            for (before, n), (after, m) in pairwise([*served, again]):
                found[Dependency(before, after, m - n)] = None
        return list(found)

    @property
    def advances(self) -> bool:
        """Whether all operations that wait for each other do so over at least one data set."""
        one = len(self.operations) + 1
        least = [0] * len(self.operations)
        for _ in range(one):
            changed = False
            for before, after, shift in self.dependencies:
                if least[before] + shift * one - 1 < least[after]:
                    least[after] = least[before] + shift * one - 1
                    changed = True
            if not changed:
                return True
        return False

    @cached_property
    def loads(self) -> list[Load]:
        """What each resource has to do, the longest first; of equals, that of the first stage."""
        found: list[Load] = []
        for queue in self.queues:
            copies = self.copies[queue.stage]
            parts: list[dict[str, Fraction]] = [{} for _ in range(copies)]
            for o in queue.operations:
                operation = self.operations[o]
                kind = "compute"
                if operation.is_file:
                    kind = "send" if operation.stages[0] == queue.stage else "receive"
                for j, part in enumerate(parts):
                    time = Fraction(sum(operation.times[j::copies]), operation.modulus)
                    part[kind] = part.get(kind, Fraction(0)) + time
            processors = self.stages[queue.stage].processors
            found += [
                Load(_NAMES[queue.kind](processor), queue, j, sum(part.values(), Fraction(0)), part)
                for j, (processor, part) in enumerate(zip(processors, parts, strict=True))
            ]
        return sorted(found, key=lambda load: -load.total)

    @property
    def mct(self) -> Fraction:
        """Largest load of a resource, in units of ``1 / scale``: no period is shorter."""
        return self.loads[0].total

    @cached_property
    def components(self) -> list[int]:
        """For each stage the first one that files join it to, over however many stages."""
        leader = list(range(len(self.stages)))

        def lead(stage: int) -> int:
            while leader[stage] != stage:
                leader[stage] = stage = leader[leader[stage]]
            return stage

        for operation in self.operations:
            first, last = sorted(lead(k) for k in (operation.stages[0], operation.stages[-1]))
            leader[last] = first
        return [lead(k) for k in range(len(self.stages))]

    @cached_property
    def common_copies(self) -> list[int]:
        """For each stage the greatest common divisor of the copies of all that it is joined to."""
        divisor: dict[int, int] = {}
        for leader, copies in zip(self.components, self.copies, strict=True):
            divisor[leader] = gcd(divisor.get(leader, 0), copies)
        return [divisor[leader] for leader in self.components]

    def place(self, operation: Operation, data_set: int) -> str | tuple[str, str]:
        """Name the processor that computes, or the sender and the receiver, for a data set.

        Parameters
        ----------
        operation
            One of this workflow.
        data_set
            Its number, from 0.
        """
        names = tuple(
            self.stages[k].processors[data_set % self.copies[k]] for k in operation.stages
        )
        return names if len(names) == 2 else names[0]


class _Sending(dict[tuple[int, int], Fraction]):
    """The time of a file by the turns of its sender and its receiver."""

    def __init__(
        self, instance: ReplicatedWorkflowInstance, sending: Stage, receiving: Stage, size: Fraction
    ) -> None:
        platform = instance.platform
        index, arcs = platform.index_by_id, platform.arc_by_ends
        senders = [index[name] for name in sending.processors]
        receivers = [index[name] for name in receiving.processors]
        r, s = len(senders), len(receivers)
        super().__init__(
            ((n % r, n % s), size * arcs[senders[n % r], receivers[n % s]].unit_time)
            for n in range(lcm(r, s))
        )


_Table = list[Fraction] | _Sending


def _time(instance: ReplicatedWorkflowInstance, tasks: Sequence[str], processor: str) -> Fraction:
    """Add up the times of tasks on a processor."""
    total = Fraction(0)
    where = instance.platform.processors[instance.platform.index_by_id[processor]]
    for name in tasks:
        task = instance.application.tasks[instance.task_index[name]]
        if task.times is not None:
            total += task.times[processor]
        elif task.work is not None and where.time_per_work is not None:
            total += task.work * where.time_per_work
        else:
            raise ValueError(f"{name} cannot run on {processor}")
    return total


def _stages(instance: ReplicatedWorkflowInstance, mapping: Sequence[MappedStage]) -> list[Stage]:
    """Put stages in topological order; of those that could come next, the one listed first."""
    position = instance.task_index
    listed = [
        Stage(min(stage.tasks, key=position.__getitem__), stage.tasks, stage.processors)
        for stage in mapping
    ]
    stage_of = {task: i for i, stage in enumerate(listed) for task in stage.tasks}
    pairs = {(stage_of[file.source], stage_of[file.target]) for file in instance.application.files}
    followers: list[list[int]] = [[] for _ in listed]
    waits = [0] * len(listed)
    for one, other in pairs:
        if one != other:
            followers[one].append(other)
            waits[other] += 1
    ready = [i for i, number in enumerate(waits) if not number]
    heapify(ready)
    order: list[Stage] = []
    while ready:
        first = heappop(ready)
        order.append(listed[first])
        for follower in followers[first]:
            waits[follower] -= 1
            if not waits[follower]:
                heappush(ready, follower)
    return order
