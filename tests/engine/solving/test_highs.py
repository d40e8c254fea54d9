import threading
from fractions import Fraction
from typing import Any

import highspy
import pyomo.core as pyo
import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime, SolverError
from steadygrid.engine.exact import proving, solve_certified
from steadygrid.engine.solving import highs
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.highs import CutShort, Ending, Place, run_highs
from steadygrid.engine.solving.reading import read_model

F = Fraction


def _transport(size=12, sense=pyo.maximize):
    """Ports on both sides, all pairs linked; many pivots away from rest."""
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(size), range(size), domain=pyo.NonNegativeReals)
    model.send = pyo.Constraint(
        range(size),
        rule=lambda m, i: sum(F(1 + (7 * i + 5 * j) % 11, 3) * m.x[i, j] for j in range(size)) <= 1,
    )
    model.receive = pyo.Constraint(
        range(size),
        rule=lambda m, j: sum(F(1 + (3 * i + 4 * j) % 13, 5) * m.x[i, j] for i in range(size)) <= 1,
    )
    model.goal = pyo.Objective(
        expr=sum((1 + (i * j) % 5) * model.x[i, j] for i, j in model.x), sense=sense
    )
    return model


def _program(model=None):
    return read_model(_transport() if model is None else model).program


def test_a_program_at_rest_goes_to_the_primal_simplex_method():
    answer = run_highs(_program(), Control())
    assert answer.ending == Ending.OPTIMAL
    assert answer.method == "primal simplex"
    assert answer.iterations > 0
    assert answer.columns is not None
    assert answer.rows is not None
    basic = answer.columns.count(Place.BASIC) + answer.rows.count(Place.BASIC)
    assert basic == len(answer.rows)


def test_a_program_that_must_leave_rest_goes_to_the_dual_simplex_method():
    model = pyo.ConcreteModel()
    model.x = pyo.Var([0, 1], domain=pyo.NonNegativeReals)
    model.need = pyo.Constraint(expr=model.x[0] + 2 * model.x[1] >= 3)
    model.goal = pyo.Objective(expr=model.x[0] + model.x[1])
    assert run_highs(_program(model), Control()).method == "dual simplex"


@pytest.mark.parametrize(
    ("given_up", "method"), [(1, "ipm"), (2, "dual simplex"), (3, "dual simplex")]
)
def test_where_one_method_gives_up_the_next_one_tries(monkeypatch, given_up, method):
    honest = highs._Solver.run
    tried = []

    def run(self, method, budget, **options):
        tried.append((method, options))
        if len(tried) <= given_up:
            options["simplex_iteration_limit"] = 0
            options["ipm_iteration_limit"] = 0
        else:
            options["simplex_iteration_limit"] = options["ipm_iteration_limit"] = 10**6
        return honest(self, method, budget, **options)

    monkeypatch.setattr(highs._Solver, "run", run)
    answer = run_highs(_program(), Control(), presolve=False)
    assert answer.method == method
    assert (answer.ending == Ending.OPTIMAL) == (given_up < 3)
    assert [tried_ for tried_, _ in tried] == ["primal simplex", "ipm", "dual simplex"][
        : given_up + 1
    ]
    assert all(options["presolve"] == "off" for _, options in tried)


def test_infeasible_and_unbounded_are_claimed():
    model = _transport(2)
    model.more = pyo.Constraint(expr=model.x[0, 0] >= 100)
    assert run_highs(_program(model), Control()).ending == Ending.INFEASIBLE
    model = pyo.ConcreteModel()
    model.x = pyo.Var(domain=pyo.NonNegativeReals)
    model.goal = pyo.Objective(expr=model.x, sense=pyo.maximize)
    assert run_highs(_program(model), Control()).ending == Ending.UNBOUNDED


def test_coefficients_that_highs_would_drop_are_not_given_to_it():
    tiny = F(1, 10**80)
    model = pyo.ConcreteModel()
    model.x = pyo.Var([0, 1], domain=pyo.NonNegativeReals)
    model.row = pyo.Constraint([0, 1], rule=lambda m, i: m.x[i] + tiny * m.x[1 - i] <= 1)
    model.goal = pyo.Objective(expr=model.x[0] + model.x[1], sense=pyo.maximize)
    answer = run_highs(_program(model), Control())
    assert answer.ending == Ending.UNKNOWN
    assert answer.columns is None


def test_an_option_that_highs_does_not_know_is_an_error():
    solver = highs._Solver(_program(), Control(), 1e-9)
    with pytest.raises(SolverError, match="refuses nonsense = 3"):
        solver.run("ipm", 1.0, nonsense=3)


