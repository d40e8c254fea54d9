"""What `divisible_star` asks and answers."""

from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.certificate import (
    Certificate,
    DualityCertificate,
    NoCertificate,
    Proves,
    SearchCertificate,
)
from steadygrid.domain.job import Result
from steadygrid.domain.judging import NOT_JUDGED, NotJudged
from steadygrid.domain.one_shot import Idleness, LoadEvent
from steadygrid.domain.platform import Platform
from steadygrid.domain.rational import ExactRational, Rational, Whole
from steadygrid.domain.text import Frozen, Identifier

ReturnOrders = Literal["any", "fifo", "lifo"]
OrderProof = Literal["theorem", "given", "bound", "exhaustive", "search", "none"]
BoundSource = Literal["program", "theorem", "order_free", "any_rounds", "search"]
LOAD = "load"
"""What timelines call the only load there is."""


class StarLoad(Frozen):
    """The divisible load: any fraction of it can be computed anywhere, without the rest."""

    communication_volume: Rational = Field(description="data of the whole load")
    computation_volume: Rational = Field(description="work of the whole load")
    return_volume: Rational = Field(
        Fraction(0), description="data of the results of the whole load, sent back to the master"
    )
    items: Annotated[int, Field(ge=1, le=10**12)] | None = Field(
        None, description="of which the load consists: shares are whole multiples of 1/items"
    )


class DivisibleStarInstance(Frozen):
    """One divisible load on the master of a star or a tree."""

    kind: Literal["divisible_star"] = Field(description="name of this kind of problem")
    platform: Platform = Field(
        description="a star or a tree of links around the master. Only the direction away from it is"
        " used, and for results the one back"
    )
    master: Identifier = Field(description="holds the load. It computes too if it has a speed")
    load: StarLoad = Field(
        description="held by the master, and to be computed as early as possible"
    )
    ports: Literal["strict_one_port", "one_port"] = Field(
        "strict_one_port",
        description="whether a processor sends or receives, or both at a time. Without results, and"
        " with results in reverse order, both are the same",
    )
    order: tuple[Identifier, ...] | None = Field(
        None,
        strict=False,
        description="processors in the order in which they are sent to, each by its neighbour"
        " towards the master. Those left out take no part. Default: chosen, by link time where"
        " nothing else is known to be best",
    )
    return_orders: ReturnOrders | Annotated[tuple[Identifier, ...], Field(strict=False)] = Field(
        "any",
        description="in which order results come back: as sent (fifo), in reverse (lifo),"
        " as listed, or any that is best. On a tree lifo: every processor receives results in the"
        " reverse of the order in which it sends, and sends them on together",
    )
    rounds: Annotated[int, Field(ge=1, le=1_000)] = Field(
        1, description="how often the master goes through the order. A message may be empty"
    )
    max_rounds: Annotated[int, Field(ge=1, le=1_000)] = Field(
        100, description="most rounds that umr and periodic try"
    )
    method: Literal[
        "auto",
        "closed_form",
        "lp",
        "search",
        "local_search",
        "umr",
        "periodic",
        "rounding",
        "compare",
    ] = Field("auto", description="which method answers; auto: chosen by what is asked")


class StarShare(BaseModel):
    """What one processor computes of one message."""

    model_config = ConfigDict(extra="forbid")

    processor: str = Field(description="id of the processor that computes the part")
    round: Whole = Field(description="from 1. Always 1 for the master")
    fraction: ExactRational = Field(description="of the load")
    items: Whole | None = Field(description="fraction times items. Null without items")


class StarGuarantee(BaseModel):
    """What a theorem says of the makespan beforehand."""

    model_config = ConfigDict(extra="forbid")

    bound: ExactRational = Field(
        description="by a theorem, of rounding and periodic: the makespan is no longer. Of"
        " single_round: no schedule is shorter, with any number of messages"
    )
    of: Literal["rounding", "periodic", "single_round"] = Field(
        description="what the theorem is about: two methods, or the best single round"
    )


class EnumerationCertificate(Certificate):
    """That nothing is faster than the bound was searched for, and is searched for by the referee."""

    proves: ClassVar[Proves] = Proves.BOUND
    priced: ClassVar[bool] = True

    type: Literal["enumeration"] = Field(
        "enumeration", description="names this type of certificate"
    )


class ComparedStar(BaseModel):
    """One method next to the others."""

    model_config = ConfigDict(extra="forbid")

    method: str = Field(description="one that answers the instance by itself")
    makespan: ExactRational | None = Field(description="null where the method has no answer")
    ratio_to_bound: ExactRational | None = Field(
        description="makespan over the bound of the answer. Null where that is 0"
    )
    is_answer: bool = Field(description="whether the answer is that of this method")
    seconds: float = Field(description="time that the method took to answer")
    note: str | None = Field(None, description="what there is to know about its answer")


class DivisibleStarResult(Result):
    """The shares, and who does what when."""

    kind: Literal["divisible_star"] = Field(
        "divisible_star", description="name of this kind of problem"
    )
    certificate: Annotated[
        DualityCertificate | EnumerationCertificate | SearchCertificate | NoCertificate,
        Field(discriminator="type"),
    ] = Field(description="why the bound holds, or why nothing is feasible")
    makespan: ExactRational | None = Field(
        description="end of the last computation, or of the arrival of the last result"
    )
    participants: list[str] = Field(
        description="processors that compute something: the master, then in the order"
    )
    order: list[str] = Field(
        description="processors in the order in which each is sent to by its neighbour towards the"
        " master, in every round. Who computes nothing, for itself or others, is sent nothing"
    )
    return_order: list[str] | None = Field(
        description="processors in the order in which their results come back, in a tree each to its"
        " neighbour towards the master. Null without results"
    )
    rounds: Whole = Field(description="how often the master goes through the order")
    shares: list[StarShare] = Field(
        description="of the participants, round by round. They sum to 1"
    )
    timeline: list[LoadEvent] = Field(description="every computation and transfer, by start")
    idle: list[Idleness] = Field(description="of the participants, in their order")
    order_proof: Annotated[
        OrderProof | None, NotJudged("order_proof", ("exhaustive", "search"))
    ] = Field(
        description="why no other order is better: by a theorem; given: the instance asked for this"
        " one; bound: the makespan is a bound for all orders; exhaustive, search: all orders were"
        " tried, or enough of them. None: others may be"
    )
    bound_source: Annotated[
        BoundSource | None, NotJudged("bound_source", ("program", "theorem"))
    ] = Field(description="where the bound comes from")
    proved_bound: ExactRational | None = Field(
        description="of the makespan of any order and participants, from their costs alone. Null"
        " where a processor may get several messages, and on trees"
    )
    any_rounds_bound: ExactRational | None = Field(
        description="of the makespan with any number of messages, from steady state. Null on trees"
    )
    guarantee: StarGuarantee | None = Field(
        description="null where no theorem says anything of the makespan beforehand"
    )
    comparison: Annotated[list[ComparedStar] | None, NOT_JUDGED] = Field(
        None, description="of compare: all methods that answer the instance, in this order"
    )
