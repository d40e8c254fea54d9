"""A linear program that grows by columns and stays warm between solves."""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from math import frexp
from typing import Any, NamedTuple

import highspy
import numpy as np
import numpy.typing as npt
from pyomo.core.expr.numeric_expr import MonomialTermExpression

from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.scaling import Floats

LOOSE = 1e-7
"""Tolerance of feasibility and optimality to begin with."""
TIGHT = 1e-9
"""Tolerance near the end. What is needed beyond it is found in exact arithmetic."""
SMALLEST_COEFFICIENT = 1e-12
"""What HiGHS drops below, in columns whose largest coefficient is about 1."""
LONGEST = 1e9
"""Seconds that stand for no limit."""


class _ScaledColumn(NamedTuple):
    """A column as HiGHS holds it."""

    scale: float
    """A unit of HiGHS's variable is this many units of the model's."""
    objective: float
    rows: npt.NDArray[np.int32]
    values: Floats


class PackingProgram:
    r"""A Pyomo model and a HiGHS instance that hold the same growing packing program.

    .. math:: \max \sum_j x_j \quad\text{s.t.}\quad A x \le 1,\; x \ge 0

    with :math:`A \ge 0`. Columns are added to both at once, and the simplex method goes on from
    the last basis, which stays feasible: compiling the model again would lose it. Columns that
    are dropped are fixed at 0 in the model and leave HiGHS.

    Parameters
    ----------
    rows
        The named expressions that the model's constraints keep below 1, in order; terms are added
        to them as columns come.
    objective
        The named expression that the model maximises.
    control
        Deadline and cancellation.

    Attributes
    ----------
    value
        The last optimum, in floats.
    prices
        The last dual values, by row, never below 0.
    rates
        The last solution, by column.
    costs
        What one unit of each column costs at the prices: 1 in the basis, less nowhere; infinite
        where the column is dropped.
    """

    def __init__(self, rows: Sequence[Any], objective: Any, control: Control) -> None:
        self._rows = rows
        self._objective = objective
        self._control = control
        self._variables: list[Any] = []
        self._columns: list[_ScaledColumn] = []
        self._held: list[int] = []
        self._level: int | None = None
        self.value = 0.0
        self.prices: Floats = np.zeros(len(rows))
        self.rates: Floats = np.zeros(0)
        self.costs: Floats = np.zeros(0)
        self._highs = highspy.Highs()
        for option, setting in (
            ("output_flag", False),
            ("threads", 1),
            ("solver", "simplex"),
            ("simplex_strategy", 4),
            ("presolve", "off"),
            ("primal_feasibility_tolerance", LOOSE),
            ("dual_feasibility_tolerance", LOOSE),
            ("small_matrix_value", SMALLEST_COEFFICIENT),
        ):
            if self._highs.setOptionValue(option, setting) != highspy.HighsStatus.kOk:
                raise SolverError(f"HiGHS refuses {option} = {setting}.")
        self._highs.HandleUserInterrupt = True
        self._highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        for _ in rows:
            self._highs.addRow(-highspy.kHighsInf, 1.0, 0, np.zeros(0, np.int32), np.zeros(0))

    def close(self) -> None:
        """Let go of the callbacks, which would keep HiGHS alive in a circle."""
        self._highs.HandleUserInterrupt = False

    def add_column(self, variable: Any, entries: Iterable[tuple[int, Fraction]]) -> None:
        """Add a variable of the model, at least 0, to the rows given by position.

        Each column is scaled by the power of two that brings its largest coefficient below 1.

        Parameters
        ----------
        variable
            Of the model. It is not in the program yet.
        entries
            Rows by position, with the coefficients in them.
        """
        places: list[int] = []
        values: list[float] = []
        for row, coefficient in entries:
            _append(self._rows[row], coefficient, variable)
            places.append(row)
            values.append(float(coefficient))
        _append(self._objective, 1, variable)
        exponent = frexp(max(values))[1]
        if self._level is None:
            self._level = exponent
        self._variables.append(variable)
        self._columns.append(
            _ScaledColumn(
                2.0**-exponent,
                2.0 ** (self._level - exponent),
                np.array(places, dtype=np.int32),
                np.array(values) * 2.0**-exponent,
            )
        )
        self._hold(len(self._columns) - 1)

    def drop(self, columns: Collection[int]) -> None:
        """Leave out columns that are not in the basis, until they are restored."""
        gone = set(columns)
        if not gone:
            return
        places = [place for place, column in enumerate(self._held) if column in gone]
        self._highs.deleteCols(len(places), np.array(places, dtype=np.int32))
        self._held = [column for column in self._held if column not in gone]
        for column in gone:
            self._variables[column].fix(0)

    def restore(self, column: int) -> None:
        """Take a dropped column back."""
        self._variables[column].unfix()
        self._hold(column)

    def _hold(self, column: int) -> None:
        scaled = self._columns[column]
        status = self._highs.addCol(
            scaled.objective, 0.0, highspy.kHighsInf, len(scaled.rows), scaled.rows, scaled.values
        )
        if status == highspy.HighsStatus.kError:
            raise SolverError("HiGHS refuses a column.")
        self._held.append(column)

    def tighten(self) -> None:
        """Ask for more digits from now on."""
        self._highs.setOptionValue("primal_feasibility_tolerance", TIGHT)
        self._highs.setOptionValue("dual_feasibility_tolerance", TIGHT)

    def solve(self) -> None:
        """Find the optimum from the last basis, and set `value`, `prices` and `rates`.

        Raises
        ------
        Cancelled, OutOfTime
            When cancelled or out of time.
        SolverError
            If HiGHS ends without an optimum for another reason.
        """
        highs, control = self._highs, self._control
        control.check()
        highs.setOptionValue("time_limit", min(highs.getRunTime() + control.remaining, LONGEST))
        status = self._run()
        if status != highspy.HighsModelStatus.kOptimal:
            # Got stuck in a degenerate corner: once more, from nothing.
            highs.clearSolver()
            status = self._run()
        if status != highspy.HighsModelStatus.kOptimal or self._level is None:
            raise SolverError(f"the program ended as {highs.modelStatusToString(status)!r}")
        solution = highs.getSolution()
        unit = 2.0**-self._level
        self.value = highs.getObjectiveValue() * unit
        self.prices = np.maximum(np.array(solution.row_dual), 0.0) * unit
        scales = np.array([self._columns[column].scale for column in self._held])
        self.rates = np.zeros(len(self._columns))
        self.rates[self._held] = np.maximum(np.array(solution.col_value), 0.0) * scales
        self.costs = np.full(len(self._columns), np.inf)
        self.costs[self._held] = 1.0 - np.array(solution.col_dual) * unit / scales

    def _run(self) -> highspy.HighsModelStatus:
        with self._control.attached(self._highs):
            self._highs.run()
        self._control.check()
        status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kTimeLimit:
            raise OutOfTime
        return status


def _append(expression: Any, coefficient: Fraction | int, variable: Any) -> None:
    expression.set_value(expression.expr + MonomialTermExpression((coefficient, variable)))
