"""What `collective` asks and answers."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.certificate import (
    Certificate,
    DualityCertificate,
    NoCertificate,
    Proves,
)
from steadygrid.domain.job import Result
from steadygrid.domain.platform import Platform, PortModel
from steadygrid.domain.rational import ExactRational, Rational, Whole
from steadygrid.domain.resources import pair_name
from steadygrid.domain.schedule import FileName
from steadygrid.domain.text import Frozen, Identifier

DATA = "--data"
"""Beside the name of a message in that of a file: all of it. No id is spelt like this."""

Operation = Literal["scatter", "gather", "all_to_all"]


class PairSize(Frozen):
    """The size of what one participant sends to another."""

    source: Identifier
    target: Identifier
    size: Rational = Field(description="units of data")


class Message(NamedTuple):
    """What one processor sends to another in every operation."""

    name: str
    origin: str
    receiver: str
    size: Fraction

    @property
    def file(self) -> FileName:
        """The message as a file of schedules."""
        return self.name, DATA


class CollectiveInstance(Frozen):
    """A collective operation, repeated for ever, and the platform on which it runs."""

    kind: Literal["collective"]
    platform: Platform
    operation: Operation
    ports: PortModel = "one_port"
    source: Identifier | None = Field(None, description="scatter: the processor that sends to all")
    target: Identifier | None = Field(
        None, description="gather: the processor that receives from all"
    )
    targets: Annotated[tuple[Identifier, ...], Field(strict=False)] | None = Field(
        None,
        description="scatter: who gets a message each; what the source sends to itself stays there",
    )
    sources: Annotated[tuple[Identifier, ...], Field(strict=False)] | None = Field(
        None,
        description="gather: who sends a message each; what the target sends to itself stays there",
    )
    participants: Annotated[tuple[Identifier, ...], Field(strict=False)] | None = Field(
        None,
        description="all_to_all: who sends a message to each of the others; default: all processors"
        " that are no switches",
    )
    size: Rational = Field(Fraction(1), description="data of each message that sizes do not name")
    sizes: dict[Identifier, Rational] | None = Field(
        None, description="data by target (scatter) or by source (gather)"
    )
    pair_sizes: Annotated[tuple[PairSize, ...], Field(strict=False)] | None = Field(
        None, description="data by source and target (all_to_all)"
    )
    method: Literal["auto", "flows"] = "auto"

    @cached_property
    def taking_part(self) -> tuple[str, ...]:
        """Who sends or receives a message, in the order given; the one source or target first."""
        if self.operation == "scatter":
            return tuple(dict.fromkeys((self.source or "", *(self.targets or ()))))
        if self.operation == "gather":
            return tuple(dict.fromkeys((self.target or "", *(self.sources or ()))))
        if self.participants is not None:
            return self.participants
        return tuple(p.id for p in self.platform.processors if not p.switch)

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        """What moves in every operation; what somebody sends to itself does not."""
        return tuple(self._messages())

    def _messages(self) -> Iterator[Message]:
        sizes = self.sizes or {}
        if self.operation == "scatter":
            for name in self.taking_part[1:]:
                yield Message(name, self.taking_part[0], name, sizes.get(name, self.size))
        elif self.operation == "gather":
            for name in self.taking_part[1:]:
                yield Message(name, name, self.taking_part[0], sizes.get(name, self.size))
        else:
            given = {(pair.source, pair.target): pair.size for pair in self.pair_sizes or ()}
            for source in self.taking_part:
                for target in self.taking_part:
                    if source != target:
                        size = given.get((source, target), self.size)
                        yield Message(pair_name(source, target), source, target, size)

    @cached_property
    def file_sizes(self) -> Mapping[FileName, Fraction]:
        """Data of each message."""
        return {message.file: message.size for message in self.messages}


class UnreachableCertificate(Certificate):
    """A set of processors that a message cannot leave: it holds its origin, but no receiver."""

    proves = Proves.INFEASIBLE

    type: Literal["unreachable"] = "unreachable"
    message: str
    processors: list[str] = Field(description="all that the origin reaches, over any links")


class MessageOut(BaseModel):
    """A message of the operation."""

    model_config = ConfigDict(extra="forbid")

    message: str = Field(
        description="its name: the target (scatter), the source (gather), source->target (all_to_all)"
    )
    origin: str
    receivers: list[str]
    size: ExactRational


class MessageTransfer(BaseModel):
    """A way of a message."""

    model_config = ConfigDict(extra="forbid")

    file: tuple[str, str] = Field(description="the message, and which of its data")
    path: list[str]
    share: ExactRational


class MessageAllocation(BaseModel):
    """How a message travels, and how often."""

    model_config = ConfigDict(extra="forbid")

    index: Whole
    message: str
    rate: ExactRational = Field(
        description="instances per time unit; those of each message sum up to the throughput"
    )
    tasks: dict[str, str]
    transfers: list[MessageTransfer]


class CollectiveResult(Result):
    """The certified ways of all messages."""

    kind: Literal["collective"] = "collective"
    operation: Operation
    certificate: Annotated[
        DualityCertificate | UnreachableCertificate | NoCertificate, Field(discriminator="type")
    ]
    messages: list[MessageOut]
    allocations: list[MessageAllocation]
    algorithmic_bandwidth: ExactRational | None = Field(
        description="throughput times the sizes of all messages: data per time unit"
    )
