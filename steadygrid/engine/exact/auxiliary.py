r"""Two programs whose optima prove that another program has none.

Both have an optimum for every input, so that one kind of proof, a certified optimum,
serves for every answer.
"""

from dataclasses import replace
from fractions import Fraction

from steadygrid.engine.solving.program import Bound, LinearProgram

ZERO = Fraction(0)


def elastic(program: LinearProgram) -> LinearProgram:
    r"""Let the rows give way, at a cost.

    .. math:: \max\; -\sum_i (p_i + q_i) \quad\text{s.t.}\quad
              L \le A x + p - q \le U,\; l \le x \le u,\; p, q \ge 0,

    p only where there is a lower bound, q where there is an upper one. Feasible (as long as
    :math:`l \le u`, which `LinearProgram` grants) and bounded by 0. The optimum is 0 exactly
    where the program is feasible, and x then shows it; else its prices are a Farkas ray.
    """
    starts, indices, values = [0], list[int](), list[int]()
    extra = program.num_columns
    for row in range(program.num_rows):
        places = slice(program.starts[row], program.starts[row + 1])
        indices.extend(program.indices[places])
        values.extend(program.values[places])
        for bound, sign in ((program.row_lower[row], 1), (program.row_upper[row], -1)):
            if bound is not None:
                indices.append(extra)
                values.append(sign)
                extra += 1
        starts.append(len(indices))
    added = extra - program.num_columns
    return replace(
        program,
        starts=starts,
        indices=indices,
        values=values,
        costs=[0] * program.num_columns + [-1] * added,
        column_lower=[*program.column_lower, *[ZERO] * added],
        column_upper=[*program.column_upper, *[None] * added],
        column_factors=[*program.column_factors, *[1] * added],
        cost_factor=1,
    )


def recession(program: LinearProgram) -> LinearProgram:
    r"""Ask for the best direction that no bound ever stops, within the unit box.

    .. math:: \max\; c r \quad\text{s.t.}\quad (A r)_i \ge 0 \text{ where } L_i \text{ is finite},
              \; (A r)_i \le 0 \text{ where } U_i \text{ is}, \text{ and so for columns},
              \; -1 \le r \le 1 .

    Feasible (r = 0) and bounded. The optimum is positive exactly where the program, if it is
    feasible, is unbounded.
    """
    return replace(
        program,
        row_lower=[_stop(bound) for bound in program.row_lower],
        row_upper=[_stop(bound) for bound in program.row_upper],
        column_lower=[Fraction(-1) if b is None else ZERO for b in program.column_lower],
        column_upper=[Fraction(1) if b is None else ZERO for b in program.column_upper],
    )


def _stop(bound: Bound) -> Bound:
    return None if bound is None else ZERO
