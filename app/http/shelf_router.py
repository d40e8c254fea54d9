"""The endpoints of a shelf: post, list, get and delete stored documents."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.concurrency import run_in_threadpool

from app.http import stored
from app.http.answers import ASK_AGAIN, json_answer, to_json
from app.http.bodies import JSON, Body, body_reader, process_body
from app.http.conditions import conditional, strong_tag
from app.http.identity import identity_of, tenant_of
from app.http.openapi import READS_BODY, answer, problems, reference, request_body
from app.http.pages import DEFAULT_LIMIT, Limit, PageToken, page_document, page_size
from app.http.paths import root_of
from app.http.resources import resources_of
from app.http.stored import Shelf


def shelf_router(shelf: Shelf, details: str) -> APIRouter:
    """Make the router of a shelf.

    Parameters
    ----------
    details
        Name of the schema of a document with its record.
    """
    noun, plural = shelf.noun, f"{shelf.noun}s"
    one = f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
    router = APIRouter(prefix=shelf.path, tags=[plural])
    posted = {"Location": f"the {noun}"}
    DocumentId = Annotated[str, Path(alias=f"{noun}_id")]  # noqa: N806

    @router.post(
        "",
        status_code=201,
        summary=f"Store {one}",
        name=f"post_{noun}",
        openapi_extra=request_body(
            {JSON: reference(shelf.model.__name__)}
            | {content_type: {"type": "string"} for content_type in shelf.importers}
        )
        | {"parameters": shelf.parameters},
        responses={
            201: answer("It is stored.", "StoredDocument", posted),
            200: answer("It was stored already.", "StoredDocument", posted),
            **problems(*READS_BODY),
        },
    )
    async def post(
        request: Request, body: Annotated[Body, Depends(body_reader(shelf.content_types))]
    ) -> Response:
        """Store a document. Its id is a hash of its content."""
        ready = await process_body(request, body, stored.read, shelf, dict(request.query_params))
        kept = await run_in_threadpool(
            stored.keep, resources_of(request), tenant_of(request), shelf, ready
        )
        headers = {"Location": root_of(request.scope) + kept.document["links"]["self"]}
        return json_answer(kept.document, 201 if kept.created else 200, headers)

    @router.get(
        "",
        summary=f"List {plural}",
        name=f"list_{plural}",
        responses={
            200: answer("A page, the newest first.", "StoredDocumentPage"),
            **problems(),
        },
    )
    def list_all(
        request: Request, limit: Limit = DEFAULT_LIMIT, page_token: PageToken = None
    ) -> Response:
        """List records, the newest first."""
        page = stored.listed(
            resources_of(request), tenant_of(request), shelf, page_size(limit), page_token
        )
        return json_answer(page_document(list(page.items), page.next_token))

    @router.get(
        f"/{{{noun}_id}}",
        summary=f"Get {one}",
        name=f"get_{noun}",
        responses={
            200: answer("The document with its record.", details, {"ETag": "strong"}),
            304: answer("Nothing has changed.", None, {"ETag": "strong"}),
            **problems(404),
        },
    )
    def get(request: Request, document_id: DocumentId) -> Response:
        """Give a stored document."""
        content = to_json(
            stored.show_document(resources_of(request), tenant_of(request), shelf, document_id)
        )
        return conditional(request, content, strong_tag(content), {"Cache-Control": ASK_AGAIN})

    @router.delete(
        f"/{{{noun}_id}}",
        status_code=204,
        summary=f"Delete {one}",
        name=f"delete_{noun}",
        responses={204: answer("It is gone."), **problems(404)},
    )
    def delete(request: Request, document_id: DocumentId) -> Response:
        """Delete a stored document; jobs that referred to it keep their own copies."""
        stored.forget(resources_of(request), identity_of(request), shelf, document_id)
        return Response(status_code=204)

    return router
