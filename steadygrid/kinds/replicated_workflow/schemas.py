"""What `replicated_workflow` asks and answers."""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Strict, Tag

from steadygrid.domain.certificate import (
    Certificate,
    CycleRatioCertificate,
    DualityCertificate,
    NoCertificate,
    Proves,
    SearchCertificate,
)
from steadygrid.domain.job import Result
from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.rational import ExactRational, Whole
from steadygrid.domain.text import Frozen, Identifier
from steadygrid.kinds.shared.collection import CollectionInstance

Tasks = Annotated[tuple[Identifier, ...], Field(strict=False, min_length=1)]
MOST_CYCLE_STEPS = 10_000
"""Of a critical cycle that is listed; beyond it the state of one turn is given."""

Replicas = Annotated[int, Strict(), Field(ge=1, le=10**6)]
_REPLICAS_GIVEN_AS: dict[type, str] = {int: "number", dict: "tasks"}
MostReplicas = Annotated[
    Annotated[Replicas, Tag("number")] | Annotated[dict[Identifier, Replicas], Tag("tasks")],
    Discriminator(
        lambda given: _REPLICAS_GIVEN_AS.get(type(given)),
        custom_error_type="replicas_type",
        custom_error_message="expected a whole number, or whole numbers by task",
    ),
]


class MappedStage(Frozen):
    """Some tasks, and the processors that run them in turn."""

    tasks: Tasks = Field(description="of the stage. Files among them cost nothing")
    processors: Tasks = Field(
        description="in the order of the round robin: data set n goes to entry n modulo their number"
    )


class ServedOperation(Frozen):
    """An operation in the order of service, and for which data set it takes its turn."""

    operation: Annotated[
        Identifier | Annotated[tuple[Identifier, Identifier], Field(strict=False)],
        Field(description="the first task of a stage, or a file as [source, target]"),
    ]
    lag: Annotated[int, Strict(), Field(ge=0, le=10**9)] = Field(
        0, description="data set n is served as if it were data set n + lag"
    )


class ReplicatedWorkflowInstance(CollectionInstance):
    """A task graph whose stages run on several processors each, data set by data set in turn."""

    kind: Literal["replicated_workflow"] = Field(description="name of this kind of problem")
    ports: Literal["one_port", "no_overlap"] = Field(
        "one_port",
        description="one_port: send, receive and compute at the same time (OVERLAP); no_overlap: one"
        " thing at a time (STRICT)",
    )
    mapping: Annotated[tuple[MappedStage, ...], Field(strict=False, min_length=1)] | None = Field(
        None, description="to be evaluated. Null: to be found"
    )
    stages: Annotated[tuple[Tasks, ...], Field(strict=False, min_length=1)] | None = Field(
        None,
        description="without mapping: tasks that stay together. Null: each task alone. A processor"
        " serves one stage at most",
    )
    max_replicas: MostReplicas | None = Field(
        None,
        description="most processors of a stage: of any, or by task (a stage has the least of its"
        " tasks). 1 for a task that keeps a state. Null: any number",
    )
    order: Literal["listed", "searched"] | None = Field(
        None,
        description="in which order a stage sends its files. listed: as application.files lists them;"
        " searched: the best of the orders, and of the lags of operations, that are tried. Null: listed"
        " where a mapping is given, else searched",
    )
    service: Annotated[tuple[ServedOperation, ...], Field(strict=False, min_length=1)] | None = (
        Field(
            None,
            description="with mapping: every operation once, with its lag, in the order in which"
            " resources serve the operations of a data set. As a result has it. null: see order",
        )
    )
    method: Literal[
        "auto", "evaluate", "exact", "greedy", "local_search", "portfolio", "upper_bound"
    ] = Field("auto", description="how the mapping is found or judged. Default: auto")
    seed: Annotated[int, Strict(), Field(ge=0, le=2**63 - 1)] = Field(
        0, description="start of the random numbers of searches, from 0. Default: 0"
    )
    max_rows: Annotated[int, Strict(), Field(ge=1, le=10**18)] = Field(
        10**12, description="least common multiple of the numbers of processors, at most"
    )


class MappedStageOut(BaseModel):
    """Some tasks, and the processors that run them in turn."""

    model_config = ConfigDict(extra="forbid")

    tasks: list[str] = Field(description="ids of the tasks of the stage")
    processors: list[str] = Field(description="ids of the processors, in the order of their turns")


class ServedOperationOut(BaseModel):
    """An operation in the order of service, and for which data set it takes its turn."""

    model_config = ConfigDict(extra="forbid")

    operation: str | tuple[str, str] = Field(
        description="the first task of a stage, or a file as [source, target]"
    )
    lag: Whole = Field(description="data set n is served as if it were data set n + lag")


