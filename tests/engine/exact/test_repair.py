"""The solver's word is worth nothing: whatever it claims, the answer is proved and the same."""

from fractions import Fraction

import pyomo.core as pyo
import pytest
from flint import fmpq, fmpz
from hypothesis import given, settings
from hypothesis import strategies as st

from steadygrid.domain.errors import CertificationError, OutOfTime
from steadygrid.engine.exact import proving, solve_certified
from steadygrid.engine.exact.pivots import Verdict
from steadygrid.engine.exact.proving import _ratio
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.highs import Ending, FloatAnswer, Place
from tests.draws import draws
from tests.engine.exact.linear_programs import assert_proved, programs

F = Fraction


class Liar:
    """Takes the place of `run_highs` and claims what it is told."""

    def __init__(self, claim):
        self.claim = claim
        self.asked = 0

    def __call__(self, program, control, *, tolerance, presolve):
        self.asked += 1
        return self.claim(program)


def _claim(ending, columns=None, rows=None):
    return FloatAnswer(ending, columns, rows, "ipm", 0)


@settings(max_examples=draws(60, 1000))
@given(programs(), st.sampled_from(Ending), st.randoms(use_true_random=False))
def test_any_claim_and_any_basis_end_in_the_same_proof(program, ending, random):
    model = program.model()
    honest = solve_certified(model, Control())

    def claim(program):
        if random.random() < 0.2:
            return _claim(ending)
        return _claim(
            ending,
            random.choices(list(Place), k=program.num_columns),
            random.choices(list(Place), k=program.num_rows),
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proving, "run_highs", Liar(claim))
        if random.random() < 0.7:
            patch.setattr(proving, "refine", _no_refinement)
        repaired = solve_certified(model, Control())
    assert repaired.status == honest.status
    assert repaired.objective == honest.objective
    assert_proved(program, model, repaired)


def _diet():
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(3), bounds=(0, 10))
    model.row = pyo.Constraint(range(3), rule=lambda m, i: m.x[i] + m.x[(i + 1) % 3] <= i + F(1, 3))
    model.goal = pyo.Objective(expr=sum(model.x.values()), sense=pyo.maximize)
    return model


def _no_refinement(program, control, columns, rows, errors):
    return _claim(Ending.UNKNOWN)


def test_a_wrong_basis_is_repaired_by_the_solver_once_it_sees_the_exact_errors(monkeypatch):
    wrong = _claim(Ending.OPTIMAL, [Place.UPPER] * 3, [Place.BASIC] * 3)
    liar = Liar(lambda program: wrong)
    monkeypatch.setattr(proving, "run_highs", liar)
    solution = solve_certified(_diet(), Control())
    assert liar.asked == 1
    assert solution.statistics.repaired
    assert solution.statistics.refinements > 0
    assert solution.statistics.pivots == 0
    assert solution.objective == F(5, 3)


def _same_basis(program, control, columns, rows, errors):
    return _claim(Ending.OPTIMAL, list(columns), list(rows))


@pytest.mark.parametrize(
    ("name", "value"),
    [("refine", _no_refinement), ("refine", _same_basis), ("MOST_REFINEMENTS", 0)],
)
def test_where_refining_leads_nowhere_pivots_repair(monkeypatch, name, value):
    wrong = _claim(Ending.OPTIMAL, [Place.UPPER] * 3, [Place.BASIC] * 3)
    monkeypatch.setattr(proving, "run_highs", Liar(lambda program: wrong))
    monkeypatch.setattr(proving, name, value)
    solution = solve_certified(_diet(), Control())
    assert solution.statistics.pivots > 0
    assert solution.objective == F(5, 3)


def test_errors_are_ratios_of_integers_whatever_the_numerators_are():
    assert _ratio(fmpq(1, 3), fmpz(2)) == (1, 6)
    assert _ratio(fmpz(4), fmpz(2)) == (4, 2)


def test_a_wrong_basis_is_repaired_by_pivots(monkeypatch):
    monkeypatch.setattr(proving, "refine", _no_refinement)
    wrong = _claim(Ending.OPTIMAL, [Place.UPPER] * 3, [Place.BASIC] * 3)
    liar = Liar(lambda program: wrong)
    monkeypatch.setattr(proving, "run_highs", liar)
    solution = solve_certified(_diet(), Control())
    assert liar.asked == 2
    assert solution.statistics.repaired
    assert solution.statistics.pivots > 0
    assert solution.objective == F(5, 3)


def test_a_basis_that_is_right_only_at_the_tightest_tolerance_needs_no_pivot(monkeypatch):
    honest = proving.run_highs
    tolerances = []

    def sloppy(program, control, *, tolerance, presolve):
        tolerances.append((tolerance, presolve))
        if len(tolerances) == 1:
            return _claim(Ending.OPTIMAL, [Place.LOWER] * 3, [Place.BASIC] * 3)
        return honest(program, control, tolerance=tolerance, presolve=presolve)

    monkeypatch.setattr(proving, "run_highs", sloppy)
    monkeypatch.setattr(proving, "refine", _no_refinement)
    solution = solve_certified(_diet(), Control())
    assert tolerances == [(1e-9, True), (1e-10, False)]
    assert solution.statistics.repaired
    assert solution.statistics.pivots == 0
    assert solution.objective == F(5, 3)


