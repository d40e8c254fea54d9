from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pyomo.core as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from tests.draws import draws
from tests.engine.exact.linear_programs import (
    Program,
    assert_feasible,
    assert_proved,
    dot,
    programs,
)

F = Fraction


@settings(max_examples=draws(60, 1000))
@given(programs())
def test_every_answer_proves_itself(program):
    model = program.model()
    assert_proved(program, model, solve_certified(model, Control()))


@settings(max_examples=100)
@given(programs(most_columns=3, most_rows=3))
def test_the_status_is_the_one_that_scipy_finds(program):
    status = solve_certified(program.model(), Control()).status
    matrix = np.array(program.matrix, dtype=float).reshape(-1, len(program.columns))
    upper = [
        (line, high)
        for line, (_, high) in zip(matrix, program.rows, strict=True)
        if high is not None
    ]
    lower = [
        (-line, -low)
        for line, (low, _) in zip(matrix, program.rows, strict=True)
        if low is not None
    ]
    sign = -1 if program.maximise else 1
    found = linprog(
        [sign * float(c) for c in program.costs],
        A_ub=np.array([line for line, _ in (*upper, *lower)]) if upper or lower else None,
        b_ub=[float(side) for _, side in (*upper, *lower)] if upper or lower else None,
        bounds=[tuple(b if b is None else float(b) for b in pair) for pair in program.columns],
        method="highs",
        options={"presolve": False},
    )
    assert {0: "optimal", 2: "infeasible", 3: "unbounded"}[found.status] == status


def vertices(program):
    """All points where as many bounds are tight as there are variables, and alone so."""
    n = len(program.columns)
    unit = [tuple(F(i == j) for j in range(n)) for i in range(n)]
    walls = [
        (line, bound)
        for line, bounds in zip(
            (*program.matrix, *unit), (*program.rows, *program.columns), strict=True
        )
        for bound in set(bounds)
        if bound is not None
    ]
    for chosen in combinations(walls, n):
        point = _solve([list(line) for line, _ in chosen], [bound for _, bound in chosen])
        if point is not None:
            try:
                assert_feasible(program, point)
            except AssertionError:
                continue
            yield point


def _solve(matrix, right):
    n = len(right)
    rows = [[*line, side] for line, side in zip(matrix, right, strict=True)]
    for k in range(n):
        pivot = next((r for r in range(k, n) if rows[r][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for r in range(n):
            if r != k and rows[r][k]:
                factor = rows[r][k] / rows[k][k]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[k], strict=True)]
    return [rows[k][n] / rows[k][k] for k in range(n)]


@st.composite
def boxed(draw):
    program = draw(programs(most_columns=3, most_rows=3))
    box = tuple((F(draw(st.integers(-2, 0))), F(draw(st.integers(0, 3)))) for _ in program.columns)
    return Program(
        program.matrix, program.rows, box, program.costs, program.offset, program.maximise
    )


@settings(max_examples=100)
@given(boxed())
def test_the_optimum_is_the_best_vertex(program):
    solution = solve_certified(program.model(), Control())
    worths = [dot(program.costs, point) + program.offset for point in vertices(program)]
    if worths:
        assert solution.status == "optimal"
        assert solution.objective == (max if program.maximise else min)(worths)
    else:
        assert solution.status == "infeasible"


def test_random_programs_are_of_every_status():
    seen = Counter()

    @settings(max_examples=40, database=None)
    @given(programs())
    def look(program):
        seen[solve_certified(program.model(), Control()).status] += 1

    look()
    assert min(seen[status] for status in ("optimal", "infeasible", "unbounded")) >= 2


def _fork(c, w, w0=None):
    """A one-port fork: the master sends to each child, children compute."""
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(len(c)), domain=pyo.NonNegativeReals)
    model.own = pyo.Var(domain=pyo.NonNegativeReals)
    model.send = pyo.Constraint(expr=sum(F(c[i]) * model.x[i] for i in range(len(c))) <= 1)
    model.compute = pyo.Constraint(range(len(c)), rule=lambda m, i: F(w[i]) * m.x[i] <= 1)
    model.master = pyo.Constraint(expr=F(w0 or 1) * model.own <= (1 if w0 else 0))
    model.rate = pyo.Objective(expr=model.own + sum(model.x.values()), sense=pyo.maximize)
    return model


@pytest.mark.parametrize(
    ("c", "w", "w0", "rate"),
    [
        ((1, 2, 4), (3, 2, 1), None, F(2, 3)),
        ((1, 2, 4), (3, 2, 1), 5, F(13, 15)),
        ((1, 1, 1), (4, 4, 4), None, F(3, 4)),
        ((2, 3, 5), (1, 1, 1), 10, F(3, 5)),
    ],
)
def test_stars_reach_their_known_rates(c, w, w0, rate):
    model = _fork(c, w, w0)
    solution = solve_certified(model, Control())
    assert solution.objective == rate
    prices = [
        *solution.prices_of(model.send).values(),
        *solution.prices_of(model.compute).values(),
        *(price for price in solution.prices_of(model.master).values() if w0),
    ]
    assert all(price > 0 for price in prices)
    assert sum(prices) == rate


def test_prices_say_what_one_more_unit_is_worth():
    model = pyo.ConcreteModel()
    model.x = pyo.Var(domain=pyo.NonNegativeReals)
    model.y = pyo.Var(domain=pyo.NonNegativeReals)
    model.need = pyo.Constraint(expr=2 * model.x + F(1, 3) * model.y >= 5)
    model.cost = pyo.Objective(expr=3 * model.x + model.y + 1, sense=pyo.minimize)
    solution = solve_certified(model, Control())
    assert solution.objective == F(17, 2)
    assert solution.values_of(model.x) == {None: F(5, 2)}
    assert solution.values_of(model.y) == {}
    assert solution.prices_of(model.need) == {None: F(3, 2)}
    assert solution.farkas_of(model.need) == {}
    assert solution.direction_of(model.x) == {}


