from fractions import Fraction

import pytest
from flint import fmpq, fmpq_mat, fmpz
from hypothesis import given, settings
from hypothesis import strategies as st

from steadygrid.engine.exact import dense, factorisation, vectors
from steadygrid.engine.exact.factorisation import Factorisation
from steadygrid.engine.exact.vectors import Vector, on_common_denominator, to_flint, to_fraction

_entries = st.one_of(
    st.just(Fraction(0)),
    st.just(Fraction(0)),
    st.sampled_from([Fraction(1), Fraction(-1)]),
    st.fractions(min_value=-5, max_value=5, max_denominator=9),
)


@st.composite
def _matrices(draw, square=True):
    rows = draw(st.integers(1, 7))
    columns = rows if square else draw(st.integers(1, 7))
    return [[draw(_entries) for _ in range(columns)] for _ in range(rows)]


def _sparse(matrix):
    return [{j: to_flint(value) for j, value in enumerate(line) if value} for line in matrix]


def _rank(matrix):
    return fmpq_mat([[to_flint(value) for value in line] for line in matrix]).rref()[1]


@pytest.fixture(params=["sparse", "dense core"], autouse=True)
def _cores(request, monkeypatch):
    if request.param == "dense core":
        monkeypatch.setattr(factorisation, "SMALLEST_CORE", 2)


@settings(max_examples=80)
@given(_matrices(), st.data())
def test_factors_solve_the_system_and_its_transpose(matrix, data):
    n = len(matrix)
    factors = Factorisation(_sparse(matrix), n)
    if _rank(matrix) < n:
        assert factors.idle_rows
        assert len(factors.idle_rows) == len(factors.idle_columns) == n - _rank(matrix)
        return
    assert not factors.idle_rows
    assert not factors.idle_columns
    right = [data.draw(_entries) for _ in range(n)]
    x = [to_fraction(value) for value in factors.solve([to_flint(b) for b in right])]
    y = [to_fraction(value) for value in factors.solve_transposed([to_flint(b) for b in right])]
    for k in range(n):
        assert sum(matrix[k][j] * x[j] for j in range(n)) == right[k]
        assert sum(y[i] * matrix[i][k] for i in range(n)) == right[k]


@settings(max_examples=80)
@given(_matrices(square=False))
def test_what_has_no_pivot_is_idle(matrix):
    factors = Factorisation(_sparse(matrix), len(matrix[0]))
    rank = _rank(matrix)
    assert len(factors.idle_rows) == len(matrix) - rank
    assert len(factors.idle_columns) == len(matrix[0]) - rank
    kept = [line for row, line in enumerate(matrix) if row not in factors.idle_rows]
    regular = [
        [value for column, value in enumerate(line) if column not in factors.idle_columns]
        for line in kept
    ]
    assert not regular or _rank(regular) == rank


def test_a_matrix_of_nothing_has_factors_too():
    factors = Factorisation([], 0)
    assert len(factors.solve([])) == 0
    assert len(factors.solve_transposed([])) == 0


def test_a_long_elimination_asks_whether_to_go_on():
    asked = []
    n = 300
    Factorisation(
        [{k: fmpq(1), (k + 1) % n: fmpq(2)} for k in range(n)], n, lambda: asked.append(1)
    )
    assert len(asked) >= 2


def test_the_modulus_is_prime():
    assert fmpz(dense.PRIME).is_prime()


def test_denominators_are_cleared_where_that_is_short(monkeypatch):
    numbers = [fmpq(1, 2), fmpq(2, 3), fmpq(5)]
    vector = on_common_denominator(numbers, fmpz(7))
    assert (list(vector.numerators), vector.denominator) == ([3, 4, 30], 42)
    monkeypatch.setattr(vectors, "MOST_BITS", 8)
    scattered = on_common_denominator(numbers, fmpz(7))
    assert (list(scattered.numerators), scattered.denominator) == (numbers, 7)
    assert list(vector) == list(scattered)
    assert [vector[k] for k in range(len(vector))] == list(vector)


def test_a_vector_is_as_long_as_its_numerators():
    assert len(Vector([fmpz(1), fmpz(2)], fmpz(3))) == 2
