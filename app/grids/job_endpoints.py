"""``/v1/jobs/{job_id}/drift``, ``/measured`` and ``/epoch``."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from app.grids import drift, epochs, measured
from app.grids.feed import Seen, stream, watched_name
from app.grids.keeper import keeper_of
from app.http.answers import Numbers, json_answer
from app.http.bodies import JSON, Body, body_reader, process_body
from app.http.identity import tenant_of
from app.http.long_poll import WaitingPlace
from app.http.openapi import READS_BODY, answer, events, problems, reference, request_body
from app.http.parameters import documented
from app.http.resources import resources_of
from steadygrid.domain.moments import MOMENT

router = APIRouter(prefix="/v1/jobs/{job_id}", tags=["measurements"])

_LONGEST = 2**16
_Body = Annotated[Body, Depends(body_reader([JSON], _LONGEST))]
At = Annotated[
    Annotated[str, documented(f"^{MOMENT}$", 40)] | None,
    Query(description="a moment as RFC 3339 has it; none: now"),
]


@router.put(
    "/drift",
    openapi_extra=request_body({JSON: reference("DriftRequest")}),
    responses={
        200: answer("The schedule is watched.", "Drift"),
        **problems(404, 409, 410, *READS_BODY),
    },
)
async def put_drift(
    request: Request, job_id: str, body: _Body, numbers: Numbers = "exact"
) -> Response:
    """Watch a schedule: when it has lost too much, a new plan is made by itself. Nothing is applied."""
    parts, tenant = resources_of(request), tenant_of(request)
    ready = await process_body(request, body, drift.read, job_id, long=True)
    await run_in_threadpool(drift.watch_job, parts, tenant, job_id, ready)
    keeper_of(request.app).nudge()
    return json_answer(await run_in_threadpool(drift.document, parts, tenant, job_id, numbers))


@router.get("/drift", responses={200: answer("How it stands.", "Drift"), **problems(404, 410)})
def get_drift(request: Request, job_id: str, numbers: Numbers = "exact") -> Response:
    """Tell how a schedule is watched, and what it still does."""
    return json_answer(drift.document(resources_of(request), tenant_of(request), job_id, numbers))


@router.delete(
    "/drift",
    status_code=204,
    responses={204: answer("It is not watched any more."), **problems(404, 410)},
)
def delete_drift(request: Request, job_id: str) -> Response:
    """Watch a schedule no more. Its history and its new plans stay."""
    drift.remove(resources_of(request), tenant_of(request), job_id)
    return Response(status_code=204)


@router.get(
    "/measured",
    responses={200: answer("Measured and planned values.", "MeasuredJob"), **problems(404, 410)},
)
async def get_measured(request: Request, job_id: str, numbers: Numbers = "exact") -> Response:
    """Give what was measured of the platform of a job, next to what was planned."""
    parts, tenant = resources_of(request), tenant_of(request)
    found = await run_in_threadpool(measured.look, parts, tenant, job_id)
    planned = await parts.readers.apart(
        request, tenant, measured.planned_values, b"", tenant, job_id
    )
    return json_answer(found.document(planned, numbers))


@router.get(
    "/measured/events",
    response_class=Response,
    responses={
        200: {
            "description": "Server-sent events `measured`: the first has all items, the others have"
            " those that have changed.",
            "content": events("MeasuredEvent"),
        },
        **problems(404, 410),
    },
)
async def follow_measured(
    request: Request, job_id: str, place: WaitingPlace, numbers: Numbers = "exact"
) -> Response:
    """Follow what is measured of the platform of a job, and what its schedule still does."""
    parts, tenant = resources_of(request), tenant_of(request)
    await run_in_threadpool(measured.look, parts, tenant, job_id)
    planned = await parts.readers.apart(
        request, tenant, measured.planned_values, b"", tenant, job_id
    )

    def see() -> Seen:
        found = measured.look(parts, tenant, job_id)
        changes = 0 if found.watch is None else found.watch.changes
        # A job may be watched, or watched no more, while its stream is open.
        followed = watched_name(tenant, found.platform_id if found.watch is None else job_id)
        version = found.measured.version + changes
        return Seen(followed, version, found.document(planned, numbers))

    return await stream(parts, see, place)


@router.put(
    "/epoch",
    openapi_extra=request_body({JSON: reference("EpochRequest")}),
    responses={
        200: answer("The start is known.", "Epoch"),
        **problems(404, 409, 410, *READS_BODY),
    },
)
async def put_epoch(
    request: Request, job_id: str, body: _Body, numbers: Numbers = "exact"
) -> Response:
    """Say when the schedule of a job has started, or will start."""
    parts, tenant = resources_of(request), tenant_of(request)
    epoch = await process_body(request, body, epochs.read, job_id)
    await run_in_threadpool(epochs.set_epoch, parts, tenant, job_id, epoch)
    return json_answer(
        await run_in_threadpool(epochs.document, parts, tenant, job_id, None, numbers)
    )


@router.get("/epoch", responses={200: answer("Where it is.", "Epoch"), **problems(404, 410)})
def get_epoch(request: Request, job_id: str, at: At = None, numbers: Numbers = "exact") -> Response:
    """Tell when the schedule of a job has started, and exactly where in its period it is."""
    return json_answer(
        epochs.document(resources_of(request), tenant_of(request), job_id, at, numbers)
    )


@router.delete(
    "/epoch", status_code=204, responses={204: answer("It runs no more."), **problems(404, 410)}
)
def delete_epoch(request: Request, job_id: str) -> Response:
    """Say that the schedule of a job runs no more."""
    epochs.set_epoch(resources_of(request), tenant_of(request), job_id, None)
    return Response(status_code=204)
