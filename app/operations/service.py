"""What operators read."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import structlog
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import CollectorRegistry

from app.applications.service import SHELF as APPLICATIONS
from app.db.engine import Database
from app.db.errors import DatabaseFullError, DatabaseUnavailableError
from app.db.workers import WorkerRecord
from app.http.answers import moment
from app.http.pictures import pictures_installed
from app.http.quotas import quotas_of
from app.http.refusals import Refusal
from app.http.resources import Resources
from app.operations.streams import FOLDER_OF_COUNTS
from app.platforms.service import SHELF as PLATFORMS
from app.publisher import MOST_MESSAGES
from steadygrid.kinds import PROBLEMS, SOLVES

RETRY_SECONDS = 5
NO_WORKER = "no worker was seen in the last two minutes: jobs are accepted, and wait"

ALL_DRAINED = (
    "all workers seen in the last two minutes are drained: jobs are accepted, and wait until"
    " `steadygrid admin resume` lets a worker take jobs"
)
NO_WORKER_FOR = "no worker seen in the last two minutes solves {}: such jobs are accepted, and wait"
OLD_WORKERS_FOR = (
    "all workers seen in the last two minutes that solve {} are older than this service: such jobs"
    " that need a newer one are accepted, and wait"
)

log = structlog.get_logger(__name__)


def info(parts: Resources, tenant: str) -> dict[str, Any]:
    """Say what this service is, and to a tenant how much it may have and has.

    The solvers' versions are those that workers have registered.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    """
    with parts.database.read_all() as unit:
        workers = unit.workers.active()
        found, use = unit.tenants.get(tenant), unit.tenants.use(tenant)
        day = unit.tenants.solver_day(tenant)
    versions = Counter(item for worker in workers for item in worker.versions.items())
    return {
        "name": "steadygrid",
        "version": parts.version,
        "limits": parts.settings.limits.model_dump(),
        "tenant": {
            "name": tenant,
            "quotas": asdict(quotas_of(parts.settings, found)),
            "queued_jobs": use.queued,
            "sweep_jobs": use.sweep_jobs,
            "running_jobs": use.running,
            "solver_seconds_today": round(day.used, 3),
            "stored_bytes": None if found is None else found.measured_bytes,
            "measured_at": None if found is None else moment(found.measured_at),
        },
        "problem_limits": {
            kind: dict(problem.limits) for kind, problem in PROBLEMS.items() if problem.limits
        },
        "solvers": [
            {"name": name, "version": version, "workers": count}
            for (name, version), count in sorted(versions.items())
        ],
        "pictures": pictures_installed(),
        "problems": list(PROBLEMS),
        "platform_formats": PLATFORMS.content_types,
        "application_formats": APPLICATIONS.content_types,
    }


def readiness(parts: Resources) -> dict[str, Any]:
    """Say whether requests can be served, and warn if no worker takes jobs.

    Raises
    ------
    Refusal
        ``unavailable``: the database can be read and not written.
    DatabaseFullError
        That is so because its disk is full.
    DatabaseUnavailableError
        It cannot be read either.
    """
    with parts.database.read_all() as unit:
        workers = unit.workers.active()
    try:
        parts.database.try_write()
    except DatabaseFullError:
        raise
    except DatabaseUnavailableError:
        raise Refusal(
            "unavailable",
            "The database answers but takes no writes. The log has its reason.",
            headers={"Retry-After": str(RETRY_SECONDS)},
        ) from None
    return {"status": "ready", "warnings": _idle(workers)}


def _idle(workers: Sequence[WorkerRecord]) -> list[str]:
    """Say which jobs no worker takes."""
    if not workers:
        return [NO_WORKER]
    taking = [worker for worker in workers if worker.drained_at is None]
    if not taking:
        return [ALL_DRAINED]
    skills = [worker.skills for worker in taking if worker.skills is not None]
    if len(skills) < len(taking):
        return []
    levels = {kind: [one.level for one in skills if kind in one.kinds] for kind in PROBLEMS}
    alone = sorted(kind for kind, found in levels.items() if not found)
    behind = sorted(kind for kind, found in levels.items() if found and max(found) < SOLVES)
    return [
        text.format(", ".join(kinds))
        for text, kinds in ((NO_WORKER_FOR, alone), (OLD_WORKERS_FOR, behind))
        if kinds
    ]


def enough_messages(database: Database) -> int:
    """Say how many messages for workers may wait in a queue: one for each worker, and at least one.

    Who takes a job wakes the next worker. Versions before this one did not always, so where such a
    worker is known there may be as many messages as jobs, to a limit.

    Parameters
    ----------
    database
        Where workers have registered.
    """
    try:
        with database.read_all() as unit:
            workers = unit.workers.active()
    except DatabaseUnavailableError:
        return MOST_MESSAGES
    if any(one.skills is None or one.skills.level < SOLVES for one in workers):
        return MOST_MESSAGES
    return min(MOST_MESSAGES, max(1, len(workers)))


def all_processes(own: CollectorRegistry) -> CollectorRegistry:
    """Give the registry that describes all API processes behind this one's port.

    They keep their counts in files of one folder, also those of processes that have ended.

    Parameters
    ----------
    own
        What this process counts, which is all where it is alone.
    """
    if FOLDER_OF_COUNTS not in os.environ:
        return own
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
