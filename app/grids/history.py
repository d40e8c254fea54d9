"""What the watched schedules of a platform did over time; sync."""

from collections.abc import Mapping
from typing import Any

from app.db.ids import is_id
from app.db.jobs import JobRecord
from app.db.new_jobs import OF_JOBS
from app.db.pages import Page
from app.db.unit import Unit
from app.db.watches import DriftPoint
from app.grids.drift import lost_part
from app.grids.measurements import with_numbers, written
from app.http import stored
from app.http.pages import page_token_checked
from app.http.refusals import refused_parameter
from app.http.resources import Resources
from app.platforms.service import SHELF
from steadygrid.domain.job import JobState
from steadygrid.domain.rational import parse_exact


def listed(
    parts: Resources,
    tenant: str,
    platform_id: str,
    job_id: str | None,
    limit: int,
    token: str | None,
    numbers: str,
) -> Page[dict[str, Any]]:
    """List what the watched jobs of a platform did, the newest first.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    platform_id
        Of the stored platform.
    job_id
        Only of this job. None: of all.
    limit
        Most on the page.
    token
        Of the page before. None: the first page.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.

    Raises
    ------
    Refusal
        ``not_found``; ``invalid_request`` for a wrong page token, or what is no id of a job.
    """
    if job_id is not None and not is_id(OF_JOBS, job_id):
        raise refused_parameter("job", "invalid_job", "expected an id such as job_...")
    stored.must_exist(parts, tenant, SHELF, platform_id)
    with page_token_checked(token), parts.database.read(tenant) as unit:
        page = unit.watched_jobs.page(platform_id, limit, token, job_id)
        best = {one.replan_id: _best(unit, one.replan_id) for one in page.items if one.replan_id}
    items = [_document(one, best, numbers) for one in page.items]
    return Page(items, page.next_token)


def _best(unit: Unit, replan_id: str) -> JobRecord | None:
    """Give the job that has planned anew, if it has ended well."""
    replan = unit.replans.get(replan_id)
    job = None if replan is None or replan.job_id is None else unit.jobs.get(replan.job_id)
    return job if job is not None and job.state is JobState.SUCCEEDED else None


def _document(
    point: DriftPoint, best: Mapping[str, JobRecord | None], numbers: str
) -> dict[str, Any]:
    job = None if point.replan_id is None else best[point.replan_id]
    objective = None if job is None or job.objective is None else job.objective.get("value")
    lost = lost_part(parse_exact(point.planned), parse_exact(point.kept))
    return {
        "id": point.id,
        "job": point.job_id,
        "at": written(point.at),
        "planned": with_numbers(point.planned, numbers),
        "kept": with_numbers(point.kept, numbers),
        "lost": with_numbers(str(lost), numbers),
        "best": with_numbers(objective, numbers),
        "limited_by": point.limited_by,
        "replan": point.replan_id,
    }