def test_an_error_of_highs_is_no_answer(monkeypatch):
    monkeypatch.setattr(highspy.Highs, "run", lambda self: highspy.HighsStatus.kError)
    answer = run_highs(_program(), Control())
    assert answer.ending == Ending.UNKNOWN


def test_progress_comes_from_inside_the_solver(monkeypatch):
    monkeypatch.setattr(highs, "SECONDS_BETWEEN_REPORTS", -1)
    told: list[Any] = []
    run_highs(_program(), Control(report=told.append))
    assert len(told) > 2
    iterations = [state["iterations"] for state in told]
    assert iterations == sorted(iterations)


def test_another_thread_cancels_a_running_solve(monkeypatch):
    monkeypatch.setattr(highs, "SECONDS_BETWEEN_REPORTS", -1)
    inside, cancelled = threading.Event(), threading.Event()

    def report(state):
        if state.get("iterations"):
            inside.set()
            assert cancelled.wait(60)

    control = Control(report=report)

    def cancel():
        assert inside.wait(60)
        control.cancel()
        cancelled.set()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    with pytest.raises(Cancelled):
        solve_certified(_transport(), control)
    canceller.join()


class Expiring(Control):
    """Its time is over as soon as the solver has made an iteration."""

    def __init__(self):
        super().__init__(report=self._watch)
        self._over = False
        self.armed = True

    def _watch(self, state):
        self._over = self._over or (self.armed and bool(state.get("iterations")))

    @property
    def remaining(self):
        return 0.0 if self._over else float("inf")


@pytest.mark.parametrize("sense", [pyo.maximize, pyo.minimize])
def test_out_of_time_the_floating_point_prices_are_not_lost(monkeypatch, sense):
    monkeypatch.setattr(highs, "SECONDS_BETWEEN_REPORTS", -1)
    model = _transport(sense=sense)
    if sense == pyo.minimize:
        model.need = pyo.Constraint(range(12), rule=lambda m, i: sum(m.x[i, :]) >= F(1, 100))
        model.goal.set_value(sum((j + 1) * model.x[i, j] for i, j in model.x))
    with pytest.raises(CutShort) as caught:
        solve_certified(model, Expiring())
    exact = solve_certified(model, Control())
    prices = {
        (row.name, index): price
        for row in model.component_objects(pyo.Constraint)
        for index, price in exact.prices_of(row).items()
    }
    # HiGHS was not stopped, only our patience: these are the optimal prices, in doubles.
    assert caught.value.duals.keys() >= prices.keys()
    for key, price in caught.value.duals.items():
        assert price == pytest.approx(float(prices.get(key, 0)), abs=1e-7)


def test_out_of_time_before_there_are_prices_there_are_none(monkeypatch):
    with pytest.raises(OutOfTime) as caught:
        solve_certified(_transport(), Control(0))
    assert caught.value.duals == {}
    monkeypatch.setattr(highs._Solver, "_keep_point", lambda self: None)
    monkeypatch.setattr(highs, "SECONDS_BETWEEN_REPORTS", -1)
    with pytest.raises(CutShort) as caught:
        solve_certified(_transport(), Expiring())
    assert caught.value.duals == {}


def test_out_of_time_in_an_auxiliary_program_its_prices_are_not_the_programs(monkeypatch):
    model = _transport(3)
    model.more = pyo.Constraint(expr=model.x[0, 0] >= 100)
    control = Expiring()
    control.armed = False
    honest = proving.elastic

    def elastic(program):
        control.armed = True
        return honest(program)

    monkeypatch.setattr(proving, "elastic", elastic)
    monkeypatch.setattr(highs, "SECONDS_BETWEEN_REPORTS", -1)
    with pytest.raises(CutShort) as caught:
        solve_certified(model, control)
    assert caught.value.point.row_duals is not None
    assert caught.value.duals == {}


def test_prices_beyond_doubles_are_left_out(monkeypatch):
    model = _transport()
    # The same program in other units: prices of the sends grow by 10^400.
    for row in model.send.values():
        row.set_value(F(1, 10**400) * row.body <= F(1, 10**400))
    monkeypatch.setattr(highs, "SECONDS_BETWEEN_REPORTS", -1)
    with pytest.raises(CutShort) as caught:
        solve_certified(model, Expiring())
    assert {name for name, _ in caught.value.duals} == {"receive"}
    exact = solve_certified(model, Control())
    assert exact.objective == solve_certified(_transport(), Control()).objective
    assert max(exact.prices_of(model.send).values()) > 10**399
