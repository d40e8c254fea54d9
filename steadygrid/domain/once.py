"""What results say of schedules that run once: their events, and who waits how long."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.rational import ExactRational, Whole


class LoadEvent(BaseModel):
    """A computation on a processor, or the transfer of an installment over a link."""

    model_config = ConfigDict(extra="forbid")

    start: ExactRational
    end: ExactRational
    kind: Literal["compute", "transfer"]
    processor: str | None = None
    link: tuple[str, str] | None = None
    load: str
    installment: Whole
    share: ExactRational = Field(description="of the whole load: computed, or sent on")


class Idleness(BaseModel):
    """How long a processor computes, and how long it could have until the makespan."""

    model_config = ConfigDict(extra="forbid")

    processor: str
    computing: ExactRational
    idle: ExactRational = Field(
        description="from its availability (or 0) to the makespan, less computing"
    )
