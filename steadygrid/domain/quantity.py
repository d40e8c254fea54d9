"""Numbers with units: those of the command line, and those of a platform that says its units.

A number is an integer, a decimal, a power of ten or a fraction (``20``, ``2.5``, ``1e9``, ``3/4``).
A unit may follow, with an SI prefix (k, M, G, T, P, E: powers of 1000) or a binary one (Ki to Ei:
powers of 1024). A bit is an eighth of a byte. Everything is read exactly.

============ ================================== ===========================
Quantity     written                            becomes
============ ================================== ===========================
speed        ``2 Gflop/s``, ``2 Gf``            work by time of the platform
bandwidth    ``125 MB/s``, ``10 Gbit/s``        data by time of the platform
latency      ``50 us``                          time of the platform
unit time    ``10 s each``, ``8 ns/B``          time for one unit
============ ================================== ===========================

The platform's own labels are units, too: of one with ``"work": "task"``, ``3 task/s`` is a speed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pydantic_core import PydanticCustomError

from steadygrid.domain.human_time import SECONDS
from steadygrid.domain.nearest import Known
from steadygrid.domain.rational import MAX_DIGITS, Misread, parse_rational
from steadygrid.domain.units import BINARY, SI

_WRITTEN = re.compile(
    r"\s*(?P<number>[+-]?[0-9]+(?:/[0-9]+|(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?))\s?(?P<unit>(?:[^\W\d_]\S*)?)\s*",
    re.ASCII,
)
_PREFIXES = {prefix: 10**power for prefix, power in SI.items()} | {
    prefix: 1024**power for prefix, power in BINARY.items()
}
_BARE = {prefix: size for prefix, size in _PREFIXES.items() if prefix not in ("", "E")}
"""Prefixes that may stand alone. An E alone may be half an exponent."""
_WITH_UNIT = re.compile(
    r"\s*(?P<number>[+-]?[0-9]+(?:/[0-9]+|(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?))\s?"
    r"(?P<unit>[^\W\d_]\S*(?: each)?)\s*"
)
_LONGEST_LABEL = 60
"""Characters of a platform's own unit that is converted to."""
_LONGEST = 300
"""Characters of a number with its unit."""
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
    text
        A number, with a unit or without.
    dimension
        What it is of.
    label
        The unit to give it in, as the ``units`` of a platform name it. None where the platform
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
            f"{_quoted(text)}: {where} has its {dimension.name} in {label!r}, and"
            f" {unit} cannot be converted to that: give a plain number"
        )
    return number * dimension.units[unit] / dimension.units[label]


