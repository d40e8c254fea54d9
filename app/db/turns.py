"""Whose turn it is: which queued job a worker takes next.

Between tenants only the share counts: first who has the fewest jobs running, then who was served
least recently. Within a tenant the greater priority goes first, then what has not failed, then
what is oldest. Numbers of jobs come from `tallies`, so that a long queue costs nothing.
"""

from sqlalchemy import ScalarSelect, exists, func, select

from app.db.models import jobs, tallies, tenants
from app.db.skills import Skills
from steadygrid.domain.job import JobState

_QUEUED = jobs.c.state == JobState.QUEUED.value


def next_job(
    skills: Skills, running_jobs: int | None, *, certain: bool = False
) -> ScalarSelect[str]:
    """Select the id of the job whose turn it is, locked against whoever comes second.

    Nothing is selected where others hold all that the tenant could offer, and where all its jobs
    are for workers of newer versions; then the statement may be worth another try.

    Parameters
    ----------
    skills
        What the worker can solve; other jobs do not exist for it.
    running_jobs
        How many a tenant may have running where nothing else is said of it; None: any number.
    certain
        Pass over tenants that have nothing for this worker: slower, for who found nothing.
    """
    tenant = _next_tenant(skills, running_jobs, certain=certain)
    return (
        select(jobs.c.id)
        .where(jobs.c.tenant == tenant, _QUEUED, skills.suffice)
        .order_by(jobs.c.priority.desc(), jobs.c.failures, jobs.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )


def _next_tenant(skills: Skills, running_jobs: int | None, *, certain: bool) -> ScalarSelect[str]:
    running = func.sum(tallies.c.running + tallies.c.cancelling)
    most = func.coalesce(func.max(tenants.c.running_jobs), running_jobs, running + 1)
    query = (
        select(tallies.c.tenant)
        .outerjoin(tenants, tenants.c.tenant == tallies.c.tenant)
        .where(tallies.c.kind.in_(skills.kinds))
        .group_by(tallies.c.tenant)
        .having(func.sum(tallies.c.queued) > 0, running < most)
        .order_by(running, func.max(tallies.c.served), tallies.c.tenant)
        .limit(1)
    )
    if certain:
        theirs = jobs.c.tenant == tallies.c.tenant
        query = query.where(exists().where(theirs, _QUEUED, skills.suffice))
    return query.scalar_subquery()
