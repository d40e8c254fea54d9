"""Answers to operators."""

from datetime import datetime

from pydantic import BaseModel, Field

from steadygrid.domain.limits import Limits


class Health(BaseModel):
    """The process answers."""

    status: str


class Readiness(BaseModel):
    """The process answers, and its database answers and takes writes."""

    status: str
    warnings: list[str] = Field(description="what keeps jobs from being done, requests aside")


class Solver(BaseModel):
    """A version of a solver library, as the workers seen lately have registered it."""

    name: str
    version: str
    workers: int = Field(description="workers that have it")


class TenantQuotas(BaseModel):
    """How much a tenant may have; null: as much as the service takes."""

    queued_jobs: int | None = Field(description="those of sweeps apart")
    sweep_jobs: int | None = Field(description="queued jobs of sweeps")
    running_jobs: int | None
    requests_per_minute: int | None
    waiting_requests: int = Field(
        description="event streams and requests that wait, in each API process"
    )
    solver_seconds_per_day: int | None = Field(
        description="that workers spend on its jobs on a day of UTC, before it can submit no more"
    )
    stored_bytes: int | None
    time_limit: float = Field(description="seconds, the longest of a job")
    priority: int = Field(description="the greatest of a job")
    retention_days: int = Field(description="for which ended jobs are kept. 0: for ever")


class TenantInfo(BaseModel):
    """The caller: how much it may have, and how much it has."""

    name: str
    quotas: TenantQuotas
    queued_jobs: int = Field(description="those of sweeps apart")
    sweep_jobs: int = Field(description="of sweeps: queued, or yet to be made")
    running_jobs: int = Field(description="those that are being cancelled, too")
    solver_seconds_today: float = Field(
        description="that workers have spent on its jobs since 00:00 UTC, in attempts that have ended"
    )
    stored_bytes: int | None = Field(
        description="packed, when they were last measured, and what has been posted since then"
    )
    measured_at: datetime | None


class Info(BaseModel):
    """What this service is and what it accepts."""

    name: str
    version: str
    limits: Limits
    tenant: TenantInfo
    problem_limits: dict[str, dict[str, int]] = Field(
        description="limits of single kinds, which no setting changes. Kinds without are left out"
    )
    solvers: list[Solver]
    pictures: bool = Field(description="whether this service can draw pictures")
    problems: list[str] = Field(description="kinds of problems. See /v1/problems")
    platform_formats: list[str] = Field(description="content types of POST /v1/platforms")
    application_formats: list[str] = Field(description="content types of POST /v1/applications")
