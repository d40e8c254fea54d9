"""The settings of tenants: how much each may have by default."""

from typing import Annotated

from pydantic import BaseModel, Field

from steadygrid.domain.job import MOST_PRIORITY
from steadygrid.domain.limits import Count
from steadygrid.environment import Seconds


class TenantSettings(BaseModel):
    """Quotas of all tenants; `app.db.quotas` has those of one."""

    tenant_running_jobs: Count | None = Field(
        None, description="jobs of one tenant that may run at a time. None: any number"
    )
    tenant_queued_jobs: Count | None = Field(
        None, description="jobs of one tenant that may wait. None: as many as of all"
    )
    tenant_sweep_jobs: Count | None = Field(
        None,
        description="jobs of one tenant's sweeps that may wait, in addition to `tenant_queued_jobs`. None:"
        " as many as of all",
    )
    tenant_requests_per_minute: Count | None = Field(
        None, description="requests of one tenant in a minute. None: any number"
    )
    tenant_waiting_requests: Count = Field(
        250,
        description="event streams and requests that wait, of one tenant at a time in each API process",
    )
    tenant_solver_seconds_per_day: Count | None = Field(
        None,
        description="seconds that workers may spend on one tenant's jobs on a day (UTC) before it can"
        " submit no more. None: any number",
    )
    tenant_stored_bytes: Count | None = Field(
        None,
        description="bytes that one tenant may have stored, packed. None: any number",
    )
    tenant_time_limit: Annotated[Seconds, Field(le=3600)] = Field(
        3600.0,
        description="seconds, the longest time limit of a job. Below 60 it is also the one of jobs"
        " that name none",
    )
    tenant_priority: int = Field(
        MOST_PRIORITY, ge=0, le=MOST_PRIORITY, description="the greatest priority of a job"
    )
