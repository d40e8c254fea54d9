"""SimGrid's quantities, read exactly: a decimal number, then a unit.

The tables are those of SimGrid's ``xbt_parse_units.cpp``, with ``K`` accepted for ``k`` and
binary prefixes for flops. A number without a unit is in bytes per second, flops per second or
seconds, as in every version 4.x (deprecated there).
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.rational import MAX_DIGITS, MAX_EXPONENT

_QUANTITY = re.compile(
    r"\s*(?P<sign>[+-]?)(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?"
    r"(?:[eE](?P<exponent>[+-]?[0-9]+))?(?P<unit>.*)",
    re.ASCII | re.DOTALL,
)
_LONGEST = 4 * MAX_DIGITS
_SHORT = ("k", "M", "G", "T", "P", "E", "Z", "Y")
_LONG = ("kilo", "mega", "giga", "tera", "peta", "exa", "zeta", "yotta")


class Quantity(NamedTuple):
    """A value in seconds, bytes per second or flops per second."""

    value: Fraction
    unitless: bool
    """Whether the document left the unit out."""


def _scaled(unit: str, size: Fraction = Fraction(1), *, words: bool = False) -> dict[str, Fraction]:
    table = {unit: size}
    for power, prefix in enumerate(_LONG if words else _SHORT, start=1):
        binary = prefix[:2] + "bi" if words else prefix.upper() + "i"
        table[prefix + unit] = size * 1000**power
        table[binary + unit] = size * 1024**power
    if not words:
        table["K" + unit] = size * 1000
    return table


_SPEED = _scaled("f") | _scaled("flops", words=True)
_BANDWIDTH = _scaled("Bps") | _scaled("bps", Fraction(1, 8))
_TIME = {
    "w": Fraction(604_800),
    "d": Fraction(86_400),
    "h": Fraction(3_600),
    "m": Fraction(60),
    "s": Fraction(1),
    "ms": Fraction(1, 10**3),
    "us": Fraction(1, 10**6),
    "ns": Fraction(1, 10**9),
    "ps": Fraction(1, 10**12),
}


def parse_speed(text: str) -> Quantity:
    """Read flops per second: ``1Gf``, ``286.087kf``, ``5.2297E9f``, ``2gigaflops``."""
    return _parse(text, _SPEED, "f", "a speed like 1Gf or 98.095Mf")


def parse_bandwidth(text: str) -> Quantity:
    """Read bytes per second: ``125MBps``, ``1Gbps`` (bits), ``10MiBps``, ``1.25E9Bps``."""
    return _parse(text, _BANDWIDTH, "Bps", "a bandwidth like 125MBps or 1Gbps")


def parse_time(text: str) -> Quantity:
    """Read seconds: ``50us``, ``1.0E-4s``, ``5ms``."""
    return _parse(text, _TIME, "s", "a time like 50us or 1.5ms")


def _parse(text: str, units: Mapping[str, Fraction], default: str, expected: str) -> Quantity:
    match = _QUANTITY.match(text) if len(text) <= _LONGEST else None
    if match is None:
        raise ValueError(f"expected {expected}, at most {_LONGEST} characters")
    sign, whole, part, exponent, unit = match.groups()
    digits = whole + (part or "")
    if not digits:
        raise ValueError(f"{text!r} is not {expected}")
    if (
        len(digits) > MAX_DIGITS
        or len(exponent or "") > 4
        or abs(int(exponent or 0)) > MAX_EXPONENT
    ):
        raise ValueError(
            f"{text!r} is too long: at most {MAX_DIGITS} digits, exponents up to {MAX_EXPONENT}"
        )
    if unit and unit not in units:
        raise ValueError(f"{text!r}: there is no unit {unit!r}. Expected {expected}")
    if sign == "-" and int(digits):
        raise ValueError(f"{text!r} is negative")
    power = int(exponent or 0) - len(part or "")
    value = int(digits) * Fraction(10) ** power * units[unit or default]
    return Quantity(value, not unit and value != 0)
