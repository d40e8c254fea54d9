"""Our answers in foreign formats: the registry that HTTP, the library and the commands share."""

from collections.abc import Mapping, Sequence

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.nearest import Known
from steadygrid.domain.schedule import Schedule
from steadygrid.formats.exporter import Answer, Exporter
from steadygrid.formats.schedule_exports import CSV, PAJE, TRACE
from steadygrid.kinds.collective.export import MSCCL
from steadygrid.kinds.replicated_workflow.export import PNML
from steadygrid.submissions.submission import Submission

EXPORTERS: Mapping[str, Exporter] = {
    exporter.name: exporter for exporter in (MSCCL, PNML, TRACE, PAJE, CSV)
}
"""One line per format, by its name."""


def write_answer(
    format_name: str,
    asked: Submission,
    result: Result,
    schedule: AnySchedule | None,
    parameters: Mapping[str, Sequence[str]],
) -> str:
    """Write an answer in a foreign format.

    Parameters
    ----------
    format_name
        One of `EXPORTERS`.
    asked, result, schedule
        The question, and what came of it.
    parameters
        Values by name.

    Raises
    ------
    InstanceError, LimitError
        ``unknown_format``, ``format_not_applicable``, and what `Exporter.write` raises.
    """
    exporter = EXPORTERS.get(format_name)
    if exporter is None:
        names = ", ".join(EXPORTERS)
        detail = f"the format is one of: {names}{Known(EXPORTERS).hint(format_name)}"
        raise InstanceError(detail, [Fault((), "unknown_format", detail)])
    if not exporter.takes(asked.kind):
        detail = f"{exporter.title} takes answers of {exporter.kind}, and this is of {asked.kind}"
        raise InstanceError(detail, [Fault((), "format_not_applicable", detail)])
    counts = (
        {one.index: one.instances_per_period for one in schedule.allocations}
        if isinstance(schedule, Schedule)
        else None
    )
    return exporter.write(Answer(result, counts, asked.instance, schedule), parameters).text
