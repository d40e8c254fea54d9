"""Clearing denominators: from rational coefficients to integers."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from steadygrid.engine.solving.program import Bound, LinearProgram

_ZERO = Fraction(0)
_ONE = Fraction(1)


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


def exact_bound(value: Any) -> Bound:
    """Turn a model's bound into a fraction, sharing the most frequent ones."""
    if value is None:
        return None
    if value == 0:
        return _ZERO
    if value == 1:
        return _ONE
    return exact(value)


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
    row by that of its own, whichever needs fewer bits. A thousand links of different unit times
    leave one port, so a row's common multiple may be huge where a column's is small, or in
    reverse. Then rows are divided by the greatest common divisor of their entries.

    Parameters
    ----------
    starts, indices, values
        The matrix by rows, as in `LinearProgram`, with nonzero rational values.
    costs
        The objective by column.
    row_bounds, column_bounds
        (lower, upper), None if there is none.
    maximise
        The sense of the objective.

    Raises
    ------
    TypeError
        If a number is a float that is not whole.
    """
    ratios = [_ratio(value) for value in values]
    row_multiples, column_multiples = _multiples(
        starts, indices, [ratio[1] for ratio in ratios], len(column_bounds)
    )
    cleared: list[int] = []
    row_factors: list[Fraction | int] = []
    for row, multiple in enumerate(row_multiples):
        entries = [
            ratios[place][0] * (multiple * column_multiples[indices[place]] // ratios[place][1])
            for place in range(starts[row], starts[row + 1])
        ]
        divisor = gcd(*entries)
        if divisor > 1:
            entries = [entry // divisor for entry in entries]
            row_factors.append(Fraction(multiple, divisor))
        else:
            row_factors.append(multiple)
        cleared.extend(entries)
    scaled_costs = [
        exact(cost) * multiple if cost else _ZERO
        for cost, multiple in zip(costs, column_multiples, strict=True)
    ]
    cost_factor = lcm(*(cost.denominator for cost in scaled_costs))
    if not maximise:
        cost_factor = -cost_factor
    return LinearProgram(
        starts=starts,
        indices=indices,
        values=cleared,
        costs=[int(cost * cost_factor) if cost else 0 for cost in scaled_costs],
        row_lower=_times((lower for lower, _ in row_bounds), row_factors),
        row_upper=_times((upper for _, upper in row_bounds), row_factors),
        column_lower=_divided((lower for lower, _ in column_bounds), column_multiples),
        column_upper=_divided((upper for _, upper in column_bounds), column_multiples),
        row_factors=row_factors,
        column_factors=column_multiples,
        cost_factor=cost_factor,
    )


def _ratio(value: Any) -> tuple[int, int]:
    numerator, denominator = value.as_integer_ratio()
    if denominator != 1 and value.__class__ is float:
        exact(value)
    return numerator, denominator


def _multiples(
    starts: Sequence[int], indices: Sequence[int], denominators: Sequence[int], num_columns: int
) -> tuple[list[int], list[int]]:
    """Give what rows and columns are multiplied by. All ones on one of the two sides."""
    num_rows = len(starts) - 1
    of_rows, of_columns, lengths = [1] * num_rows, [1] * num_columns, [0] * num_columns
    for row in range(num_rows):
        for place in range(starts[row], starts[row + 1]):
            column, denominator = indices[place], denominators[place]
            lengths[column] += 1
            if denominator != 1:
                of_rows[row] = lcm(of_rows[row], denominator)
                of_columns[column] = lcm(of_columns[column], denominator)
    row_bits = sum(
        (starts[row + 1] - starts[row]) * multiple.bit_length()
        for row, multiple in enumerate(of_rows)
    )
    column_bits = sum(
        length * multiple.bit_length() for length, multiple in zip(lengths, of_columns, strict=True)
    )
    if row_bits <= column_bits:
        return of_rows, [1] * num_columns
    return [1] * num_rows, of_columns


def _times(bounds: Iterable[Bound], factors: Sequence[Fraction | int]) -> list[Bound]:
    return [
        bound * factor if bound and factor != 1 else bound
        for bound, factor in zip(bounds, factors, strict=True)
    ]


def _divided(bounds: Iterable[Bound], factors: Sequence[int]) -> list[Bound]:
    return [
        bound / factor if bound and factor != 1 else bound
        for bound, factor in zip(bounds, factors, strict=True)
    ]
