"""A linear relaxation that stays warm while variables are fixed and freed, and rows come."""

from collections.abc import Sequence
from math import inf
from typing import Any, Self

import highspy
import numpy as np

from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.reading import ReadModel, read_model
from steadygrid.engine.solving.scaling import Floats
from steadygrid.engine.solving.terms import Term

SMALLEST_COEFFICIENT = 1e-12
"""What HiGHS drops below."""
LONGEST = 1e9
"""Seconds that stand for no limit."""


def double_program(read: ReadModel, *, relaxed: bool = False) -> highspy.HighsLp:
    """Write a program for HiGHS.

    Parameters
    ----------
    read
        The program. What its variables are (integer or not) comes from the Pyomo model.
    relaxed
        Whether integer variables may take any value within their bounds.
    """
    program = read.program
    columns, rows = program.column_factors, program.row_factors
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = program.num_columns, program.num_rows
    lp.sense_ = (
        highspy.ObjSense.kMaximize if program.cost_factor > 0 else highspy.ObjSense.kMinimize
    )
    lp.offset_ = float(read.offset)
    lp.col_cost_ = np.array(
        [
            float(cost / (program.cost_factor * factor)) if cost else 0.0
            for cost, factor in zip(program.costs, columns, strict=True)
        ]
    )
    lp.col_lower_ = np.array(
        [
            -inf if bound is None else float(bound * factor)
            for bound, factor in zip(program.column_lower, columns, strict=True)
        ]
    )
    lp.col_upper_ = np.array(
        [
            inf if bound is None else float(bound * factor)
            for bound, factor in zip(program.column_upper, columns, strict=True)
        ]
    )
    lp.row_lower_ = np.array(
        [
            -inf if bound is None else float(bound / factor)
            for bound, factor in zip(program.row_lower, rows, strict=True)
        ]
    )
    lp.row_upper_ = np.array(
        [
            inf if bound is None else float(bound / factor)
            for bound, factor in zip(program.row_upper, rows, strict=True)
        ]
    )
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.asarray(program.starts, dtype=np.int32)
    lp.a_matrix_.index_ = np.asarray(program.indices, dtype=np.int32)
    lp.a_matrix_.value_ = np.array(
        [
            float(program.values[place] / (rows[row] * columns[program.indices[place]]))
            for row in range(program.num_rows)
            for place in range(program.starts[row], program.starts[row + 1])
        ]
    )
    if not relaxed:
        lp.integrality_ = [
            highspy.HighsVarType.kContinuous
            if variable.is_continuous()
            else highspy.HighsVarType.kInteger
            for variable in read.variables
        ]
    return lp


