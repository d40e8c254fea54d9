"""What `divisible_chain` asks and answers."""

from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.certificate import DualityCertificate, NoCertificate
from steadygrid.domain.job import Result
from steadygrid.domain.one_shot import Idleness, LoadEvent
from steadygrid.domain.platform import Platform
from steadygrid.domain.rational import ExactRational, PositiveRational, Rational, Whole
from steadygrid.domain.text import Frozen, Identifier

ChainPorts = Literal["strict_one_port", "one_port"]
ObjectiveName = Literal["makespan", "mean_completion", "weighted_flow"]

MAX_INSTALLMENTS = 1_000_000
"""Per load and round. The size of the program is limited besides."""


class Load(Frozen):
    """One divisible load: any fraction of it can be computed anywhere, without the rest."""

    id: Identifier = Field(description="names the load, unique in the problem")
    communication_volume: Rational = Field(description="data of the whole load")
    computation_volume: Rational = Field(description="work of the whole load")
    installments: Annotated[int, Field(ge=1, le=MAX_INSTALLMENTS)] | None = Field(
        None,
        description="messages that the load is sent in, per round. Default: 1, or what"
        " max_startup_ratio leaves",
    )
    release_date: Rational = Field(Fraction(0), description="no part is sent or computed earlier")
    weight: Rational = Field(Fraction(1), description="of its flow time, for weighted_flow")
    speeds: dict[Identifier, PositiveRational] = Field(
        default_factory=dict,
        description="work per time unit on this load, in place of the processor's own speed",
    )


class Startup(Frozen):
    """What every message costs besides its data: exactly one of the two."""

    data: Rational | None = Field(None, description="as if the message had so much more data")
    time: Rational | None = Field(None, description="time on the link before the data moves")


class DivisibleChainInstance(Frozen):
    """Divisible loads on the first processor of a chain."""

    kind: Literal["divisible_chain"] = Field(description="name of this kind of problem")
    platform: Platform = Field(description="processors and the links that join them to a chain")
    chain: tuple[Identifier, ...] | None = Field(
        None,
        strict=False,
        min_length=1,
        description="processors in order, the loads on the first. Default: the platform's own"
        " order, where it has only one",
    )
    loads: tuple[Load, ...] = Field(
        strict=False,
        min_length=1,
        description="loads in the order in which they are sent, at least one",
    )
    availability: dict[Identifier, Rational] = Field(
        default_factory=dict, description="date from which a processor can compute. Default 0"
    )
    ports: ChainPorts = Field(
        "strict_one_port",
        description="strict_one_port: a processor sends or receives at a time. one_port: both at"
        " once. Default: strict_one_port",
    )
    objective: ObjectiveName = Field("makespan", description="what is minimised. Default: makespan")
    rounds: Annotated[int, Field(ge=1, le=MAX_INSTALLMENTS)] = Field(
        1, description="how often the list of loads is gone through. Each load is shared out"
    )
    startup: Startup | Rational | None = Field(
        None, description="cost of a message. A bare number is data, as in Startup.data"
    )
    max_startup_ratio: Rational | None = Field(
        None,
        description="chooses the installments: data sent, start-up costs included, over the"
        " data of the load",
    )
    max_installments: Annotated[int, Field(ge=1, le=MAX_INSTALLMENTS)] | None = Field(
        None,
        description="multi_installment: most messages of a load, the last of which takes all"
        " that is left. Default: at most 100, and no answer where there would be no end",
    )
    method: Literal["lp", "simple", "single_load", "multi_installment", "heuristic_b"] = Field(
        "lp", description="how the shares are found. Default: lp"
    )

    @cached_property
    def startup_cost(self) -> Startup | None:
        """The cost of a message with its unit. None where none was given."""
        if isinstance(self.startup, Fraction):
            return Startup(data=self.startup)
        return self.startup


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class LoadShare(_Part):
    """The part of a load that one processor takes of one installment; zero parts are left out."""

    load: str = Field(description="id of the load")
    installment: Whole = Field(description="from 1, counted through all rounds")
    processor: str = Field(description="id of the processor that computes the part")
    fraction: ExactRational = Field(description="of the whole load")


class LoadCompletion(_Part):
    """When a load was done, and in how many messages per link it was sent."""

    load: str = Field(description="id of the load")
    completion: ExactRational = Field(
        description="date at which the last processor that computes some of it has done so"
    )
    installments: Whole = Field(description="over all rounds. Empty ones count")
    startup_ratio: ExactRational | None = Field(
        description="data sent, start-up costs included, over the data of the load. Null without"
        " a start-up cost or without data"
    )


class Guarantee(_Part):
    """How far one installment per load can be from any number of them (Theorem 2.2)."""

    factor: Whole = Field(
        description="with one installment per load the optimal makespan is at most this many"
        " times the optimum of any number of installments"
    )
    lower_bound: ExactRational | None = Field(
        description="so no number of installments makes the makespan shorter than this. Null"
        " where this answer does not show it"
    )


class CaseGroup(_Part):
    """A processor and installments of a load: all of a round, or a single one."""

    processor: str = Field(description="id of the processor")
    load: str = Field(description="id of the load")
    installment: int = Field(description="the first of them, counted through all rounds")


class ProofCase(_Part):
    """A case of who computes what, and prices that prove the bound in it."""

    computes: list[CaseGroup] = Field(description="of these the processor computes some")
    skips: list[CaseGroup] = Field(description="of these the processor computes nothing")
    closing: list[str] = Field(
        description="loads that are complete no earlier than all loads before them"
    )
    overtaking: list[str] = Field(
        description="loads that are complete before some load before them"
    )
    prices: dict[str, ExactRational] = Field(
        description="as those of a certificate. None where no processor may compute some load"
    )


class DivisibleChainResult(Result):
    """The shares, and who does what when."""

    kind: Literal["divisible_chain"] = Field(
        "divisible_chain", description="name of this kind of problem"
    )
    certificate: Annotated[DualityCertificate | NoCertificate, Field(discriminator="type")] = Field(
        description="why the bound holds, or why nothing is feasible"
    )
    makespan: ExactRational | None = Field(
        description="end of the last computation, in time units. Null without a schedule"
    )
    chain: list[str] = Field(description="processors in order")
    participants: list[str] = Field(
        description="processors that compute something, in order. The others only forward"
    )
    loads: list[LoadCompletion] = Field(description="when each load was done")
    shares: list[LoadShare] = Field(
        description="part of each installment that each processor computes"
    )
    timeline: list[LoadEvent] = Field(
        description="every computation and transfer, by start. Empty ones are left out"
    )
    idle: list[Idleness] = Field(description="computing and idle time of the processors")
    guarantee: Guarantee | None = Field(
        description="null unless the objective is the makespan and there are no release dates"
    )
    makespan_with_startup: ExactRational | None = Field(
        description="the makespan of the same shares when every message pays its start-up cost"
    )
    bound_source: Literal["program", "resources"] | None = Field(
        description="program: prices of the linear program's constraints, valid for these"
        " installments; resources: prices of processors and ports, valid for any"
    )
    cases: list[ProofCase] = Field(
        default_factory=list,
        description="where the bound depends on who computes what: cases that leave nothing out,"
        " with the prices that the certificate then lacks. The lowest of their bounds holds",
    )
