"""What would help a job: its upgrades, and a sweep that solves the most promising; sync."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from app.db.errors import DatabaseUnavailableError
from app.db.models import SweepKind
from app.db.new_jobs import NewJob, new_job_id
from app.db.sweep_work import SweepJob, Unmade
from app.db.sweeps import NewSweep, SweepRecord
from app.db.unit import Unit
from app.http.bodies import Body, read_json
from app.http.idempotency import Keyed, Reading, make_once, read_once
from app.http.long_running import Made
from app.http.quotas import check_stored, take_places
from app.http.resources import Resources
from app.http.sources import Sources
from app.studies.asked import Answered, answered, may_be_queued, read_document, read_request, refuse
from app.sweeps.service import SWEEPS, wake
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.job import Options
from steadygrid.kinds import SOLVES
from steadygrid.studies.study import Study, Upgrade
from steadygrid.studies.what_if import WhatIfRequest, what_if
from steadygrid.submissions.job_names import MOST_CHARACTERS

_NEEDED = ("allocations", "computations", "events", "rows")
"""Parts of schedules that tell how busy resources are."""
_LONGEST = 2**23
"""Bytes of them, as stored. Where there are more, nothing is known of that."""


@dataclass(frozen=True)
class CheckedWhatIf:
    """A what-if that can be made."""

    job: Answered
    study: Study
    warnings: Sequence[str]
    """What is given but not used in the jobs that solve, as far as it is known."""

    def validation(self) -> dict[str, Any]:
        """Tell what it would be."""
        return {
            "valid": True,
            "kind": self.job.submission.kind,
            "upgrades": len(self.study.upgrades),
            "jobs": len(self.study.to_solve),
            "notes": list(self.study.notes),
        }

    def sweep(self) -> NewSweep:
        """Make the sweep that solves."""
        study, job = self.study, self.job
        patches = [
            [change.document() for change in study.upgrades[i].patch] for i in study.to_solve
        ]
        kept = study.stored()
        for upgrade in kept["upgrades"]:
            upgrade["patch"] = []  # those that are solved stand in the plan
        return NewSweep.create(
            job.submission.kind,
            len(patches),
            {"template": study.template, "patches": patches},
            job.submission.labels,
            job.record.name,
            SweepKind.WHAT_IF,
            kept,
            job.record.id,
        )

    def jobs(self) -> list[SweepJob]:
        """Make its jobs."""
        return [
            SweepJob(self._job(self.study.upgrades[i]), index)
            for index, i in enumerate(self.study.to_solve)
        ]

    def _job(self, upgrade: Upgrade) -> NewJob:
        asked = self.job.submission
        options = self.study.template["options"]
        return NewJob(
            id=new_job_id(),
            kind=asked.kind,
            name=name_of(upgrade, self.study.factor),
            labels=asked.labels,
            warnings=self.warnings,
            time_limit=float(options.get("time_limit", asked.options.time_limit)),
            packed=None,
            requires=SOLVES,
            priority=asked.priority,
        )


def name_of(upgrade: Upgrade, factor: Fraction) -> str:
    """Name a job after what is other in it.

    Parameters
    ----------
    upgrade
        Which resource is other.
    factor
        How many times faster it is; 0: it fails.
    """
    name = f"{upgrade.resource}, {factor} times faster" if factor else f"without {upgrade.resource}"
    cut = f"{name[: MOST_CHARACTERS - 1]}\N{HORIZONTAL ELLIPSIS}"
    return name if len(name) <= MOST_CHARACTERS else cut


def validation(parts: Sources, tenant: str, body: Body, job_id: str) -> dict[str, Any]:
    """Tell what a what-if would be. Nothing is stored.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    body
        As it was sent.
    job_id
        The job that is asked about.

    Raises
    ------
    Refusal
        ``malformed_json``; ``invalid_request``, ``no_value``, ``no_prices``, ``limit_exceeded`` with
        pointers that walk the request. See `answered` for the job.
    """
    return _check_what_if(parts, tenant, job_id, read_request(WhatIfRequest, body)).validation()


def _check_what_if(
    parts: Sources, tenant: str, job_id: str, request: WhatIfRequest
) -> CheckedWhatIf:
    job = answered(parts, tenant, job_id, _skipped_parts)
    try:
        study = what_if(job.submission, job.result, request, job.schedule, parts.settings.limits)
        if study.to_solve:
            options = Options.model_validate(study.template["options"])
            may_be_queued(parts, tenant, replace(job.submission, options=options))
    except (InstanceError, LimitError) as error:
        refuse(error, WhatIfRequest.model_fields)
    return CheckedWhatIf(job, study, () if request.options else job.record.warnings)


def _skipped_parts(_header: Mapping[str, Any], lengths: Mapping[str, int]) -> Collection[str]:
    too_long = sum(lengths.get(part, 0) for part in _NEEDED) > _LONGEST
    return [part for part in lengths if too_long or part not in _NEEDED]


class Ready(NamedTuple):
    """A what-if ready to be stored."""

    sweep: NewSweep
    jobs: Sequence[SweepJob]
    asked: Keyed | None


def read(
    parts: Sources, tenant: str, body: Body, job_id: str, key: str | None
) -> Ready | Made[SweepRecord]:
    """Find out what would help, unless the idempotency key has made a sweep of it already.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    body
        As it was sent.
    job_id
        The job that is asked about.
    key
        The idempotency key. None: there is none.

    Raises
    ------
    Refusal
        See `validation`, and `read_once` for keys.
    """
    reading = Reading(
        "what_if",
        lambda: {"job": job_id, "asked": read_json(body, {})},
        lambda posted: read_document(WhatIfRequest, posted["asked"]),
        lambda request: {"job": job_id, "asked": request.model_dump(mode="json")},
    )
    found = read_once(parts, tenant, SWEEPS, key, reading)
    if isinstance(found, Made):
        return found
    request, under = found
    asked = _check_what_if(parts, tenant, job_id, request)
    return Ready(asked.sweep(), asked.jobs(), under)


def ask(parts: Resources, tenant: str, ready: Ready) -> Made[SweepRecord]:
    """Store the sweep of a what-if with all its jobs, unless its key has made it meanwhile.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    ready
        The what-if, ready to be stored.

    Raises
    ------
    Refusal
        See `make_once` for keys. Where there is no room for the jobs, `take_places`.
    """
    sweep, jobs, under = ready

    def add(unit: Unit) -> None:
        _take_places(parts, unit, len(jobs), sweep.packed_bytes)
        unit.sweeps.add(sweep, 0)
        unmade = Unmade(sweep.id, tenant, 0, len(jobs), b"")
        if jobs and not unit.sweep_work.make_some(unmade, jobs, 0):
            raise DatabaseUnavailableError("the sweep has vanished")

    made = make_once(parts, tenant, SWEEPS, under, sweep.id, add)
    if jobs and not made.replayed:
        wake(parts)
    return made


def _take_places(parts: Resources, unit: Unit, jobs: int, adds: int) -> None:
    if not jobs:
        check_stored(parts.settings, unit, adds)
        return
    try:
        take_places(parts.settings, unit, jobs, adds)
    except LimitError as error:
        refuse(LimitError(faults=[fault._replace(pointer=("solve",)) for fault in error.faults]))
