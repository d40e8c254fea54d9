"""Changes of a job's body: quantities set and multiplied at places that a path names.

A target is a JSON pointer (RFC 6901) whose steps may also be

=========================== =================================================================
``*``                       every member of a list or object that has the rest of the path
``[id=P2]``                 the entries whose member ``id`` is ``P2``
``[source=P1,target=P2]``   those in which several members are as said
``"*"``                     a member whose name would be read as one of these, as a JSON string
=========================== =================================================================

What a selector compares with stands in JSON quotes (``[id="a/b"]``) where it holds ``]``, ``,``, ``/``
or ``"``, or begins or ends with a space.
"""

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from pydantic import (
    AfterValidator,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from steadygrid.domain.entries import Entries
from steadygrid.domain.errors import Fault, InstanceError, Pointer
from steadygrid.domain.nearest import nearest
from steadygrid.domain.rational import MAX_DIGITS, parse_rational
from steadygrid.domain.text import Frozen
from steadygrid.domain.wording import described, sentence_for, shown, unknown_field

MOST_STEPS = 64
"""Longest path, in steps; bodies are about ten deep."""
MOST_CHARACTERS = 20_000
"""Longest target. A step may hold ids of 200 characters, each escaped."""

LEADS_NOWHERE = "leads_nowhere"
"""Code of faults: a target has no place in the document."""
NOT_A_QUANTITY = "not_a_quantity"
"""Code of faults: what is to be multiplied is no quantity."""

_EFFORT = 4
"""A member that is changed takes as long as so many that are looked at."""
_INDEX = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)
_ESCAPE = re.compile(r"~([^01]|$)")
_BARE = re.compile(r'[^\],/"]*')
_NAME = re.compile(r'[^\],/"=]+')
_JSON = json.JSONDecoder()
_NEEDS_QUOTES = re.compile(r'[\],/"]|^\s|\s$|^$')


class _Name(NamedTuple):
    """A step to the member of this name, or to the entry of this number."""

    name: str


class _EveryMember(NamedTuple):
    """A step to every member."""


class _Selector(NamedTuple):
    """A step to the entries in which these members are so."""

    wanted: tuple[tuple[str, str], ...]


_Step = _Name | _EveryMember | _Selector


class _TargetError(ValueError):
    """A target is no path."""


def _checked_target(text: str) -> str:
    try:
        _steps(text)
    except _TargetError as error:
        raise PydanticCustomError("invalid_target", "{detail}", {"detail": str(error)}) from None
    return text


Target = Annotated[str, AfterValidator(_checked_target)]
"""A path to places of a job's body, well-formed. See the module."""


class Change(Frozen):
    """One change of a body: exactly one of `at` and `scale` says where.

    Raises
    ------
    pydantic.ValidationError
        ``invalid_target``, ``one_of_at_and_scale``. What `parse_rational` refuses as a factor.
    """

    at: Target | None = Field(None, description="where `value` is put")
    scale: Target | None = Field(None, description="which quantities are multiplied by `value`")
    value: Any

    @field_validator("value", mode="after")
    @classmethod
    def _is_factor(cls, value: Any, info: ValidationInfo) -> Any:
        if info.data.get("scale") is not None:
            parse_rational(value)
        return value

    @model_validator(mode="after")
    def _has_one_target(self) -> "Change":
        if (self.at is None) == (self.scale is None):
            raise PydanticCustomError(
                "one_of_at_and_scale",
                "give either 'at', where the value is put, or 'scale', what it multiplies",
            )
        return self

    @property
    def target(self) -> str:
        """Where it changes something."""
        return self.scale if self.at is None else self.at  # type: ignore[return-value]

    def document(self) -> dict[str, Any]:
        """Give the change as `read_patch` reads it."""
        return {"scale" if self.at is None else "at": self.target, "value": self.value}


Patch = Sequence[Change]


