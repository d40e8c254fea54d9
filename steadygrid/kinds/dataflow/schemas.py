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
    SearchCertificate,
)
from steadygrid.domain.job import Result
from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.rational import ExactRational, ExactSigned, PositiveRational, Rational, Whole
from steadygrid.domain.resources import channel_name
from steadygrid.domain.text import Frozen, Identifier, PlainText

MOST_ACTORS = 200_000
MOST_CHANNELS = 200_000
MOST_PHASES = 10_000
MOST_TOKENS = 10**15
MOST_CLAUSES = 10_000
MOST_CLAUSE_STEPS = 2_000_000
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


def room_name(channel: str) -> str:
    """Name what leads back from the target of a channel to its source: the places that are free."""
    return f"{channel}.room"


class DataflowActor(Frozen):
    """What fires when its tokens are there. Its phases follow each other, over and over."""

    id: Identifier = Field(description="names the actor, unique in the graph")
    times: TimesOfPhases = Field(description="of a firing. A list: one for each phase")


def takes_time(actor: DataflowActor) -> bool:
    """Tell whether some firing of it takes time."""
    return any(actor.times) if isinstance(actor.times, tuple) else bool(actor.times)


class DataflowChannel(Frozen):
    """A queue of tokens from one actor to another, or to itself."""

    id: Identifier | None = Field(None, description="default: source--target")
    source: Identifier = Field(description="id of the actor that adds tokens")
    target: Identifier = Field(description="id of the actor that takes tokens")
    production: RatesOfPhases = Field(
        description="tokens that a firing of the source adds when it ends. A list: by phase"
    )
    consumption: RatesOfPhases = Field(
        description="tokens that a firing of the target takes when it starts. A list: by phase"
    )
    tokens: Tokens = Field(0, description="that are there at the beginning")


class DataflowGraph(Frozen):
    """Actors and the channels among them: a synchronous, or cyclo-static, dataflow graph."""

    name: PlainText | None = Field(
        None, description="label for people. Without effect on the answer"
    )
    actors: Annotated[
        tuple[DataflowActor, ...], Field(strict=False, min_length=1, max_length=MOST_ACTORS)
    ] = Field(description="actors of the graph, from 1 to 200,000")
    channels: Annotated[
        tuple[DataflowChannel, ...], Field(strict=False, max_length=MOST_CHANNELS)
    ] = Field((), description="channels among the actors, at most 200,000. Default: none")


class DataflowInstance(Frozen):
    """A graph of actors that exchange tokens, without a platform."""

    kind: Literal["dataflow"] = Field(description="name of this kind of problem")
    graph: DataflowGraph = Field(description="actors and the channels among them")
    concurrency: Literal["sequential", "auto"] = Field(
        "sequential",
        description="sequential: an actor runs one firing at a time, in order; auto: as many as its"
        " channels allow",
    )
    method: Literal["auto", "k_periodic"] = Field(
        "auto", description="how the period is found. Default: auto"
    )
    schedule: Literal["k_periodic", "strictly_periodic"] | None = Field(
        None,
        description="k_periodic: the starts of an actor repeat after some of its cycles, as many as it"
        " takes; strictly_periodic: after each cycle. Default: k_periodic",
    )
    capacities: dict[str, Tokens] | None = Field(
        None,
        max_length=MOST_CHANNELS,
        description="places of some channels, by id. A place is taken when the firing that makes the"
        " token starts, and free when the firing that takes it ends. Default: no limits",
    )
    buffers: Literal["of_schedule", "least", "front"] | None = Field(
        None,
        description="of_schedule: what the schedule of least period needs; least: the fewest places"
        " for target_period; front: the fewest places for each period that some number of places"
        " reaches. Default: of_schedule",
    )
    target_period: PositiveRational | None = Field(
        None,
        description="time per iteration that the fewest places must reach. Default: the least period"
        " without limits",
    )
    weights: dict[str, PositiveRational] | None = Field(
        None,
        max_length=MOST_CHANNELS,
        description="what a place counts, by id of a channel, for least and front. Default: 1",
    )
    counted: list[str] | None = Field(
        None,
        max_length=MOST_CHANNELS,
        description="channels whose places are counted and chosen. The others have no limits but"
        " those of capacities. Default: all but those from an actor to itself",
    )

    @property
    def even(self) -> bool:
        """Tell whether the starts of each actor repeat after each of its cycles."""
        return self.schedule == "strictly_periodic"

    @property
    def chooses_places(self) -> bool:
        """Tell whether the places of channels are what is minimised."""
        return self.buffers in ("least", "front")

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

    actor: str = Field(description="id of the actor that fires")
    firing: Whole = Field(description="of this actor, phase by phase, counted from 0")
    channel: str | None = Field(
        description="by which it takes a token that the firing before made. Null: it waits for the"
        " firing before of the same actor, since firings are sequential"
    )
    token: Whole | None = Field(
        description="position of that token in the channel, the tokens of the beginning first, from 0"
    )
    time: ExactRational = Field(description="that the firing takes")


