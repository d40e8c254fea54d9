"""Whole numbers of instances for a period that may not be as long as the rates would need.

Rounding the rates down to multiples of ``1 / T`` (RR-4870, section 7.2) loses up to ``q / T`` for
q allocations. Here both the period ``T <= M`` and the counts are chosen::

    maximise  sum_a r_a / T   where   sum_a use_ka r_a <= T <= M  for every resource k.

For given counts the best period is the largest load, so the search is over counts alone.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.scheduling.workload import Rows
from workers.solving.control import Control

Floats = NDArray[np.float64]

FINE = 10**9
"""Counts beyond this lose less than a billionth of themselves by rounding."""
MOST_POINTS = 200_000
"""Points that are enumerated where there are so few."""
MOST_WORK = 30_000_000
"""Multiplications spent on trial periods."""
MOST_EXCHANGES = 300_000_000
"""Additions spent on exchanges."""
MOST_ENTRIES = 4_000_000
"""Resources times plans up to which there is a search beyond filling up."""
SLIGHTLY_MORE = 1 + 1e-9
"""The period in floating point; what is chosen is checked exactly."""


class Counts(NamedTuple):
    """Instances per period of each plan, and a period that holds them."""

    counts: tuple[int, ...]
    period: Fraction

    @property
    def throughput(self) -> Fraction:
        """Instances per time unit."""
        return sum(self.counts) / self.period


class Loads:
    """What counts of instances take of every resource, exactly and in floating point.

    Parameters
    ----------
    rows
        Time per instance, by resource and plan.
    steps
        Each plan runs a multiple of its step per period (1, unless files are split and must
        stay whole).
    """

    def __init__(self, rows: Rows, steps: Sequence[int]) -> None:
        self.steps = steps
        self._units: list[int] = []
        self._rows: list[list[tuple[int, int]]] = []
        self.columns: list[list[tuple[int, int]]] = [[] for _ in steps]
        """For each plan, the rows it uses with the time of one step, in the row's unit."""
        for row in rows.values():
            unit = lcm(*(time.denominator for time in row.values()))
            entries = [
                (plan, time.numerator * (unit // time.denominator) * steps[plan])
                for plan, time in row.items()
            ]
            for plan, time in entries:
                self.columns[plan].append((len(self._rows), time))
            self._units.append(unit)
            self._rows.append(entries)

    @property
    def num_rows(self) -> int:
        """Number of resources in use."""
        return len(self._rows)

    def scaled(self, steps: Sequence[int]) -> list[int]:
        """Give the load of each row by multiples of the steps, in the row's unit."""
        return [sum(time * steps[plan] for plan, time in row) for row in self._rows]

    def capacities(self, period: Fraction) -> list[int]:
        """Give the period in each row's unit, rounded down."""
        return [period.numerator * unit // period.denominator for unit in self._units]

    def largest(self, steps: Sequence[int]) -> Fraction:
        """Give the shortest period that holds these multiples of the steps."""
        return max(
            (Fraction(load, u) for load, u in zip(self.scaled(steps), self._units, strict=True)),
            default=Fraction(0),
        )

    def single(self, plan: int) -> Fraction:
        """Give the shortest period that holds one step of a plan."""
        return max(
            (Fraction(time, self._units[row]) for row, time in self.columns[plan]),
            default=Fraction(0),
        )

    def matrix(self, period: Fraction) -> Floats:
        """Tabulate loads per step as parts of a period: resources by plans."""
        table = np.zeros((len(self._rows), len(self.steps)))
        for k, (row, unit) in enumerate(zip(self._rows, self._units, strict=True)):
            for plan, time in row:
                table[k, plan] = _ratio(time * period.denominator, unit * period.numerator)
        return table

    def fill(self, steps: list[int], period: Fraction, order: Iterable[int]) -> None:
        """Add a step of each plan in turn, as long as the period holds it."""
        left = [
            capacity - load
            for capacity, load in zip(self.capacities(period), self.scaled(steps), strict=True)
        ]
        for plan in order:
            column = self.columns[plan]
            if column and all(time <= left[row] for row, time in column):
                for row, time in column:
                    left[row] -= time
                steps[plan] += 1


def rounded_down(rates: Sequence[Fraction], steps: Sequence[int], period: Fraction) -> list[int]:
    """Round rates down to multiples of the steps per period (RR-4870, equation 24)."""
    return [
        (rate.numerator * period.numerator) // (rate.denominator * period.denominator * step)
        for rate, step in zip(rates, steps, strict=True)
    ]


def fitted(rates: Sequence[Fraction], loads: Loads, period: Fraction) -> list[int]:
    """Round down to a period of given length, then fill the gaps, largest remainders first.

    Multiples of the steps. O(non-zeros) operations on integers.
    """
    steps = rounded_down(rates, loads.steps, period)
    rest = [
        _ratio(
            (rate.numerator * period.numerator)
            % (size := rate.denominator * period.denominator * s),
            size,
        )
        for rate, s in zip(rates, loads.steps, strict=True)
    ]
    running = [plan for plan, rate in enumerate(rates) if rate]
    order = sorted(running, key=lambda plan: -rest[plan])
    for _ in range(4):
        before = sum(steps)
        loads.fill(steps, period, order)
        if sum(steps) == before:
            break
    return steps


def best_counts(
    rates: Sequence[Fraction],
    loads: Loads,
    longest: Fraction,
    control: Control,
) -> Counts | None:
    """Search for the counts and the period ``<= longest`` of the largest throughput.

    Parameters
    ----------
    rates
        Optimal rates, the sum of which no counts can beat.
    loads
        Of the same plans.
    longest
        The bound on the period.

    Returns
    -------
    Counts or None
        Never worse than rounding down; None if no instance fits.

    Notes
    -----
    1. If there are few points, all of them (then the answer is the optimum).
    2. Otherwise the points near the ray of the optimal rates: for trial periods (a fine grid,
       and the multiples of ``1 / rate`` of each plan below `longest`, where its rounding loses
       nothing) the rates rounded with several offsets; scored in floating point.
    3. The best of these are filled up and improved by adding, removing and exchanging single
       steps, and then compared exactly.

    Where rounding loses less than a billionth anyway, only 3 is done. At most `MOST_WORK`
    multiplications in 2, and O(resources * plans^2) for each exchange in 3.
    """
    base = rounded_down(rates, loads.steps, longest)
    trials = [base, fitted(rates, loads, longest)]
    if max(base, default=0) < FINE and loads.num_rows * len(rates) <= MOST_ENTRIES:
        matrix = loads.matrix(longest)
        parts = np.array([_float(r * longest / s) for r, s in zip(rates, loads.steps, strict=True)])
        worth = np.array(loads.steps, dtype=np.float64)
        points = _all_points(matrix, parts)
        if points is not None:
            trials += _best_points(points, matrix, worth)
        else:
            control.check()
            found = [trials[1], *_near_the_ray(matrix, parts, worth, control)]
            rounds = MOST_EXCHANGES // (1 + matrix.size * len(parts))
            for steps in found:
                control.check()
                trials.append(_improved(steps, matrix, worth, min(rounds // len(found), 100)))
            trials += found
            for steps in trials[2:6]:
                filled = list(steps)
                period = loads.largest(filled)
                if 0 < period <= longest:
                    loads.fill(filled, longest, range(len(filled)))
                    trials.append(filled)
    best: Counts | None = None
    for trial in dict.fromkeys(tuple(trial) for trial in trials):
        period = loads.largest(trial) or longest
        if period <= longest and any(trial):
            counts = tuple(n * s for n, s in zip(trial, loads.steps, strict=True))
            found_counts = Counts(counts, period)
            if best is None or _better(found_counts, best):
                best = found_counts
    return best


def _better(one: Counts, other: Counts) -> bool:
    """Prefer throughput, then a short period, then a fixed order."""
    left, right = one.throughput, other.throughput
    if left != right:
        return left > right
    if one.period != other.period:
        return one.period < other.period
    return one.counts < other.counts


def _all_points(matrix: Floats, parts: Floats) -> Floats | None:
    """List all vectors of counts that a period might hold, if they are few."""
    if not matrix.shape[0]:
        return None
    tallest = matrix.max(axis=0)
    if not tallest.all():
        return None
    most = np.where(parts > 0, np.floor(1 / tallest + 1e-9), 0)
    if np.prod(most + 1) > MOST_POINTS:
        return None
    grid = np.indices([int(m) + 1 for m in most], dtype=np.int32)
    return grid.reshape(len(most), -1).T.astype(np.float64)


def _best_points(
    points: Floats, matrix: Floats, worth: Floats, number: int = 24
) -> list[list[int]]:
    """Pick the points of the largest throughput, of those that a period may hold."""
    longest = (points @ matrix.T).max(axis=1)
    value = np.where(
        (longest <= SLIGHTLY_MORE) & (longest > 0), points @ worth / np.maximum(longest, 1e-300), 0
    )
    number = min(number, len(value))
    chosen = np.argpartition(-value, number - 1)[:number]
    return [[int(n) for n in points[i]] for i in sorted(chosen) if value[i] > 0]


def _near_the_ray(
    matrix: Floats, parts: Floats, worth: Floats, control: Control
) -> list[list[int]]:
    """Round the rates at many periods, and keep the points of the largest throughput."""
    trials = max(16, min(4000, MOST_WORK // (4 * max(1, matrix.size))))
    best: list[list[int]] = []
    with np.errstate(divide="ignore"):
        breaks = [
            (top - np.arange(min(top, 1 + trials // (2 * len(parts))))) / part
            for part in parts
            if (top := int(np.floor(part))) >= 1
        ]
    grid = np.linspace(1 / trials, 1, trials)
    times = np.unique(np.concatenate([grid, *breaks]))
    times = times[(times > 0) & (times <= 1)][-2 * trials :]
    for offset in (1e-9, 0.25, 0.5, 0.75):
        control.check()
        points = np.floor(times[:, None] * parts + offset)
        best += _best_points(points, matrix, worth, 3)
    return best


def _improved(steps: Sequence[int], matrix: Floats, worth: Floats, rounds: int) -> list[int]:
    """Add, remove and exchange single steps as long as the throughput rises."""
    counts = np.array(steps, dtype=np.float64)
    value = 0.0
    for _ in range(rounds):
        better, plans, changes = _best_move(counts, matrix, worth)
        if better <= value * (1 + 1e-12):
            break
        value = better
        np.add.at(counts, plans, changes)
    return [int(n) for n in counts]


def _best_move(counts: Floats, matrix: Floats, worth: Floats) -> tuple[float, list[int], list[int]]:
    """Find the best change of one or two steps: its throughput, the plans, the changes.

    O(resources * plans^2), all pairs at once; no change at all is among them.
    """
    load = matrix @ counts
    value = counts @ worth
    best: tuple[float, list[int], list[int]] = (_score(float(value), float(load.max())), [], [])
    for first, second in ((1, -1), (1, 1), (-1, 0), (1, 0)):
        one = load[:, None] + first * matrix
        longest = (
            (one[:, :, None] + second * matrix[:, None, :]).max(axis=0)
            if second
            else (one.max(axis=0)[:, None])
        )
        gain = value + first * worth[:, None] + (second * worth if second else 0)
        fits = (longest > 0) & (longest <= SLIGHTLY_MORE)
        score = np.where(fits, gain / np.where(fits, longest, 1), 0)
        if first < 0:
            score[counts < 1, :] = 0
        if second < 0:
            score[:, counts < 1] = 0
            np.fill_diagonal(score, 0)
        a, b = divmod(int(score.argmax()), score.shape[1])
        if score[a, b] > best[0]:
            chosen = ([a, b], [first, second]) if second else ([a], [first])
            best = (float(score[a, b]), *chosen)
    return best


def _score(value: float, longest: float) -> float:
    return value / longest if 0 < longest <= SLIGHTLY_MORE else 0.0


def _ratio(numerator: int, denominator: int) -> float:
    """Divide long integers; 0.0 and infinity where a double cannot hold the quotient."""
    try:
        return numerator / denominator
    except OverflowError:
        return float("inf")


def _float(value: Fraction) -> float:
    return _ratio(value.numerator, value.denominator)
