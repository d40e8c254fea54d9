"""Answers in files, in foreign formats."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from steadygrid.cli.documents import read_schedule, read_submission
from steadygrid.cli.json_files import coded, fault_lines, read_json
from steadygrid.cli.terminal import Refusal, complain, shown
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Schedule
from steadygrid.formats.exporter import Answer, Exporter, Instances
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import printable
from steadygrid.submissions.exports import file_sizes_of
from steadygrid.submissions.submission import Submission, validation_faults


def exported(
    name: str,
    schedule: str | None,
    instance: str | None,
    exporter: Exporter,
    parameters: Mapping[str, Sequence[str]],
    limits: Limits,
) -> str:
    """Write the result of a file in a foreign format, and say what was exported.

    Parameters
    ----------
    schedule
        The file of its schedule, if there is one.
    instance
        The file of what was asked; formats need one of the two, or none.

    Raises
    ------
    Refusal
        With every fault found.
    """
    if [name, schedule, instance].count("-") > 1:
        raise Refusal("only one of the files can be standard input")
    result = _result(name, exporter, read_json(name, limits.max_body_bytes))
    if exporter.of_schedule:
        answer = _whole(result, schedule, instance, exporter, limits)
    elif exporter.of_instance:
        if schedule is not None:
            raise Refusal(f"--schedule is not for --to {exporter.name}, which needs --instance")
        answer = Answer(result, instance=_instance(instance, exporter, limits))
    else:
        asked = None
        if instance is not None:
            if not exporter.takes_instance:
                raise Refusal(f"--instance is not for --to {exporter.name}, but --schedule is")
            asked = _instance(instance, exporter, limits)
        answer = Answer(result, _instances(schedule, limits), asked)
    try:
        written = exporter.write(answer, parameters)
    except (InstanceError, LimitError) as error:
        raise Refusal(
            [
                f"{f'--set {f.pointer[0]}' if f.pointer else shown(name)}: {coded(f)}"
                for f in error.faults
            ],
            coded=True,
        ) from None
    complain([f"note: {printable(note)}" for note in written.notes])
    return written.text


def _whole(
    result: Any, schedule: str | None, instance: str | None, exporter: Exporter, limits: Limits
) -> Answer:
    if schedule is None:
        raise Refusal(
            f"--to {exporter.name} needs --schedule FILE: what `steadygrid solve --schedule` writes"
        )
    found = read_schedule(schedule, limits, PROBLEMS[result.kind].form)
    asked = _read_asked(instance, exporter, limits, result.kind)
    return Answer(result, None, asked.instance, found, file_sizes_of(asked, result, found))


def _instance(name: str | None, exporter: Exporter, limits: Limits) -> Any:
    return _read_asked(name, exporter, limits).instance


def _read_asked(
    name: str | None, exporter: Exporter, limits: Limits, kind: str | None = None
) -> Submission:
    if name is None:
        raise Refusal(
            f"--to {exporter.name} needs --instance FILE: what was asked, as posted, or as"
            " GET .../instance gives it"
        )
    asked = read_submission(name, limits)
    wanted = kind or exporter.kind
    if asked.kind != wanted:
        raise Refusal(f"{shown(name)}: expected an instance of {wanted}")
    return asked


def _instances(name: str | None, limits: Limits) -> Instances | None:
    if name is None:
        return None
    found = read_schedule(name, limits, Schedule)
    listed = found.allocations if isinstance(found, Schedule) else ()
    return {allocation.index: allocation.instances_per_period for allocation in listed}


def _result(name: str, exporter: Exporter, body: Any) -> Any:
    kind = body.get("kind") if isinstance(body, dict) else None
    known = isinstance(kind, str) and kind in PROBLEMS
    if not known or not exporter.takes(str(kind)) or "outcome" not in body:
        wanted = f"a result of {exporter.kind}" if exporter.kind else "a result"
        raise Refusal(
            f"{shown(name)}: expected {wanted}, as `steadygrid solve --json` or GET .../result gives"
            " it"
        )
    model = PROBLEMS[str(kind)].result
    try:
        return model.model_validate(body)
    except ValidationError as error:
        faults = list(validation_faults(model, error, body))
        raise Refusal(fault_lines(name, faults), coded=True) from None
