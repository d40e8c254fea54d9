"""Moments of the calendar, as RFC 3339 writes them."""

import re
from datetime import UTC, datetime
from typing import Any

from pydantic_core import PydanticCustomError

MOMENT = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)
_MOMENT = re.compile(MOMENT, re.ASCII)


def read_moment(text: str) -> datetime | None:
    """Read a moment with its time zone, and give it in UTC, to the microsecond. None: it is none."""
    try:
        if _MOMENT.fullmatch(text):
            return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    return None


def parse_moment(given: Any) -> datetime:
    """Read a moment of a request, of the years 1970 to 8999.

    Parameters
    ----------
    given
        A text such as ``2026-11-27T12:00:00Z``, or a moment with a time zone.

    Raises
    ------
    PydanticCustomError
        It is none.
    """
    if isinstance(given, datetime) and given.tzinfo is not None:
        return given.astimezone(UTC)
    moment = read_moment(given) if isinstance(given, str) else None
    if moment is not None and _EARLIEST <= moment < _LATEST:
        return moment
    raise PydanticCustomError(
        "no_moment",
        "expected a moment with its time zone, in the years 1970 to 8999, such as 2026-11-27T12:00:00Z",
    )
