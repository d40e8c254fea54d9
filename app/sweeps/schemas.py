"""Sweeps as answers. They document what `service` writes."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from app.db.models import SweepKind
from app.db.sweeps import SweepState
from app.jobs.schemas import Answer
from steadygrid.domain.job import JobState, Outcome
from steadygrid.studies.study import StudyOut


class SweepLinks(Answer):
    """Where the rest of a sweep is. What is null is not there, or not now."""

    self: str
    plan: str
    jobs: str
    table: str
    events: str
    cancel: str | None = Field(None, description="while the sweep has not ended")
    retry: str | None = Field(None, description="while there are failed jobs, unless cancelled")
    job: str | None = Field(None, description="what a what-if asks about")


class Sweep(Answer):
    """Many jobs from one template."""

    id: str
    kind: SweepKind
    job_kind: str = Field(description="the kind of problem of all its jobs")
    name: str | None
    state: SweepState = Field(description="`creating` while jobs are yet to be made")
    counts: dict[JobState, int] = Field(description="of the jobs that are there, last tries only")
    outcomes: dict[Outcome, int] | None = Field(
        description="what those that have succeeded found. Null in lists"
    )
    jobs: int = Field(description="how many there are in the end")
    created: int = Field(description="how many are there")
    mode: Literal["product", "zip"] | None = Field(description="null in lists")
    parameters: list[dict[str, Any]] | None = Field(
        description="as posted. Null in lists, and for a what-if"
    )
    labels: dict[str, str]
    warnings: list[str] | None = Field(description="what was given but is not used. Null in lists")
    of_job: str | None = Field(description="the job that a what-if asks about")
    created_at: datetime
    finished_at: datetime | None
    links: SweepLinks


class WhatIf(Sweep, StudyOut):
    """A sweep that solves what would help a job, with all upgrades and what is known of them."""


class SweepPage(Answer):
    """Some sweeps, the newest first."""

    items: list[Sweep]
    next_page_token: str | None


class SweepJobSize(Answer):
    """What one of the jobs would cost."""

    index: int
    method: str = Field(description="the one that `auto` would take")
    sizes: dict[str, int | str] = Field(description="a string of digits above 2^53")


class SweepJobSizes(Answer):
    """The first job, and of those that were looked at the least and the greatest."""

    first: SweepJobSize
    least: SweepJobSize
    greatest: SweepJobSize


class SweepValidation(Answer):
    """What a sweep would be. Nothing was stored."""

    valid: Literal[True]
    kind: str
    jobs: int
    checked: int = Field(description="jobs that were read and sized in full")
    method: str = Field(description="of the first job")
    sizes: SweepJobSizes
    warnings: list[str]


class SweepPlan(Answer):
    """What was asked, canonical. That of a sweep can be posted again as it is."""

    template: dict[str, Any] = Field(description="a job's body, with references resolved")
    mode: Literal["product", "zip"] | None = None
    parameters: list[dict[str, Any]] | None = None
    patches: list[list[dict[str, Any]]] | None = Field(
        None, description="of a what-if: what is changed for each job"
    )
    labels: dict[str, str]
    name: str | None = None


class Retry(Answer):
    """What has been tried again."""

    retried: int = Field(description="new jobs in place of failed ones")
    more: bool = Field(description="there are more failed jobs: ask again, with a new key")


class TableRow(Answer):
    """What came of one job of a sweep."""

    index: int
    parameters: dict[str, Any] = Field(description="the job's values, by the parameters' names")
    state: JobState
    outcome: Outcome | None
    error: str | None = Field(description="the code with which it failed")
    value: str | None = Field(description="exact")
    approx: float | None = Field(description="the value's nearest double")
    bound: str | None
    gap: str | None
    exact: bool | None = Field(description="whether the bound was proved in exact arithmetic")
    period: str | None = Field(description="of the schedule, where it repeats")
    seconds: float | None = Field(description="from start to end")
    job: str


class TablePage(Answer):
    """Some rows, by index."""

    items: list[TableRow]
    next_page_token: str | None


class SweepEvent(BaseModel):
    """One server-sent event of a sweep."""

    id: str | None = Field(None, description="`end` of the last event. The others have none")
    event: Literal["counts", "end"] | None = None
    data: str | None = Field(None, description="JSON: state, jobs, created, counts, outcomes")
    retry: int | None = Field(None, description="milliseconds. Comes alone, first")
