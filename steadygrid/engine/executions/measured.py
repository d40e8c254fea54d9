"""What is measured of an execution: how fast instances end, how late, and how many wait."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple, TypeVar

from steadygrid.engine.executions.parts import Period

D = TypeVar("D", bound=float)
MOST_POINTS = 1_000


class Measured(NamedTuple):
    """What an execution did.

    Attributes
    ----------
    throughput
        Instances per time unit, once it runs steadily.
    instances
        That were counted for it.
    late
        By how much the latest operation ended later than planned, as a part of the period; None
        where nothing is planned.
    waiting
        Most instances that wait at one processor at a time with all they need.
    progress
        Dates and how many instances are complete by then, at most `MOST_POINTS`.
    """

    throughput: Fraction
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


def measured(
    period: Period,
    done: Sequence[Sequence[D]],
    exact: Callable[[D], Fraction],
    *,
    late: Fraction | None,
    waiting: int,
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
    first, last = (
        max(max(dates[: (group + 1) * count]) for dates, count in zip(done, counts, strict=True))
        for group in (before, groups - 1)
    )
    counted = (groups - 1 - before) * period.instances
    return Measured(
        counted / (exact(last) - exact(first)),
        counted,
        late,
        waiting,
        _progress(period, done, exact),
    )


def _progress(
    period: Period, done: Sequence[Sequence[D]], exact: Callable[[D], Fraction]
) -> tuple[tuple[Fraction, int], ...]:
    streams: dict[str, list[D]] = {stream: [] for stream in period.weights}
    for course, dates in zip(period.courses, done, strict=True):
        streams[course.stream] += dates
    complete = complete_instances(list(period.weights.values()), list(streams.values()))
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
