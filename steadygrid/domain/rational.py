"""Exact rationals at every boundary.

Annotated types cover the wire:

=================== =========================================================
`Rational`          a quantity in a request: ``>= 0``, at most 64 digits a side
`PositiveRational`  the same, and not zero (speeds, unit times, bandwidths)
`PositiveOrExact`   a `PositiveRational`, or the word ``exact``
`RationalWithUnit`  a `Rational` that has a unit where the platform says its units,
                    which makes a number of it
`PositiveWithUnit`  the same, and not zero
`ExactRational`     a quantity in an answer: any size, lowest terms, a string
`ExactSigned`       the same, of any sign (parts of a proof)
`PostedBack`        a quantity in a request that may be one of an answer
=================== =========================================================

In Python all are `fractions.Fraction`. Serialised with the context
``{"numbers": "float"}`` an `ExactRational` becomes a JSON number wherever a
double can hold it.
"""

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, Self

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, SerializationInfo, Strict
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from steadygrid.domain.units import without_unit

EXACT = "exact"
"""Asks for the exact period, however long."""
MAX_DIGITS = 64
"""Most digits on each side of a request's fraction or decimal point."""
MAX_EXPONENT = 30
"""Largest absolute value of a request's decimal exponent."""
MAX_ANSWER_DIGITS = 4300
"""Longest integer that a Python client can read back without changing its settings."""

MOST_EXACT = 2**53
"""No double between two integers up to here is missing."""


class Misread(str):
    """A text that was to be a quantity and is none: `parse_rational` refuses it with its sentence."""

    __slots__ = ("code", "detail")
    code: str
    detail: str

    def __new__(cls, text: str, code: str, detail: str) -> Self:
        """Mark a text.

        Parameters
        ----------
        text
            As it was given.
        code
            Of the fault.
        detail
            A sentence with what to write instead.
        """
        marked = super().__new__(cls, text)
        marked.code, marked.detail = code, detail
        return marked


_REQUEST = re.compile(
    r"(?P<numerator>[0-9]+)/(?P<denominator>[0-9]+)"
    r"|(?P<whole>[0-9]+)(?:\.(?P<part>[0-9]+))?(?:[eE](?P<exponent>[+-]?[0-9]+))?",
    re.ASCII,
)
_ANSWER = re.compile(r"([0-9]+)(?:/([0-9]+))?", re.ASCII)
_DECIMAL = re.compile(r"([0-9]+)\.([0-9]+)", re.ASCII)


