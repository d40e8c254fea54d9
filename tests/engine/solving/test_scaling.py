import math
from fractions import Fraction

import numpy as np
import pytest

from steadygrid.engine.solving.integer_scaling import integral_program
from steadygrid.engine.solving.scaling import (
    LARGEST_CONTINUOUS_EXPONENT,
    LARGEST_EXPONENT,
    SMALLEST,
    scale,
    scale_rows,
)

F = Fraction


def _program(matrix, costs, rows, columns):
    indices = [j for line in matrix for j, value in enumerate(line) if value]
    values = [value for line in matrix for value in line if value]
    starts = np.cumsum([0, *(sum(map(bool, line)) for line in matrix)]).tolist()
    return integral_program(
        starts=starts,
        indices=indices,
        values=values,
        costs=costs,
        row_bounds=rows,
        column_bounds=columns,
        maximise=True,
    )


MATRICES = {
    "level": [[1, 2], [3, 1]],
    "raw bytes": [[F(8, 10**10), F(1, 1250000000)], [1, -1]],
    "tiny": [[F(1, 10**30), 1], [1, 10**30]],
    "longer than doubles": [[10**400, 3], [7, F(1, 10**350)]],
}


@pytest.mark.parametrize("name", ["level", "raw bytes", "tiny"])
def test_coefficients_of_thirty_digits_up_or_down_stay_within_what_highs_takes(name):
    bounds = [(None, F(10**25)), (F(-1, 3), F(1))]
    scaled = scale(_program(MATRICES[name], [F(1, 7), 10**20], bounds, [(F(0), None)] * 2))
    assert np.all((np.abs(scaled.values) > 1e-10) & (np.abs(scaled.values) < 1e10))


@pytest.mark.parametrize("matrix", MATRICES.values(), ids=MATRICES)
def test_every_number_is_the_exact_one_times_a_power_of_two(matrix):
    bounds = [(None, F(10**25)), (F(-1, 3), F(1))]
    program = _program(matrix, [F(1, 7), 10**20], bounds, [(F(0), None), (F(-5), F(1, 9))])
    scaled = scale(program)

    def power(exponent):
        return F(2) ** int(exponent)

    for i in range(2):
        row = power(scaled.row_exponents[i])
        for place in range(program.starts[i], program.starts[i + 1]):
            j = program.indices[place]
            number = program.values[place] * row * power(scaled.column_exponents[j])
            assert scaled.values[place] == float(number)
    for j in range(2):
        factor = power(scaled.column_exponents[j])
        assert scaled.costs[j] == float(program.costs[j] * factor * power(scaled.cost_exponent))
    # One power of two, the size of all variables, is common to the bounds.
    assert scaled.row_lower[0] == -math.inf
    assert scaled.column_upper[0] == math.inf
    assert scaled.column_lower[0] == 0
    size = F(float(scaled.column_lower[1])) / (
        program.column_lower[1] / power(scaled.column_exponents[1])
    )
    for bound, number, factor in (
        (program.row_upper[0], scaled.row_upper[0], power(scaled.row_exponents[0])),
        (program.row_lower[1], scaled.row_lower[1], power(scaled.row_exponents[1])),
        (program.row_upper[1], scaled.row_upper[1], power(scaled.row_exponents[1])),
        (program.column_upper[1], scaled.column_upper[1], 1 / power(scaled.column_exponents[1])),
    ):
        ratio = F(float(number)) / (bound * factor * size)
        assert abs(ratio - 1) < F(1, 2**50)


def test_coefficients_of_raw_bytes_come_near_one():
    times = [F(1, 1250000000 + k) for k in range(50)]
    scaled = scale(_program([times], [1] * 50, [(None, F(1))], [(F(0), None)] * 50))
    assert np.all((np.abs(scaled.values) > 0.1) & (np.abs(scaled.values) < 10))


def test_duals_are_scaled_back():
    program = _program([[F(1, 10**6)]], [F(10**9)], [(None, F(1))], [(F(0), None)])
    scaled = scale(program)
    # The only price: cost over coefficient.
    of_scaled = scaled.costs[0] / scaled.values[0]
    assert scaled.duals(np.array([of_scaled]))[0] == program.costs[0] / program.values[0]


def test_rows_alone_are_scaled_where_columns_must_stay_whole():
    matrix = [[F(1, 10**12), F(3, 10**12)], [F(10**9), 2], [F(1, 10**20), F(10**20)]]
    rows = [(None, F(1, 10**11)), (F(-1), F(7)), (F(1), None)]
    program = _program(matrix, [F(1, 7), 3], rows, [(F(0), F(1)), (F(0), F(5))])
    scaled = scale_rows(program, np.array([True, True]))
    assert np.all(np.abs(scaled.values) > SMALLEST)
    assert np.all(scaled.values < 2.0 ** (LARGEST_EXPONENT + 1))
    assert scaled.costs.tolist() == [1 / 7, 3]
    assert (scaled.column_lower.tolist(), scaled.column_upper.tolist()) == ([0, 0], [1, 5])
    assert scaled.row_upper[0] / scaled.values[0] == pytest.approx(10)
    assert scaled.values[1] / scaled.values[0] == pytest.approx(3)


def test_the_tolerance_of_times_does_not_grow_with_what_is_long():
    program = _program([[10**6, -1], [10**9, 1]], [0, 1], [(None, F(0))] * 2, [(F(0), F(1))] * 2)
    scaled = scale_rows(program, np.array([True, False]))
    assert abs(scaled.values[1]) == 1
    assert scaled.values[3] == 1


@pytest.mark.parametrize(
    ("least", "most"), [(F(0), F(1)), (F(-3), F(5)), (None, F(2)), (F(1), None)]
)
@pytest.mark.parametrize("sign", [1, -1])
def test_what_is_too_small_is_left_out_so_that_every_solution_stays_one(least, most, sign):
    tiny = F(sign, 10**30)
    program = _program([[tiny, 1]], [0, 1], [(F(1), F(2))], [(least, most), (F(0), None)])
    scaled = scale_rows(program, np.array([True, False]))
    assert len(scaled.values) == 1
    scale_of_row = F(float(scaled.values[0]))
    ends = [None if end is None else tiny * end * scale_of_row for end in (least, most)]
    lowest, highest = ends if sign > 0 else ends[::-1]
    assert scaled.row_lower[0] == (-math.inf if highest is None else float(scale_of_row - highest))
    assert scaled.row_upper[0] == (math.inf if lowest is None else float(2 * scale_of_row - lowest))


def test_a_coefficient_beyond_doubles_is_left_out_too():
    program = _program([[F(1, 10**400), 1]], [0, 1], [(None, F(1))], [(F(0), None)] * 2)
    scaled = scale_rows(program, np.array([True, False]))
    assert scaled.values.tolist() == [2.0**LARGEST_CONTINUOUS_EXPONENT]
    assert scaled.indices.tolist() == [1]
    assert scaled.starts.tolist() == [0, 1]
