"""Branch and bound, in floating point."""

from fractions import Fraction

import pyomo.core as pyo
import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime, SolverError
from steadygrid.engine.solving import mixed_integer
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import (
    SearchTree,
    search_mixed_integer,
    solve_mixed_integer,
)


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
    with pytest.raises(Cancelled):
        solve_mixed_integer(knapsack(), control)
    with pytest.raises(OutOfTime):
        solve_mixed_integer(knapsack(), Control(time_limit=0))


def test_a_search_that_ends_early_is_not_said_to_be_late(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = SearchTree(None, 0.0, False, 1)
    monkeypatch.setattr(mixed_integer, "search_mixed_integer", lambda *_, **__: ended)
    with pytest.raises(SolverError, match="without an optimum"):
        solve_mixed_integer(knapsack(), Control())


def subset_sum(size: int = 60) -> pyo.ConcreteModel:
    """Takes longer than any test: every number is even, what they should sum to is odd."""
    model = pyo.ConcreteModel()
    model.taken = pyo.Var(range(size), domain=pyo.Binary, initialize=0)
    model.missing = pyo.Var(domain=pyo.NonNegativeReals, initialize=1)
    model.goal = pyo.Objective(expr=model.missing)
    numbers = [2 * ((7919 * k * k + 104729 * k) % 9973 + 10000) for k in range(size)]
    model.sum = pyo.Constraint(
        expr=sum(Fraction(n, 300001) * model.taken[k] for k, n in enumerate(numbers))
        + model.missing
        == 1
    )
    return model


def test_a_search_starts_from_the_values_that_the_variables_hold() -> None:
    model = knapsack()
    found: list[float] = []
    for index, value in enumerate([0, 1, 1, 0]):
        model.taken[index].set_value(value)
    tree = search_mixed_integer(
        model, Control(), warm=True, incumbent=lambda s: found.append(s.objective)
    )
    assert tree.proved
    assert found[0] == pytest.approx(1.5)
    assert tree.best is not None
    assert tree.best.objective == pytest.approx(1.6)


def test_a_search_whose_time_is_over_gives_the_best_so_far_and_its_bound() -> None:
    heard: list[tuple[float, int]] = []
    tree = search_mixed_integer(
        subset_sum(),
        Control(time_limit=1.2),
        warm=True,
        advance=lambda bound, nodes: heard.append((bound, nodes)),
    )
    assert tree.best is not None
    assert 0 < tree.best.objective <= 1
    assert tree.bound <= tree.best.objective
    assert not tree.proved
    assert tree.late
    assert heard


def test_a_search_that_is_cancelled_meanwhile_is_interrupted() -> None:
    control = Control()
    with pytest.raises(Cancelled):
        search_mixed_integer(subset_sum(), control, advance=lambda *_: control.cancel())


def test_what_the_listeners_raise_ends_the_search() -> None:
    def refuse(_: object) -> None:
        raise ArithmeticError("no")

    with pytest.raises(ArithmeticError):
        search_mixed_integer(subset_sum(), Control(), incumbent=refuse)


def test_options_that_highs_does_not_know_are_an_error() -> None:
    with pytest.raises(SolverError, match="no_such_option"):
        search_mixed_integer(knapsack(), Control(), options={"no_such_option": 1})


def test_numbers_beyond_what_the_solver_takes_are_refused() -> None:
    model = knapsack()
    model.much = pyo.Var(bounds=(10**25, None))
    with pytest.raises(SolverError, match="numbers"):
        search_mixed_integer(model, Control())


@pytest.mark.parametrize("unit", [Fraction(1, 10**12), Fraction(1, 10**30), Fraction(10**18)])
def test_rows_of_any_size_are_scaled(unit: Fraction) -> None:
    model = knapsack()
    model.room.deactivate()
    model.again = pyo.Constraint(
        expr=unit * (3 * model.taken[0] + 2 * model.taken[1] + 2 * model.taken[2] + model.rest)
        <= 4 * unit
    )
    tree = search_mixed_integer(model, Control())
    assert tree.best is not None
    assert {k for k, v in tree.best.values_of(model.taken).items() if round(v)} == {1, 2, 3}


def near_tie(step: Fraction) -> pyo.ConcreteModel:
    """Two choices of which the worse one is a step worse, and is where the search begins."""
    model = pyo.ConcreteModel()
    model.taken = pyo.Var(range(2), domain=pyo.Binary)
    model.period = pyo.Var(domain=pyo.NonNegativeReals, bounds=(0, 2))
    model.one = pyo.Constraint(expr=model.taken[0] + model.taken[1] == 1)
    model.longest = pyo.Constraint(
        expr=model.period - (1 + step) * model.taken[0] - model.taken[1] >= 0
    )
    model.least = pyo.Objective(expr=model.period)
    model.taken[0].set_value(1)
    model.taken[1].set_value(0)
    model.period.set_value(float(1 + step))
    return model


@pytest.mark.parametrize("exponent", range(3, 13))
@pytest.mark.parametrize("asked", [0.0, 0.1])
def test_the_bound_holds_although_the_solver_takes_a_near_tie_for_one(
    exponent: int, asked: float
) -> None:
    model = near_tie(Fraction(1, 10**exponent))
    tree = search_mixed_integer(model, Control(), warm=True, relative_gap=asked)
    assert tree.proved
    assert not tree.late
    assert Fraction(tree.bound) <= 1
    assert tree.bound >= 1 - asked - 1e-8
    assert tree.best is not None
    assert tree.best.bound == tree.bound


def test_a_bound_from_above_is_widened_upwards() -> None:
    model = near_tie(Fraction(1, 10**11))
    model.least.deactivate()
    model.most = pyo.Objective(expr=-model.period, sense=pyo.maximize)
    tree = search_mixed_integer(model, Control(), warm=True)
    assert -1 <= Fraction(tree.bound) <= -1 + Fraction(1, 10**8)


def test_an_unbounded_program_is_an_error() -> None:
    model = pyo.ConcreteModel()
    model.count = pyo.Var(domain=pyo.NonNegativeIntegers)
    model.goal = pyo.Objective(expr=model.count, sense=pyo.maximize)
    with pytest.raises(SolverError, match="ended as"):
        search_mixed_integer(model, Control())
