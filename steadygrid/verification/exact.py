"""Exact sums and comparisons of long fractions, without reducing them at every step.

`fractions.Fraction` takes a greatest common divisor in each operation, which is what costs
where numbers have a thousand digits. The referee adds and compares unreduced ratios instead,
with the values of one answer scaled by their common denominator first.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from fractions import Fraction
from math import gcd, lcm

from steadygrid.domain.rounding import magnitude

Ratio = tuple[int, int]
"""A numerator and a positive denominator, not necessarily in lowest terms."""

_READABLE = 10**24


def common_denominator(values: Collection[Fraction]) -> int:
    """Give a common denominator of most of the values, short enough to scale them all by.

    Where the denominators have little in common, their least common multiple would be longer
    than the whole description: growth stops there, and `scaled_ratio` keeps what is left of the others.

    Notes
    -----
    The values of one linear program mostly share the determinant of its basis. The bound
    on growth is eight times the mean length of the denominators plus 4,096 bits.
    """
    denominators = {value.denominator for value in values}
    if not denominators:
        return 1
    most_bits = 4096 + 8 * (sum(d.bit_length() for d in denominators) // len(denominators))
    common = 1
    for denominator in sorted(denominators, reverse=True):
        if common % denominator and denominator.bit_length() <= most_bits:
            grown = lcm(common, denominator)
            if grown.bit_length() > most_bits:
                break
            common = grown
    return common


def scaled_ratio(value: Fraction, common: int) -> Ratio:
    """Give ``value * common``. A plain integer where `common` allows.

    Parameters
    ----------
    value
        Any number.
    common
        An integer above 0, such as `common_denominator` gives.
    """
    numerator, denominator = value.as_integer_ratio()
    quotient, rest = divmod(common, denominator)
    if rest == 0:
        return numerator * quotient, 1
    shared = gcd(common, denominator)
    return numerator * (common // shared), denominator // shared


def times(factor: Fraction, ratio: Ratio) -> Ratio:
    """Multiply, unreduced.

    Parameters
    ----------
    factor
        Any number.
    ratio
        Numerator and denominator.
    """
    numerator, denominator = factor.as_integer_ratio()
    return numerator * ratio[0], denominator * ratio[1]


def add(ratios: Iterable[Ratio]) -> Ratio:
    """Sum up over the least common denominator.

    Equal denominators are summed first, the sums then merged two by two, so that the sum of n
    unrelated fractions costs about as much as writing it down, times log n.
    """
    by_denominator: Counter[int] = Counter()
    for numerator, denominator in ratios:
        by_denominator[denominator] += numerator
    sums = [(numerator, denominator) for denominator, numerator in by_denominator.items()]
    while len(sums) > 1:
        merged = [_merge(*pair) for pair in zip(sums[::2], sums[1::2], strict=False)]
        sums = merged + sums[2 * len(merged) :]
    return sums[0] if sums else (0, 1)


def _merge(one: Ratio, other: Ratio) -> Ratio:
    shared = gcd(one[1], other[1])
    left, right = other[1] // shared, one[1] // shared
    return one[0] * left + other[0] * right, one[1] * left


def equals(ratio: Ratio, value: Ratio) -> bool:
    """Compare two unreduced ratios.

    Parameters
    ----------
    ratio, value
        Numerators and denominators, which are above 0.
    """
    return ratio[0] * value[1] == value[0] * ratio[1]


def less_or_equal(ratio: Ratio, most: Ratio) -> bool:
    """Tell whether ``ratio <= most``.

    Parameters
    ----------
    ratio, most
        Numerators and denominators, which are above 0.
    """
    return ratio[0] * most[1] <= most[0] * ratio[1]


def show(value: Fraction | Ratio) -> str:
    """Write a value for a sentence: exactly if it is short, by its leading digits if not."""
    reduced = value if isinstance(value, Fraction) else Fraction(*value)
    numerator, denominator = reduced.as_integer_ratio()
    if abs(numerator) < _READABLE and denominator < _READABLE:
        return str(reduced)
    try:
        return f"about {float(reduced):.12g}"
    except OverflowError:
        return f"about 2^{magnitude(reduced)}"
