"""Schedules in foreign formats that need nothing else; sync, for the thread pool."""

from collections.abc import Mapping, Sequence

from app.http.exporting import ONE_AT_A_TIME, export_refusal, whole_schedule
from app.http.refusals import refused_parameter
from app.http.resources import Resources
from app.schedules.service import no_such_schedule
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.formats.exporter import Answer
from steadygrid.submissions.exports import SCHEDULE_FORMATS


def export(
    parts: Resources,
    tenant: str,
    schedule_id: str,
    format_name: str,
    parameters: Mapping[str, Sequence[str]],
) -> str:
    """Write a schedule in a foreign format.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    schedule_id
        Of the schedule.
    format_name
        One of `SCHEDULE_FORMATS`.
    parameters
        Values of the query parameters, by name.

    Raises
    ------
    Refusal
        ``not_found``; ``invalid_request`` for an unknown format or parameter, or a schedule without
        such a form, ``limit_exceeded`` for one that is too long.
    """
    try:
        schedule = whole_schedule(parts, tenant, schedule_id)
        if schedule is None:
            raise no_such_schedule()
        exporter = SCHEDULE_FORMATS.get(format_name)
        if exporter is None:
            known = "the format is one of: " + ", ".join(SCHEDULE_FORMATS)
            raise refused_parameter("format", "unknown_format", known)
        with ONE_AT_A_TIME:
            return exporter.write(Answer(None, schedule=schedule), parameters).text
    except (InstanceError, LimitError) as error:
        raise export_refusal(error, "schedule") from None
