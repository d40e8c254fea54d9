"""HiGHS: the only place that runs it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import highspy
import numpy as np

from app.domain.errors import SolverError
from workers.solving.control import Control, Interrupted
from workers.solving.program import LinearProgram
from workers.solving.scaling import Floats, scale

Method = Literal["primal simplex", "dual simplex", "ipm"]

TOLERANCE = 1e-9
"""Of feasibility and optimality, in the scaled program."""
SIMPLEX_BUDGET = 1.0
"""Seconds that the simplex method gets before the interior point method is tried."""
SIMPLEX_BUDGET_PER_NONZERO = 2e-5
"""Seconds more per coefficient."""


class OutOfTime(Interrupted):
    """The time limit struck inside HiGHS, which held these dual values by row (or none)."""

    def __init__(self, row_duals: Floats | None) -> None:
        super().__init__("time_limit")
        self.row_duals = row_duals


class Ending(StrEnum):
    """What the solver claims; nothing here is proved."""

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
_OPTIONS: dict[Method, dict[str, str | int]] = {
    "primal simplex": {"solver": "simplex", "simplex_strategy": 4},
    "dual simplex": {"solver": "simplex", "simplex_strategy": 1},
    "ipm": {"solver": "ipm"},
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
        The basis: the place of each column and of each row; None where there is none.
    method
        Who found it.
    iterations
        Simplex, interior point and crossover iterations together.
    """

    ending: Ending
    columns: list[Place] | None
    rows: list[Place] | None
    method: Method
    iterations: int


def run_highs(
    program: LinearProgram, control: Control, *, tolerance: float = TOLERANCE, presolve: bool = True
) -> FloatAnswer:
    """Solve a program in floating point, for its basis.

    The simplex method goes first, for a time in proportion to the program: primal where all
    activities at rest are within their bounds, dual elsewhere. Then the interior point method
    with crossover, then the other simplex method, each for half of the time left. (On platforms
    of 1,000 processors the primal method needs 0.05 seconds, the interior point method half a
    second, the dual method from 3 to more than 90 seconds; on other programs it is the other way
    round.)

    Raises
    ------
    Interrupted
        `OutOfTime` on the time limit, with the dual values that there are; when cancelled.
    SolverError
        If HiGHS refuses the program.
    """
    solver = _Solver(program, tolerance, presolve)
    budget = SIMPLEX_BUDGET + SIMPLEX_BUDGET_PER_NONZERO * len(program.values)
    first, last = _simplex_order(program)
    answer = solver.run(first, min(budget, control.remaining / 2), control)
    if answer.ending == Ending.UNKNOWN:
        answer = solver.run("ipm", control.remaining / 2, control)
    if answer.ending == Ending.UNKNOWN:
        answer = solver.run(last, control.remaining, control)
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
    """A HiGHS instance that holds one program."""

    def __init__(self, program: LinearProgram, tolerance: float, presolve: bool) -> None:
        self._scaled = scaled = scale(program)
        self._highs = highs = highspy.Highs()
        for option, value in {
            "output_flag": False,
            "threads": 1,
            "primal_feasibility_tolerance": tolerance,
            "dual_feasibility_tolerance": tolerance,
            "small_matrix_value": 1e-12,
            "presolve": "on" if presolve else "off",
        }.items():
            if highs.setOptionValue(option, value) != highspy.HighsStatus.kOk:
                raise SolverError(f"HiGHS refuses {option} = {value}")
        highs.HandleUserInterrupt = True
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
        if highs.passModel(lp) != highspy.HighsStatus.kOk:
            raise SolverError("HiGHS does not take the program as it is")

    def run(self, method: Method, budget: float, control: Control) -> FloatAnswer:
        highs = self._highs
        for option, value in _OPTIONS[method].items():
            highs.setOptionValue(option, value)
        highs.setOptionValue("time_limit", highs.getRunTime() + min(budget, control.remaining))
        highs.clearSolver()
        with control.attached(highs):
            status = highs.run()
        model_status = highs.getModelStatus()
        info = highs.getInfo()
        if control.cancelled:
            raise Interrupted("cancelled")
        if control.remaining <= 0:
            raise OutOfTime(self._duals())
        iterations = sum(
            max(0, count)
            for count in (
                info.simplex_iteration_count,
                info.ipm_iteration_count,
                info.crossover_iteration_count,
            )
        )
        control.progress(iterations=iterations)
        ending = _ENDINGS.get(model_status, Ending.UNKNOWN)
        if status == highspy.HighsStatus.kError:
            ending = Ending.UNKNOWN
        basis = highs.getBasis()
        if not basis.valid:
            return FloatAnswer(
                ending if ending != Ending.OPTIMAL else Ending.UNKNOWN,
                None,
                None,
                method,
                iterations,
            )
        return FloatAnswer(
            ending,
            [_PLACES[place] for place in basis.col_status],
            [_PLACES[place] for place in basis.row_status],
            method,
            iterations,
        )

    def _duals(self) -> Floats | None:
        solution = self._highs.getSolution()
        if not solution.dual_valid:
            return None
        return self._scaled.duals(np.array(solution.row_dual))
