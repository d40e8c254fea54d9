"""An independent simplex method for tiny programs: dense dictionaries of fractions, Bland's rule.

Source: Chvátal, *Linear Programming*, 1983, chapters 2 and 3.
"""

from fractions import Fraction

from steadygrid.engine.solving.program import LinearProgram

ZERO, ONE = Fraction(0), Fraction(1)


def optimum_of(program: LinearProgram) -> tuple[str, Fraction | None]:
    """Give the status and, where it is optimal, the value of a program."""
    n = program.num_columns
    # x_j = base_j + sum of sign * z_k over parts of j, with z >= 0 throughout.
    base, parts = [ZERO] * n, list[tuple[int, int]]()
    for j, (low, high) in enumerate(zip(program.column_lower, program.column_upper, strict=True)):
        if low is not None:
            base[j] = low
            parts.append((j, 1))
        else:
            base[j] = high or ZERO
            parts += [(j, -1)] if high is not None else [(j, 1), (j, -1)]
    lines = []
    for i in range(program.num_rows):
        line = [ZERO] * n
        for place in range(program.starts[i], program.starts[i + 1]):
            line[program.indices[place]] += program.values[place]
        lines.append((line, program.row_lower[i], program.row_upper[i]))
    for j in range(n):
        unit = [ZERO] * n
        unit[j] = ONE
        lines.append((unit, program.column_lower[j], program.column_upper[j]))
    rows, sides = [], []
    for line, low, high in lines:
        offset = sum((a * b for a, b in zip(line, base, strict=True)), ZERO)
        for bound, way in ((high, 1), (low, -1)):
            if bound is not None:
                rows.append([way * sign * line[j] for j, sign in parts])
                sides.append(way * (bound - offset))
    costs = [Fraction(sign * program.costs[j]) for j, sign in parts]
    value = sum((c * b for c, b in zip(program.costs, base, strict=True)), ZERO)
    status, gained = _maximise(rows, sides, costs)
    return status, None if gained is None else value + gained


def _maximise(
    rows: list[list[Fraction]], sides: list[Fraction], costs: list[Fraction]
) -> tuple[str, Fraction | None]:
    """Maximise costs z where rows z <= sides and z >= 0."""
    n = len(costs)
    # The last column is one that lets every row give way; line 0 is the objective.
    table = [[ZERO, *[ZERO] * n, -ONE]]
    table += [[b, *(-a for a in row), ONE] for row, b in zip(rows, sides, strict=True)]
    nonbasic, basic = list(range(n + 1)), list(range(n + 1, n + 1 + len(rows)))
    if sides and min(sides) < 0:
        _pivot(table, nonbasic, basic, 1 + sides.index(min(sides)), n + 1)
        _run(table, nonbasic, basic)
        if table[0][0] < 0:
            return "infeasible", None
    if n in basic:
        line = basic.index(n) + 1
        entering = next((k for k in range(1, n + 2) if table[line][k]), None)
        if entering is None:  # the row says 0 = 0
            entering = 1
            del table[line], basic[line - 1]
            nonbasic.append(n)
            for other in table:
                other.append(ZERO)
        else:
            _pivot(table, nonbasic, basic, line, entering)
    place = nonbasic.index(n) + 1
    for other in table:
        del other[place]
    nonbasic.remove(n)
    table[0] = [ZERO] * (len(nonbasic) + 1)
    for j, cost in enumerate(costs):
        if j in nonbasic:
            table[0][nonbasic.index(j) + 1] += cost
        elif j in basic:
            for k, value in enumerate(table[basic.index(j) + 1]):
                table[0][k] += cost * value
    return ("optimal", table[0][0]) if _run(table, nonbasic, basic) else ("unbounded", None)


def _run(table: list[list[Fraction]], nonbasic: list[int], basic: list[int]) -> bool:
    """Pivot by the least index until nothing improves; False where nothing stops."""
    while better := [(j, k) for k, j in enumerate(nonbasic, 1) if table[0][k] > 0]:
        _, entering = min(better)
        stops = [
            (-line[0] / line[entering], j, i)
            for i, (line, j) in enumerate(zip(table[1:], basic, strict=True), 1)
            if line[entering] < 0
        ]
        if not stops:
            return False
        _pivot(table, nonbasic, basic, min(stops)[2], entering)
    return True


def _pivot(
    table: list[list[Fraction]], nonbasic: list[int], basic: list[int], leaving: int, entering: int
) -> None:
    line = table[leaving]
    pivot = line[entering]
    solved = [-value / pivot for value in line]
    solved[entering] = 1 / pivot
    for i, other in enumerate(table):
        if i != leaving and (factor := other[entering]):
            other[entering] = ZERO
            table[i] = [a + factor * b for a, b in zip(other, solved, strict=True)]
    table[leaving] = solved
    nonbasic[entering - 1], basic[leaving - 1] = basic[leaving - 1], nonbasic[entering - 1]
