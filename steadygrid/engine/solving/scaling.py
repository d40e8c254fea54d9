"""Scaling by powers of two: what lets a float solver see coefficients of 1e-30 and of 1e30."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import frexp, inf

import numpy as np
import numpy.typing as npt

from steadygrid.domain.rounding import magnitude
from steadygrid.engine.solving.program import Bound, LinearProgram

Floats = npt.NDArray[np.float64]
Exponents = npt.NDArray[np.int64]

SMALLEST = 1e-9
"""HiGHS drops coefficients of this size and below."""
LARGEST_EXPONENT = 40
"""Of coefficients: HiGHS refuses those from 1e15 on."""
LARGEST_CONTINUOUS_EXPONENT = 20
"""Of coefficients of columns that need not be whole: their values are rounded, and what is rounded
must stay within the solver's tolerance."""
PASSES = 4
"""Sweeps over rows and columns; more change little."""
SIDE_WEIGHT = 0.5
"""What a bound or a cost counts, against 1 for a coefficient: HiGHS refuses only the latter."""


@dataclass(frozen=True, eq=False)
class ScaledProgram:
    r"""A program in floats, whose numbers are those of the exact one times powers of two.

    With exponents r of rows, k of columns, s of the variables and t of the objective,

    .. math::
        \tilde a_{ij} = 2^{r_i + k_j} a_{ij}, \quad \tilde c_j = 2^{k_j + t} c_j, \quad
        x_j = 2^{k_j + s} \tilde x_j, \quad y_i = 2^{r_i - t} \tilde y_i .

    A basis of the one is a basis of the other.
    """

    values: Floats
    costs: Floats
    row_lower: Floats
    row_upper: Floats
    column_lower: Floats
    column_upper: Floats
    row_exponents: Exponents
    column_exponents: Exponents
    cost_exponent: int
    size_exponent: int

    def columns(self, scaled: Floats) -> Floats:
        """Give the exact program's solution, as floats, from that of the scaled one."""
        with np.errstate(over="ignore", under="ignore"):
            values: Floats = np.ldexp(scaled, self.column_exponents + self.size_exponent)
        return values

    def duals(self, scaled: Floats) -> Floats:
        """Give the exact program's dual values, as floats, from those of the scaled one."""
        return np.ldexp(scaled, self.row_exponents - self.cost_exponent)


def scale(program: LinearProgram) -> ScaledProgram:
    r"""Scale a program geometrically by powers of two.

    Rows and columns of the matrix :math:`\begin{pmatrix} A & b \\ c & \cdot \end{pmatrix}`
    alternately get the power of two that brings the weighted mean of their logarithms to 0
    (the least squares of Curtis and Reid, 1972, by successive sweeps).

    Notes
    -----
    Linear in the coefficients per sweep. Each float is the exact coefficient, rounded once.
    """
    rows = np.repeat(np.arange(program.num_rows), np.diff(np.asarray(program.starts)))
    columns = np.asarray(program.indices, dtype=np.int64)
    mantissas, exponents = _split(program.values)
    costs, cost_exponents = _split(program.costs)
    lower, lower_exponents = _split_bounds(program.row_lower, -inf)
    upper, upper_exponents = _split_bounds(program.row_upper, inf)
    floor, floor_exponents = _split_bounds(program.column_lower, -inf)
    ceiling, ceiling_exponents = _split_bounds(program.column_upper, inf)

    last_row, last_column = program.num_rows, program.num_columns
    priced, bounded_below, bounded_above = (
        np.flatnonzero(costs),
        np.flatnonzero(np.isfinite(lower) & (lower != 0)),
        np.flatnonzero(np.isfinite(upper) & (upper != 0)),
    )
    row_exponents, column_exponents = _balance(
        np.concatenate((rows, np.full(len(priced), last_row), bounded_below, bounded_above)),
        np.concatenate(
            (
                columns,
                priced,
                np.full(len(bounded_below) + len(bounded_above), last_column),
            )
        ),
        np.concatenate(
            (
                exponents + np.log2(np.abs(mantissas)),
                cost_exponents[priced] + np.log2(np.abs(costs[priced])),
                lower_exponents[bounded_below] + np.log2(np.abs(lower[bounded_below])),
                upper_exponents[bounded_above] + np.log2(np.abs(upper[bounded_above])),
            )
        ),
        last_row + 1,
        last_column + 1,
    )
    cost_exponent = int(row_exponents[last_row])
    size = -int(column_exponents[last_column])
    row_exponents, column_exponents = row_exponents[:-1], column_exponents[:-1]
    with np.errstate(over="ignore", under="ignore"):
        return ScaledProgram(
            values=np.ldexp(mantissas, exponents + row_exponents[rows] + column_exponents[columns]),
            costs=np.ldexp(costs, cost_exponents + column_exponents + cost_exponent),
            row_lower=np.ldexp(lower, lower_exponents + row_exponents - size),
            row_upper=np.ldexp(upper, upper_exponents + row_exponents - size),
            column_lower=np.ldexp(floor, floor_exponents - column_exponents - size),
            column_upper=np.ldexp(ceiling, ceiling_exponents - column_exponents - size),
            row_exponents=row_exponents,
            column_exponents=column_exponents,
            cost_exponent=cost_exponent,
            size_exponent=size,
        )