class Relaxation:
    """A Pyomo model without its integrality, held by HiGHS between solves.

    Bounds of variables may change from solve to solve. The simplex method goes on from the last
    basis. Everything is in double precision: who needs proofs rounds the prices and computes
    the rest exactly.

    Parameters
    ----------
    model
        Written with integers and fractions near 1; coefficients below 1e-12 are an error.
    control
        Deadline and cancellation.

    Attributes
    ----------
    value
        The last optimum.

    Raises
    ------
    SolverError
        If HiGHS does not take the numbers as they are.

    Examples
    --------
    ::

        with Relaxation(model, control) as relaxation:
            relaxation.fix(model.placed["align", "host1"], 1)
            if relaxation.solve():
                shares = relaxation.values_of(model.placed)
    """

    def __init__(self, model: Any, control: Control) -> None:
        self._control = control
        read = read_model(model, control.check)
        self._columns, self._rows = read.columns, dict(read.rows)
        lp = double_program(read, relaxed=True)
        self._lower: Floats = np.array(lp.col_lower_)
        self._upper: Floats = np.array(lp.col_upper_)
        self.value = 0.0
        self._values: Floats = np.zeros(lp.num_col_)
        self._prices: Floats = np.zeros(lp.num_row_)
        self._highs = highspy.Highs()
        for option, setting in (
            ("output_flag", False),
            ("threads", 1),
            ("solver", "simplex"),
            # Presolve leaves no ray, and costs these programs more than it gains.
            ("presolve", "off"),
            ("small_matrix_value", SMALLEST_COEFFICIENT),
        ):
            if self._highs.setOptionValue(option, setting) != highspy.HighsStatus.kOk:
                raise SolverError(f"HiGHS refuses {option} = {setting}.")
        self._highs.HandleUserInterrupt = True
        if self._highs.passModel(lp) != highspy.HighsStatus.kOk:
            self.close()
            raise SolverError("HiGHS does not take the relaxation's numbers as they are.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the callbacks, which would keep HiGHS alive in a circle."""
        self._highs.HandleUserInterrupt = False

    def fix(self, variable: Any, value: float) -> None:
        """Hold a variable at a value until it is freed.

        Parameters
        ----------
        variable
            Of the model.
        value
            Of any size. The variable's own bounds do not count.
        """
        self.bound(variable, value, value)

    def bound(self, variable: Any, lower: float, upper: float) -> None:
        """Give a variable other bounds than the model's, until it is freed.

        Parameters
        ----------
        variable
            Of the model.
        lower, upper
            In the unit of the variable.
        """
        self._highs.changeColBounds(self._columns[id(variable)], lower, upper)

    def free(self, variable: Any) -> None:
        """Give a variable the model's bounds back."""
        column = self._columns[id(variable)]
        self._highs.changeColBounds(column, self._lower[column], self._upper[column])

    def add(self, constraint: Any, terms: Sequence[Term]) -> None:
        """Hold a constraint that the model has got since, ``terms <= 0``.

        Parameters
        ----------
        constraint
            Of the model; `limit` knows the row by it.
        terms
            Coefficients and variables of the model.

        Raises
        ------
        SolverError
            If HiGHS does not take the numbers as they are.
        """
        columns = [self._columns[id(variable)] for _, variable in terms]
        values = np.array([float(coefficient) for coefficient, _ in terms])
        places = np.array(columns, dtype=np.int32)
        if self._highs.addRow(-inf, 0.0, len(places), places, values) != highspy.HighsStatus.kOk:
            raise SolverError("HiGHS does not take the numbers of a row as they are.")
        self._rows[id(constraint)] = self._highs.getNumRow() - 1

    def limit(self, constraint: Any, lower: float | None, upper: float | None) -> None:
        """Give a constraint other bounds. None if there is none.

        Parameters
        ----------
        constraint
            Of the model.
        lower, upper
            Bounds of its body. None if there is none.
        """
        self._highs.changeRowBounds(
            self._rows[id(constraint)],
            -inf if lower is None else lower,
            inf if upper is None else upper,
        )

    def solve(self) -> bool:
        """Find the optimum under the present bounds.

        Returns
        -------
        bool
            True if there is one; False if the program is infeasible. Both are claims in double
            precision.

        Raises
        ------
        Cancelled, OutOfTime
            When cancelled or out of time.
        SolverError
            If HiGHS ends in another manner.
        """
        highs = self._highs
        status = self._run()
        if status not in (
            highspy.HighsModelStatus.kOptimal,
            highspy.HighsModelStatus.kInfeasible,
        ):
            # The basis led astray: once more, from nothing.
            highs.clearSolver()
            status = self._run()
        if status == highspy.HighsModelStatus.kInfeasible:
            return False
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverError(f"the relaxation ended as {highs.modelStatusToString(status)!r}")
        solution = highs.getSolution()
        self.value = float(highs.getObjectiveValue())
        self._values = np.array(solution.col_value)
        self._prices = np.array(solution.row_dual)
        return True

    def values_of(self, component: Any) -> dict[Any, float]:
        """Give the last values of an indexed variable, zeros left out."""
        return {
            index: float(value)
            for index, variable in component.items()
            if (value := self._values[self._columns[id(variable)]])
        }

    def prices_of(self, component: Any) -> dict[Any, float]:
        """Give the dual values of an indexed constraint, zeros left out.

        What the optimum gains per unit by which the constraint's bound grows: in a program that
        minimises, ``>=`` rows have prices >= 0.
        """
        return self._of_rows(component, self._prices)

    def _of_rows(self, component: Any, vector: Floats) -> dict[Any, float]:
        return {
            index: float(value)
            for index, constraint in component.items()
            if (value := vector[self._rows[id(constraint)]])
        }

    def _run(self) -> highspy.HighsModelStatus:
        control, highs = self._control, self._highs
        control.check()
        highs.setOptionValue("time_limit", min(highs.getRunTime() + control.remaining, LONGEST))
        with control.attached(highs):
            highs.run()
        control.check()
        status = highs.getModelStatus()
        if status == highspy.HighsModelStatus.kTimeLimit:
            raise OutOfTime
        return status
