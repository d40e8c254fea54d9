"""Integrals of the least of some costs over uniform tasks, by cutting triangles until one is least."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.kinds.bag_of_tasks.schemas import UniformTasks

Line = tuple[Fraction, Fraction]
Point = tuple[Fraction, Fraction]


def expected_least(tasks: UniformTasks, costs: Sequence[Line]) -> Fraction:
    """Add up the two triangles of the unit square of draws, as the contract describes them."""
    corners = [(Fraction(a), Fraction(b)) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return _triangle(tasks, costs, corners[:3]) + _triangle(
        tasks, costs, [corners[0], *corners[2:]]
    )


def _cost(tasks: UniformTasks, line: Line, draws: Point) -> Fraction:
    (m, most), (n, longest), phi = tasks.input_size, tasks.work, tasks.correlation
    size = m + draws[0] * (most - m)
    return line[0] * size + line[1] * (n + (phi * draws[0] + (1 - phi) * draws[1]) * (longest - n))


def _triangle(tasks: UniformTasks, costs: Sequence[Line], corners: Sequence[Point]) -> Fraction:
    least = []
    for corner in corners:
        values = [_cost(tasks, line, corner) for line in costs]
        least.append({k for k, value in enumerate(values) if value == min(values)})
    (x, y), *others = corners
    (dx, dy), (ex, ey) = ((other[0] - x, other[1] - y) for other in others)
    area = abs(dx * ey - ex * dy) / 2
    if everywhere := set.intersection(*least):
        line = costs[min(everywhere)]
        return area * sum(_cost(tasks, line, corner) for corner in corners) / 3
    i, j = next((i, j) for i, j in ((0, 1), (1, 2), (2, 0)) if not least[i] & least[j])
    here, there = corners[i], corners[j]
    one, other = costs[min(least[i])], costs[min(least[j])]
    before, after = (
        _cost(tasks, one, corner) - _cost(tasks, other, corner) for corner in (here, there)
    )
    part = before / (before - after)
    cut = here[0] + part * (there[0] - here[0]), here[1] + part * (there[1] - here[1])
    rest = corners[3 - i - j]
    return _triangle(tasks, costs, [here, cut, rest]) + _triangle(tasks, costs, [cut, there, rest])