def test_an_infeasible_program_shows_the_rows_that_conflict():
    model = pyo.ConcreteModel()
    model.x = pyo.Var(domain=pyo.NonNegativeReals)
    model.low = pyo.Constraint(expr=F(1, 2) * model.x <= 1)
    model.high = pyo.Constraint(expr=3 * model.x >= 7)
    model.goal = pyo.Objective(expr=model.x)
    solution = solve_certified(model, Control())
    assert solution.status == "infeasible"
    low, high = solution.farkas_of(model.low)[None], solution.farkas_of(model.high)[None]
    assert low > 0 > high
    assert F(1, 2) * low + 3 * high == 0
    assert low * 1 + high * 7 < 0
    assert solution.values_of(model.x) == {}
    assert solution.prices_of(model.low) == {}


def test_an_unbounded_program_has_an_unbounded_direction():
    model = pyo.ConcreteModel()
    model.x = pyo.Var([0, 1], bounds=(1, None))
    model.row = pyo.Constraint(expr=model.x[0] - F(2, 5) * model.x[1] <= 3)
    model.goal = pyo.Objective(expr=model.x[0], sense=pyo.maximize)
    solution = solve_certified(model, Control())
    assert solution.status == "unbounded"
    assert solution.objective is None
    way = solution.direction_of(model.x)
    assert way[0] > 0
    assert way[0] <= F(2, 5) * way[1]
    assert set(solution.values_of(model.x)) == {0, 1}


@pytest.mark.parametrize("tiny", [F(1, 10**10), F(1, 10**25), F(1, 10**30)])
@pytest.mark.parametrize("large", [1, 10**10, 10**30])
def test_coefficients_of_any_size_count(tiny, large):
    model = pyo.ConcreteModel()
    model.x = pyo.Var([0, 1, 2], domain=pyo.NonNegativeReals)
    model.link = pyo.Constraint(expr=8 * tiny * model.x[0] + tiny * model.x[1] <= 1)
    model.port = pyo.Constraint(expr=large * model.x[0] + 3 * model.x[2] <= 7 * large)
    model.kept = pyo.Constraint(expr=model.x[1] - 2 * model.x[0] == 0)
    model.goal = pyo.Objective(expr=model.x[0] + tiny * model.x[2], sense=pyo.maximize)
    solution = solve_certified(model, Control())
    assert solution.status == "optimal"
    assert solution.objective == max(F(7), tiny * 7 * large / 3)
    assert solution.statistics.pivots == 0


def test_more_than_doubles_can_tell_apart_is_told_apart():
    model = pyo.ConcreteModel()
    model.x = pyo.Var([0, 1], domain=pyo.NonNegativeReals)
    model.row = pyo.Constraint(expr=model.x[0] + model.x[1] <= 1)
    model.goal = pyo.Objective(
        expr=model.x[0] + (1 + F(1, 10**40)) * model.x[1], sense=pyo.maximize
    )
    solution = solve_certified(model, Control())
    assert solution.objective == 1 + F(1, 10**40)
    assert solution.values_of(model.x) == {1: 1}


def test_what_no_scaling_can_level_is_left_to_exact_pivots():
    tiny = F(1, 10**80)
    model = pyo.ConcreteModel()
    model.x = pyo.Var([0, 1], domain=pyo.NonNegativeReals)
    model.row = pyo.Constraint([0, 1], rule=lambda m, i: m.x[i] + tiny * m.x[1 - i] <= 1)
    model.goal = pyo.Objective(expr=model.x[0] + model.x[1], sense=pyo.maximize)
    solution = solve_certified(model, Control())
    assert solution.objective == 2 / (1 + tiny)
    assert solution.statistics.repaired


def test_a_program_without_rows_rests_at_its_bounds():
    model = pyo.ConcreteModel()
    model.x = pyo.Var([0, 1, 2], bounds=lambda m, i: [(-1, 4), (F(1, 3), None), (None, None)][i])
    model.goal = pyo.Objective(expr=2 * model.x[0] - model.x[1] + 10, sense=pyo.maximize)
    solution = solve_certified(model, Control())
    assert solution.objective == 8 - F(1, 3) + 10
    assert solution.values_of(model.x) == {0: 4, 1: F(1, 3)}


def test_a_fixed_variable_keeps_its_value():
    model = pyo.ConcreteModel()
    model.x = pyo.Var([0, 1], domain=pyo.NonNegativeReals)
    model.x[0].fix(F(2, 7))
    model.row = pyo.Constraint(expr=model.x[0] + model.x[1] <= 1)
    model.goal = pyo.Objective(expr=model.x[1], sense=pyo.maximize)
    solution = solve_certified(model, Control())
    assert solution.values_of(model.x) == {0: F(2, 7), 1: F(5, 7)}


def test_statistics_tell_size_method_and_steps():
    solution = solve_certified(_fork((1, 2, 4), (3, 2, 1), 5), Control())
    seen = solution.statistics
    assert (seen.variables, seen.constraints, seen.nonzeros) == (4, 5, 7)
    assert seen.method == "primal simplex"
    assert not seen.repaired
    assert set(seen.seconds) == {"read", "solve", "factorise", "substitute", "check"}
