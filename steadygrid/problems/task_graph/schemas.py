"""What `task_graph` asks and answers."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.certificate import DualityCertificate, NoCertificate, SearchCertificate
from steadygrid.domain.job import Result
from steadygrid.domain.platform import PortModel
from steadygrid.domain.rational import ExactRational, Whole
from steadygrid.problems.collection import CollectionInstance


class TaskGraphInstance(CollectionInstance):
    """A collection of identical task graphs, and the platform on which they run."""

    kind: Literal["task_graph"]
    ports: PortModel = "one_port"
    routing: Literal["free", "fixed"] = Field(
        "free", description="fixed: each file takes the platform's route; column_generation only"
    )
    method: Literal["auto", "column_generation", "constraint_lists"] = "auto"


class RatedTransfer(BaseModel):
    """The path that a share of one file of an allocation takes."""

    model_config = ConfigDict(extra="forbid")

    file: tuple[str, str]
    path: list[str]
    share: ExactRational


class RatedAllocation(BaseModel):
    """Where each task of an instance runs and which way its files take, and how often."""

    model_config = ConfigDict(extra="forbid")

    index: Whole
    rate: ExactRational = Field(description="instances per time unit")
    tasks: dict[str, str]
    transfers: list[RatedTransfer]


class TaskGraphStatistics(BaseModel):
    """How the answer was found; what the method does not have is null."""

    model_config = ConfigDict(extra="forbid")

    iterations: Whole | None = None
    columns: Whole | None = Field(None, description="allocations that the master program knew")
    width: Whole | None = Field(None, description="of the elimination order that priced them")
    dependency_depth: Whole | None = Field(None, description="tasks in the longest constraint list")
    variables: Whole | None = None
    constraints: Whole | None = None


class PricedSearchCertificate(SearchCertificate):
    """A solver's word that no allocation is cheaper at these prices; it proves nothing."""

    priced = True


class TaskGraphResult(Result):
    """The certified allocations."""

    kind: Literal["task_graph"] = "task_graph"
    certificate: Annotated[
        DualityCertificate | PricedSearchCertificate | NoCertificate, Field(discriminator="type")
    ]
    allocations: list[RatedAllocation]
    classes: list[list[str]] = Field(
        default_factory=list,
        description="interchangeable processors: what an allocation places on the first of a class"
        " stands for all its members evenly, and none names another one",
    )
    statistics: TaskGraphStatistics
