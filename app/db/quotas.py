"""What is known of a tenant, and how much it may have; loads no database."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Self

from app.settings import Settings

NAME_RULE = "1 to 63 lower-case letters, digits and hyphens"
TENANT_NAME = re.compile(r"[a-z0-9-]{1,63}", re.ASCII)


@dataclass(frozen=True)
class Quotas:
    """How much a tenant may have, and for how long. None: as much as the service takes."""

    queued_jobs: int | None
    """Those of sweeps apart."""
    sweep_jobs: int | None
    """Queued, or yet to be made."""
    running_jobs: int | None
    requests_per_minute: int | None
    waiting_requests: int
    """Event streams among them; each API process counts its own."""
    solver_seconds_per_day: int | None
    """That workers spend on its jobs. A day is one of UTC."""
    stored_bytes: int | None
    time_limit: float
    """Seconds, the longest of a job."""
    priority: int
    """The greatest of a job."""
    retention_days: int
    """Days for which ended jobs are kept; 0: for ever."""

    @classmethod
    def usual(cls, settings: Settings) -> Self:
        """Give what holds for tenants of whom nothing else is said."""
        return cls(
            queued_jobs=settings.tenant_queued_jobs,
            sweep_jobs=settings.tenant_sweep_jobs,
            running_jobs=settings.tenant_running_jobs,
            requests_per_minute=settings.tenant_requests_per_minute,
            waiting_requests=settings.tenant_waiting_requests,
            solver_seconds_per_day=settings.tenant_solver_seconds_per_day,
            stored_bytes=settings.tenant_stored_bytes,
            time_limit=settings.tenant_time_limit,
            priority=settings.tenant_priority,
            retention_days=settings.retention_days,
        )


QUOTAS = tuple(field.name for field in fields(Quotas))


@dataclass(frozen=True)
class TenantRecord:
    """A tenant, and what was last measured of it."""

    name: str
    created_at: datetime
    overrides: Mapping[str, Any]
    """The quotas, by name, that are not the usual ones; whole numbers but for the time limit."""
    measured_bytes: int | None
    measured_at: datetime | None
    retention_days: int | None = None
    """For so long its jobs are kept, if that differs from the default; 0: for ever."""
    weight: int = 1
    """Its share of the workers, besides other tenants."""

    def quotas(self, usual: Quotas) -> Quotas:
        """Give how much it may have."""
        return replace(usual, **self.overrides)


@dataclass(frozen=True)
class Use:
    """How many jobs a tenant has that have not ended."""

    queued: int
    """Those of sweeps apart."""
    running: int
    """Those that are being cancelled, too."""
    sweep_jobs: int = 0
    """Queued jobs of sweeps, and those that are yet to be made."""
