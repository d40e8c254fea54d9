"""Studies as answers. They document what `what_if`, `replans` and `documents` write."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from app.jobs.schemas import Answer
from steadygrid.domain.job import JobState
from steadygrid.studies.measuring import Measured
from steadygrid.studies.replanned import ReplanOut


class WhatIfValidation(Answer):
    """What a what-if would be. Nothing was stored."""

    valid: Literal[True]
    kind: str
    upgrades: int = Field(description="how many would be listed")
    jobs: int = Field(description="how many of them would be solved")
    notes: list[str]


class PlannedJob(Answer):
    """What the job of a replan would be."""

    method: str = Field(description="the one that `auto` would take")
    sizes: dict[str, int | str] = Field(
        description="variables, constraints, .... A string of digits above 2^53"
    )
    warnings: list[str]


class ReplanValidation(Answer):
    """What a replan would be. Nothing was stored."""

    valid: Literal[True]
    kind: str
    job: PlannedJob | None = Field(
        description="null: none is asked for, or nothing can be done without what is gone"
    )
    notes: list[str]


class ReplanLinks(Answer):
    """Where the rest is. What is null is not there."""

    self: str
    of_job: str
    job: str | None


class ReplanItem(Answer):
    """A replan as lists show it."""

    id: str
    of_job: str = Field(description="the job whose schedule runs. It may have been deleted since")
    job: str | None = Field(description="the job that plans anew, an ordinary one")
    state: JobState | Literal["none", "deleted"] = Field(
        description="of that job. None: there is none to be done; deleted: it has been deleted"
    )
    created_at: datetime
    links: ReplanLinks


class ReplanPage(Answer):
    """Some replans, the newest first."""

    items: list[ReplanItem]
    next_page_token: str | None


class Replan(ReplanItem, ReplanOut):
    """What a schedule still does on the platform as measured, and what is best there now."""

    measured: Measured = Field(description="as asked")
    scale: bool = Field(description="as asked: whether the values are factors")
