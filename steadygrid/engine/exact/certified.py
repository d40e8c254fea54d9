"""Linear programs whose every answer is proved in exact arithmetic."""

from fractions import Fraction
from math import inf, isfinite
from typing import Any, Literal

import numpy as np
from flint import fmpq

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.rational import approximate
from steadygrid.engine.exact.certificate import objective
from steadygrid.engine.exact.proving import Infeasibility, Optimum, Proof, Prover
from steadygrid.engine.exact.statistics import Statistics
from steadygrid.engine.exact.vectors import Vector, to_flint, to_fraction
from steadygrid.engine.solving.collection import uncollected
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.highs import CutShort, FloatPoint
from steadygrid.engine.solving.reading import ReadModel, read_model
from steadygrid.engine.solving.scaling import Floats

Status = Literal["optimal", "infeasible", "unbounded"]


class CertifiedSolution:
    """The proved answer of a linear program.

    Attributes
    ----------
    status
        ``optimal``, ``infeasible`` or ``unbounded``.
    objective
        The optimal value. None unless optimal.
    statistics
        Sizes, method and times.
    reading
        The program.
    prices
        That prove the optimum, by row of the program. None unless optimal.
    """

    def __init__(self, reading: ReadModel, proof: Proof, statistics: Statistics) -> None:
        self.statistics = statistics
        self.objective: Fraction | None = None
        self.reading = reading
        self._solution: Vector | None = None
        self.prices: Vector | None = None
        self._direction: Vector | None = None
        self._farkas: Vector | None = None
        self.status: Status
        if isinstance(proof, Optimum):
            self.status = "optimal"
            self._solution, self.prices = proof
            self.objective = self._value(self._solution)
        elif isinstance(proof, Infeasibility):
            self.status = "infeasible"
            self._farkas = proof.ray
        else:
            self.status = "unbounded"
            self._solution, self._direction = proof

    def _value(self, solution: Vector) -> Fraction:
        program = self.reading.program
        total = objective(program.costs, solution.numerators)
        scaled = fmpq(total) / solution.denominator / to_flint(program.cost_factor)
        return to_fraction(scaled) + self.reading.offset

    def values_of(self, component: Any) -> dict[Any, Fraction]:
        """Give the values of an (indexed) variable, zeros left out.

        For an unbounded program, those of a feasible solution.
        """
        return self._columns_of(component, self._solution)

    def direction_of(self, component: Any) -> dict[Any, Fraction]:
        """Give the ray of an unbounded program along an (indexed) variable, zeros left out."""
        return self._columns_of(component, self._direction)

    def prices_of(self, component: Any) -> dict[Any, Fraction]:
        """Give the dual values of an (indexed) constraint, zeros left out.

        A price is what the objective gains per unit by which the constraint's bound grows: in a
        program that maximises, ``<=`` rows have prices >= 0; in one that minimises, ``>=`` rows.
        """
        return self._rows_of(component, self.prices, self.reading.program.cost_factor)

    def farkas_of(self, component: Any) -> dict[Any, Fraction]:
        r"""Give the Farkas ray of an infeasible program, zeros left out.

        Multipliers y such that no values within the variables' bounds can bring
        :math:`\sum y_i (a_i x)` to where the rows want it. The row bounds force it above (below)
        what the columns' bounds allow; ``<=`` rows have multipliers >= 0.
        """
        return self._rows_of(component, self._farkas, 1)

    def _columns_of(self, component: Any, vector: Vector | None) -> dict[Any, Fraction]:
        if vector is None:
            return {}
        columns, factors = self.reading.columns, self.reading.program.column_factors
        return {
            index: to_fraction(vector[column] * to_flint(factors[column]))
            for index, variable in component.items()
            if vector.numerators[column := columns[id(variable)]]
        }

    def _rows_of(
        self, component: Any, vector: Vector | None, divisor: Fraction | int
    ) -> dict[Any, Fraction]:
        if vector is None:
            return {}
        rows, factors = self.reading.rows, self.reading.program.row_factors
        return {
            index: to_fraction(vector[row] * to_flint(factors[row]) / to_flint(divisor))
            for index, constraint in component.items()
            if vector.numerators[row := rows[id(constraint)]]
        }


