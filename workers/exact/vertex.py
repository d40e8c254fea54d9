"""Where a basis stands, kept up to date from pivot to pivot."""

from collections.abc import Callable, Sequence

from flint import fmpq, fmpz

from workers.exact.basis import Basis
from workers.exact.updates import Solved, UpdatedFactors
from workers.exact.variables import ZERO, Sparse, Variables
from workers.exact.vectors import Vector
from workers.solving.highs import Place

MOST_EXCHANGES = 30
"""Pivots between two factorisations."""

ONE = fmpq(1)


class Vertex:
    r"""The basic solution and the slopes of a basis, in rationals.

    Of the equations :math:`A x - s = 0` the basis takes as many columns as there are rows, B,
    and leaves N. Exact updates never drift: values and slopes are computed once, then changed.

    Parameters
    ----------
    variables
        Of the program.
    basis
        Regular, and nothing rests at a bound that does not exist.
    check
        Called every now and then; may raise to interrupt.

    Attributes
    ----------
    places
        By variable.
    head
        The basic variable at each position.
    values
        Of the basic variables, by position.
    slopes
        What the objective gains per unit of each nonbasic variable, alone; 0 of basic ones.
    pivots
        Exchanges so far, and steps from bound to bound.
    """

    def __init__(
        self, variables: Variables, basis: Basis, check: Callable[[], None] = lambda: None
    ) -> None:
        self.variables = variables
        self._check = check
        self.places = [*basis.columns, *basis.rows]
        self.head = [j for j, place in enumerate(self.places) if place is Place.BASIC]
        self._rises = [self._can_rise(j) for j in range(len(self.places))]
        self._falls = [self._can_fall(j) for j in range(len(self.places))]
        self.pivots = 0
        self._factorise()
        self.values = self._computed_values()
        self.slopes: list[fmpq] = []
        self.price(variables.costs)

    def _can_rise(self, variable: int) -> bool:
        place = self.places[variable]
        moves = place is not Place.BASIC and not self.variables.fixed[variable]
        return moves and place is not Place.UPPER

    def _can_fall(self, variable: int) -> bool:
        place = self.places[variable]
        moves = place is not Place.BASIC and not self.variables.fixed[variable]
        return moves and place is not Place.LOWER

    def can_move(self, variable: int, up: bool) -> bool:
        """Whether a variable is nonbasic, and its bounds let it go that way."""
        return self._rises[variable] if up else self._falls[variable]

    def improves(self, variable: int) -> bool:
        """Whether the objective gains where a nonbasic variable moves as its bounds let it."""
        slope = self.slopes[variable]
        return bool(slope) and self.can_move(variable, slope > 0)

    def excess(self, position: int) -> fmpq:
        """Give how far a basic variable is above its bounds, or (negative) below them."""
        variable, value = self.head[position], self.values[position]
        lower, upper = self.variables.lower[variable], self.variables.upper[variable]
        if lower is not None and value < lower:
            return value - lower
        if upper is not None and value > upper:
            return value - upper
        return ZERO

    def column(self, variable: int) -> Solved:
        r"""Give :math:`B^{-1} A_j`: how much all basic variables fall as a variable rises by 1."""
        return self._factors.solve(dict(self.variables.entries[variable]))

    def row(self, position: int) -> Sparse:
        """Give how much one basic variable falls as each of the nonbasic ones rises by 1."""
        row: Sparse = {}
        places, count = self.places, self.variables.num_columns
        for line, factor in self._factors.solve_transposed({position: ONE}).items():
            for variable, coefficient in self.variables.lines[line]:
                if places[variable] is not Place.BASIC:
                    known = row.get(variable)
                    term = factor * coefficient
                    row[variable] = term if known is None else known + term
            if places[count + line] is not Place.BASIC:
                row[count + line] = -factor
        return {variable: value for variable, value in row.items() if value}

    def slide(self, variable: int, length: fmpq, column: Sparse, rest: Place) -> None:
        """Move a nonbasic variable from one of its bounds to the other."""
        self._move(length, column)
        self._put(variable, rest)
        self.pivots += 1

    def exchange(
        self,
        entering: int,
        position: int,
        rest: Place,
        length: fmpq,
        column: Solved,
        row: Sparse,
    ) -> None:
        """Let a nonbasic variable take a position in the basis.

        Parameters
        ----------
        entering
            The nonbasic variable.
        position
            Of the variable that leaves.
        rest
            The bound at which that one then rests.
        length
            How far the entering variable rises, or (negative) falls.
        column, row
            Those of the pivot.
        """
        start = self._resting_value(entering)
        self._move(length, column.whole)
        leaving = self.head[position]
        price = self.slopes[entering] / row[entering]
        if price:
            slopes = self.slopes
            for variable, value in row.items():
                slopes[variable] -= price * value
        self.slopes[leaving] = -price
        self.head[position] = entering
        self.values[position] = start + length
        self._put(entering, Place.BASIC)
        self._put(leaving, rest)
        self.pivots += 1
        if self._factors.num_exchanges < MOST_EXCHANGES:
            entries = self.variables.entries[entering]
            self._factors.replace(position, entries, column.first)
        else:
            self._factorise()

    def price(self, costs: Sequence[fmpq]) -> None:
        """Compute the slopes for some costs of the variables."""
        basic = {position: costs[j] for position, j in enumerate(self.head) if costs[j]}
        slopes = list(costs)
        count = self.variables.num_columns
        for row, price in self._factors.solve_transposed(basic).items():
            for column, coefficient in self.variables.lines[row]:
                slopes[column] -= price * coefficient
            slopes[count + row] += price
        self.slopes = slopes

    def solution(self) -> Vector:
        """Give the basic solution, by column."""
        values = [self._resting_value(j) for j in range(self.variables.num_columns)]
        for variable, value in zip(self.head, self.values, strict=True):
            if variable < len(values):
                values[variable] = value
        return Vector(values, fmpz(1))

    def prices(self) -> Vector:
        """Give the prices of the rows for the costs of now."""
        return Vector(self.slopes[self.variables.num_columns :], fmpz(1))

    def basis(self) -> Basis:
        """Give the places, apart."""
        count = self.variables.num_columns
        return Basis(self.places[:count], self.places[count:])

    def _factorise(self) -> None:
        entries = self.variables.entries
        self._factors = UpdatedFactors([entries[j] for j in self.head], self._check)

    def _computed_values(self) -> list[fmpq]:
        right: Sparse = {}
        for variable, place in enumerate(self.places):
            value = self._resting_value(variable) if place is not Place.BASIC else ZERO
            if value:
                for row, coefficient in self.variables.entries[variable]:
                    right[row] = right.get(row, ZERO) - coefficient * value
        solved = self._factors.solve(right).whole
        return [solved.get(position, ZERO) for position in range(len(self.head))]

    def _resting_value(self, variable: int) -> fmpq:
        """Give the value of a nonbasic variable; 0 of a basic or free one."""
        place = self.places[variable]
        if place is Place.LOWER:
            return self.variables.lower[variable] or ZERO
        if place is Place.UPPER:
            return self.variables.upper[variable] or ZERO
        return ZERO

    def _move(self, length: fmpq, column: Sparse) -> None:
        if length:
            values = self.values
            for position, rate in column.items():
                values[position] -= length * rate

    def _put(self, variable: int, place: Place) -> None:
        self.places[variable] = place
        self._rises[variable] = self._can_rise(variable)
        self._falls[variable] = self._can_fall(variable)
