"""Jobs that have answers, of all tenants: for who reads all of them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import func, select, tuple_

from app.db.engine import Database
from app.db.models import jobs
from app.db.stored_answers import StoredAnswer
from steadygrid.domain.job import JobState

_AT_ONCE = 500
_ANSWERED = jobs.c.state == JobState.SUCCEEDED.value


class Answered(NamedTuple):
    """A job that has succeeded."""

    tenant: str
    job_id: str
    kind: str


def number_of_answers(database: Database) -> int:
    """Count them."""
    with database.looking() as connection:
        query = select(func.count()).where(_ANSWERED)
        return int(connection.execute(query).scalar_one())


def answers(database: Database) -> Iterator[Answered]:
    """List them, tenant by tenant, the oldest first. No transaction lasts from one to the next."""
    found = _page(database, None)
    while found:
        yield from found
        found = _page(database, found[-1])


def _page(database: Database, last: Answered | None) -> Sequence[Answered]:
    query = select(jobs.c.tenant, jobs.c.id, jobs.c.kind).where(_ANSWERED)
    if last is not None:
        query = query.where(tuple_(jobs.c.tenant, jobs.c.id) > tuple_(last.tenant, last.job_id))
    with database.looking() as connection:
        rows = connection.execute(query.order_by(jobs.c.tenant, jobs.c.id).limit(_AT_ONCE))
        return [Answered(*row) for row in rows]


def some_answers(database: Database, number: int) -> Sequence[Answered]:
    """Draw so many of them.

    Parameters
    ----------
    database
        Where the service stores everything.
    number
        How many; fewer if there are not so many.
    """
    query = select(jobs.c.tenant, jobs.c.id, jobs.c.kind).where(_ANSWERED)
    with database.looking() as connection:
        rows = connection.execute(query.order_by(func.random()).limit(number))
        return sorted(Answered(*row) for row in rows)


def read_answer(database: Database, job: Answered) -> StoredAnswer | None:
    """Read an answer, packed as it is stored. None if the job has been deleted since.

    Parameters
    ----------
    database
        Where the service stores everything.
    job
        As `some_answers` gave it.
    """
    with database.read(job.tenant) as unit:
        return unit.jobs.stored_answer(job.job_id)


def job_exists(database: Database, job: Answered) -> bool:
    """Say whether a job is still there.

    Parameters
    ----------
    database
        Where the service stores everything.
    job
        As `some_answers` gave it.
    """
    with database.read(job.tenant) as unit:
        return unit.jobs.get(job.job_id) is not None
