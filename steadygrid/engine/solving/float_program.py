"""An exact program with its own coefficients in double precision, unscaled."""

from math import inf

import highspy
import numpy as np

from steadygrid.engine.solving.reading import ReadModel


def double_program(read: ReadModel, *, relaxed: bool = False) -> highspy.HighsLp:
    """Write a program for HiGHS.

    Parameters
    ----------
    read
        The program; what its variables are (integer or not) comes from the Pyomo model.
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
