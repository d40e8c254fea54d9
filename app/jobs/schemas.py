"""Jobs as answers. They document what `service` writes."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.http.answers import ExactNumber, FoundNumber
from app.http.refusals import ProblemDetails, RefusedPart
from steadygrid.domain.job import (
    MOST_LABELS,
    Bound,
    JobState,
    Label,
    Objective,
    Options,
    Outcome,
    Phase,
)
from steadygrid.domain.text import Frozen, PlainText
from steadygrid.domain.trace import MOST_POINTS


class Answer(BaseModel):
    """Base: an answer has exactly the members it declares."""

    model_config = ConfigDict(extra="forbid")


class Progress(BaseModel):
    """How far a running job is."""

    phase: Phase | None = None
    iterations: int | None = None
    value: FoundNumber | None = Field(None, description="found last, and mostly the best so far")
    bound: FoundNumber | None = None
    exact: bool | None = Field(
        None, description="whether the two are exact, or decimals of a solver's floats"
    )
    gap: ExactNumber | None = None
    elapsed: float | None = Field(None, description="seconds of this attempt")


class TracePoint(Answer):
    """What was known at a moment of a solve."""

    iteration: int | None = Field(
        description="how often what found it had gone round. Null where it does not count"
    )
    seconds: float = Field(description="since the start of the solve")
    value: FoundNumber | None = Field(description="of the best found so far")
    bound: FoundNumber | None = Field(description="the best proved so far")
    exact: bool = Field(
        description="whether value and bound are exact, or decimals of a solver's floats"
    )


class Trace(Answer):
    """How a solve came to its answer: each point knows more than the one before."""

    items: list[TracePoint] = Field(
        max_length=MOST_POINTS, description="the last is the answer: its objective and its bound"
    )


class PlannedValue(Answer):
    """What one member has by the question."""

    field: Literal["speed", "bandwidth"]
    value: str = Field(description="exact: work or data per time unit")
    text: str = Field(description="the same for people, with its unit")
    pointer: str | None = Field(
        description="JSON pointer into the instance. Null where its platform is written otherwise"
    )


class ResourcePort(Answer):
    """One thing that a resource can be busy with."""

    port: str = Field(description="`compute`, `send`, `receive`, `port`, `link`, `medium`, ...")
    card: str | None
    busy: str | None = Field(
        description="of one member: exact part of the time, or of the bandwidth. Null where no"
        " schedule says it"
    )
    approx: float | None = Field(description="the double nearest to `busy`")
    price: str | None = Field(description="of all members. Null without prices")
    share: str | None = Field(description="its part of the bound")


class WorkDone(Answer):
    """What all members do."""

    per_period: str | None = Field(description="null where the schedule runs once")
    share: str = Field(description="of what all resources do")


class ResourceItem(Answer):
    """A resource, or twins."""

    key: str = Field(description="`processor:P1`, `link:P1->P2`, `medium:wan`")
    kind: Literal["processor", "link", "medium", "actor", "set", "other"]
    label: str
    count: int
    members: list[str] = Field(description="the first 50")
    planned: PlannedValue | None
    ports: list[ResourcePort]
    does: WorkDone | None
    share: str | None = Field(description="of the bound. Those of all rows add up to 1 exactly")
    at_most: str | None = Field(description="a throughput that twice this row cannot exceed")


class ResourceCounts(Answer):
    """How many there are on all pages."""

    rows: int
    limiting: int
    idle_processors: int


class ResourcePage(Answer):
    """Some resources of an answer. Numbers are exact strings."""

    basis: Literal["schedule", "none"] = Field(
        description="what use and work are of: the schedule that runs, or there is none"
    )
    throughput: str | None = Field(description="of the schedule that runs")
    optimum: str | None = Field(description="null where the best is not known")
    period: str | None
    counts: ResourceCounts
    items: list[ResourceItem]
    next_page_token: str | None


class JobLinks(Answer):
    """Where the rest of a job is. What is null is not there, or not yet."""

    self: str
    instance: str
    draft: str
    events: str
    cancel: str | None = Field(None, description="while the job has not ended")
    result: str | None = None
    schedule: str | None = None
    trace: str | None = Field(
        None, description="where it is known how the solve came to its answer"
    )
    pictures: str | None = Field(
        None, description="of what has been answered, where the service can draw"
    )
    sweep: str | None = None


class PlaceInSweep(Answer):
    """Which of a sweep's jobs it is."""

    id: str = Field(description="of the sweep")
    index: int = Field(description="from 0. A product's last parameter changes fastest")
    try_: int = Field(alias="try", description="from 1. A retry makes a new job of the same index")


class Limiter(Answer):
    """The resource on which most of the optimum hangs."""

    key: str | None = Field(
        description="of its row in `/resources`. Null where `label` tells of several together"
    )
    label: str
    alike: int = Field(
        description="how many other rows of `/resources` limit as much. Twins are one row"
    )


