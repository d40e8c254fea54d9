"""The simplex method in exact arithmetic, from any basis."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from flint import fmpq

from workers.exact.basis import BasicSystem, Basis
from workers.exact.factorisation import ZERO
from workers.exact.vectors import to_flint
from workers.solving.highs import Place
from workers.solving.program import Bound, LinearProgram


class Verdict(NamedTuple):
    """How the pivots ended.

    Attributes
    ----------
    status
        ``optimal``, ``infeasible`` or ``unbounded``.
    pivots
        How many were made.
    """

    status: str
    pivots: int


class Pivoting:
    r"""Primal simplex on bounded variables, exact.

    Columns and the activities of rows are variables alike, columns first. While basic variables
    are outside their bounds, the objective is the sum of what they lack (phase 1); a variable
    outside does not stop a step before it reaches the bound that it breaks. After a step of
    length 0, and until one of positive length, Bland's rule chooses what enters and leaves
    (least index); otherwise the largest reduced cost enters. So no basis comes twice.

    Parameters
    ----------
    program
        What is solved.
    basis
        Where to start; changed in place.
    check
        Called at each pivot; may raise to interrupt.
    """

    def __init__(
        self, program: LinearProgram, basis: Basis, check: Callable[[], None] = lambda: None
    ) -> None:
        self._program = program
        self._basis = basis
        self._check = check
        self._by_column: list[list[tuple[int, int]]] = [[] for _ in range(program.num_columns)]
        for row in range(program.num_rows):
            for place in range(program.starts[row], program.starts[row + 1]):
                self._by_column[program.indices[place]].append((row, program.values[place]))

    def run(self) -> Verdict:
        """Pivot until the basis is optimal, or proves infeasible or unbounded.

        Raises
        ------
        Exception
            What `check` raises.
        """
        pivots = 0
        bland = False
        while True:
            self._check()
            system = BasicSystem(self._program, self._basis, self._check)
            columns = list(system.primal())
            values = [*columns, *self._activities(columns)]
            slopes = self._lacks(values)
            infeasible = any(slopes.values())
            entering = self._entering(system, slopes if infeasible else None, bland)
            if entering is None:
                return Verdict("infeasible" if infeasible else "optimal", pivots)
            variable, direction = entering
            length = self._step(system, values, slopes, variable, direction)
            if length is None:
                return Verdict("unbounded", pivots)
            bland = length == 0
            pivots += 1

    def _activities(self, columns: list[fmpq]) -> list[fmpq]:
        sums = [ZERO] * self._program.num_rows
        for column, value in enumerate(columns):
            if value:
                for row, coefficient in self._by_column[column]:
                    sums[row] += value * coefficient
        return sums

    def _place(self, variable: int) -> Place:
        count = self._program.num_columns
        if variable < count:
            return self._basis.columns[variable]
        return self._basis.rows[variable - count]

    def _put(self, variable: int, place: Place) -> None:
        count = self._program.num_columns
        if variable < count:
            self._basis.columns[variable] = place
        else:
            self._basis.rows[variable - count] = place

    def _bounds(self, variable: int) -> tuple[Bound, Bound]:
        program = self._program
        count = program.num_columns
        if variable < count:
            return program.column_lower[variable], program.column_upper[variable]
        return program.row_lower[variable - count], program.row_upper[variable - count]

    def _basic(self) -> Iterator[int]:
        for variable in range(self._program.num_columns + self._program.num_rows):
            if self._place(variable) == Place.BASIC:
                yield variable

    def _lacks(self, values: list[fmpq]) -> dict[int, int]:
        """Give, by basic variable, the way to its bounds: 1 up, -1 down, 0 inside."""
        lacks = {}
        for variable in self._basic():
            lower, upper = self._bounds(variable)
            value = values[variable]
            lacks[variable] = (
                1
                if lower is not None and value < to_flint(lower)
                else -1
                if upper is not None and value > to_flint(upper)
                else 0
            )
        return lacks

    def _entering(
        self, system: BasicSystem, slopes: dict[int, int] | None, bland: bool
    ) -> tuple[int, int] | None:
        """Choose the nonbasic variable that enters, and whether it rises (1) or falls (-1)."""
        program = self._program
        count = program.num_columns
        if slopes is None:
            costs = list(program.costs)
        else:
            costs = [slopes.get(column, 0) for column in range(count)]
            for column, entries in enumerate(self._by_column):
                for row, coefficient in entries:
                    slope = slopes.get(count + row, 0)
                    if slope:
                        costs[column] += slope * coefficient
        prices = system.prices(costs)
        best: tuple[int, int] | None = None
        most = ZERO
        for variable in range(count + program.num_rows):
            place = self._place(variable)
            if place == Place.BASIC:
                continue
            lower, upper = self._bounds(variable)
            if lower is not None and lower == upper:
                continue
            if variable < count:
                gain = fmpq(costs[variable])
                for row, coefficient in self._by_column[variable]:
                    gain -= prices[row] * coefficient
            else:
                gain = prices[variable - count]
            if (gain > 0 and place != Place.UPPER) or (gain < 0 and place != Place.LOWER):
                if bland:
                    return variable, 1 if gain > 0 else -1
                if abs(gain) > most:
                    best, most = (variable, 1 if gain > 0 else -1), abs(gain)
        return best

    def _step(
        self,
        system: BasicSystem,
        values: list[fmpq],
        slopes: dict[int, int],
        entering: int,
        direction: int,
    ) -> fmpq | None:
        """Move along the entering variable to the first bound; give the length of the step."""
        rates = self._rates(system, entering, direction)
        lower, upper = self._bounds(entering)
        length: fmpq | None = None
        leaving, rest = entering, Place.UPPER if direction > 0 else Place.LOWER
        if lower is not None and upper is not None:
            length = to_flint(upper - lower)
        for variable in self._basic():
            rate = rates[variable]
            if not rate:
                continue
            stop = self._stop(variable, rate, slopes[variable])
            if stop is None:
                continue
            bound, place = stop
            distance = (bound - values[variable]) / rate
            if length is None or distance < length or (distance == length and variable < leaving):
                length, leaving, rest = distance, variable, place
        if length is None:
            return None
        if leaving != entering:
            self._put(entering, Place.BASIC)
        self._put(leaving, rest)
        return length

    def _stop(self, variable: int, rate: fmpq, slope: int) -> tuple[fmpq, Place] | None:
        """Give the bound that stops a basic variable on its way, if any does."""
        lower, upper = self._bounds(variable)
        if rate > 0:
            if slope < 0:
                return None
            bound, place = (lower, Place.LOWER) if slope > 0 else (upper, Place.UPPER)
        else:
            if slope > 0:
                return None
            bound, place = (upper, Place.UPPER) if slope < 0 else (lower, Place.LOWER)
        return None if bound is None else (to_flint(bound), place)

    def _rates(self, system: BasicSystem, entering: int, direction: int) -> list[fmpq]:
        """Give the change of every variable per unit of the entering one's."""
        count = self._program.num_columns
        columns = [ZERO] * count
        right = [ZERO] * len(system.tight)
        position = {row: place for place, row in enumerate(system.tight)}
        if entering < count:
            columns[entering] = fmpq(direction)
            for row, coefficient in self._by_column[entering]:
                if row in position:
                    right[position[row]] = fmpq(-direction * coefficient)
        else:
            right[position[entering - count]] = fmpq(direction)
        for column, rate in zip(system.basic, system.factors.solve(right), strict=True):
            columns[column] = rate
        return [*columns, *self._activities(columns)]
