"""A better basis from the exact errors of one that is only nearly optimal."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import frexp, inf

import numpy as np

from workers.solving.control import Control
from workers.solving.highs import TOLERANCE, FloatAnswer, Place, run_from
from workers.solving.program import LinearProgram
from workers.solving.scaling import Exponents, Floats, ScaledProgram, scale

LARGEST_BOUND = 1e15
"""Bounds farther away, in the magnified program, are left out."""
LEADING = 80
"""Leading bits of integers that make a float."""
MOST = 2.0**200
"""Largest magnification."""


Ratio = tuple[int, int] | None
"""Numerator and positive denominator; None: not there, or nothing."""


@dataclass(frozen=True, eq=False)
class Errors:
    """Where an exact basic solution stands, in ratios of two integers, not in lowest terms.

    Attributes
    ----------
    slopes, row_slopes
        What the objective gains per unit of a column (the reduced cost) and of the activity of a
        row (the price); None for nothing.
    below, above, row_below, row_above
        Lower and upper bound less the value, by column and by row; None where there is none.
    """

    slopes: Sequence[Ratio]
    row_slopes: Sequence[Ratio]
    below: Sequence[Ratio]
    above: Sequence[Ratio]
    row_below: Sequence[Ratio]
    row_above: Sequence[Ratio]


def refine(
    program: LinearProgram,
    control: Control,
    columns: Sequence[Place],
    rows: Sequence[Place],
    errors: Errors,
) -> FloatAnswer:
    r"""Solve for the correction of a basic solution, magnified, from its own basis.

    With the exact x and y of a basis, and s the activities of the rows, it is

    .. math::
        \max\; \Delta_d ((c - y A) z + y s) \quad\text{s.t.}\quad A z - s = 0,\;
        \Delta_p (l - x) \le z \le \Delta_p (u - x),\;
        \Delta_p (L - A x) \le s \le \Delta_p (U - A x)

    The magnifications make the largest errors 1, so that the float solver sees what its
    tolerance hid. A basis of the one program is a basis of the other.

    Source: Gleixner, Steffy, Wolter: *Iterative refinement for linear programming*, INFORMS
    Journal on Computing 28(3), 2016. Here x and y are exact for their basis already, and only
    the basis of the correction is used.
    """
    scaled, improvable = _magnified(program, errors)
    wide = _with_activities(program)
    answer = run_from(
        wide,
        scaled,
        control,
        [*columns, *rows],
        [Place.LOWER] * program.num_rows,
        tolerance=TOLERANCE,
        primal=improvable,
    )
    if answer.columns is None:
        return answer
    count = program.num_columns
    return FloatAnswer(
        answer.ending,
        answer.columns[:count],
        answer.columns[count:],
        answer.method,
        answer.iterations,
    )


def _with_activities(program: LinearProgram) -> LinearProgram:
    """Give a program of the same rows with a column for the activity of each."""
    starts, indices, values = [0], [], []
    for row in range(program.num_rows):
        part = slice(program.starts[row], program.starts[row + 1])
        indices += [*program.indices[part], program.num_columns + row]
        values += [*program.values[part], -1]
        starts.append(len(indices))
    return LinearProgram(
        starts=starts,
        indices=indices,
        values=values,
        costs=[0] * (program.num_columns + program.num_rows),
        row_lower=[None] * program.num_rows,
        row_upper=[None] * program.num_rows,
        column_lower=[*program.column_lower, *program.row_lower],
        column_upper=[*program.column_upper, *program.row_upper],
        row_factors=program.row_factors,
        column_factors=[],
        cost_factor=1,
    )


def _magnified(program: LinearProgram, errors: Errors) -> tuple[ScaledProgram, bool]:
    own = scale(program)
    exponents = np.concatenate((own.column_exponents, -own.row_exponents))
    costs = _floats([*errors.slopes, *errors.row_slopes], 0.0, exponents)
    below = _floats([*errors.below, *errors.row_below], -inf, -exponents)
    above = _floats([*errors.above, *errors.row_above], inf, -exponents)
    # What rests at a bound is wrong where the objective gains by leaving it.
    wrong = np.where((costs > 0) & (above > 0) | (costs < 0) & (below < 0), np.abs(costs), 0.0)
    lacks = np.maximum(np.maximum(below, -above), 0.0)
    values = np.insert(own.values, np.asarray(program.starts[1:], dtype=np.int64), -1.0)
    costs = costs * _magnification(wrong)
    factor = _magnification(lacks)
    zeros = np.zeros(program.num_rows)
    return ScaledProgram(
        values=values,
        costs=costs,
        row_lower=zeros,
        row_upper=zeros,
        column_lower=_bounds(below * factor),
        column_upper=_bounds(above * factor),
        row_exponents=own.row_exponents,
        column_exponents=exponents,
        cost_exponent=0,
        size_exponent=0,
    ), bool(wrong.any())


def _magnification(errors: Floats) -> float:
    largest = float(errors.max(initial=0.0))
    return min(1 / largest, MOST) if largest else 1.0


def _bounds(values: Floats) -> Floats:
    return np.where(np.abs(values) > LARGEST_BOUND, np.copysign(inf, values), values)


def _floats(values: Sequence[Ratio], missing: float, exponents: Exponents) -> Floats:
    """Give values, each times a power of two, as floats."""
    mantissas = np.full(len(values), missing)
    shifts = np.zeros(len(values), dtype=np.int64)
    for place, value in enumerate(values):
        if value is not None:
            mantissas[place], shifts[place] = _split(*value)
    with np.errstate(over="ignore", under="ignore"):
        floats: Floats = np.ldexp(mantissas, shifts + exponents)
    return floats


def _split(numerator: int, denominator: int) -> tuple[float, int]:
    """Write a ratio of integers of any length as a float near 1 times a power of two."""
    above, below = (max(0, abs(n).bit_length() - LEADING) for n in (numerator, denominator))
    mantissa, exponent = frexp((numerator >> above) / (denominator >> below))
    return mantissa, exponent + above - below
