"""HiGHS: the only place that runs it."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal

import highspy
import numpy as np

from steadygrid.domain.errors import Cancelled, OutOfTime, SolverError
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.program import LinearProgram
from steadygrid.engine.solving.scaling import Floats, ScaledProgram, scale

Method = Literal["primal simplex", "dual simplex", "ipm"]

TOLERANCE = 1e-9
"""Of feasibility and optimality, in the scaled program."""
SMALLEST_COEFFICIENT = 1e-12
"""What HiGHS drops below, in the scaled program: the least that it can be told."""
SECONDS_BETWEEN_REPORTS = 0.5
"""Of progress, while HiGHS runs."""
LONGEST = 1e9
"""Seconds that stand for no limit."""
SIMPLEX_BUDGET = 2.0
"""Seconds that the simplex method gets before the interior point method is tried."""
SIMPLEX_BUDGET_PER_NONZERO = 1e-4
"""Seconds more per coefficient."""


@dataclass(frozen=True, eq=False)
class FloatPoint:
    """Where HiGHS stood, in the units of the exact program.

    Attributes
    ----------
    columns
        The values of the columns. None if it had none.
    row_duals
        The dual values of the rows, likewise.
    """

    columns: Floats | None = None
    row_duals: Floats | None = None


class CutShort(OutOfTime):
    """The time limit struck inside HiGHS.

    Attributes
    ----------
    program
        What was being solved.
    point
        What HiGHS held.
    """

    def __init__(self, program: LinearProgram, point: FloatPoint) -> None:
        super().__init__()
        self.program = program
        self.point = point


class Ending(StrEnum):
    """What the solver claims. Nothing here is proved."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    UNKNOWN = "unknown"


class Place(StrEnum):
    """Where a variable or the activity of a row stands in a basis."""

    BASIC = "basic"
    LOWER = "lower"
    UPPER = "upper"
    FREE = "free"


_PLACES = {
    highspy.HighsBasisStatus.kBasic: Place.BASIC,
    highspy.HighsBasisStatus.kLower: Place.LOWER,
    highspy.HighsBasisStatus.kUpper: Place.UPPER,
    highspy.HighsBasisStatus.kZero: Place.FREE,
    highspy.HighsBasisStatus.kNonbasic: Place.LOWER,
}
_STATUSES = {
    Place.BASIC: highspy.HighsBasisStatus.kBasic,
    Place.LOWER: highspy.HighsBasisStatus.kLower,
    Place.UPPER: highspy.HighsBasisStatus.kUpper,
    Place.FREE: highspy.HighsBasisStatus.kZero,
}
_OPTIONS: dict[Method, dict[str, str | int]] = {
    # Without presolve the duals stay readable when time is over, and nothing is lost in speed.
    "primal simplex": {"solver": "simplex", "simplex_strategy": 4, "presolve": "off"},
    "dual simplex": {"solver": "simplex", "simplex_strategy": 1, "presolve": "on"},
    "ipm": {"solver": "ipm", "presolve": "on"},
}
_ENDINGS = {
    highspy.HighsModelStatus.kOptimal: Ending.OPTIMAL,
    highspy.HighsModelStatus.kInfeasible: Ending.INFEASIBLE,
    highspy.HighsModelStatus.kUnbounded: Ending.UNBOUNDED,
    highspy.HighsModelStatus.kUnboundedOrInfeasible: Ending.UNBOUNDED,
}


@dataclass(frozen=True, eq=False)
class FloatAnswer:
    """What HiGHS says.

    Attributes
    ----------
    ending
        Its claim.
    columns, rows
        The basis: the place of each column and of each row. None if there is none.
    method
        Who found it.
    iterations
        Simplex, interior point and crossover iterations together.
    point
        The solution and the dual values.
    """

    ending: Ending
    columns: list[Place] | None
    rows: list[Place] | None
    method: Method
    iterations: int
    point: FloatPoint = field(default_factory=FloatPoint)


