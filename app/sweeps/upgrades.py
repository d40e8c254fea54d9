"""What a what-if has found out so far, from its study and its jobs."""

from collections.abc import Iterable, Mapping
from typing import Any

from app.db.jobs import JobRecord
from steadygrid.domain.job import JobState
from steadygrid.domain.rational import parse_exact
from steadygrid.studies.study import Exact, Study, StudyOut


def study_document(
    stored: Mapping[str, Any], tries: Iterable[JobRecord], numbers: str
) -> dict[str, Any]:
    """Write what `found_so_far` gives as the contract shows it.

    Parameters
    ----------
    stored
        What the what-if lists.
    tries
        The last tries of its jobs.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    told = found_so_far(stored, tries)
    return told.model_dump(mode="json", by_alias=True, context={"numbers": numbers})


def found_so_far(stored: Mapping[str, Any], tries: Iterable[JobRecord]) -> StudyOut:
    """Tell what would help, as far as it is known now.

    Parameters
    ----------
    stored
        The study as it is kept, see `steadygrid.studies.study.Study.stored`.
    tries
        The last try of each of its jobs, as far as they are there.
    """
    study = Study.restored(stored, {})
    to_solve = study.to_solve
    return study.document({to_solve[one.sweep_index]: _found(one) for one in tries})


def _found(record: JobRecord) -> Exact:
    if record.state is JobState.SUCCEEDED:
        value = None if record.objective is None else parse_exact(record.objective["value"])
        return Exact(record.outcome, value, record.id)
    return Exact(None, None, record.id, _missing_reason(record))


def _missing_reason(record: JobRecord) -> str | None:
    """Say why a job has no value and will have none."""
    if record.state is JobState.CANCELLED:
        return "its job was cancelled"
    if record.state is JobState.FAILED:
        error = record.error or {}
        return f"its job has failed: {error.get('detail', '')}"
    return None
