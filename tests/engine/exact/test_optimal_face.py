"""A second objective over all optimal solutions, against all vertices and weak duality."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from steadygrid.domain.errors import CertificationError
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.exact.optimal_face import OptimalFace
from steadygrid.engine.solving.control import Control
from tests.engine.exact.linear_programs import Program, assert_feasible, dot, upper_bound
from tests.engine.exact.test_certified import boxed, vertices

F = Fraction


def face_of(model, solved):
    prices = solved.prices_of(model.kept)
    return OptimalFace.of_model(model, lambda _, index: prices.get(index, F(0)))


@settings(max_examples=50)
@given(boxed(), st.lists(st.fractions(-3, 3, max_denominator=4), min_size=3, max_size=3))
def test_no_vertex_as_good_has_less_and_the_prices_prove_it(program, weights):
    program = replace(program, maximise=True, offset=F(0))
    model = program.model()
    solved = solve_certified(model, Control())
    assume(solved.status == "optimal")
    weights = weights[: len(program.columns)]
    terms = [(weight, model.x[j]) for j, weight in enumerate(weights)]
    least = OptimalFace.of_solution(solved).least(terms, Control())
    again = face_of(model, solved).least(terms, Control())
    assert (again.objective, again.worth) == (least.objective, least.worth)
    point = [least.values_of(model.x).get(j, F(0)) for j in range(len(program.columns))]
    assert_feasible(program, point)
    assert dot(program.costs, point) == solved.objective
    best = [v for v in vertices(program) if dot(program.costs, v) == solved.objective]
    assert least.objective == dot(weights, point) == min(dot(weights, v) for v in best)
    assert least.worth >= 1
    found = least.combined_prices_of(model.kept)
    prices = [found.get(i, F(0)) for i in range(len(program.rows))]
    worths = [least.worth * c - t for c, t in zip(program.costs, weights, strict=True)]
    assert upper_bound(program, worths, prices) == least.worth * solved.objective - least.objective


def test_prices_that_prove_nothing_leave_no_face():
    program = Program(((F(1),),), ((None, F(1)),), ((F(0), None),), (F(1),))
    model = program.model()
    face = OptimalFace.of_model(model, lambda name, index: F(0))
    with pytest.raises(CertificationError, match="no bound to be at"):
        face.least([(F(1), model.x[0])], Control())


def test_a_sum_without_a_least_value_is_refused():
    program = Program(((F(1), F(0)),), ((None, F(1)),), ((F(0), None),) * 2, (F(1), F(0)))
    model = program.model()
    face = OptimalFace.of_solution(solve_certified(model, Control()))
    with pytest.raises(CertificationError, match="no optimal solution of least"):
        face.least([(F(-1), model.x[1])], Control())


def test_a_program_without_an_optimum_has_no_face():
    program = Program(((F(1),),), ((None, F(-1)),), ((F(0), None),), (F(1),))
    solved = solve_certified(program.model(), Control())
    with pytest.raises(CertificationError, match="no optimal solutions: infeasible"):
        OptimalFace.of_solution(solved)
