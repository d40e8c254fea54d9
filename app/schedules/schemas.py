"""Schedules as answers; they document what `service` writes."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.domain.platform import PortModel
from app.http.answers import ExactNumber

FileEnds = tuple[str, str]


class Answer(BaseModel):
    """Base: an answer has exactly the members it declares."""

    model_config = ConfigDict(extra="forbid")


class ScheduleCounts(Answer):
    """How long the parts are."""

    allocations: int
    computations: int
    slots: int
    transfers: int


class ScheduleHeader(Answer):
    """A schedule without its parts."""

    id: str
    period: ExactNumber | None
    instances_per_period: ExactNumber
    throughput: ExactNumber = Field(description="achieved")
    optimal_throughput: ExactNumber = Field(description="certified, before rounding")
    loss: ExactNumber = Field(description="relative")
    rounding_loss: ExactNumber | None = Field(
        description="what merely rounding the rates down would have lost; null if not bounded"
    )
    ports: PortModel
    prologue_periods: int
    latency_periods: int
    preempted: bool = Field(description="whether a slot moves part of a file")
    counts: ScheduleCounts
    files: list[FileEnds] = Field(description="all files, also those that never move")
    links: dict[str, str]


class AllocationTransfer(Answer):
    """The path that a share of one file takes."""

    file: FileEnds
    path: list[str]
    share: ExactNumber


class Allocation(Answer):
    """Where each task of an instance runs and which way its files take."""

    index: int
    rate: ExactNumber = Field(description="instances per time unit")
    instances_per_period: ExactNumber
    tasks: dict[str, str | list[str]] = Field(
        description="by task its processor, or a list where several run a copy"
    )
    transfers: list[AllocationTransfer]


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


class TimelineEvent(Answer):
    """A bar of a Gantt chart: a computation, or a transfer for as long as its slot."""

    start: ExactNumber
    end: ExactNumber
    kind: Literal["compute", "transfer"]
    processor: str | None = Field(None, description="of a computation")
    task: str | None = Field(None, description="of a computation")
    link: tuple[str, str] | None = Field(None, description="sender and receiver of a transfer")
    file: FileEnds | None = Field(None, description="of a transfer")
    allocation: int
    period: int = Field(description="counted from 1")


class AllocationPage(Answer):
    """Some allocations."""

    items: list[Allocation]
    next_page_token: str | None


class ComputationPage(Answer):
    """Some computations."""

    items: list[Computation]
    next_page_token: str | None


class SlotPage(Answer):
    """Some slots; a page of large ones ends early."""

    items: list[Slot]
    next_page_token: str | None


class TimelinePage(Answer):
    """Some events, by their starts."""

    items: list[TimelineEvent]
    next_page_token: str | None


class DispatchPage(Answer):
    """The allocation of each of the first instances."""

    items: list[int]
    next_page_token: str | None
