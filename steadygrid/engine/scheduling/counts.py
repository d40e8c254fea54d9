"""Whole numbers of instances for a period that may not be as long as the rates would need.

Rounding the rates down to multiples of ``1 / T`` (RR-4870, section 7.2) loses up to ``q / T`` for
q allocations. Here both the period ``T <= M`` and the counts are chosen::

    maximise  sum_a r_a / T   where   sum_a use_ka r_a <= T <= M  for every resource k.

For given counts the best period is the largest load, so the search is over counts alone.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steadygrid.engine.scheduling.loads import Loads, ratio
from steadygrid.engine.solving.control import Control

Floats = NDArray[np.float64]

FINE = 10**9
"""Counts beyond this lose less than a billionth of themselves by rounding."""
MOST_POINTS = 200_000
"""Points that are enumerated where there are so few."""
MOST_WORK = 30_000_000
"""Multiplications spent on trial periods."""
MOST_EXCHANGES = 100_000_000
"""Additions spent on exchanges."""
MOST_ENTRIES = 300_000
"""Resources times plans up to which there is a search beyond filling up."""
SLIGHTLY_MORE = 1 + 1e-9
"""The period in floating point. What is chosen is checked exactly."""
PASSES = 8
"""How often the gaps of a period are filled up."""
CROWDED_PASSES = 1_000
"""The same, where most plans run less than once per period."""


class Counts(NamedTuple):
    """Instances per period of each plan, and a period that holds them."""

    counts: tuple[int, ...]
    period: Fraction

    @property
    def throughput(self) -> Fraction:
        """Instances per time unit."""
        return sum(self.counts) / self.period


def rounded_down(rates: Sequence[Fraction], steps: Sequence[int], period: Fraction) -> list[int]:
    """Round rates down to multiples of the steps per period (RR-4870, equation 24).

    Parameters
    ----------
    rates
        Instances per time unit, by plan.
    steps
        By plan, what its instances per period are a multiple of.
    period
        In time units.
    """
    return [
        (rate.numerator * period.numerator) // (rate.denominator * period.denominator * step)
        for rate, step in zip(rates, steps, strict=True)
    ]


def fitted(rates: Sequence[Fraction], loads: Loads, period: Fraction) -> list[int]:
    """Round down to a period of given length, then fill the gaps, largest remainders first.

    Multiples of the steps. O(non-zeros) operations on integers.

    Parameters
    ----------
    rates
        Instances per time unit, by plan.
    loads
        What one step of each plan takes of every resource.
    period
        In time units.

    Returns
    -------
    list
        Steps per period, by plan.
    """
    steps = rounded_down(rates, loads.steps, period)
    rest = [
        ratio(
            (rate.numerator * period.numerator)
            % (size := rate.denominator * period.denominator * step),
            size,
        )
        for rate, step in zip(rates, loads.steps, strict=True)
    ]
    running = [plan for plan, rate in enumerate(rates) if rate]
    loads.fill(steps, period, sorted(running, key=lambda plan: -rest[plan]), PASSES)
    return steps


def _cheapest(rates: Sequence[Fraction], loads: Loads, period: Fraction) -> list[list[int]]:
    """Fill a period with the plans of which one instance takes the least of any resource."""
    running = [plan for plan, rate in enumerate(rates) if rate]
    single = {plan: loads.single(plan) / loads.steps[plan] for plan in running}
    order = sorted(running, key=lambda plan: (single[plan], plan))
    base = rounded_down(rates, loads.steps, period)
    crowded = sum(base) < len(running)
    starts = [base, [0] * len(rates)] if crowded else [base]
    for steps in starts:
        loads.fill(steps, period, order, CROWDED_PASSES if crowded else PASSES)
    return starts


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
        Of the same plans, each of which takes something of some resource.
    longest
        The bound on the period.

    Returns
    -------
    Counts or None
        Never worse than rounding down. None if no instance fits.

    Notes
    -----
    1. In any case: rounding down, and filling the gaps with what was cut off most or with what
       takes least.
    2. If there are few points, all of them (then the answer is the optimum).
    3. Otherwise the points near the ray of the optimal rates. They are, for trial periods (a fine
    grid,
       and the multiples of ``1 / rate`` of each plan below `longest`, where its rounding loses
       nothing) the rates rounded with several offsets. They are scored in floating point. The best
       of these are improved by adding, removing and exchanging single steps.

    All that was found is compared exactly. Where rounding loses less than a billionth anyway, or
    resources times plans exceed `MOST_ENTRIES`, 1 is all. At most `MOST_WORK` multiplications
    for the trial periods and `MOST_EXCHANGES` additions for the exchanges, O(resources * plans^2)
    each.
    """
    base = rounded_down(rates, loads.steps, longest)
    trials = [base, fitted(rates, loads, longest), *_cheapest(rates, loads, longest)]
    if max(base, default=0) < FINE and loads.num_rows * len(rates) <= MOST_ENTRIES:
        trials += _searched(rates, loads, longest, trials[1:], control)
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


def _searched(
    rates: Sequence[Fraction],
    loads: Loads,
    longest: Fraction,
    starts: Sequence[list[int]],
    control: Control,
) -> list[list[int]]:
    """Do steps 2 and 3 of `best_counts`."""
    matrix = _undominated(loads.matrix(longest))
    worth = np.array(loads.steps, dtype=np.float64)
    part = [rate * longest / step for rate, step in zip(rates, loads.steps, strict=True)]
    parts = np.array([ratio(p.numerator, p.denominator) for p in part])
    points = _all_points(matrix, parts)
    if points is not None:
        return _best_points(points, matrix, worth)
    near = _near_the_ray(matrix, parts, worth, control)
    rounds = min(MOST_EXCHANGES // (matrix.size * len(parts) * (len(starts) + len(near))), 100)
    found = list(near)
    for steps in (*starts, *near):
        control.check()
        found.append(_improved(steps, matrix, worth, rounds))
    for steps in list(found):
        if 0 < loads.largest(steps) <= longest:
            filled = list(steps)
            loads.fill(filled, longest, range(len(filled)), 1)
            found.append(filled)
    return found


def _undominated(matrix: Floats) -> Floats:
    """Leave out resources of which every plan takes no more than it takes of another one."""
    kept: list[int] = []
    for row in np.argsort(-matrix.sum(axis=1), kind="stable"):
        if not (matrix[kept] >= matrix[row]).all(axis=1).any():
            kept.append(int(row))
    return matrix[kept]


def _all_points(matrix: Floats, parts: Floats) -> Floats | None:
    """List all vectors of counts that a period might hold, if they are few."""
    tallest = matrix.max(axis=0)
    most = np.where(parts > 0, np.floor(1 / tallest + 1e-9), 0)
    used = np.flatnonzero(most)
    if np.log(most + 1).sum() > np.log(MOST_POINTS) or not len(used):
        return None
    grid = np.indices([int(most[plan]) + 1 for plan in used]).reshape(len(used), -1)
    points = np.zeros((grid.shape[1], len(most)))
    points[:, used] = grid.T
    return points


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

    O(resources * plans^2), all pairs at once. No change at all is among them.
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
