"""Reading a Pyomo model exactly."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import pyomo.environ as pyo
from pyomo.common.gc_manager import PauseGC
from pyomo.core.expr.numeric_expr import LinearExpression, MonomialTermExpression
from pyomo.repn.linear import LinearRepnVisitor
from pyomo.repn.util import OrderedVarRecorder

from workers.solving.program import Bound, LinearProgram

Terms = dict[int, Any]
"""Coefficient by ``id`` of the variable."""


@dataclass(frozen=True, eq=False)
class ReadModel:
    """A Pyomo model in exact standard form, and the way back to its components.

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


def read_model(model: Any) -> ReadModel:
    """Read a Pyomo model as an exact linear program.

    Every active variable is a column, in the order of declaration, also where no row names it;
    every active constraint is a row, also where it is empty. A fixed variable is a column whose
    bounds are its value.

    Parameters
    ----------
    model
        A ``ConcreteModel`` with one active linear objective, whose numbers are integers or
        fractions.

    Raises
    ------
    ValueError
        If there is not exactly one objective, or an expression is not linear.
    TypeError
        If a number is a float that is not whole: its decimal is not what was meant.
    """
    # Thousands of small objects, none of them garbage: collections would only cost time.
    with PauseGC():
        return _read(model)


def _read(model: Any) -> ReadModel:
    reader = _Reader()
    variables = list(model.component_data_objects(pyo.Var, active=True))
    for variable in variables:
        reader.add_column(variable)
    constraints = list(model.component_data_objects(pyo.Constraint, active=True))
    for constraint in constraints:
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


def exact(number: Any) -> Fraction:
    """Turn a model's number into a fraction.

    Raises
    ------
    TypeError
        If it is a float that is not whole.
    """
    if isinstance(number, float) and not number.is_integer():
        raise TypeError(f"{number!r} is a float: write models with integers and fractions")
    return Fraction(number)


def integral_program(
    *,
    starts: Sequence[int],
    indices: Sequence[int],
    values: Sequence[Any],
    costs: Sequence[Any],
    row_bounds: Sequence[tuple[Bound, Bound]],
    column_bounds: Sequence[tuple[Bound, Bound]],
    maximise: bool,
) -> LinearProgram:
    """Clear the denominators of a program with rational coefficients.

    Either each column is multiplied by the least common multiple of its denominators, or each
    row by that of its own, whichever needs fewer bits: a thousand links of different unit times
    leave one port, so a row's common multiple may be huge where a column's is small, or the
    other way round. Then rows are divided by the greatest common divisor of their entries.
    """
    ratios = [value.as_integer_ratio() for value in values]
    for ratio, value in zip(ratios, values, strict=True):
        if value.__class__ is float and ratio[1] != 1:
            exact(value)
    num_rows, num_columns = len(row_bounds), len(column_bounds)
    row_multiples = [1] * num_rows
    column_multiples = [1] * num_columns
    for row in range(num_rows):
        for place in range(starts[row], starts[row + 1]):
            denominator = ratios[place][1]
            if denominator != 1:
                row_multiples[row] = lcm(row_multiples[row], denominator)
                column = indices[place]
                column_multiples[column] = lcm(column_multiples[column], denominator)
    counts = [0] * num_columns
    for column in indices:
        counts[column] += 1
    row_bits = sum(
        (starts[row + 1] - starts[row]) * multiple.bit_length()
        for row, multiple in enumerate(row_multiples)
    )
    column_bits = sum(
        count * multiple.bit_length()
        for count, multiple in zip(counts, column_multiples, strict=True)
    )
    if row_bits <= column_bits:
        column_multiples = [1] * num_columns
    else:
        row_multiples = [1] * num_rows
    row_factors: list[Fraction | int] = []
    cleared: list[int] = []
    for row in range(num_rows):
        places = range(starts[row], starts[row + 1])
        multiple = row_multiples[row]
        entries = [
            ratios[place][0] * (multiple * column_multiples[indices[place]] // ratios[place][1])
            for place in places
        ]
        divisor = gcd(*entries)
        if divisor > 1:
            entries = [entry // divisor for entry in entries]
            row_factors.append(Fraction(multiple, divisor))
        else:
            row_factors.append(multiple)
        cleared.extend(entries)
    scaled_costs = [
        exact(cost) * multiple for cost, multiple in zip(costs, column_multiples, strict=True)
    ]
    cost_factor = lcm(*(cost.denominator for cost in scaled_costs))
    if not maximise:
        cost_factor = -cost_factor
    return LinearProgram(
        starts=starts,
        indices=indices,
        values=cleared,
        costs=[int(cost * cost_factor) for cost in scaled_costs],
        row_lower=_scaled((lower for lower, _ in row_bounds), row_factors),
        row_upper=_scaled((upper for _, upper in row_bounds), row_factors),
        column_lower=_divided((lower for lower, _ in column_bounds), column_multiples),
        column_upper=_divided((upper for _, upper in column_bounds), column_multiples),
        row_factors=row_factors,
        column_factors=column_multiples,
        cost_factor=cost_factor,
    )


def _scaled(bounds: Iterable[Bound], factors: Sequence[Fraction | int]) -> list[Bound]:
    return [
        None if bound is None else bound * factor
        for bound, factor in zip(bounds, factors, strict=True)
    ]


def _divided(bounds: Iterable[Bound], factors: Sequence[int]) -> list[Bound]:
    return [
        None if bound is None else bound / factor
        for bound, factor in zip(bounds, factors, strict=True)
    ]


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
        self.column_bounds.append((_bound(lower), _bound(upper)))

    def add_row(self, constraint: Any) -> None:
        lower, body, upper = constraint.to_bounded_expression(evaluate_bounds=True)
        offset, terms = self.linear(body)
        columns = self.columns
        for variable, coefficient in terms.items():
            if coefficient:
                self.indices.append(columns[variable])
                self.values.append(coefficient)
        self.starts.append(len(self.indices))
        if offset:
            offset = exact(offset)
            lower = None if lower is None else exact(lower) - offset
            upper = None if upper is None else exact(upper) - offset
        self.row_bounds.append((_bound(lower), _bound(upper)))

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


_ZERO = Fraction(0)
_ONE = Fraction(1)


def _bound(value: Any) -> Bound:
    if value is None:
        return None
    if value == 0:
        return _ZERO
    if value == 1:
        return _ONE
    return exact(value)
