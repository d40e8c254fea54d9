"""What `task_graph` asks and answers."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict

from steadygrid.domain.certificate import (
    Certificate,
    DualityCertificate,
    NoCertificate,
    Proves,
    SearchCertificate,
)
from steadygrid.domain.job import Result
from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.platform import PortModel
from steadygrid.domain.rational import ExactRational, PostedBack, Whole
from steadygrid.domain.text import Frozen, Identifier
from steadygrid.kinds.shared.collection import CollectionInstance

Names = Annotated[tuple[Identifier, ...], Field(strict=False, min_length=2)]


class GivenTransfer(Frozen):
    """The path that a file, or a share of it, takes in an allocation that is given."""

    file: Annotated[tuple[Identifier, Identifier], Field(strict=False)] = Field(
        description="the task that makes it and the task that uses it"
    )
    path: Names = Field(description="processors, linked one to the next")
    share: PostedBack = Field(Fraction(1), description="of the file. Those of one file sum to 1")


class GivenAllocation(Frozen):
    """An allocation that is given, as answers list them."""

    index: Whole | None = Field(
        None, description="as answers have it. Not used: allocations are known by their places"
    )
    rate: PostedBack | None = Field(
        None, description='instances per time unit. Used with "rates": "given" only'
    )
    tasks: dict[Identifier, Identifier] = Field(description="the processor of each task")
    transfers: Annotated[tuple[GivenTransfer, ...], Field(strict=False)] | None = Field(
        None,
        description="of each file between different processors. Null: the routes of the platform,"
        ' with "routing": "fixed" only',
    )


class TaskGraphInstance(CollectionInstance):
    """A collection of identical task graphs, and the platform on which they run."""

    kind: Literal["task_graph"] = Field(description="name of this kind of problem")
    ports: PortModel = Field(
        "one_port",
        description="port model: which transfers a processor takes part in at a time. Default:"
        " one_port",
    )
    routing: Literal["free", "fixed"] = Field(
        "free", description="fixed: each file takes the platform's route, column_generation only"
    )
    method: Literal["auto", "column_generation", "constraint_lists", "given"] = Field(
        "auto",
        description="how the allocations are found. auto: chosen by the problem. given: judge your"
        " allocations. Default: auto",
    )
    allocations: Annotated[tuple[GivenAllocation, ...], Field(strict=False)] | None = Field(
        None,
        exclude_if=lambda given: given is None,
        description="given: what is judged. Those of an answer as they are, or others",
    )
    classes: Annotated[tuple[Names, ...], Field(strict=False)] | None = Field(
        None,
        exclude_if=lambda given: given is None,
        description="given: as an answer lists them next to its allocations. What one of these"
        " places on the first of a class, the members of the class run in turn",
    )
    rates: Literal["given"] | None = Field(
        None,
        exclude_if=lambda given: given is None,
        description="given: the allocations have rates, which are all multiplied by one factor."
        " Null: the best rates are found",
    )
    bound_method: Literal["free", "none"] = Field(
        "free",
        exclude_if=lambda asked: asked == "free",
        description="given: what the allocations are compared with. free: the optimum of any"
        " allocations. None: nothing is solved for it, the bound is what the prices at hand prove",
    )


class RatedTransfer(BaseModel):
    """The path that a share of one file of an allocation takes."""

    model_config = ConfigDict(extra="forbid")

    file: tuple[str, str] = Field(description="the file, as [source, target]")
    path: list[str] = Field(
        description="ids of the processors from sender to receiver, both included"
    )
    share: ExactRational = Field(
        description="part of the file that takes this path, above 0 and at most 1"
    )


class RatedAllocation(BaseModel):
    """Where each task of an instance runs and which route its files take, and how often."""

    model_config = ConfigDict(extra="forbid")

    index: Whole = Field(description="number of the allocation in schedules, from 0")
    rate: ExactRational = Field(description="instances per time unit")
    tasks: dict[str, str] = Field(description="id of the processor that runs each task")
    transfers: list[RatedTransfer] = Field(description="paths that files take between processors")


class TaskGraphStatistics(BaseModel):
    """How the answer was found. What the method does not have is null."""

    model_config = ConfigDict(extra="forbid")

    iterations: Whole | None = Field(
        None, description="how often the program over the known allocations was solved"
    )
    columns: Whole | None = Field(None, description="allocations that the master program knew")
    width: Whole | None = Field(None, description="of the elimination order that priced them")
    dependency_depth: Whole | None = Field(None, description="tasks in the longest constraint list")
    variables: Whole | None = Field(None, description="of the program that was solved")
    constraints: Whole | None = Field(None, description="of the program that was solved")


class PricedSearchCertificate(SearchCertificate):
    """A solver's word that no allocation is cheaper at these prices; it proves nothing."""

    priced = True


class RestrictedCertificate(Certificate):
    """Prices of the program over the allocations that were given, besides those of the bound.

    Its prices sum to what no rates of these allocations exceed; other allocations may. Empty where
    the rates were given, too.
    """

    proves = Proves.BOUND
    priced = True

    type: Literal["restricted"] = Field("restricted", description="names this type of certificate")
    classes: list[list[str]] = Field(
        default_factory=list, description="interchangeable processors. Prices are alike on them"
    )
    bound_prices: dict[str, ExactRational] = Field(
        default_factory=dict,
        description="no allocation at all costs less than 1 at these: they sum to the bound. Empty"
        " where that is a search's word",
    )
    bound_classes: list[list[str]] = Field(
        default_factory=list, description="interchangeable processors. Those prices are alike"
    )


class MissingAllocation(BaseModel):
    """An allocation that would raise the throughput of those that were given."""

    model_config = ConfigDict(extra="forbid")

    tasks: dict[str, str] = Field(description="id of the processor that runs each task")
    transfers: list[RatedTransfer] = Field(description="paths that files take between processors")
    cost: ExactRational = Field(description="at the certificate's prices. Less than 1")
    reduced_cost: ExactRational = Field(description="1 - cost")
    cheapest: Annotated[bool, Strict()] = Field(
        description="whether it is proved that no allocation costs less"
    )


class TaskGraphResult(Result):
    """The certified allocations."""

    kind: Literal["task_graph"] = Field("task_graph", description="name of this kind of problem")
    certificate: Annotated[
        DualityCertificate | PricedSearchCertificate | RestrictedCertificate | NoCertificate,
        Field(discriminator="type"),
    ] = Field(description="why the bound holds, or why nothing is feasible")
    allocations: list[RatedAllocation] = Field(
        description="allocations that run side by side, and how often each runs"
    )
    classes: list[list[str]] = Field(
        default_factory=list,
        description="interchangeable processors: what an allocation places on the first of a class"
        " stands for all its members evenly, and none names another one",
    )
    given_rates: list[ExactRational] | None = Field(
        None, description="given: how often each allocation runs, in the order they were given"
    )
    factor: ExactRational | None = Field(
        None,
        description="rates given: by which all of them are multiplied, the largest that resources"
        " and slots allow",
    )
    bottlenecks: list[str] | None = Field(
        None, description="given: the resources that are busy for all of the time"
    )
    distance: ExactRational | None = Field(
        None, description="given: 1 - throughput / bound, of the bound that was asked for"
    )
    missing: MissingAllocation | None = Field(
        None,
        description="given: the allocation that is worth most at the prices. Null: none improves,"
        " or none was found",
    )
    statistics: Annotated[TaskGraphStatistics, NOT_JUDGED] = Field(
        description="how the answer was found"
    )
