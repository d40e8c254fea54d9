"""What results say of schedules that run once: their events, and who waits how long."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.rational import ExactRational, Whole


class LoadEvent(BaseModel):
    """A computation on a processor, or the transfer of an installment over a link."""

    model_config = ConfigDict(extra="forbid")

    start: ExactRational = Field(description="time units from the start of the schedule")
    end: ExactRational = Field(description="time units from the start of the schedule")
    kind: Literal["compute", "transfer"] = Field(
        description="whether the event is a computation or a transfer"
    )
    processor: str | None = Field(None, description="that computes. Null for a transfer")
    link: tuple[str, str] | None = Field(
        None, description="sender and receiver of a transfer. Null for a computation"
    )
    load: str = Field(description="id of the load")
    installment: Whole = Field(description="or round, from 1")
    share: ExactRational = Field(description="of the whole load: computed, or sent on")


class Idleness(BaseModel):
    """How long a processor computes, and how long it could have until the makespan."""

    model_config = ConfigDict(extra="forbid")

    processor: str = Field(description="id of the processor")
    computing: ExactRational = Field(description="time for which it computes")
    idle: ExactRational = Field(
        description="from its availability (or 0) to the makespan, less computing"
    )
