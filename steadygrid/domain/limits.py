"""How large a submission may be. The settings of a service extend these."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(gt=0)]


class Limits(BaseModel):
    """What this service accepts, as ``/v1/info`` shows it."""

    model_config = ConfigDict(frozen=True)

    max_body_bytes: Count = Field(64 * 2**20, description="bytes of the longest request body")
    max_processors: Count = Field(100_000, description="processors of a platform")
    max_links: Count = Field(200_000, description="links of a platform. Also its media and routes")
    max_tasks: Count = Field(5_000, description="tasks of an application")
    max_files: Count = Field(50_000, description="files of an application")
    max_coefficients: Count = Field(
        5_000_000, description="coefficients of a program, counted before it is built"
    )
    max_labelling_entries: Count | None = Field(
        None,
        description="entries that labelling tables hold together, or of a table of Steiner trees."
        " Also the option's default. Null: as many as there is memory for",
    )
    max_stream_tasks: Count = Field(
        1_000_000, description="tasks of a simulated stream, over all seeds"
    )
    max_simulated_operations: Count = Field(
        10_000_000, description="operations of a simulation, over all runs"
    )
    max_period_digits: Count = Field(1_000, description="decimal digits of an exact period")
    max_slot_transfers: Count = Field(
        1_000_000,
        description="transfers of a schedule: entries of cargo over all runs of links, or transfers over"
        " all slots",
    )
    max_sweep_jobs: Count = Field(10_000, description="jobs of a sweep")
    max_measurements: Count = Field(
        10_000, description="measured values of a request to re-plan, or of a series"
    )
