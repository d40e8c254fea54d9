from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadygrid.engine.solving.integer_scaling import exact, exact_bound, integral_program

F = Fraction
_rationals = st.fractions(min_value=-50, max_value=50, max_denominator=60)
_bounds = st.tuples(st.none() | _rationals, st.none() | _rationals)


def _clear(matrix, costs, row_bounds, column_bounds, maximise=True):
    starts, indices, values = [0], [], []
    for line in matrix:
        for column, value in enumerate(line):
            if value:
                indices.append(column)
                values.append(value)
        starts.append(len(indices))
    return integral_program(
        starts=starts,
        indices=indices,
        values=values,
        costs=costs,
        row_bounds=row_bounds,
        column_bounds=column_bounds,
        maximise=maximise,
    )


@settings(max_examples=60)
@given(st.data(), st.integers(1, 4), st.integers(0, 4), st.booleans())
def test_the_factors_lead_back_to_the_program_that_was_given(data, n, m, maximise):
    line = st.lists(_rationals, min_size=n, max_size=n)
    matrix = [data.draw(line) for _ in range(m)]
    costs = data.draw(line)
    row_bounds = [data.draw(_bounds) for _ in range(m)]
    column_bounds = [data.draw(_bounds) for _ in range(n)]
    program = _clear(matrix, costs, row_bounds, column_bounds, maximise)
    assert (program.num_rows, program.num_columns) == (m, n)
    assert (program.cost_factor > 0) == maximise
    assert all(type(number) is int for number in (*program.values, *program.costs))
    assert all(factor > 0 for factor in (*program.row_factors, *program.column_factors))
    for j in range(n):
        factor = program.column_factors[j]
        assert F(program.costs[j]) == costs[j] * factor * program.cost_factor
        for given_, kept in zip(
            column_bounds[j], (program.column_lower[j], program.column_upper[j]), strict=True
        ):
            assert kept == (None if given_ is None else given_ / factor)
    for i in range(m):
        back = [F(0)] * n
        for place in range(program.starts[i], program.starts[i + 1]):
            j = program.indices[place]
            back[j] = program.values[place] / F(program.row_factors[i] * program.column_factors[j])
        assert back == matrix[i]
        for given_, kept in zip(
            row_bounds[i], (program.row_lower[i], program.row_upper[i]), strict=True
        ):
            assert kept == (None if given_ is None else given_ * program.row_factors[i])


PRIMES = (101, 103, 107, 109, 113, 127, 131, 137)


def test_a_port_with_many_links_keeps_short_numbers_by_scaling_columns():
    matrix = [[F(1, p) for p in PRIMES], [1] * len(PRIMES)]
    program = _clear(matrix, [0] * 8, [(None, F(1))] * 2, [(F(0), None)] * 8)
    assert list(program.column_factors) == list(PRIMES)
    assert list(program.values) == [1] * 8 + list(PRIMES)


def test_a_variable_in_many_rows_keeps_short_numbers_by_scaling_rows():
    matrix = [[F(1, p), F(2, p)] for p in PRIMES]
    program = _clear(matrix, [1, 1], [(None, F(1))] * 8, [(F(0), None)] * 2)
    assert list(program.row_factors) == list(PRIMES)
    assert list(program.values) == [1, 2] * 8


def test_rows_are_divided_by_what_their_entries_share():
    program = _clear([[6, 9], [0, 0]], [1, 0], [(None, F(5)), (F(-1), None)], [(None, None)] * 2)
    assert list(program.values) == [2, 3]
    assert program.row_upper == [F(5, 3), None]
    assert program.row_lower == [None, F(-1)]


def test_whole_floats_are_exact_and_others_are_refused():
    assert exact(3.0) == 3
    assert exact_bound(0.0) == 0
    assert exact_bound(1) == 1
    assert exact_bound(-2.0) == -2
    assert exact_bound(None) is None
    for number in (0.1, float("nan"), float("inf")):
        with pytest.raises(TypeError, match="write models with integers and fractions"):
            exact(number)
    with pytest.raises(TypeError, match=r"0\.5 is a float"):
        _clear([[0.5]], [1], [(None, F(1))], [(None, None)])
