"""Bodies of jobs: their own, or made of their sweep's template."""

from sqlalchemy import Connection, select

from app.db.models import job_instances, jobs, sweep_plans
from app.db.packing import pack, unpack
from steadygrid.studies.bodies import patched_body


def packed_body(connection: Connection, tenant: str, job_id: str) -> bytes | None:
    """Give the body of a job, packed. None if there is no such job.

    That of a sweep's job is made anew each time: unpacking, changing and packing the template
    of a large platform takes some tenths of a second.

    Parameters
    ----------
    connection
        Inside of a transaction.
    tenant
        Whose it is, by name.
    job_id
        Of the job.
    """
    own: bytes | None = connection.execute(
        select(job_instances.c.packed).where(
            job_instances.c.tenant == tenant, job_instances.c.job_id == job_id
        )
    ).scalar()
    if own is not None:
        return own
    row = connection.execute(
        select(jobs.c.sweep_index, sweep_plans.c.packed)
        .join(sweep_plans, sweep_plans.c.sweep_id == jobs.c.sweep_id)
        .where(jobs.c.tenant == tenant, jobs.c.id == job_id)
    ).first()
    return None if row is None else pack(patched_body(unpack(row.packed), row.sweep_index))