def run_highs(
    program: LinearProgram, control: Control, *, tolerance: float = TOLERANCE, presolve: bool = True
) -> FloatAnswer:
    """Solve a program in floating point, for its basis.

    The simplex method goes first, for a time in proportion to the program: primal where all
    activities at rest are within their bounds, dual elsewhere. Then the interior point method
    with crossover, then the other simplex method, each for half of the time left. (On platforms
    of 1,000 processors the primal method needs 0.05 seconds, the interior point method half a
    second, the dual method from 3 to more than 90 seconds.)

    Parameters
    ----------
    tolerance
        Of feasibility and optimality, in the scaled program.
    presolve
        False: never; True: as suits the method.

    Returns
    -------
    FloatAnswer
        Ending as unknown, without a basis, also where HiGHS cannot hold the coefficients.

    Raises
    ------
    Cancelled, OutOfTime
        `CutShort` on the time limit, with what there is of a solution; when cancelled.
    """
    control.check()
    first, last = _simplex_order(program)
    options: dict[str, Any] = {} if presolve else {"presolve": "off"}
    budget = SIMPLEX_BUDGET + SIMPLEX_BUDGET_PER_NONZERO * len(program.values)
    with closing(_Solver(program, control, tolerance)) as solver:
        if not solver.accepted:
            return FloatAnswer(Ending.UNKNOWN, None, None, first, 0)
        answer = solver.run(first, min(budget, control.remaining / 2), **options)
        if answer.ending == Ending.UNKNOWN:
            answer = solver.run("ipm", control.remaining / 2, **options)
        if answer.ending == Ending.UNKNOWN:
            answer = solver.run(last, control.remaining, **options)
        return answer


def _simplex_order(program: LinearProgram) -> tuple[Method, Method]:
    """Primal first if the program is feasible with every column at its bound nearest to 0."""
    at_rest = all(
        (lower is None or lower <= 0) and (upper is None or upper >= 0)
        for lowers, uppers in (
            (program.row_lower, program.row_upper),
            (program.column_lower, program.column_upper),
        )
        for lower, upper in zip(lowers, uppers, strict=True)
    )
    return ("primal simplex", "dual simplex") if at_rest else ("dual simplex", "primal simplex")


