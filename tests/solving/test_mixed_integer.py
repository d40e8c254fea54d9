"""Branch and bound, in floating point."""

from fractions import Fraction

import pyomo.environ as pyo
import pytest

from app.domain.errors import SolverError
from workers.solving.control import Control, Interrupted
from workers.solving.mixed_integer import solve_mixed_integer


def knapsack(sense: int = pyo.maximize, sign: int = 1) -> pyo.ConcreteModel:
    model = pyo.ConcreteModel()
    model.taken = pyo.Var(range(4), domain=pyo.Binary)
    model.rest = pyo.Var(domain=pyo.NonNegativeReals, bounds=(0, 1))
    worth = [Fraction(9, 10), Fraction(8, 10), Fraction(7, 10), Fraction(1, 10)]
    model.worth = pyo.Objective(
        expr=sum(sign * w * model.taken[k] for k, w in enumerate(worth))
        + sign * Fraction(1, 3) * model.rest,
        sense=sense,
    )
    model.room = pyo.Constraint(
        expr=3 * model.taken[0] + 2 * model.taken[1] + 2 * model.taken[2] + model.rest <= 4
    )
    return model


@pytest.mark.parametrize(("sense", "sign"), [(pyo.maximize, 1), (pyo.minimize, -1)])
def test_integers_are_chosen_and_the_rest_is_continuous(sense: int, sign: int) -> None:
    model = knapsack(sense, sign)
    solution = solve_mixed_integer(model, Control())
    assert {k for k, v in solution.values_of(model.taken).items() if round(v)} == {1, 2, 3}
    assert solution.objective == pytest.approx(sign * 1.6)
    assert solution.bound == pytest.approx(sign * 1.6)


def test_a_program_without_solution_is_an_error_that_says_so() -> None:
    model = knapsack()
    model.more = pyo.Constraint(expr=model.taken[0] + model.taken[1] >= 3)
    with pytest.raises(SolverError, match="Infeasible"):
        solve_mixed_integer(model, Control())


def test_a_cancelled_or_late_search_is_interrupted() -> None:
    control = Control()
    control.cancel()
    with pytest.raises(Interrupted, match="cancelled"):
        solve_mixed_integer(knapsack(), control)
    with pytest.raises(Interrupted, match="time_limit"):
        solve_mixed_integer(knapsack(), Control(time_limit=0))