@dataclass(frozen=True)
class PlatformMeasure:
    """What a quantity of a platform measures: an amount by time, a time, or a time for an amount."""

    noun: str
    example: str
    amount: Dimension | None = None
    """None: it is a time."""
    inverse: bool = False
    """Whether it is the time for one unit of the amount."""

    def unit(self, labels: Mapping[str, Any]) -> str:
        """Name the unit of a plain number; empty where the platform does not say it.

        Parameters
        ----------
        labels
            The member ``units`` of the platform.
        """
        time = labels.get(TIME.name)
        amount = None if self.amount is None else labels.get(self.amount.name)
        if self.inverse:
            return f"{time} each" if time else ""
        if self.amount is None:
            return time or ""
        return f"{amount}/{time}" if amount and time else ""

    def convert(self, text: str, labels: Mapping[str, Any]) -> Fraction:
        """Convert a text with a unit to the units of the platform.

        Parameters
        ----------
        text
            A number, and a unit.
        labels
            The member ``units`` of the platform.

        Raises
        ------
        UnitError
            Nothing in these units fits.
        PydanticCustomError
            What `parse_rational` refuses of the number.
        """
        found = _WITH_UNIT.fullmatch(text)
        if found is None:
            raise UnitError(f"{_quoted(text)}: {self._fitting(labels)}")
        number = parse_rational(found["number"].removeprefix("+"))
        amount, time = self._parts(found["unit"])
        if amount is not None and self.amount is not None:
            number *= self._factor(amount, self.amount, labels, text) ** (-1 if self.inverse else 1)
        if time is not None:
            by_time = self.amount is None or self.inverse
            number *= self._factor(time, TIME, labels, text) ** (1 if by_time else -1)
        if max(number.numerator, number.denominator) >= 10**MAX_DIGITS:
            raise PydanticCustomError(
                "rational_too_long",
                "in the units of the platform it has more than {digits} digits in its numerator or denominator",
                {"digits": MAX_DIGITS},
            )
        return number

    def _parts(self, unit: str) -> tuple[str | None, str | None]:
        """Split a unit into that of the amount and that of the time. None if there is none."""
        unit = unit.strip()
        if self.amount is None:
            return None, unit
        if self.inverse:
            time, slash, amount = unit.removesuffix(" each").strip().partition("/")
            return (amount if slash else None), time
        amount, slash, time = unit.rpartition("/")
        if slash:
            return amount, time
        if self.amount is WORK:
            return unit, "s" if unit in WORK.units and unit.endswith(("f", "flops")) else ""
        if unit.endswith("bps"):
            return f"{unit.removesuffix('bps')}bit", "s"
        return (unit.removesuffix("ps"), "s") if unit.endswith("ps") else (unit, "")

    def _factor(
        self, unit: str, dimension: Dimension, labels: Mapping[str, Any], text: str
    ) -> Fraction:
        label = labels.get(dimension.name)
        if unit == label:
            return Fraction(1)
        if label is None:
            raise UnitError(
                f"{_quoted(text)}: the platform does not say its unit of {dimension.name}: give a"
                f' plain number, or say it: "units": {{"{dimension.name}": "{dimension.label}"}}'
            )
        if unit in dimension.units and label in dimension.units:
            return dimension.units[unit] / dimension.units[label]
        why = ""
        if label in dimension.units and unit:
            why = f"{_no_unit(unit, dimension, '').rstrip(' ;:')}; "
        raise UnitError(f"{_quoted(text)}: {why}{self._fitting(labels)}")

    def _fitting(self, labels: Mapping[str, Any]) -> str:
        """List what fits."""
        time = _fitting_units(TIME, labels)
        if self.amount is None:
            return f"write a {self.noun} in {time}, such as {self.example}"
        amount = _fitting_units(self.amount, labels)
        said = f"{time} each, or {time} per {amount}" if self.inverse else f"{amount} per {time}"
        return f"write a {self.noun} in {said}, such as {self._example(labels)}"

    def _example(self, labels: Mapping[str, Any]) -> str:
        of_time, of_amount = labels.get("time"), labels.get(self.amount.name if self.amount else "")
        usual = of_time in SECONDS and self.amount is not None and of_amount in self.amount.units
        if usual or of_time is None or of_amount is None:
            return self.example
        return f"10 {of_time} each" if self.inverse else f"10 {of_amount}/{of_time}"


class UnitError(ValueError):
    """A unit that does not fit. The sentence lists what does."""


SPEED = PlatformMeasure("speed", "2 Gflop/s", WORK)
BANDWIDTH = PlatformMeasure("bandwidth", "125 MB/s or 10 Gbit/s", DATA)
TIME_FOR_WORK = PlatformMeasure("time for a unit of work", "10 s each", WORK, inverse=True)
TIME_FOR_DATA = PlatformMeasure("time for a unit of data", "8 ns each", DATA, inverse=True)
LATENCY = PlatformMeasure("latency", "50 us")


_MEASURES: Mapping[str, Mapping[str, PlatformMeasure]] = {
    "processors": {
        "speed": SPEED,
        "unit_time": TIME_FOR_WORK,
        "bandwidth_in": BANDWIDTH,
        "bandwidth_out": BANDWIDTH,
        "latency": LATENCY,
    },
    "links": {"bandwidth": BANDWIDTH, "unit_time": TIME_FOR_DATA, "latency": LATENCY},
    "media": {"bandwidth": BANDWIDTH},
}
"""Members that may have a unit where the platform says its units."""


