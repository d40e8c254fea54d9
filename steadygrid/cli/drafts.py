"""Bodies in the making, of which every part remembers the file or the option that it is from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from steadygrid import documents
from steadygrid.cli.files_given import GivenFile
from steadygrid.cli.json_files import fault_lines
from steadygrid.cli.terminal import Refusal
from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer, format_pointer
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.nearest import Known
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import printable
from steadygrid.submissions.changes import CHANGES
from steadygrid.submissions.submission import Submission

_SIMPLE = {str, int, float, bool, Fraction, NoneType}
_LONGEST_INTEGER = 18
_FLAGS = {
    name: f"--{name.replace('_', '-')}"
    for name in (
        *("kind", "master", "ports", "routing", "method"),
        *("time_limit", "max_period", "latencies", "prefer"),
    )
}
"""Fields that have an option of their own."""
GIVEN = "given"


@cache
def evaluating() -> tuple[str, ...]:
    """Name the kinds that say what a given mapping does."""
    return tuple(
        kind
        for kind, problem in PROBLEMS.items()
        if GIVEN in problem.methods and "mapping" in problem.instance.model_fields
    )


@dataclass
class Draft:
    """What is known so far of a body of ``POST /v1/jobs``."""

    whole: GivenFile | None = None
    """The file that holds a whole problem, if one does."""
    problem: dict[str, Any] = field(default_factory=dict)
    """If there is none, what is asked."""
    options: dict[str, Any] = field(default_factory=dict)
    """Those that were given besides the files."""
    instead: dict[str, Any] = field(default_factory=dict)
    """Members of a whole problem that were given besides it."""
    changes: list[dict[str, Any]] = field(default_factory=list)
    """What is put at places of the body, after its own changes."""
    places: dict[Pointer, str | GivenFile] = field(default_factory=dict)
    """Where parts of the body come from: a file, or an option by its name."""
    notes: list[str] = field(default_factory=list)
    """What was decided without being asked for."""

    @property
    def body(self) -> Any:
        """The body, as short as it can be said."""
        body = self._unchanged
        if not self.changes or not isinstance(body, dict):
            return body
        own = body.get(CHANGES, [])
        return body | {CHANGES: [*own, *self.changes]} if isinstance(own, list) else body

    @property
    def _unchanged(self) -> Any:
        if self.whole is None:
            return {"problem": self.problem} | ({"options": self.options} if self.options else {})
        body = self.whole.document
        if not isinstance(body, dict):
            return body
        body = {"problem": body} if "kind" in body and "problem" not in body else body
        if self.instead and isinstance(body.get("problem"), dict):
            body = body | {"problem": body["problem"] | self.instead}
        if not self.options:
            return body
        return body | {"options": documents.merged(body.get("options", {}), self.options)}

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of kind and options that the command line can speak of, by name."""
        if self.whole is not None:
            return dict(Options.model_fields)
        return {**Options.model_fields, **PROBLEMS[self.problem["kind"]].instance.model_fields}

    def say(self, name: str, value: Any) -> None:
        """Take a field of the problem from the option of its name.

        Parameters
        ----------
        name
            Of the field.
        value
            As JSON has it.
        """
        self.problem[name] = value
        self.places["problem", name] = _FLAGS[name]

    def evaluate(self, mapping: Any, file: GivenFile) -> None:
        """Ask what a mapping does that is in a file of its own.

        Parameters
        ----------
        mapping
            Processors by task, as JSON has it.
        file
            Where it stands, for the faults.

        Raises
        ------
        Refusal
            The kind evaluates no such mapping.
        """
        problem = self.problem if self.whole is None else self.body
        problem = problem.get("problem", problem) if isinstance(problem, dict) else {}
        kind = problem.get("kind") if isinstance(problem, dict) else None
        if isinstance(kind, str) and kind in PROBLEMS and kind not in evaluating():
            raise Refusal(
                f"--mapping: {kind} evaluates no mapping of single processors;"
                f" {', '.join(evaluating())} does"
            )
        changes = {"method": GIVEN, "mapping": mapping}
        (self.problem if self.whole is None else self.instead).update(changes)
        self.places["problem", "mapping"] = file
        self.places["problem", "method"] = "--mapping"

    def choose(self, name: str, value: Any, flag: str | None = None) -> None:
        """Take one of the options of the body from an option of the command.

        Parameters
        ----------
        name
            Of the option in the body.
        value
            As JSON has it.
        flag
            The command's option. None: the one of the same name.
        """
        self.options[name] = value
        self.places["options", name] = flag or _FLAGS[name]

    def set(self, name: str, text: str) -> None:
        """Take a field of kind or options from ``--set NAME=VALUE``, or a change of the body.

        Parameters
        ----------
        name
            Of the field; or a path, which begins with ``/``.
        text
            Its value as it was typed.

        Raises
        ------
        Refusal
            There is no such field, or it has an option of its own, or more than a single value.
        """
        if name.startswith("/"):
            document = self.whole.document if self.whole else None
            own = document.get(CHANGES) if isinstance(document, dict) else None
            number = len(self.changes) + (len(own) if isinstance(own, list) else 0)
            self.places[CHANGES, number] = f"--set {name}"
            self.changes.append({"at": name, "value": _json_or_text(text)})
            return
        fields = self.fields
        if name in _FLAGS:
            raise Refusal(f"--set {name}: it has an option of its own, {_FLAGS[name]}")
        if name not in fields:
            raise Refusal(f"--set {printable(name)}: {self._no_field(name)}")
        kinds = set(_leaves(fields[name].annotation))
        if not kinds <= _SIMPLE:
            raise Refusal(
                f"--set {name}: it is no single value: --print-body prints a body to write it into"
            )
        value = _value(text, kinds)
        if name in Options.model_fields:
            self.options[name] = value
            self.places["options", name] = f"--set {name}"
        else:
            self.problem[name] = value
            self.places["problem", name] = f"--set {name}"

    def _no_field(self, name: str) -> str:
        hint = Known(self.fields).hint(name)
        if self.whole is not None:
            return (
                f"{self.whole.shown} is a whole problem, beside which only options are set:"
                f" there is none of this name{hint}"
            )
        others = [
            kind
            for kind, problem in PROBLEMS.items()
            if problem.instance.model_fields.keys() >= {*self.problem, name}
        ]
        where = f"; {', '.join(others)} has one" if others else ""
        return f"{self.problem['kind']} has no field of this name{where or hint}"

    def read(self, limits: Limits) -> Submission:
        """Read the body as what it asks.

        Raises
        ------
        Refusal
            With every fault found, each with the file or the option that it is in.
        """
        try:
            return documents.read_submission(self.body, limits)
        except (InstanceError, LimitError) as error:
            notes = [f"steadygrid: {note}" for note in getattr(error, "__notes__", ())]
            raise Refusal([*self._fault_lines(error.faults), *notes], coded=True) from None

    def _fault_lines(self, faults: Sequence[Fault]) -> list[str]:
        if self.whole and all(self._place(f.pointer)[0] is self.whole for f in faults):
            return fault_lines(self.whole.name, faults)
        lines = [self._fault_line(fault) for fault in faults]
        if len(lines) == 1:
            return lines
        return [f"{len(lines)} faults", *(f"  {line}" for line in lines)]

    def _fault_line(self, fault: Fault) -> str:
        place, rest = self._place(fault.pointer)
        detail = fault.detail
        if fault.code == "media_need_multiport":
            detail += ". --ports multiport says so"
        if isinstance(place, GivenFile):
            within = f": {format_pointer(rest)}" if rest and place.importer is None else ""
            return printable(f"{place.shown}{within}: {detail} [{fault.code}]")
        return printable(f"{place}: {detail} [{fault.code}]")

    def _place(self, pointer: Pointer) -> tuple[str | GivenFile, Pointer]:
        """Give the option or the file of a place in the body, and the rest of the path in it."""
        for length in range(len(pointer), 0, -1):
            if (place := self.places.get(pointer[:length])) is not None:
                return place, pointer[length:]
        return self.whole or format_pointer(pointer), pointer


def _json_or_text(text: str) -> Any:
    try:
        return parse_json(text)
    except MalformedJSONError:
        return text


def _leaves(annotation: Any) -> Iterator[Any]:
    """Give the types that a field may have, one by one."""
    if get_origin(annotation) is Literal:
        yield from map(type, get_args(annotation))
    elif get_origin(annotation) in (tuple, list, dict) or not get_args(annotation):
        yield annotation
    else:
        for part in get_args(annotation):
            if isinstance(part, type) or get_args(part):
                yield from _leaves(part)


def _value(text: str, kinds: set[Any]) -> bool | int | str:
    """Read a value as what a field of these types takes. What it does not take it refuses."""
    if bool in kinds and text in ("true", "false"):
        return text == "true"
    digits = text.removeprefix("-")
    if int in kinds and digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST_INTEGER:
        return int(text)
    return text
