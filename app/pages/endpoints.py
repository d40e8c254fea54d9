"""The pages, at ``/``. What a page shows comes from the module of its resource."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from app.applications.service import SHELF as APPLICATIONS
from app.http.identity import tenant_of
from app.http.parameters import WholeNumber
from app.http.refusals import Refusal
from app.http.resources import resources_of
from app.pages import (
    comparison,
    jobs,
    kinds,
    operations,
    start,
    stored,
    studies,
    sweeps,
    tabs,
    words,
)
from app.pages.errors import wants_page
from app.pages.rendering import html
from app.pages.resources import TableState
from app.platforms.service import SHELF as PLATFORMS
from steadygrid.pictures.asking import HOPS
from steadygrid.pictures.picture import Neighbourhood

router = APIRouter(include_in_schema=False)

LONGEST_FILTER = 300
"""Characters."""
_Text = Annotated[str, Query(max_length=LONGEST_FILTER)]
_Hops = Annotated[WholeNumber, Query(ge=HOPS[0], le=HOPS[1])]
PageToken = Annotated[str | None, Query(max_length=2_000)]


def page(
    request: Request, template: str, title: str, status: int = 200, **context: Any
) -> Response:
    """Answer with a page that says in its header what goes on.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    template
        Its name, without suffix.
    title
        Of the window. The service's name is put behind it.
    status
        Of HTTP.
    **context
        What the template needs.
    """
    parts = resources_of(request)
    with parts.database.read(tenant_of(request)) as unit:
        busy = words.busyness(unit.news.counts(), len(unit.workers.active()))
    return html(
        request,
        template,
        title,
        status,
        busy=busy,
        version=parts.version,
        **context,
    )


@router.get("/")
def start_page(request: Request) -> Response:
    """Say what is going on, or how to begin."""
    return page(request, "start", "", **start.start(request))


@router.get("/jobs")
def jobs_page(
    request: Request,
    state: _Text = "",
    kind: _Text = "",
    outcome: _Text = "",
    label: _Text = "",
    name: _Text = "",
    sweep: _Text = "",
    find: _Text = "",
    order: _Text = "",
    page_token: PageToken = None,
    backwards: bool = False,
) -> Response:
    """List jobs, 50 a page."""
    asked = jobs.FilterForm(
        state, kind, outcome, label.strip(), name, sweep.strip(), find.strip(), order
    )
    try:
        wanted = asked.filters
    except Refusal as refusal:
        if not wants_page(request.scope):
            raise
        return page(request, "jobs", "Jobs", 422, **jobs.misread(asked, refusal))
    shown = jobs.listed(request, asked, wanted, page_token, backwards)
    return page(request, "jobs", "Jobs", **shown)


@router.get("/jobs/{job_id}")
@router.get("/jobs/{job_id}/{tab}")
def job_page(
    request: Request,
    job_id: str,
    tab: str = tabs.ANSWER,
    resource: _Text = "",
    sort: _Text = "",
    find: _Text = "",
    only: _Text = "",
    begin: Annotated[str, Query(alias="from", max_length=LONGEST_FILTER)] = "",
    end: Annotated[str, Query(alias="to", max_length=LONGEST_FILTER)] = "",
    around: _Text = "",
    hops: _Hops = 1,
) -> Response:
    """Say of a job what a tab of its page shows: first the answer, and what it rests on."""
    tabs.require_tab(tab)
    state = TableState(
        resource, sort, find, only, begin, end, around, str(hops) if hops > 1 else ""
    )
    shown = jobs.job_context(request, job_id, state, tab)
    part = tabs.TITLES[tab] if tab else ""
    said = " - ".join(filter(None, (part, shown["headline"], shown["name"])))
    return page(request, "job", said, **shown)


@router.get("/sweeps")
def sweeps_page(request: Request, page_token: PageToken = None) -> Response:
    """List sweeps, 50 a page."""
    return page(request, "sweeps", "Sweeps", **sweeps.listed(request, page_token))


@router.get("/sweeps/{sweep_id}")
def sweep_page(
    request: Request, sweep_id: str, page_token: PageToken = None, x: _Text = "", y: _Text = ""
) -> Response:
    """Tell how far a sweep is, and what came of its jobs."""
    shown = sweeps.sweep_context(request, sweep_id, page_token, (x, y))
    return page(request, "sweep", shown["name"], **shown)


@router.get("/replans")
def replans_page(request: Request, page_token: PageToken = None) -> Response:
    """List replans, 50 a page."""
    return page(request, "replans", "Replans", **studies.listed(request, page_token))


@router.get("/replans/{replan_id}")
def replan_page(request: Request, replan_id: str) -> Response:
    """Tell what a schedule keeps, and whether to change it."""
    shown = studies.replan_context(request, replan_id)
    return page(request, "replan", shown["name"], **shown)


@router.get("/compare")
def compare_page(
    request: Request, job: Annotated[list[str] | None, Query(max_length=50)] = None
) -> Response:
    """Show two jobs side by side."""
    return page(request, "compare", "Comparison", **comparison.compared(request, job or ()))


@router.get("/operations")
def operations_page(request: Request) -> Response:
    """Tell operators of the queue, the workers, failures and tenants."""
    return page(request, "operations", "Operations", **operations.operations(request))


@router.get("/new")
def new_page(
    request: Request,
    example: _Text = "",
    job: _Text = "",
    platform: _Text = "",
    vary: bool = False,
) -> Response:
    """Offer a body to start from: an example, what a job was made of, or a sweep about that."""
    title = "New sweep" if vary else "New job"
    return page(request, "new", title, **kinds.new(request, example, job, platform, vary=vary))


@router.get("/problems")
def kinds_page(request: Request) -> Response:
    """List the kinds of problems."""
    return page(request, "problems", "Problems", **kinds.kinds())


@router.get("/problems/{kind}")
def kind_page(request: Request, kind: str) -> Response:
    """Say what a kind asks and answers."""
    shown = kinds.kind(kind)
    return page(request, "problem", shown["told"]["title"], **shown)


@router.get("/platforms")
def platforms_page(request: Request, page_token: PageToken = None) -> Response:
    """List stored platforms."""
    shown = stored.listed(request, PLATFORMS, page_token)
    return page(request, "shelf", "Platforms", **shown)


@router.get("/platforms/{platform_id}")
def platform_page(
    request: Request, platform_id: str, around: _Text = "", hops: _Hops = 1
) -> Response:
    """Describe a stored platform."""
    near = Neighbourhood(around, hops) if around else None
    shown = stored.platform(request, platform_id, PLATFORMS, near)
    return page(request, "platform", shown["name"], **shown)


@router.get("/applications")
def applications_page(request: Request, page_token: PageToken = None) -> Response:
    """List stored applications."""
    shown = stored.listed(request, APPLICATIONS, page_token)
    return page(request, "shelf", "Applications", **shown)


@router.get("/applications/{application_id}")
def application_page(request: Request, application_id: str) -> Response:
    """Describe a stored application."""
    shown = stored.application(request, application_id)
    return page(request, "application", shown["name"], **shown)
