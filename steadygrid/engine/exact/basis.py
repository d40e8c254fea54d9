"""A basis of a linear program, and its exact basic solution."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flint import fmpq, fmpz

from steadygrid.engine.exact.factorisation import ZERO, Factorisation
from steadygrid.engine.exact.vectors import Number, Vector, to_flint
from steadygrid.engine.solving.highs import Place
from steadygrid.engine.solving.program import Bound, LinearProgram


@dataclass(eq=False)
class Basis:
    """The place of each column and of each row's activity: basic, or at a bound, or free at 0.

    The activity of a row is treated as a variable: there are as many basic variables as rows.
    """

    columns: list[Place]
    rows: list[Place]

    @classmethod
    def of_slacks(cls, program: LinearProgram) -> "Basis":
        """Give the basis of all activities; columns rest at a bound."""
        return cls(
            [
                resting_place(low, high)
                for low, high in zip(program.column_lower, program.column_upper, strict=True)
            ],
            [Place.BASIC] * program.num_rows,
        )


def resting_place(lower: Bound, upper: Bound) -> Place:
    """Give the bound at which a nonbasic variable rests.

    Parameters
    ----------
    lower, upper
        Bounds of the variable. None if there is none.
    """
    if lower is not None:
        return Place.LOWER
    return Place.FREE if upper is None else Place.UPPER


class BasicSystem:
    r"""The equations of a basis, factorised.

    A nonbasic row is tight. With K the coefficients of the basic columns in the tight rows,

    .. math:: K x_B = b - N x_N, \qquad y K = c_B,

    and all other prices are 0. A basis that is not one (K singular, or not square) is mended
    first: columns without pivot leave for a bound, rows without pivot become basic.

    Attributes
    ----------
    tight
        The nonbasic rows: row k of K is row ``tight[k]`` of the program.
    basic
        The basic columns, likewise.
    """

    def __init__(
        self, program: LinearProgram, basis: Basis, check: Callable[[], None] = lambda: None
    ) -> None:
        self._program = program
        self._basis = basis
        settle(program, basis)
        factors = self._factorise(check)
        if factors.idle_rows or factors.idle_columns:
            for place in factors.idle_rows:
                basis.rows[self.tight[place]] = Place.BASIC
            for place in factors.idle_columns:
                column = self.basic[place]
                basis.columns[column] = resting_place(
                    program.column_lower[column], program.column_upper[column]
                )
            factors = self._factorise(check)
        self.factors = factors

    def _factorise(self, check: Callable[[], None]) -> Factorisation:
        program, basis = self._program, self._basis
        self.tight = [row for row, place in enumerate(basis.rows) if place != Place.BASIC]
        self.basic = [col for col, place in enumerate(basis.columns) if place == Place.BASIC]
        position = {column: k for k, column in enumerate(self.basic)}
        starts, indices, values = program.starts, program.indices, program.values
        return Factorisation(
            [
                {
                    position[indices[entry]]: fmpq(values[entry])
                    for entry in range(starts[row], starts[row + 1])
                    if indices[entry] in position
                }
                for row in self.tight
            ],
            len(self.basic),
            check,
        )

    def primal(self) -> Vector:
        """Give the basic solution, by column."""
        program, basis = self._program, self._basis
        resting: dict[int, fmpq] = {}
        for column, place in enumerate(basis.columns):
            bound = bound_at(place, program.column_lower[column], program.column_upper[column])
            if bound:
                resting[column] = to_flint(bound)
        right = []
        starts, indices, values = program.starts, program.indices, program.values
        for row in self.tight:
            bound = bound_at(basis.rows[row], program.row_lower[row], program.row_upper[row])
            value = to_flint(bound) if bound else ZERO
            if resting:
                for entry in range(starts[row], starts[row + 1]):
                    fixed = resting.get(indices[entry])
                    if fixed is not None:
                        value -= fixed * values[entry]
            right.append(value)
        solved = self.factors.solve(right)
        solution: list[Number] = [fmpz(0)] * program.num_columns
        for column, number in zip(self.basic, solved.numerators, strict=True):
            solution[column] = number
        for column, fixed in resting.items():
            solution[column] = fixed * solved.denominator
        return Vector(solution, solved.denominator)

    def prices(self, costs: Sequence[int]) -> Vector:
        """Give the prices of the rows for some costs of the columns."""
        solved = self.factors.solve_transposed([fmpq(costs[column]) for column in self.basic])
        prices: list[Number] = [fmpz(0)] * self._program.num_rows
        for row, number in zip(self.tight, solved.numerators, strict=True):
            prices[row] = number
        return Vector(prices, solved.denominator)


def bound_at(place: Place, lower: Bound, upper: Bound) -> Bound:
    """Give the value of a nonbasic variable. None for a basic or free one.

    Parameters
    ----------
    place
        Where the variable is.
    lower, upper
        Bounds of the variable. None if there is none.
    """
    if place == Place.LOWER:
        return lower
    return upper if place == Place.UPPER else None


def settle(program: LinearProgram, basis: Basis) -> None:
    """Move what rests at a bound that does not exist to one that does.

    A row without any bound is basic: its price is 0.

    Parameters
    ----------
    program
        Bounds of columns and rows.
    basis
        Changed in place.
    """
    for column, place in enumerate(basis.columns):
        if place != Place.BASIC:
            lower, upper = program.column_lower[column], program.column_upper[column]
            if bound_at(place, lower, upper) is None:
                basis.columns[column] = resting_place(lower, upper)
    for row, place in enumerate(basis.rows):
        if place != Place.BASIC:
            lower, upper = program.row_lower[row], program.row_upper[row]
            if bound_at(place, lower, upper) is None:
                rest = resting_place(lower, upper)
                basis.rows[row] = Place.BASIC if rest == Place.FREE else rest
