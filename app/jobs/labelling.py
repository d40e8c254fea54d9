"""Labels of jobs that are there already; sync, for the thread pool."""

from typing import Annotated

from fastapi import Depends

from app.db.jobs import JobRecord
from app.http.bodies import JSON, Body, body_reader, read_json
from app.http.resources import Resources
from app.http.sources import Sources
from app.jobs.schemas import JobChange
from app.jobs.service import JOBS
from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.job import MOST_LABELS
from steadygrid.submissions.submission import parse_model

_LONGEST = 2**17
"""Bytes of a request: all labels of a job, as long as they may be, with every character escaped."""
ChangeBody = Annotated[Body, Depends(body_reader([JSON], _LONGEST))]


def read_change(_parts: Sources, _tenant: str, body: Body) -> JobChange:
    """Read what is to be changed of a job; `InstanceError` with every fault."""
    return parse_model(JobChange, read_json(body, {}))


def relabelled(parts: Resources, tenant: str, job_id: str, asked: JobChange) -> JobRecord:
    """Change labels of a job.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    job_id
        Of the job.
    asked
        Which labels to set and to remove.

    Raises
    ------
    Refusal
        ``not_found``, ``job_purged``.
    InstanceError
        ``too_long``: the job would have too many labels.
    """
    with parts.database.write(tenant) as unit:
        JOBS.existing(unit, job_id)
        labels = unit.jobs.relabel(job_id, asked.labels) or {}
        if len(labels) > MOST_LABELS:
            detail = (
                f"the job would have {len(labels)} labels: {MOST_LABELS} are allowed, remove some"
            )
            raise InstanceError(faults=[Fault(("labels",), "too_long", detail)])
        return JOBS.existing(unit, job_id)