@dataclass(frozen=True, eq=False)
class RowScaledProgram:
    r"""A program in floats whose columns keep the model's units, so that integers stay whole.

    With exponents r of the rows, and :math:`\rho, \kappa` as in `LinearProgram`,

    .. math::
        \tilde a_{ij} = 2^{r_i} a_{ij} / \kappa_j = 2^{r_i} \rho_i \bar a_{ij}, \quad
        \tilde c_j = \bar c_j, \quad \tilde x_j = \bar x_j .

    A coefficient that is still so small that HiGHS would drop it is left out, and the bounds of
    its row are moved by the most that its term can be. What solves the exact program solves this
    one, and a bound of this one is a bound of the exact one.
    """

    starts: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int64]
    values: Floats
    costs: Floats
    row_lower: Floats
    row_upper: Floats
    column_lower: Floats
    column_upper: Floats


def scale_rows(program: LinearProgram, whole: npt.NDArray[np.bool_]) -> RowScaledProgram:
    """Scale the rows of a program by powers of two, so that the mean of their logarithms is 0.

    That is `scale` with all columns held. A solver's tolerance is one of rows. Where a row has
    columns that are not whole, such as a time, the largest coefficient of these is 1 at least. So
    the tolerance of these columns does not grow, and is no more than their own rounding allows.

    Parameters
    ----------
    whole
        By column, whether it is an integer.
    """
    factors = program.column_factors
    columns = np.asarray(program.indices, dtype=np.int64)
    starts = np.asarray(program.starts, dtype=np.int64)
    rows = np.repeat(np.arange(program.num_rows), np.diff(starts))
    if any(factor != 1 for factor in factors):
        pairs = [
            _split_fraction(Fraction(value) / factors[column])
            for value, column in zip(program.values, program.indices, strict=True)
        ]
        mantissas = np.array([mantissa for mantissa, _ in pairs], dtype=np.float64)
        exponents = np.array([exponent for _, exponent in pairs], dtype=np.int64)
    else:
        mantissas, exponents = _split(program.values)
    logarithms = np.asarray(exponents + np.log2(np.abs(mantissas)), dtype=np.float64)
    of_rows = _row_exponents(rows, logarithms, whole[columns], program.num_rows)
    lower, lower_exponents = _split_bounds(program.row_lower, -inf)
    upper, upper_exponents = _split_bounds(program.row_upper, inf)
    floor, ceiling = (
        np.array(
            [missing if b is None else float(b * k) for b, k in zip(bounds, factors, strict=True)]
        )
        for bounds, missing in ((program.column_lower, -inf), (program.column_upper, inf))
    )
    with np.errstate(over="ignore", under="ignore"):
        values = np.ldexp(mantissas, exponents + of_rows[rows])
        lower = np.ldexp(lower, lower_exponents + of_rows)
        upper = np.ldexp(upper, upper_exponents + of_rows)
    kept = np.abs(values) > SMALLEST
    for place in np.flatnonzero(~kept):
        ends = (floor[columns[place]], ceiling[columns[place]])
        least, most = sorted(float(values[place] * end) if values[place] else 0.0 for end in ends)
        lower[rows[place]] -= most
        upper[rows[place]] -= least
    return RowScaledProgram(
        starts=np.concatenate(
            ([0], np.cumsum(np.bincount(rows[kept], minlength=program.num_rows)))
        ),
        indices=columns[kept],
        values=values[kept],
        costs=np.array(
            [
                float(cost / (program.cost_factor * factor)) if cost else 0.0
                for cost, factor in zip(program.costs, factors, strict=True)
            ]
        ),
        row_lower=lower,
        row_upper=upper,
        column_lower=floor,
        column_upper=ceiling,
    )