class Job(Answer):
    """A queued, running or ended request."""

    id: str
    kind: str
    name: str | None = Field(
        description="as given, else of application and platform, as far as they have names"
    )
    state: JobState
    outcome: Outcome | None = Field(description="what was found out, once it has succeeded")
    objective: Objective | None = Field(
        description="the value found, as in the result. Null before, and without a schedule"
    )
    bound: Bound | None = Field(description="what no schedule can beat, as in the result")
    gap: ExactNumber | None = Field(description="between the two, relative to the bound")
    limited_by: Limiter | None = Field(
        description="what limits the throughput most. Null if that is not known, if something is"
        " minimised, or if the schedule was given or simulated and may not be the best"
    )
    labels: dict[str, str]
    priority: int = Field(description="greater is done first. See `JobRequest`")
    attempt: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    progress: Progress | None
    schedule: str | None = Field(description="id of the schedule, see /v1/schedules")
    error: ProblemDetails | None = Field(description="why it failed, if it did")
    warnings: list[str] = Field(description="what was given but is not used")
    sweep: PlaceInSweep | None = Field(description="null outside sweeps")
    retry_of: str | None = Field(description="the failed job that this one repeats")
    replaced_by: str | None = Field(description="the job that tries again what this one has failed")
    replan_of: str | None = Field(description="the job whose schedule is planned anew")
    transient: bool = Field(description="in no list, and gone ten minutes after its end")
    simulation_of: str | None = Field(description="the job whose schedule is simulated")
    links: JobLinks


class JobChange(Frozen):
    """The body of ``PATCH /v1/jobs/{job_id}``: labels that are left out stay as they are."""

    labels: dict[Label, PlainText | None] = Field(
        default_factory=dict,
        max_length=MOST_LABELS,
        description="to set. One that is null is removed",
    )


class JobTotal(Answer):
    """How many jobs a list has on all its pages."""

    jobs: int
    more: bool = Field(description="there are more than that, which are not counted")


class JobPage(Answer):
    """Some jobs, in the order that was asked for."""

    items: list[Job]
    next_page_token: str | None
    total: JobTotal | None = Field(None, description="where it was asked for")


class Deletion(Answer):
    """What has been deleted."""

    deleted: int
    more: bool = Field(description="there are more such jobs: ask again")


class Validation(Answer):
    """What a job would be. Nothing was stored."""

    valid: Literal[True]
    kind: str
    method: str = Field(description="the one that `auto` would take")
    sizes: dict[str, int | str] = Field(
        description="variables, constraints, widths, .... A string of digits above 2^53"
    )
    warnings: list[str]


class FaultyBody(Answer):
    """What is wrong with a body that was only checked, where faults are to be answered."""

    valid: Literal[False]
    detail: str
    errors: list[RefusedPart]


class JobEvent(BaseModel):
    """One server-sent event."""

    id: str | None = Field(None, description="sequence number. Resume with it as Last-Event-ID")
    event: Literal["state", "progress", "end"] | None = None
    data: str | None = Field(None, description="JSON: state and attempt, or the progress")
    retry: int | None = Field(None, description="milliseconds. Comes alone, first")


class OldestWaiting(Answer):
    """The queued job that was made first."""

    id: str
    created_at: datetime


class Summary(Answer):
    """How things stand: jobs by state, who works on them, and who waits for them."""

    queued: int
    running: int
    cancelling: int
    succeeded: int
    failed: int
    cancelled: int
    workers: int = Field(description="seen in the last two minutes")
    oldest_waiting: OldestWaiting | None


class LiveEvent(BaseModel):
    """One server-sent event of all jobs. It has no id, for nothing is repeated."""

    event: Literal["summary", "jobs"] | None = None
    data: str | None = Field(
        None,
        description='JSON: a summary, or `{"items": [...], "deleted": [...]}` with jobs as lists'
        " have them, and the ids of jobs that are gone",
    )
    retry: int | None = Field(None, description="milliseconds. Comes alone, first")


class Draft(BaseModel):
    """A body that can be edited and posted: as it was sent, or as `Instance` where that is gone."""

    model_config = ConfigDict(extra="allow")

    base: str | None = Field(None, description="id of the job whose problem it takes")
    problem: dict[str, Any] | None = Field(None, description="ids of stored documents stay ids")
    changes: list[dict[str, Any]] | None = Field(None, description="made in their order")


class Instance(Answer):
    """The posted body, canonical: defaults filled in, references resolved, lowest terms."""

    problem: dict[str, Any]
    options: Options
    labels: dict[str, str]
    name: str | None = None
    priority: int = 0


class ViewLinks(Answer):
    """Where the page is, and what it shows."""

    page: str = Field(description="the page, whose address holds the token")
    job: str


class View(Answer):
    """A page of a job that can be read without a key, for a while."""

    job: str
    token: str = Field(description="a secret that is told this once, in the address of the page")
    expires_at: datetime = Field(description="when the page ends")
    links: ViewLinks
