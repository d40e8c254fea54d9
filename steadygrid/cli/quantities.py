"""Numbers with units, which only the command line takes: documents have plain numbers.

A number is an integer, a decimal, a power of ten or a fraction (``20``, ``2.5``, ``1e9``, ``3/4``);
a unit may follow, with an SI prefix (k, M, G, T, P, E: powers of 1000) or a binary one (Ki to Ei:
powers of 1024). Everything is read exactly.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pydantic_core import PydanticCustomError

from steadygrid.domain.human_time import SECONDS
from steadygrid.domain.nearest import Known
from steadygrid.domain.rational import parse_rational
from steadygrid.report.glyphs import printable

_WRITTEN = re.compile(
    r"\s*(?P<number>[+-]?[0-9]+(?:/[0-9]+|(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?))\s?(?P<unit>(?:[^\W\d_]\S*)?)\s*",
    re.ASCII,
)
_SI = {prefix: 1000**power for power, prefix in enumerate(("", "k", "M", "G", "T", "P", "E"))}
_BINARY = {
    prefix: 1024**power for power, prefix in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), 1)
}
_PREFIXES = _SI | _BINARY
_BARE = {prefix: size for prefix, size in _PREFIXES.items() if prefix not in ("", "E")}
"""Prefixes that may stand alone; an E alone may be half an exponent."""
_RATE = re.compile(r"(?P<amount>.+?)(?:/s|/sec|/second|ps)", re.ASCII)


def _prefixed(units: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {p + unit: size * of for p, size in _PREFIXES.items() for unit, of in units.items()}


@dataclass(frozen=True)
class Dimension:
    """What a quantity is of, and the units in which it may be given."""

    name: str
    label: str
    """How platforms in foreign formats name the unit."""
    example: str
    units: Mapping[str, Fraction]
    """By how it is written, in the first of them."""


WORK = Dimension(
    "work", "flop", "20Gf", _prefixed(dict.fromkeys(("f", "flop", "flops"), Fraction(1)))
)
DATA = Dimension(
    "data",
    "B",
    "25MB or 25MiB",
    _prefixed(
        dict.fromkeys(("B", "byte", "bytes"), Fraction(1))
        | dict.fromkeys(("bit", "bits"), Fraction(1, 8))
    ),
)
TIME = Dimension(
    "time",
    "s",
    "90s or 5min",
    SECONDS,
)
_DIMENSIONS = (WORK, DATA, TIME)


def parse_quantity(text: str, dimension: Dimension, label: str | None, where: str) -> Fraction:
    """Read a quantity of the command line.

    Parameters
    ----------
    label
        The unit to give it in, as the ``units`` of a platform name it; None where the platform
        does not say.
    where
        What it is for, to be named where a unit cannot be converted.

    Raises
    ------
    ValueError
        With a sentence that says what to write instead.
    """
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise ValueError(_no_number(text, dimension))
    try:
        number: Fraction = parse_rational(found["number"].removeprefix("+"))
    except PydanticCustomError as error:
        raise ValueError(f"{_quoted(text)}: {error.message()}") from None
    unit = found["unit"]
    if not unit:
        return number
    if unit in _BARE:
        return number * Fraction(_BARE[unit])
    if unit not in dimension.units:
        raise ValueError(f"{_quoted(text)}: {_no_unit(unit, dimension)}")
    if label is None:
        raise ValueError(
            f"{_quoted(text)}: {where} does not say its unit of {dimension.name}: give a plain number"
            f' in that unit, or say it in the platform: "units": {{"{dimension.name}":'
            f' "{dimension.label}"}}, if it is so'
        )
    if label not in dimension.units:
        raise ValueError(
            f"{_quoted(text)}: {where} has its {dimension.name} in {printable(repr(label))}, and"
            f" {printable(unit)} cannot be converted to that: give a plain number"
        )
    return number * dimension.units[unit] / dimension.units[label]


def _quoted(text: str) -> str:
    return printable(repr(text if len(text) <= 80 else text[:77] + "..."))


def _no_number(text: str, dimension: Dimension) -> str:
    expected = (
        f"{_quoted(text)}: expected a number, with a unit or without, like {dimension.example}"
    )
    if "," in text:
        return f"{expected}; numbers have a decimal point, and no commas"
    return expected


def _no_unit(unit: str, dimension: Dimension) -> str:
    """Say what is wrong with a unit, and which one may have been meant."""
    expected = f"write it like {dimension.example}"
    rate = _RATE.fullmatch(unit)
    if rate and (rate["amount"] in dimension.units or rate["amount"][-1:] == "b"):
        return f"{_named(unit)} is a rate, and an amount of {dimension.name} is asked: {expected}"
    for other in _DIMENSIONS:
        if unit in other.units:
            return f"{_named(unit)} is a unit of {other.name}, not of {dimension.name}: {expected}"
    if dimension is DATA and unit[-1:] == "b" and unit[:-1].casefold() in _casefolded_prefixes():
        prefix = _casefolded_prefixes()[unit[:-1].casefold()]
        return f"b may be bits or bytes: write {prefix}bit or {prefix}B"
    if unit[:1] == "K" and f"k{unit[1:]}" in {**dimension.units, **_BARE}:
        rest = unit[1:]
        return f"K may be 1000 or 1024: write k{rest} or Ki{rest}"
    meant = Known([*dimension.units, *_BARE]).nearest(unit)
    hint = f"did you mean {meant}?" if meant else expected
    return f"there is no unit {_named(unit)} of {dimension.name}; {hint}"


def _named(unit: str) -> str:
    return printable(repr(unit[:40]))


def _casefolded_prefixes() -> dict[str, str]:
    return {prefix.casefold(): prefix for prefix in _PREFIXES}
