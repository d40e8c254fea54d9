"""Schedules as answers. They document what `service` writes."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.http.answers import ExactNumber
from steadygrid.domain.platform import PortModel
from steadygrid.domain.timeline import OncePorts

FileEnds = tuple[str, str]
"""The task that makes a file and the one that uses it; or a message, and which of its data."""


class Answer(BaseModel):
    """Base: an answer has exactly the members it declares."""

    model_config = ConfigDict(extra="forbid")


class ScheduleCounts(Answer):
    """How long the parts are."""

    allocations: int
    computations: int
    slots: int = Field(description="also where they are derived from runs")
    transfers: int = Field(description="over all slots")
    runs: int | None = Field(None, description="of links, where transfers are listed as runs")
    cargo: int | None = Field(None, description="entries over all runs")
    events: int | None = Field(None, description="of a schedule that runs once")
    rows: int | None = Field(None, description="of a timetable")


class ScheduleRun(Answer):
    """What a schedule does in a run: of a number of instances, or until a horizon."""

    instances: ExactNumber | None = None
    completion_time_at_most: ExactNumber | None = Field(
        None, description="all instances are complete then. Null where the schedule does nothing"
    )
    no_schedule_before: ExactNumber | None = Field(
        None, description="the earliest time of any schedule. Null where no bound is proved"
    )
    ratio: ExactNumber | None = Field(None, description="the first of these over the second")
    horizon: ExactNumber | None = None
    instances_at_least: ExactNumber | None = Field(None, description="complete at the horizon")
    instances_at_most: ExactNumber | None = Field(
        None, description="no schedule completes more. Null where no bound is proved"
    )
    periods: int = Field(description="until the instances are complete, or the horizon is reached")


class ScheduleMembers(Answer):
    """What a schedule says of itself; one that runs once has no period and what goes with it."""

    form: Literal["periodic", "once", "timetable"] = Field(
        description="periodic: it repeats period by period; once: it runs from 0 to its makespan;"
        " timetable: it repeats row by row"
    )
    period: ExactNumber | None = Field(description="null if the schedule runs once")
    makespan: ExactNumber | None = Field(description="null if the schedule repeats")
    instances_per_period: ExactNumber | None
    throughput: ExactNumber | None = Field(description="achieved")
    optimal_throughput: ExactNumber | None = Field(description="certified, before rounding")
    loss: ExactNumber | None = Field(description="relative")
    rounding_loss: ExactNumber | None = Field(
        description="what merely rounding the rates down would have lost. Null if not bounded"
    )
    bounded: Literal["asked", "automatic", "run"] | None = Field(
        None,
        description="asked: max_period was a time; automatic: the exact period is very long; run: it"
        " was chosen for the run",
    )
    run: ScheduleRun | None = Field(None, description="what it does in the run that was asked for")
    grouped_periods: int | None = Field(
        None, description="steady periods that are one here, where latencies are paid"
    )
    latency_time: ExactNumber | None = Field(
        None, description="by how much the period is longer than those, where latencies are paid"
    )
    completion_time_at_most: ExactNumber | None = Field(
        None, description="as the run says, where latencies are paid"
    )
    no_schedule_before: ExactNumber | None = Field(
        None, description="as the run says, where latencies are paid"
    )
    interruptions: int | None = Field(
        None,
        description="where transfers are listed as runs: how often a link stops and goes on later",
    )
    ports: PortModel | OncePorts | None = Field(description="null where there is no platform")
    prologue_periods: int | None
    latency_periods: int | None
    preempted: bool | None = Field(description="whether a file is moved in parts")
    counts: ScheduleCounts
    files: list[FileEnds] = Field(description="all files, also those that never move")


class ScheduleHeader(ScheduleMembers):
    """A schedule without its parts."""

    id: str
    links: dict[str, str]


class AllocationTransfer(Answer):
    """The path that a share of one file takes."""

    file: FileEnds
    path: list[str]
    share: ExactNumber


class AllocationFirstPeriod(Answer):
    """The period, counted from 1, in which a task first runs on a processor."""

    task: str
    processor: str
    period: int


class AllocationCombination(Answer):
    """Data of a message that a processor combines. Its outcome is called ``--`` and the index."""

    index: int
    processor: str
    operands: list[str]


class Allocation(Answer):
    """Where each task of an instance runs and which route its files take."""

    index: int
    rate: ExactNumber = Field(description="instances per time unit")
    instances_per_period: ExactNumber
    tasks: dict[str, str | list[str]] = Field(
        description="by task its processor, or a list where several run a copy"
    )
    transfers: list[AllocationTransfer]
    message: str | None = Field(
        None,
        description="which message of an instance it carries, where an instance is one of each of"
        " several: rates and instances of the allocations of each sum up to those of the schedule",
    )
    combinations: list[AllocationCombination] = Field(
        default_factory=list,
        description="only of a message from several sources: what is combined en route, those"
        " whose outcomes others use first. Operands are sources, for their own data, and outcomes",
    )
    first_periods: list[AllocationFirstPeriod] = Field(
        default_factory=list,
        description="only where the kind has its own rule for the period in which a task first"
        " runs. Else a task waits for the period after its files came",
    )


class Computation(Answer):
    """One processor's work for one task of one allocation in every period."""

    processor: str
    task: str
    allocation: int
    count: ExactNumber
    start: ExactNumber = Field(description="from the beginning of the period")
    time: ExactNumber = Field(description="for all of the count together")