def parse_rational(value: Any) -> Fraction:
    """Turn a request's number into a `Fraction`, bounding it before any conversion.

    Parameters
    ----------
    value
        An integer, a float (read as the shortest decimal that gives it back), a
        `Fraction`, or a string ``"3"``, ``"3/4"``, ``"0.75"``, ``"7.5e-1"``.

    Raises
    ------
    PydanticCustomError
        ``not_a_rational``, ``negative_rational``, ``rational_too_long`` or
        ``zero_denominator``.
    """
    if isinstance(value, Fraction):
        if value < 0:
            raise _negative()
        return value
    if isinstance(value, bool) or value is None:
        raise _not_a_rational()
    if isinstance(value, int):
        if value < 0:
            raise _negative()
        if value.bit_length() > 4 * MAX_DIGITS or value >= 10**MAX_DIGITS:
            raise _too_long()
        return Fraction(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _not_a_rational()
        if value < 0:
            raise _negative()
        text = repr(abs(value))
    elif isinstance(value, Misread):
        raise PydanticCustomError(value.code, "{detail}", {"detail": value.detail})
    elif isinstance(value, str):
        text = value
    else:
        raise _not_a_rational()
    return _parse_text(text)


def _parse_text(text: str) -> Fraction:
    if len(text) > 4 * MAX_DIGITS:
        raise _too_long()
    match = _REQUEST.fullmatch(text)
    if match is None:
        if text.startswith("-") and _REQUEST.fullmatch(text[1:]):
            raise _negative()
        raise _with_unit(text) or _not_a_rational()
    numerator, denominator, whole, part, exponent = match.groups()
    for digits in (numerator, denominator, whole, part):
        if digits is not None and len(digits) > MAX_DIGITS:
            raise _too_long()
    if numerator is not None:
        if int(denominator) == 0:
            raise PydanticCustomError("zero_denominator", "the denominator is zero")
        return Fraction(int(numerator), int(denominator))
    part = part or ""
    if exponent is not None and (len(exponent) > 4 or abs(int(exponent)) > MAX_EXPONENT):
        raise _too_long()
    power = int(exponent or 0) - len(part)
    mantissa = int(whole + part)
    found = Fraction(mantissa * 10**power) if power >= 0 else Fraction(mantissa, 10**-power)
    if max(found.numerator, found.denominator) >= 10**MAX_DIGITS:
        # It is stored as a fraction, which would not be read again.
        raise PydanticCustomError(
            "rational_too_long",
            "as a fraction it has more than {digits} digits in its numerator or denominator: round it",
            {"digits": MAX_DIGITS},
        )
    return found


def _not_a_rational() -> PydanticCustomError:
    return PydanticCustomError(
        "not_a_rational",
        'expected a number: an integer, a decimal, or a string like "3/4" or "2.5e-3"',
    )


def _with_unit(text: str) -> PydanticCustomError | None:
    """Refuse ``"25 MB/s"`` with the number that it stands for."""
    found = without_unit(text)
    if found is None:
        return None
    number, unit = found
    meant = "numbers are written without units: {text} is {number}"
    if unit:
        meant += " in {unit}: use the same units everywhere"
    return PydanticCustomError(
        "not_a_rational", meant, {"text": text.strip(), "number": number, "unit": unit}
    )


def _negative() -> PydanticCustomError:
    return PydanticCustomError("negative_rational", "a quantity cannot be negative")


def _too_long() -> PydanticCustomError:
    return PydanticCustomError(
        "rational_too_long",
        "at most {digits} digits on each side and an exponent of at most {exponent}",
        {"digits": MAX_DIGITS, "exponent": MAX_EXPONENT},
    )


def parse_positive(value: Any) -> Fraction:
    """Like `parse_rational`, and refuse zero (``zero_rational``)."""
    fraction = parse_rational(value)
    if fraction == 0:
        raise PydanticCustomError("zero_rational", "must be greater than zero")
    return fraction


def parse_exact(value: Any) -> Fraction:
    """Read back a quantity that an answer carried (``"21/40"``, or a JSON integer)."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return Fraction(value)
    if isinstance(value, str) and (match := _ANSWER.fullmatch(value)):
        numerator, denominator = match.groups()
        if max(len(numerator), len(denominator or "")) > MAX_ANSWER_DIGITS:
            raise PydanticCustomError("rational_too_long", "longer than any answer's number")
        if denominator is None:
            return Fraction(int(numerator))
        if int(denominator):
            return Fraction(int(numerator), int(denominator))
    raise _not_a_rational()


def parse_posted_back(value: Any) -> Fraction:
    """Read what `parse_rational` reads, and what an answer carried, however long.

    >>> parse_posted_back("1/" + 80 * "3") == Fraction(1, int(80 * "3")), parse_posted_back(0.5)
    (True, Fraction(1, 2))
    """
    if isinstance(value, str) and _ANSWER.fullmatch(value):
        return parse_exact(value)
    return parse_rational(value)


def parse_exact_or_decimal(value: Any) -> Fraction:
    """Like `parse_exact`; also read what `decimal_text` wrote.

    >>> parse_exact_or_decimal("0.525")
    Fraction(21, 40)
    """
    if isinstance(value, str) and (match := _DECIMAL.fullmatch(value)):
        whole, part = match.groups()
        return parse_exact(whole + part) * Fraction(1, 10 ** len(part))
    return parse_exact(value)


def parse_period(value: Any) -> Fraction | str:
    """Read a positive quantity, or the word `EXACT`."""
    return EXACT if value == EXACT else parse_positive(value)


def parse_whole(value: Any) -> int:
    """Read back a whole number of an answer's document: a JSON integer, and nothing like one.

    Raises
    ------
    ValueError
        For fractions (``4.5``, and ``4.0``), strings and truth values.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError(f"expected a whole number, not {str(value)[:40]!r}")


def parse_signed(value: Any) -> Fraction:
    """Like `parse_exact`, of any sign."""
    if isinstance(value, str) and value.startswith("-"):
        return -parse_exact(value[1:])
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    return parse_exact(value)


def as_number(value: Fraction) -> int | float | str:
    """Give a JSON number: an integer where a double holds it exactly, else the nearest double.

    Where no double comes near it is the exact string.
    """
    if value.denominator == 1 and abs(value.numerator) <= MOST_EXACT:
        return value.numerator
    approx = approximate(value)
    return str(value) if approx is None else approx


def approximate(value: Fraction) -> float | None:
    """Give the nearest double. None on overflow, or where only zero is left."""
    try:
        approx = float(value)
    except OverflowError:
        return None
    return None if approx == 0 and value != 0 else approx


def decimal_text(value: Fraction) -> str:
    """Write a quantity as a decimal where it is one, else as a fraction.

    >>> decimal_text(Fraction(21, 40)), decimal_text(Fraction(1, 3)), decimal_text(Fraction(7))
    ('0.525', '1/3', '7')
    """
    rest, places = value.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest //= prime
            power += 1
        places = max(places, power)
    if rest != 1 or not places:
        return str(value)
    digits = str(value.numerator * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


def _serialise(value: Fraction | str, info: SerializationInfo) -> int | float | str:
    if isinstance(value, str):
        return value
    if info.context and info.context.get("numbers") == "float":
        return as_number(value)
    return str(value)


_WITH_UNIT = {
    "type": "string",
    "pattern": r"^[0-9]{1,64}(/[0-9]{1,64}|(\.[0-9]{1,64})?([eE][+-]?[0-9]{1,2})?) ?[A-Za-z].*$",
    "maxLength": 300,
    "description": "with a unit, where the platform says its units: 125 MB/s, 2 Gflop/s, 50 us",
    "examples": ["125 MB/s"],
}


class _Boundary:
    """Pydantic's hook: how one of the types is read, written and documented."""

    def __init__(
        self,
        parse: Any,
        *,
        positive: bool = False,
        answer: bool = False,
        signed: bool = False,
        words: Sequence[str] = (),
        measured: bool = False,
    ) -> None:
        self._measured = measured
        self._words = words
        self._parse = parse
        self._positive = positive
        self._answer = answer
        self._signed = signed

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._parse,
            serialization=core_schema.plain_serializer_function_ser_schema(
                _serialise, info_arg=True
            ),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        if self._answer:
            sign = "-?" if self._signed else ""
            exact = {"type": "string", "pattern": rf"^{sign}[0-9]+(/[0-9]+)?$"}
            return {"anyOf": [exact, {"type": "number"}], "examples": ["21/40"]}
        bound = "exclusiveMinimum" if self._positive else "minimum"
        text = {
            "type": "string",
            "pattern": (
                r"^([0-9]{1,64}/0*[1-9][0-9]{0,63}"
                r"|[0-9]{1,64}(\.[0-9]{1,64})?([eE][+-]?[0-9]{1,2})?)$"
            ),
            "maxLength": 4 * MAX_DIGITS,
        }
        measured = [_WITH_UNIT] if self._measured else []
        words = [{"const": word, "type": "string"} for word in self._words]
        return {
            "anyOf": [{"type": "number", bound: 0}, text, *measured, *words],
            "examples": ["3/4", 2, 0.1],
        }


Rational = Annotated[Fraction, _Boundary(parse_rational)]
RationalWithUnit = Annotated[Fraction, _Boundary(parse_rational, measured=True)]
PositiveWithUnit = Annotated[Fraction, _Boundary(parse_positive, positive=True, measured=True)]
PositiveRational = Annotated[Fraction, _Boundary(parse_positive, positive=True)]
PositiveOrExact = Annotated[
    Fraction | Literal["exact"], _Boundary(parse_period, positive=True, words=("exact",))
]
ExactRational = Annotated[Fraction, _Boundary(parse_exact, answer=True)]
PostedBack = Annotated[Fraction, _Boundary(parse_posted_back, answer=True)]
ExactSigned = Annotated[Fraction, _Boundary(parse_signed, answer=True, signed=True)]
Whole = Annotated[int, Strict()]
"""A whole number in an answer: a JSON integer, never ``4.0``, ``"4"`` or ``true``."""
