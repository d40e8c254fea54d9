"""Exact numbers for people: short where they are short, abbreviated where they are not."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from steadygrid.domain.view import plural
from steadygrid.report.glyphs import Glyphs

LONGEST = 24
"""Characters above which a fraction is given by its decimal value and its length."""
_LONGEST_INTEGER = 10**15
_LONGEST_IN_COLUMN = 9
_SIGNIFICANT = 6


def decimal_text(value: Fraction, digits: int = _SIGNIFICANT) -> str:
    """Write a number with `digits` significant digits, ``1.25e9`` where it is long.

    Works for any size: nothing passes through a double. Integers of up to 15 digits are
    never shortened. Their thousands are grouped from five digits on.

    Parameters
    ----------
    value
        Any number.
    digits
        Significant ones.
    """
    if value.denominator == 1 and abs(value.numerator) < _LONGEST_INTEGER:
        return f"{value.numerator:,}" if abs(value.numerator) >= 10_000 else str(value.numerator)
    return rounded_text(value, digits)


def rounded_text(value: Fraction, digits: int) -> str:
    """Write a number with at most `digits` significant digits, integers too.

    Parameters
    ----------
    value
        Any number.
    digits
        Significant ones, at most.
    """
    return _plain(_rounded(value, digits), digits)


def _rounded(value: Fraction, digits: int) -> Decimal:
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def _plain(number: Decimal, digits: int) -> str:
    if not number:
        return "0"
    power = number.adjusted()
    if -4 <= power < max(digits, 6):
        text = f"{number:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    sign, mantissa, _ = number.as_tuple()
    significant = "".join(map(str, mantissa)).rstrip("0")
    point = "." if len(significant) > 1 else ""
    return f"{'-' * sign}{significant[0]}{point}{significant[1:]}e{power}"


def num_digits(number: int) -> int:
    """Count decimal digits, also of integers that Python refuses to print."""
    return Decimal(number).adjusted() + 1 if number else 1


def is_short(value: Fraction) -> bool:
    """Whether a person can read the exact number."""
    if value.denominator == 1:
        return abs(value.numerator) < _LONGEST_INTEGER
    return num_digits(value.numerator) + num_digits(value.denominator) < LONGEST


def exact_text(value: Fraction, glyphs: Glyphs) -> str:
    """Write a number exactly if it is short; otherwise by value: ``≈ 0.5251``.

    Parameters
    ----------
    value
        Any number.
    glyphs
        Characters to draw with.
    """
    if is_short(value):
        return decimal_text(value) if value.denominator == 1 else str(value)
    return f"{glyphs.approx} {decimal_text(value)}"


def full_text(value: Fraction, glyphs: Glyphs, unit: str = "") -> str:
    """Write a number in both forms: ``21/40 = 0.525``, ``1/3 ≈ 0.333333``, with its unit.

    A fraction too long to read is given by its decimal value and the digits it has.

    Parameters
    ----------
    value
        Any number.
    glyphs
        Characters to draw with.
    unit
        Written after the number, if there is one.
    """
    after = f" {unit}" if unit else ""
    decimal = decimal_text(value)
    if not is_short(value):
        above, below = num_digits(value.numerator), num_digits(value.denominator)
        shape = f"{above}-digit integer" if below == 1 else f"fraction, {above}/{below} digits"
        return f"{glyphs.approx} {decimal}{after} (exactly: a {shape})"
    if value.denominator == 1:
        return decimal + after
    rounded = _rounded(value, _SIGNIFICANT)
    sign = "=" if Fraction(rounded) == value else glyphs.approx
    return f"{value} {sign} {decimal}{after}"


def cell_text(value: Fraction) -> str:
    """Write a number in a narrow column, without a mark where it is rounded."""
    if value.denominator == 1 or not is_short(value):
        return decimal_text(value)
    exact = str(value)
    most = 5 if value.denominator in (10, 100, 1000) else _LONGEST_IN_COLUMN
    return exact if len(exact) <= most else decimal_text(value)


def column_text(value: Fraction, glyphs: Glyphs) -> str:
    """Write a number in both forms in a column, if the exact one is short.

    Parameters
    ----------
    value
        Any number.
    glyphs
        Characters to draw with.
    """
    exact = cell_text(value)
    return full_text(value, glyphs) if "/" in exact else exact


def elapsed_text(value: Fraction, glyphs: Glyphs) -> str:
    """Write a length of time: as a decimal number if that is exact, as ``40/3`` if short.

    Parameters
    ----------
    value
        In time units.
    glyphs
        Characters to draw with.
    """
    if value.denominator == 1:
        return exact_text(value, glyphs)
    decimal = _rounded(value, _SIGNIFICANT)
    if Fraction(decimal) == value:
        return decimal_text(value)
    exact = cell_text(value)
    return exact if "/" in exact else f"{glyphs.approx} {exact}"


def percent(share: Fraction) -> str:
    """Write a share in per cent; ``100 %`` and ``0 %`` are said only where they are exact."""
    hundred = share * 100
    if hundred.denominator == 1:
        return f"{decimal_text(hundred)} %"
    if 0 < hundred < Fraction(1, 20):
        return "<0.1 %"
    if Fraction(1999, 20) <= hundred < 100:
        return ">99.9 %"
    return f"{float(hundred):.1f} %" if hundred < 10**6 else f"{decimal_text(hundred, 3)} %"


def small_percent(share: Fraction) -> str:
    """Write a loss or a gap in per cent, however small: two significant digits."""
    return f"{decimal_text(share * 100, 2)} %"


def amount(value: Fraction | int, noun: str, glyphs: Glyphs) -> str:
    """Write ``21 tasks``, ``1 task``, ``1/2 tasks``.

    Parameters
    ----------
    value
        How many.
    noun
        In the singular.
    glyphs
        Characters to draw with.
    """
    return f"{exact_text(Fraction(value), glyphs)} {noun if value == 1 else plural(noun)}"


def counted(noun: str, value: Fraction) -> str:
    """Give the noun as it follows a number.

    Parameters
    ----------
    noun
        In the singular.
    value
        The number before it.
    """
    return noun if value == 1 else plural(noun)