class SlotTransfer(Answer):
    """One hop that carries files during a slot."""

    sender: str
    receiver: str
    file: FileEnds
    allocation: int
    count: ExactNumber


class Slot(Answer):
    """A stretch of the period in which the listed transfers run side by side."""

    start: ExactNumber
    duration: ExactNumber
    transfers: list[SlotTransfer]


class RunCargo(Answer):
    """Files of one sort that a link carries one after the other during a run."""

    file: FileEnds
    allocation: int
    count: ExactNumber = Field(description="whole unless files are moved in parts")
    time: ExactNumber = Field(description="for all of the count, from the end of the cargo before")


class Run(Answer):
    """A stretch of the period in which a link is busy without a break."""

    start: ExactNumber
    end: ExactNumber
    sender: str
    receiver: str
    cargo: list[RunCargo] = Field(
        description="in order from the start on. After it the link is idle"
    )


class TimetableRow(Answer):
    """When an operation starts for the data sets of one residue, for ever.

    Data set (or cycle of the actor) ``residue + k modulus`` starts at ``start + k every``.
    """

    kind: Literal["compute", "transfer"]
    processor: str | None = Field(None, description="of a computation")
    task: str | None = Field(
        None, description="of a computation: the first of its stage, or a pass: `forward 1`"
    )
    link: tuple[str, str] | None = Field(None, description="sender and receiver of a transfer")
    file: FileEnds | None = Field(None, description="of a transfer")
    actor: str | None = Field(None, description="of a dataflow graph: what fires")
    phase: int | None = Field(None, description="of the actor, counted from 1")
    residue: ExactNumber
    modulus: ExactNumber
    start: ExactNumber
    time: ExactNumber = Field(description="how long it takes")
    every: ExactNumber


class TimelineEvent(Answer):
    """A bar of a Gantt chart: a computation, or a transfer.

    In a periodic schedule a transfer lasts as long as its files take, or as its slot where there
    are only slots. Tasks and files are those of an allocation. In a schedule that runs once,
    installments of loads are computed and sent. In a timetable, operations are at work for one data
    set, or actors fire.
    """

    start: ExactNumber
    end: ExactNumber
    kind: Literal["compute", "transfer"]
    count: ExactNumber | None = Field(
        None, description="of tasks or files in this bar, if the schedule repeats"
    )
    processor: str | None = Field(None, description="of a computation")
    task: str | None = Field(None, description="of a computation, if the schedule repeats")
    link: tuple[str, str] | None = Field(None, description="sender and receiver of a transfer")
    file: FileEnds | None = Field(None, description="of a transfer, if the schedule repeats")
    allocation: int | None = Field(None, description="if the schedule repeats")
    period: int | None = Field(None, description="counted from 1, if the schedule repeats")
    load: str | None = Field(None, description="if the schedule runs once")
    installment: int | None = Field(None, description="counted from 1, if it runs once")
    share: ExactNumber | None = Field(None, description="of the load, if it runs once")
    data_set: int | None = Field(None, description="counted from 0, in a timetable")
    actor: str | None = Field(None, description="that fires, in a timetable of a dataflow graph")
    phase: int | None = Field(None, description="of the actor, counted from 1")
    cycle: int | None = Field(None, description="of the actor through its phases, counted from 0")


class ScheduleDocument(ScheduleMembers):
    """A whole schedule: allocations, computations, and runs of links or slots; or events, or rows."""

    allocations: list[Allocation] | None = None
    computations: list[Computation] | None = None
    runs: list[Run] | None = None
    slots: list[Slot] | None = None
    events: list[TimelineEvent] | None = None
    rows: list[TimetableRow] | None = None


class AllocationPage(Answer):
    """Some allocations."""

    items: list[Allocation]
    next_page_token: str | None


class ComputationPage(Answer):
    """Some computations."""

    items: list[Computation]
    next_page_token: str | None


class RunPage(Answer):
    """Some runs of links, by their starts. A page of long ones ends early."""

    items: list[Run]
    next_page_token: str | None


class SlotPage(Answer):
    """Some slots. A page of large ones ends early."""

    items: list[Slot]
    next_page_token: str | None


class RowPage(Answer):
    """Some rows of a timetable."""

    items: list[TimetableRow]
    next_page_token: str | None


class TimelinePage(Answer):
    """Some events, by their starts."""

    items: list[TimelineEvent]
    next_page_token: str | None


class DispatchPage(Answer):
    """The allocation of each of the first instances."""

    items: list[int]
    next_page_token: str | None
