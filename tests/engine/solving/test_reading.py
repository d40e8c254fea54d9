from fractions import Fraction

import pyomo.core as pyo
import pytest
from pyomo.core.expr.numeric_expr import LinearExpression

from steadygrid.engine.solving.reading import read_model

F = Fraction


def _model():
    model = pyo.ConcreteModel()
    model.x = pyo.Var([0, 1, 2], domain=pyo.NonNegativeReals)
    return model


def _terms(reading, row=0):
    """Coefficient by name of variable, as the model wrote it."""
    program = reading.program
    return {
        reading.variables[program.indices[place]].name: program.values[place]
        / (F(program.row_factors[row]) * program.column_factors[program.indices[place]])
        for place in range(program.starts[row], program.starts[row + 1])
    }


def _bounds(reading, row=0):
    program = reading.program
    factor = program.row_factors[row]
    return tuple(
        None if bound is None else bound / factor
        for bound in (program.row_lower[row], program.row_upper[row])
    )


@pytest.mark.parametrize(
    ("write", "terms", "bounds"),
    [
        (
            lambda x: (
                LinearExpression(constant=0, linear_coefs=[F(1, 3), 2], linear_vars=[x[0], x[2]])
                <= F(5, 7)
            ),
            {"x[0]": F(1, 3), "x[2]": F(2)},
            (None, F(5, 7)),
        ),
        (
            lambda x: (
                LinearExpression(linear_coefs=[1, 2, -3], linear_vars=[x[0], x[0], x[0]]) >= 1
            ),
            {},
            (F(1), None),
        ),
        (
            lambda x: (
                LinearExpression(constant=F(1, 2), linear_coefs=[1.0, 1], linear_vars=[x[0], x[1]])
                == 1
            ),
            {"x[0]": F(1), "x[1]": F(1)},
            (F(1, 2), F(1, 2)),
        ),
        (
            lambda x: 3 * (x[0] - F(1, 6) * x[1]) + x[2] <= x[2] + 4,
            {"x[0]": F(3), "x[1]": F(-1, 2)},
            (None, F(4)),
        ),
        (
            lambda x: pyo.inequality(F(-1, 3), x[0] + x[1], F(1, 3)),
            {"x[0]": F(1), "x[1]": F(1)},
            (F(-1, 3), F(1, 3)),
        ),
        (
            lambda x: LinearExpression([x[0], -2 * x[1]]) <= 1,
            {"x[0]": F(1), "x[1]": F(-2)},
            (None, F(1)),
        ),
        (
            lambda x: LinearExpression(linear_coefs=[2.0, 1], linear_vars=[x[0], x[1]]) <= 1,
            {"x[0]": F(2), "x[1]": F(1)},
            (None, F(1)),
        ),
        (lambda x: (2, 0 * x[0] + 1, None), {}, (F(1), None)),
    ],
)
def test_rows_are_read_exactly(write, terms, bounds):
    model = _model()
    model.row = pyo.Constraint(expr=write(model.x))
    model.goal = pyo.Objective(expr=model.x[0])
    reading = read_model(model)
    assert _terms(reading) == terms
    assert _bounds(reading) == bounds


def test_columns_keep_their_bounds_whatever_declares_them():
    model = pyo.ConcreteModel()
    model.free = pyo.Var()
    model.positive = pyo.Var(domain=pyo.NonNegativeReals)
    model.tighter = pyo.Var(domain=pyo.NonNegativeReals, bounds=(F(1, 3), F(2, 3)))
    model.negative = pyo.Var(bounds=(None, F(-1, 9)))
    model.endless = pyo.Var(bounds=(float("-inf"), float("inf")))
    model.fixed = pyo.Var(bounds=(0, 5))
    model.fixed.fix(F(1, 7))
    model.goal = pyo.Objective(expr=model.free + F(1, 2), sense=pyo.maximize)
    reading = read_model(model)
    program = reading.program
    assert list(zip(program.column_lower, program.column_upper, strict=True)) == [
        (None, None),
        (F(0), None),
        (F(1, 3), F(2, 3)),
        (None, F(-1, 9)),
        (None, None),
        (F(1, 7), F(1, 7)),
    ]
    assert reading.offset == F(1, 2)
    assert [reading.columns[id(v)] for v in reading.variables] == list(range(6))


def test_a_model_that_minimises_is_turned_around():
    model = _model()
    model.goal = pyo.Objective(expr=F(1, 2) * model.x[0] - model.x[1])
    program = read_model(model).program
    assert list(program.costs) == [-1, 2, 0]
    assert program.cost_factor == -2


def test_what_is_not_active_is_not_read():
    model = _model()
    model.row = pyo.Constraint(expr=model.x[0] <= 1)
    model.other = pyo.Constraint(expr=model.x[1] <= 1)
    model.goal = pyo.Objective(expr=model.x[0])
    model.row.deactivate()
    reading = read_model(model)
    assert reading.rows == {id(model.other): 0}


def test_a_product_of_variables_is_refused():
    model = _model()
    model.row = pyo.Constraint(expr=model.x[0] * model.x[1] <= 1)
    model.goal = pyo.Objective(expr=model.x[0])
    with pytest.raises(ValueError, match="not linear"):
        read_model(model)


@pytest.mark.parametrize("count", [0, 2])
def test_a_model_has_one_objective(count):
    model = _model()
    model.goal = pyo.Objective(range(count), rule=lambda m, k: m.x[k])
    with pytest.raises(ValueError, match=f"expected one objective, found {count}"):
        read_model(model)


def test_decimals_in_binary_are_refused():
    model = _model()
    model.row = pyo.Constraint(expr=0.1 * model.x[0] <= 1)
    model.goal = pyo.Objective(expr=model.x[0])
    with pytest.raises(TypeError, match=r"0\.1 is a float"):
        read_model(model)


def test_a_variable_of_another_model_is_refused():
    model, other = _model(), _model()
    model.row = pyo.Constraint(expr=other.x[0] + model.x[0] <= 1)
    model.goal = pyo.Objective(expr=model.x[0])
    with pytest.raises(ValueError, match="a variable that is not the model's"):
        read_model(model)


@pytest.mark.parametrize("where", ["variable", "row"])
def test_bounds_that_exclude_each_other_are_refused(where):
    model = _model()
    if where == "variable":
        model.x[0].setlb(F(2))
        model.x[0].setub(F(1))
    else:
        model.least = pyo.Param(initialize=2, mutable=True)
        model.row = pyo.Constraint(expr=(model.least, model.x[0] + model.x[1], 1))
    model.goal = pyo.Objective(expr=model.x[0])
    with pytest.raises(ValueError, match="lower bound above its upper bound"):
        read_model(model)
