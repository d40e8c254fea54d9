"""The operations of a schedule in their order: each resource does what the schedule says next."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from heapq import heapreplace
from typing import NamedTuple

from steadygrid.engine.executions.measured import Measured, measured, most_waiting
from steadygrid.engine.executions.noise import Factors, NoiseOf, factors_of
from steadygrid.engine.executions.parts import Part, Period, common_unit, whole

Date = int | float
_OFTEN = 20_000
"""Operations between two looks at the clock."""


class _Operation(NamedTuple):
    """A part, with positions for names."""

    offset: Date
    time: Date
    period: int
    resources: tuple[int, ...]
    shared: tuple[int, ...]
    """Resources that serve several at a time."""
    needs: tuple[int, ...]
    draws: int
    waits_at: int
    """The processor at which its instances wait for it; -1 for what waits for nothing."""
    ends: tuple[int, int] | None
    """The course and which of its instances of a period. None for what ends no instance."""


class Noise(NamedTuple):
    """How times are wrong. See `steadygrid.engine.executions.noise`."""

    noise: float
    noise_of: NoiseOf
    seed: int


def in_order(
    period: Period,
    periods: int,
    *,
    clocked: bool,
    noise: Noise | None = None,
    check: Callable[[], None] = lambda: None,
) -> Measured:
    """Carry out a number of periods, the warm-up included.

    Parameters
    ----------
    period
        What is done in each.
    periods
        More than its warm-up.
    clocked
        Whether nothing starts before its date; else only the orders are kept.
    noise
        None: all times are exact, and so is everything that is measured.
    check
        Is called now and then; may raise.

    Notes
    -----
    Orders never change, so a date is the largest of those that it waits for. One pass over the
    operations by their dates in the schedule, O(1) for each and each that it waits for.
    """
    unit = common_unit(period) if noise is None else 0
    table = _Table(period, unit)
    factors = None if noise is None else [factors_of(name, *noise) for name in table.drawn]
    return table.carry_out(periods, factors, check, clocked=clocked)


class _Cards:
    """A resource that serves several operations at a time, which start in their order."""

    def __init__(self, number: int) -> None:
        self._begun: Date = 0
        self._free: list[Date] = [0] * number

    @property
    def next_start(self) -> Date:
        """The earliest date at which the next one can start."""
        return max(self._begun, self._free[0])

    @property
    def dates(self) -> list[Date]:
        """All on which the next ones depend."""
        return [self._begun, *sorted(self._free)]

    def serve(self, start: Date, end: Date) -> None:
        """Let the next one run."""
        self._begun = start
        heapreplace(self._free, end)


class _Table:
    """The operations of a period, in whole units of time or in doubles."""

    def __init__(self, period: Period, unit: int) -> None:
        self.period, self.unit = period, unit
        self.length: Date
        offsets: Sequence[Date]
        times: Sequence[Date]
        if unit:
            (self.length,) = whole([period.length], unit)
            offsets = whole([part.offset for part in period.parts], unit)
            times = whole([part.time for part in period.parts], unit)
        else:
            self.length = float(period.length)
            offsets = [float(part.offset) for part in period.parts]
            times = [float(part.time) for part in period.parts]
        self._names: dict[str, int] = {}
        self._shared: dict[str, int] = {}
        self._draws: dict[str, int] = {}
        self._waits: dict[str, int] = {}
        self.operations = [
            self._operation(part, offset, time)
            for part, offset, time in zip(period.parts, offsets, times, strict=True)
        ]

    @property
    def drawn(self) -> list[str]:
        """Whose times are wrong."""
        return list(self._draws)

    def _operation(self, part: Part, offset: Date, time: Date) -> _Operation:
        step = self.period.step(part)
        course = self.period.courses[part.course]
        many = self.period.capacities
        if step.flow is not None:
            # Every path keeps the rate of the schedule, at the same time as all others.
            resources: tuple[int, ...] = (_position(self._names, f"{part.course}:{part.step}"),)
        else:
            names = step.resources if part.time else ()
            resources = tuple(
                _position(self._names, name) for name in names if many.get(name, 1) == 1
            )
        shared = tuple(
            _position(self._shared, name) for name in step.resources if many.get(name, 1) > 1
        )
        waits = step.computes and part.needs
        ends = part.step in course.last and part.upto.denominator == 1
        return _Operation(
            offset,
            time,
            step.period,
            resources,
            shared,
            part.needs,
            _position(self._draws, step.draws),
            _position(self._waits, step.what[1]) if waits else -1,
            (part.course, int(part.upto) - 1) if ends else None,
        )

    def carry_out(
        self,
        periods: int,
        factors: Sequence[Factors] | None,
        check: Callable[[], None],
        *,
        clocked: bool,
    ) -> Measured:
        """Give what a number of periods do."""
        depth = self.period.warm_up + 1
        advance = None if factors is not None else _Advance(self.period.warm_up, periods)
        ends: list[list[Date]] = [[0] * depth for _ in self.operations]
        free: list[Date] = [0] * len(self._names)
        cards = [_Cards(self.period.capacities[name]) for name in self._shared]
        waiting: list[tuple[list[Date], list[Date]]] = [([], []) for _ in self._waits]
        counts = [course.per_period for course in self.period.courses]
        done: list[list[Date]] = [[0] * (count * periods) for count in counts]
        planned_ends: list[list[Date]] = [[0] * (count * periods) for count in counts]
        late: Date = 0
        number = 0
        for q in range(periods):
            base = q * self.length
            for position, one in enumerate(self.operations):
                offset, time, first, resources, shared, needs, draws, waits_at, over = one
                group = q + 1 - first
                if group < 0:
                    continue
                number += 1
                if not number % _OFTEN:
                    check()
                row = group % depth
                planned = base + offset
                start: Date = 0
                for need in needs:
                    start = max(start, ends[need][row])
                ready = start
                if clocked and planned > start:
                    start = planned
                for resource in resources:
                    start = max(start, free[resource])
                for resource in shared:
                    start = max(start, cards[resource].next_start)
                end = start + (time if factors is None else time * factors[draws]())
                for resource in resources:
                    free[resource] = end
                for resource in shared:
                    cards[resource].serve(start, end)
                ends[position][row] = end
                late = max(late, end - planned - time)
                if waits_at >= 0:
                    waiting[waits_at][0].append(ready)
                    waiting[waits_at][1].append(start)
                if over is not None:
                    course, which = over
                    place = group * counts[course] + which
                    done[course][place] = max(done[course][place], end)
                    planned_ends[course][place] = max(planned_ends[course][place], planned + time)
            if advance is not None:
                advance.note(
                    q,
                    [
                        dates[(q + 1 - one.period) % depth]
                        for one, dates in zip(self.operations, ends, strict=True)
                    ],
                    cards,
                )
        return measured(
            self.period,
            self._complete(done, periods),
            self._unscaled,
            kept=None if advance is None else self._least_rate(advance, clocked=clocked),
            planned=self._complete(planned_ends, periods),
            late=self._unscaled(late) / self.period.length,
            waiting=max((most_waiting(*dates) for dates in waiting), default=0),
        )

    def _least_rate(self, advance: "_Advance", *, clocked: bool) -> Fraction:
        """Give a throughput that an endless run does not fall below, and the plan does not exceed."""
        period = self.period
        plan = period.instances / period.length
        if advance.most is None:
            return plan
        most = max(advance.most, advance.periods * self.length) if clocked else advance.most
        return max(plan, advance.periods * period.instances / self._unscaled(most))

    def _complete(self, done: Sequence[list[Date]], periods: int) -> list[list[Date]]:
        """Keep the dates of instances whose last operations are within the periods."""
        return [
            dates[: course.per_period * max(0, periods + 1 - course.periods)]
            for dates, course in zip(done, self.period.courses, strict=True)
        ]

    def _unscaled(self, date: Date) -> Fraction:
        return Fraction(date, self.unit) if self.unit and isinstance(date, int) else Fraction(date)


class _Advance:
    """By how much dates grow at most from the middle of a run to its end: no later run is slower.

    Parameters
    ----------
    warm_up
        Of the schedule.
    periods
        That are carried out.

    Notes
    -----
    Without noise a date is the largest of some dates before it, each with a time that never changes.
    So if all dates on which later ones depend are at most ``d`` later after ``m`` periods than before
    them, this holds after ``2 m``, ``3 m``, ... periods too. Dates of the same places then grow by at
    most ``d`` in ``m`` periods for ever (F. Baccelli and others, "Synchronization and Linearity",
    section 3.2). Later dates depend on those of the last `warm_up` periods, and on free cards.
    """

    def __init__(self, warm_up: int, periods: int) -> None:
        self.periods = max(1, (periods - 2 * warm_up) // 2)
        """From the middle to the end."""
        self.most: Date | None = None
        """By how much dates grow in these periods. None where there are too few."""
        self._last = periods - 1
        self._first = self._last - self.periods
        self._warm_up = warm_up if self._first - warm_up + 1 >= warm_up - 1 else 0
        self._before: dict[int, list[Date]] = {}

    def note(self, period: int, ends: list[Date], cards: Sequence["_Cards"]) -> None:
        """Look at the dates of a period.

        Parameters
        ----------
        period
            From 0.
        ends
            Of each of its operations.
        cards
            As they are after it.
        """
        for at in (self._first, self._last):
            if not at - self._warm_up < period <= at:
                continue
            dates = list(ends)
            if period == at:
                for one in cards:
                    dates += one.dates
            if at == self._first:
                self._before[period + self.periods] = dates
            if at == self._last:
                grown = max(new - old for new, old in zip(dates, self._before[period], strict=True))
                self.most = grown if self.most is None else max(self.most, grown)


def _position(names: dict[str, int], name: str) -> int:
    return names.setdefault(name, len(names))
