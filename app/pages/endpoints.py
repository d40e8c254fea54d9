"""The pages, at ``/``; what a page shows comes from the module of its resource."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from app.http.resources import resources_of
from app.http.who import who
from app.pages import jobs, words
from app.pages.rendering import html

router = APIRouter(include_in_schema=False)

_Text = Annotated[str, Query(max_length=300)]
PageToken = Annotated[str | None, Query(max_length=2_000)]


def page(
    request: Request, template: str, title: str, status: int = 200, **context: Any
) -> Response:
    """Answer with a page that says in its header what goes on."""
    parts = resources_of(request)
    with parts.database.read(who(request)) as unit:
        busy = words.busyness(unit.jobs.counts(), len(unit.workers.active()))
    return html(
        request,
        template,
        title,
        status,
        busy=busy,
        version=parts.version,
        words=words,
        **context,
    )


@router.get("/jobs")
def jobs_page(
    request: Request,
    state: _Text = "",
    kind: _Text = "",
    outcome: _Text = "",
    label: _Text = "",
    name: _Text = "",
    page_token: PageToken = None,
    backwards: bool = False,
) -> Response:
    """List jobs, 50 a page."""
    asked = jobs.Asked(state, kind, outcome, label.strip(), name)
    return page(request, "jobs", "Jobs", **jobs.listed(request, asked, page_token, backwards))


@router.get("/jobs/{job_id}")
def job_page(request: Request, job_id: str) -> Response:
    """Tell all there is to tell about a job."""
    shown = jobs.one(request, job_id)
    said = " - ".join(filter(None, (shown["headline"], shown["name"])))
    return page(request, "job", said, **shown)
