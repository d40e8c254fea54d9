"""Where a basis stands: its exact values, slopes, and the ways out of it."""

from collections.abc import Callable, Sequence

from flint import fmpq, fmpz

from workers.exact.basis import BasicSystem, Basis
from workers.exact.certificate import activities, reduced_costs
from workers.exact.vectors import Number, Vector
from workers.solving.highs import Place
from workers.solving.program import Bound, LinearProgram


class Variables:
    """Columns and the activities of rows, as one sequence of variables: columns first.

    Attributes
    ----------
    program
        Whose variables they are.
    lower, upper
        Their bounds.
    entries
        (row, coefficient) by column.
    """

    def __init__(self, program: LinearProgram) -> None:
        self.program = program
        self.lower: list[Bound] = [*program.column_lower, *program.row_lower]
        self.upper: list[Bound] = [*program.column_upper, *program.row_upper]
        self.entries: list[list[tuple[int, int]]] = [[] for _ in range(program.num_columns)]
        for row in range(program.num_rows):
            for place in range(program.starts[row], program.starts[row + 1]):
                self.entries[program.indices[place]].append((row, program.values[place]))

    def can_move(self, variable: int) -> bool:
        """Whether the bounds leave more than one value."""
        lower = self.lower[variable]
        return lower is None or lower != self.upper[variable]


class Point:
    r"""The basic solution of a basis, and what is linear around it.

    With the tight rows T, the basic columns B and K their common part, the activities s of the
    tight rows and the nonbasic columns x_N determine everything else:

    .. math:: x_B = K^{-1} (s_T - N x_N), \qquad s = A x .

    Vectors over all variables are lists of numerators; their common denominators are positive,
    so that signs and comparisons need no division.

    Parameters
    ----------
    variables
        Of the program.
    basis
        Mended in place if it is none.
    check
        Called now and then; may raise to interrupt.

    Attributes
    ----------
    basic
        The basic variables, in increasing order.
    values, denominator
        The basic solution.
    lacks
        For each basic variable outside its bounds, the way back: 1 up, -1 down.
    """

    def __init__(
        self, variables: Variables, basis: Basis, check: Callable[[], None] = lambda: None
    ) -> None:
        self.variables = variables
        self._program = variables.program
        self._system = BasicSystem(self._program, basis, check)
        self.places = [*basis.columns, *basis.rows]
        self.basic = [k for k, place in enumerate(self.places) if place == Place.BASIC]
        solution = self._system.primal()
        self.denominator = solution.denominator
        self.values = [*solution.numerators, *activities(self._program, solution.numerators)]
        self.lacks: dict[int, int] = {}
        for variable in self.basic:
            lower, upper = variables.lower[variable], variables.upper[variable]
            if lower is not None and self.distance(variable, lower) > 0:
                self.lacks[variable] = 1
            elif upper is not None and self.distance(variable, upper) < 0:
                self.lacks[variable] = -1

    def distance(self, variable: int, bound: Bound) -> fmpq:
        """Give bound minus value, times the denominator."""
        assert bound is not None
        return fmpq(bound.numerator, bound.denominator) * self.denominator - self.values[variable]

    def slopes(self, costs: Sequence[int]) -> list[Number]:
        """Give what an objective gains per unit of each nonbasic variable; 0 for basic ones."""
        prices = self._system.prices(costs)
        slopes = [*reduced_costs(self._program, costs, prices), *prices.numerators]
        for variable in self.basic:
            slopes[variable] = fmpz(0)
        return slopes

    def improves(self, variable: int, slope: Number) -> bool:
        """Whether a nonbasic variable with this slope is free to move the better way."""
        place = self.places[variable]
        return (
            (slope > 0 and place != Place.UPPER) or (slope < 0 and place != Place.LOWER)
        ) and self.variables.can_move(variable)

    def rates(self, entering: int, direction: int) -> Vector:
        """Give the change of every variable per unit by which a nonbasic one moves."""
        count = self._program.num_columns
        position = {row: place for place, row in enumerate(self._system.tight)}
        right = [fmpq(0)] * len(position)
        if entering < count:
            for row, coefficient in self.variables.entries[entering]:
                if row in position:
                    right[position[row]] = fmpq(-direction * coefficient)
        else:
            right[position[entering - count]] = fmpq(direction)
        solved = self._system.factors.solve(right)
        columns: list[Number] = [fmpz(0)] * count
        for column, rate in zip(self._system.basic, solved.numerators, strict=True):
            columns[column] = rate
        if entering < count:
            columns[entering] = direction * solved.denominator
        return Vector([*columns, *activities(self._program, columns)], solved.denominator)

    def dependence(self, leaving: int) -> list[Number]:
        """Give the change of a basic variable per unit of each nonbasic one."""
        costs = [0] * self._program.num_columns
        if leaving < len(costs):
            costs[leaving] = 1
        else:
            row = leaving - len(costs)
            for place in range(self._program.starts[row], self._program.starts[row + 1]):
                costs[self._program.indices[place]] = self._program.values[place]
        return self.slopes(costs)
