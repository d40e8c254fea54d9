"""``/v1/applications``."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from app.applications.service import SHELF
from app.http import stored
from app.http.answers import json_answer, to_json
from app.http.bodies import JSON, Body, body_reader
from app.http.conditions import conditional, strong_tag
from app.http.openapi import READS_BODY, answer, problems, reference, request_body
from app.http.pages import DEFAULT_LIMIT, Limit, PageToken, page_document, page_size
from app.http.resources import resources_of

router = APIRouter(prefix=SHELF.path, tags=["applications"])

_POST = request_body(
    {JSON: reference("Application")} | {one: {"type": "string"} for one in SHELF.importers}
) | {"parameters": SHELF.parameters}


@router.post(
    "",
    status_code=201,
    openapi_extra=_POST,
    responses={
        201: answer(
            "The application is stored.", "StoredApplication", {"Location": "the application"}
        ),
        200: answer("It was stored already.", "StoredApplication", {"Location": "the application"}),
        **problems(*READS_BODY),
    },
)
def post_application(
    request: Request, body: Annotated[Body, Depends(body_reader(SHELF.content_types))]
) -> Response:
    """Store an application; its id is a hash of its content."""
    kept = stored.keep(resources_of(request), SHELF, body, dict(request.query_params))
    headers = {"Location": kept.document["links"]["self"]}
    return json_answer(kept.document, 201 if kept.created else 200, headers)


@router.get(
    "", responses={200: answer("A page, the newest first.", "StoredApplicationPage"), **problems()}
)
def list_applications(
    request: Request, limit: Limit = DEFAULT_LIMIT, page_token: PageToken = None
) -> Response:
    """List stored applications, the newest first."""
    page = stored.listed(resources_of(request), SHELF, page_size(limit), page_token)
    return json_answer(page_document(list(page.items), page.next_token))


@router.get(
    "/{application_id}",
    responses={
        200: answer("The application.", "StoredApplicationDetails", {"ETag": "strong"}),
        304: answer("Nothing has changed.", None, {"ETag": "strong"}),
        **problems(404),
    },
)
def get_application(request: Request, application_id: str) -> Response:
    """Give a stored application."""
    content = to_json(stored.one(resources_of(request), SHELF, application_id))
    return conditional(request, content, strong_tag(content), {"Cache-Control": "no-cache"})


@router.delete(
    "/{application_id}", status_code=204, responses={204: answer("It is gone."), **problems(404)}
)
def delete_application(request: Request, application_id: str) -> Response:
    """Delete a stored application; jobs that referred to it keep their own copies."""
    stored.forget(resources_of(request), SHELF, application_id)
    return Response(status_code=204)
