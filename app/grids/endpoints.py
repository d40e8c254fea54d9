"""``/v1/platforms/{platform_id}/measurements`` and ``/history``."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from app.db.new_jobs import OF_JOBS
from app.grids import history, measurements
from app.grids.feed import Seen, stream, watched_name
from app.grids.keeper import keeper_of
from app.grids.measurements import Series
from app.http.answers import Numbers, json_answer
from app.http.bodies import JSON, Body, body_reader, process_body
from app.http.identity import identity_of, tenant_of
from app.http.long_poll import WaitingPlace
from app.http.openapi import READS_BODY, answer, events, problems, reference, request_body
from app.http.pages import DEFAULT_LIMIT, Limit, PageToken, page_document, page_size
from app.http.parameters import documented
from app.http.refusals import refused_parameter
from app.http.resources import resources_of
from steadygrid.domain.moments import MOMENT

router = APIRouter(prefix="/v1/platforms/{platform_id}", tags=["measurements"])

_LONGEST = 2**22
_Body = Annotated[Body, Depends(body_reader([JSON], _LONGEST))]
_At = Annotated[str, documented(f"^{MOMENT}$", 40)]

Resource = Annotated[
    str | None,
    Query(max_length=415, description="all that was measured of this one, such as `processor:P1`"),
]
From = Annotated[
    _At | None, Query(alias="from", description="with `resource`: from this moment on")
]
To = Annotated[_At | None, Query(alias="to", description="with `resource`: before this moment")]
OfJob = Annotated[
    Annotated[str, documented(f"^{OF_JOBS}[0-9a-f]{{32}}$", 36)] | None,
    Query(max_length=200, description="only of this job"),
]


@router.post(
    "/measurements",
    openapi_extra=request_body({JSON: reference("MeasurementsRequest")}),
    responses={
        200: answer("They are stored; schedules are compared with them soon.", "Recorded"),
        **problems(404, *READS_BODY),
    },
)
async def post_measurements(request: Request, platform_id: str, body: _Body) -> Response:
    """Store measured speeds and bandwidths, once or several times.

    The same value of the same resource and moment may be sent again. Another value of them takes the
    place of the first.
    """
    ready = await process_body(request, body, measurements.read, platform_id, long=True)
    told = await run_in_threadpool(
        measurements.record, resources_of(request), tenant_of(request), platform_id, ready
    )
    keeper_of(request.app).nudge()
    return json_answer(told)


@router.get(
    "/measurements",
    responses={
        200: answer(
            "The newest values, or a page of one resource.",
            ["LatestMeasurements", "MeasurementPage"],
        ),
        **problems(404),
    },
)
def list_measurements(
    request: Request,
    platform_id: str,
    resource: Resource = None,
    begin: From = None,
    end: To = None,
    limit: Limit = DEFAULT_LIMIT,
    page_token: PageToken = None,
    numbers: Numbers = "exact",
) -> Response:
    """Give the newest value of each resource; with `resource`, all values of this one."""
    parts, tenant = resources_of(request), tenant_of(request)
    if resource is None:
        given = {"from": begin, "to": end, "page_token": page_token}
        for name, value in given.items():
            if value is not None:
                raise refused_parameter(name, "no_resource", "it needs `resource`")
        return json_answer(measurements.latest(parts, tenant, platform_id, numbers))
    wanted = Series(resource, begin, end)
    page = measurements.series(parts, tenant, platform_id, wanted, page_size(limit), page_token)
    items = [measurements.reading_document(one, numbers) for one in page.items]
    return json_answer(page_document(items, page.next_token))


@router.delete(
    "/measurements",
    status_code=204,
    responses={204: answer("Nothing is measured any more."), **problems(404)},
)
def delete_measurements(request: Request, platform_id: str) -> Response:
    """Forget all that was measured; schedules are compared with the plan again."""
    measurements.forget(resources_of(request), identity_of(request), platform_id)
    keeper_of(request.app).nudge()
    return Response(status_code=204)


@router.get(
    "/measurements/events",
    response_class=Response,
    responses={
        200: {
            "description": "Server-sent events `measured`: the first has the newest value of each"
            " resource, the others have what has changed.",
            "content": events("MeasuredEvent"),
        },
        **problems(404),
    },
)
async def follow_measurements(
    request: Request, platform_id: str, place: WaitingPlace, numbers: Numbers = "exact"
) -> Response:
    """Follow what is measured of a platform."""
    parts, tenant = resources_of(request), tenant_of(request)

    def see() -> Seen:
        document = measurements.latest(parts, tenant, platform_id, numbers)
        return Seen(watched_name(tenant, platform_id), document["version"], document)

    return await stream(parts, see, place)


@router.get(
    "/history",
    responses={200: answer("A page, the newest first.", "HistoryPage"), **problems(404)},
)
def list_history(
    request: Request,
    platform_id: str,
    job: OfJob = None,
    limit: Limit = DEFAULT_LIMIT,
    page_token: PageToken = None,
    numbers: Numbers = "exact",
) -> Response:
    """Tell what the watched schedules of a platform did over time: a member for each change."""
    page = history.listed(
        resources_of(request),
        tenant_of(request),
        platform_id,
        job,
        page_size(limit),
        page_token,
        numbers,
    )
    return json_answer(page_document(list(page.items), page.next_token))
