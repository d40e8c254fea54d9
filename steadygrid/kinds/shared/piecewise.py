"""Faults of very long documents, found piece by piece.

pydantic collects every fault of a document before it shows the first, about 1 kB for each, and
a body of 64 MiB can hold twenty million. What is long is therefore looked at in pieces first,
until there are faults enough to report. What passes can have few left.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, Tag, TypeAdapter, ValidationError

from steadygrid.domain.errors import Pointer
from steadygrid.domain.platform import Platform
from steadygrid.domain.quantity import without_platform_units
from steadygrid.domain.wording import sentence_for, unknown_field

PIECE = 20_000
"""JSON values that are validated at once where there are more of them altogether."""


class Finding(NamedTuple):
    """One fault where pydantic tells it, in our words."""

    location: Pointer
    """Where; tags of unions and marks such as ``[key]`` included."""
    code: str
    detail: str


def findings_of(annotation: Any, error: ValidationError) -> Iterator[Finding]:
    """List what pydantic found.

    Parameters
    ----------
    annotation
        What the document should be. It knows the fields that an unknown one may have been.
    """
    for found in error.errors(include_url=False):
        location = found["loc"]
        if found["type"] == "extra_forbidden":
            model = _model_at(annotation, location[:-1])
            detail = unknown_field(str(location[-1]), () if model is None else model.model_fields)
        else:
            detail = sentence_for(found)
        yield Finding(location, found["type"], detail)


def _model_at(annotation: Any, location: Pointer) -> type[BaseModel] | None:
    """Give the model of the object at a location. None if there is none."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if not location:
            return annotation
        field = annotation.model_fields.get(str(location[0]))
        return None if field is None else _model_at(field.annotation, location[1:])
    container = get_origin(annotation) in (list, tuple, dict)
    for inner in get_args(annotation):
        # Unions of several alternatives put the name of one, or its tag, into the location.
        named = location[:1] in ((getattr(inner, "__name__", None),), (_tag_of(inner),))
        if found := _model_at(inner, location[1:] if container or named else location):
            return found
    return None


def _tag_of(alternative: Any) -> str | None:
    """Give the `type` by which an alternative of a union is known, if it has one."""
    if not (isinstance(alternative, type) and issubclass(alternative, BaseModel)):
        return None
    field = alternative.model_fields.get("type")
    return None if field is None else str(field.default)


def findings_by_pieces(model: type[BaseModel], document: Any) -> Iterator[Finding]:
    """Find faults in the long parts of a document, each piece only when it is asked for.

    Parameters
    ----------
    model
        What the document should be.
    document
        As it was sent. One of at most `PIECE` values has no long parts.

    Notes
    -----
    Time and space are those of the pieces looked at, plus a walk over the document. Faults of
    short parts, and constraints on a list as a whole, are left to the validation as a whole.
    """
    return _Pieces().walk(model, document, ())


class _Pieces:
    """One walk over a long document."""

    def __init__(self) -> None:
        self._adapters: dict[Any, TypeAdapter[Any]] = {}

    def walk(self, annotation: Any, value: Any, at: Pointer) -> Iterator[Finding]:
        """Find faults in what is long, wherever it is."""
        if _values(value) <= PIECE:
            return
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            tags = tuple(mark.tag for mark in arguments[1:] if isinstance(mark, Tag))
            yield from self.walk(arguments[0], value, (*at, *tags))
        elif origin in (Union, UnionType):
            for alternative in arguments:
                yield from self.walk(alternative, value, at)
        elif origin in (list, tuple) and isinstance(value, list):
            items = list[arguments[0]]  # type: ignore[valid-type]
            yield from self._batches(items, arguments[0], enumerate(value), at)
        elif origin is dict and isinstance(value, Mapping):
            yield from self._batches(annotation, arguments[1], value.items(), at)
        elif (
            isinstance(annotation, type)
            and issubclass(annotation, BaseModel)
            and isinstance(value, Mapping)
        ):
            yield from self._members(annotation, value, at)

    def _members(
        self, model: type[BaseModel], members: Mapping[str, Any], at: Pointer
    ) -> Iterator[Finding]:
        fields = model.model_fields
        if issubclass(model, Platform):
            members = without_platform_units(members)
        for name, value in members.items():
            if name in fields:
                yield from self.walk(fields[name].annotation, value, (*at, name))
            else:
                yield Finding((*at, name), "extra_forbidden", unknown_field(name, fields))

    def _batches(
        self, annotation: Any, element: Any, items: Iterable[tuple[str | int, Any]], at: Pointer
    ) -> Iterator[Finding]:
        if element is Any:
            return
        batch: dict[str | int, Any] = {}
        size = 0
        for step, value in items:
            weight = _values(value)
            if weight > PIECE:
                yield from self.walk(element, value, (*at, step))
                continue
            batch[step] = value
            size += weight
            if size > PIECE:
                yield from self._piece(annotation, batch, at)
                batch, size = {}, 0
        yield from self._piece(annotation, batch, at)

    def _piece(
        self, annotation: Any, batch: Mapping[str | int, Any], at: Pointer
    ) -> Iterator[Finding]:
        if annotation not in self._adapters:
            self._adapters[annotation] = TypeAdapter(annotation)
        steps = list(batch)
        listed = get_origin(annotation) is list
        try:
            self._adapters[annotation].validate_python(list(batch.values()) if listed else batch)
        except ValidationError as error:
            for (step, *rest), code, detail in findings_of(annotation, error):
                here = steps[step] if listed and isinstance(step, int) else step
                yield Finding((*at, here, *rest), code, detail)


def _values(document: Any) -> int:
    """Count the JSON values of a document. Any number above `PIECE` means more than that."""
    count = 1
    stack = [document]
    while stack and count <= PIECE:
        part = stack.pop()
        members: Collection[Any] = ()
        if isinstance(part, Mapping):
            members = part.values()
        elif isinstance(part, list):
            members = part
        count += len(members)
        if count <= PIECE:
            stack.extend(member for member in members if isinstance(member, dict | list))
    return count
