"""WfFormat documents to an application."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pydantic import ValidationError

from steadygrid.domain.application import Application, application_faults
from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.errors import Fault, InstanceError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.rational import MAX_DIGITS
from steadygrid.domain.wording import sentence_for
from steadygrid.formats.identifiers import usable_ids
from steadygrid.formats.importer import Imported
from steadygrid.formats.reference_speeds import ASSUMED_SPEED, DEFAULT_SPEED
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.units import parse_speed
from steadygrid.formats.wfformat.graph import Graph
from steadygrid.formats.wfformat.reader import Reader, limit_error, refusal


def import_application(data: bytes, parameters: Mapping[str, str], limits: Limits) -> Imported:
    """Turn a WfFormat document into an `Application` in bytes and flops.

    Parameters
    ----------
    data
        The JSON document.
    parameters
        See `IMPORTER`.
    limits
        `max_body_bytes`, `max_tasks` and `max_files` (counted between pairs of tasks).

    Raises
    ------
    InstanceError
        With every fault found; pointers walk the document.
    LimitError
        More bytes, tasks or files than the limits allow.
    """
    if len(data) > limits.max_body_bytes:
        raise limit_error((), len(data), "bytes", limits.max_body_bytes)
    try:
        document = parse_json(data)
    except MalformedJSONError as error:
        raise refusal([Fault((), "malformed_json", str(error))]) from None
    reader = Reader(limits)
    name = reader.read(document)
    if reader.faults:
        raise refusal(reader.faults)
    notes = Notes()
    graph = Graph(reader, limits, notes)
    _tie_ends(graph, parameters, notes)
    if "reference_speed" not in parameters:
        notes.say(ASSUMED_SPEED)
    speeds = _speeds(reader, parameters.get("reference_speed", DEFAULT_SPEED), notes)
    application = _application(graph, speeds, parameters.get("name", name), notes)
    return Imported(application, notes.sentences())


def _tie_ends(graph: Graph, parameters: Mapping[str, str], notes: Notes) -> None:
    for parameter, name, by_task, tie, otherwise in (
        ("inputs_at", "begin", graph.external, graph.tie_inputs, "inputs are where they are used"),
        ("outputs_at", "end", graph.results, graph.tie_outputs, "outputs stay where they are made"),
    ):
        files = {file for listed in by_task.values() for file in listed}
        if not files:
            if parameter in parameters:
                notes.add(f"{parameter} is not used", "the workflow has no such files")
        elif parameter in parameters:
            free = name
            while free in graph.jobs:
                free += "_"
            tie(free, parameters[parameter])
        else:
            notes.add(
                f"external {otherwise}, unless {parameter} ties them to a processor",
                f"{len(files):,} files of {graph.total(files)} bytes",
            )
    graph.note_copies(notes)


def _speeds(reader: Reader, asked: str, notes: Notes) -> dict[str, Fraction]:
    """Give the speed in flops per second at which each task was recorded."""
    for name in reader.several_cores:
        notes.add("runtimes on several cores count as the work of one processor", name)
    if asked != "clock":
        try:
            speed = parse_speed(asked).value
        except ValueError as error:
            raise _parameter("reference_speed", f'{error}, or "clock"') from None
        if not speed:
            raise _parameter("reference_speed", "a speed is greater than zero")
        if len(set(reader.clocks.values())) > 1:
            notes.add(
                "machines with different clock rates count as equally fast",
                f"{len(reader.clocks):,} machines",
            )
        return dict.fromkeys(reader.jobs, speed)
    speeds: dict[str, Fraction] = {}
    for name, job in reader.jobs.items():
        machines = job.machines or (list(reader.clocks) if len(reader.clocks) == 1 else [])
        clocks = {reader.clocks.get(machine) for machine in machines}
        clock = clocks.pop() if len(clocks) == 1 else None
        if clock is None:
            detail = f"the clock rate at which task {name[:80]!r} ran is not given, or not just one"
            raise _parameter("reference_speed", detail + ": give a speed in flops per second")
        speeds[name] = clock
    notes.add("each clock cycle counts as one flop", f"{len(reader.clocks):,} machines")
    return speeds


def _parameter(name: str, detail: str) -> InstanceError:
    return InstanceError(faults=[Fault((), "invalid_parameter", f"{name}: {detail}")])


def _application(
    graph: Graph, speeds: Mapping[str, Fraction], name: str, notes: Notes
) -> Application:
    ids = usable_ids(graph.jobs, notes)
    tasks: list[dict[str, Any]] = []
    for job in graph.jobs.values():
        task: dict[str, Any] = {"id": ids[job.id]}
        if job.id in graph.places:
            task["times"] = {graph.places[job.id]: Fraction(0)}
        else:
            task["work"] = _bounded(job.runtime * speeds[job.id], job.at)
        tasks.append(task)
    files = [
        {"source": ids[source], "target": ids[target], "size": _bounded(size, ("workflow",))}
        for (source, target), size in graph.data.items()
    ]
    try:
        application = Application.model_validate({"name": name, "tasks": tasks, "files": files})
    except ValidationError as error:
        raise refusal(
            Fault((), e["type"], f"{'.'.join(map(str, e['loc']))}: {sentence_for(e)}")
            for e in error.errors(include_url=False)
        ) from None
    faults = [fault._replace(pointer=()) for fault in application_faults(application, ())]
    if faults:
        raise refusal(faults)
    return application


def _bounded(value: Fraction, at: Pointer) -> Fraction:
    if max(value.numerator, value.denominator) >= 10**MAX_DIGITS:
        detail = f"a work or size would have more than {MAX_DIGITS} digits"
        raise refusal([Fault(at, "rational_too_long", detail)])
    return value
