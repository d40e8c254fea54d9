"""What changes among jobs, and how things stand; sync, for a thread."""

from collections.abc import Collection, Mapping
from typing import Any

from app.db.engine import Database
from app.db.news import Snapshot, Version
from app.db.unit import Unit
from app.http.answers import moment
from app.http.feed import Change, Look
from app.http.resources import Resources
from steadygrid.domain.job import JobState


def summary(parts: Resources, tenant: str) -> dict[str, Any]:
    """Say how things stand.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Whose jobs.
    """
    with parts.database.read(tenant) as unit:
        return _summary(unit)


def _summary(unit: Unit) -> dict[str, Any]:
    waiting = unit.news.oldest_waiting()
    return {
        **{state.value: count for state, count in unit.news.counts().items()},
        "workers": len(unit.workers.active()),
        "oldest_waiting": None
        if waiting is None
        else {"id": waiting.id, "created_at": moment(waiting.since)},
    }


def look(database: Database, tenant: str, before: Snapshot | None, wants_summary: bool) -> Look:
    """Look at a tenant's jobs and compare them with what the poll before found.

    See `app.http.feed.LookAt`.

    Parameters
    ----------
    database
        Where jobs are stored.
    tenant
        Whose jobs.
    before
        What the poll before found. None: this is the first.
    wants_summary
        Whether numbers of jobs by state are wanted, too.
    """
    with database.read(tenant) as unit:
        known = {} if before is None else before.versions
        newest = unit.news.newest() if before is None else max(known, default="")
        # First, so that no job is found whose deletion is reported.
        deleted = unit.news.deleted()
        found = unit.news.versions(newest)
        waiting = {job: one for job, one in unit.news.waiting().items() if job not in found}
        found |= waiting
        snapshot = Snapshot(found, deleted)
        summed = _summary(unit) if wants_summary else None
        if before is None:
            return Look(snapshot, [], frozenset(), summed)
        # Those never claimed are here because others have gone.
        moved_up = {job for job, one in waiting.items() if one.seq == 1 and job not in known}
        changes = _changes(unit, known, found, moved_up)
        return Look(snapshot, changes, deleted - before.deleted, summed)


def _changes(
    unit: Unit,
    before: Mapping[str, Version],
    found: dict[str, Version],
    unchanged: Collection[str],
) -> list[Change]:
    """List the jobs whose version has changed, and note the versions that are reported.

    A job that was running and is not among those found any more may be queued again, or its end
    may have an early date because it was long in coming to the database.
    """
    newest = max(before, default="")
    suspects = [
        job for job, version in found.items() if before.get(job) != version and job not in unchanged
    ]
    suspects += [
        job for job, version in before.items() if job not in found and not version.state.final
    ]
    changes = []
    for record in unit.news.records(sorted(suspects)):
        known = before.get(record.id)
        if known is not None and known.seq == record.seq:
            continue
        if record.id in found:
            found[record.id] = Version(record.seq, record.state)
        if known is not None:
            changes.append(Change(record, known.state))
        else:
            # It is new, or was not looked at before because it had been waiting for long.
            changes.append(Change(record, JobState.QUEUED if record.id < newest else None))
    return changes
