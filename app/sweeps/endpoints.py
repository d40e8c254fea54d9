"""``/v1/sweeps``."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from app.db.errors import DatabaseUnavailableError
from app.http.answers import ASK_AGAIN, Numbers, json_answer, to_json
from app.http.bodies import JSON, JsonBody, process_body
from app.http.conditions import immutable
from app.http.idempotency import IdempotencyKey
from app.http.identity import tenant_of
from app.http.long_poll import PING_SECONDS, WaitingPlace, opening
from app.http.long_running import REPLAYED
from app.http.openapi import answer, events, problems, reference, request_body
from app.http.pages import DEFAULT_LIMIT, Limit, PageToken, page_document, page_size
from app.http.parameters import documented
from app.http.preferences import WaitingTime
from app.http.refusals import Refusal
from app.http.resources import Resources, resources_of
from app.jobs.documents import job_document
from app.sweeps import service, table
from app.sweeps.documents import event_document, plan_document, sweep_document
from app.sweeps.service import SWEEPS

router = APIRouter(prefix="/v1/sweeps", tags=["sweeps"])

EVENT_SECONDS = 1.0
"""Between two looks at a sweep that a client follows."""
CSV = "text/csv"
_END = "end"
_STRONG_TAG = {"ETag": "strong: it never changes"}
_NO_STORE = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_CSV_TABLE = {"schema": {"type": "string"}}
_EITHER = ("Sweep", "WhatIf")

LastEvent = Annotated[
    Annotated[str, documented("^(end)?$")] | None,
    Header(alias="Last-Event-ID", description="`end` if the last event has been seen"),
]


@router.post(
    "",
    status_code=202,
    openapi_extra=request_body({JSON: reference("SweepRequest")}),
    responses=SWEEPS.post_responses(
        "The sweep. Its jobs are made and solved.", "Sweep", ["SweepValidation"]
    ),
)
async def submit_sweep(
    request: Request,
    body: JsonBody,
    wait: WaitingTime,
    validate_only: Annotated[
        bool, Query(description="check the template and its values. Store nothing")
    ] = False,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Solve a problem with some of its values varied: a job for each combination."""
    if validate_only:
        return json_answer(await process_body(request, body, service.validation, long=True))
    # Of each parameter all values are read, so that a short body may take long.
    ready = await process_body(request, body, service.read, idempotency_key, long=True)
    return await SWEEPS.answer_post(request, ready, service.submit, "exact", wait)


@router.get(
    "",
    responses={200: answer("A page of sweeps, the newest first.", "SweepPage"), **problems()},
)
def list_sweeps(
    request: Request, limit: Limit = DEFAULT_LIMIT, page_token: PageToken = None
) -> Response:
    """List sweeps, the newest first."""
    page = service.listed(resources_of(request), tenant_of(request), page_size(limit), page_token)
    items = [sweep_document(record) for record in page.items]
    return json_answer(page_document(items, page.next_token))


@router.get("/{sweep_id}", responses=SWEEPS.get_responses(*_EITHER))
async def get_sweep(
    request: Request,
    sweep_id: str,
    wait: WaitingTime,
    numbers: Numbers = "exact",
) -> Response:
    """Give a sweep; with `wait`, as soon as it has ended or the time is over."""
    return await SWEEPS.answer_get(request, sweep_id, numbers, wait)


@router.delete(
    "/{sweep_id}",
    status_code=204,
    responses={204: answer("The sweep is gone."), **problems(404, 409, 410)},
)
def delete_sweep(request: Request, sweep_id: str) -> Response:
    """Delete a sweep that has ended, with its jobs and their schedules. They go some at a time."""
    return SWEEPS.answer_delete(request, sweep_id)


@router.post(
    "/{sweep_id}/cancel",
    status_code=202,
    responses={
        202: answer("The sweep is being cancelled.", _EITHER, {"Retry-After": "seconds"}),
        200: answer("The sweep has ended.", _EITHER),
        **problems(404, 410),
    },
)
def cancel_sweep(request: Request, sweep_id: str, numbers: Numbers = "exact") -> Response:
    """Ask for a sweep's end: what is queued is cancelled, what runs is asked to stop."""
    return SWEEPS.answer_cancel(request, sweep_id, numbers)


@router.post(
    "/{sweep_id}/retry",
    status_code=202,
    responses={
        202: answer(f"How many new jobs there are, up to {service.MOST_RETRIED:,}.", "Retry"),
        200: answer("What an earlier request has done.", "Retry", REPLAYED),
        **problems(404, 409, 410),
    },
)
def retry_sweep(
    request: Request, sweep_id: str, idempotency_key: IdempotencyKey = None
) -> Response:
    """Make new jobs in place of those that have failed, which stay and name what replaces them."""
    made = service.retry(resources_of(request), tenant_of(request), sweep_id, idempotency_key)
    document = {"retried": made.record.retried, "more": made.record.more}
    if made.replayed:
        return json_answer(document, 200, {"Idempotent-Replayed": "true"})
    return json_answer(document, 202)