def _row_exponents(
    rows: npt.NDArray[np.int64],
    logarithms: Floats,
    whole: npt.NDArray[np.bool_],
    num_rows: int,
) -> Exponents:
    lengths = np.maximum(np.bincount(rows, minlength=num_rows), 1)
    found = -np.bincount(rows, logarithms, num_rows) / lengths
    largest = np.full(num_rows, -inf)
    np.maximum.at(largest, rows[~whole], logarithms[~whole])
    found = np.maximum(found, np.where(np.isfinite(largest), -largest, -inf))
    found = np.minimum(
        found, np.where(np.isfinite(largest), LARGEST_CONTINUOUS_EXPONENT - largest, inf)
    )
    largest = np.full(num_rows, -inf)
    np.maximum.at(largest, rows, logarithms)
    found = np.minimum(found, np.where(np.isfinite(largest), LARGEST_EXPONENT - largest, 0.0))
    return np.rint(found).astype(np.int64)


def _balance(
    rows: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int64],
    logarithms: Floats,
    num_rows: int,
    num_columns: int,
) -> tuple[Exponents, Exponents]:
    weights = np.where((rows == num_rows - 1) | (columns == num_columns - 1), SIDE_WEIGHT, 1.0)
    row_weights = np.maximum(np.bincount(rows, weights, num_rows), SIDE_WEIGHT)
    column_weights = np.maximum(np.bincount(columns, weights, num_columns), SIDE_WEIGHT)
    of_rows = np.zeros(num_rows)
    of_columns = np.zeros(num_columns)
    for _ in range(PASSES):
        levelled = weights * (logarithms + of_columns[columns])
        of_rows = -np.bincount(rows, levelled, num_rows) / row_weights
        levelled = weights * (logarithms + of_rows[rows])
        of_columns = -np.bincount(columns, levelled, num_columns) / column_weights
    return np.rint(of_rows).astype(np.int64), np.rint(of_columns).astype(np.int64)


def _split(values: Sequence[int]) -> tuple[Floats, Exponents]:
    """Write integers of any size as mantissa times a power of two."""
    try:
        mantissas, exponents = np.frexp(np.array(values, dtype=np.float64))
    except OverflowError:
        pairs = [_split_fraction(value) for value in values]
        mantissas = np.array([mantissa for mantissa, _ in pairs], dtype=np.float64)
        exponents = np.array([exponent for _, exponent in pairs], dtype=np.int64)
    return mantissas, exponents.astype(np.int64)


def _split_bounds(bounds: Sequence[Bound], missing: float) -> tuple[Floats, Exponents]:
    split: dict[Bound, tuple[float, int]] = {None: (missing, 0)}
    for bound in bounds:
        if bound not in split:
            split[bound] = _split_fraction(bound)  # type: ignore[arg-type]
    return (
        np.array([split[bound][0] for bound in bounds], dtype=np.float64),
        np.array([split[bound][1] for bound in bounds], dtype=np.int64),
    )


def _split_fraction(value: Fraction | int) -> tuple[float, int]:
    shift = magnitude(value)
    near_one = Fraction(value.numerator << max(0, -shift), value.denominator << max(0, shift))
    mantissa, exponent = frexp(float(near_one))
    return mantissa, exponent + shift
