"""Running grids as answers. They document what the services write."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from app.http.answers import ExactNumber
from app.jobs.schemas import Answer

SignedNumber = Annotated[
    str | float,
    Field(
        union_mode="left_to_right",
        json_schema_extra={
            "anyOf": [{"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}, {"type": "number"}]
        },
    ),
]
_RESOURCE = "`processor:P1`, `link:P1->P2` with its ends as the platform lists them, `medium:wan`"


class Recorded(Answer):
    """What became of measurements."""

    platform: str
    stored: int = Field(description="values that are new")
    replaced: int = Field(description="values of the same resource and moment that were others")
    known: int = Field(description="values that were stored already")
    version: int = Field(description="of the platform's measurements; rises with each change")


class MeasuredValue(Answer):
    """A measured speed or bandwidth."""

    resource: str = Field(description=_RESOURCE)
    at: datetime
    value: ExactNumber = Field(description="work or data per time unit; 0: it is gone")


class LatestMeasurements(Answer):
    """The newest value of each resource that was measured."""

    platform: str
    version: int
    measured_at: datetime | None = Field(description="the newest moment")
    items: list[MeasuredValue]


class MeasurementPage(Answer):
    """Some measurements of one resource, the newest first."""

    items: list[MeasuredValue]
    next_page_token: str | None


class MeasuredEvent(BaseModel):
    """One server-sent event of what is measured."""

    id: str | None = Field(None, description="a version; every connection begins with all values")
    event: Literal["measured"] | None = None
    data: str | None = Field(
        None, description="JSON: as the same address without `/events` gives it, changed items only"
    )
    retry: int | None = Field(None, description="milliseconds; comes alone, first")


class DriftLinks(Answer):
    """Where the rest is. What is null is not there."""

    self: str
    platform: str
    measurements: str
    history: str
    replan: str | None


class DriftError(Answer):
    """Why the last evaluation came to nothing."""

    code: str
    detail: str


class Drift(Answer):
    """How a schedule is watched, and what it still does."""

    job: str
    platform: str
    loss: ExactNumber = Field(description="as asked")
    forecast: str = Field(description="as asked")
    samples: int = Field(description="as asked")
    solve: bool = Field(description="as asked")
    cost: ExactNumber | None = Field(description="as asked")
    horizon: ExactNumber | None = Field(description="as asked")
    max_period: str | None = Field(description="as asked")
    time_limit: float | None = Field(description="as asked")
    state: Literal["unmeasured", "waiting", "delayed", "kept", "drifted", "failed"] = Field(
        description="waiting: measurements have come that are not evaluated yet; delayed: they will"
        " be, `error` says why not yet; drifted: more is lost than `loss`; failed: see `error`"
    )
    planned: ExactNumber = Field(description="throughput of the schedule as it was made")
    kept: ExactNumber | None = Field(description="throughput with the same shares, as measured")
    lost: ExactNumber | None = Field(description="part of `planned`")
    limited_by: list[str]
    measured_at: datetime | None = Field(description="the newest measurement in `kept`")
    replan: str | None = Field(description="the newest plan that was made because of a loss")
    error: DriftError | None
    created_at: datetime
    links: DriftLinks


class HistoryItem(Answer):
    """What a watched schedule did from a moment on."""

    id: str
    job: str
    at: datetime
    planned: ExactNumber
    kept: ExactNumber
    lost: ExactNumber
    best: ExactNumber | None = Field(
        description="the best possible then; null where no new plan was made, or it is not solved"
    )
    limited_by: list[str] = Field(description="the bottleneck of what is kept")
    replan: str | None = Field(description="the plan that was made because of this loss")


class HistoryPage(Answer):
    """Some of the history of a platform, the newest first."""

    items: list[HistoryItem]
    next_page_token: str | None


class MeasuredBesidePlanned(Answer):
    """A measured value next to the planned one."""

    resource: str = Field(description=_RESOURCE)
    at: datetime
    planned: ExactNumber
    measured: ExactNumber
    slower: SignedNumber = Field(
        description="part of the planned value that is missing; below 0: it is faster"
    )
    text: str | None = Field(description="for people, from 5 % on")


class MeasuredJob(Answer):
    """What was measured for a job. An event has only the items that have changed, the first has all."""

    job: str
    platform: str
    version: int
    measured_at: datetime | None
    items: list[MeasuredBesidePlanned]
    drift: Drift | None = Field(description="null: the schedule is not watched")


class EpochLinks(Answer):
    """Where the rest is."""

    self: str
    schedule: str
    timeline: str = Field(description="the events of the period that runs")


class Epoch(Answer):
    """When a schedule has started, and where it is."""

    job: str
    epoch: datetime
    unit_seconds: ExactNumber
    at: datetime = Field(description="the moment that is asked for")
    elapsed: SignedNumber = Field(description="time units since the start; below 0 before it")
    period: ExactNumber
    position: ExactNumber = Field(description="time units since the start of the period that runs")
    number: str = Field(description="of the period that runs, from 1; 0 before the start")
    links: EpochLinks
