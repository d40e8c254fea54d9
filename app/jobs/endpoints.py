"""``/v1/jobs``."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from app.db.errors import DatabaseUnavailableError
from app.http.answers import ASK_AGAIN, Numbers, json_answer, to_json
from app.http.bodies import JSON, JsonBody, process_body
from app.http.conditions import immutable
from app.http.exporting import openapi_content, openapi_parameters
from app.http.idempotency import IdempotencyKey
from app.http.identity import identity_of, tenant_of
from app.http.long_poll import PING_SECONDS, WaitingPlace, opening
from app.http.openapi import READS_BODY, answer, events, problems, reference, request_body
from app.http.pages import DEFAULT_LIMIT, Limit, PageToken, page_document, page_size
from app.http.parameters import documented, documented_values
from app.http.preferences import WaitingTime
from app.http.refusals import Refusal, refused_header, refused_parameter
from app.http.resources import Resources, resources_of
from app.jobs import exports, listing, service
from app.jobs.deletion import MOST_DELETED, Before, delete_ended
from app.jobs.documents import job_document, told_quantities
from app.jobs.filters import (
    Kinds,
    LabelPairs,
    NamePart,
    NamePrefix,
    OfSweep,
    Order,
    Outcomes,
    States,
    Total,
    filters,
)
from app.jobs.labelling import ChangeBody, read_change, relabelled
from app.jobs.service import JOBS
from steadygrid.domain.errors import SchedulingError
from steadygrid.submissions.exports import EXPORTERS

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])

_STRONG_TAG = {"ETag": "strong: it never changes"}


LastEventId = Annotated[
    Annotated[str, documented("^[0-9]{0,9}$")] | None,
    Header(alias="Last-Event-ID", description="id of the last event seen: go on after it"),
]


@router.post(
    "",
    status_code=202,
    openapi_extra=request_body({JSON: reference("JobRequest")}),
    responses=JOBS.post_responses("The job, queued.", "Job", ["Validation", "FaultyBody"]),
)
async def submit_job(
    request: Request,
    body: JsonBody,
    wait: WaitingTime,
    validate_only: Annotated[
        bool, Query(description="check and size the body. Store nothing")
    ] = False,
    faults: Annotated[
        Literal["refuse", "answer"],
        Query(
            description="with `validate_only`: `answer` lists faults of the body with 200,"
            " for forms that are checked while one types"
        ),
    ] = "refuse",
    numbers: Numbers = "exact",
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Submit a problem. The answer comes at once, the job is done in the background."""
    if validate_only:
        try:
            checked = await process_body(request, body, service.validation, long=True)
        except (SchedulingError, Refusal) as error:
            if faults == "refuse" or not service.is_of_body(error):
                raise
            checked = service.faulty(error)
        return json_answer(checked)
    if faults != "refuse":
        detail = "it says how faults are answered with validate_only=true, and that was not sent"
        raise refused_parameter("faults", "parameter_not_applicable", detail)
    ready = await process_body(request, body, service.read, idempotency_key)
    return await JOBS.answer_post(request, ready, service.submit, numbers, wait)


@router.get(
    "",
    responses={200: answer("A page of jobs.", "JobPage"), **problems()},
)
def list_jobs(
    request: Request,
    state: States = None,
    kind: Kinds = None,
    label: LabelPairs = None,
    outcome: Outcomes = None,
    name: NamePrefix = "",
    sweep: OfSweep = None,
    find: NamePart = "",
    order: Order = "newest",
    total: Total = False,
    limit: Limit = DEFAULT_LIMIT,
    page_token: PageToken = None,
    numbers: Numbers = "exact",
) -> Response:
    """List jobs, the newest first unless `order` says otherwise."""
    parts, tenant = resources_of(request), tenant_of(request)
    wanted = filters(state, kind, label, outcome, name, sweep, find)
    page = listing.listed(
        parts, tenant, page_size(limit), page_token, wanted, oldest_first=order == "oldest"
    )
    items = [job_document(record, parts.entries, numbers) for record in page.items]
    document = page_document(items, page.next_token)
    if total:
        document["total"] = listing.count_jobs(parts, tenant, wanted)._asdict()
    return json_answer(document)


