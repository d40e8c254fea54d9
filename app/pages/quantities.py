"""Exact numbers on pages: in full as long as a person reads them, else cut in the middle."""

from fractions import Fraction
from typing import Any, NamedTuple

from steadygrid.domain.rational import parse_exact
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.quantities import decimal_text, num_digits

LONGEST = 60
"""Characters of an exact number; of a longer one the middle is left out."""
LONGEST_COPIED = 20_000
"""Characters of a number that a page carries whole next to what it shows."""
LONGEST_IN_LIST = 24
_ENDS = 24


_MOST_WRITTEN = 4_000
"""Digits; Python refuses to write integers of more than 4,300."""


class Shown(NamedTuple):
    """A number in both forms."""

    exact: str
    approx: str
    """With its sign before it; empty where it says the same."""
    digits: int
    """Of the exact number, where its middle is left out; else 0."""
    whole: str = ""
    """The exact number, where its middle is left out and it can still be copied."""


def shown(value: Any) -> Shown:
    """Write an exact number, which may be a text as answers have it."""
    number = value if isinstance(value, Fraction) else parse_exact(str(value))
    decimal = decimal_text(number)
    if num_digits(number.numerator) + num_digits(number.denominator) <= LONGEST:
        exact = decimal if number.denominator == 1 else str(number)
        if exact == decimal:
            return Shown(exact, "", 0)
        sign = "=" if _is_decimal(decimal, number) else UNICODE.approx
        return Shown(exact, f"{sign} {decimal}", 0)
    digits = num_digits(number.numerator) + num_digits(number.denominator)
    if digits > _MOST_WRITTEN:
        return Shown(f"{UNICODE.approx} {decimal}", "", digits)
    text = str(number)
    cut = f"{text[:_ENDS]}{UNICODE.ellipsis}{text[-_ENDS:]}"
    whole = text if len(text) <= LONGEST_COPIED else ""
    return Shown(cut, f"{UNICODE.approx} {decimal}", len(text.replace("/", "")), whole)


def written(value: Any) -> str:
    """Write a number in both forms as a text, a long one by its decimal value alone."""
    number = brief(value)
    return " ".join(filter(None, (number.exact, number.approx)))


def brief(value: Any) -> Shown:
    """Write a number for a list: a long one by its decimal value alone."""
    number = shown(value)
    if len(number.exact) <= LONGEST_IN_LIST:
        return number
    return Shown(number.approx or number.exact, "", 0)


def _is_decimal(text: str, number: Fraction) -> bool:
    return Fraction(text.replace(",", "")) == number


def bar_width(share: Fraction) -> str:
    """Give the length of a bar, in per cent of its room. What is not zero is seen."""
    part = min(max(share, Fraction(0)), Fraction(1))
    return f"{max(float(part * 100), 1.0 if part else 0.0):.4g}%"
