"""Where a basis stands, kept up to date from pivot to pivot."""

from collections.abc import Callable, Sequence

from flint import fmpq, fmpz

from steadygrid.engine.exact.basis import Basis
from steadygrid.engine.exact.updates import Solved, UpdatedFactors
from steadygrid.engine.exact.variables import ZERO, Sparse, Variables
from steadygrid.engine.exact.vectors import Vector
from steadygrid.engine.solving.highs import Place

MOST_EXCHANGES = 60
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
        self._nonbasic = [place is not Place.BASIC for place in self.places]
        self.pivots = 0
        self._factorise()
        self.values = self._computed_values()
        self.price(variables.costs)

    def _can_move(self, variable: int) -> bool:
        return self._nonbasic[variable] and not self.variables.fixed[variable]

    def can_move(self, variable: int, up: bool) -> bool:
        """Whether a variable is nonbasic, and its bounds let it go in that direction.

        Parameters
        ----------
        variable
            Its index.
        up
            Whether it is to grow.
        """
        bound = Place.UPPER if up else Place.LOWER
        return self._can_move(variable) and self.places[variable] is not bound

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

    def multipliers(self, position: int) -> Sparse:
        r"""Give :math:`e_r B^{-1}`, by row of the program."""
        return self._factors.solve_transposed({position: ONE})

    def row(self, multipliers: Sparse, *, level: bool = False) -> Sparse:
        """Give how much a basic variable falls as each of the nonbasic ones rises by 1.

        Parameters
        ----------
        multipliers
            Those of the basic variable.
        level
            Of those only that can move at no loss, with a slope of 0.
        """
        wanted = self._level if level else self._nonbasic
        lines, count = self.variables.lines, self.variables.num_columns
        row: Sparse = {}
        for line, factor in multipliers.items():
            for variable, coefficient in lines[line]:
                if wanted[variable]:
                    known = row.get(variable)
                    term = factor * coefficient
                    row[variable] = term if known is None else known + term
            if wanted[count + line]:
                row[count + line] = -factor
        return {variable: value for variable, value in row.items() if value}

    def slide(self, variable: int, length: fmpq, column: Sparse, rest: Place) -> None:
        """Move a nonbasic variable from one of its bounds to the other.

        Parameters
        ----------
        variable
            Its index.
        length
            From the one bound to the other, with its sign.
        column
            What the basis makes of the variable's column.
        rest
            The bound at which it then rests.
        """
        self._move(length, column)
        self._set_place(variable, rest)
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
            Those of the pivot. The row is asked only where the entering variable has a slope.
        """
        start = self._resting_value(entering)
        self._move(length, column.whole)
        leaving = self.head[position]
        price = ZERO
        if self.slopes[entering]:
            price = self.slopes[entering] / column.whole[position]
            self._change_slopes(price, row)
        self.slopes[leaving] = -price
        self.head[position] = entering
        self.values[position] = start + length
        self._set_place(entering, Place.BASIC)
        self._set_place(leaving, rest)
        self.pivots += 1
        if self._factors.num_exchanges < MOST_EXCHANGES:
            entries = self.variables.entries[entering]
            self._factors.replace(position, entries, column.first)
        else:
            self._factorise()

    def _change_slopes(self, price: fmpq, row: Sparse) -> None:
        slopes = self.slopes
        for variable, value in row.items():
            slopes[variable] = slope = slopes[variable] - price * value
            self._level[variable] = not slope and self._can_move(variable)

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
        self._level = [not slope and self._can_move(j) for j, slope in enumerate(slopes)]

    def solution(self) -> Vector:
        """Give the basic solution, by column."""
        values = [self._resting_value(j) for j in range(self.variables.num_columns)]
        for variable, value in zip(self.head, self.values, strict=True):
            if variable < len(values):
                values[variable] = value
        return Vector(values, fmpz(1))

    def prices(self) -> Vector:
        """Give the prices of the rows for the current costs."""
        return Vector(self.slopes[self.variables.num_columns :], fmpz(1))

    def basis(self) -> Basis:
        """Give the places, apart."""
        count = self.variables.num_columns
        return Basis(self.places[:count], self.places[count:])

    def _factorise(self) -> None:
        entries = self.variables.entries
        self._factors = UpdatedFactors(
            [entries[j] for j in self.head], self.variables.num_rows, self._check
        )

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

    def _set_place(self, variable: int, place: Place) -> None:
        self.places[variable] = place
        self._nonbasic[variable] = place is not Place.BASIC
        self._level[variable] = not self.slopes[variable] and self._can_move(variable)
