"""The body of a simulation of an answer."""

from typing import Any

from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.submissions.submission import Submission


def simulation_body(
    submission: Submission, result: Result, schedule: AnySchedule, **how: Any
) -> dict[str, Any]:
    """Write the body of ``POST /v1/jobs`` that asks for a simulation.

    Parameters
    ----------
    submission
        What was asked.
    result, schedule
        Its answer.
    **how
        Members of the problem of kind ``simulation``. None: as where it is left out.
    """
    documents = {
        "instance": submission.stored_document(),
        "result": result.model_dump(mode="json"),
        "schedule": schedule.document,
    }
    given = {name: value for name, value in how.items() if value is not None}
    return {"problem": {"kind": "simulation", **documents, **given}}
