"""The variables of a linear program, as the simplex method sees them."""

from flint import fmpq

from steadygrid.engine.exact.vectors import to_flint
from steadygrid.engine.solving.program import Bound, LinearProgram
from steadygrid.engine.solving.scaling import scale

Entries = list[tuple[int, fmpq]]
"""Places and what stands there."""
Sparse = dict[int, fmpq]
"""What is not 0, by place."""

ZERO = fmpq(0)


class Variables:
    r"""Columns and the activities of rows, as one sequence of variables: columns first.

    The program is then :math:`A x - s = 0` with bounds on x and s.

    Attributes
    ----------
    num_columns, num_rows
        Of the program. There are as many variables as both together.
    lower, upper
        Bounds by variable. None if there is none.
    fixed
        Whether the bounds leave one value only, by variable.
    entries
        (row, coefficient) by variable.
    lines
        (column, coefficient) by row, without the activity.
    costs
        The objective by variable.
    units
        By variable, the power of two in which its values are of about the size of others
        (`steadygrid.engine.solving.scaling`).
    """

    def __init__(self, program: LinearProgram) -> None:
        self.program = program
        self.num_columns, self.num_rows = program.num_columns, program.num_rows
        lower = [*program.column_lower, *program.row_lower]
        upper = [*program.column_upper, *program.row_upper]
        self.fixed = [a is not None and a == b for a, b in zip(lower, upper, strict=True)]
        self.lower, self.upper = _to_flint(lower), _to_flint(upper)
        self.entries: list[Entries] = [[] for _ in range(program.num_columns)]
        self.lines: list[Entries] = []
        for row in range(program.num_rows):
            line = []
            for place in range(program.starts[row], program.starts[row + 1]):
                column, coefficient = program.indices[place], fmpq(program.values[place])
                line.append((column, coefficient))
                self.entries[column].append((row, coefficient))
            self.lines.append(line)
        self.entries += [[(row, fmpq(-1))] for row in range(program.num_rows)]
        self.costs = [*map(fmpq, program.costs), *[ZERO] * program.num_rows]
        scaled = scale(program)
        self.units: list[int] = [
            *scaled.column_exponents.tolist(),
            *(-scaled.row_exponents).tolist(),
        ]


def _to_flint(bounds: list[Bound]) -> list[fmpq | None]:
    return [None if bound is None else to_flint(bound) for bound in bounds]


def size_of(value: fmpq) -> int:
    """Give the logarithm of a number that is not 0, to base 2 and off by less than 1."""
    return value.p.bit_length() - value.q.bit_length()
