"""What `dataflow` asks and answers."""

from collections import Counter
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Strict, Tag

from steadygrid.domain.certificate import (
    Certificate,
    CycleRatioCertificate,
    NoCertificate,
    Proves,
)
from steadygrid.domain.job import Result
from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.rational import ExactRational, Rational, Whole
from steadygrid.domain.resources import channel_name
from steadygrid.domain.text import Frozen, Identifier, PlainText

MOST_ACTORS = 200_000
MOST_CHANNELS = 200_000
MOST_PHASES = 10_000
MOST_TOKENS = 10**15
LONGEST_CIRCUIT = 300_000
"""Steps of a circuit. It meets no phase of a round twice, and a schedule has a row for each."""

MOST_LISTED = 10_000
"""Firings of a critical circuit that an answer lists; of more it gives the numbers, too."""
LONGEST_ARRAYS = 2_000_000

Tokens = Annotated[int, Strict(), Field(ge=0, le=MOST_TOKENS)]
_GIVEN_AS: dict[type, str] = {list: "phases", tuple: "phases"}


def _given_as(given: object) -> str:
    return _GIVEN_AS.get(type(given), "one")


TimesOfPhases = Annotated[
    Annotated[Rational, Tag("one")]
    | Annotated[
        tuple[Rational, ...],
        Field(strict=False, min_length=1, max_length=MOST_PHASES),
        Tag("phases"),
    ],
    Discriminator(_given_as),
]
RatesOfPhases = Annotated[
    Annotated[Tokens, Tag("one")]
    | Annotated[
        tuple[Tokens, ...], Field(strict=False, min_length=1, max_length=MOST_PHASES), Tag("phases")
    ],
    Discriminator(_given_as),
]


class DataflowActor(Frozen):
    """What fires when its tokens are there; its phases follow each other, over and over."""

    id: Identifier
    times: TimesOfPhases = Field(description="of a firing; a list: one for each phase")


def takes_time(actor: DataflowActor) -> bool:
    """Tell whether some firing of it takes time."""
    return any(actor.times) if isinstance(actor.times, tuple) else bool(actor.times)


class DataflowChannel(Frozen):
    """A queue of tokens from one actor to another, or to itself."""

    id: Identifier | None = Field(None, description="default: source--target")
    source: Identifier
    target: Identifier
    production: RatesOfPhases = Field(
        description="tokens that a firing of the source adds when it ends; a list: by phase"
    )
    consumption: RatesOfPhases = Field(
        description="tokens that a firing of the target takes when it starts; a list: by phase"
    )
    tokens: Tokens = Field(0, description="that are there at the beginning")


class DataflowGraph(Frozen):
    """Actors and the channels among them: a synchronous, or cyclo-static, dataflow graph."""

    name: PlainText | None = None
    actors: Annotated[
        tuple[DataflowActor, ...], Field(strict=False, min_length=1, max_length=MOST_ACTORS)
    ]
    channels: Annotated[
        tuple[DataflowChannel, ...], Field(strict=False, max_length=MOST_CHANNELS)
    ] = ()


class DataflowInstance(Frozen):
    """A graph of actors that exchange tokens, without a platform."""

    kind: Literal["dataflow"]
    graph: DataflowGraph
    concurrency: Literal["sequential", "auto"] = Field(
        "sequential",
        description="sequential: an actor runs one firing at a time, in order; auto: as many as its"
        " channels allow",
    )
    method: Literal["auto", "k_periodic"] = "auto"

    @cached_property
    def channel_names(self) -> tuple[str, ...]:
        """The id of each channel or, without one, its ends: ``a--b``; of several ``a--b--0``, ..."""
        alike = Counter((c.source, c.target) for c in self.graph.channels if c.id is None)
        seen = Counter[tuple[str, str]]()
        names: list[str] = []
        for channel in self.graph.channels:
            ends = channel.source, channel.target
            if channel.id is not None:
                names.append(channel.id)
                continue
            names.append(channel_name(*ends, seen[ends] if alike[ends] > 1 else None))
            seen[ends] += 1
        return tuple(names)


