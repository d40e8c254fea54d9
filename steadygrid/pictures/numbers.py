"""Exact numbers in tooltips and tables of pictures."""

from fractions import Fraction

from steadygrid.domain.rational import MAX_ANSWER_DIGITS
from steadygrid.report.glyphs import UNICODE, shorten
from steadygrid.report.quantities import full_text, is_short, num_digits

LONGEST = 60
"""Characters of a number in a tooltip, above which it is cut in the middle."""


def exact(value: Fraction) -> str:
    """Write a number exactly, with its value where that is not seen at once; cut if it is long."""
    if is_short(value):
        return full_text(value, UNICODE)
    if printed(value) is None:
        return full_text(value, UNICODE)
    return shorten(str(value), LONGEST, UNICODE)


def printed(value: Fraction) -> Fraction | None:
    """Give a number that can be printed, None for one with too many digits."""
    longest = max(num_digits(abs(value.numerator)), num_digits(value.denominator))
    return value if longest <= MAX_ANSWER_DIGITS else None