def read_patch(document: Any, pointer: Pointer = ()) -> tuple[Change, ...]:
    """Read a list of changes.

    Parameters
    ----------
    document
        JSON-ready: ``[{"at": TARGET, "value": V}, {"scale": TARGET, "value": Q}]``.
    pointer
        Where it stands. The pointers of faults begin so.

    Raises
    ------
    InstanceError
        With every fault found.
    """
    if not isinstance(document, list | tuple):
        detail = f"expected a JSON list of changes, not {described(document)}"
        raise InstanceError(faults=[Fault(pointer, "list_type", detail)])
    changes: list[Change] = []
    faults: list[Fault] = []
    for i, entry in enumerate(document):
        try:
            changes.append(Change.model_validate(entry))
        except ValidationError as error:
            faults += (
                Fault((*pointer, i, *found["loc"]), found["type"], sentence_for(found))
                for found in error.errors(include_url=False)
            )
    if faults:
        raise InstanceError(faults=faults)
    return tuple(changes)


def target_of(*steps: str | int | Mapping[str, str]) -> str:
    """Write a target that leads along these steps, for all names and ids.

    >>> target_of("problem", "platform", "links", {"source": "P1", "target": "a/b"}, "bandwidth")
    '/problem/platform/links/[source=P1,target="a/b"]/bandwidth'
    """
    return "".join(f"/{_written(step)}" for step in steps)


def _written(step: str | int | Mapping[str, str]) -> str:
    if isinstance(step, Mapping):
        pairs = (
            f"{name}={json.dumps(text) if _NEEDS_QUOTES.search(text) else text}"
            for name, text in step.items()
        )
        return f"[{','.join(pairs)}]"
    name = str(step)
    if name == "*" or name[:1] in ("[", '"'):
        return json.dumps(name)
    return name.replace("~", "~0").replace("/", "~1")


def places(document: Any, target: str, *, may_add: bool = False) -> list[Pointer]:
    """Find where a target leads.

    Time and memory are linear in the members that the steps look at.

    Parameters
    ----------
    document
        JSON-ready.
    may_add
        Whether the last step may name a member that is not there yet, of an object that is; never
        after a ``*``.

    Returns
    -------
    list of Pointer
        At least one, each once, in the order of the document.

    Raises
    ------
    InstanceError
        If it leads nowhere. The fault's pointer says how far into the document it did lead. None
        for a target that is no path.
    """
    return _places(document, target, Entries(), may_add=may_add)


def _places(document: Any, target: str, entries: Entries, *, may_add: bool) -> list[Pointer]:
    try:
        steps = _steps(target)
    except _TargetError as error:
        raise InstanceError(faults=[Fault((), "invalid_target", str(error))]) from None
    found: list[tuple[Pointer, Any]] = [((), document)]
    optional = False
    for number, step in enumerate(steps):
        add = may_add and not optional and number == len(steps) - 1
        optional = optional or isinstance(step, _EveryMember)
        before, found = found, []
        for pointer, part in before:
            members = _members(part, step, entries)
            if add and not members and isinstance(step, _Name) and isinstance(part, dict):
                members = [(step.name, None)]
            if not members and not optional:
                raise _nowhere(pointer, part, step)
            found += (((*pointer, name), member) for name, member in members)
        if not found:
            raise _nowhere(*before[0], step)
    return [pointer for pointer, _ in found]


def apply_patch(document: Any, patch: Patch) -> Any:
    """Give the document with the changes made, one after the other.

    The document itself stays as it is. What no change touches is shared with it.

    Parameters
    ----------
    document
        JSON-ready.

    Raises
    ------
    InstanceError
        If a target leads nowhere, or what is to be multiplied is not a finite quantity of at least
        0, or comes to have more digits than a quantity may. The fault's pointer walks the document.
    """
    patched = Patched(document)
    for change in patch:
        patched.make(change)
    return patched.document


