"""What is measured of an execution: how fast instances end, how late, and how many wait."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, sqrt
from statistics import fmean, stdev
from typing import NamedTuple, TypeVar

from steadygrid.engine.executions.parts import Period

D = TypeVar("D", bound=float)
MOST_POINTS = 1_000
_QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""Of Student's distribution, 97.5 %, for 1 to 9 degrees of freedom."""
_BATCHES = len(_QUANTILES) + 1


class Measured(NamedTuple):
    """What an execution did.

    Attributes
    ----------
    throughput
        Instances per time unit, once it runs steadily.
    error
        By how much an endless run may differ from it.
    instances
        That were counted for it.
    late
        By how much the latest operation ended later than planned, as a part of the period. None
        where nothing is planned.
    waiting
        Most instances that wait at one processor at a time with all they need.
    progress
        Dates and how many instances are complete by then, at most `MOST_POINTS`.
    """

    throughput: Fraction
    error: Fraction
    instances: Fraction
    late: Fraction | None
    waiting: int
    progress: tuple[tuple[Fraction, int], ...]


def complete_instances(weights: Sequence[Fraction], done: Sequence[Sequence[D]]) -> list[D]:
    """Give the dates at which instances of the schedule are complete, in order.

    Parameters
    ----------
    weights
        How many of each stream one instance of the schedule is.
    done
        Of each stream, when what belongs to it is complete.

    Notes
    -----
    The n-th is complete with the last of the n-th of all streams.
    """
    in_order = [sorted(dates) for dates in done]
    number = min(int(len(dates) / weight) for weight, dates in zip(weights, in_order, strict=True))
    if len(in_order) == 1 and weights[0] == 1:
        return in_order[0]
    return [
        max(dates[ceil(n * weight) - 1] for weight, dates in zip(weights, in_order, strict=True))
        for n in range(1, number + 1)
    ]


def mean_error(values: Sequence[float]) -> float:
    """Give half the width of the interval in which the mean is with a probability of 95 %.

    Parameters
    ----------
    values
        At least one, of which at most ten are read; of a single one nothing is known, and it is 0.
    """
    few = values[:_BATCHES]
    if len(few) < 2:
        return 0.0
    return _QUANTILES[len(few) - 2] * stdev(few) / sqrt(len(few))


def batch_error(dates: Sequence[float], planned: Sequence[float] | None = None) -> float:
    """Give the error of the rate at which something ends, as a part of the rate: by batch means.

    Parameters
    ----------
    dates
        Of what ends, in order. The same number ends from each to the next.
    planned
        When it should. None: after equal times.

    Notes
    -----
    The time that passes is cut into at most ten batches in which as many end, the latest if not all
    fit (A. M. Law, "Simulation Modeling and Analysis", section 9.5.3). Of one batch nothing is known:
    the error is the whole rate.
    """
    number = min(_BATCHES, len(dates) - 1)
    if number < 2:
        return 1.0
    size = (len(dates) - 1) // number
    marks = slice(len(dates) - 1 - size * number, None, size)
    times = [after - before for before, after in pairwise(dates[marks])]
    if planned is not None:
        due = [after - before for before, after in pairwise(planned[marks])]
        if min(due) <= 0:
            return 1.0
        times = [time / one for time, one in zip(times, due, strict=True)]
    mean = fmean(times)
    return mean_error(times) / mean if mean else 1.0


def measured(
    period: Period,
    done: Sequence[Sequence[D]],
    exact: Callable[[D], Fraction],
    *,
    late: Fraction | None,
    waiting: int,
    kept: Fraction | None = None,
    planned: Sequence[Sequence[D]] | None = None,
) -> Measured:
    """Measure the second half of the periods whose instances are all complete.

    Parameters
    ----------
    period
        Of the schedule.
    done
        Of each course, when its instances are complete, period by period.
    exact
        Gives a date in time units.
    late, waiting
        See `Measured`.
    kept
        A throughput that an endless run does not fall below, where one is known: it is the
        throughput then. The error is what was measured above it.
    planned
        When the same instances should be complete. Where one period counts, they tell the error:
        batches are parts of it, and are compared with what is planned.

    Notes
    -----
    The instances of a period are complete with the last of them: an allocation that runs ahead of
    the others does not count as throughput. The first half is left out, since without dates
    everything runs ahead at first.
    """
    counts = [course.per_period for course in period.courses]
    groups = min(len(dates) // count for dates, count in zip(done, counts, strict=True))
    if groups < 2:
        raise ValueError("no period was executed after the first")
    before = (groups - 1) // 2
    ends = _ends(done, counts, groups)
    counted = (groups - 1 - before) * period.instances
    throughput = counted / (exact(ends[-1]) - exact(ends[before]))
    if kept is not None:
        throughput, error = kept, max(Fraction(0), throughput - kept)
    elif planned is None or before < groups - 2:
        error = throughput * Fraction(batch_error([float(date) for date in ends[before:]]))
    else:
        halves = (_second_half(period, dates) for dates in (done, planned))
        error = throughput * Fraction(batch_error(*halves))
    return Measured(
        throughput,
        error,
        counted,
        late,
        waiting,
        _progress(period, done, exact),
    )


def _ends(done: Sequence[Sequence[D]], counts: Sequence[int], groups: int) -> list[D]:
    """Give when all instances of each period are complete, and of those before it."""
    return list(
        accumulate(
            (
                max(
                    max(dates[group * count : (group + 1) * count])
                    for dates, count in zip(done, counts, strict=True)
                )
                for group in range(groups)
            ),
            max,
        )
    )


def _second_half(period: Period, done: Sequence[Sequence[D]]) -> list[D]:
    complete = _complete(period, done)
    return complete[(len(complete) - 1) // 2 :]


def _complete(period: Period, done: Sequence[Sequence[D]]) -> list[D]:
    streams: dict[str, list[D]] = {stream: [] for stream in period.weights}
    for course, dates in zip(period.courses, done, strict=True):
        streams[course.stream] += dates
    return complete_instances(list(period.weights.values()), list(streams.values()))


def _progress(
    period: Period, done: Sequence[Sequence[D]], exact: Callable[[D], Fraction]
) -> tuple[tuple[Fraction, int], ...]:
    complete = _complete(period, done)
    step = -(-len(complete) // MOST_POINTS)
    shown = [*range(step - 1, len(complete), step)]
    if shown[-1:] != [len(complete) - 1]:
        shown = [*shown[: MOST_POINTS - 1], len(complete) - 1]
    return tuple((exact(complete[i]), i + 1) for i in shown)


def most_waiting(ready: list[D], starts: list[D]) -> int:
    """Give the most that are ready and have not started, at any moment.

    Parameters
    ----------
    ready, starts
        Of the same operations, in any order; they are sorted.
    """
    ready.sort()
    starts.sort()
    most, begun, number = 0, 0, len(starts)
    for come, date in enumerate(ready, 1):
        while begun < number and starts[begun] <= date:
            begun += 1
        most = max(most, come - begun)
    return most
