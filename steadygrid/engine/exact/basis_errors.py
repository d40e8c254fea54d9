"""Exact errors of a basis, for the refinement of `steadygrid.engine.solving.refinement`."""

from collections.abc import Sequence

from flint import fmpq, fmpz

from steadygrid.engine.exact.certificate import activities, reduced_costs
from steadygrid.engine.exact.vectors import Number, Vector
from steadygrid.engine.solving.program import Bound, LinearProgram
from steadygrid.engine.solving.refinement import Errors, Ratio


def errors_of(program: LinearProgram, solution: Vector, prices: Vector) -> Errors:
    """Say how far the solution of a basis is from all bounds, and what would improve it.

    Linear in the coefficients.

    Parameters
    ----------
    program
        With integer coefficients.
    solution
        By column, of the basis.
    prices
        By row, of the basis.
    """
    columns = solution.numerators
    rows = activities(program, columns)
    slopes = reduced_costs(program, program.costs, prices)
    size, price = solution.denominator, prices.denominator
    return Errors(
        slopes=[_ratio(slope, price) if slope else None for slope in slopes],
        row_slopes=[_ratio(number, price) if number else None for number in prices.numerators],
        below=_distances(program.column_lower, columns, size),
        above=_distances(program.column_upper, columns, size),
        row_below=_distances(program.row_lower, rows, size),
        row_above=_distances(program.row_upper, rows, size),
    )


def _distances(
    bounds: Sequence[Bound], numbers: Sequence[Number], denominator: fmpz
) -> list[Ratio]:
    distances: list[Ratio] = []
    for bound, number in zip(bounds, numbers, strict=True):
        if bound is None:
            distances.append(None)
        else:
            less = fmpq(bound.numerator, bound.denominator) * denominator - number
            distances.append(_ratio(less, denominator))
    return distances


def _ratio(number: Number, denominator: fmpz) -> tuple[int, int]:
    if isinstance(number, fmpz):
        return int(number), int(denominator)
    return int(number.p), int(number.q) * int(denominator)
