"""What `mono_allocation` asks and answers."""

from collections.abc import Hashable
from fractions import Fraction
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.certificate import (
    Certificate,
    DualityCertificate,
    FarkasCertificate,
    NoCertificate,
    Proves,
    SearchCertificate,
)
from steadygrid.domain.job import Objective, Result
from steadygrid.domain.judging import NOT_JUDGED, NotJudged
from steadygrid.domain.platform import PortModel
from steadygrid.domain.rational import ExactRational, ExactSigned, PositiveRational, Whole
from steadygrid.domain.text import Frozen, Identifier
from steadygrid.kinds.mono_allocation.methods import METHODS, Method
from steadygrid.kinds.shared.collection import CollectionInstance

Routing = Literal["fixed", "free", "multipath"]
Duplication = Literal["none", "tasks", "tasks_and_files"]
BoundSource = Literal["relaxation", "forbidden_assignments", "allocations", "intervals", "search"]
BoundMethod = Literal["relaxation", "allocations", "none"]

REFERENCES = frozenset({"heft", "data_parallel", "clustering"})
"""Methods that run a number of instances without any common allocation."""
WITHIN_MEMORY = frozenset({"data_parallel"})
"""References that keep to the memory of processors."""
SIMULATED = REFERENCES | {"compare"}
"""Methods for which a number of instances is simulated."""
SEARCHES = frozenset({"portfolio", "milp", "compare"})
"""Methods that search the exact program."""
SCHEDULED = frozenset(METHODS) - REFERENCES - {"upper_bound"}
"""Methods that answer with a periodic schedule."""
COMPARED = frozenset(METHODS) - {"compare", "given"}
"""Methods that `compare` runs: a mapping that is given is no find of a method."""


class GivenPath(Frozen):
    """The path of one file, or of a share of it, between two processors of a given mapping."""

    file: Annotated[tuple[Identifier, Identifier], Field(strict=False)] = Field(
        description="the task that makes it and the task that uses it"
    )
    source: Identifier = Field(description="a processor that runs the first")
    target: Identifier = Field(description="one that runs the second")
    path: Annotated[tuple[Identifier, ...], Field(strict=False, min_length=2)] = Field(
        description="processors from source to target, linked one to the next"
    )
    share: PositiveRational = Field(
        Fraction(1), description="of the file. Those of one file, source and target sum to 1"
    )


Copies = Annotated[tuple[Identifier, ...], Field(strict=False)]
"""The processors that run a task."""


