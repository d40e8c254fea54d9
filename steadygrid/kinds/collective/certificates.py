"""What proves a bound on a collective operation, or that it cannot be done."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.certificate import Certificate, Proves
from steadygrid.domain.rational import ExactRational, ExactSigned

Direction = Literal["out", "in"]


class UnreachableCertificate(Certificate):
    """A set of processors that a message cannot leave, or one that it cannot enter.

    It holds all that the origin of the message reaches, but not one of its receivers. In reductions
    all that reach the receiver, but not one of the sources; of an allreduce all that one participant
    reaches, but not another one.
    """

    proves = Proves.INFEASIBLE

    type: Literal["unreachable"] = Field(
        "unreachable", description="names this type of certificate"
    )
    message: str = Field(description="name of the message that cannot arrive")
    processors: list[str] = Field(
        description="all that the origin reaches, over any links, or that reach the receiver"
    )


class WeightedCut(BaseModel):
    """Processors, and what it is worth that a unit of data leaves them (``out``) or enters them.

    In reductions data enters: links are read backwards. Of an allreduce both are weighed: what is
    combined enters, and what is spread leaves.
    """

    model_config = ConfigDict(extra="forbid")

    processors: list[str] = Field(description="ids of the processors in the set")
    weight: ExactRational = Field(description="worth of a unit of data that crosses the cut")
    direction: Direction = Field(
        "out", description="whether data leaves the processors (out) or enters them (in)"
    )


class WeighedCuts(Certificate):
    """Prices of resources, and cuts that every message has to cross, which are worth no more.

    The price of a link is summed up over the resources that a unit of data takes on it. Add the
    potential of the processor where the link begins, and subtract that of the one where it ends (in
    reductions in reverse). The cuts that the link leaves (enters) together weigh no more
    than that. The weights times the data that has to leave (enter) the cuts in each operation sum up
    to at least 1. Only processors that do not copy have a potential other than 0.

    In an allreduce this holds for the cuts of each direction by itself, with potentials of its own.
    Wherever a piece may be combined, the weights of the cuts in it, of both directions, times the
    size sum up to at least 1.
    """

    proves = Proves.BOUND
    priced = True

    potentials: dict[str, ExactSigned] = Field(
        default_factory=dict,
        description="by processor that only forwards, of any sign. Zero ones left out. In an allreduce"
        " for the cuts that data leaves",
    )
    potentials_in: dict[str, ExactSigned] = Field(
        default_factory=dict, description="of an allreduce, for the cuts that data enters"
    )
    cuts: list[WeightedCut] = Field(
        default_factory=list, description="the cuts that messages cross, with their weights"
    )


class CutsCertificate(WeighedCuts):
    """Cuts that prove the bound."""

    adds_up = True

    type: Literal["cuts"] = Field("cuts", description="names this type of certificate")


class ChunkCut(BaseModel):
    """Processors that too few whole chunks leave (``out``), or enter (``in``), in less time."""

    model_config = ConfigDict(extra="forbid")

    processors: list[str] = Field(description="ids of the processors in the set")
    direction: Direction = Field(
        "out", description="whether data leaves the processors (out) or enters them (in)"
    )


class WholeChunksCertificate(WeighedCuts):
    """Why an operation of whole chunks takes no less time, besides cuts that bound any number of chunks.

    In less time than T each link of a bandwidth b carries at most the next whole number below T b of
    chunks. Out of the set (in reductions, into it) that is less than have to cross it. Of an allreduce
    every chunk has to leave a set that holds some participants and lacks some. Without a set, no link
    can have carried a whole number of chunks at any time that `unlimited` allows and that is less than T.
    Prices and cuts prove `unlimited`, as those of `cuts` do a bound.
    """

    type: Literal["whole_chunks"] = Field(
        "whole_chunks", description="names this type of certificate"
    )
    chunk_cut: ChunkCut | None = Field(
        description="null: the busiest link is busy for a whole number of chunks, which proves the bound"
    )