class Patched:
    """A document while changes are made, one after the other. See `apply_patch`.

    Parameters
    ----------
    document
        JSON-ready. It stays as it is.
    most
        Members that all targets together may look at. None: any number. Entries that selectors
        name are looked up, and count once for each list.
    """

    def __init__(self, document: Any, most: int | None = None) -> None:
        self._copy = _Copy(document)
        self._entries = Entries(most)

    @property
    def document(self) -> Any:
        """The document as it is now."""
        return self._copy.document

    def make(self, change: Change) -> list[Pointer]:
        """Make one change, and give the places that it has changed.

        Raises
        ------
        InstanceError
            As of `apply_patch`.
        LimitError
            If the targets of all changes together look at too many members.
        """
        copy = self._copy
        found = _places(copy.document, change.target, self._entries, may_add=change.scale is None)
        self._entries.count(_EFFORT * len(found))
        factor = None if change.scale is None else parse_rational(change.value)
        for pointer in found:
            value = change.value
            if factor is not None:
                value = _scaled(copy.get(pointer), factor, pointer)
            copy.set_value(pointer, value)
            self._entries.forget(pointer[-1] if pointer else "", value)
        return found


def _scaled(value: Any, factor: Fraction, pointer: Pointer) -> str:
    try:
        product = parse_rational(value) * factor
    except PydanticCustomError as error:
        wrong = shown(value) if isinstance(value, str) else described(value)
        raise _fault(
            pointer, NOT_A_QUANTITY, f"only quantities can be scaled, and here is {wrong}"
        ) from error
    if max(product.numerator, product.denominator) >= 10**MAX_DIGITS:
        raise _fault(
            pointer,
            "rational_too_long",
            f"multiplied by this factor, {shown(str(value))} has more than {MAX_DIGITS} digits "
            "in its numerator or denominator",
        )
    return str(product)


class _Copy:
    """A document that is copied where it is written."""

    def __init__(self, document: Any) -> None:
        self.document = document
        # Kept, so that no other container comes to have the id of one that was replaced.
        self._own: dict[int, Any] = {}

    def get(self, pointer: Pointer) -> Any:
        part = self.document
        for step in pointer:
            part = part[step]
        return part

    def set_value(self, pointer: Pointer, value: Any) -> None:
        self.document = part = self._owned(self.document)
        for step in pointer[:-1]:
            part[step] = part = self._owned(part[step])
        part[pointer[-1]] = value

    def _owned(self, part: Any) -> Any:
        if id(part) in self._own:
            return part
        copied = part.copy()
        self._own[id(copied)] = copied
        return copied


def _members(part: Any, step: _Step, entries: Entries) -> list[tuple[str | int, Any]]:
    if isinstance(step, _Selector):
        return entries.selected(part, step.wanted)
    if isinstance(step, _EveryMember):
        return entries.all_members(part)
    if isinstance(part, dict):
        return [(step.name, part[step.name])] if step.name in part else []
    if isinstance(part, list) and _INDEX.fullmatch(step.name):
        index = int(step.name)
        return [(index, part[index])] if index < len(part) else []
    return []


def _nowhere(pointer: Pointer, part: Any, step: _Step) -> InstanceError:
    return _fault(pointer, LEADS_NOWHERE, _why_nowhere(part, step))


def _fault(pointer: Pointer, code: str, detail: str) -> InstanceError:
    return InstanceError(faults=[Fault(pointer, code, detail)])


def _why_nowhere(part: Any, step: _Step) -> str:
    if not isinstance(part, dict | list):
        return f"the path goes on, and here is {described(part)}"
    match step:
        case _EveryMember():
            return f"'*' stands for members, and this {_called(part)} has none"
        case _Selector(wanted):
            return _explain_no_entry(part, wanted)
        case _Name(name) if isinstance(part, dict):
            return unknown_field(name, map(str, part))
        case _Name(name) if _INDEX.fullmatch(name):
            return f"there is no entry {name}: there are {len(part):,}, counted from 0"
        case _Name(name):
            return f"{shown(name)} is no entry of a list: give its number, '*' or '[id=...]'"


