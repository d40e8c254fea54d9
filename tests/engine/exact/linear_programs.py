"""Small linear programs as plain numbers, and the definition of a proof for them.

Nothing here uses the code under test: feasibility, duality and rays are written out in
fractions, on the data from which the Pyomo model is made.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pyomo.core as pyo
from hypothesis import strategies as st

import steadygrid.engine.solving  # noqa: F401  (Pyomo must know fractions)

Bounds = tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True)
class Program:
    """Optimise costs x + offset under row and column bounds."""

    matrix: tuple[tuple[Fraction, ...], ...]
    rows: tuple[Bounds, ...]
    columns: tuple[Bounds, ...]
    costs: tuple[Fraction, ...]
    offset: Fraction = Fraction(0)
    maximise: bool = True

    def model(self) -> Any:
        model = pyo.ConcreteModel()
        model.x = pyo.Var(range(len(self.columns)), bounds=lambda model, j: self.columns[j])
        model.kept = pyo.Constraint(
            range(len(self.rows)),
            # Pyomo has no rows without bounds.
            rule=lambda model, i: (
                pyo.Constraint.Skip
                if self.rows[i] == (None, None)
                else (self.rows[i][0], _sum(self.matrix[i], model.x), self.rows[i][1])
            ),
        )
        model.goal = pyo.Objective(
            expr=_sum(self.costs, model.x) + self.offset,
            sense=pyo.maximize if self.maximise else pyo.minimize,
        )
        return model


def _sum(coefficients: Sequence[Fraction], x: Any) -> Any:
    # The zero term keeps an empty row an expression.
    return sum((c * x[j] for j, c in enumerate(coefficients) if c), 0 * x[0])


def assert_proved(program: Program, model: Any, solution: Any) -> None:
    """Assert that the answer proves itself, whatever its status."""
    n = len(program.columns)
    if solution.status == "optimal":
        values = _listed(solution.values_of(model.x), n)
        prices = _listed(solution.prices_of(model.kept), len(program.rows))
        assert_feasible(program, values)
        value = dot(program.costs, values) + program.offset
        assert solution.objective == value
        sign = 1 if program.maximise else -1
        bound = upper_bound(program, [sign * c for c in program.costs], [sign * p for p in prices])
        assert sign * bound + program.offset == value
    elif solution.status == "infeasible":
        assert solution.objective is None
        ray = _listed(solution.farkas_of(model.kept), len(program.rows))
        assert upper_bound(program, [Fraction(0)] * n, ray) < 0
    else:
        assert solution.objective is None
        assert_feasible(program, _listed(solution.values_of(model.x), n))
        ray = _listed(solution.direction_of(model.x), n)
        assert (dot(program.costs, ray) > 0) == program.maximise
        assert dot(program.costs, ray) != 0
        moves = [dot(line, ray) for line in program.matrix]
        for move, (lower, upper) in zip(
            [*moves, *ray], [*program.rows, *program.columns], strict=True
        ):
            assert move >= 0 or lower is None
            assert move <= 0 or upper is None


def assert_feasible(program: Program, values: Sequence[Fraction]) -> None:
    sides = [dot(line, values) for line in program.matrix]
    for side, (lower, upper) in zip(
        [*sides, *values], [*program.rows, *program.columns], strict=True
    ):
        assert lower is None or side >= lower
        assert upper is None or side <= upper


def upper_bound(
    program: Program, costs: Sequence[Fraction], prices: Sequence[Fraction]
) -> Fraction:
    """Weak duality: no feasible x has costs x above this."""
    reduced = [
        cost
        - sum((p * line[j] for p, line in zip(prices, program.matrix, strict=True)), Fraction())
        for j, cost in enumerate(costs)
    ]
    total = Fraction(0)
    for slope, (lower, upper) in zip(
        [*prices, *reduced], [*program.rows, *program.columns], strict=True
    ):
        if slope:
            bound = upper if slope > 0 else lower
            assert bound is not None, "a price or reduced cost has the wrong sign"
            total += slope * bound
    return total


def dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def _listed(mapping: dict[int, Fraction], count: int) -> list[Fraction]:
    assert all(mapping.values()), "zeros are left out"
    return [mapping.get(k, Fraction(0)) for k in range(count)]


_numbers = st.one_of(
    st.sampled_from([Fraction(n) for n in (0, 0, 0, 1, 1, -1, 2, -3)]),
    st.fractions(min_value=-10, max_value=10, max_denominator=12),
)


@st.composite
def _bounds(draw: st.DrawFn) -> Bounds:
    ends = sorted((draw(_numbers), draw(_numbers)))
    kind = draw(st.sampled_from(["none", "lower", "lower", "upper", "both", "fixed"]))
    return {
        "none": (None, None),
        "lower": (ends[0], None),
        "upper": (None, ends[1]),
        "both": (ends[0], ends[1]),
        "fixed": (ends[0], ends[0]),
    }[kind]


@st.composite
def programs(draw: st.DrawFn, most_columns: int = 4, most_rows: int = 5) -> Program:
    """Programs of every status, many of them degenerate, with empty rows and columns."""
    n = draw(st.integers(1, most_columns))
    m = draw(st.integers(0, most_rows))
    line = st.tuples(*[_numbers] * n)
    return Program(
        matrix=tuple(draw(line) for _ in range(m)),
        rows=tuple(draw(_bounds()) for _ in range(m)),
        columns=tuple(draw(st.one_of(st.just((Fraction(0), None)), _bounds())) for _ in range(n)),
        costs=draw(line),
        offset=draw(_numbers),
        maximise=draw(st.booleans()),
    )
