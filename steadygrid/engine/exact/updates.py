r"""A basis matrix whose columns are exchanged one by one, without factorising it anew each time."""

import heapq
from collections.abc import Callable, Sequence
from typing import NamedTuple

from flint import fmpq, fmpq_mat

from steadygrid.engine.exact.factorisation import Factorisation
from steadygrid.engine.exact.variables import ZERO, Entries, Sparse


class SparseFactors:
    """The triangular factors of a regular matrix, kept by rows and by columns.

    Parameters
    ----------
    factors
        Without idle rows or columns, and without a dense core.

    Notes
    -----
    A solve takes the pivots in their order from a heap of those that are reached, so that its
    time goes with the entries it meets, not with the order of the matrix.
    """

    def __init__(self, factors: Factorisation) -> None:
        pivots = factors.pivots
        self._rows = [pivot.row for pivot in pivots]
        self._columns = [pivot.column for pivot in pivots]
        self._values = [pivot.value for pivot in pivots]
        self._step_of_row = _inverse(self._rows)
        self._step_of_column = _inverse(self._columns)
        # What each step changes further on, by steps.
        self._lower: list[Entries] = [
            [(self._step_of_row[row], factor) for row, factor in pivot.multipliers]
            for pivot in pivots
        ]
        self._upper: list[Entries] = [
            [(self._step_of_column[column], value) for column, value in pivot.rest]
            for pivot in pivots
        ]
        self._lower_transposed = _transposed(self._lower)
        self._upper_transposed = _transposed(self._upper)

    def solve(self, right: Sparse) -> Sparse:
        """Solve B x = b: by row in, by column out."""
        values = {self._step_of_row[row]: value for row, value in right.items()}
        _sweep(values, self._lower, 1)
        _sweep(values, self._upper_transposed, -1, self._values)
        return {self._columns[step]: value for step, value in values.items() if value}

    def solve_transposed(self, right: Sparse) -> Sparse:
        """Solve y B = c: by column in, by row out."""
        values = {self._step_of_column[column]: value for column, value in right.items()}
        _sweep(values, self._upper, 1, self._values)
        _sweep(values, self._lower_transposed, -1)
        return {self._rows[step]: value for step, value in values.items() if value}


def _sweep(
    values: Sparse, effects: Sequence[Entries], direction: int, pivots: Sequence[fmpq] | None = None
) -> None:
    """Substitute in place, by steps: in their order, or (`direction` is -1) from the last back."""
    waiting = [direction * step for step in values]
    heapq.heapify(waiting)
    while waiting:
        step = direction * heapq.heappop(waiting)
        value = values[step]
        if not value:
            continue
        if pivots is not None:
            value = values[step] = value / pivots[step]
        for other, factor in effects[step]:
            known = values.get(other)
            if known is None:
                values[other] = -factor * value
                heapq.heappush(waiting, direction * other)
            else:
                values[other] = known - factor * value


def _inverse(order: Sequence[int]) -> list[int]:
    inverse = [0] * len(order)
    for step, place in enumerate(order):
        inverse[place] = step
    return inverse


def _transposed(entries: Sequence[Entries]) -> list[Entries]:
    transposed: list[Entries] = [[] for _ in entries]
    for step, effects in enumerate(entries):
        for other, value in effects:
            transposed[other].append((step, value))
    return transposed


class Singular(ArithmeticError):
    """The matrix has no inverse."""


class Solved(NamedTuple):
    """What a basis makes of a column.

    Attributes
    ----------
    whole
        With the current columns.
    first
        With the columns that were factorised: what `replace` wants to know.
    """

    whole: Sparse
    first: Sparse


class _Exchange(NamedTuple):
    column: Entries
    first: Sparse


