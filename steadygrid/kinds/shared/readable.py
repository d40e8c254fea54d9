"""Semantic faults of what can be read, besides faults of form that are there as well.

A number that is none, an unknown field or an unknown port model says nothing about who is joined
with whom. So they are repaired, and of what is found then only such faults are kept as do not
depend on what was repaired. What else is misformed hides the faults of its own part only.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from steadygrid.domain.application import Application, application_faults
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform, platform_faults
from steadygrid.domain.problem import Problem

_NUMBERS = frozenset(
    {
        *("not_a_rational", "negative_rational", "zero_rational", "rational_too_long"),
        *(
            "zero_denominator",
            "unknown_unit",
            "int_type",
            "int_from_float",
            "int_parsing",
            "int_parsing_size",
        ),
        *("greater_than", "greater_than_equal", "less_than", "less_than_equal"),
    }
)
_STRUCTURAL = frozenset(
    {
        *("duplicate_processor", "duplicate_medium", "duplicate_link", "duplicate_route"),
        *("duplicate_task", "duplicate_file", "duplicate_load", "cycle", "self_link"),
        *("unknown_processor", "unknown_medium", "unknown_task", "not_in_chain"),
        *("ambiguous_speed", "ambiguous_work", "ambiguous_startup", "switch_computes"),
        *("switch_master", "switch_in_chain", "chain_repeats", "chain_without_link"),
        *("route_repeats", "route_without_link"),
    }
)
"""Codes of faults that depend on names and on which fields are given, never on a value."""

_PARTS: Mapping[type[BaseModel], Callable[[Any, Pointer], Iterable[Fault]]] = {
    Platform: platform_faults,
    Application: application_faults,
}


def faults_of_readable_problem(
    problem: Problem[Any, Any], part: Mapping[str, Any], found: Sequence[Fault], at: Pointer
) -> Iterator[Fault]:
    """List the faults that an instance keeps under every correction of its form.

    Parameters
    ----------
    part
        The instance as it was sent.
    found
        All faults of its form, with pointers below `at`.
    """
    mended = _mended(part, found, at)
    instance = _read(problem.instance, mended)
    if instance is not None:
        yield from _structural_faults(problem.faults(instance, Options(), at), found)
        return
    for name, field in problem.instance.model_fields.items():
        for model in _PARTS.keys() & {field.annotation}:
            yield from faults_of_readable_part(model, part.get(name), found, (*at, name))


def faults_of_readable_part(
    model: type[BaseModel], part: Any, found: Sequence[Fault], at: Pointer
) -> Iterator[Fault]:
    """List what is wrong with a platform or an application besides its form, if it can be read.

    Parameters
    ----------
    model
        `Platform` or `Application`; of others nothing is found.
    part
        The document as it was sent.
    found
        All faults of its form, with pointers below `at`.
    at
        Place of the part in the submission.
    """
    document = _read(model, _mended(part, found, at))
    if document is not None and model in _PARTS:
        yield from _structural_faults(_PARTS[model](document, at), found)


def _read(model: type[BaseModel], document: Any) -> Any:
    try:
        return model.model_validate(document)
    except ValidationError:
        return None


def _structural_faults(faults: Iterable[Fault], found: Sequence[Fault]) -> Iterator[Fault]:
    """Drop what depends on a repaired place: a misspelt field is no missing field as well."""
    misspelt = {fault.pointer[:-1] for fault in found if fault.code == "extra_forbidden"}
    yield from (
        fault for fault in faults if fault.code in _STRUCTURAL and fault.pointer not in misspelt
    )


def _mended(part: Any, found: Sequence[Fault], at: Pointer) -> Any:
    """Take out of a document what cannot matter for its structure."""
    for pointer, code, _ in found:
        steps = pointer[len(at) :]
        if pointer[: len(at)] != at or not steps:
            continue
        if code == "extra_forbidden" or (code == "literal_error" and len(steps) == 1):
            part = _changed(part, steps, [])
        elif code in _NUMBERS:
            part = _changed(part, steps, [1])
    return part


def _changed(part: Any, steps: Pointer, values: list[int]) -> Any:
    """Copy a document with one member replaced, or without it."""
    step, *rest = steps
    copy: Any = dict(part) if isinstance(part, Mapping) else list(part)
    if rest:
        copy[step] = _changed(part[step], tuple(rest), values)
    elif values:
        copy[step] = values[0]
    else:
        del copy[step]
    return copy