class DeadlockStep(BaseModel):
    """A firing that waits for the one before it."""

    model_config = ConfigDict(extra="forbid")

    actor: str = Field(description="id of the actor that fires")
    firing: Whole = Field(description="of this actor, phase by phase, counted from 0")
    channel: str | None = Field(
        description="by which it needs a token that the firing before makes. Null: firings of an actor"
        " are sequential"
    )
    tokens: Whole | None = Field(description="of that channel at the beginning")


class DeadlockCertificate(Certificate):
    """Firings that wait for each other in a circle, or for later ones for ever."""

    proves = Proves.INFEASIBLE

    type: Literal["deadlock"] = Field("deadlock", description="names this type of certificate")
    circuit: list[DeadlockStep] = Field(
        min_length=1,
        max_length=LONGEST_CIRCUIT,
        description="each firing waits for the one before. The first waits for the last, or for the"
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
        description="place in the graph of the channel by which it waits for the firing before, from 0."
        " Of n channels n + i: for a free place of channel i. -1: firings of an actor are sequential",
    )


class CircuitCertificate(CycleRatioCertificate):
    """A critical circuit: the list of its firings proves the bound, or its numbers do."""

    circuit: CircuitArrays | None = Field(
        None,
        description=f"all firings, where there are more than {MOST_LISTED:,}: `critical_circuit` lists"
        " only the first ones. Null where it lists all",
    )


class TooShortCertificate(Certificate):
    """Firings that wait for each other and take longer than the target, however many places there are.

    They are listed as the critical circuit.
    """

    proves = Proves.INFEASIBLE

    type: Literal["too_short"] = Field("too_short", description="names this type of certificate")
    circuit: CircuitArrays | None = Field(
        None, description="as of a certificate `cycle_ratio`: of the circuit without limits"
    )


class NotStrictCertificate(Certificate):
    """Firings that no strictly periodic schedule can start in time, however long its period.

    They are listed as the critical circuit. `iterations` are not positive: each turn, the first would
    have to start later than it may.
    """

    proves = Proves.INFEASIBLE

    type: Literal["not_strict"] = Field("not_strict", description="names this type of certificate")


class CoverClause(BaseModel):
    """A circuit of firings, and the places at which it is as slow as it is.

    With no more places on all of these channels no schedule is faster. So every faster one has more
    on one of them.
    """

    model_config = ConfigDict(extra="forbid")

    capacities: dict[str, Whole] = Field(
        min_length=1, description="of the channels for whose places firings of the circuit wait"
    )
    actors: list[Whole] = Field(min_length=1, description="of each step, by number in the graph")
    firings: list[Whole] = Field(description="of the actor, phase by phase, counted from 0")
    channels: list[Annotated[int, Strict(), Field(ge=-1)]] = Field(
        description="by which each step waits for the one before: the number i of one of the n"
        " channels, n + i for a place of it, -1 for the firing before of the same actor"
    )
    iterations: ExactSigned = Field(
        description="by which the circuit advances. Not positive: its firings wait for ever"
    )


class CoverCertificate(Certificate):
    """Circuits that together leave no faster schedule with fewer places."""

    proves = Proves.BOUND

    type: Literal["cover"] = Field("cover", description="names this type of certificate")
    clauses: list[CoverClause] = Field(
        max_length=MOST_CLAUSES,
        description="circuits, at least one of which limits every distribution with fewer places",
    )
    circuit: CircuitArrays | None = Field(
        None, description="as of a certificate `cycle_ratio`: of the circuit without limits"
    )


