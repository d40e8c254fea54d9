"""How many entries the lists of a body may have."""

from collections.abc import Mapping
from typing import Any

from steadygrid.domain.errors import Fault, LimitError, Pointer
from steadygrid.domain.limits import Limits

_COUNTED = (
    (("problem", "platform", "processors"), "max_processors", "processors"),
    (("problem", "platform", "links"), "max_links", "links"),
    (("problem", "platform", "media"), "max_links", "media"),
    (("problem", "platform", "routes"), "max_links", "routes"),
    (("problem", "application", "tasks"), "max_tasks", "tasks"),
    (("problem", "application", "files"), "max_files", "files"),
)


def most_entries(limits: Limits) -> dict[Pointer, int]:
    """Give the limit of each list of a body that has one."""
    return {pointer: getattr(limits, limit) for pointer, limit, _ in _COUNTED}


def check_counts(body: Mapping[str, Any], limits: Limits) -> None:
    """Refuse a body that lists something too often.

    Parameters
    ----------
    body
        As JSON has it.
    limits
        How large the problem may be.

    Raises
    ------
    LimitError
        With the pointer of the list.
    """
    for pointer, limit, noun in _COUNTED:
        part: Any = body
        for step in pointer:
            part = part.get(step) if isinstance(part, Mapping) else None
        most = getattr(limits, limit)
        if isinstance(part, list) and len(part) > most:
            raise limit_error(pointer, len(part), most, noun)


def limit_error(pointer: Pointer, count: int, most: int, noun: str, remedy: str = "") -> LimitError:
    """Say that there are more of something than are accepted.

    Parameters
    ----------
    pointer
        Where they are in the body.
    count, most
        How many there are, and how many may be.
    noun
        What they are.
    remedy
        What to do instead; empty: that is plain.
    """
    detail = f"{count:,} {noun}, and at most {most:,} are accepted"
    if remedy:
        detail = f"{detail}: {remedy}"
    return LimitError(detail, [Fault(pointer, "limit_exceeded", detail)])
