"""What the first page shows: what is going on, or how to begin."""

from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import Request

from app.http.identity import tenant_of
from app.http.resources import resources_of
from app.pages.jobs import row
from app.pages.sweeps import line
from steadygrid.domain.job import JobState
from steadygrid.domain.problem import Tile
from steadygrid.kinds import PROBLEMS

LAST = 20
"""Jobs of a list on the first page."""
SWEEPS = 5
"""On the first page; jobs of sweeps are not in its list of the last jobs."""
LATELY = timedelta(days=1)
"""So long a failure stays there."""


def tiles() -> dict[str, Tile]:
    """Give what people ask, by the kind of problem that answers."""
    return {kind: problem.tile for kind, problem in PROBLEMS.items() if problem.tile is not None}


def start(request: Request) -> dict[str, Any]:
    """Say what runs, what ended, what failed, who works and what waits."""
    parts = resources_of(request)
    with parts.database.read(tenant_of(request)) as unit:
        last = unit.jobs.page(LAST, sweep=None)
        sweeping = unit.sweeps.page(SWEEPS)
        running = unit.jobs.page(LAST, states=(JobState.RUNNING, JobState.CANCELLING))
        failed = unit.jobs.page(LAST, states=(JobState.FAILED,))
        workers = unit.workers.active()
        counts = unit.news.counts()
        waiting = unit.news.oldest_waiting()
    since = datetime.now(UTC) - LATELY
    recent = [r for r in failed.items if r.finished_at is not None and r.finished_at > since]
    return {
        "last": [row(record) for record in last.items],
        "running": [row(record) for record in running.items],
        "sweeping": [line(record) for record in sweeping.items],
        "failed": [row(record) for record in recent],
        "workers": workers,
        "counts": counts,
        "oldest": None if waiting is None else waiting.since,
        "tiles": tiles(),
        "JobState": JobState,
    }
