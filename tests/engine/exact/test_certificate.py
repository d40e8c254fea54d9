"""Each condition of a proof, broken once."""

from dataclasses import replace
from fractions import Fraction

import pytest
from flint import fmpq, fmpz

from steadygrid.domain.errors import CertificationError
from steadygrid.engine.exact.certificate import (
    check_feasible,
    check_infeasible,
    check_optimal,
    check_unbounded,
    dual_bound,
)
from steadygrid.engine.exact.vectors import Vector
from steadygrid.engine.solving.program import LinearProgram

F = Fraction


def _vector(numerators, denominator=1):
    return Vector([fmpz(n) for n in numerators], fmpz(denominator))


# max 2a + b   s.t.   a + 2b <= 3,   1/2 <= a - b <= 2,   0 <= a <= 5/2,   b >= 0
PROGRAM = LinearProgram(
    starts=[0, 2, 4],
    indices=[0, 1, 0, 1],
    values=[1, 2, 1, -1],
    costs=[2, 1],
    row_lower=[None, F(1, 2)],
    row_upper=[F(3), F(2)],
    column_lower=[F(0), F(0)],
    column_upper=[F(5, 2), None],
    row_factors=[1, 1],
    column_factors=[1, 1],
    cost_factor=1,
)
SOLUTION = _vector([7, 1], 3)
PRICES = _vector([1, 1])


def test_the_proof_of_an_optimum_is_accepted_and_gives_its_value():
    assert check_optimal(PROGRAM, SOLUTION, PRICES) == 5


def test_numerators_may_themselves_be_rational():
    solution = Vector([fmpq(7, 3), fmpq(1, 3)], fmpz(1))
    prices = Vector([fmpq(1, 2), fmpq(1, 2)], fmpz(1))
    assert check_optimal(PROGRAM, solution, Vector([2 * p for p in prices], fmpz(1))) == 5


@pytest.mark.parametrize(
    ("solution", "why"),
    [
        (_vector([-1, 0]), "below the lower bound of column 0"),
        (_vector([3, 1]), "above the upper bound of column 0"),
        (_vector([2, -1]), "below the lower bound of column 1"),
        (_vector([2, 1]), "above the upper bound of row 0"),
        (_vector([1, 1]), "below the lower bound of row 1"),
        (_vector([9, 0], 4), "above the upper bound of row 1"),
        (_vector([1]), "shape"),
        (_vector([1, 1, 1]), "shape"),
        (_vector([-7, -1], -3), "shape"),
    ],
)
def test_a_solution_outside_its_bounds_is_refused(solution, why):
    with pytest.raises(CertificationError, match=why):
        check_optimal(PROGRAM, solution, PRICES)


def test_a_feasible_solution_that_is_not_best_is_refused():
    check_feasible(PROGRAM, _vector([1, 0]))
    with pytest.raises(CertificationError, match="another bound"):
        check_optimal(PROGRAM, _vector([1, 0]), PRICES)


@pytest.mark.parametrize(
    ("prices", "why"),
    [
        (_vector([2, 1]), "another bound"),
        (_vector([1, 2]), "wrong sign"),
        (_vector([-1, 1]), "wrong sign"),
        (_vector([0, 2]), "wrong sign"),
        (_vector([1]), "shape"),
        (_vector([-1, -1], -1), "shape"),
    ],
)
def test_prices_that_prove_less_are_refused(prices, why):
    with pytest.raises(CertificationError, match=why):
        check_optimal(PROGRAM, SOLUTION, prices)


def test_a_price_on_the_side_that_is_not_bounded_proves_nothing():
    assert dual_bound(PROGRAM, PROGRAM.costs, _vector([-1, 0])) is None
    # The reduced cost of b would need an upper bound.
    assert dual_bound(PROGRAM, PROGRAM.costs, _vector([0, 0])) is None
    # A negative price of the second row is worth its lower bound.
    assert dual_bound(PROGRAM, PROGRAM.costs, _vector([2, -1])) == 8


CONFLICT = replace(PROGRAM, row_upper=[F(-1), F(2)])


def test_a_farkas_ray_is_accepted():
    check_infeasible(CONFLICT, _vector([1, 0]))


@pytest.mark.parametrize("ray", [_vector([0, 0]), _vector([-1, 0]), _vector([1, 3])])
def test_a_ray_that_separates_nothing_is_refused(ray):
    with pytest.raises(CertificationError, match="does not separate"):
        check_infeasible(CONFLICT, ray)


# max a   s.t.   a - b <= 3,   a >= 1,   b free
OPEN = replace(
    PROGRAM,
    starts=[0, 2],
    indices=[0, 1],
    values=[1, -1],
    costs=[1, 0],
    row_lower=[None],
    row_upper=[F(3)],
    column_lower=[F(1), None],
    column_upper=[None, None],
    row_factors=[1],
)


def test_the_proof_of_unboundedness_is_accepted():
    check_unbounded(OPEN, _vector([1, 0]), _vector([1, 1]))


@pytest.mark.parametrize(
    ("program", "solution", "ray", "why"),
    [
        (OPEN, [0, 0], [1, 1], "below the lower bound of column 0"),
        (OPEN, [1, 0], [0, 1], "does not improve"),
        (OPEN, [1, 0], [-1, 0], "does not improve"),
        (OPEN, [1, 0], [1, 0], "runs into the bound of row 0"),
        (replace(OPEN, row_lower=[F(-9)]), [1, 0], [1, 2], "runs into the bound of row 0"),
        (replace(OPEN, column_upper=[F(9), None]), [1, 0], [1, 1], "the bound of column 0"),
        (replace(OPEN, costs=[-1, 0]), [1, 0], [-1, -1], "the bound of column 0"),
    ],
)
def test_a_ray_that_leads_nowhere_is_refused(program, solution, ray, why):
    with pytest.raises(CertificationError, match=why):
        check_unbounded(program, _vector(solution), _vector(ray))
