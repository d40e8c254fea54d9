"""A better basis from the exact errors of one that is only nearly optimal."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import frexp, inf

import numpy as np
import numpy.typing as npt

from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.highs import TOLERANCE, FloatAnswer, Place, run_from
from steadygrid.engine.solving.program import LinearProgram
from steadygrid.engine.solving.scaling import Exponents, Floats, ScaledProgram, scale

FAR = 2.0**30
"""Magnified bounds, and slopes of the right sign, from here on are as good as infinite."""
LEADING = 80
"""Leading bits of integers that make a float."""

Ratio = tuple[int, int] | None
"""Numerator and positive denominator. None: not there, or nothing."""


@dataclass(frozen=True, eq=False)
class Errors:
    """Where an exact basic solution stands, in ratios of two integers, not in lowest terms.

    Attributes
    ----------
    slopes, row_slopes
        What the objective gains per unit of a column (the reduced cost) and of the activity of a
        row (the price). None for nothing.
    below, above, row_below, row_above
        Lower and upper bound less the value, by column and by row. None if there is none.
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
    tolerance hid. A basis of the one program is a basis of the other. One error goes at a time:
    where the objective still gains, the primal method starts from x as if it were within its
    bounds (:math:`\Delta_p = 1`). What has a slope that is far too large to enter stays. Else,
    with :math:`\Delta_d = 1`, the dual method brings back what is outside, without the
    bounds that are too far away to matter. Both at once would let a gain as small as
    1e-17 move for ever in a program magnified 1e17 times.

    Source: Gleixner, Steffy, Wolter: *Iterative refinement for linear programming*, INFORMS
    Journal on Computing 28(3), 2016. Here x and y are exact for their basis already, and only
    the basis of the correction is used.

    Parameters
    ----------
    program
        With integer coefficients.
    control
        Deadline and cancellation.
    columns, rows
        Where each variable is in the basis: basic, or at which bound.
    errors
        How far the basic solution is from all bounds, and what would improve it.
    """
    own = scale(program)
    exponents = np.concatenate((own.column_exponents, -own.row_exponents))
    costs = _split_all([*errors.slopes, *errors.row_slopes], 0.0, exponents)
    below = _split_all([*errors.below, *errors.row_below], -inf, -exponents)
    above = _split_all([*errors.above, *errors.row_above], inf, -exponents)
    # What rests at a bound is wrong where the objective gains by leaving it.
    wrong = (costs.mantissas > 0) & (above.mantissas > 0)
    wrong |= (costs.mantissas < 0) & (below.mantissas < 0)
    primal = bool(wrong.any())
    stays = np.zeros(len(exponents), dtype=np.bool_)
    if primal:
        slopes = costs.floats(-max(costs.largest(wrong)))
        low, high = np.minimum(below.floats(0), 0.0), np.maximum(above.floats(0), 0.0)
        stays = np.abs(slopes) > FAR
        slopes[stays] = low[stays] = high[stays] = 0.0
    else:
        slopes = costs.floats(0)
        lacks = below.largest(below.mantissas > 0) + above.largest(above.mantissas < 0)
        shift = -max(lacks, default=0)
        low, high = below.floats(shift), above.floats(shift)
        low[low < -FAR], high[high > FAR] = -inf, inf
    zeros = np.zeros(program.num_rows)
    answer = run_from(
        _with_activities(program),
        ScaledProgram(
            values=np.insert(own.values, np.asarray(program.starts[1:], dtype=np.int64), -1.0),
            costs=slopes,
            row_lower=zeros,
            row_upper=zeros,
            column_lower=low,
            column_upper=high,
            row_exponents=own.row_exponents,
            column_exponents=exponents,
            cost_exponent=0,
            size_exponent=0,
        ),
        control,
        [*columns, *rows],
        [Place.LOWER] * program.num_rows,
        tolerance=TOLERANCE,
        primal=primal,
    )
    if answer.columns is None:
        return answer
    places = [
        before if fixed and after != Place.BASIC else after
        for before, after, fixed in zip(
            [*columns, *rows], answer.columns, stays.tolist(), strict=True
        )
    ]
    count = program.num_columns
    return FloatAnswer(
        answer.ending, places[:count], places[count:], answer.method, answer.iterations
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


@dataclass(frozen=True, eq=False)
class _Split:
    """Numbers as mantissas, near 1 or 0 or infinite, times powers of two of any size."""

    mantissas: Floats
    exponents: Exponents

    def floats(self, shift: int) -> Floats:
        """Give the numbers, times a power of two, as floats."""
        with np.errstate(over="ignore", under="ignore"):
            floats: Floats = np.ldexp(self.mantissas, self.exponents + shift)
        return floats

    def largest(self, chosen: npt.NDArray[np.bool_]) -> list[int]:
        """Give the exponent of the largest of the numbers that are chosen, if any are."""
        return [int(self.exponents[chosen].max())] if chosen.any() else []


def _split_all(values: Sequence[Ratio], missing: float, exponents: Exponents) -> _Split:
    """Split values, each times a power of two."""
    mantissas = np.full(len(values), missing)
    shifts = np.zeros(len(values), dtype=np.int64)
    for place, value in enumerate(values):
        if value is not None:
            mantissas[place], shifts[place] = _split(*value)
    return _Split(mantissas, shifts + exponents)


def _split(numerator: int, denominator: int) -> tuple[float, int]:
    """Write a ratio of integers of any length as a float near 1 times a power of two."""
    above, below = (max(0, abs(n).bit_length() - LEADING) for n in (numerator, denominator))
    mantissa, exponent = frexp((numerator >> above) / (denominator >> below))
    return mantissa, exponent + above - below
