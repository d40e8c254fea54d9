"""Settings, from environment variables that begin with ``STEADYGRID_``, and the limits."""

import logging
import sys
from pathlib import Path
from typing import Annotated

import structlog
from pydantic import BaseModel, ConfigDict, Field
from pydantic_settings import BaseSettings, SettingsConfigDict

SOLVE_TASK = "steadygrid.solve_job"
"""The Celery task's name: all that the front end knows of the workers."""
SOLVE_QUEUE = "steadygrid"
"""The Celery queue of that task."""

Count = Annotated[int, Field(gt=0)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Limits(BaseModel):
    """What this service accepts, as ``/v1/info`` shows it."""

    model_config = ConfigDict(frozen=True)

    max_body_bytes: Count = Field(64 * 2**20, description="longest request body")
    max_processors: Count = 20_000
    max_links: Count = 200_000
    max_tasks: Count = 5_000
    max_files: Count = 50_000
    max_coefficients: Count = Field(5_000_000, description="of a program, before building")
    max_labelling_entries: Count = Field(200_000_000, description="of a labelling table")
    max_period_digits: Count = Field(1_000, description="decimal digits of an exact period")
    max_slot_transfers: Count = Field(1_000_000, description="transfers over all slots")


class Settings(BaseSettings, Limits):
    """Everything that an operator may set; each limit is a setting too.

    Without `database_url` the database is an SQLite file in `data_dir`; without `redis_url`
    there is no broker and the embedded worker takes the jobs from the table.
    """

    model_config = SettingsConfigDict(env_prefix="STEADYGRID_", frozen=True, extra="ignore")

    data_dir: Path = Field(Path(".steadygrid"), description="of the embedded database")
    database_url: str | None = Field(None, repr=False, description="sqlite:/// or postgresql://")
    redis_url: str | None = Field(None, repr=False, description="the broker; none: embedded")

    lease_seconds: Seconds = Field(30.0, description="a worker's claim on a job, unless renewed")
    heartbeat_seconds: Seconds = Field(5.0, description="between renewals of the lease")
    cancel_poll_seconds: Seconds = Field(1.0, description="between looks at the cancel flag")
    cancel_grace_seconds: Seconds = Field(3.0, description="for a solver to stop by itself")
    hard_stop_grace_seconds: Seconds = Field(30.0, description="past the time limit, then killed")
    sweep_seconds: Seconds = Field(10.0, description="between sweeps over the jobs table")
    max_queued_jobs: Count = Field(100_000, description="a longer queue answers 429")
    max_failures: Count = Field(5, description="lost attempts after which a job is poison")
    idempotency_days: Count = 7
    solver_memory_bytes: Count = Field(4 * 2**30, description="address space of a solver process")
    solver_jobs: Count = Field(50, description="jobs that a solver process does before it ends")
    pipeline: str = Field("workers.pipeline", description="the module whose run() solves")
    embedded_workers: Count = Field(1, description="jobs at a time in embedded mode")
    database_busy_seconds: Seconds = Field(30.0, description="patience with locks, SQLite")

    log_level: str = "INFO"
    log_json: bool = Field(False, description="one JSON object per line")

    @property
    def limits(self) -> Limits:
        """The limits alone."""
        return Limits.model_validate({name: getattr(self, name) for name in Limits.model_fields})

    def environment(self) -> dict[str, str]:
        """Give the variables that make a child process read these same settings."""
        return {
            f"STEADYGRID_{name.upper()}": str(value)
            for name, value in self.model_dump(mode="json").items()
            if value is not None
        }

    @property
    def embedded(self) -> bool:
        """Whether there is no broker."""
        return self.redis_url is None

    @property
    def effective_database_url(self) -> str:
        """`database_url`, or the SQLite file in the data directory."""
        if self.database_url is not None:
            return self.database_url
        return f"sqlite:///{self.data_dir.absolute() / 'steadygrid.db'}"

    @property
    def wake_paths(self) -> list[Path]:
        """The named pipes through which the front end wakes the embedded workers."""
        return [self.data_dir / f"wake-{number}" for number in range(self.embedded_workers)]

    @property
    def lock_path(self) -> Path:
        """The file whose lock says that a data directory is in use."""
        return self.data_dir / "lock"


def configure_logging(settings: Settings) -> None:
    """Send structured log lines to standard error, never a secret or an instance."""
    level = logging.getLevelNamesMapping().get(settings.log_level.upper(), logging.INFO)
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
