"""Numbers of foreign documents, with a unit or without, read exactly.

========== ================================================== ==============
Measure    units                                              becomes
========== ================================================== ==============
rate       ``Gbit/s``, ``Gbps``, ``GB/s``, ``GiB/s``, ...     bytes a second
time       ``s``, ``ms``, ``us``, ``ns``                      seconds
speed      ``Gflop/s``, ``Gflops``, ``Gf``, ...               flop a second
size       ``B``, ``kB``, ``MiB``, ``Mbit``, ...              bytes
work       ``flop``, ``Gflop``, ``Gf``, ...                   flop
========== ================================================== ==============

``Gbps`` is bits, as switches and iperf3 have it. ``Gb/s`` is refused: some write it for bytes.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from numbers import Integral, Real
from typing import Any, NamedTuple

from pydantic_core import PydanticCustomError

from steadygrid.domain.rational import parse_rational
from steadygrid.formats.fault_list import refused

_LONGEST = 300
"""Characters of a number with its unit."""
_WRITTEN = re.compile(
    r"\s*(?P<number>[+-]?[0-9]+(?:/[0-9]+|(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)"
    r"|[+-]?\.[0-9]+(?:[eE][+-]?[0-9]+)?)\s*(?P<unit>\S.*?)?\s*",
    re.ASCII,
)
_COMMA = re.compile(r"[0-9],[0-9]")
_PREFIXES: dict[str, int] = {
    prefix: 1000**power for power, prefix in enumerate(("", "k", "M", "G", "T", "P", "E"))
}
_PREFIXES |= {prefix: 1024**power for power, prefix in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi"), 1)}
_PREFIX = "(?P<prefix>[KMGTP]i|[kKMGTPE]?)"
_RATE = re.compile(_PREFIX + r"(?P<of>bits?|b|B|bytes?)(?P<per>/s|/sec|ps)")
_SIZE = re.compile(_PREFIX + r"(?P<of>bits?|b|B|bytes?)")
_SPEED = re.compile(_PREFIX + r"(?:f|flops?)(?:/s|/sec|ps)?", re.IGNORECASE)
_TIMES = {
    "s": Fraction(1), "sec": Fraction(1), "min": Fraction(60), "h": Fraction(3600),
    "ms": Fraction(1, 10**3), "us": Fraction(1, 10**6), "µs": Fraction(1, 10**6),
    "μs": Fraction(1, 10**6), "ns": Fraction(1, 10**9),
}  # fmt: skip


class Unreadable(ValueError):
    """A number or a unit that is none; `code` names what is wrong."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class Measured(NamedTuple):
    """A number, and whether it had a unit."""

    value: Fraction
    """In the unit of the measure, where it had one."""
    has_unit: bool


@dataclass(frozen=True)
class Measure:
    """What a number is of."""

    noun: str
    example: str
    factor: Callable[[str], Fraction]
    """What a unit is in the unit of the measure; it raises `Unreadable`."""

    def read(self, value: Any, unit: str = "") -> Measured:
        """Read a number with its unit.

        Parameters
        ----------
        value
            Text, or a number of Python's.
        unit
            Where the text has none; empty: it has none then.

        Raises
        ------
        Unreadable
            ``not_a_rational`` and the other codes of numbers, ``unknown_unit``,
            ``ambiguous_unit``.
        """
        if isinstance(value, str):
            return _read_text(self, value, unit)
        number = exact(value)
        return Measured(number * self.factor(unit), True) if unit else Measured(number, False)


@lru_cache(maxsize=10_000)
def _read_text(measure: Measure, text: str, unit: str) -> Measured:
    """Read what a large table says again and again once."""
    if len(text) > _LONGEST:
        raise Unreadable("rational_too_long", f"{_quoted(text)} is too long for a number")
    found = _WRITTEN.fullmatch(text)
    comma = _COMMA.search(text)
    if found is None or comma:
        remedy = ": write a decimal point, and no other comma" if comma else ""
        raise Unreadable(
            "not_a_rational", f"{_quoted(text)} is no number, such as {measure.example}{remedy}"
        )
    number, unit = exact(_plain(found["number"])), found["unit"] or unit
    return Measured(number * measure.factor(unit), True) if unit else Measured(number, False)


def exact(value: Any) -> Fraction:
    """Read a number without a unit; `Unreadable` with the code of what is wrong.

    Parameters
    ----------
    value
        Text, or a number of Python's or of a library's.
    """
    if isinstance(value, bool | Fraction):
        pass  # one is refused, the other is exact
    elif isinstance(value, Integral):
        value = int(value)
    elif isinstance(value, Real):
        value = float(value)
    elif isinstance(value, str | Decimal):
        value = _plain(str(value).strip())
    try:
        return parse_rational(value)
    except PydanticCustomError as error:
        raise Unreadable(error.type, f"{_quoted(str(value))}: {error.message()}") from None


