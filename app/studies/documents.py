"""Replans as JSON documents: as they are stored, and as they are reported."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.db.jobs import JobRecord
from app.db.replans import ReplanRecord
from app.http.answers import moment
from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.forms import AnySchedule, schedule_from_document
from steadygrid.domain.job import Bound, JobState, Objective, Result
from steadygrid.domain.rational import parse_exact
from steadygrid.domain.schedule import Schedule
from steadygrid.studies.measuring import ReplanRequest
from steadygrid.studies.replan import Replan
from steadygrid.studies.replanned import ReplanOut
from steadygrid.verification.retained_throughput import RetainedThroughput

NO_JOB, DELETED = "none", "deleted"
"""States of replans besides those of their jobs."""
TOO_LONG = "the schedules have too many allocations to be compared here: see `steadygrid replan`"


def stored_document(study: Replan) -> dict[str, Any]:
    """Write all of a replan that is needed to judge it; `restored` reads it.

    Of the schedule that runs these are its allocations: slots and computations have had their say.
    """
    schedule = replace(study.schedule, computations=(), runs=None, slots=(), stated_counts=None)
    return {
        "request": study.request.model_dump(mode="json", exclude_none=True),
        "schedule": schedule.document,
        "possible": study.body is not None,
        "same_slots": _kept_document(study.same_slots),
        "same_shares": _kept_document(study.same_shares),
        "notes": list(study.notes),
    }


def _kept_document(kept: RetainedThroughput) -> dict[str, Any]:
    return kept._asdict() | {"throughput": str(kept.throughput)}


def restored(document: Mapping[str, Any]) -> Replan:
    """Read back what `stored_document` wrote. Its body stands in the job that solves it."""
    schedule = schedule_from_document(document["schedule"])
    assert isinstance(schedule, Schedule)
    return Replan(
        ReplanRequest.model_validate(document["request"]),
        schedule,
        {} if document["possible"] else None,
        _retained_from_document(document["same_slots"]),
        _retained_from_document(document["same_shares"]),
        tuple(document["notes"]),
    )


def _retained_from_document(document: Mapping[str, Any]) -> RetainedThroughput:
    throughput = parse_exact(document["throughput"])
    return RetainedThroughput(throughput, document["exact"], tuple(document["limited_by"]))


@dataclass(frozen=True)
class Known:
    """A replan, and what is known of its job."""

    record: ReplanRecord
    study: Replan
    job: JobRecord | None
    schedule: AnySchedule | None
    """That the job has planned, its allocations if they are few."""

    @property
    def final(self) -> bool:
        """Whether nothing more will be known."""
        return self.job is None or self.job.state.final

    def document(self, numbers: str) -> dict[str, Any]:
        """Write it as the contract shows it."""
        told = self.judged().model_dump(mode="json", context={"numbers": numbers})
        request = self.study.request
        state = None if self.job is None else self.job.state
        return (
            replan_document(self.record, state)
            | {"measured": request.measured.model_dump(mode="json", exclude_defaults=True)}
            | {"scale": request.scale}
            | told
        )

    def judged(self) -> ReplanOut:
        """Tell what is kept and, when its job has succeeded, what is best now."""
        job = self.job
        if job is None or job.state is not JobState.SUCCEEDED:
            told = self.study.document()
            return told.model_copy(update={"notes": [*told.notes, *self._why_not()]})
        told = self.study.judged(_answer(job), self.schedule)
        if told.change is not None and self._unread:
            told = told.model_copy(update={"change": None, "notes": [*told.notes, TOO_LONG]})
        return told

    @property
    def _unread(self) -> bool:
        found = self.schedule
        stated = {} if found is None else found.stated_counts or {}
        return found is not None and stated.get("allocations", 0) > found.counts["allocations"]

    def _why_not(self) -> list[str]:
        """Say why nothing more will be known."""
        if self.record.job_id is None:
            return []
        if self.job is None:
            return ["the job that planned anew has been deleted: what is best now is not known"]
        if self.job.state is JobState.CANCELLED:
            return ["the job that planned anew was cancelled: what is best now is not known"]
        if self.job.state is JobState.FAILED:
            error = self.job.error or {}
            return [f"the job that plans anew has failed: {error.get('detail', '')}"]
        return []


def _answer(job: JobRecord) -> Result:
    """Give what stands of a job's result in its row, and nothing else of it."""
    assert job.outcome is not None
    return Result(
        kind=job.kind,
        outcome=job.outcome,
        method="",
        objective=None if job.objective is None else Objective.model_validate(job.objective),
        bound=None if job.bound is None else Bound.model_validate(job.bound),
        gap=None,
        certificate=NoCertificate(),
    )


def replan_document(record: ReplanRecord, state: JobState | None) -> dict[str, Any]:
    """Write a replan as lists show it.

    Parameters
    ----------
    state
        Of its job. None where that does not exist.
    """
    without = NO_JOB if record.job_id is None else DELETED
    return {
        "id": record.id,
        "of_job": record.of_job,
        "job": record.job_id,
        "state": without if state is None else state.value,
        "created_at": moment(record.created_at),
        "links": {
            "self": f"/v1/replans/{record.id}",
            "of_job": f"/v1/jobs/{record.of_job}",
            "job": None if state is None else f"/v1/jobs/{record.job_id}",
        },
    }
