"""The page of a view: the answer of one job, to be embedded in pages of other hosts."""

from typing import Any

from fastapi import APIRouter, Request, Response

from app.access import views
from app.db.jobs import JobRecord
from app.http.identity import tenant_of
from app.http.resources import resources_of
from app.pages import jobs, words
from app.pages.badges import badge
from app.pages.period_figure import NARROW, WIDE, Marking, period_figure
from app.pages.platform_figure import job_figure
from app.pages.progress import reached
from app.pages.rendering import html
from app.pages.resources import grouped_limits
from app.pages.running import running
from steadygrid.domain.job import JobState
from steadygrid.report.resources import resource_list

router = APIRouter(include_in_schema=False)

SOON, LATER = 5, 30
"""Seconds after which a browser looks again: at a job that is solved, and at a schedule that runs."""


@router.get(f"{views.BELOW}{{token}}")
def view_page(request: Request, token: str) -> Response:
    """Show a job to any reader who has the address."""
    parts = resources_of(request)
    found = views.find(parts.database, token)
    if found is None or found.tenant != tenant_of(request):
        raise views.ended()
    shown = _shown(request, found.job_id)
    again = SOON if not shown["record"].state.final else LATER if shown["running"] else None
    title = words.job_name(shown["record"], shown["report"])
    answer = html(request, "view", title, **shown)
    answer.headers["Cache-Control"] = "no-store"
    if again is not None:
        answer.headers["Refresh"] = str(again)
    return answer


def _shown(request: Request, job_id: str) -> dict[str, Any]:
    parts, tenant = resources_of(request), tenant_of(request)
    record, report, told, not_told = jobs.opened(request, job_id)
    with parts.database.read(tenant) as unit:
        queued = unit.news.counts()[JobState.QUEUED]
        workers = len(unit.workers.active())
        runs = running(unit, record, report)
    limits: list[str] = []
    platform = period = None
    if report is not None and told is not None:
        listed = resource_list(report)
        limits = grouped_limits(report, listed) or [*told.limits]
        platform = job_figure(report, listed, (), None, None)
        inside = None if runs is None or runs.now is None else runs.now.part_of_window
        marking, width = Marking({}, None, None), NARROW if platform is None else WIDE
        period = period_figure(report, listed, ("", ""), marking, _no_query, width, inside)
    return {
        "record": record,
        "report": report,
        "told": told,
        "name": words.job_name(record, report),
        "badge": badge(record, report),
        "row": jobs.row(record),
        "says": _says(record, not_told, queued, workers),
        "reached": None if record.state.final else reached(record),
        "limits": limits,
        "running": runs,
        "figure": platform,
        "period": None if period is None else period._replace(moves={}),
        "state": {},
        "drawn": False,
    }


def _says(record: JobRecord, not_told: str, queued: int, workers: int) -> str:
    """Say what there is instead of an answer."""
    if not record.state.final:
        return words.waiting(record, queued, workers)
    return not_told if record.state is JobState.SUCCEEDED else words.no_answer(record)


def _no_query(_begin: str, _end: str) -> str:
    return ""
