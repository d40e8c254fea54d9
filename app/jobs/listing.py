"""Lists of jobs, page by page, and how many jobs they have."""

from typing import NamedTuple

from app.db.jobs import JobRecord
from app.db.pages import Page
from app.http.pages import page_token_checked
from app.http.resources import Resources
from app.jobs.filters import MOST_COUNTED, Filters


def listed(
    parts: Resources,
    tenant: str,
    limit: int,
    token: str | None,
    wanted: Filters,
    *,
    backwards: bool = False,
    oldest_first: bool = False,
) -> Page[JobRecord]:
    """List jobs, the newest first unless the oldest are asked for; `Refusal` ``invalid_request`` for a malformed page token.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    limit
        Most on the page.
    token
        Of the page before. None: the first page.
    wanted
        What the jobs have to be.
    backwards
        Whether the page before the token is meant, not the one after it.
    oldest_first
        Whether the list begins with the oldest job.
    """
    with page_token_checked(token), parts.database.read(tenant) as unit:
        return unit.jobs.page(
            limit, token, backwards=backwards, oldest_first=oldest_first, **wanted.wanted
        )


class JobTotal(NamedTuple):
    """How many jobs a list has on all its pages; `more`: that and more."""

    jobs: int
    more: bool


def count_jobs(parts: Resources, tenant: str, wanted: Filters) -> JobTotal:
    """Count the jobs of a list, up to `MOST_COUNTED`.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    wanted
        What the jobs have to be.
    """
    with parts.database.read(tenant) as unit:
        found = unit.jobs.count(MOST_COUNTED + 1, **wanted.wanted)
    return JobTotal(min(found, MOST_COUNTED), found > MOST_COUNTED)