def _plain(text: str) -> str:
    """Write a number as steadygrid does: with digits on both sides of the point, and no plus."""
    text = text.removeprefix("+")
    text = re.sub(r"^(-?)\.", r"\g<1>0.", text)
    return re.sub(r"\.(?![0-9])", "", text)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _size_of(prefix: str) -> int:
    if prefix == "K":
        return 1000
    return _PREFIXES[prefix]


def _rate(unit: str) -> Fraction:
    found = _RATE.fullmatch(unit.strip())
    if found is None:
        raise Unreadable("unknown_unit", f"{_quoted(unit)} is no rate: write Gbit/s or GB/s")
    if found["of"] == "b" and found["per"] != "ps":
        raise Unreadable(
            "ambiguous_unit",
            f"{_quoted(unit)}: b may be a bit or a byte: write Gbit/s or GB/s",
        )
    return _bytes(found["prefix"], found["of"])


def _size(unit: str) -> Fraction:
    found = _SIZE.fullmatch(unit.strip())
    if found is None:
        raise Unreadable("unknown_unit", f"{_quoted(unit)} is no size: write MB or Mbit")
    if found["of"] == "b":
        raise Unreadable(
            "ambiguous_unit", f"{_quoted(unit)}: b may be a bit or a byte: write Mbit or MB"
        )
    return _bytes(found["prefix"], found["of"])


def _bytes(prefix: str, of: str) -> Fraction:
    bits = of == "b" or of.startswith("bit")
    return Fraction(_size_of(prefix), 8 if bits else 1)


def _time(unit: str) -> Fraction:
    if unit.strip() not in _TIMES:
        raise Unreadable("unknown_unit", f"{_quoted(unit)} is no time: write s, ms, us or ns")
    return _TIMES[unit.strip()]


def _speed(unit: str) -> Fraction:
    found = _SPEED.fullmatch(unit.strip())
    if found is None:
        raise Unreadable("unknown_unit", f"{_quoted(unit)} is no speed: write Gflop/s")
    prefix = found["prefix"]
    if prefix not in _PREFIXES:
        prefix = prefix.capitalize() if prefix.endswith(("i", "I")) else prefix.upper()
    return Fraction(_size_of(prefix))


def _work(unit: str) -> Fraction:
    return _speed(unit)


RATE = Measure("bandwidth", "10 Gbit/s", _rate)
TIME = Measure("latency", "5 us", _time)
SPEED = Measure("speed", "2 Gflop/s", _speed)
SIZE = Measure("size", "25 MB", _size)
WORK = Measure("work", "20 Gflop", _work)


def parameter(
    parameters: Mapping[str, str], name: str, measure: Measure, unit: str = ""
) -> Measured | None:
    """Read a parameter of a format that is a number, greater than zero unless it is a size.

    Parameters
    ----------
    parameters
        By name.
    name
        Of the parameter.
    measure
        What it is of.
    unit
        Where it has none.

    Returns
    -------
    Measured or None
        None where it is not given.

    Raises
    ------
    InstanceError
        ``invalid_parameter``.
    """
    if name not in parameters:
        return None
    try:
        found = measure.read(parameters[name], unit)
    except Unreadable as error:
        raise refused(name, "invalid_parameter", str(error)) from None
    if not found.value and measure in (RATE, SPEED):
        raise refused(
            name, "invalid_parameter", f"it is greater than zero, such as {measure.example}"
        )
    return found


def whole_parameter(parameters: Mapping[str, str], name: str, default: int, least: int) -> int:
    """Read a parameter that is a whole number; `InstanceError` ``invalid_parameter``.

    Parameters
    ----------
    parameters
        By name.
    name
        Of the parameter.
    default
        Where it is not given.
    least
        No smaller number is accepted.
    """
    text = parameters.get(name, str(default)).strip()
    if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) or int(text) < least:
        raise refused(
            name, "invalid_parameter", f"{_quoted(text)} is no whole number of at least {least}"
        )
    return int(text)


def flag_parameter(parameters: Mapping[str, str], name: str, default: bool = False) -> bool:
    """Read a parameter that is true or false; `InstanceError` ``invalid_parameter``.

    Parameters
    ----------
    parameters
        By name.
    name
        Of the parameter.
    default
        Where it is not given.
    """
    text = parameters.get(name, str(default)).strip().lower()
    if text not in ("true", "false"):
        raise refused(name, "invalid_parameter", f"{_quoted(text)} is neither true nor false")
    return text == "true"


def choice_parameter(parameters: Mapping[str, str], name: str, words: tuple[str, ...]) -> str:
    """Read a parameter that is one of a few words, by default the first; ``invalid_parameter``.

    Parameters
    ----------
    parameters
        By name.
    name
        Of the parameter.
    words
        All that it may be.
    """
    text = parameters.get(name, words[0]).strip().lower()
    if text not in words:
        raise refused(name, "invalid_parameter", f"{_quoted(text)} is none of {', '.join(words)}")
    return text
