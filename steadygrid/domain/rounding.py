"""How long exact numbers are, and shorter ones below and above them."""

from fractions import Fraction

READABLE_BITS = 14_000
"""Numbers of up to so many bits have less than 4,300 digits, what clients can read."""
ROUNDED_BITS = 1_024
"""Rates and prices that are too long become multiples of 2 to the minus this."""
ROUNDED = (
    "the exact rates have more digits than programs can read: the rates are rounded down and the"
    f" prices up to multiples of 2^-{ROUNDED_BITS}"
)
"""What an answer says of rounded rates and prices."""
_DIGITS_OF_BITS = 30103, 100_000
"""Decimal digits of a bit, log10(2), from above."""


def num_bits(value: Fraction) -> int:
    """Count the bits of the longer side.

    >>> num_bits(Fraction(1, 1024))
    11
    """
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def num_digits(value: Fraction) -> int:
    """Bound the decimal digits of the longer side from above, by one at most, without printing it.

    >>> num_digits(Fraction(999, 7))
    4
    """
    times, over = _DIGITS_OF_BITS
    return num_bits(value) * times // over + 1


def magnitude(value: Fraction | int) -> int:
    """Give the power of two near a value: ``2**(e - 1) < abs(value) < 2**(e + 1)``; 0 for 0.

    >>> magnitude(Fraction(1, 1000))
    -9
    """
    return value.numerator.bit_length() - value.denominator.bit_length() if value else 0


def power_near(value: Fraction) -> Fraction:
    """Give a power of two within a factor of two of a value: numbers in units of it stay short.

    >>> power_near(Fraction(1000, 3))
    Fraction(256, 1)
    """
    return Fraction(2) ** magnitude(value)


def rounded_down(value: Fraction, bits: int) -> Fraction:
    """Give the largest multiple of ``2**-bits`` that is no larger.

    Parameters
    ----------
    value
        Any number.
    bits
        Binary digits after the point.

    Examples
    --------
    >>> rounded_down(Fraction(1, 3), 4)
    Fraction(5, 16)
    """
    return Fraction((value.numerator << bits) // value.denominator, 1 << bits)


def rounded_up(value: Fraction, bits: int) -> Fraction:
    """Give the least multiple of ``2**-bits`` that is no smaller.

    Parameters
    ----------
    value
        Any number.
    bits
        Binary digits after the point.

    Examples
    --------
    >>> rounded_up(Fraction(1, 3), 4)
    Fraction(3, 8)
    """
    return -rounded_down(-value, bits)


def leading_bits(value: Fraction, bits: int) -> Fraction:
    """Round down and keep so many binary digits, or one more.

    Parameters
    ----------
    value
        Any number.
    bits
        How many binary digits at least.

    Examples
    --------
    >>> leading_bits(Fraction(1, 1000), 3)
    Fraction(1, 1024)
    """
    unit = Fraction(2) ** (magnitude(value) - bits)
    return value // unit * unit
