"""Reading a Pyomo model exactly."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pyomo.core as pyo
from pyomo.core.expr.numeric_expr import LinearExpression, MonomialTermExpression
from pyomo.repn.linear import LinearRepnVisitor
from pyomo.repn.util import OrderedVarRecorder

from steadygrid.engine.solving.integer_scaling import exact, exact_bound, integral_program
from steadygrid.engine.solving.program import Bound, LinearProgram

Terms = dict[int, Any]
"""Coefficient by ``id`` of the variable."""


@dataclass(frozen=True, eq=False)
class ReadModel:
    """A Pyomo model in exact standard form, and its relation to its components.

    Attributes
    ----------
    program
        The exact program.
    offset
        Constant of the objective.
    columns
        Column by ``id`` of a Pyomo variable.
    rows
        Row by ``id`` of a Pyomo constraint.
    variables, constraints
        The Pyomo objects by column and by row.
    """

    program: LinearProgram
    offset: Fraction
    columns: Mapping[int, int]
    rows: Mapping[int, int]
    variables: Sequence[Any]
    constraints: Sequence[Any]


def read_model(model: Any, check: Callable[[], None] = lambda: None) -> ReadModel:
    """Read a Pyomo model as an exact linear program.

    Every active variable is a column, in the order of declaration, also where no row names it.
    Every active constraint is a row, also where it is empty. A fixed variable is a column whose
    bounds are its value.

    Parameters
    ----------
    model
        A ``ConcreteModel`` with one active linear objective, whose numbers are integers or
        fractions.
    check
        Called for each variable and each constraint; may raise.

    Raises
    ------
    ValueError
        If there is not exactly one objective, an expression is not linear or has a variable
        that is not the model's, or a lower bound lies above its upper bound.
    TypeError
        If a number is a float that is not whole: its decimal is not what was meant.
    """
    reader = _Reader()
    variables = list(model.component_data_objects(pyo.Var, active=True))
    for variable in variables:
        check()
        reader.add_column(variable)
    constraints = list(model.component_data_objects(pyo.Constraint, active=True))
    for constraint in constraints:
        check()
        reader.add_row(constraint)
    objectives = list(model.component_data_objects(pyo.Objective, active=True))
    if len(objectives) != 1:
        raise ValueError(f"expected one objective, found {len(objectives)}")
    offset, terms = reader.linear(objectives[0].expr)
    costs: list[Any] = [0] * len(variables)
    for variable, coefficient in terms.items():
        costs[reader.columns[variable]] = coefficient
    program = integral_program(
        starts=reader.starts,
        indices=reader.indices,
        values=reader.values,
        costs=costs,
        row_bounds=reader.row_bounds,
        column_bounds=reader.column_bounds,
        maximise=objectives[0].sense == pyo.maximize,
    )
    return ReadModel(
        program,
        exact(offset),
        reader.columns,
        {id(constraint): row for row, constraint in enumerate(constraints)},
        variables,
        constraints,
    )


class _Reader:
    """Rows and columns as they are read."""

    def __init__(self) -> None:
        self.columns: dict[int, int] = {}
        self.column_bounds: list[tuple[Bound, Bound]] = []
        self.starts = [0]
        self.indices: list[int] = []
        self.values: list[Any] = []
        self.row_bounds: list[tuple[Bound, Bound]] = []
        self._visitor: Any = None

    def add_column(self, variable: Any) -> None:
        self.columns[id(variable)] = len(self.columns)
        lower, upper = variable.bounds
        if variable.fixed:
            lower = upper = variable.value
        self.column_bounds.append(_bounds(variable, lower, upper))

    def add_row(self, constraint: Any) -> None:
        lower, body, upper = constraint.to_bounded_expression(evaluate_bounds=True)
        offset, terms = self.linear(body)
        columns = self.columns
        for variable, coefficient in terms.items():
            if variable not in columns:
                raise ValueError(f"{constraint.name} has a variable that is not the model's")
            if coefficient:
                self.indices.append(columns[variable])
                self.values.append(coefficient)
        self.starts.append(len(self.indices))
        if offset:
            offset = exact(offset)
            lower = None if lower is None else exact(lower) - offset
            upper = None if upper is None else exact(upper) - offset
        self.row_bounds.append(_bounds(constraint, lower, upper))

    def linear(self, expression: Any) -> tuple[Any, Terms]:
        """Give constant and terms of a linear expression."""
        if expression.__class__ is LinearExpression:
            terms: Terms = {}
            for term in expression.args:
                if term.__class__ is not MonomialTermExpression:
                    break
                coefficient, variable = term.args
                if coefficient.__class__ not in (int, Fraction):
                    break
                variable = id(variable)
                if variable in terms:
                    coefficient += terms[variable]
                terms[variable] = coefficient
            else:
                return 0, terms
        return self._walk(expression)

    def _walk(self, expression: Any) -> tuple[Any, Terms]:
        if self._visitor is None:
            self._visitor = LinearRepnVisitor({}, var_recorder=OrderedVarRecorder({}, {}, None))
        answer = self._visitor.walk_expression(expression)
        if answer.nonlinear is not None:
            raise ValueError(f"not linear: {expression}")
        return answer.constant, answer.linear


def _bounds(component: Any, lower: Any, upper: Any) -> tuple[Bound, Bound]:
    bounds = low, high = exact_bound(lower), exact_bound(upper)
    if low is not None and high is not None and low > high:
        raise ValueError(f"{component.name} has a lower bound above its upper bound")
    return bounds
