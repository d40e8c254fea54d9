"""Our answers in foreign formats: the registry that HTTP, the library and the commands share."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.slots import FileName
from steadygrid.domain.stated_program import StatedProgram
from steadygrid.formats.exporter import Answer, Exported, Exporter, PlatformFormat
from steadygrid.formats.importer import later
from steadygrid.formats.programs import LP, MPS
from steadygrid.formats.schedule_exports import CSV, GRAPHML, PAJE, TRACE
from steadygrid.kinds.collective.export import MSCCL
from steadygrid.kinds.mono_allocation.export import WFFORMAT
from steadygrid.kinds.replicated_workflow.export import PNML
from steadygrid.submissions.submission import Submission

EXPORTERS: Mapping[str, Exporter] = {
    exporter.name: exporter
    for exporter in (MSCCL, PNML, WFFORMAT, TRACE, PAJE, GRAPHML, CSV, LP, MPS)
}
"""One line per format, by its name."""
SCHEDULE_FORMATS: Mapping[str, Exporter] = {
    name: exporter for name, exporter in EXPORTERS.items() if exporter.of_schedule_alone
}
"""Those that need nothing but the schedule."""
PLATFORM_FORMATS: Mapping[str, PlatformFormat] = {
    GRAPHML.name: PlatformFormat(
        GRAPHML.content_type, "a graph", later("steadygrid.formats.graphs.written:write_graphml")
    ),
    "simgrid": PlatformFormat(
        "application/simgrid+xml",
        "a platform of SimGrid, version 4.1",
        later("steadygrid.formats.simgrid.writer:write_simgrid"),
    ),
}
"""Formats that a platform alone is written in."""


def write_platform(format_name: str, platform: Platform) -> Exported:
    """Write a platform in a foreign format.

    Parameters
    ----------
    format_name
        One of `PLATFORM_FORMATS`.
    platform
        Without what the format cannot say.

    Raises
    ------
    InstanceError
        ``unknown_format``, or ``not_in_format`` with what the format cannot say.
    """
    if format_name not in PLATFORM_FORMATS:
        names = ", ".join(PLATFORM_FORMATS)
        detail = f"the format is one of: {names}{Known(PLATFORM_FORMATS).hint(format_name)}"
        raise InstanceError(detail, [Fault((), "unknown_format", detail)])
    return PLATFORM_FORMATS[format_name].write(platform)


def file_sizes_of(
    asked: Submission, result: Result, schedule: AnySchedule | None
) -> Mapping[FileName, Fraction]:
    """Give the sizes of the files that a schedule moves.

    Parameters
    ----------
    asked, result, schedule
        The question, and what came of it.
    """
    view = asked.problem.view(asked.instance, asked.options, result, schedule)
    return view.file_sizes


def write_answer(
    format_name: str,
    asked: Submission,
    result: Result,
    schedule: AnySchedule | None,
    parameters: Mapping[str, Sequence[str]],
    program: Callable[[Submission], StatedProgram] | None = None,
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
    program
        Has a solver process state the linear program. None: there is none to ask.

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
    sizes = file_sizes_of(asked, result, schedule) if exporter.of_schedule else None
    stated = program(asked) if exporter.of_program and program is not None else None
    answer = Answer(result, counts, asked.instance, schedule, sizes, stated)
    return exporter.write(answer, parameters).text
