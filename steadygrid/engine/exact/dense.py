"""The part of a matrix that elimination would only fill in."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, cast

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, nmod_mat

from steadygrid.engine.exact.vectors import Number

PRIME = (1 << 62) - 57
"""The largest prime below 2^62."""


class Scaled(NamedTuple):
    """Rationals ``numerators[k] / denominator``."""

    numerators: Sequence[Number]
    denominator: fmpz


class DenseCore:
    r"""A regular rational matrix, kept as integers: row i of the core times :math:`\mu_i`.

    Systems are solved by p-adic lifting (Dixon, Numer. Math. 40, 1982; flint's `fmpz_mat.solve`):
    the inverse modulo one prime, then one matrix-vector product per 62 bits of the answer, so
    that only the answer is long, never what is computed in between.
    """

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        entries: Sequence[Mapping[int, fmpq]],
    ) -> None:
        self.rows = list(rows)
        self.columns = list(columns)
        place = {column: k for k, column in enumerate(columns)}
        self._multiples: list[fmpq] = []
        matrix = []
        for values in entries:
            multiple = _clearing(values.values())
            line = [fmpz(0)] * len(place)
            for column, value in values.items():
                line[place[column]] = (value * multiple).p
            matrix.append(line)
            self._multiples.append(multiple)
        self._matrix = fmpz_mat(matrix)
        self._transposed = self._matrix.transpose()

    @property
    def regular(self) -> bool:
        """Whether the matrix is regular modulo a large prime, which proves that it is."""
        size = len(self.rows)
        modulo = nmod_mat(
            size, size, [int(entry % PRIME) for entry in self._matrix.entries()], PRIME
        )
        return bool(modulo.rank() == size)

    def solve(self, right: Sequence[fmpq]) -> Scaled:
        """Solve M x = b."""
        return _solve(
            self._matrix,
            [value * multiple for value, multiple in zip(right, self._multiples, strict=True)],
        )

    def solve_transposed(self, right: Sequence[fmpq]) -> Scaled:
        """Solve y M = c. The numerators may be rational."""
        numerators, denominator = _solve(self._transposed, right)
        return Scaled(
            [number * m for number, m in zip(numerators, self._multiples, strict=True)],
            denominator,
        )


def _clearing(values: Iterable[fmpq]) -> fmpq:
    """Give what makes rationals coprime integers; 1 if there are none."""
    multiple, divisor = fmpz(1), fmpz(0)
    for value in values:
        multiple = multiple.lcm(value.q)
        divisor = divisor.gcd(value.p)
    return fmpq(multiple, divisor or 1)


def _solve(matrix: fmpz_mat, right: Sequence[fmpq]) -> Scaled:
    multiple = fmpz(1)
    for value in right:
        multiple = multiple.lcm(value.q)
    column = fmpz_mat([[value.p * (multiple // value.q)] for value in right])
    # flint's stubs promise less than the rational matrix that comes back.
    solution = cast(fmpq_mat, matrix.solve(column))
    numerators, denominator = solution.numer_denom()
    return Scaled(numerators.entries(), denominator * multiple)
