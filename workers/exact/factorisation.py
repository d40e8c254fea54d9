"""Sparse exact elimination of a rational matrix."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from flint import fmpq

ZERO = fmpq(0)


class Pivot(NamedTuple):
    """One step of elimination.

    Attributes
    ----------
    row, column
        Where the pivot stands.
    value
        The pivot.
    multipliers
        (row, factor): what was subtracted, times this row, from each later row.
    rest
        (column, value): the row right of the pivot.
    """

    row: int
    column: int
    value: fmpq
    multipliers: list[tuple[int, fmpq]]
    rest: list[tuple[int, fmpq]]


class Factorisation:
    r"""Triangular factors of a rational matrix, sparse, by Markowitz's rule.

    Parameters
    ----------
    rows
        The matrix: value by column, for each row. Consumed.
    num_columns
        Number of columns.
    check
        Called every now and then; may raise to interrupt.

    Attributes
    ----------
    idle_rows, idle_columns
        What has no pivot; both empty exactly where the matrix is square and regular.

    Notes
    -----
    Each step takes a pivot of least :math:`(r - 1)(c - 1)`, r and c the entries left in its row
    and column, among the few shortest rows and columns (Markowitz 1957; the search of Suhl and
    Suhl 1990), so that singletons go first and nothing fills in while there are any. All
    nonzero pivots are equally good, since the arithmetic is exact.
    """

    def __init__(
        self,
        rows: list[dict[int, fmpq]],
        num_columns: int,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._rows = rows
        self._columns: list[set[int]] = [set() for _ in range(num_columns)]
        for row, entries in enumerate(rows):
            for column in entries:
                self._columns[column].add(row)
        self.idle_rows = set(range(len(rows)))
        self.idle_columns = set(range(num_columns))
        longest = max(len(rows), num_columns) + 1
        self._short_rows: list[set[int]] = [set() for _ in range(longest)]
        self._short_columns: list[set[int]] = [set() for _ in range(longest)]
        for row, entries in enumerate(rows):
            self._short_rows[len(entries)].add(row)
        for column, members in enumerate(self._columns):
            self._short_columns[len(members)].add(column)
        self.pivots: list[Pivot] = []
        while (place := self._choose()) is not None:
            if len(self.pivots) % 128 == 0:
                check()
            self._eliminate(*place)

    def _choose(self) -> tuple[int, int] | None:
        best: tuple[int, int] | None = None
        least = -1
        tried = 0
        for length in range(1, len(self._short_rows)):
            for column in self._short_columns[length]:
                for row in self._columns[column]:
                    cost = (len(self._rows[row]) - 1) * (length - 1)
                    if best is None or cost < least:
                        best, least = (row, column), cost
                tried += 1
                if tried > 8 or least <= (length - 1) ** 2:
                    return best
            for row in self._short_rows[length]:
                for column in self._rows[row]:
                    cost = (length - 1) * (len(self._columns[column]) - 1)
                    if best is None or cost < least:
                        best, least = (row, column), cost
                tried += 1
                if tried > 8 or least <= length * (length - 1):
                    return best
        return best

    def _eliminate(self, row: int, column: int) -> None:
        rows, columns = self._rows, self._columns
        short_rows, short_columns = self._short_rows, self._short_columns
        entries = rows[row]
        short_rows[len(entries)].discard(row)
        pivot = entries.pop(column)
        for other in entries:
            members = columns[other]
            short_columns[len(members)].discard(other)
            members.discard(row)
            short_columns[len(members)].add(other)
        below = columns[column]
        short_columns[len(below)].discard(column)
        below.discard(row)
        multipliers = []
        for target in below:
            changed = rows[target]
            short_rows[len(changed)].discard(target)
            factor = changed.pop(column) / pivot
            multipliers.append((target, factor))
            for other, value in entries.items():
                old = changed.get(other)
                if old is None:
                    changed[other] = -factor * value
                    members = columns[other]
                    short_columns[len(members)].discard(other)
                    members.add(target)
                    short_columns[len(members)].add(other)
                    continue
                new = old - factor * value
                if new:
                    changed[other] = new
                    continue
                del changed[other]
                members = columns[other]
                short_columns[len(members)].discard(other)
                members.discard(target)
                short_columns[len(members)].add(other)
            short_rows[len(changed)].add(target)
        columns[column] = set()
        self.idle_rows.discard(row)
        self.idle_columns.discard(column)
        self.pivots.append(Pivot(row, column, pivot, multipliers, list(entries.items())))

    def solve(self, right: Sequence[fmpq]) -> list[fmpq]:
        """Solve K x = b for a regular matrix."""
        remaining = list(right)
        solution = [ZERO] * len(remaining)
        for pivot in self.pivots:
            value = remaining[pivot.row]
            if value:
                for target, factor in pivot.multipliers:
                    remaining[target] -= factor * value
        for pivot in reversed(self.pivots):
            value = remaining[pivot.row]
            for column, entry in pivot.rest:
                known = solution[column]
                if known:
                    value -= entry * known
            if value:
                solution[pivot.column] = value / pivot.value
        return solution

    def solve_transposed(self, right: Sequence[fmpq]) -> list[fmpq]:
        """Solve y K = c for a regular matrix."""
        remaining = list(right)
        solution = [ZERO] * len(remaining)
        for pivot in self.pivots:
            value = remaining[pivot.column]
            if value:
                value /= pivot.value
                remaining[pivot.column] = value
                for column, entry in pivot.rest:
                    remaining[column] -= entry * value
        for pivot in reversed(self.pivots):
            value = remaining[pivot.column]
            for target, factor in pivot.multipliers:
                known = solution[target]
                if known:
                    value -= factor * known
            solution[pivot.row] = value
        return solution
