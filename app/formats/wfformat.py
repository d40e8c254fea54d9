"""WfCommons WfFormat (JSON), schema versions 1.3 to 1.6: recorded workflows.

What becomes of what:

======================== =================================================================
WfFormat                 application
======================== =================================================================
task                     task; its work is its runtime times `reference_speed`
files from one task to   one file, as large as all of them together
another
file with many users     one file for each of them (a note says what multicast would save)
parent without a file    file of size 0
external input, output   file from ``begin``, or to ``end``, if `inputs_at` or `outputs_at`
                         says on which processor that is; else a note
======================== =================================================================

Up to version 1.4 everything is in ``workflow.tasks`` (``runtime`` and ``size`` in 1.3,
``runtimeInSeconds`` and ``sizeInBytes`` in 1.4; both are read in either); from 1.5 on it is in
``workflow.specification`` and ``workflow.execution``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from app.domain.application import Application, application_faults
from app.domain.document import MalformedJSONError, parse_json
from app.domain.errors import Fault, InstanceError, LimitError, Pointer
from app.domain.rational import MAX_DIGITS, parse_rational
from app.formats.importer import Imported, Importer
from app.formats.simgrid.notes import Notes
from app.formats.simgrid.units import parse_speed
from app.settings import Limits

DEFAULT_SPEED = "1Gf"
_MEGAHERTZ = 10**6
_MOST_FAULTS = 20
_LONGEST_ID = 200
_NESTED = ("1.3", "1.4")
_SPLIT = ("1.5", "1.6")


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
        raise _too_many((), len(data), "bytes", limits.max_body_bytes)
    try:
        document = parse_json(data)
    except MalformedJSONError as error:
        raise _refusal([Fault((), "malformed_json", str(error))]) from None
    reader = _Reader(limits)
    name = reader.read(document)
    if reader.faults:
        raise _refusal(reader.faults)
    notes = Notes()
    graph = _Graph(reader, limits, notes)
    _tie_ends(graph, parameters, notes)
    speeds = _speeds(reader, parameters.get("reference_speed", DEFAULT_SPEED), notes)
    application = _application(graph, speeds, parameters.get("name", name), notes)
    return Imported(application, notes.sentences())


def _refusal(faults: Iterable[Fault]) -> InstanceError:
    return InstanceError(faults=list(faults)[:_MOST_FAULTS])


def _too_many(pointer: Pointer, number: int, noun: str, limit: int) -> LimitError:
    detail = f"{number:,} {noun}; at most {limit:,} are accepted"
    return LimitError(detail, [Fault(pointer, "limit_exceeded", detail)])


@dataclass
class _Job:
    """One task as the document has it."""

    id: str
    at: Pointer
    runtime: Fraction = Fraction(0)
    machines: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    children: list[str] = field(default_factory=list)


class _Misread(Exception):
    """A part of the document is not what it should be, which has been noted."""


class _Reader:
    """The document's parts, checked; both layouts come out the same.

    Attributes
    ----------
    jobs
        By what other parts of the document call them.
    sizes
        Bytes of each file.
    clocks
        Hertz of each machine that says so, None for the others.
    several_cores
        Tasks that used more than one core.
    """

    def __init__(self, limits: Limits) -> None:
        self.faults: list[Fault] = []
        self.jobs: dict[str, _Job] = {}
        self.sizes: dict[str, Fraction] = {}
        self.clocks: dict[str, Fraction | None] = {}
        self.several_cores: list[str] = []
        self._limits = limits

    def read(self, document: Any) -> str:
        """Read a document; give its name."""
        try:
            body = self._object(document, ())
            version = body.get("schemaVersion")
            if version not in _NESTED + _SPLIT:
                known = ", ".join(_NESTED + _SPLIT)
                raise self._misread(
                    ("schemaVersion",), "unknown_version", f"the schema version is one of: {known}"
                )
            name = self._text(body, "name", ())
            workflow = self._object(body.get("workflow"), ("workflow",))
            if version in _NESTED:
                self._read_nested(workflow)
            else:
                self._read_split(workflow)
        except _Misread:
            return ""
        return name

    # --- layouts -------------------------------------------------------------------------

    def _read_nested(self, workflow: Mapping[str, Any]) -> None:
        at: Pointer = ("workflow",)
        listed = self._tasks(workflow, at)
        self._read_machines(workflow.get("machines", []), (*at, "machines"))
        names = Counter(str(task.get("name")) for task in listed if isinstance(task, Mapping))
        for i, value in enumerate(listed):
            here = (*at, "tasks", i)
            task = self._object(value, here)
            name = self._text(task, "name", here)
            if names[name] > 1 and "id" in task:
                name = f"{name}_{self._text(task, 'id', here)}"
            job = self._add(name, here)
            job.runtime = self._either(task, ("runtimeInSeconds", "runtime"), here)
            job.machines = [self._text(task, "machine", here)] if "machine" in task else []
            self._read_cores(task, "cores", name, here)
            self._read_relatives(task, job, here)
            for j, file in enumerate(self._list(task.get("files", []), (*here, "files"))):
                self._read_nested_file(file, job, (*here, "files", j))

    def _read_nested_file(self, value: Any, job: _Job, at: Pointer) -> None:
        file = self._object(value, at)
        name = self._text(file, "name", at)
        if "path" in file:
            name = self._text(file, "path", at) + name
        size = self._either(file, ("sizeInBytes", "size"), at)
        if self.sizes.setdefault(name, size) != size:
            self._note(at, "two_sizes", f"file {name[:80]!r} had another size before")
        link = file.get("link")
        if link not in ("input", "output"):
            raise self._misread((*at, "link"), "unknown_link", 'the link is "input" or "output"')
        (job.inputs if link == "input" else job.outputs).append(name)

    def _read_split(self, workflow: Mapping[str, Any]) -> None:
        at: Pointer = ("workflow", "specification")
        specification = self._object(workflow.get("specification"), at)
        listed = self._tasks(specification, at)
        files = self._list(specification.get("files", []), (*at, "files"))
        for i, value in enumerate(files):
            here = (*at, "files", i)
            file = self._object(value, here)
            name = self._text(file, "id", here)
            if name in self.sizes:
                self._note((*here, "id"), "duplicate_file", f"file {name[:80]!r} is given twice")
            self.sizes[name] = self._either(file, ("sizeInBytes",), here)
        for i, value in enumerate(listed):
            here = (*at, "tasks", i)
            task = self._object(value, here)
            job = self._add(self._text(task, "id", here), here)
            self._read_relatives(task, job, here)
            for member, names in (("inputFiles", job.inputs), ("outputFiles", job.outputs)):
                names += self._names(task, member, here)
                for j, name in enumerate(names):
                    if name not in self.sizes:
                        pointer = (*here, member, j)
                        self._note(pointer, "unknown_file", f"there is no file {name[:80]!r}")
        self._read_execution(workflow)

    def _read_execution(self, workflow: Mapping[str, Any]) -> None:
        at: Pointer = ("workflow", "execution")
        if "execution" not in workflow:
            raise self._misread(
                at, "missing", "the workflow was not executed: there are no runtimes to import"
            )
        execution = self._object(workflow["execution"], at)
        self._read_machines(execution.get("machines", []), (*at, "machines"))
        missing = dict.fromkeys(self.jobs)
        for i, value in enumerate(self._list(execution.get("tasks"), (*at, "tasks"))):
            here = (*at, "tasks", i)
            task = self._object(value, here)
            name = self._text(task, "id", here)
            if name not in self.jobs:
                self._note((*here, "id"), "unknown_task", f"there is no task {name[:80]!r}")
                continue
            if name not in missing:
                self._note((*here, "id"), "duplicate_task", f"task {name[:80]!r} is given twice")
                continue
            del missing[name]
            self.jobs[name].runtime = self._either(task, ("runtimeInSeconds",), here)
            self.jobs[name].machines = self._names(task, "machines", here)
            self._read_cores(task, "coreCount", name, here)
        for name in missing:
            self._note((*at, "tasks"), "missing", f"task {name[:80]!r} has no runtime")

    # --- parts ---------------------------------------------------------------------------

    def _tasks(self, parent: Mapping[str, Any], at: Pointer) -> Sequence[Any]:
        listed = self._list(parent.get("tasks"), (*at, "tasks"))
        if len(listed) > self._limits.max_tasks:
            raise _too_many((*at, "tasks"), len(listed), "tasks", self._limits.max_tasks)
        if not listed:
            raise self._misread((*at, "tasks"), "too_short", "there is no task")
        return listed

    def _add(self, name: str, at: Pointer) -> _Job:
        if name in self.jobs:
            self._note(at, "duplicate_task", f"task {name[:80]!r} is given twice")
        job = _Job(name, at)
        self.jobs[name] = job
        return job

    def _read_relatives(self, task: Mapping[str, Any], job: _Job, at: Pointer) -> None:
        job.parents = self._names(task, "parents", at)
        job.children = self._names(task, "children", at)

    def _read_machines(self, value: Any, at: Pointer) -> None:
        for i, entry in enumerate(self._list(value, at)):
            here = (*at, i)
            machine = self._object(entry, here)
            name = self._text(machine, "nodeName", here)
            cpu = self._object(machine.get("cpu", {}), (*here, "cpu"))
            keys = [key for key in ("speedInMHz", "speed") if key in cpu]
            clock = self._either(cpu, tuple(keys), (*here, "cpu")) if keys else Fraction(0)
            self.clocks[name] = clock * _MEGAHERTZ or None

    def _read_cores(self, task: Mapping[str, Any], key: str, name: str, at: Pointer) -> None:
        if key in task and self._either(task, (key,), at) > 1:
            self.several_cores.append(name)

    # --- values --------------------------------------------------------------------------

    def _note(self, at: Pointer, code: str, detail: str) -> None:
        self.faults.append(Fault(at, code, detail))
        if len(self.faults) >= _MOST_FAULTS:
            raise _Misread

    def _misread(self, at: Pointer, code: str, detail: str) -> _Misread:
        self.faults.append(Fault(at, code, detail))
        return _Misread()

    def _object(self, value: Any, at: Pointer) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            code = "missing" if value is None else "invalid_type"
            raise self._misread(at, code, "expected a JSON object")
        return value

    def _list(self, value: Any, at: Pointer) -> Sequence[Any]:
        if not isinstance(value, list):
            code = "missing" if value is None else "invalid_type"
            raise self._misread(at, code, "expected a JSON list")
        return value

    def _text(self, parent: Mapping[str, Any], key: str, at: Pointer) -> str:
        value = parent.get(key)
        if not isinstance(value, str) or not value:
            code = "missing" if value is None else "invalid_type"
            raise self._misread((*at, key), code, "expected a text that is not empty")
        return value

    def _names(self, parent: Mapping[str, Any], key: str, at: Pointer) -> list[str]:
        listed = self._list(parent.get(key, []), (*at, key))
        for i, name in enumerate(listed):
            if not isinstance(name, str):
                raise self._misread((*at, key, i), "invalid_type", "expected a text")
        return list(dict.fromkeys(listed))

    def _either(self, parent: Mapping[str, Any], keys: Sequence[str], at: Pointer) -> Fraction:
        """Read the first number that is there, by the name it has in this or that version."""
        key = next((key for key in keys if key in parent), keys[0])
        if key not in parent:
            raise self._misread((*at, key), "missing", "there is no such number")
        try:
            return parse_rational(parent[key])
        except PydanticCustomError as error:
            raise self._misread((*at, key), error.type, error.message()) from None


class _Graph:
    """Tasks and the data between them.

    Attributes
    ----------
    jobs
        By name, in the document's order.
    data
        Bytes by producer and user.
    external, results
        Bytes by the tasks that use files nobody makes, or make files nobody uses; and the
        files themselves.
    places
        Processors of the tasks that were added for external files.
    """

    def __init__(self, reader: _Reader, limits: Limits, notes: Notes) -> None:
        self.jobs = reader.jobs
        self.sizes = reader.sizes
        self.data: dict[tuple[str, str], Fraction] = {}
        self.external: dict[str, list[str]] = {}
        self.results: dict[str, list[str]] = {}
        self.places: dict[str, str] = {}
        self._copies: dict[str, int] = {}
        self._limits = limits
        parents = self._parents()
        producers: dict[str, list[str]] = {}
        for name, job in self.jobs.items():
            for file in dict.fromkeys(job.outputs):
                producers.setdefault(file, []).append(name)
        for name, job in self.jobs.items():
            for file in dict.fromkeys(job.inputs):
                self._add_input(name, file, producers.get(file, []), parents[name], notes)
        for name, job in self.jobs.items():
            unused = [f for f in dict.fromkeys(job.outputs) if f not in self._copies]
            if unused:
                self.results[name] = unused
        for name, listed in parents.items():
            for parent in listed:
                if (parent, name) not in self.data:
                    self._add((parent, name), Fraction(0))
                    notes.add("parents without a common file give files of size 0", name)

    def _parents(self) -> dict[str, dict[str, None]]:
        """Give the declared parents of each task, whichever side declared them."""
        parents: dict[str, dict[str, None]] = {name: {} for name in self.jobs}
        faults: list[Fault] = []
        for name, job in self.jobs.items():
            for member, listed in (("parents", job.parents), ("children", job.children)):
                for j, other in enumerate(listed):
                    if other not in self.jobs:
                        pointer = (*job.at, member, j)
                        detail = f"there is no task {other[:80]!r}"
                        faults.append(Fault(pointer, "unknown_task", detail))
                    elif member == "parents":
                        parents[name][other] = None
                    else:
                        parents[other][name] = None
            if len(faults) >= _MOST_FAULTS:
                break
        if faults:
            raise _refusal(faults)
        return parents

    def _add_input(
        self,
        user: str,
        file: str,
        producers: Sequence[str],
        parents: Mapping[str, None],
        notes: Notes,
    ) -> None:
        others = [name for name in producers if name != user]
        if len(others) > 1:
            others = [name for name in others if name in parents]
            if not others:
                detail = (
                    f"file {file[:80]!r} is made by several tasks, and none of them is a parent:"
                    " name the one that is meant among the parents"
                )
                raise _refusal([Fault(self.jobs[user].at, "ambiguous_file", detail)])
            if len(others) > 1:
                notes.add("files that several parents make come from each of them", file)
        if not others:
            if producers:
                notes.add("files that only their own maker uses stay there and are left out", file)
                self._copies.setdefault(file, 0)
            else:
                self.external.setdefault(user, []).append(file)
            return
        self._copies[file] = self._copies.get(file, 0) + 1
        for producer in others:
            self._add((producer, user), self.sizes[file])

    def _add(self, pair: tuple[str, str], size: Fraction) -> None:
        self.data[pair] = self.data.get(pair, Fraction(0)) + size
        if len(self.data) > self._limits.max_files:
            raise _too_many(("workflow",), len(self.data), "files", self._limits.max_files)

    def tie_inputs(self, name: str, place: str) -> None:
        """Add a task from which all external inputs come."""
        self._add_end(name, place)
        for user, files in self.external.items():
            self._add((name, user), self.total(files))
            for file in files:
                self._copies[file] = self._copies.get(file, 0) + 1

    def tie_outputs(self, name: str, place: str) -> None:
        """Add a task to which all files go that nobody uses."""
        self._add_end(name, place)
        for producer, files in self.results.items():
            self._add((producer, name), self.total(files))

    def _add_end(self, name: str, place: str) -> None:
        self.jobs[name] = _Job(name, ())
        self.places[name] = place

    def total(self, files: Iterable[str]) -> Fraction:
        """Give the bytes of different files together."""
        return sum((self.sizes[file] for file in files), Fraction(0))

    def note_copies(self, notes: Notes) -> None:
        """Say what it costs that every user gets a copy of its own."""
        shared = {file: copies for file, copies in self._copies.items() if copies > 1}
        if not shared:
            return
        saved = sum((self.sizes[f] * (copies - 1) for f, copies in shared.items()), Fraction(0))
        total = sum(self.data.values(), Fraction(0))
        part = f" ({float(saved / total):.1%})" if saved else ""
        first = max(shared, key=lambda file: shared[file])
        notes.add(
            f"every user of a file gets a copy: multicast would save {saved} of {total} bytes per"
            f" instance{part}; files with several users: {len(shared):,}; most copies",
            f"{first!r} ({shared[first]:,})",
        )


def _tie_ends(graph: _Graph, parameters: Mapping[str, str], notes: Notes) -> None:
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


def _speeds(reader: _Reader, asked: str, notes: Notes) -> dict[str, Fraction]:
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
    graph: _Graph, speeds: Mapping[str, Fraction], name: str, notes: Notes
) -> Application:
    ids = _ids(graph.jobs, notes)
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
        raise _refusal(
            Fault((), e["type"], f"{'.'.join(map(str, e['loc']))}: {e['msg']}")
            for e in error.errors(include_url=False, include_input=False, include_context=False)
        ) from None
    faults = [fault._replace(pointer=()) for fault in application_faults(application, ())]
    if faults:
        raise _refusal(faults)
    return application


def _bounded(value: Fraction, at: Pointer) -> Fraction:
    if max(value.numerator, value.denominator) >= 10**MAX_DIGITS:
        detail = f"a work or size would have more than {MAX_DIGITS} digits"
        raise _refusal([Fault(at, "rational_too_long", detail)])
    return value


def _ids(names: Iterable[str], notes: Notes) -> dict[str, str]:
    """Give each task an id that we can use: at most 200 characters, no ``--``, no ``->``."""
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        base = name.replace("->", "-:")
        while "--" in base:
            base = base.replace("--", "-.")
        id_, number = base[:_LONGEST_ID], 1
        while id_ in taken:
            number += 1
            id_ = f"{base[: _LONGEST_ID - 12]}_{number}"
        taken.add(id_)
        ids[name] = id_
        if id_ != name:
            notes.add("ids that we cannot use are changed", f"{name!r} to {id_!r}")
    return ids


IMPORTER = Importer(
    noun="application",
    content_type="application/wfformat+json",
    title="WfCommons WfFormat",
    suffixes=(".json",),
    convert=import_application,
    parameters={
        "name": "the application's name (default: the document's)",
        "reference_speed": (
            "speed of the machine that recorded the runtimes, such as 2Gf or a number of flops per"
            ' second; "clock": one flop per cycle of the recorded machine, where that is given'
            f" (default: {DEFAULT_SPEED})"
        ),
        "inputs_at": (
            "the processor where external inputs are at the beginning (default: wherever they are"
            " used)"
        ),
        "outputs_at": (
            "the processor to which external outputs go (default: they stay where they are made)"
        ),
    },
)
