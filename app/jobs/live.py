"""``/v1/events`` and ``/v1/summary``: how things stand, and what changes among all jobs."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from app.error_entries import ErrorEntries
from app.http.answers import Numbers, json_answer, to_json
from app.http.feed import Change, Feed, Listener
from app.http.identity import tenant_of
from app.http.long_poll import PING_SECONDS, WaitingPlace, opening
from app.http.openapi import answer, events, problems
from app.http.resources import resources_of
from app.jobs import news
from app.jobs.documents import job_document
from app.jobs.filters import Filters, Kinds, LabelPairs, OfSweep, States, filters

router = APIRouter(prefix="/v1", tags=["jobs"])

EVENT_SECONDS = 0.5
"""Between two events `jobs` of one stream, at least."""
MOST_JOBS = 100
"""In one event."""
_NO_STORE = {"Cache-Control": "no-store"}


@router.get("/summary", responses={200: answer("How things stand.", "Summary"), **problems()})
def get_summary(request: Request) -> Response:
    """Count jobs by state, and the workers. Costs the same however many jobs there are."""
    return json_answer(news.summary(resources_of(request), tenant_of(request)), headers=_NO_STORE)


@router.get(
    "/events",
    response_class=Response,
    responses={
        200: {
            "description": "Server-sent events `summary`, at first and every five seconds, and"
            " `jobs`: at most two a second, of at most 100 jobs that have changed or were deleted."
            " Nothing is repeated: list the jobs when the first `summary` of a connection has"
            " come.",
            "content": events("LiveEvent"),
        },
        **problems(),
    },
)
async def follow_jobs(
    request: Request,
    place: WaitingPlace,
    state: States = None,
    kind: Kinds = None,
    label: LabelPairs = None,
    sweep: OfSweep = None,
    numbers: Numbers = "exact",
) -> Response:
    """Follow all jobs; with `state`, those that enter one of these states or leave it.

    Of all jobs that are deleted the ids are reported. Where too many requests wait, the
    stream has one `summary` and ends: connect and list again.
    """
    parts, tenant = resources_of(request), tenant_of(request)
    wanted = filters(state, kind, label, sweep=sweep)
    # Without the database there is no stream: a client that sees this answer tries again.
    summary = await run_in_threadpool(news.summary, parts, tenant)
    listener = Listener(tenant, lambda change: _wants(wanted, change))
    stream = (
        write_events(parts.feed, listener, parts.entries, numbers)
        if place
        else _write_summary(summary)
    )
    return EventSourceResponse(stream, headers=_NO_STORE | {"X-Accel-Buffering": "no"})


def _wants(wanted: Filters, change: Change) -> bool:
    record = change.record
    states, kinds = wanted.states, wanted.kinds
    return (
        (not states or record.state in states or change.before in states)
        and (not kinds or record.kind in kinds)
        and wanted.matches_sweep(record.sweep_id)
        and all(record.labels.get(key) == value for key, value in wanted.labels)
    )


async def write_events(
    feed: Feed, listener: Listener, entries: ErrorEntries, numbers: str
) -> AsyncIterator[bytes]:
    """Write what a listener hears as server-sent events, until it has to list again.

    Parameters
    ----------
    feed
        Polls for the listener's tenant.
    listener
        What it hears is written.
    entries
        Say where the guide describes the errors of failed jobs.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    yield opening(True)
    with feed.listening(listener):
        while not listener.over:
            if not await listener.wait(PING_SECONDS):
                yield KEEPALIVE_COMMENT
                continue
            summary = listener.summary()
            if summary is not None:
                yield _event("summary", to_json(summary))
            changed = listener.jobs(MOST_JOBS)
            if changed:
                items = b",".join(
                    _written(one, entries, numbers) for one in changed.values() if one
                )
                deleted = to_json([job for job, change in changed.items() if change is None])
                yield _event("jobs", b'{"items":[%b],"deleted":%b}' % (items, deleted))
                await asyncio.sleep(EVENT_SECONDS)


async def _write_summary(summary: Mapping[str, Any]) -> AsyncIterator[bytes]:
    yield opening(False)
    yield _event("summary", to_json(summary))


def _written(change: Change, entries: ErrorEntries, numbers: str) -> bytes:
    """Write a job for the first who hears of it, and for all others."""
    if numbers not in change.written:
        change.written[numbers] = to_json(job_document(change.record, entries, numbers))
    return change.written[numbers]


def _event(name: str, data: bytes) -> bytes:
    return format_sse_event(data_str=data.decode(), event=name)
