"""Rational vectors that share a denominator."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpz

Number = fmpz | fmpq

MOST_BITS = 1 << 31
"""Longest vector, in bits, that is brought to its least common denominator."""


@dataclass(frozen=True, eq=False)
class Vector:
    """Rationals ``numerators[k] / denominator``, the denominator positive.

    The basic solutions of a program share a denominator of thousands of digits; kept apart, no
    operation has to find greatest common divisors of such numbers. The numerators are integers,
    or, where a common denominator would be far longer than its parts, rationals themselves.
    """

    numerators: Sequence[Number]
    denominator: fmpz

    def __getitem__(self, place: int) -> fmpq:
        return fmpq(self.numerators[place]) / self.denominator

    def __iter__(self) -> Iterator[fmpq]:
        return (fmpq(number) / self.denominator for number in self.numerators)

    def __len__(self) -> int:
        return len(self.numerators)


def on_common_denominator(numerators: Sequence[fmpq], denominator: fmpz) -> Vector:
    """Clear the denominators of the numerators, unless that makes them too long to hold.

    Parameters
    ----------
    numerators
        Rationals.
    denominator
        Of all of them, besides their own.
    """
    multiple = fmpz(1)
    for number in numerators:
        part = number.q
        if part != 1 and multiple % part:
            multiple = multiple.lcm(part)
            if multiple.bit_length() * len(numerators) > MOST_BITS:
                return Vector(numerators, denominator)
    return Vector(
        [number.p * (multiple // number.q) for number in numerators], denominator * multiple
    )


def to_fraction(value: fmpq) -> Fraction:
    """Turn flint's rational, which is in lowest terms, into Python's."""
    # The public constructor would look for a common divisor again, at ten times flint's cost.
    fraction = object.__new__(Fraction)
    fraction._numerator = int(value.p)  # type: ignore[attr-defined]
    fraction._denominator = int(value.q)  # type: ignore[attr-defined]
    return fraction


def to_flint(value: Fraction | int) -> fmpq:
    """Turn Python's rational into flint's."""
    return fmpq(value.numerator, value.denominator)