class ResourceTime(BaseModel):
    """How long a resource is busy per data set, on average."""

    model_config = ConfigDict(extra="forbid")

    resource: str = Field(description="name of the resource")
    time: ExactRational = Field(description="busy time per data set, in time units")
    receive: ExactRational | None = Field(None, description="part of it, no_overlap only")
    compute: ExactRational | None = Field(None, description="part of it, no_overlap only")
    send: ExactRational | None = Field(None, description="part of it, no_overlap only")


class CycleStep(BaseModel):
    """An operation that waits for the one before it."""

    model_config = ConfigDict(extra="forbid")

    operation: str | tuple[str, str] = Field(
        description="the first task of a stage, or a file as [source, target]"
    )
    place: str | tuple[str, str] = Field(description="a processor, or [sender, receiver]")
    data_set: Whole = Field(description="number of the data set")
    time: ExactRational = Field(description="time units that the operation takes")


class WorkflowLatency(BaseModel):
    """From the start of the first operation of a data set to the end of its last, in the schedule."""

    model_config = ConfigDict(extra="forbid")

    largest: ExactRational = Field(description="over all data sets, in time units")
    mean: ExactRational | None = Field(
        description="over all data sets. Null where `rows` is above 10^6"
    )


class ComparedMapping(BaseModel):
    """What a method of a search found."""

    model_config = ConfigDict(extra="forbid")

    method: str = Field(description="name of the method")
    throughput: ExactRational | None = Field(
        description="data sets per time unit. Null where the method has no answer"
    )
    ratio_to_bound: ExactRational | None = Field(
        description="throughput over the bound of the answer. Null without one of them"
    )
    seconds: float = Field(description="time that the method took to answer")
    note: str | None = Field(None, description="why it found nothing, or not all it looks for")


class ReplicatedWorkflowStatistics(BaseModel):
    """How the answer was found. What the method does not have is null."""

    model_config = ConfigDict(extra="forbid")

    groups: Whole | None = Field(None, description="of operations that can wait for each other")
    rounds: Whole | None = Field(None, description="of periodic schedules, each less coarse")
    nodes: Whole | None = Field(None, description="of the largest graph")
    edges: Whole | None = Field(None, description="of the largest graph")
    policy_rounds: Whole | None = Field(
        None, description="policies that policy iteration evaluated, over all graphs"
    )
    turns: Whole | None = Field(None, description="of all rows, played until they repeat")
    mappings: Whole | None = Field(None, description="that a search evaluated")


class CopiesCertificate(Certificate):
    """That no numbers of processors allow more was searched for, and the referee searches again."""

    proves: ClassVar[Proves] = Proves.BOUND

    type: Literal["copies"] = Field("copies", description="names this type of certificate")


class ReplicatedWorkflowResult(Result):
    """The period of a mapping, and the operations that decide it."""

    kind: Literal["replicated_workflow"] = Field(
        "replicated_workflow", description="name of this kind of problem"
    )
    certificate: Annotated[
        CycleRatioCertificate
        | DualityCertificate
        | CopiesCertificate
        | SearchCertificate
        | NoCertificate,
        Field(discriminator="type"),
    ] = Field(description="why the bound holds, or why nothing is feasible")
    period: ExactRational | None = Field(description="time per data set: 1 / throughput")
    mapping: list[MappedStageOut] | None = Field(
        description="stages and their processors. Null without a mapping"
    )
    copies: dict[str, Whole] | None = Field(
        description="processors of each stage, by its first task"
    )
    service: list[ServedOperationOut] | None = Field(
        None,
        description="every operation, with its lag, in the order in which resources serve the"
        " operations of a data set. Null: as application.files lists them, without lags",
    )
    rows: str | None = Field(
        description="least common multiple of the copies, in digits: after as many data sets all"
        " processors have their first turn again"
    )
    mct: ExactRational | None = Field(
        description="largest mean time per data set of any resource: no period is shorter"
    )
    critical_resource: str | None = Field(
        description="the resource that is always busy. Null where the period is longer than mct"
    )
    occupation: list[ResourceTime] = Field(description="longest first")
    critical_cycle: list[CycleStep] | None = Field(
        description="each operation waits for the one before, and the first, `length` data sets later,"
        " for the last. Null where none is known or it has more than 10,000 steps. Where `optimal` is"
        " not proved it may be faster than the period, and is then what the bound rests on"
    )
    length: Whole | None = Field(description="data sets by which the critical cycle advances")
    time: ExactRational | None = Field(
        description="of the critical cycle. Over `length` it is a time per data set that no schedule"
        " of this mapping undercuts"
    )
    latency: WorkflowLatency | None = Field(
        description="null where there is no schedule that lists its rows"
    )
    comparison: Annotated[list[ComparedMapping] | None, NOT_JUDGED] = Field(
        None, description="methods beside each other. Null where none are compared"
    )
    statistics: Annotated[ReplicatedWorkflowStatistics, NOT_JUDGED] = Field(
        description="how the answer was found"
    )