@router.get(
    "/{sweep_id}/plan",
    responses={
        200: answer("What was asked, canonical.", "SweepPlan", _STRONG_TAG),
        304: answer("The client has it already.", None, _STRONG_TAG),
        **problems(404, 410),
    },
)
def get_sweep_plan(request: Request, sweep_id: str) -> Response:
    """Give what the sweep was made of. It can be posted again as it is, unless it is a what-if."""
    found = service.whole(resources_of(request), tenant_of(request), sweep_id)
    return immutable(request, to_json(plan_document(found.record, found.plan)))


@router.get(
    "/{sweep_id}/jobs",
    responses={
        200: answer("A page of its jobs by index, of each the last try.", "JobPage"),
        **problems(404, 410),
    },
)
def list_sweep_jobs(
    request: Request,
    sweep_id: str,
    limit: Limit = DEFAULT_LIMIT,
    page_token: PageToken = None,
    numbers: Numbers = "exact",
) -> Response:
    """List the jobs of a sweep that are there, by their index."""
    parts, tenant = resources_of(request), tenant_of(request)
    page = service.jobs_listed(parts, tenant, sweep_id, page_size(limit), page_token)
    items = [job_document(record, parts.entries, numbers) for record in page.items]
    return json_answer(page_document(items, page.next_token))


@router.get(
    "/{sweep_id}/table",
    responses={
        200: {
            "description": "A page of rows. Where `Accept` asks for CSV, all of them.",
            "content": {JSON: {"schema": reference("TablePage")}, CSV: _CSV_TABLE},
        },
        **problems(404, 410),
    },
)
def get_sweep_table(
    request: Request,
    sweep_id: str,
    limit: Limit = DEFAULT_LIMIT,
    page_token: PageToken = None,
) -> Response:
    """Give what came of each job: parameters, value, bound, period, by index."""
    parts, tenant = resources_of(request), tenant_of(request)
    if _wants_csv(request.headers.get("accept")):
        return _csv(parts, tenant, sweep_id)
    page = table.page(parts, tenant, sweep_id, page_size(limit), page_token)
    items = [row.document() for row in page.items]
    return json_answer(page_document(items, page.next_token), headers={"Vary": "Accept"})


@router.get(
    "/{sweep_id}/table.csv",
    response_class=Response,
    responses={
        200: {"description": "All rows.", "content": {CSV: _CSV_TABLE}},
        **problems(404, 410),
    },
)
def get_table_csv(request: Request, sweep_id: str) -> Response:
    """Give the whole table as CSV (RFC 4180, UTF-8), exact numbers with their nearest doubles."""
    return _csv(resources_of(request), tenant_of(request), sweep_id)


def _csv(parts: Resources, tenant: str, sweep_id: str) -> Response:
    lines = table.csv(parts, tenant, sweep_id)
    fields = {
        "Cache-Control": ASK_AGAIN,
        "Content-Disposition": f'attachment; filename="{sweep_id}.csv"',
        "Vary": "Accept",
    }
    return StreamingResponse(lines, headers=fields, media_type=f"{CSV}; charset=utf-8")


def _wants_csv(accept: str | None) -> bool:
    """Whether CSV is named in ``Accept``, and before JSON."""
    named = [part.partition(";")[0].strip() for part in (accept or "").lower().split(",")]
    return CSV in named and (JSON not in named or named.index(CSV) < named.index(JSON))


@router.get(
    "/{sweep_id}/events",
    response_class=Response,
    responses={
        200: {
            "description": "Server-sent events `counts`, at first and at most once a second, and, as"
            " the last, `end`.",
            "content": events("SweepEvent"),
        },
        204: answer("The sweep has ended, and `Last-Event-ID` says that this is known."),
        **problems(404, 410),
    },
)
async def get_sweep_events(
    request: Request, sweep_id: str, place: WaitingPlace, last_event_id: LastEvent = None
) -> Response:
    """Follow how many jobs of a sweep are in which state, to its end.

    Where too many requests wait, the stream has one `counts` and ends: connect again.
    """
    parts, tenant = resources_of(request), tenant_of(request)
    news = await run_in_threadpool(service.news, parts, tenant, sweep_id)
    if news.record.state.final and last_event_id == _END:
        return Response(status_code=204)
    return EventSourceResponse(_events(parts, tenant, news, place=place), headers=_NO_STORE)


async def _events(
    parts: Resources, tenant: str, news: service.News, *, place: bool
) -> AsyncIterator[bytes]:
    yield opening(place)
    told, silent = None, 0.0
    while True:
        if news is not told:
            told, silent = news, 0.0
            data = to_json(event_document(*news)).decode()
            yield format_sse_event(data_str=data, event="counts")
            if news.record.state.final:
                yield format_sse_event(data_str=data, event=_END, id=_END)
                return
            if not place:
                return
        elif silent >= PING_SECONDS:
            silent = 0.0
            yield KEEPALIVE_COMMENT
        with suppress(TimeoutError):
            async with asyncio.timeout(EVENT_SECONDS):
                await parts.shutdown.event.wait()
        if parts.shutdown.event.is_set():
            return
        silent += EVENT_SECONDS
        try:
            news = await run_in_threadpool(service.news, parts, tenant, news.record.id, news)
        except (Refusal, DatabaseUnavailableError):
            return  # deleted meanwhile, or to be asked again
