"""What `divisible_star` asks and answers."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.certificate import DualityCertificate, NoCertificate
from steadygrid.domain.job import Result
from steadygrid.domain.once import Idleness, LoadEvent
from steadygrid.domain.platform import Platform
from steadygrid.domain.rational import ExactRational, Rational
from steadygrid.domain.text import Frozen, Identifier

LOAD = "load"
"""What timelines call the only load there is."""


class StarLoad(Frozen):
    """The divisible load: any fraction of it can be computed anywhere, without the rest."""

    communication_volume: Rational = Field(description="data of the whole load")
    computation_volume: Rational = Field(description="work of the whole load")


class DivisibleStarInstance(Frozen):
    """One divisible load on the master of a star or a tree."""

    kind: Literal["divisible_star"]
    platform: Platform
    master: Identifier = Field(description="holds the load; it computes too if it has a speed")
    load: StarLoad
    ports: Literal["strict_one_port", "one_port"] = Field(
        "strict_one_port", description="without results to return both are the same"
    )
    order: tuple[Identifier, ...] | None = Field(
        None,
        strict=False,
        description="processors in the order in which they are sent to, each by its neighbour"
        " towards the master; those left out take no part; default: by link time, which is best",
    )
    method: Literal["auto", "closed_form", "lp"] = "auto"


class StarShare(BaseModel):
    """What one processor computes."""

    model_config = ConfigDict(extra="forbid")

    processor: str
    fraction: ExactRational = Field(description="of the load")


class DivisibleStarResult(Result):
    """The shares, and who does what when."""

    kind: Literal["divisible_star"] = "divisible_star"
    certificate: Annotated[DualityCertificate | NoCertificate, Field(discriminator="type")]
    makespan: ExactRational | None
    participants: list[str] = Field(
        description="processors that compute something: the master, then in the order"
    )
    order: list[str] = Field(
        description="processors in the order in which each is sent to by its neighbour towards the"
        " master; who computes nothing, for itself or others, is sent nothing"
    )
    shares: list[StarShare] = Field(description="of the participants; they sum to 1")
    timeline: list[LoadEvent] = Field(description="every computation and transfer, by start")
    idle: list[Idleness]
    order_proof: Literal["theorem", "given"] | None = Field(
        description="theorem: no other order is better, since neighbours are sent to by"
        " nondecreasing link time; given: the instance asked for this one"
    )
