"""Streams of what is measured: all at first, then what has changed."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping
from typing import Any, NamedTuple

from fastapi import Response
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.http.answers import to_json
from app.http.long_poll import PING_SECONDS, opening
from app.http.refusals import Refusal
from app.http.resources import Resources
from app.http.watcher import Sighting
from app.sweeps.service import look as look_at_jobs

MEASURED = "measured"
"""The only event of these streams."""
_SIGN = "grid "


class Seen(NamedTuple):
    """What a stream tells, at a moment."""

    followed: str
    """What the watcher looks at until there is more to tell. See `watched_name`."""
    version: int
    """Rises with each change."""
    document: Mapping[str, Any]
    """Its member ``items`` has values by ``resource``; only those that have changed are repeated."""


def watched_name(tenant: str, one: str) -> str:
    """Name for the watcher what a stream follows.

    Parameters
    ----------
    tenant
        Whose it is.
    one
        Id of a platform, or of a watched job.
    """
    return f"{_SIGN}{tenant} {one}"


def look(database: Database, ids: Collection[str]) -> Mapping[str, Sighting]:
    """Look at what clients wait for, of all owners: jobs, sweeps, and what is measured.

    Parameters
    ----------
    database
        Where the service stores everything.
    ids
        Of jobs and sweeps, and names of `watched_name`.
    """
    names = [one for one in ids if one.startswith(_SIGN)]
    others = set(ids).difference(names)
    found = dict(look_at_jobs(database, others)) if others else {}
    if names:
        keys = {tuple(name.removeprefix(_SIGN).split(" ")): name for name in names}
        with database.read_all() as unit:
            versions = unit.watch_work.versions([(tenant, one) for tenant, one in keys])
        found |= {keys[key]: Sighting(False, version) for key, version in versions.items()}
    return found


async def stream(parts: Resources, see: Callable[[], Seen], place: bool) -> Response:
    """Answer with a stream of server-sent events; `Refusal` where there is nothing to follow.

    Parameters
    ----------
    parts
        The parts of the running application.
    see
        Gives what is to be told, or refuses; called in a thread.
    place
        Whether the request may wait.
    """
    first = await run_in_threadpool(see)
    return EventSourceResponse(
        _events(parts, see, first, place=place),
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(
    parts: Resources, see: Callable[[], Seen], seen: Seen, *, place: bool
) -> AsyncIterator[bytes]:
    yield opening(place)
    yield _event(seen.version, seen.document)
    while place:
        if not await parts.watcher.changed(seen.followed, seen.version, PING_SECONDS):
            if parts.shutdown.event.is_set():
                return
            yield KEEPALIVE_COMMENT
        try:
            now = await run_in_threadpool(see)
        except (Refusal, DatabaseUnavailableError):
            return  # it is gone, or the client connects again
        if (now.followed, now.version) != (seen.followed, seen.version):
            yield _event(now.version, _changes(seen.document, now.document))
            seen = now


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    known = {one["resource"]: one for one in before["items"]}
    changed = [one for one in now["items"] if known.get(one["resource"]) != one]
    return {**now, "items": changed}


def _event(version: int, document: Mapping[str, Any]) -> bytes:
    return format_sse_event(data_str=to_json(document).decode(), event=MEASURED, id=str(version))