class UpdatedFactors:
    r"""A square matrix B with the factors of an older one, :math:`B_0`.

    Columns V stand at positions R of B, where :math:`B_0` had others. With the Schur complement
    :math:`S = (B_0^{-1} V)_R`

    .. math::
        B x = b: \quad S x_R = (B_0^{-1} b)_R, \quad x_N = (B_0^{-1} (b - V x_R))_N

    and y B = c likewise: two solves with sparse factors and a small dense one, whose order is the
    number of exchanges. (Etas of a product form would be the columns :math:`B_0^{-1} V`, with
    thousands of entries each where the factors have tens.)

    Parameters
    ----------
    columns
        (row, coefficient) by position.
    num_rows
        Number of rows.
    check
        Called every now and then; may raise to interrupt.

    Raises
    ------
    Singular
        If the matrix is, or is not square.

    Source: Bisschop, Meeraus: *Matrix augmentation and partitioning in the updating of the basis
    inverse*, Mathematical Programming 13, 1977.
    """

    def __init__(
        self,
        columns: Sequence[Entries],
        num_rows: int,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        rows: list[Sparse] = [{} for _ in range(num_rows)]
        for position, entries in enumerate(columns):
            for row, coefficient in entries:
                rows[row][position] = coefficient
        factors = Factorisation(rows, len(columns), check, may_be_dense=False)
        if factors.idle_rows or factors.idle_columns:
            raise Singular
        self._factors = SparseFactors(factors)
        self._exchanges: dict[int, _Exchange] = {}

    @property
    def num_exchanges(self) -> int:
        """The order of the Schur complement."""
        return len(self._exchanges)

    def replace(self, position: int, column: Entries, first: Sparse) -> None:
        """Put a column, of which `solve` told the first half, at a position.

        The matrix must stay regular.

        Parameters
        ----------
        position
            The column of B that goes.
        column
            (row, coefficient) of the one that comes.
        first
            `Solved.first` of that column.
        """
        self._exchanges[position] = _Exchange(column, first)

    def solve(self, right: Sparse) -> Solved:
        """Solve B x = b: by row in, by position out."""
        first = self._factors.solve(right)
        positions = list(self._exchanges)
        exchanged = self._solve_schur([first.get(place, ZERO) for place in positions])
        if exchanged is None:
            return Solved(first, first)
        right = dict(right)
        for place, value in zip(positions, exchanged, strict=True):
            if value:
                for row, coefficient in self._exchanges[place].column:
                    right[row] = right.get(row, ZERO) - value * coefficient
        whole = self._factors.solve(right)
        for place, value in zip(positions, exchanged, strict=True):
            whole.pop(place, None)
            if value:
                whole[place] = value
        return Solved(whole, first)

    def solve_transposed(self, right: Sparse) -> Sparse:
        """Solve y B = c: by position in, by row out."""
        kept = {place: value for place, value in right.items() if place not in self._exchanges}
        # Prices that leave V aside would be c_N B_0^{-1}: at V they give c_N (B_0^{-1} V).
        lacks = [
            right.get(place, ZERO) - _product(kept, exchange.first)
            for place, exchange in self._exchanges.items()
        ]
        exchanged = self._solve_schur(lacks, transposed=True)
        if exchanged is not None:
            kept |= zip(self._exchanges, exchanged, strict=True)
        return self._factors.solve_transposed(kept)

    def _solve_schur(self, right: list[fmpq], *, transposed: bool = False) -> list[fmpq] | None:
        """Solve with S, or its transpose. None where there is nothing to solve."""
        if not any(right):
            return None
        exchanges = self._exchanges
        lines = [[exchanges[j].first.get(i, ZERO) for j in exchanges] for i in exchanges]
        schur = fmpq_mat(lines)
        if transposed:
            schur = schur.transpose()
        solution: list[fmpq] = schur.solve(fmpq_mat([[value] for value in right])).entries()
        return solution


def _product(few: Sparse, many: Sparse) -> fmpq:
    total = ZERO
    for place, value in few.items():
        other = many.get(place)
        if other is not None:
            total += value * other
    return total
