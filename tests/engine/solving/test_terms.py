"""Sums of terms are exact, and read without a walk."""

from fractions import Fraction
from typing import Any

import pyomo.core as pyo

from steadygrid.engine.solving.reading import read_model
from steadygrid.engine.solving.terms import linear


def test_a_sum_of_terms_is_read_back_as_it_was_written():
    model = pyo.ConcreteModel()
    model.x = pyo.Var([1, 2, 3], domain=pyo.NonNegativeReals)
    terms: list[Any] = [
        (Fraction(1, 3), model.x[1]),
        (-2, model.x[2]),
        (Fraction(1, 6), model.x[1]),
    ]
    model.row = pyo.Constraint(expr=linear(iter(terms)) <= Fraction(5, 7))
    model.goal = pyo.Objective(expr=linear([(1, model.x[3])]), sense=pyo.maximize)
    program = read_model(model).program
    row = {
        column: Fraction(program.values[place])
        / (program.row_factors[0] * program.column_factors[column])
        for place, column in enumerate(program.indices)
    }
    assert row == {0: Fraction(1, 2), 1: -2}
    assert program.row_upper[0] / program.row_factors[0] == Fraction(5, 7)


def test_an_empty_sum_is_nothing():
    assert pyo.value(linear(())) == 0
