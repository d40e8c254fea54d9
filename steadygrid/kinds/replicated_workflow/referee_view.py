"""A mapped workflow as its referee sees it, derived anew from what was asked."""

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from steadygrid.domain.application import Task
from steadygrid.domain.errors import Pointer
from steadygrid.domain.platform import Platform
from steadygrid.domain.resources import (
    compute_resource,
    port_resource,
    receive_resource,
    send_resource,
)
from steadygrid.domain.slots import FileName
from steadygrid.kinds.replicated_workflow.schemas import (
    MappedStageOut,
    ReplicatedWorkflowInstance,
)
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import read_network

AT: Pointer = ("result", "mapping")


class Stage(NamedTuple):
    """Some tasks, and the processors that run them in turn."""

    name: str
    """Its first task, in the order of the application."""
    processors: tuple[str, ...]
    times: tuple[Fraction, ...]
    """On each of the processors."""


class Operation(NamedTuple):
    """A computation, or the transfer of a file."""

    name: str | FileName
    stage: int
    """That computes, or sends."""
    receiver: int | None
    """The stage that receives."""
    size: Fraction
    """Of the file; 0 of a computation."""
    modulus: int
    """Of how many data sets its places repeat."""


@dataclass(frozen=True)
class Workflow:
    """The stages in the order of their list, and the operations in the order of service.

    Every resource serves operations by data set, and of one data set in the order of service. That
    is the stages in topological order, ties to the one listed first. Each is followed by the files
    that leave it, as the application lists them. Or in an order, and with lags, that an answer
    says.
    """

    one_at_a_time: bool
    """Whether a processor does one thing at a time (``no_overlap``)."""
    stages: Sequence[Stage]
    operations: Sequence[Operation]
    unit_times: Mapping[tuple[str, str], Fraction]
    """By sender and receiver."""
    lags: Mapping[str | FileName, int] = field(default_factory=dict)
    """For how many data sets later an operation is served, by its name; 0 of those not named."""

    def served_by(self, lags: Mapping[str | FileName, int]) -> "Workflow":
        """Give the same workflow with another order of service.

        Parameters
        ----------
        lags
            Of all operations, in the order of service.
        """
        operations = [self.operations[self.position[name]] for name in lags]
        return replace(self, operations=operations, lags=lags)

    @cached_property
    def rows(self) -> int:
        """After how many data sets all processors have their first turn again."""
        return lcm(*(len(stage.processors) for stage in self.stages))

    @cached_property
    def position(self) -> Mapping[str | FileName, int]:
        """Of each operation in the order of service, by its name."""
        return {operation.name: o for o, operation in enumerate(self.operations)}

    def place(self, o: int, data_set: int) -> str | tuple[str, str]:
        """Name the processor, or the sender and the receiver.

        Parameters
        ----------
        o
            Position of the operation in the order of service.
        data_set
            Its number, from 0.
        """
        operation = self.operations[o]
        here = self.stages[operation.stage].processors
        one = here[data_set % len(here)]
        if operation.receiver is None:
            return one
        there = self.stages[operation.receiver].processors
        return one, there[data_set % len(there)]

    def time(self, o: int, data_set: int) -> Fraction:
        """Give how long an operation takes for a data set.

        Parameters
        ----------
        o
            Position of the operation in the order of service.
        data_set
            Its number, from 0.
        """
        operation, place = self.operations[o], self.place(o, data_set)
        if isinstance(place, tuple):
            return operation.size * self.unit_times[place]
        times = self.stages[operation.stage].times
        return times[data_set % len(times)]

    def times(self, o: int) -> list[Fraction]:
        """Give how long an operation takes, by residue of the data set and its modulus."""
        operation = self.operations[o]
        if operation.receiver is None:
            return list(self.stages[operation.stage].times)
        known: dict[Fraction, Fraction] = {}
        found: list[Fraction] = []
        for ends in self.ends(operation.stage, operation.receiver):
            unit = self.unit_times[ends]
            if unit not in known:
                known[unit] = operation.size * unit
            found.append(known[unit])
        return found

    def ends(self, sender: int, receiver: int) -> list[tuple[str, str]]:
        """List who sends to whom between two stages, by data set, until that repeats.

        Parameters
        ----------
        sender, receiver
            Positions of stages.
        """
        here, there = self.stages[sender].processors, self.stages[receiver].processors
        turns = lcm(len(here), len(there))
        return [(here[n % len(here)], there[n % len(there)]) for n in range(turns)]

    @cached_property
    def served(self) -> Sequence[tuple[int, Sequence[int]]]:
        """For each resource of each stage, the stage and the operations that its copies serve."""
        sent: list[list[int]] = [[] for _ in self.stages]
        received: list[list[int]] = [[] for _ in self.stages]
        computed: list[list[int]] = [[] for _ in self.stages]
        for o, operation in enumerate(self.operations):
            if operation.receiver is None:
                computed[operation.stage].append(o)
            else:
                sent[operation.stage].append(o)
                received[operation.receiver].append(o)
        found: list[tuple[int, Sequence[int]]] = []
        for k, parts in enumerate(zip(received, computed, sent, strict=True)):
            if self.one_at_a_time:
                found.append((k, [o for part in parts for o in part]))
            else:
                found += [(k, part) for part in parts if part]
        return found

    @cached_property
    def waits(self) -> Mapping[tuple[int, int], Collection[int]]:
        """By how many data sets later an operation waits for the end of another.

        It waits for what it needs of the same data set. It also waits for the operation that the
        same resource serves before it. There the first of a stage waits for the last of the data set
        that the same copy had.
        """
        found: dict[tuple[int, int], set[int]] = {}
        computing = {
            operation.stage: o
            for o, operation in enumerate(self.operations)
            if operation.receiver is None
        }
        for o, operation in enumerate(self.operations):
            if operation.receiver is not None:
                found.setdefault((computing[operation.stage], o), set()).add(0)
                found.setdefault((o, computing[operation.receiver]), set()).add(0)
        for k, operations in self.served:
            for before, after, later in self.handovers(k, operations):
                found.setdefault((before, after), set()).add(later)
        return found

    def handovers(self, stage: int, operations: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """Give what a copy of a stage serves next after each operation, and how many data sets later.

        Parameters
        ----------
        stage
            Position of the stage.
        operations
            That a resource of it serves.

        Notes
        -----
        Of the data sets that a copy has, data set n of an operation with a lag is served as n + lag.
        The services from 0 on, before the number of copies, are those of one turn.
        """
        copies = len(self.stages[stage].processors)
        turn: list[tuple[int, int, int]] = []
        for o in operations:
            lag = self.lags.get(self.operations[o].name, 0)
            data_set = -(lag // copies) * copies
            turn.append((data_set + lag, o, data_set))
        turn.sort()
        first, last = turn[0], turn[-1]
        for (_, before, n), (_, after, m) in pairwise(turn):
            yield before, after, m - n
        yield last[1], first[1], first[2] + copies - last[2]

    def resources(self, o: int, data_set: int) -> tuple[str, ...]:
        """Name what an operation keeps busy.

        Parameters
        ----------
        o
            Position of the operation in the order of service.
        data_set
            Its number, from 0.
        """
        place = self.place(o, data_set)
        if self.one_at_a_time:
            ends = place if isinstance(place, tuple) else (place,)
            return tuple(port_resource(name) for name in ends)
        if isinstance(place, tuple):
            return send_resource(place[0]), receive_resource(place[1])
        return (compute_resource(place),)


def read_unit_times(instance: ReplicatedWorkflowInstance) -> dict[tuple[str, str], Fraction]:
    """Give the time per unit of data from each sender to each receiver that it has a link to."""
    network = read_network(bare(instance).platform, instance.ports)
    return {ends: hop.unit_time for ends, hop in network.hops.items()}


def read_mapping(
    instance: ReplicatedWorkflowInstance,
    mapping: Sequence[MappedStageOut],
    findings: Findings,
    unit_times: Mapping[tuple[str, str], Fraction] | None = None,
) -> Workflow | None:
    """Read a mapping, and check that it is one that was asked for.

    Parameters
    ----------
    unit_times
        See `read_unit_times`, if they have been read already.

    Returns
    -------
    Workflow or None
        None where a rule is broken.

    Notes
    -----
    Rules, in this order:

    == ============================================================= ==================
    1  the mapping is the instance's, if that gives one              `wrong_mapping`
    2  else its stages are those that were asked for, in their order `wrong_stages`
    3  a stage has processors                                        `no_processor`
    4  these serve no other stage, and are listed once               `processor_twice`
    5  they are no more than allowed                                 `too_many_copies`
    6  each exists, and can run all tasks of the stage               `task_not_allowed`
    7  every file of every data set has a link                       `no_link`
    8  the mapping repeats after no more data sets than allowed      `too_many_rows`
    == ============================================================= ==================
    """
    given = [(tuple(stage.tasks), tuple(stage.processors)) for stage in mapping]
    if instance.mapping is not None:
        if given != [(stage.tasks, stage.processors) for stage in instance.mapping]:
            findings.add(AT, "wrong_mapping", "This is not the mapping that was to be evaluated.")
            return None
    elif not _is_mapping(instance, given, findings):
        return None
    return _read(instance, given, unit_times or read_unit_times(instance), findings)


def _is_mapping(
    instance: ReplicatedWorkflowInstance,
    given: Sequence[tuple[tuple[str, ...], tuple[str, ...]]],
    findings: Findings,
) -> bool:
    asked = instance.stages
    if asked is None:
        asked = tuple((task.id,) for task in instance.application.tasks)
    if [tasks for tasks, _ in given] != list(asked):
        findings.add(AT, "wrong_stages", "These are not the stages that were asked for, in order.")
        return False
    sound = True
    taken: set[str] = set()
    for k, (tasks, processors) in enumerate(given):
        if not processors:
            findings.add((*AT, k), "no_processor", f"The stage of {tasks[0]!r} has no processor.")
            sound = False
        for name in processors:
            if name in taken:
                findings.add(
                    (*AT, k), "processor_twice", f"{name!r} is in the mapping more than once."
                )
                sound = False
            taken.add(name)
        most = most_copies(instance, tasks)
        if most is not None and len(processors) > most:
            findings.add(
                (*AT, k),
                "too_many_copies",
                f"The stage of {tasks[0]!r} has {len(processors)} processors, and may have {most}.",
            )
            sound = False
    return sound


def most_copies(instance: ReplicatedWorkflowInstance, tasks: Sequence[str]) -> int | None:
    """Give the most processors that a stage of some tasks may have. None: any number."""
    most = instance.max_replicas
    if isinstance(most, dict):
        return min((most[task] for task in tasks if task in most), default=None)
    return most


def _read(
    instance: ReplicatedWorkflowInstance,
    given: Sequence[tuple[tuple[str, ...], tuple[str, ...]]],
    unit_times: Mapping[tuple[str, str], Fraction],
    findings: Findings,
) -> Workflow | None:
    application = instance.application
    tasks = {task.id: task for task in application.tasks}
    listed = {task: i for i, task in enumerate(tasks)}
    stages: list[Stage] = []
    sound = True
    for k, (names, processors) in enumerate(given):
        times = times_of_stage(instance.platform, [tasks[name] for name in names], processors)
        for name, time in zip(processors, times, strict=True):
            if time is None:
                findings.add(
                    (*AT, k),
                    "task_not_allowed",
                    f"{name!r} cannot run the stage of {names[0]!r}.",
                )
                sound = False
        first = min(names, key=listed.__getitem__)
        known = tuple(Fraction(0) if time is None else time for time in times)
        stages.append(Stage(first, processors, known))
    workflow = Workflow(
        instance.ports == "no_overlap",
        stages,
        _operations(instance, given, stages),
        unit_times,
    )
    pairs = {(o.stage, o.receiver) for o in workflow.operations if o.receiver is not None}
    for sender, receiver in sorted(pairs):
        missing = _without_link(workflow, sender, receiver)
        if missing is not None:
            findings.add(AT, "no_link", f"There is no link from {missing[0]!r} to {missing[1]!r}.")
            sound = False
    if workflow.rows > instance.max_rows:
        findings.add(
            AT,
            "too_many_rows",
            f"The mapping repeats after {show(Fraction(workflow.rows))} data sets only.",
        )
        sound = False
    return workflow if sound else None


def _without_link(workflow: Workflow, sender: int, receiver: int) -> tuple[str, str] | None:
    here, there = workflow.stages[sender].processors, workflow.stages[receiver].processors
    for n in range(lcm(len(here), len(there))):
        ends = here[n % len(here)], there[n % len(there)]
        if ends not in workflow.unit_times:
            return ends
    return None


def bare(instance: ReplicatedWorkflowInstance) -> ReplicatedWorkflowInstance:
    """Leave out network cards: every processor has one port, or two."""
    platform = instance.platform
    processors = tuple(p.model_copy(update={"cards": None}) for p in platform.processors)
    links = tuple(
        link.model_copy(update={"source_card": None, "target_card": None})
        for link in platform.links
    )
    update = {"processors": processors, "links": links}
    return instance.model_copy(update={"platform": platform.model_copy(update=update)})


def times_of_stage(
    platform: Platform, tasks: Sequence[Task], processors: Sequence[str]
) -> list[Fraction | None]:
    """Give the time of some tasks on each of some processors. None where not all of them can run.

    Parameters
    ----------
    platform
        Of the instance.
    tasks
        Those of the stage.
    processors
        Names. There may be none of that name.
    """
    known = {processor.id: processor for processor in platform.processors}
    work: Fraction | None = None
    tables: list[Mapping[str, Fraction]] = []
    allowed: list[frozenset[str]] = []
    for task in tasks:
        if task.times is not None:
            tables.append(task.times)
        else:
            assert task.work is not None
            work = task.work if work is None else task.work + work
        if task.allowed is not None:
            allowed.append(frozenset(task.allowed))
    found: list[Fraction | None] = []
    for name in processors:
        processor = known.get(name)
        time: Fraction | None = None
        if (
            processor is not None
            and all(name in table for table in tables)
            and all(name in names for names in allowed)
        ):
            time = sum((table[name] for table in tables), Fraction(0))
            if work is not None and processor.unit_time is not None:
                time += work * processor.unit_time
            elif work is not None:
                time = None if processor.speed is None else time + work / processor.speed
        found.append(time)
    return found


def _operations(
    instance: ReplicatedWorkflowInstance,
    given: Sequence[tuple[tuple[str, ...], tuple[str, ...]]],
    stages: Sequence[Stage],
) -> list[Operation]:
    """List the operations in the order of service."""
    stage_of = {task: k for k, (names, _) in enumerate(given) for task in names}
    leaving: list[list[Operation]] = [[] for _ in stages]
    for file in instance.application.files:
        k, l = stage_of[file.source], stage_of[file.target]
        if k != l:
            turns = lcm(len(stages[k].processors), len(stages[l].processors))
            leaving[k].append(Operation((file.source, file.target), k, l, file.size, turns))
    after = [{o.receiver for o in sent if o.receiver is not None} for sent in leaving]
    missing = [0] * len(stages)
    for receivers in after:
        for l in receivers:
            missing[l] += 1
    ready = [k for k, number in enumerate(missing) if not number]
    found: list[Operation] = []
    while ready:
        k = heapq.heappop(ready)
        turns = len(stages[k].processors)
        found += [Operation(stages[k].name, k, None, Fraction(0), turns), *leaving[k]]
        for l in after[k]:
            missing[l] -= 1
            if not missing[l]:
                heapq.heappush(ready, l)
    return found
