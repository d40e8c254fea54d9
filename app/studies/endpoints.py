"""``/v1/jobs/{job_id}/what-if``, ``/v1/jobs/{job_id}/replan`` and ``/v1/replans``."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from app.http.answers import Numbers, json_answer
from app.http.bodies import JSON, Body, body_reader, process_body
from app.http.idempotency import IdempotencyKey
from app.http.identity import tenant_of
from app.http.openapi import answer, problems, reference, request_body
from app.http.pages import DEFAULT_LIMIT, Limit, PageToken, page_document, page_size
from app.http.parameters import documented
from app.http.preferences import WaitingTime
from app.http.resources import resources_of
from app.studies import replans, what_if
from app.studies.documents import replan_document
from app.studies.replans import REPLANS
from app.sweeps.service import SWEEPS

router = APIRouter(prefix="/v1", tags=["studies"])

_LONGEST = 2**22
"""Bytes of a request: as many names and measurements as are accepted have less."""
_StudyBody = Annotated[Body, Depends(body_reader([JSON], _LONGEST))]

ValidateOnly = Annotated[bool, Query(description="tell what would be made. Store nothing")]
OfJob = Annotated[
    Annotated[str, documented("^job_[0-9a-f]{32}$", 36)] | None,
    Query(max_length=200, description="only those of the schedule of this job"),
]


@router.post(
    "/jobs/{job_id}/what-if",
    status_code=202,
    openapi_extra=request_body({JSON: reference("WhatIfRequest")}),
    responses=SWEEPS.post_responses(
        "The sweep that solves, with everything that would help.",
        "WhatIf",
        ["WhatIfValidation"],
        *(404, 409),
    ),
)
async def ask_what_if(
    request: Request,
    job_id: str,
    body: _StudyBody,
    wait: WaitingTime,
    validate_only: ValidateOnly = False,
    numbers: Numbers = "exact",
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Ask what would help: resources that could be faster, or fail. The most promising are solved.

    The sweep lists all of them at once, with what no schedule could exceed then. What its jobs find
    is filled in when it is read.
    """
    if validate_only:
        return json_answer(await process_body(request, body, what_if.validation, job_id, long=True))
    ready = await process_body(request, body, what_if.read, job_id, idempotency_key, long=True)
    return await SWEEPS.answer_post(request, ready, what_if.ask, numbers, wait)


@router.post(
    "/jobs/{job_id}/replan",
    status_code=202,
    openapi_extra=request_body({JSON: reference("ReplanRequest")}),
    responses=REPLANS.post_responses(
        "What is kept of the schedule, and the job that plans anew.",
        "Replan",
        ["ReplanValidation"],
        *(404, 409),
    ),
)
async def ask_replan(
    request: Request,
    job_id: str,
    body: _StudyBody,
    wait: WaitingTime,
    validate_only: ValidateOnly = False,
    numbers: Numbers = "exact",
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Say what was measured: what is kept of the schedule is reported at once, a job finds what is best now."""
    if validate_only:
        return json_answer(await process_body(request, body, replans.validation, job_id, long=True))
    ready = await process_body(request, body, replans.read, job_id, idempotency_key, long=True)
    return await REPLANS.answer_post(request, ready, replans.ask, numbers, wait)


@router.get(
    "/replans",
    responses={200: answer("A page of replans, the newest first.", "ReplanPage"), **problems()},
)
def list_replans(
    request: Request,
    of_job: OfJob = None,
    limit: Limit = DEFAULT_LIMIT,
    page_token: PageToken = None,
) -> Response:
    """List replans, the newest first."""
    page, states = replans.listed(
        resources_of(request), tenant_of(request), page_size(limit), page_token, of_job
    )
    items = [replan_document(one, states.get(one.job_id or "")) for one in page.items]
    return json_answer(page_document(items, page.next_token))


@router.get("/replans/{replan_id}", responses=REPLANS.get_responses("Replan"))
async def get_replan(
    request: Request,
    replan_id: str,
    wait: WaitingTime,
    numbers: Numbers = "exact",
) -> Response:
    """Give a replan; with `wait`, as soon as its job has ended or the time is over."""
    return await REPLANS.answer_get(request, replan_id, numbers, wait)


@router.delete(
    "/replans/{replan_id}",
    status_code=204,
    responses={204: answer("The replan is gone."), **problems(404, 410)},
)
def delete_replan(request: Request, replan_id: str) -> Response:
    """Delete a replan. Its job stays, and goes on if it has not ended."""
    return REPLANS.answer_delete(request, replan_id)
