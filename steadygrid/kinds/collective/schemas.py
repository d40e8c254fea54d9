"""What `collective` asks and answers."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.certificate import DualityCertificate, NoCertificate
from steadygrid.domain.job import Result
from steadygrid.domain.judging import NOT_JUDGED, NotJudged
from steadygrid.domain.platform import Platform, PortModel
from steadygrid.domain.preferred import Preferred
from steadygrid.domain.rational import ExactRational, Rational, Whole
from steadygrid.domain.resources import pair_name
from steadygrid.domain.slots import FileName
from steadygrid.domain.text import Frozen, Identifier
from steadygrid.kinds.collective.certificates import (
    CutsCertificate,
    UnreachableCertificate,
    WholeChunksCertificate,
)
from steadygrid.kinds.collective.execution import (
    BYTES_OF_UNITS,
    USUAL_BYTES,
    CompletionCutCertificate,
    CompletionPlan,
    Execution,
    ExecutionOut,
    TimeGoal,
)
from steadygrid.kinds.collective.methods import Method

ONLY = "data"
"""The name of the message of an operation that has only one."""

Operation = Literal[
    "scatter",
    "gather",
    "all_to_all",
    "broadcast",
    "multicast",
    "allgather",
    "reduce",
    "reduce_scatter",
    "allreduce",
]
DIFFERENT: frozenset[Operation] = frozenset({"scatter", "gather", "all_to_all"})
"""Operations whose messages differ: each has one origin and one receiver, without copies."""
COMBINING: frozenset[Operation] = frozenset({"reduce", "reduce_scatter"})
"""Operations whose messages are combined on their route from all sources to one receiver."""
Copying = Literal["processors", "participants", "all"]
TO_MANY: frozenset[Operation] = frozenset(
    {"all_to_all", "allgather", "reduce_scatter", "allreduce"}
)
"""Operations of participants that all do the same."""


class PairSize(Frozen):
    """The size of what one participant sends to another."""

    source: Identifier = Field(description="id of the participant that sends")
    target: Identifier = Field(description="id of the participant that receives")
    size: Rational = Field(description="units of data")


class Combine(Frozen):
    """How long it takes to combine two operands, and who can do so."""

    work: Rational | None = Field(
        None, description="work per unit of data, for every processor that has a speed"
    )
    times: dict[Identifier, Rational] | None = Field(
        None, description="time per unit of data, for every processor that can combine"
    )


class Message(NamedTuple):
    """What moves in every operation, from its sources to its receivers.

    Of several sources, what they have is combined on the route; several receivers all get it.
    """

    name: str
    sources: tuple[str, ...]
    receivers: tuple[str, ...]
    """Without the only source. A receiver of what is combined may be among the sources."""
    size: Fraction

    @property
    def origin(self) -> str:
        """The only source."""
        (source,) = self.sources
        return source

    @property
    def receiver(self) -> str:
        """The only receiver."""
        (receiver,) = self.receivers
        return receiver

    @property
    def files(self) -> tuple[FileName, ...]:
        """What its sources have of it, as files of schedules."""
        return tuple((self.name, source) for source in self.sources)


class CollectiveInstance(Frozen):
    """A collective operation, repeated for ever, and the platform on which it runs."""

    kind: Literal["collective"] = Field(description="name of this kind of problem")
    platform: Platform = Field(description="where the operation runs")
    operation: Operation = Field(description="the operation that is repeated")
    ports: PortModel = Field(
        "one_port",
        description="port model: which transfers a processor takes part in at a time. Default:"
        " one_port",
    )
    source: Identifier | None = Field(
        None, description="scatter, broadcast, multicast: the processor that sends to all"
    )
    target: Identifier | None = Field(
        None, description="gather, reduce: the processor that receives from all"
    )
    targets: Annotated[tuple[Identifier, ...], Field(strict=False)] | None = Field(
        None,
        description="scatter: who gets a message each; multicast: who gets the message. What the"
        " source sends to itself stays there",
    )
    sources: Annotated[tuple[Identifier, ...], Field(strict=False)] | None = Field(
        None,
        description="gather: who sends a message each, what the target sends to itself stays there;"
        " reduce: whose data is combined, default: all processors that are no switches",
    )
    participants: Annotated[tuple[Identifier, ...], Field(strict=False)] | None = Field(
        None,
        description="all_to_all, allgather, reduce_scatter, allreduce: who takes part. Default: all"
        " processors that are no switches",
    )
    size: Rational = Field(Fraction(1), description="data of each message that sizes do not name")
    sizes: dict[Identifier, Rational] | None = Field(
        None,
        description="data by target (scatter), by source (gather), by origin (allgather) or by the"
        " participant where the part ends (reduce_scatter)",
    )
    pair_sizes: Annotated[tuple[PairSize, ...], Field(strict=False)] | None = Field(
        None, description="data by source and target (all_to_all)"
    )
    copying: Copying = Field(
        "processors",
        description="who may send a message on to several others, or combine what comes from"
        " several: all processors that are no switches, only those that have or want it, or"
        " switches too",
    )
    combine: Combine | None = Field(
        None,
        description="reduce: a combination of two operands takes time, and only who is named here,"
        " or has a speed, does one. Null: combining is free for all who may copy",
    )
    order: Literal["any", "fixed"] | None = Field(
        None,
        description="reduce: whether any two operands may be combined, or only such that follow each"
        " other in the order of the sources. Null: any",
    )
    chunks: Annotated[int, Field(strict=True, ge=1)] | Literal["auto"] | None = Field(
        None,
        description="how many equal chunks, each on one tree, every message of an operation is. With"
        " unequal sizes the largest common divisor of the sizes is that many, and of an allreduce the"
        " part of a participant; auto: the least number that loses at most chunk_loss. Null: any",
    )
    chunk_loss: Rational | None = Field(
        None,
        description='with "chunks": "auto", the part of the throughput that may be lost. Null: 1/100',
    )
    objective: TimeGoal | None = Field(
        None,
        description="null or throughput: as many operations per time unit as possible; completion: one"
        " operation, from when all data is where it begins until all has arrived, in the least time."
        " Latencies of links count. Multiport, and messages that are copied or combined",
    )
    execution: Execution | None = Field(
        None,
        description="how ranks run a program of the trees. Multiport, and messages that are copied or"
        " combined. Null: as its defaults say",
    )
    method: Method = Field(
        "auto", description="how the answer is found. auto: chosen by the problem. Default: auto"
    )

    @property
    def wants_completion(self) -> bool:
        """Whether one operation is asked for, in the least time."""
        return self.objective == "completion"

    @property
    def execution_settings(self) -> Execution:
        """How programs run by default."""
        return Execution() if self.execution is None else self.execution

    @property
    def predicts(self) -> bool:
        """Whether times of programs are asked for, or nothing is said of them."""
        return bool(self.execution_settings.sizes)

    def without_programs(self, asked: bool) -> "CollectiveInstance":
        """Ask for the optimum alone.

        Parameters
        ----------
        asked
            Whether programs are left out even where `execution` says something of them.
        """
        if self.wants_completion or (self.execution is not None and not asked):
            return self
        settings = self.execution_settings.model_copy(update={"sizes": ()})
        return self.model_copy(update={"execution": settings})

    @property
    def bytes_per_unit(self) -> Fraction:
        """Bytes of one unit of data."""
        given = self.execution_settings.bytes_per_unit
        if given is not None:
            return given
        units = self.platform.units
        named = "" if units is None or units.data is None else units.data
        return Fraction(BYTES_OF_UNITS.get(named, USUAL_BYTES))

    @cached_property
    def non_switches(self) -> tuple[str, ...]:
        """All processors that are no switches."""
        return tuple(p.id for p in self.platform.processors if not p.switch)

    @cached_property
    def taking_part(self) -> tuple[str, ...]:
        """Who has or gets a message, in the order given. The one source or target first."""
        if self.operation in TO_MANY:
            return self.non_switches if self.participants is None else self.participants
        if self.operation in ("scatter", "multicast"):
            first, others = self.source, self.targets
        elif self.operation == "broadcast":
            first, others = self.source, self.non_switches
        elif self.operation == "reduce" and self.sources is None:
            first, others = self.target, self.non_switches
        else:
            first, others = self.target, self.sources
        return tuple(dict.fromkeys((first or "", *(others or ()))))

    @cached_property
    def copiers(self) -> frozenset[str]:
        """Who may send on to several others, or combine. All who take part are among them.

        Of a completion these alone: they run the program.
        """
        if self.wants_completion:
            return frozenset(self.taking_part)
        if self.combining is not None:
            return frozenset((*self.taking_part, *self.combining))
        if self.copying == "participants":
            return frozenset(self.taking_part)
        if self.copying == "processors":
            return frozenset(self.non_switches)
        return frozenset(self.platform.index_by_id)

    @cached_property
    def combining(self) -> Mapping[str, Fraction] | None:
        """Time per unit of data that a combination takes, by who can do it. None where it is free."""
        if self.combine is None:
            return None
        if self.combine.times is not None:
            return self.combine.times
        work = Fraction(0) if self.combine.work is None else self.combine.work
        return {
            processor.id: work * processor.time_per_work
            for processor in self.platform.processors
            if processor.time_per_work is not None
        }

    @property
    def joined_in_twos(self) -> bool:
        """Whether it matters which two operands are combined where."""
        return self.combine is not None or self.order == "fixed"

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        """What moves in every operation. What a processor sends to itself does not."""
        return tuple(self._messages())

    def _messages(self) -> Iterator[Message]:
        first, *others = self.taking_part
        if self.operation == "allreduce":
            yield Message(ONLY, self.taking_part, self.taking_part, self.size)
        elif self.operation in TO_MANY:
            yield from self._of_participants()
        elif self.operation == "scatter":
            for name in others:
                yield Message(name, (first,), (name,), self._size(name))
        elif self.operation == "gather":
            for name in others:
                yield Message(name, (name,), (first,), self._size(name))
        elif self.operation == "reduce":
            sources = self.non_switches if self.sources is None else self.sources
            if set(sources) - {first}:
                yield Message(ONLY, sources, (first,), self.size)
        elif others:
            yield Message(ONLY, (first,), tuple(others), self.size)

    def _of_participants(self) -> Iterator[Message]:
        participants = self.taking_part
        given = {(pair.source, pair.target): pair.size for pair in self.pair_sizes or ()}
        for name in participants:
            rest = tuple(other for other in participants if other != name)
            if self.operation == "allgather":
                yield Message(name, (name,), rest, self._size(name))
            elif self.operation == "reduce_scatter":
                yield Message(name, participants, (name,), self._size(name))
            else:
                for other in rest:
                    size = given.get((name, other), self.size)
                    yield Message(pair_name(name, other), (name,), (other,), size)

    def _size(self, name: str) -> Fraction:
        return (self.sizes or {}).get(name, self.size)

    @cached_property
    def file_sizes(self) -> Mapping[FileName, Fraction]:
        """Data of what the sources have of each message."""
        return {file: message.size for message in self.messages for file in message.files}

    def sizes_of(self, files: Iterable[FileName]) -> dict[FileName, Fraction]:
        """Give the data of files, outcomes of combinations among them."""
        sizes = {message.name: message.size for message in self.messages}
        return {file: sizes[file[0]] for file in files}


class ChunksOut(BaseModel):
    """What whole chunks are, and what they cost."""

    model_config = ConfigDict(extra="forbid")

    count: Annotated[Whole, NotJudged("asked.chunks", ("auto",))] = Field(
        description="chunks of the smallest part"
    )
    size: ExactRational = Field(description="units of data of a chunk")
    least_time: ExactRational = Field(
        description="that the chunks of an operation take at least, per unit of the size of a chunk"
    )
    unlimited: ExactRational = Field(
        description="bound of the throughput with any number of chunks, in operations per time unit"
    )
    loss: ExactRational = Field(description="part of it that the throughput lacks")


class TreesOut(BaseModel):
    """How deep trees are, in hops from one who may copy, or combine, to the next."""

    model_config = ConfigDict(extra="forbid")

    count: Whole = Field(description="number of trees")
    depth_max: Whole = Field(description="hops of the deepest tree")
    depth_mean: ExactRational | None = Field(
        description="by data. Null where that has more digits than clients read"
    )
    depth_bound: Whole = Field(
        description="no tree from the same roots is less deep: the largest distance between a root and an"
        " end of its messages. Of an allreduce, to and from it"
    )


class MessageOut(BaseModel):
    """A message of the operation."""

    model_config = ConfigDict(extra="forbid")

    message: str = Field(
        description="its name: the target (scatter), the source (gather), source->target"
        " (all_to_all), the origin (allgather), the participant where it ends (reduce_scatter), or"
        " data"
    )
    origin: str | None = Field(description="null where data of several sources is combined")
    sources: list[str] = Field(
        description="in reductions and an allreduce, whose data is combined. Else empty"
    )
    receivers: list[str] = Field(description="ids of the processors that get the message")
    size: ExactRational = Field(description="units of data")


class MessageTransfer(BaseModel):
    """A route of a message, from one processor that may copy it, or combine it, to the next."""

    model_config = ConfigDict(extra="forbid")

    file: tuple[str, str] = Field(description="the message, and which of its data")
    path: list[str] = Field(
        description="ids of the processors from sender to receiver, both included"
    )
    share: ExactRational = Field(
        description="part of the data that takes this path, above 0 and at most 1"
    )


class CombinationOut(BaseModel):
    """Data of a message that a processor combines. The outcome is called by ``--`` and its index."""

    model_config = ConfigDict(extra="forbid")

    index: Whole = Field(description="number of the combination. Its outcome is called by it")
    processor: str = Field(description="id of the processor that combines")
    operands: list[str] = Field(
        min_length=2, description="sources, for their own data, and outcomes of combinations before"
    )


class MessageAllocation(BaseModel):
    """How a message travels, and how often."""

    model_config = ConfigDict(extra="forbid")

    index: Whole = Field(description="number of the allocation in schedules, from 0")
    message: str = Field(description="name of the message")
    rate: ExactRational = Field(
        description="instances per time unit. Those of each message sum up to the throughput. Of a"
        " completion, the share of the message. Those of each message sum up to 1"
    )
    root: str = Field(
        description="where all routes begin. In reductions, where they end. Of an allreduce, where all is"
        " combined and is spread from"
    )
    tasks: dict[str, str] = Field(
        description="processor of each place where data begins, ends or is copied or combined"
    )
    transfers: list[MessageTransfer] = Field(
        description="paths of the message between these processors"
    )
    combinations: list[CombinationOut] = Field(
        description="of reductions and allreduces, those whose outcomes others use first. Else empty"
    )
    depth: Whole | None = Field(
        None,
        description="hops, from one who may copy or combine to the next, on the longest route of its data."
        " Null where messages differ",
    )


class ComparedMulticast(BaseModel):
    """One method next to the others."""

    model_config = ConfigDict(extra="forbid")

    method: str = Field(description="name of the method")
    throughput: ExactRational | None = Field(description="null where the method has no answer")
    ratio_to_bound: ExactRational | None = Field(
        description="throughput over the bound of the answer. That of upper_bound may be above 1"
    )
    seconds: float = Field(description="time that the method took to answer")
    note: str | None = Field(
        None, description="what there is to know about its answer. Default: null"
    )


class CollectiveResult(Result):
    """The certified routes of all messages."""

    kind: Literal["collective"] = Field("collective", description="name of this kind of problem")
    operation: Operation = Field(description="the operation of the problem")
    certificate: Annotated[
        DualityCertificate
        | CutsCertificate
        | CompletionCutCertificate
        | WholeChunksCertificate
        | UnreachableCertificate
        | NoCertificate,
        Field(discriminator="type"),
    ] = Field(description="why the bound holds, or why nothing is feasible")
    messages: list[MessageOut] = Field(description="what moves in each operation")
    allocations: list[MessageAllocation] = Field(description="how messages travel, and how often")
    algorithmic_bandwidth: ExactRational | None = Field(
        description="throughput times the sizes of all messages, or these over the completion: data per"
        " time unit. Null where that has more digits than clients read"
    )
    execution: ExecutionOut | None = Field(
        None,
        description="under multiport, of messages that are copied or combined: the program that runs"
        " best, and its times. Null where nothing is predicted",
    )
    plan: CompletionPlan | None = Field(
        None, description="of a completion: how the trees are run. Else null"
    )
    chunks: ChunksOut | None = Field(None, description="null where no whole chunks were asked for")
    trees: TreesOut | None = Field(
        None, description="where messages are copied or combined. Null without allocations"
    )
    preferred: Preferred | None = Field(
        None,
        description="of flows: which of all optimal routes these are. Null: the first that were found",
    )
    comparison: Annotated[list[ComparedMulticast] | None, NOT_JUDGED] = Field(
        None, description="of compare: the bound of the cuts, and every method next to the others"
    )
