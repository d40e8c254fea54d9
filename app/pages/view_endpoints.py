"""``/v1/jobs/{job_id}/views``."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from app.access import views
from app.http.answers import json_answer, moment
from app.http.bodies import JSON, Body, body_reader, process_body, read_json
from app.http.identity import tenant_of
from app.http.openapi import READS_BODY, answer, problems, reference, request_body
from app.http.resources import Resources, resources_of
from app.http.sources import Sources
from app.jobs.service import JOBS
from steadygrid.domain.text import Frozen
from steadygrid.submissions.submission import parse_model

router = APIRouter(prefix="/v1/jobs/{job_id}/views", tags=["jobs"])

_LONGEST = 2**12
_Body = Annotated[Body, Depends(body_reader([JSON], _LONGEST))]


class ViewRequest(Frozen):
    """For how long a page of a job can be read without a key."""

    seconds: int = Field(3_600, ge=60, le=86_400, description="for which the page is there")


@router.post(
    "",
    status_code=201,
    openapi_extra=request_body({JSON: reference("ViewRequest")}),
    responses={201: answer("The page is there.", "View"), **problems(404, 410, *READS_BODY)},
)
async def create_view(request: Request, job_id: str, body: _Body) -> Response:
    """Make a page of a job that any reader with its address can see and embed, for a while."""
    parts, tenant = resources_of(request), tenant_of(request)
    asked = await process_body(request, body, _read)
    told = await run_in_threadpool(_begin, parts, tenant, job_id, asked)
    return json_answer(told, 201, {"Location": told["links"]["page"], "Cache-Control": "no-store"})


@router.delete(
    "",
    status_code=204,
    responses={204: answer("Their pages are gone."), **problems(404, 410)},
)
def delete_views(request: Request, job_id: str) -> Response:
    """End all such pages of a job."""
    parts, tenant = resources_of(request), tenant_of(request)
    with parts.database.write(tenant) as unit:
        JOBS.existing(unit, job_id)
        unit.views.end(tenant, job_id)
    return Response(status_code=204)


def _read(_parts: Sources, _tenant: str, body: Body) -> ViewRequest:
    return parse_model(ViewRequest, read_json(body, {}))


def _begin(parts: Resources, tenant: str, job_id: str, asked: ViewRequest) -> dict[str, Any]:
    with parts.database.write(tenant) as unit:
        begun = views.begin(unit, tenant, job_id, asked.seconds)
        if begun is None:
            raise JOBS.missing(unit, job_id)
    return {
        "job": job_id,
        "token": begun.token,
        "expires_at": moment(begun.expires_at),
        "links": {"page": begun.path, "job": f"/v1/jobs/{job_id}"},
    }
