"""``/v1/platforms``."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from app.http import stored
from app.http.answers import json_answer, to_json
from app.http.bodies import JSON, Body, body_reader
from app.http.conditions import conditional, strong_tag
from app.http.openapi import READS_BODY, answer, problems, reference, request_body
from app.http.pages import DEFAULT_LIMIT, Limit, PageToken, page_document, page_size
from app.http.resources import resources_of
from app.platforms.service import SHELF

router = APIRouter(prefix=SHELF.path, tags=["platforms"])

_POST = request_body(
    {JSON: reference("Platform")} | {one: {"type": "string"} for one in SHELF.importers}
) | {"parameters": SHELF.parameters}


@router.post(
    "",
    status_code=201,
    openapi_extra=_POST,
    responses={
        201: answer("The platform is stored.", "StoredPlatform", {"Location": "the platform"}),
        200: answer("It was stored already.", "StoredPlatform", {"Location": "the platform"}),
        **problems(*READS_BODY),
    },
)
def post_platform(
    request: Request, body: Annotated[Body, Depends(body_reader(SHELF.content_types))]
) -> Response:
    """Store a platform; its id is a hash of its content."""
    kept = stored.keep(resources_of(request), SHELF, body, dict(request.query_params))
    headers = {"Location": kept.document["links"]["self"]}
    return json_answer(kept.document, 201 if kept.created else 200, headers)


@router.get(
    "", responses={200: answer("A page, the newest first.", "StoredPlatformPage"), **problems()}
)
def list_platforms(
    request: Request, limit: Limit = DEFAULT_LIMIT, page_token: PageToken = None
) -> Response:
    """List stored platforms, the newest first."""
    page = stored.listed(resources_of(request), SHELF, page_size(limit), page_token)
    return json_answer(page_document(list(page.items), page.next_token))


@router.get(
    "/{platform_id}",
    responses={
        200: answer("The platform.", "StoredPlatformDetails", {"ETag": "strong"}),
        304: answer("Nothing has changed.", None, {"ETag": "strong"}),
        **problems(404),
    },
)
def get_platform(request: Request, platform_id: str) -> Response:
    """Give a stored platform."""
    content = to_json(stored.one(resources_of(request), SHELF, platform_id))
    return conditional(request, content, strong_tag(content), {"Cache-Control": "no-cache"})


@router.delete(
    "/{platform_id}", status_code=204, responses={204: answer("It is gone."), **problems(404)}
)
def delete_platform(request: Request, platform_id: str) -> Response:
    """Delete a stored platform; jobs that referred to it keep their own copies."""
    stored.forget(resources_of(request), SHELF, platform_id)
    return Response(status_code=204)
