"""``/v1/jobs/{job_id}/resources``."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from app.http.answers import to_json
from app.http.conditions import immutable
from app.http.identity import tenant_of
from app.http.openapi import answer, problems
from app.http.pages import Limit, PageToken, page_of, page_size
from app.http.resources import resources_of
from app.jobs import service
from app.jobs.naming import file_stem
from app.jobs.resource_listing import Choice, Shown, Sorting, chosen, document, listed, table

router = APIRouter(prefix="/v1/jobs/{job_id}", tags=["jobs"])

CSV = "text/csv"
ROWS = 200
"""On a page, unless said."""
_TAG = {"ETag": "strong: it never changes"}

Fold = Annotated[bool, Query(description="twins are one row")]
Show = Annotated[Shown, Query(description="`used`: what a file, a task or a price concerns")]
Sort = Annotated[
    Sorting,
    Query(description="by what hangs on each, how busy it is, what it does, or its name"),
]
Find = Annotated[
    str, Query(max_length=300, description="a part of a name. The case does not matter")
]


@router.get(
    "/resources",
    responses={
        200: answer("What is in use, what it does, and what limits.", "ResourcePage", _TAG),
        304: answer("The client has it already.", None, _TAG),
        **problems(404, 409, 410),
    },
)
def list_resources(
    request: Request,
    job_id: str,
    fold: Fold = True,
    show: Show = "used",
    sort: Sort = "limits",
    find: Find = "",
    limit: Limit = ROWS,
    page_token: PageToken = None,
) -> Response:
    """List the resources of an answer: use and work of the schedule that runs, prices of the bound."""
    found = listed(resources_of(request), tenant_of(request), job_id, fold)
    rows = chosen(found, Choice(fold, show, sort, find))
    return immutable(request, to_json(document(found, page_of(rows, page_size(limit), page_token))))


_TABLE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "All rows, a line for each port. Exact numbers with their nearest doubles.",
        "content": {CSV: {"schema": {"type": "string"}}},
        "headers": {"ETag": {"description": _TAG["ETag"], "schema": {"type": "string"}}},
    },
    304: answer("The client has it already.", None, _TAG),
    **problems(404, 409, 410),
}


@router.get("/resources.csv", response_class=Response, responses=_TABLE)
def get_resources_csv(
    request: Request,
    job_id: str,
    fold: Fold = True,
    show: Show = "used",
    sort: Sort = "limits",
    find: Find = "",
) -> Response:
    """Give the resources of an answer as CSV (RFC 4180, UTF-8)."""
    parts, tenant = resources_of(request), tenant_of(request)
    found = listed(parts, tenant, job_id, fold)
    name = file_stem(service.succeeded(parts, tenant, job_id))
    content = table(chosen(found, Choice(fold, show, sort, find))).csv().encode()
    told = immutable(request, content, f"{CSV}; charset=utf-8")
    told.headers["Content-Disposition"] = f'attachment; filename="{name}-resources.csv"'
    return told