def solve_certified(model: Any, control: Control, *, patience: float = inf) -> CertifiedSolution:
    """Solve a Pyomo linear program and prove the answer in exact arithmetic.

    The floating-point solver only proposes a basis. Its basic solution and prices are computed
    over the rationals and checked (`steadygrid.engine.exact.certificate`). Where they do not prove each
    other, the solver corrects them by their exact errors, and then exact simplex pivots do.
    Infeasible and unbounded are proved by the certified optima of two auxiliary programs
    (`steadygrid.engine.exact.proving`).

    Parameters
    ----------
    model
        A ``ConcreteModel`` whose numbers are integers and `fractions.Fraction`.
    control
        Deadline, cancellation and progress.
    patience
        How many times as long as the floating-point solver took the proof may take (or ten
        seconds); then, too, time is over. For programs of which a nearly optimal solution is
        known to be as good as any.

    Returns
    -------
    CertifiedSolution
        Optimal with solution and prices, infeasible with a Farkas ray, or unbounded with a
        solution and a ray; zero values are left out of its mappings.

    Raises
    ------
    Cancelled, OutOfTime
        When cancelled or out of time; with what there is of a floating-point solution.
    CertificationError
        If no proof was found.
    SolverError
        If the solver refuses the program.
    """
    statistics = Statistics()
    with uncollected():
        with statistics.timed("read"):
            reading = read_model(model, control.check)
        program = reading.program
        statistics.variables = program.num_columns
        statistics.constraints = program.num_rows
        statistics.nonzeros = len(program.values)
        prover = Prover(control, statistics, patience)
        try:
            proof = prover.prove(program)
        except OutOfTime as interrupted:
            point = prover.points.get(program)
            if nearest := prover.nearest.get(program):
                point = FloatPoint(_floats(nearest.solution), _floats(nearest.prices))
            # An auxiliary program has the same rows, yet its duals price another objective.
            if point is None and isinstance(interrupted, CutShort):
                point = interrupted.point if interrupted.program is program else None
            if point is not None:
                interrupted.duals = _named_duals(reading, point)
                interrupted.values = _named_values(reading, point)
            raise
        return CertifiedSolution(reading, proof, statistics)


def _floats(vector: Vector) -> Floats:
    near = (approximate(to_fraction(number)) for number in vector)
    return np.array([0.0 if number is None else number for number in near])


def _named_duals(reading: ReadModel, point: FloatPoint) -> dict[tuple[str, Any], float]:
    """Give the dual values that the solver held, like `prices_of`."""
    program, duals = reading.program, point.row_duals
    named: dict[tuple[str, Any], float] = {}
    if duals is None:
        return named
    for row in np.flatnonzero(duals).tolist():
        factor = approximate(Fraction(program.row_factors[row]) / program.cost_factor)
        if factor is not None and isfinite(price := float(duals[row]) * factor):
            constraint = reading.constraints[row]
            named[constraint.parent_component().name, constraint.index()] = price
    return named


def _named_values(reading: ReadModel, point: FloatPoint) -> dict[tuple[str, Any], float]:
    """Give the solution that the solver held, like `values_of`."""
    program, columns = reading.program, point.columns
    named: dict[tuple[str, Any], float] = {}
    if columns is None:
        return named
    for column in np.flatnonzero(columns).tolist():
        factor = approximate(Fraction(program.column_factors[column]))
        if factor is not None and isfinite(value := float(columns[column]) * factor):
            variable = reading.variables[column]
            named[variable.parent_component().name, variable.index()] = value
    return named
