"""``/v1/jobs/{job_id}/what-if``, ``/v1/jobs/{job_id}/replan`` and ``/v1/replans``."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from app.http.answers import ASK_AGAIN, Numbers, json_answer, to_json
from app.http.bodies import JSON, Body, body_reader, in_turn
from app.http.conditions import conditional, weak_tag
from app.http.idempotency import REPLAYED, IdempotencyKey, Made
from app.http.identity import identity_of, who
from app.http.long_poll import retry_after, wait_for_end
from app.http.openapi import READS_BODY, Responses, answer, problems, reference, request_body
from app.http.pages import DEFAULT_LIMIT, Limit, PageToken, page_document, page_size
from app.http.parameters import documented
from app.http.paths import root_of
from app.http.preferences import Prefer, Wait, waiting_time
from app.http.resources import resources_of
from app.studies import replans, what_if
from app.studies.documents import replan_document
from app.sweeps.documents import sweep_document
from app.sweeps.service import whole

router = APIRouter(prefix="/v1", tags=["studies"])

_LONGEST = 2**22
"""Bytes of a request: as many names and measurements as are accepted have less."""
_StudyBody = Annotated[Body, Depends(body_reader([JSON], _LONGEST))]
_TAG = {"ETag": "weak: what it says"}

ValidateOnly = Annotated[bool, Query(description="tell what would be made; store nothing")]
OfJob = Annotated[
    Annotated[str, documented("^job_[0-9a-f]{32}$", 36)] | None,
    Query(max_length=200, description="only those of the schedule of this job"),
]


def _responses(noun: str, made: str, model: str) -> Responses:
    """Document what a request for a study is answered."""
    place = {"Location": noun, "Retry-After": "seconds until it is worth asking again"}
    both = {"anyOf": [reference(model), reference(f"{model}Validation")]}
    return {
        202: answer(made, model, place),
        200: {
            "description": f"{noun[:1].upper()}{noun[1:]} as an earlier request has made it; with"
            " `validate_only` what it would be.",
            "content": {JSON: {"schema": both}},
            "headers": answer("", None, {"Location": noun} | REPLAYED)["headers"],
        },
        **problems(*READS_BODY, 404, 409, 410),
    }


def _made(
    request: Request, place: str, document: Mapping[str, Any], *, replayed: bool, final: bool
) -> Response:
    headers = {"Location": f"{root_of(request.scope)}{place}"}
    if replayed:
        headers["Idempotent-Replayed"] = "true"
    if not final:
        headers |= retry_after()
    return json_answer(document, 200 if replayed else 202, headers)


@router.post(
    "/jobs/{job_id}/what-if",
    status_code=202,
    openapi_extra=request_body({JSON: reference("WhatIfRequest")}),
    responses=_responses(
        "the sweep", "The sweep that solves, with everything that would help.", "WhatIf"
    ),
)
async def ask_what_if(
    request: Request,
    job_id: str,
    body: _StudyBody,
    validate_only: ValidateOnly = False,
    numbers: Numbers = "exact",
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Ask what would help: resources that could be faster, or fail; the most promising are solved.

    The sweep lists all of them at once, with what no schedule could exceed then; what its jobs find
    is filled in when it is read.
    """
    parts, tenant = resources_of(request), who(request)
    if validate_only:
        return json_answer(await in_turn(request, body, what_if.validation, job_id, long=True))
    ready = await in_turn(request, body, what_if.read, job_id, idempotency_key, long=True)
    sweep, replayed = (
        ready
        if isinstance(ready, Made)
        else await run_in_threadpool(what_if.ask, parts, tenant, ready)
    )
    found = await run_in_threadpool(whole, parts, tenant, sweep.id)
    document = sweep_document(*found, numbers)
    place, final = f"/v1/sweeps/{sweep.id}", found.record.state.final
    return _made(request, place, document, replayed=replayed, final=final)


@router.post(
    "/jobs/{job_id}/replan",
    status_code=202,
    openapi_extra=request_body({JSON: reference("ReplanRequest")}),
    responses=_responses(
        "the replan", "What is kept of the schedule, and the job that plans anew.", "Replan"
    ),
)
async def ask_replan(
    request: Request,
    job_id: str,
    body: _StudyBody,
    validate_only: ValidateOnly = False,
    numbers: Numbers = "exact",
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Say what was measured: what is kept of the schedule is told at once, a job finds what is best now."""
    parts, tenant = resources_of(request), who(request)
    if validate_only:
        return json_answer(await in_turn(request, body, replans.validation, job_id, long=True))
    ready = await in_turn(request, body, replans.read, job_id, idempotency_key, long=True)
    record, replayed = (
        ready
        if isinstance(ready, Made)
        else await run_in_threadpool(replans.ask, parts, tenant, ready)
    )
    known = await run_in_threadpool(replans.known, parts, tenant, record.id)
    place, document = f"/v1/replans/{record.id}", known.document(numbers)
    return _made(request, place, document, replayed=replayed, final=known.final)


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
        resources_of(request), who(request), page_size(limit), page_token, of_job
    )
    items = [replan_document(one, states.get(one.job_id or "")) for one in page.items]
    return json_answer(page_document(items, page.next_token))


@router.get(
    "/replans/{replan_id}",
    responses={
        200: answer("The replan.", "Replan", _TAG | {"Retry-After": "while its job has not ended"}),
        304: answer("The replan is still what `If-None-Match` names.", None, _TAG),
        **problems(404),
    },
)
async def get_replan(
    request: Request,
    replan_id: str,
    wait: Wait = None,
    numbers: Numbers = "exact",
    prefer: Prefer = None,
) -> Response:
    """Give a replan; with `wait`, as soon as its job has ended or the time is over."""
    parts, tenant = resources_of(request), who(request)
    known = await run_in_threadpool(replans.known, parts, tenant, replan_id)
    seconds, waited = waiting_time(wait, prefer), True
    if seconds and known.job is not None and not known.final:
        waited = await wait_for_end(request, known.job.id, seconds)
        known = await run_in_threadpool(replans.known, parts, tenant, replan_id)
    content = await run_in_threadpool(lambda: to_json(known.document(numbers)))
    headers = {"Cache-Control": ASK_AGAIN} | ({} if known.final else retry_after(waited))
    return conditional(request, content, weak_tag(content), headers)


@router.delete(
    "/replans/{replan_id}",
    status_code=204,
    responses={204: answer("The replan is gone."), **problems(404)},
)
def delete_replan(request: Request, replan_id: str) -> Response:
    """Delete a replan; its job stays, and goes on if it has not ended."""
    replans.delete(resources_of(request), identity_of(request), replan_id)
    return Response(status_code=204)
