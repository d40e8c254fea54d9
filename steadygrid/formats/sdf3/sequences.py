"""Values by phase: ``1,2,3``, and ``67*1,1024*2`` for many of the same."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from steadygrid.domain.rational import parse_rational
from steadygrid.formats.xml import Misread

V = TypeVar("V")

MOST_PHASES = 10_000
_COUNT = re.compile(r"[0-9]{1,9}", re.ASCII)
_WHOLE = re.compile(r"[0-9]{1,16}", re.ASCII)


def whole_numbers(name: str, text: str) -> tuple[int, ...]:
    """Read rates: whole numbers of at most 16 digits.

    Parameters
    ----------
    name
        Of the attribute, for errors.
    text
        Values with commas between them; ``3*2`` stands for three times 2.

    Raises
    ------
    Misread
        If it is no such list, or has too many phases.
    """
    return _sequence(name, text, _whole_number)


def times(name: str, text: str) -> tuple[Fraction, ...]:
    """Read times: decimals, not negative.

    Parameters
    ----------
    name
        Of the attribute, for errors.
    text
        Values with commas between them; ``3*2`` stands for three times 2.

    Raises
    ------
    Misread
        If it is no such list, or has too many phases.
    """
    return _sequence(name, text, parse_rational)


def _sequence(name: str, text: str, read: Callable[[str], V]) -> tuple[V, ...]:
    values: list[V] = []
    for part in text.split(","):
        count, star, value = part.partition("*")
        if not star:
            count, value = "1", part
        count, value = count.strip(), value.strip()
        if not _COUNT.fullmatch(count) or int(count) < 1:
            raise Misread(f"{name}: {part[:80]!r} is not a value or a number of times a value")
        if len(values) + int(count) > MOST_PHASES:
            raise Misread(f"{name} has more than {MOST_PHASES:,} phases")
        try:
            values.extend([read(value)] * int(count))
        except ValueError as error:
            raise Misread(f"{name}: {error}") from None
    return tuple(values)


def _whole_number(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"{text[:80]!r} is not a whole number of at most 16 digits")
    return int(text)
