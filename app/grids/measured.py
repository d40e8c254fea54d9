"""What was measured of the platform of a job, next to what was planned; sync."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from app.db.measurements import Measurements, Reading
from app.db.unit import Unit
from app.db.watches import Watch
from app.grids.drift import named_platform, watch_document
from app.grids.measurements import with_numbers, written
from app.http.refusals import Refusal
from app.http.resources import Resources
from app.http.sources import Sources
from app.jobs.service import JOBS
from steadygrid.domain.rational import parse_exact
from steadygrid.studies.measurements import measurable
from steadygrid.submissions.submission import restore_submission

NOTICED = Fraction(1, 20)
"""Part of a planned speed from which on it is said that a resource is slower."""


class MeasuredJob(NamedTuple):
    """What was measured for a job."""

    job_id: str
    platform_id: str
    measured: Measurements
    watch: Watch | None

    def document(self, planned: Mapping[str, str], numbers: str) -> dict[str, Any]:
        """Write it as the contract shows it.

        Parameters
        ----------
        planned
            Speeds and bandwidths of the plan by resource. Others are left out.
        numbers
            ``exact``: numbers are strings; ``float``: the nearest doubles.
        """
        found = sorted(self.measured.latest.items())
        items = [_item(one, planned[key], numbers) for key, one in found if key in planned]
        watch = None
        if self.watch is not None:
            watch = watch_document(self.watch, self.measured.version, numbers)
        return {
            "job": self.job_id,
            "platform": self.platform_id,
            "version": self.measured.version,
            "measured_at": written(self.measured.measured_at),
            "items": items,
            "drift": watch,
        }


def slower_part(planned: Fraction, measured: Fraction) -> Fraction:
    """Give the part of a planned speed that is missing; below 0: it is faster.

    Parameters
    ----------
    planned, measured
        Speeds, or bandwidths.
    """
    return 1 - measured / planned


def _item(reading: Reading, planned: str, numbers: str) -> dict[str, Any]:
    slower = slower_part(parse_exact(planned), parse_exact(reading.value))
    return {
        "resource": reading.resource,
        "at": written(reading.at),
        "planned": with_numbers(planned, numbers),
        "measured": with_numbers(reading.value, numbers),
        "slower": float(slower) if numbers == "float" else str(slower),
        "text": sentence(slower) if abs(slower) >= NOTICED else None,
    }


def sentence(slower: Fraction) -> str:
    """Say how much slower something is than planned, as ``12 % slower than planned``.

    Parameters
    ----------
    slower
        See `slower_part`.
    """
    if slower == 1:
        return "gone"
    percent = f"{round(abs(slower) * 100)} %"
    return f"{percent} {'slower' if slower > 0 else 'faster'} than planned"


def planned_values(parts: Sources, _content: bytes, tenant: str, job_id: str) -> dict[str, str]:
    """Give the speeds and bandwidths of a job's plan, by resource; empty for a job without a platform.

    Parameters
    ----------
    parts
        The settings and the database.
    tenant
        Whose job it is.
    job_id
        Of the job.
    """
    with parts.database.read(tenant) as unit:
        document = unit.jobs.instance(job_id)
    if document is None:
        return {}
    platform = getattr(restore_submission(document).instance, "platform", None)
    if platform is None:
        return {}
    return {one.key: str(one.planned) for one in measurable(platform) if one.planned is not None}


def look(parts: Resources, tenant: str, job_id: str) -> MeasuredJob:
    """Look at what was measured for a job.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    job_id
        Of the job.

    Raises
    ------
    Refusal
        ``not_found`` where the job is not there, or is neither watched nor names a stored platform.
    """
    with parts.database.read(tenant) as unit:
        JOBS.existing(unit, job_id)
        found = look_in(unit, job_id)
    if found is None:
        raise Refusal(
            "not_found",
            "The job names no stored platform. PUT /v1/jobs/{id}/drift says to which one it belongs.",
        )
    return found


def look_in(unit: Unit, job_id: str) -> MeasuredJob | None:
    """Look at what was measured for a job, or give None where no stored platform belongs to it.

    Parameters
    ----------
    unit
        Of the tenant.
    job_id
        Of the job.
    """
    watch = unit.watched_jobs.get(job_id)
    platform_id = named_platform(unit, job_id) if watch is None else watch.platform_id
    if platform_id is None:
        return None
    return MeasuredJob(job_id, platform_id, unit.measurements.latest(platform_id), watch)
