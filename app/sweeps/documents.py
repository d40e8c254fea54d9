"""Sweeps as JSON documents."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.db.jobs import JobRecord
from app.db.sweeps import SweepRecord
from app.http.answers import moment
from app.sweeps.upgrades import study_document
from steadygrid.domain.job import JobState, Outcome


def sweep_document(
    record: SweepRecord,
    plan: Mapping[str, Any] | None = None,
    outcomes: Mapping[Outcome, int] | None = None,
    study: Mapping[str, Any] | None = None,
    tries: Sequence[JobRecord] = (),
    numbers: str = "exact",
) -> dict[str, Any]:
    """Write a sweep as the contract shows it.

    Parameters
    ----------
    plan, outcomes, study
        None in lists, where they would take too long.
    tries
        The last tries of the jobs of a what-if, of which `study` tells.
    """
    own = f"/v1/sweeps/{record.id}"
    links = {"self": own, **{name: f"{own}/{name}" for name in ("plan", "jobs", "table", "events")}}
    if not record.state.final:
        links["cancel"] = f"{own}/cancel"
    if can_retry(record):
        links["retry"] = f"{own}/retry"
    if record.of_job is not None:
        links["job"] = f"/v1/jobs/{record.of_job}"
    return {
        "id": record.id,
        "kind": record.kind.value,
        "job_kind": record.job_kind,
        "name": record.name,
        "state": record.state.value,
        "counts": counts_document(record),
        "outcomes": None if outcomes is None else outcomes_document(outcomes),
        "jobs": record.jobs,
        "created": record.created,
        "mode": None if plan is None else plan.get("mode"),
        "parameters": None if plan is None else plan.get("parameters"),
        "labels": record.labels,
        "warnings": None if plan is None else list(_warnings(plan)),
        "of_job": record.of_job,
        "created_at": moment(record.created_at),
        "finished_at": moment(record.finished_at),
        "links": links,
        **({} if study is None else study_document(study, tries, numbers)),
    }


def _warnings(plan: Mapping[str, Any]) -> Sequence[str]:
    found: Sequence[str] = plan.get("warnings", ())
    return found


def can_retry(record: SweepRecord) -> bool:
    """Say whether there are failed jobs that may be tried again."""
    return record.cancelled_at is None and record.counts[JobState.FAILED] > 0


def counts_document(record: SweepRecord) -> dict[str, int]:
    """Write how many of the jobs that are there are in which state."""
    return {state.value: record.counts[state] for state in JobState}


def outcomes_document(outcomes: Mapping[Outcome, int]) -> dict[str, int]:
    """Write how many jobs have found what."""
    return {outcome.value: outcomes.get(outcome, 0) for outcome in Outcome}


def event_document(record: SweepRecord, outcomes: Mapping[Outcome, int]) -> dict[str, Any]:
    """Write what one event says of a sweep.

    Parameters
    ----------
    record
        Of the sweep.
    outcomes
        How many jobs have each.
    """
    return {
        "state": record.state.value,
        "jobs": record.jobs,
        "created": record.created,
        "counts": counts_document(record),
        "outcomes": outcomes_document(outcomes),
    }


def plan_document(record: SweepRecord, plan: Mapping[str, Any]) -> dict[str, Any]:
    """Write what was asked, canonical. A sweep's can be posted again as it is.

    Parameters
    ----------
    record
        Of the sweep.
    plan
        As it is stored.
    """
    named = {} if record.name is None else {"name": record.name}
    asked = {name: value for name, value in plan.items() if name != "warnings"}
    return asked | {"labels": record.labels} | named
