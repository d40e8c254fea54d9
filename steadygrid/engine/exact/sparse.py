"""Solves that visit only what is not 0."""

import heapq
from collections.abc import Sequence

from flint import fmpq

from steadygrid.engine.exact.factorisation import Factorisation
from steadygrid.engine.exact.variables import Entries, Sparse


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
    values: Sparse, effects: Sequence[Entries], way: int, pivots: Sequence[fmpq] | None = None
) -> None:
    """Substitute in place, by steps: in their order, or (`way` is -1) from the last back."""
    waiting = [way * step for step in values]
    heapq.heapify(waiting)
    while waiting:
        step = way * heapq.heappop(waiting)
        value = values[step]
        if not value:
            continue
        if pivots is not None:
            value = values[step] = value / pivots[step]
        for other, factor in effects[step]:
            known = values.get(other)
            if known is None:
                values[other] = -factor * value
                heapq.heappush(waiting, way * other)
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
