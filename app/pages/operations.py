"""What the page for operators shows: all tenants' queue, workers, failures, and what they use."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from fastapi import Request

from app.db.counters import Count
from app.db.overview import Place
from app.http.resources import resources_of
from steadygrid.domain.job import JobState

LAST = 20
"""Failed jobs that are listed."""
MOST_TENANTS = 200
"""Tenants that are listed, those with most to do first."""


class TenantLine(NamedTuple):
    """A tenant, and what it has."""

    name: str
    queued: int
    running: int
    failed: int
    waited: float | None
    """Seconds, of its oldest queued job."""
    seconds: float
    """That workers have spent on its jobs."""
    today: float
    """Those of this day, in UTC."""
    stored: int | None


class KindLine(NamedTuple):
    """A kind of problems, and its jobs."""

    kind: str
    queued: int
    running: int
    succeeded: int
    failed: int


def operations(request: Request) -> dict[str, Any]:
    """Say how the service stands, for who may look at all of it."""
    parts = resources_of(request)
    now = datetime.now(UTC)
    with parts.database.read_all() as unit:
        places = unit.overview.places()
        ended = unit.overview.ended()
        oldest = unit.overview.oldest_queued()
        seconds = unit.overview.seconds()
        failed = unit.overview.failed(LAST)
        workers = unit.workers.active()
        held = unit.overview.held()
        tenants = unit.tenants.all()
        today = unit.tenants.solver_seconds()
        sweeper = unit.counters.all().get(Count.SWEEPS)
    codes: Counter[str] = Counter()
    for which, jobs in ended.items():
        if which.state is JobState.FAILED:
            codes[which.detail] += jobs.number
    waited = {name: (now - since).total_seconds() for name, since in oldest.items()}
    stored = {one.name: one.measured_bytes for one in tenants}
    names = {*stored, *(place.tenant for place in places)}
    lines = [
        TenantLine(
            name,
            *_numbers(places, "tenant", name),
            waited.get(name),
            seconds.get(name, 0.0),
            today.get(name, 0.0),
            stored.get(name),
        )
        for name in names
    ]
    lines.sort(key=lambda line: (-line.queued - line.running, line.name))
    return {
        "tenants": lines[:MOST_TENANTS],
        "more_tenants": max(0, len(lines) - MOST_TENANTS),
        "kinds": _kinds(places),
        "oldest_wait": max(waited.values(), default=None),
        "codes": codes.most_common(),
        "failed": failed,
        "workers": workers,
        "held": held,
        "sweeper": sweeper,
    }


def _numbers(
    places: Mapping[Place, Mapping[JobState, int]], member: str, value: str
) -> tuple[int, int, int]:
    """Add up the jobs that are queued, running and failed, of one tenant or kind."""
    found = [counts for place, counts in places.items() if getattr(place, member) == value]
    return (
        sum(counts[JobState.QUEUED] for counts in found),
        sum(counts[JobState.RUNNING] + counts[JobState.CANCELLING] for counts in found),
        sum(counts[JobState.FAILED] for counts in found),
    )


def _kinds(places: Mapping[Place, Mapping[JobState, int]]) -> list[KindLine]:
    lines = []
    for kind in sorted({place.kind for place in places}):
        queued, running, failed = _numbers(places, "kind", kind)
        done = sum(
            counts[JobState.SUCCEEDED] for place, counts in places.items() if place.kind == kind
        )
        lines.append(KindLine(kind, queued, running, done, failed))
    return lines
