"""Rational vectors over one denominator."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpz


@dataclass(frozen=True, eq=False)
class Vector:
    """Rationals ``numerators[k] / denominator``, the denominator positive.

    One denominator for all saves a greatest common divisor of a thousand digits per operation.
    """

    numerators: Sequence[fmpz]
    denominator: fmpz

    def __getitem__(self, place: int) -> fmpq:
        return fmpq(self.numerators[place], self.denominator)

    def __len__(self) -> int:
        return len(self.numerators)


def common(values: Iterable[fmpq]) -> Vector:
    """Bring rationals to their least common denominator."""
    values = list(values)
    denominator = fmpz(1)
    denominators = {}
    for value in values:
        q = value.q
        denominators[int(q) if q.bit_length() < 64 else q] = q
    for q in denominators.values():
        if denominator % q:
            denominator = denominator.lcm(q)
    return Vector([value.p * (denominator // value.q) for value in values], denominator)


def to_fraction(value: fmpq) -> Fraction:
    """Turn flint's rational into Python's."""
    return Fraction(int(value.p), int(value.q))


def to_flint(value: Fraction | int) -> fmpq:
    """Turn Python's rational into flint's."""
    return fmpq(value.numerator, value.denominator)