@router.delete(
    "",
    responses={
        200: answer(
            f"How many are gone: up to {MOST_DELETED:,}, those that ended first.", "Deletion"
        ),
        **problems(),
    },
)
def delete_jobs(
    request: Request,
    before: Before,
    state: States = None,
    kind: Kinds = None,
    label: LabelPairs = None,
    outcome: Outcomes = None,
    name: NamePrefix = "",
) -> Response:
    """Delete jobs that ended before a moment, with their schedules unless other jobs have them.

    At least one more parameter has to say which jobs; `more` says to ask again.
    """
    wanted = filters(state, kind, label, outcome, name)
    deletion = delete_ended(resources_of(request), identity_of(request), wanted, before)
    return json_answer(deletion._asdict())


@router.get("/{job_id}", responses=JOBS.get_responses("Job"))
async def get_job(
    request: Request,
    job_id: str,
    wait: WaitingTime,
    numbers: Numbers = "exact",
) -> Response:
    """Give a job; with `wait`, as soon as it has ended or the time is over."""
    return await JOBS.answer_get(request, job_id, numbers, wait)


@router.patch(
    "/{job_id}",
    openapi_extra=request_body({JSON: reference("JobChange")}),
    responses={
        200: answer("The job as it is now.", "Job"),
        **problems(*READS_BODY, 404, 410),
    },
)
async def change_job(
    request: Request, job_id: str, body: ChangeBody, numbers: Numbers = "exact"
) -> Response:
    """Set and remove labels of a job, in any state. The body that it was made of stays as it is."""
    asked = await process_body(request, body, read_change)
    parts, tenant = resources_of(request), tenant_of(request)
    record = await run_in_threadpool(relabelled, parts, tenant, job_id, asked)
    return json_answer(job_document(record, parts.entries, numbers))


@router.delete(
    "/{job_id}",
    status_code=204,
    responses={204: answer("The job is gone."), **problems(404, 409, 410)},
)
def delete_job(request: Request, job_id: str) -> Response:
    """Delete a job that has ended, and its schedule unless another job has it."""
    return JOBS.answer_delete(request, job_id)


@router.post(
    "/{job_id}/cancel",
    status_code=202,
    responses={
        202: answer("The job is being cancelled.", "Job", {"Retry-After": "seconds"}),
        200: answer("The job has ended. A job that was queued ends as cancelled.", "Job"),
        **problems(404, 410),
    },
)
def cancel_job(request: Request, job_id: str, numbers: Numbers = "exact") -> Response:
    """Ask for a job's end; one that has ended stays as it is."""
    return JOBS.answer_cancel(request, job_id, numbers)


@router.get(
    "/{job_id}/instance",
    responses={
        200: answer("The body that was posted, canonical.", "Instance"),
        **problems(404, 410),
    },
)
def get_job_instance(request: Request, job_id: str) -> Response:
    """Give the body that the job was made of. It can be posted again as it is."""
    return json_answer(service.instance(resources_of(request), tenant_of(request), job_id))


@router.get(
    "/{job_id}/draft",
    responses={
        200: answer("A body that can be edited, and posted again as it is.", "Draft"),
        **problems(404, 410),
    },
)
def get_job_draft(request: Request, job_id: str) -> Response:
    """Give the body as it was sent: ids of stored documents are ids, and changes are apart.

    Where something that it names is not stored any more, it is the canonical body.
    """
    return json_answer(service.draft(resources_of(request), tenant_of(request), job_id))


@router.get(
    "/{job_id}/result",
    responses={
        200: answer("What was found out. It never changes.", "Result", {"ETag": "strong"}),
        304: answer("The client has it already.", None, {"ETag": "strong"}),
        **problems(404, 409, 410),
    },
)
def get_job_result(request: Request, job_id: str, numbers: Numbers = "exact") -> Response:
    """Give the result of a job that has succeeded."""
    document = service.result(resources_of(request), tenant_of(request), job_id, numbers)
    return immutable(request, to_json(document))