class CountedRow(BaseModel):
    """A circuit of actors that move one token in each firing, and how often it counts."""

    model_config = ConfigDict(extra="forbid")

    actors: list[Whole] = Field(min_length=1, description="of each step, by number in the graph")
    channels: list[Annotated[int, Strict(), Field(ge=-1)]] = Field(
        description="by which each step waits for the one before, as in a clause of a cover"
    )
    factor: PositiveRational = Field(description="how often the row counts, above 0")


class RowsCertificate(Certificate):
    """Circuits that together need so many places, where each firing moves one token.

    A circuit has as many tokens and free places as the period goes into its time, rounded up. Each
    such row counts by its factor. Places of a channel count by their weight at most. What no row
    counts of it counts for the fewest places that it has anyway.
    """

    proves = Proves.BOUND

    type: Literal["rows"] = Field("rows", description="names this type of certificate")
    rows: list[CountedRow] = Field(
        max_length=MOST_CLAUSES, description="circuits, and how often each counts"
    )
    circuit: CircuitArrays | None = Field(
        None, description="as of a certificate `cycle_ratio`: of the circuit without limits"
    )


class FrontPoint(BaseModel):
    """The fewest places for a period."""

    model_config = ConfigDict(extra="forbid")

    places: ExactRational = Field(description="the sum of capacities, each times its weight")
    period: ExactRational = Field(description="the least at these capacities")
    capacities: dict[str, Whole] = Field(description="of the counted channels")


class ChannelBuffer(BaseModel):
    """Places that the tokens of a channel need, which take them in turn."""

    model_config = ConfigDict(extra="forbid")

    channel: str = Field(description="id of the channel")
    tokens: Whole = Field(
        description="a token has its place from the start of the firing that makes it to the end of"
        " the one that takes it. Those of the beginning from the beginning. In a result without"
        " tokens_waiting: as there"
    )


class WaitingTokens(BaseModel):
    """Places that tokens of a channel need until they are taken, which take them in turn.

    As many as lie between the oldest token that is still to be taken and the newest one begun, both
    counted. Where firings start in order, as many as the channel ever holds.
    """

    model_config = ConfigDict(extra="forbid")

    channel: str = Field(description="id of the channel")
    tokens: Whole = Field(
        description="a token has its place from the start of the firing that makes it to the start of"
        " the one that takes it. Those of the beginning from the beginning"
    )


class DataflowStatistics(BaseModel):
    """How the answer was found."""

    model_config = ConfigDict(extra="forbid")

    rounds: Whole | None = Field(None, description="of periodic schedules, each less coarse")
    nodes: Whole | None = Field(None, description="of the largest graph")
    edges: Whole | None = Field(None, description="of the largest graph")
    policy_rounds: Whole | None = Field(
        None, description="policies that policy iteration evaluated, over all graphs"
    )
    distributions: Whole | None = Field(None, description="of places, looked at")


class DataflowResult(Result):
    """The time of an iteration, and the firings that decide it."""

    kind: Literal["dataflow"] = Field("dataflow", description="name of this kind of problem")
    method: str = Field(description="the method that answered")
    """Judged: there is but one."""
    certificate: Annotated[
        CircuitCertificate
        | CoverCertificate
        | RowsCertificate
        | DeadlockCertificate
        | TooShortCertificate
        | NotStrictCertificate
        | SearchCertificate
        | NoCertificate,
        Field(discriminator="type"),
    ] = Field(description="why the bound holds, or why nothing is feasible")
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
        " last: no schedule is faster. The bound is `iterations` over the sum of its times. Null"
        " without a bound. Of a long circuit only the first firings are listed: see `circuit` of the"
        " certificate",
    )
    iterations: ExactSigned | None = Field(
        description="by which the critical circuit advances: every actor on it by whole cycles"
    )
    buffers: list[ChannelBuffer] | None = Field(
        description="places that the schedule needs, by channel. Null without a schedule"
    )
    tokens_waiting: list[WaitingTokens] | None = Field(
        None, description="of each channel, until its tokens are taken"
    )
    capacities: dict[str, Whole] | None = Field(
        None, description="places chosen, of the counted channels. Null unless they are minimised"
    )
    places: ExactRational | None = Field(
        None, description="the sum of capacities, each times its weight"
    )
    places_bound: ExactRational | None = Field(
        None, description="no fewer places reach the period that was asked for"
    )
    front: list[FrontPoint] | None = Field(
        None, description="each with more places than the one before, and a smaller period"
    )
    statistics: Annotated[DataflowStatistics, NOT_JUDGED] = Field(
        description="how the answer was found"
    )
