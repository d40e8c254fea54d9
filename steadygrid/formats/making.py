"""Platforms and applications of steadygrid, out of what a foreign document says."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from steadygrid.domain.application import Application, application_faults
from steadygrid.domain.errors import Fault, InstanceError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform, platform_faults
from steadygrid.domain.rational import MAX_DIGITS
from steadygrid.domain.wording import sentence_for
from steadygrid.formats.fault_list import MOST_FAULTS, limit_error

M = TypeVar("M", bound=BaseModel)
_LONGEST = 10**MAX_DIGITS


def check_bytes(data: bytes, limits: Limits) -> None:
    """Refuse a document that is longer than a body may be; `LimitError`.

    Parameters
    ----------
    data
        The document.
    limits
        `max_body_bytes`.
    """
    if len(data) > limits.max_body_bytes:
        raise limit_error(len(data), "bytes", limits.max_body_bytes)


def make_platform(
    name: str | None,
    processors: Sequence[Mapping[str, Any]],
    links: Sequence[Mapping[str, Any]],
    units: Mapping[str, str],
    limits: Limits,
    media: Sequence[Mapping[str, Any]] = (),
) -> Platform:
    """Make a platform, or say what is wrong with it.

    Parameters
    ----------
    name
        Of the platform.
    processors, links
        As in our JSON, with exact numbers.
    units
        Labels. Those that are left out are not known.
    limits
        `max_processors` and `max_links`.
    media
        As in our JSON.
    """
    if len(processors) > limits.max_processors:
        raise limit_error(len(processors), "processors", limits.max_processors)
    if len(links) > limits.max_links:
        raise limit_error(len(links), "links", limits.max_links)
    document: dict[str, Any] = {"processors": list(processors), "links": list(links)}
    if name is not None:
        document["name"] = name
    if media:
        document["media"] = list(media)
    if units:
        document["units"] = dict(units)
    return _made(Platform, document, platform_faults)


def make_application(
    name: str | None,
    tasks: Sequence[Mapping[str, Any]],
    files: Sequence[Mapping[str, Any]],
    limits: Limits,
) -> Application:
    """Make an application, or say what is wrong with it.

    Parameters
    ----------
    name
        Of the application.
    tasks, files
        As in our JSON, with exact numbers.
    limits
        `max_tasks` and `max_files`.
    """
    if len(tasks) > limits.max_tasks:
        raise limit_error(len(tasks), "tasks", limits.max_tasks)
    if len(files) > limits.max_files:
        raise limit_error(len(files), "files", limits.max_files)
    document: dict[str, Any] = {"tasks": list(tasks), "files": list(files)}
    if name is not None:
        document["name"] = name
    return _made(Application, document, application_faults)


def _made(
    model: type[M], document: Mapping[str, Any], faults_of: Callable[[M, Pointer], Iterable[Fault]]
) -> M:
    _bounded(document)
    try:
        made = model.model_validate(document)
    except ValidationError as error:
        raise InstanceError(
            faults=[
                Fault((), e["type"], f"{'.'.join(map(str, e['loc']))}: {sentence_for(e)}")
                for e in error.errors(include_url=False)[:MOST_FAULTS]
            ]
        ) from None
    # They would point into our document, which the sender has not seen.
    faults = [f._replace(pointer=()) for f in islice(faults_of(made, ()), MOST_FAULTS)]
    if faults:
        raise InstanceError(faults=faults)
    return made


def _bounded(part: Any) -> None:
    """Refuse a number that no document of steadygrid could say."""
    if isinstance(part, Mapping):
        part = list(part.values())
    if isinstance(part, list):
        for member in part:
            _bounded(member)
    elif isinstance(part, Fraction) and max(part.numerator, part.denominator) >= _LONGEST:
        detail = f"a number would have more than {MAX_DIGITS} digits"
        raise InstanceError(faults=[Fault((), "rational_too_long", detail)])
