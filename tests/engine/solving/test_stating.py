"""Programs stated in whole numbers: what was meant, not what was scaled for the solver."""

from fractions import Fraction
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.domain.stated_program import Name, StatedColumn, StatedProgram, StatedRow
from steadygrid.engine.solving.reading import read_model
from steadygrid.engine.solving.stating import state


def model() -> Any:
    made = pyo.ConcreteModel()
    made.x = pyo.Var([0, 1])
    made.y = pyo.Var(bounds=(Fraction(1, 3), 5))
    made.x[0].setlb(0)
    made.cost = pyo.Objective(expr=Fraction(1, 2) * made.x[0] + Fraction(2, 3) * made.y)
    made.row = pyo.Constraint([0, 1], rule=lambda m, i: rows(m)[i])
    made.empty = pyo.Constraint(expr=0 * made.y <= 1)
    return made


def rows(made: Any) -> list[Any]:
    ranged = Fraction(1, 6) * made.x[0] - Fraction(3, 4) * made.x[1]
    return [(Fraction(1, 2), ranged, 2), 4 * made.x[0] + 6 * made.y == 8]


def stated(made: Any, **more: Any) -> StatedProgram:
    return state(read_model(made), "t", lambda _, index: (str(index),), Fraction(1), **more)


def test_rows_are_whole_and_have_no_common_divisor() -> None:
    found = stated(model())
    assert found.columns == [
        StatedColumn(Name("x", ("0",)), 0, None),
        StatedColumn(Name("x", ("1",)), None, None),
        StatedColumn(Name("y"), None, 5),
    ]
    assert found.rows == [
        StatedRow(Name("bound", ("y",)), [(2, 3)], ">=", 1),
        StatedRow(Name("row", ("0",)), [(0, 2), (1, -9)], "<=", 24),
        StatedRow(Name("row_least", ("0",)), [(0, 2), (1, -9)], ">=", 6),
        StatedRow(Name("row", ("1",)), [(0, 2), (2, 3)], "=", 4),
    ]
    assert (found.costs, found.factor, found.maximise) == ([(0, 3), (2, 4)], 6, False)


def test_columns_that_were_scaled_are_stated_as_they_were_meant() -> None:
    made = pyo.ConcreteModel()
    made.x = pyo.Var(range(40), bounds=(0, 2))
    # Each column has a denominator of its own: rows would have a huge common multiple.
    primes = [p for p in range(2, 200) if all(p % q for q in range(2, p))][:40]
    terms = [Fraction(1, prime) * made.x[i] for i, prime in enumerate(primes)]
    made.row = pyo.Constraint(range(2), rule=lambda _, r: sum(terms) <= 1 + r)
    made.gain = pyo.Objective(expr=sum(terms[:2]), sense=pyo.maximize)
    reading = read_model(made)
    assert max(reading.program.column_factors) > 1
    found = stated(made)
    assert {column[1:] for column in found.columns} == {(0, 2)}
    for r, row in enumerate(found.rows):
        assert [Fraction(number, row.side) for _, number in row.terms] == [
            Fraction(1, prime * (1 + r)) for prime in primes
        ]
    assert [Fraction(cost, found.factor) for _, cost in found.costs] == [
        Fraction(1, 2),
        Fraction(1, 3),
    ]


def test_what_is_named_alike_is_numbered() -> None:
    made = pyo.ConcreteModel()
    made.x = pyo.Var(["a", "b", "c"])
    made.cost = pyo.Objective(expr=made.x["a"])
    names = {"a": ("n",), "b": ("n",), "c": ("n", "1")}
    found = state(read_model(made), "t", lambda _, index: names[index], Fraction(0))
    assert [column.name.parts for column in found.columns] == [("n", "2"), ("n", "3"), ("n", "1")]


def test_what_no_file_says_is_refused() -> None:
    made = pyo.ConcreteModel()
    made.x = pyo.Var()
    made.cost = pyo.Objective(expr=made.x + 1)
    with pytest.raises(ValueError, match="constant"):
        stated(made)
    made.del_component("cost")
    made.cost = pyo.Objective(expr=made.x)
    made.never = pyo.Constraint(expr=0 * made.x >= 1)
    with pytest.raises(ValueError, match="cannot hold"):
        stated(made)