def may_have_unit(place: Sequence[Any]) -> bool:
    """Whether a quantity of a platform stands there, which may have a unit if the platform says its units."""
    # A replan takes plain numbers, and units of the platform would not change that.
    return (
        place[:1] != ("measured",)
        and len(place) >= 3
        and place[-1] in _MEASURES.get(str(place[-3]), ())
    )


def unit_at(place: Sequence[Any], labels: Mapping[str, Any]) -> str:
    """Name the unit of the plain number at a place of a body; empty where it has none.

    Parameters
    ----------
    place
        As pointers lead there: the list, the entry and the member of it last.
    labels
        The member ``units`` of the platform.
    """
    if len(place) < 3:
        return ""
    measure = _MEASURES.get(str(place[-3]), {}).get(str(place[-1]))
    return "" if measure is None else measure.unit(labels)


def without_platform_units(document: Any) -> Any:
    """Give the document of a platform with plain numbers for quantities that have units.

    It is the same document where the platform says no units, or no quantity has one. A quantity
    that cannot be read becomes a `Misread`, which is refused where it stands.

    Parameters
    ----------
    document
        As JSON has it; of any sort. It stays as it is.
    """
    labels = document.get("units") if isinstance(document, Mapping) else None
    if not isinstance(labels, Mapping) or not all(map(_is_label, labels.values())):
        return document
    changed: dict[str, Any] = {}
    for name, members in _MEASURES.items():
        listed = document.get(name)
        if not isinstance(listed, list | tuple):
            continue
        entries = [_plain_entry(entry, members, labels) for entry in listed]
        if any(one is not other for one, other in zip(entries, listed, strict=True)):
            changed[name] = entries
    return {**document, **changed} if changed else document


def _is_label(label: Any) -> bool:
    """Tell whether a unit may stand in a sentence; of others the platform itself says what is wrong."""
    return label is None or (
        isinstance(label, str) and len(label) <= _LONGEST_LABEL and label.isprintable()
    )


def _plain_entry(
    entry: Any, members: Mapping[str, PlatformMeasure], labels: Mapping[str, Any]
) -> Any:
    if not isinstance(entry, Mapping):
        return entry
    found: dict[str, Any] = {}
    for name, measure in members.items():
        text = entry.get(name)
        if isinstance(text, str) and not text[-1:].isdigit() and _WITH_UNIT.fullmatch(text):
            found[name] = _plain(text, measure, labels)
    return {**entry, **found} if found else entry


def _plain(text: str, measure: PlatformMeasure, labels: Mapping[str, Any]) -> Fraction | Misread:
    if len(text) > _LONGEST:
        return Misread(text, "rational_too_long", f"a number with more than {_LONGEST} characters")
    try:
        return measure.convert(text, labels)
    except UnitError as error:
        return Misread(text, "unknown_unit", str(error))
    except PydanticCustomError as error:
        return Misread(text, error.type, error.message())


def _fitting_units(dimension: Dimension, labels: Mapping[str, Any]) -> str:
    """Name the units of a dimension that can be converted to the platform's."""
    label = labels.get(dimension.name)
    if label is None or label not in dimension.units:
        return str(label or dimension.label)
    if dimension is TIME:
        return "s, ms, us, ns, min or h"
    named = "B or bit" if dimension is DATA else "flop"
    return f"{named} (with k, M, G, T, Ki, Mi or Gi before it)"


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


def _no_number(text: str, dimension: Dimension) -> str:
    expected = (
        f"{_quoted(text)}: expected a number, with a unit or without, like {dimension.example}"
    )
    if "," in text:
        return f"{expected}. Numbers have a decimal point, and no commas"
    return expected


def _no_unit(unit: str, dimension: Dimension, expected: str | None = None) -> str:
    """Say what is wrong with a unit, and which one may have been meant."""
    if expected is None:
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
    hint = f". Did you mean {meant}?" if meant else f": {expected}"
    return f"there is no unit {_named(unit)} of {dimension.name}{hint}"


def _named(unit: str) -> str:
    return repr(unit[:40])


def _casefolded_prefixes() -> dict[str, str]:
    return {prefix.casefold(): prefix for prefix in _PREFIXES}