class CircuitStep(BaseModel):
    """A firing that waits for the one before it."""

    model_config = ConfigDict(extra="forbid")

    actor: str
    firing: Whole = Field(description="of this actor, phase by phase, counted from 0")
    channel: str | None = Field(
        description="by which it takes a token that the firing before made; null: it waits for the"
        " firing before of the same actor, since firings are sequential"
    )
    token: Whole | None = Field(
        description="position of that token in the channel, the tokens of the beginning first, from 0"
    )
    time: ExactRational = Field(description="that the firing takes")


class DeadlockStep(BaseModel):
    """A firing that waits for the one before it."""

    model_config = ConfigDict(extra="forbid")

    actor: str
    firing: Whole = Field(description="of this actor, phase by phase, counted from 0")
    channel: str | None = Field(
        description="by which it needs a token that the firing before makes; null: firings of an actor"
        " are sequential"
    )
    tokens: Whole | None = Field(description="of that channel at the beginning")


class DeadlockCertificate(Certificate):
    """Firings that wait for each other in a circle, or for later ones for ever."""

    proves = Proves.INFEASIBLE

    type: Literal["deadlock"] = "deadlock"
    circuit: list[DeadlockStep] = Field(
        min_length=1,
        max_length=LONGEST_CIRCUIT,
        description="each firing waits for the one before; the first waits for the last, or for the"
        " same firing of a later turn",
    )


class CircuitArrays(BaseModel):
    """All firings of a long critical circuit, as numbers: as many in each array."""

    model_config = ConfigDict(extra="forbid")

    actors: list[Whole] = Field(
        max_length=LONGEST_ARRAYS,
        description="of each firing, its actor's place in the graph, from 0",
    )
    firings: list[Whole] = Field(
        max_length=LONGEST_ARRAYS, description="of this actor, phase by phase, counted from 0"
    )
    channels: list[int] = Field(
        max_length=LONGEST_ARRAYS,
        description="place in the graph of the channel by which it waits for the firing before, from 0;"
        " -1: firings of an actor are sequential",
    )


class CircuitCertificate(CycleRatioCertificate):
    """A critical circuit: the list of its firings proves the bound, or its numbers do."""

    circuit: CircuitArrays | None = Field(
        None,
        description=f"all firings, where there are more than {MOST_LISTED:,}: `critical_circuit` lists"
        " only the first ones; null where it lists all",
    )


class ChannelBuffer(BaseModel):
    """Places that the tokens of a channel need, which take them in turn.

    As many as lie between the oldest token that is still to be taken and the newest one begun, both
    counted; where firings start in order, as many as the channel ever holds.
    """

    model_config = ConfigDict(extra="forbid")

    channel: str
    tokens: Whole = Field(
        description="a token has its place from the start of the firing that makes it to the start of"
        " the one that takes it; those of the beginning from the beginning"
    )


class DataflowStatistics(BaseModel):
    """How the answer was found."""

    model_config = ConfigDict(extra="forbid")

    rounds: Whole | None = Field(None, description="of periodic schedules, each less coarse")
    nodes: Whole | None = Field(None, description="of the largest graph")
    edges: Whole | None = Field(None, description="of the largest graph")
    policy_rounds: Whole | None = None


class DataflowResult(Result):
    """The time of an iteration, and the firings that decide it."""

    kind: Literal["dataflow"] = "dataflow"
    method: str
    """Judged: there is but one."""
    certificate: Annotated[
        CircuitCertificate | DeadlockCertificate | NoCertificate, Field(discriminator="type")
    ]
    period: ExactRational | None = Field(description="time per iteration: 1 / throughput")
    repetitions: dict[str, Whole] = Field(
        description="of each actor, cycles through its phases per iteration"
    )
    unfolding: dict[str, Whole] | None = Field(
        description="of each actor, cycles after which its starts repeat"
    )
    critical_circuit: list[CircuitStep] | None = Field(
        min_length=1,
        max_length=LONGEST_CIRCUIT,
        description="each firing waits for the one before, and the first, `iterations` later, for the"
        " last: no schedule is faster. The bound is `iterations` over the sum of its times; null"
        " without a bound. Of a long circuit only the first firings are listed: see `circuit` of the"
        " certificate",
    )
    iterations: ExactRational | None = Field(
        description="by which the critical circuit advances: every actor on it by whole cycles"
    )
    buffers: list[ChannelBuffer] | None
    statistics: Annotated[DataflowStatistics, NOT_JUDGED]