class MonoAllocationInstance(CollectionInstance):
    """A collection of identical task graphs that all take the same allocation."""

    kind: Literal["mono_allocation"] = Field(description="name of this kind of problem")
    ports: PortModel = Field(
        "multiport",
        description="port model: which transfers a processor takes part in at a time. Default:"
        " multiport",
    )
    routing: Routing = Field(
        "fixed",
        description="fixed: each file takes the platform's route, or else the shortest path;"
        " free: one path per file, chosen; multipath: a file may be split over several paths",
    )
    duplication: Duplication = Field(
        "none",
        description="tasks: a task may run on several processors; tasks_and_files: and routers may"
        " copy files",
    )
    contiguous: bool = Field(
        default=False,
        exclude_if=lambda asked: not asked,
        description="of a chain of tasks each processor runs an interval: tasks that follow each"
        " other, as stages of a pipeline do. Without duplication",
    )
    method: Method = Field(
        "portfolio", description="how the allocation is found. Default: portfolio"
    )
    depth: Annotated[int, Field(ge=0, le=5)] = Field(
        2, description="delegate: tasks this many files around the worst one move together"
    )
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = Field(
        0, description="rlp_rand: where its random numbers begin"
    )
    source: Identifier | None = Field(
        None,
        description="delegate: the processor on which all tasks begin. It must be able to run all"
        " of them. null: the one that can run the most, others where they hurt least",
    )
    instances: Annotated[int, Field(ge=1, le=100_000)] = Field(
        1000, description="heft, data_parallel, clustering, compare: how many are simulated"
    )

    mapping: dict[Identifier, Copies] | None = Field(
        None,
        exclude_if=lambda given: given is None,
        description="given: the processors of each task. Several are copies, if duplication says so",
    )
    paths: tuple[GivenPath, ...] | None = Field(
        None,
        strict=False,
        exclude_if=lambda given: given is None,
        description="given: the paths of files, where routing is not fixed. A file without takes the"
        " shortest path",
    )
    bound_method: BoundMethod = Field(
        "relaxation",
        exclude_if=lambda asked: asked == "relaxation",
        description="given: what the mapping is compared with. relaxation, allocations: what no"
        " schedule that runs each task once exceeds, found quickly, or the best such bound. None:"
        " nothing",
    )

    @cached_property
    def memory(self) -> tuple[Fraction | None, ...]:
        """Of each processor, what its tasks may need together. None: no limit that matters."""
        if not any(self.needs):
            return (None,) * len(self.platform.processors)
        return tuple(processor.memory for processor in self.platform.processors)

    @cached_property
    def needs(self) -> tuple[Fraction, ...]:
        """Memory that each task needs wherever it runs."""
        given = (task.memory for task in self.application.tasks)
        return tuple(Fraction(0) if memory is None else memory for memory in given)

    @property
    def within_memory(self) -> bool:
        """Whether memory limits anything."""
        return any(limit is not None for limit in self.memory)

    @cached_property
    def times(self) -> tuple[tuple[Fraction | None, ...], ...]:
        """Time of each task on each processor. None where it cannot run, or needs too much memory."""
        able = super().times
        if not self.within_memory:
            return able
        return tuple(
            tuple(
                None if limit is not None and need > limit else time
                for time, limit in zip(row, self.memory, strict=True)
            )
            for row, need in zip(able, self.needs, strict=True)
        )

    @cached_property
    def times_given(self) -> list[Hashable]:
        """For each processor, which task takes how long, and how much memory there is."""
        given = super().times_given
        if not self.within_memory:
            return given
        return list(zip(given, self.memory, strict=True))


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class MovedFile(_Part):
    """The path that a share of one file takes, from a processor that has it."""

    file: tuple[str, str] = Field(description="the file, as [source, target]")
    path: list[str] = Field(
        description="ids of the processors from sender to receiver, both included"
    )
    share: ExactRational = Field(
        description="part of the file that takes this path, above 0 and at most 1"
    )


class Occupation(_Part):
    """How long one instance keeps a resource busy."""

    resource: str = Field(description="name of the resource")
    time: ExactRational = Field(description="busy time per instance, in time units")


class FirstPeriod(_Part):
    """The period, counted from 1, in which a copy of a task runs first."""

    task: str = Field(description="id of the task")
    processor: str = Field(description="id of the processor that runs the copy")
    period: Whole = Field(description="number of the period, from 1")


class Buffer(_Part):
    """What a processor has to keep at most, in units of data."""

    processor: str = Field(description="id of the processor")
    data: ExactRational = Field(description="most data kept, in units of data")


class FileMessages(_Part):
    """How a proof shares the price of a file between the tasks at its two ends."""

    file: tuple[str, str] = Field(description="the file, as [source, target]")
    sent: dict[str, ExactSigned] = Field(
        description="by processor of the producer: added to the file, taken from the task"
    )
    received: dict[str, ExactSigned] = Field(description="by processor of the user, likewise")


class ComparedMethod(_Part):
    """One method next to the others. What it does not have is null."""

    method: str = Field(description="name of the method")
    throughput: ExactRational | None = Field(
        description="instances per time unit. Null where the method has no answer"
    )
    ratio_to_bound: ExactRational | None = Field(
        description="null for references: the bound of one allocation does not hold for what mixes"
        " allocations"
    )
    latency: ExactRational | None = Field(
        description="time from the beginning to the end of an instance. Under no_overlap each task is"
        " counted as if it waited for the next period: the schedule may be faster"
    )
    seconds: float = Field(description="time that the method took to answer")
    note: str | None = Field(
        None, description="what there is to know about its answer. Default: null"
    )


class ReferenceSimulation(_Part):
    """What became of a number of instances without a common allocation."""

    instances: Whole = Field(description="instances that were simulated")
    makespan: ExactRational = Field(description="end of the last instance, in time units")
    latency: ExactRational = Field(description="mean over the instances")
    planned_makespan: ExactRational | None = Field(
        None, description="what the method's own model expects, where that knows no contention"
    )


