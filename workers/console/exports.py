"""Answers in files, in foreign formats."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Schedule
from steadygrid.formats.exporter import Exporter
from steadygrid.problems import PROBLEMS
from steadygrid.problems.submission import validation_faults
from steadygrid.report.glyphs import printable
from workers.console.documents import read_schedule
from workers.console.terminal import Refusal, complain, fault_lines, read_json, shown


def exported(
    name: str,
    schedule: str | None,
    exporter: Exporter,
    parameters: Mapping[str, Sequence[str]],
    limits: Limits,
) -> str:
    """Write the result of a file in a foreign format, and say what was exported.

    Parameters
    ----------
    schedule
        The file of its schedule, if there is one.

    Raises
    ------
    Refusal
        With every fault found.
    """
    result = _result(name, exporter, read_json(name, limits.max_body_bytes))
    instances = None
    if schedule is not None:
        found = read_schedule(schedule, limits, Schedule)
        listed = found.allocations if isinstance(found, Schedule) else ()
        instances = {allocation.index: allocation.instances_per_period for allocation in listed}
    try:
        written = exporter.write(result, instances, parameters)
    except (InstanceError, LimitError) as error:
        raise Refusal(
            [
                f"{f'--set {f.pointer[0]}' if f.pointer else shown(name)}: {printable(f.detail)}"
                for f in error.faults
            ]
        ) from None
    complain([f"note: {printable(note)}" for note in written.notes])
    return written.text


def _result(name: str, exporter: Exporter, body: Any) -> Any:
    kind = body.get("kind") if isinstance(body, dict) else None
    if kind != exporter.kind or "outcome" not in body:
        raise Refusal(
            f"{shown(name)}: expected a result of {exporter.kind}, as `steadygrid solve --json` or"
            " GET .../result gives it"
        )
    model = PROBLEMS[exporter.kind].result
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise Refusal(fault_lines(name, list(validation_faults(model, error, body)))) from None
