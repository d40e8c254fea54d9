"""The turns of an unrolled schedule in their order: each resource does next what was planned next."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import accumulate
from math import lcm
from typing import NamedTuple

from steadygrid.domain.unrolling import Line, Repetition, Unrolling
from steadygrid.engine.executions.measured import MOST_POINTS, batch_error, most_waiting
from steadygrid.engine.executions.noise import factors_of
from steadygrid.engine.executions.ordered import Date, Noise

_OFTEN = 20_000


class Done(NamedTuple):
    """What an execution did.

    Attributes
    ----------
    planned
        When the last turn should have ended.
    ended
        When it did.
    late
        By how much the latest turn ended later than planned.
    waiting
        Most turns that wait at one processor at a time with all the data that they need.
    steady
        Instances per time unit of the second half, in the order in which they are numbered. None
        where that takes no time.
    error
        Of `steady`, as a part of it.
    kept
        Instances per time unit that an endless run does not fall below, where all lines take turns of
        the same number. None where they do not, or take one.
    progress
        Dates and how many instances are complete by then, at most `MOST_POINTS`.
    """

    planned: Fraction
    ended: Fraction
    late: Fraction
    waiting: int
    steady: Fraction | None
    error: Fraction
    kept: Fraction | None
    progress: tuple[tuple[Fraction, int], ...]


class _Scaled(NamedTuple):
    """A line, with positions for names."""

    start: Date
    time: Date
    every: Date
    not_before: Date
    resources: tuple[int, ...]
    draws: int
    waits_at: int
    """The processor at which its turns wait; -1 for what is no computation."""


class Unrolled:
    """The first instances of a schedule, in the order in which they are planned.

    Parameters
    ----------
    unrolling
        Of the schedule.
    instances
        How many are carried out.
    """

    def __init__(self, unrolling: Unrolling, instances: int) -> None:
        self._lines = unrolling.lines
        times = [t for one in self._lines for t in (one.start, one.time, one.every, one.not_before)]
        self._unit = lcm(*{time.denominator for time in times})
        self._names: dict[str, int] = {}
        self._draws: dict[str, int] = {}
        self._turns = _in_order(
            unrolling.repetitions_of(instances),
            [self._whole(one.start) for one in self._lines],
            [self._whole(one.every) for one in self._lines],
            [bool(one.time) for one in self._lines],
        )

    def _whole(self, time: Fraction) -> int:
        return time.numerator * (self._unit // time.denominator)

    @cached_property
    def _exact(self) -> list[_Scaled]:
        return [self._scaled(line, self._whole) for line in self._lines]

    @cached_property
    def _doubles(self) -> list[_Scaled]:
        return [self._scaled(line, float) for line in self._lines]

    def _scaled(self, line: Line, scale: Callable[[Fraction], Date]) -> _Scaled:
        draws = self._draws.setdefault(line.draws, len(self._draws))
        return _Scaled(
            scale(line.start),
            scale(line.time),
            scale(line.every),
            scale(line.not_before),
            tuple(self._names.setdefault(name, len(self._names)) for name in line.resources),
            draws,
            draws if line.computes else -1,
        )

    def carry_out(
        self, *, clocked: bool, noise: Noise | None, check: Callable[[], None] = lambda: None
    ) -> Done:
        """Carry out all turns once.

        Parameters
        ----------
        clocked
            Whether nothing starts before its date; else only the orders are kept.
        noise
            None: all times are exact, and so is everything that is measured.
        check
            Is called now and then; may raise.

        Notes
        -----
        Orders never change: one pass over the turns, O(1) for each and each that it needs.
        """
        lines = self._exact if noise is None else self._doubles
        factors = None if noise is None else [factors_of(name, *noise) for name in self._draws]
        free: list[Date] = [0] * len(self._names)
        ends: list[Date] = [0] * len(self._turns)
        waiting: list[tuple[list[Date], list[Date]]] = [([], []) for _ in self._draws]
        complete: dict[int, Date] = {}
        late: Date = 0
        due: Date = 0
        for position, (which, turn, instance, needs) in enumerate(self._turns):
            if not position % _OFTEN:
                check()
            first, time, every, begin, resources, draws, waits_at = lines[which]
            planned = first + turn * every
            for need in needs:
                begin = max(begin, ends[need])
            ready = begin
            if clocked and planned > begin:
                begin = planned
            for resource in resources:
                begin = max(begin, free[resource])
            end = begin + (time if factors is None else time * factors[draws]())
            for resource in resources:
                free[resource] = end
            ends[position] = end
            late = max(late, end - planned - time)
            due = max(due, planned + time)
            if waits_at >= 0 and needs:
                waiting[waits_at][0].append(ready)
                waiting[waits_at][1].append(begin)
            if instance >= 0:
                complete[instance] = max(complete.get(instance, 0), end)
        return Done(
            self._unscaled(due),
            self._unscaled(max(ends)),
            self._unscaled(late),
            max((most_waiting(*dates) for dates in waiting), default=0),
            *self._steady(complete),
            self._least_rate(ends, len(complete)),
            self._progress(sorted(complete.values())),
        )

    def _steady(self, complete: Mapping[int, Date]) -> tuple[Fraction | None, Fraction]:
        dates = list(accumulate((complete[instance] for instance in sorted(complete)), max))
        before = (len(dates) - 1) // 2
        if before < 0 or dates[-1] == dates[before]:
            return None, Fraction(0)
        passed = self._unscaled(dates[-1]) - self._unscaled(dates[before])
        ends = [float(self._unscaled(date)) for date in dates[before:]]
        return (len(dates) - 1 - before) / passed, Fraction(batch_error(ends))

    def _least_rate(self, ends: Sequence[Date], instances: int) -> Fraction | None:
        """Compare the dates of the last turns with those of the middle ones, as `in_order` does.

        That holds where turns need turns of the same number only, as those of a batch do.
        """
        number = len(self._turns) // len(self._lines)
        if number < 2 or len(self._turns) != number * len(self._lines):
            return None
        middle: list[Date | None] = [None] * len(self._lines)
        last: list[Date | None] = [None] * len(self._lines)
        at = (number - 1) // 2
        for end, (which, turn, *_) in zip(ends, self._turns, strict=True):
            if turn == at:
                middle[which] = end
            elif turn == number - 1:
                last[which] = end
        grown = [
            new - old
            for new, old in zip(last, middle, strict=True)
            if new is not None and old is not None
        ]
        if len(grown) < len(self._lines) or not max(grown):
            return None
        turns = number - 1 - at
        return Fraction(instances * turns, number) / self._unscaled(max(grown))

    def _progress(self, complete: Sequence[Date]) -> tuple[tuple[Fraction, int], ...]:
        number = len(complete)
        step = -(-number // MOST_POINTS) or 1
        shown = range(number - 1 - (number - 1) // step * step, number, step)
        return tuple((self._unscaled(complete[i]), i + 1) for i in shown)

    def _unscaled(self, date: Date) -> Fraction:
        return Fraction(date, self._unit) if isinstance(date, int) else Fraction(date)


def _in_order(
    turns: Sequence[Repetition],
    starts: Sequence[int],
    everies: Sequence[int],
    lasting: Sequence[bool],
) -> list[Repetition]:
    """Sort turns by their planned starts, each after those that it needs.

    At one moment those that take no time are first. Only these can wait for others of the moment.
    """
    keys = [
        (starts[one.line] + one.turn * everies[one.line], lasting[one.line], position)
        for position, one in enumerate(turns)
    ]
    order = sorted(range(len(turns)), key=keys.__getitem__)
    place = [0] * len(turns)
    for position, which in enumerate(order):
        place[which] = position
    if any(place[need] > place[which] for which in order for need in turns[which].needs):
        order = _by_needs(turns, keys)
        for position, which in enumerate(order):
            place[which] = position
    return [
        turns[which]._replace(needs=tuple(place[need] for need in turns[which].needs))
        for which in order
    ]


def _by_needs(turns: Sequence[Repetition], keys: Sequence[tuple[int, bool, int]]) -> list[int]:
    missing = [len(one.needs) for one in turns]
    after: list[list[int]] = [[] for _ in turns]
    for which, one in enumerate(turns):
        for need in one.needs:
            after[need].append(which)
    ready = [keys[which] for which, number in enumerate(missing) if not number]
    heapify(ready)
    order: list[int] = []
    while ready:
        which = heappop(ready)[-1]
        order.append(which)
        for following in after[which]:
            missing[following] -= 1
            if not missing[following]:
                heappush(ready, keys[following])
    return order