class MonoAllocationStatistics(_Part):
    """How the answer was found. What the method does not have is null."""

    found_by: str | None = Field(None, description="method of the portfolio that found it")
    mappings: Whole | None = Field(None, description="mappings whose period was computed")
    iterations: Whole | None = Field(
        None, description="portfolio: small programs that were searched"
    )
    variables: Whole | None = Field(None, description="of the program that was solved")
    constraints: Whole | None = Field(None, description="of the program that was solved")
    nodes: Whole | None = Field(None, description="of the search tree")


class Move(_Part):
    """One task, or one copy of it, on another processor, and what the mapping does then."""

    task: str = Field(description="id of the task")
    source: str = Field(description="the processor that runs it now")
    target: str = Field(description="the processor that would")
    throughput: ExactRational = Field(description="instances per time unit after the move")


class MovesTried(_Part):
    """How many moves of one task there are, interchangeable idle processors counted once."""

    tried: Whole = Field(description="whose throughput is known, or known to be no better")
    total: Whole = Field(description="moves of one task that there are")


class IntervalsCertificate(Certificate):
    """That no intervals have a shorter period was searched for, and the referee searches again."""

    proves: ClassVar[Proves] = Proves.BOUND

    type: Literal["intervals"] = Field("intervals", description="names this type of certificate")


class MonoAllocationResult(Result):
    """The one allocation, and what keeps it from being faster."""

    kind: Literal["mono_allocation"] = Field(
        "mono_allocation", description="name of this kind of problem"
    )
    objective: Annotated[Objective | None, NotJudged("method", REFERENCES)] = Field(
        description="the value that was reached. Null where there is no schedule"
    )
    certificate: Annotated[
        DualityCertificate
        | FarkasCertificate
        | IntervalsCertificate
        | SearchCertificate
        | NoCertificate,
        Field(discriminator="type"),
    ] = Field(description="why the bound holds, or why nothing is feasible")
    period: ExactRational | None = Field(description="time per instance, 1 / throughput")
    mapping: dict[str, list[str]] = Field(description="processors that run each task")
    transfers: list[MovedFile] = Field(description="paths that files take between processors")
    occupation: list[Occupation] = Field(description="longest first. Unused resources left out")
    bottleneck: str | None = Field(
        description="the resource that one instance keeps busy for longest, the first of `occupation`."
        " Null without a mapping"
    )
    first_periods: list[FirstPeriod] = Field(description="when each copy of a task runs first")
    latency_periods: Whole | None = Field(
        description="periods from the start of an instance to its end. Null without a mapping"
    )
    buffers: list[Buffer] = Field(description="data that processors keep at most")
    bound_source: Annotated[BoundSource | None, NotJudged("certificate.type", ("lp_duality",))] = (
        Field(None, description="where the bound comes from. Null without a bound")
    )
    messages: list[FileMessages] = Field(
        default_factory=list, description="with the prices, the proof of a bound"
    )
    weights: dict[str, ExactRational] = Field(
        default_factory=dict,
        description="by task, in place of prices: what fits on the processors within a shorter"
        " period weighs less than all tasks",
    )
    bottlenecks: list[str] = Field(
        default_factory=list,
        description="given: all resources that are busy for as long as the bottleneck",
    )
    distance: ExactRational | None = Field(
        None, description="given: 1 - throughput / bound. Null without a bound"
    )
    better: Move | None = Field(
        None,
        description="given: the move of one task that raises the throughput most. Null: none does",
    )
    moves: MovesTried | None = Field(None, description="given: how far `better` was looked for")
    comparison: Annotated[list[ComparedMethod] | None, NOT_JUDGED] = Field(
        None, description="methods beside each other. Null where none are compared"
    )
    simulation: Annotated[ReferenceSimulation | None, NOT_JUDGED] = Field(
        None,
        description="of methods without one allocation: what became of the instances. Else null",
    )
    statistics: Annotated[MonoAllocationStatistics, NOT_JUDGED] = Field(
        description="how the answer was found"
    )
