r"""Checking certificates of linear programs, in exact arithmetic and without any basis.

For every price vector y, weak duality bounds the program

.. math:: \max\; c x \quad\text{s.t.}\quad L \le A x \le U,\; l \le x \le u

by

.. math::
    \beta_c(y) = \sum_i \sup_{L_i \le s \le U_i} y_i s + \sum_j \sup_{l_j \le z \le u_j} d_j z,
    \qquad d = c - y A,

since :math:`c x = y A x + d x`. Hence three proofs, each checked in time linear in the
coefficients:

============== =======================================================================
optimal        x feasible, and :math:`c x = \beta_c(y)`
infeasible     :math:`\beta_0(y) < 0`: no x at all reaches an objective of 0 (Farkas)
unbounded      x feasible, and a direction that every bound lets go on, with c r > 0
============== =======================================================================
"""

from collections.abc import Sequence

from flint import fmpq, fmpz

from steadygrid.domain.errors import CertificationError
from steadygrid.engine.exact.vectors import Number, Vector, to_flint
from steadygrid.engine.solving.program import Bound, LinearProgram


def check_optimal(program: LinearProgram, solution: Vector, prices: Vector) -> fmpq:
    """Check that a solution is feasible and that the prices prove it optimal.

    Parameters
    ----------
    program
        With integer coefficients.
    solution
        By column.
    prices
        By row.

    Returns
    -------
    fmpq
        The optimal value.

    Raises
    ------
    CertificationError
        Naming what is wrong.
    """
    check_feasible(program, solution)
    value = fmpq(objective(program.costs, solution.numerators)) / solution.denominator
    bound = dual_bound(program, program.costs, prices)
    if bound is None:
        raise CertificationError("The prices prove no bound: a reduced cost has the wrong sign.")
    if bound != value:
        raise CertificationError("The prices prove another bound than the solution's value.")
    return value


def check_infeasible(program: LinearProgram, ray: Vector) -> None:
    """Check that a Farkas ray proves that no solution exists.

    Parameters
    ----------
    program
        With integer coefficients.
    ray
        By row.

    Raises
    ------
    CertificationError
        If it does not.
    """
    bound = dual_bound(program, [0] * program.num_columns, ray)
    if bound is None or bound >= 0:
        raise CertificationError("The ray does not separate the rows from their bounds.")


def check_unbounded(program: LinearProgram, solution: Vector, ray: Vector) -> None:
    """Check that from a feasible solution the objective grows for ever along a ray.

    Parameters
    ----------
    program
        With integer coefficients.
    solution
        By column.
    ray
        A direction, by column.

    Raises
    ------
    CertificationError
        If the solution is infeasible, or the ray leaves the program or does not improve.
    """
    check_feasible(program, solution)
    if objective(program.costs, ray.numerators) <= 0:
        raise CertificationError("The ray does not improve the objective.")
    steps = activities(program, ray.numerators)
    for kind, moves, lower, upper in (
        ("row", steps, program.row_lower, program.row_upper),
        ("column", ray.numerators, program.column_lower, program.column_upper),
    ):
        for place, move in enumerate(moves):
            if (move > 0 and upper[place] is not None) or (move < 0 and lower[place] is not None):
                raise CertificationError(f"The ray runs into the bound of {kind} {place}.")


def check_feasible(program: LinearProgram, solution: Vector) -> None:
    """Check all bounds of rows and columns.

    Parameters
    ----------
    program
        With integer coefficients.
    solution
        By column.

    Raises
    ------
    CertificationError
        Naming the first bound that is broken.
    """
    if len(solution) != program.num_columns or solution.denominator <= 0:
        raise CertificationError("The solution does not have the program's shape.")
    _check_bounds(
        "column",
        solution.numerators,
        solution.denominator,
        program.column_lower,
        program.column_upper,
    )
    _check_bounds(
        "row",
        activities(program, solution.numerators),
        solution.denominator,
        program.row_lower,
        program.row_upper,
    )


def dual_bound(program: LinearProgram, costs: Sequence[int], prices: Vector) -> fmpq | None:
    r"""Give :math:`\beta_c(y)`, or None where it is infinite and bounds nothing.

    Parameters
    ----------
    program
        With integer coefficients.
    costs
        c, by column; integers.
    prices
        y, by row.

    Raises
    ------
    CertificationError
        If there is not one price per row.
    """
    if len(prices) != program.num_rows or prices.denominator <= 0:
        raise CertificationError("The prices do not have the program's shape.")
    reduced = reduced_costs(program, costs, prices)
    of_rows = _supremum(prices.numerators, program.row_lower, program.row_upper)
    of_columns = _supremum(reduced, program.column_lower, program.column_upper)
    if of_rows is None or of_columns is None:
        return None
    return (of_rows + of_columns) / prices.denominator


def objective(costs: Sequence[int], numerators: Sequence[Number]) -> Number:
    """Give c x, on the denominator of x.

    Parameters
    ----------
    costs
        c, by column; integers.
    numerators
        Of x, by column.
    """
    total: Number = fmpz(0)
    for cost, number in zip(costs, numerators, strict=True):
        if cost:
            total += number * cost
    return total


def activities(program: LinearProgram, numerators: Sequence[Number]) -> list[Number]:
    """Give A x, on the denominator of x.

    Parameters
    ----------
    program
        With integer coefficients; it gives A.
    numerators
        Of x, by column.
    """
    starts, indices, values = program.starts, program.indices, program.values
    sums: list[Number] = []
    for row in range(program.num_rows):
        total: Number = fmpz(0)
        for place in range(starts[row], starts[row + 1]):
            number = numerators[indices[place]]
            if number:
                total += number * values[place]
        sums.append(total)
    return sums


def reduced_costs(program: LinearProgram, costs: Sequence[int], prices: Vector) -> list[Number]:
    """Give c - y A, on the denominator of y.

    Parameters
    ----------
    program
        With integer coefficients; it gives A.
    costs
        c, by column; integers.
    prices
        y, by row.
    """
    starts, indices, values = program.starts, program.indices, program.values
    reduced: list[Number] = [prices.denominator * cost for cost in costs]
    for row, price in enumerate(prices.numerators):
        if price:
            for place in range(starts[row], starts[row + 1]):
                reduced[indices[place]] -= price * values[place]
    return reduced


def _check_bounds(
    kind: str,
    numerators: Sequence[Number],
    denominator: fmpz,
    lower: Sequence[Bound],
    upper: Sequence[Bound],
) -> None:
    for place, number in enumerate(numerators):
        low, high = lower[place], upper[place]
        if low is not None and number * low.denominator < denominator * low.numerator:
            raise CertificationError(f"The solution is below the lower bound of {kind} {place}.")
        if high is not None and number * high.denominator > denominator * high.numerator:
            raise CertificationError(f"The solution is above the upper bound of {kind} {place}.")


def _supremum(
    slopes: Sequence[Number], lower: Sequence[Bound], upper: Sequence[Bound]
) -> fmpq | None:
    """Give the largest sum of slope times value within the bounds. None if infinite."""
    total: Number = fmpz(0)
    for place, slope in enumerate(slopes):
        if not slope:
            continue
        bound = upper[place] if slope > 0 else lower[place]
        if bound is None:
            return None
        total += slope * (bound.numerator if bound.denominator == 1 else to_flint(bound))
    return fmpq(total)