_MOST_SAID = 4
"""Pairs of a selector that a sentence repeats."""
_MOST_COMPARED = 500
"""Entries among which a name that was meant is sought, for each target that leads nowhere."""


def _explain_no_entry(part: Any, wanted: tuple[tuple[str, str], ...]) -> str:
    entries = part.values() if isinstance(part, dict) else part
    said = " and ".join(f"{shown(key)[1:-1]} {shown(text)}" for key, text in wanted[:_MOST_SAID])
    if len(wanted) > _MOST_SAID:
        said += f" and {len(wanted) - _MOST_SAID:,} more"
    sentence = f"no entry of this {_called(part)} has {said}"
    if len(wanted) > 1:
        return sentence
    key, text = wanted[0]
    known = [entry.get(key) for entry in entries if isinstance(entry, dict)]
    if len(known) > _MOST_COMPARED:
        return sentence
    near = nearest(text, (name for name in known if isinstance(name, str)))
    return sentence if near is None else f"{sentence}. Did you mean {near!r}?"


def _called(part: Any) -> str:
    return "list" if isinstance(part, list) else "object"


@lru_cache(maxsize=1024)
def _steps(target: str) -> tuple[_Step, ...]:
    """Read a target; `_TargetError` with a sentence if it is none."""
    if len(target) > MOST_CHARACTERS:
        raise _TargetError(f"longer than {MOST_CHARACTERS:,} characters")
    if not target.startswith("/"):
        raise _TargetError(
            "expected a path such as /problem/platform/processors/*/speed, which begins with '/'"
        )
    steps: list[_Step] = []
    at = 0
    while at < len(target):
        step, at = _step(target, at + 1)
        if at < len(target) and target[at] != "/":
            raise _TargetError(f"expected '/' or the end after {shown(target[:at])}")
        steps.append(step)
        if len(steps) > MOST_STEPS:
            raise _TargetError(f"more than {MOST_STEPS} steps")
    return tuple(steps)


def _step(target: str, at: int) -> tuple[_Step, int]:
    """Read one step; give where it ends, too."""
    first = target[at : at + 1]
    if first == "[":
        return _selector(target, at + 1)
    if first == '"':
        name, end = _quoted(target, at)
        return _Name(name), end
    end = target.find("/", at)
    end = len(target) if end < 0 else end
    text = target[at:end]
    if text == "*":
        return _EveryMember(), end
    if _ESCAPE.search(text):
        raise _TargetError(f"in {shown(text)}, '~' is written ~0, and '/' within a name ~1")
    return _Name(text.replace("~1", "/").replace("~0", "~")), end


def _selector(target: str, at: int) -> tuple[_Selector, int]:
    wanted: list[tuple[str, str]] = []
    while True:
        name = _NAME.match(target, at)
        if name is None or target[name.end() : name.end() + 1] != "=":
            raise _TargetError(
                f"expected '[id=P2]' or '[source=P1,target=P2]' at {shown(target[at - 1 :])}"
            )
        at = _past_blanks(target, name.end() + 1)
        if target[at : at + 1] == '"':
            text, at = _quoted(target, at)
            at = _past_blanks(target, at)
        else:
            bare = _BARE.match(target, at)
            text, at = (bare[0].strip(), bare.end()) if bare else ("", at)
        wanted.append((name[0].strip(), text))
        closing = target[at : at + 1]
        at += 1
        if closing == "]":
            return _Selector(tuple(wanted)), at
        if closing != ",":
            raise _TargetError(
                f"a selector ends with ']', and ids with ']', ',', '/' or '\"' stand in quotes:"
                f" {shown(target)}"
            )


def _past_blanks(target: str, at: int) -> int:
    while target[at : at + 1] == " ":
        at += 1
    return at


def _quoted(target: str, at: int) -> tuple[str, int]:
    try:
        text, end = _JSON.raw_decode(target, at)
    except json.JSONDecodeError:
        raise _TargetError(
            f"what begins with a quote is written as in JSON: {shown(target[at:])}"
        ) from None
    return text, end