@router.get(
    "/{job_id}/trace",
    responses={
        200: answer("What was known when, in the order of time.", "Trace", _STRONG_TAG),
        304: answer("The client has it already.", None, _STRONG_TAG),
        **problems(404, 409, 410),
    },
)
def get_job_trace(request: Request, job_id: str, numbers: Numbers = "exact") -> Response:
    """Give how the solve of a job that has succeeded came to its answer."""
    document = service.trace(resources_of(request), tenant_of(request), job_id, numbers)
    return immutable(request, to_json(document))


@router.get(
    "/{job_id}/export",
    response_class=Response,
    openapi_extra={"parameters": openapi_parameters(EXPORTERS.values())},
    responses={
        200: {
            "description": "The answer in the format that was asked for.",
            "content": openapi_content(EXPORTERS.values()),
        },
        **problems(404, 409, 410),
    },
)
def export_job(
    request: Request,
    job_id: str,
    format_name: Annotated[
        str,
        documented_values(EXPORTERS),
        Query(alias="format", description=exports.what_formats_are_for()),
    ],
) -> Response:
    """Give the result of a job that has succeeded, as its schedule runs it, in a foreign format."""
    given = {name: request.query_params.getlist(name) for name in request.query_params}
    given.pop("format")
    text = exports.export(resources_of(request), tenant_of(request), job_id, format_name, given)
    content_type = EXPORTERS[format_name].content_type
    return Response(text, headers={"Cache-Control": ASK_AGAIN}, media_type=content_type)


@router.get(
    "/{job_id}/events",
    response_class=Response,
    responses={
        200: {
            "description": "Server-sent events `state`, `progress` and, as the last, `end`."
            " Their ids are sequence numbers.",
            "content": events("JobEvent"),
        },
        204: answer("The event named by `Last-Event-ID` was the last one."),
        **problems(404, 410),
    },
)
async def get_job_events(
    request: Request,
    job_id: str,
    place: WaitingPlace,
    last_event_id: LastEventId = None,
    numbers: Numbers = "exact",
) -> Response:
    """Follow a job from its first event, or from `Last-Event-ID`, to its end.

    Where too many requests wait, the stream has what is known and ends: connect again.
    """
    parts, tenant = resources_of(request), tenant_of(request)
    after = _sequence_number(last_event_id)
    news = await run_in_threadpool(service.news, parts, tenant, job_id, after)
    if news.over and not news.events:
        return Response(status_code=204)
    return EventSourceResponse(
        _events(parts, tenant, job_id, after, news, numbers, place=place),
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _sequence_number(last_event_id: str | None) -> int:
    text = last_event_id or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise refused_header("Last-Event-ID", "invalid_event_id", "it is not an id of an event")
    return int(text)


async def _events(
    parts: Resources,
    tenant: str,
    job_id: str,
    after: int,
    news: service.News,
    numbers: str,
    *,
    place: bool,
) -> AsyncIterator[bytes]:
    yield opening(place)
    while True:
        for event in news.events:
            after = event.seq
            yield format_sse_event(
                data_str=_event_data(event.type, event.data, numbers),
                event=event.type,
                id=str(event.seq),
            )
        if news.over or not (place or news.events):
            return
        if not news.events and not await parts.watcher.changed(job_id, after, PING_SECONDS):
            if parts.shutdown.event.is_set():
                return
            yield KEEPALIVE_COMMENT
        try:
            news = await run_in_threadpool(service.news, parts, tenant, job_id, after)
        except (Refusal, DatabaseUnavailableError):
            return  # deleted meanwhile, or to be resumed by Last-Event-ID


def _event_data(kind: str, data: dict[str, Any], numbers: str) -> str:
    document = told_quantities(data, numbers) if kind == "progress" else data
    return to_json(document).decode()
