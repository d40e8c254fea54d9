"""Linear relaxations that stay warm."""

from fractions import Fraction

import pyomo.core as pyo
import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime, SolverError
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.relaxation import Relaxation


def choice() -> pyo.ConcreteModel:
    """Two jobs on two machines; the longest total time is least."""
    model = pyo.ConcreteModel()
    model.longest = pyo.Var(domain=pyo.NonNegativeReals)
    model.placed = pyo.Var([(k, i) for k in range(2) for i in range(2)], domain=pyo.Binary)
    model.goal = pyo.Objective(expr=model.longest)
    model.whole = pyo.Constraint(range(2), rule=lambda m, k: m.placed[k, 0] + m.placed[k, 1] == 1)
    model.busy = pyo.Constraint(
        range(2),
        rule=lambda m, i: m.longest - Fraction(1 + i, 2) * (m.placed[0, i] + m.placed[1, i]) >= 0,
    )
    return model


def test_integers_may_take_any_value_and_the_prices_add_up_to_the_optimum() -> None:
    model = choice()
    with Relaxation(model, Control()) as relaxation:
        assert relaxation.solve()
        assert relaxation.value == pytest.approx(2 / 3)
        assert sum(relaxation.prices_of(model.busy).values()) == pytest.approx(1)
        assert min(relaxation.prices_of(model.busy).values()) > 0
        assert sum(relaxation.prices_of(model.whole).values()) == pytest.approx(2 / 3)
        assert sum(relaxation.values_of(model.placed).values()) == pytest.approx(2)


def test_fixed_variables_stay_where_they_are_until_they_are_freed() -> None:
    model = choice()
    with Relaxation(model, Control()) as relaxation:
        relaxation.fix(model.placed[0, 1], 1)
        assert relaxation.solve()
        assert relaxation.value == pytest.approx(1)
        assert relaxation.values_of(model.placed)[0, 1] == pytest.approx(1)
        relaxation.bound(model.placed[0, 1], 0, 0.25)
        relaxation.fix(model.placed[1, 1], 0)
        assert relaxation.solve()
        assert relaxation.value == pytest.approx(7 / 8)
        relaxation.free(model.placed[0, 1])
        relaxation.free(model.placed[1, 1])
        assert relaxation.solve()
        assert relaxation.value == pytest.approx(2 / 3)


@pytest.mark.parametrize("solved_before", [False, True])
def test_what_is_infeasible_is_so_until_a_bound_is_freed(solved_before: bool) -> None:
    model = choice()
    with Relaxation(model, Control()) as relaxation:
        if solved_before:
            assert relaxation.solve()
        relaxation.bound(model.longest, 0, 0.5)
        assert not relaxation.solve()
        relaxation.free(model.longest)
        assert relaxation.solve()


def test_a_constraint_can_be_given_another_bound() -> None:
    model = choice()
    with Relaxation(model, Control()) as relaxation:
        relaxation.limit(model.whole[0], 0, None)
        assert relaxation.solve()
        assert relaxation.value == pytest.approx(1 / 3)


def test_a_cancelled_or_late_solve_is_interrupted() -> None:
    control = Control()
    with Relaxation(choice(), control) as relaxation:
        control.cancel()
        with pytest.raises(Cancelled):
            relaxation.solve()
    with pytest.raises(Cancelled):
        Relaxation(choice(), control)
    with pytest.raises(OutOfTime):
        Relaxation(choice(), Control(time_limit=0))


def test_numbers_that_are_lost_in_double_precision_are_refused() -> None:
    model = choice()
    model.tiny = pyo.Constraint(expr=Fraction(1, 10**14) * model.longest <= 1)
    with pytest.raises(SolverError, match="numbers"):
        Relaxation(model, Control())


def test_a_relaxation_without_an_optimum_is_an_error() -> None:
    model = choice()
    model.goal.set_value(-model.longest)
    with Relaxation(model, Control()) as relaxation, pytest.raises(SolverError, match="Unbounded"):
        relaxation.solve()