def test_a_solver_that_gives_up_leaves_it_to_pivots(monkeypatch):
    monkeypatch.setattr(proving, "run_highs", Liar(lambda program: _claim(Ending.UNKNOWN)))
    solution = solve_certified(_diet(), Control())
    assert solution.objective == F(5, 3)
    assert solution.statistics.pivots > 0


def _cycling(costs, rows, sides):
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(len(costs)), domain=pyo.NonNegativeReals)
    model.row = pyo.Constraint(
        range(len(rows)),
        rule=lambda m, i: sum(F(a) * m.x[j] for j, a in enumerate(rows[i])) <= sides[i],
    )
    model.goal = pyo.Objective(
        expr=sum(F(c) * model.x[j] for j, c in enumerate(costs)), sense=pyo.maximize
    )
    return model


@pytest.mark.parametrize(
    ("costs", "rows", "sides", "optimum"),
    [
        pytest.param(
            ("3/4", -150, "1/50", -6),
            (("1/4", -60, "-1/25", 9), ("1/2", -90, "-1/50", 3), (0, 0, 1, 0)),
            (0, 0, 1),
            F(1, 20),
            id="Beale",
        ),
        pytest.param(
            ("10", -57, -9, -24),
            (("1/2", "-11/2", "-5/2", 9), ("1/2", "-3/2", "-1/2", 1), (1, 0, 0, 0)),
            (0, 0, 1),
            F(1),
            id="Chvatal",
        ),
        pytest.param(
            (2, 3, -1, -12),
            ((-2, -9, 1, 9), ("1/3", 1, "-1/3", -2)),
            (0, 0),
            None,
            id="Kuhn",
        ),
        pytest.param((1, -3), ((-3, 1), (1, -2)), (-1, -1), F(-9, 5), id="apart"),
    ],
)
def test_pivots_do_not_cycle(monkeypatch, costs, rows, sides, optimum):
    monkeypatch.setattr(proving, "run_highs", Liar(lambda program: _claim(Ending.UNKNOWN)))
    solution = solve_certified(_cycling(costs, rows, sides), Control())
    assert solution.status == ("unbounded" if optimum is None else "optimal")
    assert solution.objective == optimum


@pytest.mark.parametrize("verdict", ["infeasible", "unbounded"])
def test_pivots_that_contradict_themselves_prove_nothing(monkeypatch, verdict):
    monkeypatch.setattr(proving, "run_highs", Liar(lambda program: _claim(Ending.INFEASIBLE)))
    monkeypatch.setattr(proving, "pivot_to_the_end", lambda *_: Verdict(verdict, 0))
    with pytest.raises(CertificationError, match="seems to have none"):
        solve_certified(_diet(), Control())


def test_a_program_that_is_nothing_at_all_is_not_certified(monkeypatch):
    honest = proving.pivot_to_the_end

    def lie(program, *rest):
        # The auxiliary programs have more columns than the diet, or no bound but 0.
        if program.num_columns == 3 and any(program.row_upper):
            return Verdict("infeasible", 0)
        return honest(program, *rest)

    monkeypatch.setattr(proving, "run_highs", Liar(lambda program: _claim(Ending.UNKNOWN)))
    monkeypatch.setattr(proving, "pivot_to_the_end", lie)
    with pytest.raises(CertificationError, match="neither optimal nor infeasible nor unbounded"):
        solve_certified(_diet(), Control())


def unproved(*_):
    raise CertificationError("not proved.")


def over(*_):
    raise OutOfTime


def test_when_time_is_over_the_last_exact_basis_is_told(monkeypatch):
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(2), bounds=(0, None))
    model.row = pyo.Constraint(expr=3 * model.x[0] + model.x[1] <= 2)
    model.goal = pyo.Objective(expr=6 * model.x[0] + model.x[1], sense=pyo.maximize)
    monkeypatch.setattr(proving, "check_optimal", unproved)
    monkeypatch.setattr(proving, "refine", over)
    with pytest.raises(OutOfTime) as caught:
        solve_certified(model, Control(), patience=1)
    assert caught.value.values == {("x", 0): 2 / 3}
    assert caught.value.duals == {("row", None): 2}


def test_values_beyond_floats_are_not_told(monkeypatch):
    tiny = F(1, 10**400)
    model = pyo.ConcreteModel()
    model.x = pyo.Var(bounds=(0, None))
    model.y = pyo.Var(range(2), bounds=(0, None))
    model.row = pyo.Constraint(range(2), rule=lambda m, i: tiny * m.x + m.y[i] <= i + 1)
    model.goal = pyo.Objective(
        expr=3 * tiny * model.x + model.y[0] + model.y[1], sense=pyo.maximize
    )
    monkeypatch.setattr(proving, "check_optimal", unproved)
    monkeypatch.setattr(proving, "refine", over)
    with pytest.raises(OutOfTime) as caught:
        solve_certified(model, Control())
    assert caught.value.values == {("y", 1): 1}