class _Solver:
    """A HiGHS instance that holds one program.

    Parameters
    ----------
    scaled
        The floats to take in place of the program's own.

    Attributes
    ----------
    accepted
        Whether HiGHS took all coefficients as they are; without a warning, that is.
    """

    def __init__(
        self,
        program: LinearProgram,
        control: Control,
        tolerance: float,
        scaled: ScaledProgram | None = None,
    ) -> None:
        self._program = program
        self._scaled = scale(program) if scaled is None else scaled
        self._point = FloatPoint()
        self._highs = highspy.Highs()
        self._set(
            output_flag=False,
            threads=1,
            primal_feasibility_tolerance=tolerance,
            dual_feasibility_tolerance=tolerance,
            small_matrix_value=SMALLEST_COEFFICIENT,
        )
        self._control = control
        self._told = control.elapsed
        self._highs.HandleUserInterrupt = True
        self._highs.cbSimplexInterrupt += self._report_progress
        self._highs.cbIpmInterrupt += self._report_progress
        self.accepted = (
            self._highs.passModel(_float_program(program, self._scaled)) == highspy.HighsStatus.kOk
        )

    def run(
        self,
        method: Method,
        budget: float,
        start: tuple[Sequence[Place], Sequence[Place]] | None = None,
        **options: Any,
    ) -> FloatAnswer:
        """Run one method for some seconds.

        Parameters
        ----------
        start
            The places of columns and rows in a basis to start from.

        Raises
        ------
        Cancelled, OutOfTime
            When cancelled, or when the whole time is over.
        """
        highs, control = self._highs, self._control
        self._set(**{**_OPTIONS[method], **options})
        # HiGHS counts the time of all runs.
        self._set(time_limit=min(highs.getRunTime() + budget, LONGEST))
        highs.clearSolver()
        if start is not None:
            highs.setBasis(_basis(*start))
        with control.attached(highs):
            status = highs.run()
        self._keep_point()
        if control.cancelled:
            raise Cancelled
        if control.remaining <= 0:
            raise CutShort(self._program, self._point)
        iterations = self._iterations()
        control.progress(iterations=iterations)
        ending = _ENDINGS.get(highs.getModelStatus(), Ending.UNKNOWN)
        basis = highs.getBasis()
        if status == highspy.HighsStatus.kError or (ending == Ending.OPTIMAL and not basis.valid):
            ending = Ending.UNKNOWN
        if not basis.valid:
            return FloatAnswer(ending, None, None, method, iterations, self._point)
        return FloatAnswer(
            ending,
            [_PLACES[place] for place in basis.col_status],
            [_PLACES[place] for place in basis.row_status],
            method,
            iterations,
            self._point,
        )

    def close(self) -> None:
        """Let go of the callbacks, which would keep HiGHS alive in a circle."""
        self._highs.cbSimplexInterrupt -= self._report_progress
        self._highs.cbIpmInterrupt -= self._report_progress
        self._highs.HandleUserInterrupt = False

    def _report_progress(self, event: highspy.highs.HighsCallbackEvent) -> None:
        """Report progress now and then, from inside HiGHS."""
        elapsed = self._control.elapsed
        if elapsed - self._told > SECONDS_BETWEEN_REPORTS:
            self._told = elapsed
            state = event.data_out
            self._control.progress(
                iterations=max(0, state.simplex_iteration_count) + max(0, state.ipm_iteration_count)
            )

    def _set(self, **options: Any) -> None:
        for option, value in options.items():
            if self._highs.setOptionValue(option, value) != highspy.HighsStatus.kOk:
                raise SolverError(f"HiGHS refuses {option} = {value}.")

    def _iterations(self) -> int:
        info = self._highs.getInfo()
        counts = (
            info.simplex_iteration_count,
            info.ipm_iteration_count,
            info.crossover_iteration_count,
        )
        return sum(max(0, count) for count in counts)

    def _keep_point(self) -> None:
        """Take over what the last run has. What it has not stays from the one before."""
        solution = self._highs.getSolution()
        if solution.value_valid:
            columns = self._scaled.columns(np.array(solution.col_value))
            self._point = replace(self._point, columns=columns)
        if solution.dual_valid:
            duals = self._scaled.duals(np.array(solution.row_dual))
            self._point = replace(self._point, row_duals=duals)


def run_from(
    program: LinearProgram,
    scaled: ScaledProgram,
    control: Control,
    columns: Sequence[Place],
    rows: Sequence[Place],
    *,
    tolerance: float,
    primal: bool,
) -> FloatAnswer:
    """Solve a program whose floats are given, from a basis and without presolve.

    Parameters
    ----------
    primal
        Whether by the primal simplex method, else the dual one.

    Raises
    ------
    Cancelled, OutOfTime
        As `run_highs` does.
    """
    control.check()
    method: Method = "primal simplex" if primal else "dual simplex"
    with closing(_Solver(program, control, tolerance, scaled)) as solver:
        if not solver.accepted:
            return FloatAnswer(Ending.UNKNOWN, None, None, method, 0)
        return solver.run(method, control.remaining, (columns, rows), presolve="off")


def _basis(columns: Sequence[Place], rows: Sequence[Place]) -> highspy.HighsBasis:
    basis = highspy.HighsBasis()
    basis.col_status = [_STATUSES[place] for place in columns]
    basis.row_status = [_STATUSES[place] for place in rows]
    basis.valid = True
    return basis


def _float_program(program: LinearProgram, scaled: ScaledProgram) -> highspy.HighsLp:
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = program.num_columns, program.num_rows
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = scaled.costs
    lp.col_lower_, lp.col_upper_ = scaled.column_lower, scaled.column_upper
    lp.row_lower_, lp.row_upper_ = scaled.row_lower, scaled.row_upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.asarray(program.starts, dtype=np.int32)
    lp.a_matrix_.index_ = np.asarray(program.indices, dtype=np.int32)
    lp.a_matrix_.value_ = scaled.values
    return lp
