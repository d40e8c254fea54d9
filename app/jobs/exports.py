"""Results of jobs in foreign formats; sync, for the thread pool."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import Lock

from pydantic import ValidationError

from app.http.exporting import ONE_AT_A_TIME, export_refusal, whole_schedule
from app.http.refusals import Refusal, refused_parameter
from app.http.resources import Resources
from app.jobs import service
from steadygrid.domain.errors import (
    CertificationError,
    Fault,
    InstanceError,
    LimitError,
    SolverError,
    TimeLimitError,
)
from steadygrid.domain.rational import parse_exact
from steadygrid.domain.stated_program import StatedProgram
from steadygrid.formats.exporter import Answer, Instances
from steadygrid.kinds import PROBLEMS
from steadygrid.solving import ProgramQuestion, Solver
from steadygrid.submissions.exports import EXPORTERS, file_sizes_of
from steadygrid.submissions.submission import Submission, restore_submission

_ONE_PROGRAM = Lock()
PROGRAM_SECONDS = 20.0
"""For building and solving a program again; with a long one the command is asked instead."""
PROGRAM_MEMORY = 2**30
"""Bytes of memory of the process that does it."""
PROGRAM_GRACE = 2.0
"""Seconds past the time after which that process is killed."""
RETRY_SECONDS = 5


def what_formats_are_for() -> str:
    """Say of which kind of problem each format takes answers."""
    return "; ".join(
        f"`{one.name}`: {one.title}, of " + (f"`{one.kind}`" if one.kind else "every kind")
        for one in EXPORTERS.values()
    )


def export(
    parts: Resources,
    tenant: str,
    job_id: str,
    format_name: str,
    parameters: Mapping[str, Sequence[str]],
) -> str:
    """Write the result of a job in a foreign format, as its schedule runs it.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    job_id
        Of the job.
    format_name
        One of `EXPORTERS`.
    parameters
        Values of the query parameters, by name.

    Raises
    ------
    Refusal
        ``not_found``, ``job_not_finished``, ``job_failed`` or ``job_cancelled``;
        ``invalid_request`` for an unknown format or parameter, or a result without such a form,
        ``limit_exceeded`` for one that is too large for it; ``unavailable`` while another program is
        built.
    """
    document = service.result(parts, tenant, job_id, "exact")
    exporter = EXPORTERS.get(format_name)
    if exporter is None:
        known = "the format is one of: " + ", ".join(EXPORTERS)
        raise refused_parameter("format", "unknown_format", known)
    kind = document.get("kind")
    if not exporter.takes(str(kind)):
        detail = (
            f"{exporter.title} takes answers of {exporter.kind}, and the job is of another kind"
        )
        raise refused_parameter("format", "format_not_applicable", detail)
    try:
        result = PROBLEMS[str(kind)].result.model_validate(document)
    except ValidationError:
        detail = "another version of this service has made the result: submit the instance again"
        raise refused_parameter("format", "unknown_result", detail) from None
    try:
        asked, instances, whole, sizes = None, None, None, None
        of_asked = exporter.of_instance or exporter.of_schedule or exporter.of_program
        if of_asked or exporter.takes_instance:
            asked = restore_submission(service.instance(parts, tenant, job_id))
        if exporter.of_schedule:
            if result.schedule is not None:
                whole = whole_schedule(parts, tenant, result.schedule)
            if asked is not None:
                sizes = file_sizes_of(asked, result, whole)
        elif not of_asked:
            instances = _instances(parts, tenant, result.schedule)
        instance = None if asked is None else asked.instance
        stated = None
        if exporter.of_program and asked is not None:
            exporter.check(parameters)
            stated = _program(parts, asked)
        answer = Answer(result, instances, instance, whole, sizes, stated)
        with ONE_AT_A_TIME:
            return exporter.write(answer, parameters).text
    except (InstanceError, LimitError) as error:
        raise export_refusal(error, "answer") from None


def _instances(parts: Resources, tenant: str, schedule_id: str | None) -> Instances | None:
    """Read what a schedule does in a period."""
    if schedule_id is None:
        return None
    with parts.database.read(tenant) as unit:
        return {
            item["index"]: parse_exact(item["instances_per_period"])
            for item in unit.schedules.items(schedule_id, "allocations")
        }


def _program(parts: Resources, asked: Submission) -> StatedProgram:
    """Have a process of its own build the program of a job, and solve it.

    Raises
    ------
    InstanceError
        ``no_program``, where there is no single one.
    Refusal
        ``unavailable``, while another is built; ``limit_exceeded``, where it takes too long or too
        much memory.
    """
    if not _ONE_PROGRAM.acquire(blocking=False):
        again = {"Retry-After": str(RETRY_SECONDS)}
        raise Refusal(
            "unavailable", "Another program is being built. Ask again later.", headers=again
        )
    try:
        seconds = min(asked.options.time_limit, PROGRAM_SECONDS)
        options = asked.options.model_copy(update={"time_limit": seconds})
        question = ProgramQuestion(replace(asked, options=options))
        limits = parts.settings.limits
        with Solver(limits, memory=PROGRAM_MEMORY, grace=PROGRAM_GRACE) as solver:
            stated: StatedProgram = solver.ask(question, seconds)
        return stated
    except (TimeLimitError, SolverError, CertificationError, MemoryError):
        detail = (
            f"the program is not solved within {seconds:g} s and {PROGRAM_MEMORY:,} bytes: get the"
            " instance, and let `steadygrid export` write it"
        )
        raise LimitError(detail, [Fault((), "limit_exceeded", detail)]) from None
    finally:
        _ONE_PROGRAM.release()
