"""Sparse exact elimination of a rational matrix."""

from collections import deque
from collections.abc import Callable, Sequence, Sized
from typing import NamedTuple

from flint import fmpq, fmpz

from steadygrid.engine.exact.dense import DenseCore
from steadygrid.engine.exact.vectors import Vector, on_common_denominator

ZERO = fmpq(0)

DENSE = 0.12
"""Share of nonzero entries from which on what remains is solved as a dense matrix."""
SMALLEST_CORE = 24
"""Order below which elimination goes on to the end all the same."""
CANDIDATES = 4
"""Rows and columns looked at in the search for a pivot that fills in little."""
CHECK_EVERY = 128
"""Pivots between two questions whether to go on."""


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
    r"""Triangular factors of a rational matrix K, with a dense core where they would fill in.

    Parameters
    ----------
    rows
        The matrix: value by column, for each row. Consumed.
    num_columns
        Number of columns.
    check
        Called every now and then; may raise to interrupt.
    may_be_dense
        Whether what remains may become a dense core. Not where right-hand sides come one by one
        and with few entries, of which a core makes full vectors.

    Attributes
    ----------
    pivots
        The steps of the elimination, in their order.
    idle_rows, idle_columns
        What has no pivot. Both empty exactly where the matrix is square and regular.

    Notes
    -----
    Each step takes a pivot of least :math:`(r - 1)(c - 1)`, where r and c count the entries left in
    its row and column. It is among a few of the shortest rows and columns (Markowitz 1957; the
    search of Suhl and Suhl 1990). Singletons go first, so slack and triangular parts cost nothing.
    Any nonzero pivot will do, since the arithmetic is exact; among equals the one that waited
    longest is taken, so that numbers grow evenly over the matrix. What is left once it is `DENSE`
    becomes a `DenseCore`: entries grow by a term per pivot in between, and with density their
    number too. On bases of 2,000 to 3,000 rows of a flow network with port rows, cores are of order
    100 to 350, and the factors of the rest stay below 100 bits.
    """

    def __init__(
        self,
        rows: list[dict[int, fmpq]],
        num_columns: int,
        check: Callable[[], None] = lambda: None,
        *,
        may_be_dense: bool = True,
    ) -> None:
        self._rows = rows
        self._columns: list[set[int]] = [set() for _ in range(num_columns)]
        for row, entries in enumerate(rows):
            for column in entries:
                self._columns[column].add(row)
        self.idle_rows = set(range(len(rows)))
        self.idle_columns = set(range(num_columns))
        self._order = max(len(rows), num_columns)
        self._nonzeros = sum(map(len, rows))
        # Candidates by length, in the order of waiting. Entries go stale when the length
        # changes; they are skipped when met.
        self._short_rows: list[deque[int]] = [deque() for _ in range(self._order + 1)]
        self._short_columns: list[deque[int]] = [deque() for _ in range(self._order + 1)]
        for row, entries in enumerate(rows):
            self._short_rows[len(entries)].append(row)
        for column, members in enumerate(self._columns):
            self._short_columns[len(members)].append(column)
        self.pivots: list[Pivot] = []
        self._core: DenseCore | None = None
        self._run(check, may_be_dense)

    def _run(self, check: Callable[[], None], try_core: bool) -> None:
        while (place := self._choose()) is not None:
            self._eliminate(*place)
            if len(self.pivots) % CHECK_EVERY == 0:
                check()
            if try_core and self._is_dense():
                try_core = False
                core = self._dense_core()
                check()
                if core.regular:
                    self._core = core
                    self.idle_rows, self.idle_columns = set(), set()
                    return

    def _is_dense(self) -> bool:
        rows, columns = len(self.idle_rows), len(self.idle_columns)
        return rows == columns >= SMALLEST_CORE and self._nonzeros > DENSE * rows * columns

    def _dense_core(self) -> DenseCore:
        rows = sorted(self.idle_rows)
        return DenseCore(rows, sorted(self.idle_columns), [self._rows[row] for row in rows])

    def _choose(self) -> tuple[int, int] | None:
        best: tuple[int, int] | None = None
        least = tried = 0
        rows, columns = self._rows, self._columns
        for length in range(1, self._order + 1):
            most = CANDIDATES - tried if length > 1 else 1
            for column in _waiting(self._short_columns[length], columns, length, most):
                for row in columns[column]:
                    cost = (len(rows[row]) - 1) * (length - 1)
                    if best is None or cost < least:
                        best, least = (row, column), cost
                tried += 1
                if tried >= CANDIDATES or least <= (length - 1) ** 2:
                    return best
            most = CANDIDATES - tried if length > 1 else 1
            for row in _waiting(self._short_rows[length], rows, length, most):
                for column in rows[row]:
                    cost = (length - 1) * (len(columns[column]) - 1)
                    if best is None or cost < least:
                        best, least = (row, column), cost
                tried += 1
                if tried >= CANDIDATES or least <= length * (length - 1):
                    return best
        return best

    def _eliminate(self, row: int, column: int) -> None:
        rows, columns = self._rows, self._columns
        short_rows, short_columns = self._short_rows, self._short_columns
        entries = rows[row]
        rows[row] = {}
        self._nonzeros -= len(entries)
        pivot = entries.pop(column)
        below = columns[column]
        columns[column] = set()
        below.discard(row)
        for other in entries:
            columns[other].discard(row)
        multipliers = []
        rest = list(entries.items())
        for target in below:
            changed = rows[target]
            before = len(changed)
            factor = changed.pop(column) / pivot
            multipliers.append((target, factor))
            for other, value in rest:
                old = changed.get(other)
                if old is None:
                    changed[other] = -factor * value
                    columns[other].add(target)
                    continue
                new = old - factor * value
                if new:
                    changed[other] = new
                else:
                    del changed[other]
                    columns[other].discard(target)
            self._nonzeros += len(changed) - before
            short_rows[len(changed)].append(target)
        for other in entries:
            short_columns[len(columns[other])].append(other)
        self.idle_rows.discard(row)
        self.idle_columns.discard(column)
        self.pivots.append(Pivot(row, column, pivot, multipliers, rest))

    def solve(self, right: Sequence[fmpq]) -> Vector:
        """Solve K x = b for a regular matrix."""
        remaining = list(right)
        for row, _, _, multipliers, _ in self.pivots:
            value = remaining[row]
            if value:
                for target, factor in multipliers:
                    remaining[target] -= factor * value
        solution = [ZERO] * len(remaining)
        denominator = fmpz(1)
        if self._core is not None:
            core = self._core
            numerators, denominator = core.solve([remaining[row] for row in core.rows])
            for column, number in zip(core.columns, numerators, strict=True):
                solution[column] = fmpq(number)
        for row, column, pivot, _, rest in reversed(self.pivots):
            value = remaining[row]
            if value:
                value *= denominator
            for other, entry in rest:
                known = solution[other]
                if known:
                    value -= entry * known
            if value:
                solution[column] = value / pivot
        return on_common_denominator(solution, denominator)

    def solve_transposed(self, right: Sequence[fmpq]) -> Vector:
        """Solve y K = c for a regular matrix."""
        remaining = list(right)
        for _, column, pivot, _, rest in self.pivots:
            value = remaining[column]
            if value:
                value /= pivot
                remaining[column] = value
                for other, entry in rest:
                    remaining[other] -= entry * value
        solution = [ZERO] * len(remaining)
        denominator = fmpz(1)
        if self._core is not None:
            core = self._core
            numerators, denominator = core.solve_transposed(
                [remaining[column] for column in core.columns]
            )
            for row, number in zip(core.rows, numerators, strict=True):
                solution[row] = fmpq(number)
        for row, column, _, multipliers, _ in reversed(self.pivots):
            value = remaining[column]
            if value:
                value *= denominator
            for target, factor in multipliers:
                known = solution[target]
                if known:
                    value -= factor * known
            solution[row] = value
        return on_common_denominator(solution, denominator)


def _waiting(waiting: deque[int], entries: Sequence[Sized], length: int, most: int) -> list[int]:
    """Give the first that still have the length; forget the stale ones before them."""
    found: list[int] = []
    while waiting and len(found) < most:
        place = waiting.popleft()
        if len(entries[place]) == length:
            found.append(place)
    waiting.extendleft(reversed(found))
    return found
