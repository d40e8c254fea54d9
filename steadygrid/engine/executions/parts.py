"""What a period does with the steps of its instances, in the order of their dates."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from typing import NamedTuple

from steadygrid.domain.schedule import Schedule
from steadygrid.engine.executions.steps import Course, Seen, Step, courses_of


class Part(NamedTuple):
    """One operation of a period: what is done of one instance without a break.

    Attributes
    ----------
    course, step
        Positions.
    offset
        When it starts, from the beginning of the period.
    time
        That it takes, with the latency that is paid before it.
    upto
        How many instances of its period the step has done when it ends, a part of one included.
    needs
        Positions of parts for the same instances.
    """

    course: int
    step: int
    offset: Fraction
    time: Fraction
    upto: Fraction
    needs: tuple[int, ...] = ()


class _Stretch(NamedTuple):
    """Time that a step has in a period, for so many instances."""

    start: Fraction
    count: Fraction  # type: ignore[assignment]  # hides a tuple method
    each: Fraction | None
    """Time of one, where the schedule says how fast it flows. None: as fast as its link allows."""


@dataclass(frozen=True)
class Period:
    """A schedule as the list of its operations.

    Attributes
    ----------
    parts
        By their offsets. Each after those of its own period that it needs.
    capacities
        Of resources that serve several operations at a time.
    weights
        How many of each stream one instance of the schedule is.
    warm_up
        Periods after which as much ends in each period as begins.
    """

    length: Fraction
    instances: Fraction
    courses: tuple[Course, ...]
    parts: tuple[Part, ...]
    capacities: Mapping[str, int]
    weights: Mapping[str, Fraction]
    warm_up: int

    def step(self, part: Part) -> Step:
        """Give the step of a part."""
        return self.courses[part.course].steps[part.step]

    def periods_for(self, instances: int) -> int:
        """Give the fewest periods that complete so many instances, at least two.

        Parameters
        ----------
        instances
            At least 1.
        """
        return max(2, ceil(instances / self.instances)) + self.warm_up - 1


def period_of(schedule: Schedule, seen: Seen) -> Period:
    """List the operations of a period.

    Parameters
    ----------
    schedule
        A periodic one that holds, with instances.
    seen
        What its allocations run, and on which network.
    """
    courses = courses_of(schedule, seen)
    stretches = _Stretches(schedule)
    found: list[tuple[Fraction, int, int, Part]] = []
    lists: dict[tuple[int, int], list[Part]] = {}
    for c, course in enumerate(courses):
        for s, step in enumerate(course.steps):
            parts = list(_cut(c, s, step, stretches.stretches_of(course, step)))
            lists[c, s] = parts
            found += ((part.offset, s, c, part) for part in parts)
    found.sort(key=lambda one: one[:3])
    number = {(part.course, part.step, part.upto): i for i, (*_, part) in enumerate(found)}
    dates = {place: [part.upto for part in parts] for place, parts in lists.items()}

    def needed(part: Part) -> Iterator[int]:
        for need in courses[part.course].steps[part.step].needs:
            place = (part.course, need)
            yield number[*place, dates[place][bisect_left(dates[place], part.upto)]]

    return Period(
        schedule.period,
        schedule.instances_per_period,
        tuple(courses),
        tuple(part._replace(needs=tuple(needed(part))) for *_, part in found),
        seen.network.cards,
        seen.streams,
        max(course.periods for course in courses),
    )


class _Stretches:
    """What the schedule gives to each step, as far as it is not used yet."""

    def __init__(self, schedule: Schedule) -> None:
        self._multiport = schedule.ports == "multiport"
        self._slot = schedule.slots[0] if self._multiport and schedule.slots else None
        self._left: dict[tuple[object, ...], list[tuple[Fraction, Fraction]]] = {}
        for one in schedule.computations:
            copy = (one.allocation, one.task, one.processor)
            self._left.setdefault(copy, []).append((one.start, one.count))
        if self._multiport:
            return
        if schedule.runs is None:
            for slot in schedule.slots:
                for moved in slot.transfers:
                    lane = (moved.allocation, moved.sender, moved.receiver, moved.file)
                    self._left.setdefault(lane, []).append((slot.start, moved.count))
        else:
            for run in schedule.runs:
                for start, _, cargo in run.stretches():
                    lane = (cargo.allocation, run.sender, run.receiver, cargo.file)
                    self._left.setdefault(lane, []).append((start, cargo.count))
        for listed in self._left.values():
            listed.sort(reverse=True)

    def stretches_of(self, course: Course, step: Step) -> Iterator[_Stretch]:
        """Give the stretches of a step, for all instances of a period."""
        number = Fraction(course.per_period)
        if step.flow is not None and step.time and self._slot is not None:
            yield _Stretch(self._slot.start, number, self._slot.duration / number)
            return
        left = self._left.get((course.allocation.index, *step.what))
        if not left:
            yield _Stretch(Fraction(0), number, None)
            return
        while number:
            start, count = left.pop()
            taken = min(count / step.share, number)
            number -= taken
            if rest := count - taken * step.share:
                time = step.time / step.share
                left.append((start + (count - rest) * time, rest))
            yield _Stretch(start, taken, None)


def _cut(c: int, s: int, step: Step, stretches: Iterator[_Stretch]) -> Iterator[Part]:
    """Cut stretches where an instance is done."""
    done = Fraction(0)
    for start, count, each in stretches:
        now, end, wait = start, done + count, step.latency
        while done < end:
            upto = min(Fraction(done.__floor__() + 1), end)
            time = (upto - done) * (step.time if each is None else each) + wait
            yield Part(c, s, now, time, upto)
            now, done, wait = now + time, upto, Fraction(0)


def common_unit(period: Period) -> int:
    """Give the inverse of a time of which all times of a period are whole multiples.

    Parameters
    ----------
    period
        Its length and its parts.
    """
    times = [period.length]
    for part in period.parts:
        times += (part.offset, part.time)
    return lcm(*{time.denominator for time in times})


def whole(times: Sequence[Fraction], unit: int) -> list[int]:
    """Write times in a unit.

    Parameters
    ----------
    times
        Multiples of it.
    unit
        As of `common_unit`.
    """
    return [time.numerator * (unit // time.denominator) for time in times]
