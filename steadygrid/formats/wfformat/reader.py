"""A WfFormat document, either layout, checked and as plain jobs and files."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pydantic_core import PydanticCustomError

from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.rational import parse_rational

MOST_FAULTS = 20
_MEGAHERTZ = 10**6
_NESTED = ("1.3", "1.4")
_SPLIT = ("1.5", "1.6")


def refusal(faults: Iterable[Fault]) -> InstanceError:
    """Make the error that carries the first of these faults."""
    return InstanceError(faults=list(faults)[:MOST_FAULTS])


def limit_error(pointer: Pointer, number: int, noun: str, limit: int) -> LimitError:
    """Make the error that says what there is too much of.

    Parameters
    ----------
    pointer
        Where in the document.
    number
        How many there are.
    noun
        What they are, in the plural.
    limit
        How many are accepted.
    """
    detail = f"{number:,} {noun}. At most {limit:,} are accepted"
    return LimitError(detail, [Fault(pointer, "limit_exceeded", detail)])


@dataclass
class Job:
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


class Reader:
    """The document's parts, checked. Both layouts come out the same.

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
        self.jobs: dict[str, Job] = {}
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

    def _read_nested_file(self, value: Any, job: Job, at: Pointer) -> None:
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
            raise limit_error((*at, "tasks"), len(listed), "tasks", self._limits.max_tasks)
        if not listed:
            raise self._misread((*at, "tasks"), "too_short", "there is no task")
        return listed

    def _add(self, name: str, at: Pointer) -> Job:
        if name in self.jobs:
            self._note(at, "duplicate_task", f"task {name[:80]!r} is given twice")
        job = Job(name, at)
        self.jobs[name] = job
        return job

    def _read_relatives(self, task: Mapping[str, Any], job: Job, at: Pointer) -> None:
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
        if len(self.faults) >= MOST_FAULTS:
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
