"""What no policy can do better with the tasks of a stream, even if it knows all."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import isqrt, lcm

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.rounding import leading_bits
from steadygrid.engine.exact.safe_rounding import rounded_prices, too_long
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.schemas import BagClass
from steadygrid.kinds.bag_of_tasks.solver.draws import Kind
from steadygrid.kinds.bag_of_tasks.solver.program import bound_of, optimum
from steadygrid.kinds.bag_of_tasks.solver.star import Star

MOST_COLUMNS = 20_000
"""Classes times workers of a program; beyond that the prices are those of their means in cells."""
MOST_DRAWN = 2_000
"""The same where tasks are uniform, whose numbers are long."""
_BITS = 40
_MEAN_BITS = 16
"""Of means in cells: few, so that their program is quickly solved."""

Counts = Mapping[tuple[Fraction, Fraction], int]
"""Tasks by size and work."""


def stream_prices(
    star: Star, kinds: Sequence[Kind], tasks: Sequence[int], control: Control
) -> tuple[dict[str, Fraction], bool]:
    """Find prices at which the tasks of a stream cost 1 on the average, each where it is cheapest.

    They sum to the optimum of the program with the classes of this very stream, equation (16), or
    to a little more where it has too many of them.

    Parameters
    ----------
    star
        Classes, workers and resources of the instance.
    kinds
        Sizes and works of the tasks that were drawn.
    tasks
        The stream: of each task, the position of its kind.
    control
        Deadline, cancellation and progress of the solve.

    Returns
    -------
    The prices, and whether there was time to look for the best ones.

    Raises
    ------
    Cancelled
        If cancelled.
    """
    counts: Counter[tuple[Fraction, Fraction]] = Counter()
    for k, number in Counter(tasks).items():
        one = kinds[k]
        counts[one.input_size, one.work] += number
    few: Counts = counts
    most = MOST_DRAWN if star.instance.has_uniform_bags else MOST_COLUMNS
    if len(counts) * len(star.workers) > most:
        few = _means(counts, isqrt(most // len(star.workers)) + 1)
    try:
        guess = optimum(replace(star, others=_classes(few)), control).prices
        in_time = True
    except OutOfTime:
        names = {
            name for worker in star.workers for name, _ in (*worker.per_work, *worker.per_data)
        }
        guess, in_time = dict.fromkeys(sorted(names), Fraction(1)), False
    exact = _scaled(guess, average_cost(star, guess, counts))
    if not too_long([*exact.values(), bound_of(exact)]):
        return exact, in_time
    short = {name: leading_bits(price, _BITS) for name, price in guess.items()}
    return rounded_prices(_scaled(short, average_cost(star, short, counts))), in_time


def _scaled(prices: Mapping[str, Fraction], cost: Fraction) -> dict[str, Fraction]:
    return {name: price / cost for name, price in prices.items()}


def _classes(counts: Counts) -> list[BagClass]:
    total = sum(counts.values())
    return [
        BagClass(str(k), "", k, share, share, size, work)
        for k, ((size, work), number) in enumerate(counts.items())
        for share in [Fraction(number, total)]
    ]


def _means(counts: Counts, parts: int) -> Counts:
    """Put tasks into cells of a grid of so many parts in each dimension, all as if they had the cell's means.

    Only prices are found with them, which bound at any values: so means are roughly right.
    """
    points = [(float(size), float(work), number) for (size, work), number in counts.items()]
    ends = [(min(values), max(values)) for values in list(zip(*points, strict=True))[:2]]
    cells: dict[tuple[int, ...], list[tuple[float, float, int]]] = {}
    for point in points:
        cell = tuple(_part(value, *axis, parts) for value, axis in zip(point, ends, strict=False))
        cells.setdefault(cell, []).append(point)
    found: Counter[tuple[Fraction, Fraction]] = Counter()
    for listed in cells.values():
        number = sum(point[2] for point in listed)
        size = sum(point[0] * point[2] for point in listed) / number
        work = sum(point[1] * point[2] for point in listed) / number
        found[_roughly(size), _roughly(work)] += number
    return found


def _part(value: float, least: float, greatest: float, parts: int) -> int:
    if least == greatest:
        return 0
    return min(int((value - least) / (greatest - least) * parts), parts - 1)


def _roughly(value: float) -> Fraction:
    return leading_bits(Fraction(value), _MEAN_BITS) if value else Fraction(0)


def average_cost(star: Star, prices: Mapping[str, Fraction], counts: Counts) -> Fraction:
    """Give what a task costs on the average, each where it is cheapest.

    Parameters
    ----------
    star
        Classes, workers and resources of the instance.
    prices
        By resource. What is not named is free.
    counts
        Number of tasks by size and work.

    Notes
    -----
    The cost is the least of one linear function per worker; only those on the lower hull of their
    coefficients are ever the least.
    """
    lines = []
    for worker in star.workers:
        per_size, per_work = (
            sum((time * prices.get(name, Fraction(0)) for name, time in uses), Fraction(0))
            for uses in (worker.per_data, worker.per_work)
        )
        lines.append((per_size, per_work))
    hull = _lower_hull(lines)
    unit = lcm(*(part.denominator for line in hull for part in line))
    whole = [tuple(int(part * unit) for part in line) for line in hull]
    sizes, works = (lcm(*(task[axis].denominator for task in counts)) for axis in (0, 1))
    total = 0
    for (size, work), number in counts.items():
        x = size.numerator * (sizes // size.denominator) * works
        y = work.numerator * (works // work.denominator) * sizes
        total += number * min(a * x + b * y for a, b in whole)
    return Fraction(total, unit * sizes * works * sum(counts.values()))


def _lower_hull(points: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """Keep the points that are least in some direction of the first quadrant."""
    hull: list[tuple[Fraction, Fraction]] = []
    for x, y in sorted(set(points)):
        if hull and y >= hull[-1][1]:
            continue
        while len(hull) > 1:
            (x1, y1), (x2, y2) = hull[-2:]
            if (x2 - x1) * (y - y1) > (y2 - y1) * (x - x1):
                break
            hull.pop()
        hull.append((x, y))
    return hull
