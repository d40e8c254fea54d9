"""Instances handed out one by one, without a clock: each goes on as soon as resources let it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import islice
from math import lcm
from typing import NamedTuple, Protocol

from steadygrid.domain.dispatch import DispatchOrder
from steadygrid.engine.executions.measured import MOST_POINTS, Measured, batch_error
from steadygrid.engine.executions.noise import Factors, factors_of
from steadygrid.engine.executions.ordered import Date, Noise
from steadygrid.engine.executions.ports import FirstComes, Overtaking, Waiting
from steadygrid.engine.executions.shares import Shares
from steadygrid.engine.executions.steps import Course

_OFTEN = 20_000
_FEW = 4
"""Cycles of the order of which batches are made; of fewer they are made of instances."""


class Policy(Protocol):
    """Who decides which instance comes next. Courses are given by position."""

    @property
    def cycle(self) -> int:
        """After so many instances the order of the courses repeats."""

    def begin(self) -> Iterable[int]:
        """Give the courses of the first instances."""

    def started(self, course: int, /) -> Iterable[int]:
        """Give those that follow when an instance begins its last execution."""

    def ended(self, course: int, /) -> Iterable[int]:
        """Give those that follow when an instance is complete."""


class DispatchOrderPolicy:
    """Instances follow the rates, so many of them in progress. See `steadygrid.dispatcher`.

    Parameters
    ----------
    rates
        Of the courses.
    window
        Instances in progress, at most.
    """

    def __init__(self, rates: Sequence[Fraction], window: int) -> None:
        self._order = DispatchOrder(rates)
        self._window = window

    @property
    def cycle(self) -> int:
        """As `Policy.cycle`."""
        return self._order.cycle

    def begin(self) -> Iterable[int]:
        """As `Policy.begin`."""
        return islice(self._order, self._window)

    def started(self, _course: int, /) -> Iterable[int]:
        """As `Policy.started`."""
        return ()

    def ended(self, _course: int, /) -> Iterable[int]:
        """As `Policy.ended`."""
        return islice(self._order, 1)


class OnDemandPolicy:
    """A worker asks for another task when it begins one; one course for each worker.

    Parameters
    ----------
    courses
        How many.
    buffer
        Tasks that each worker has or is sent, the one that it computes left out.
    """

    def __init__(self, courses: int, buffer: int) -> None:
        self._courses, self._buffer = courses, buffer

    @property
    def cycle(self) -> int:
        """As `Policy.cycle`: no order is known."""
        return 1

    def begin(self) -> Iterable[int]:
        """As `Policy.begin`."""
        return [course for _ in range(self._buffer) for course in range(self._courses)]

    def started(self, course: int, /) -> Iterable[int]:
        """As `Policy.started`."""
        return (course,)

    def ended(self, _course: int, /) -> Iterable[int]:
        """As `Policy.ended`."""
        return ()


class _Doing(NamedTuple):
    """A step, with positions for names."""

    time: Date
    resources: tuple[int, ...]
    draws: int
    needs: int
    after: tuple[int, ...]
    waits_at: int
    """The processor at which an instance waits for it with all it needs; -1 where it needs nothing."""
    is_last: bool
    """Whether it is the last execution."""
    flow_class: int
    """Of its flow; -1 for what is none."""
    data: float
    limits: bool
    """Whether it takes time on something that others use too."""


class _Work(NamedTuple):
    """What has been done by a date.

    Attributes
    ----------
    date
        In time units.
    counts
        Of each course, how often each step has been done that takes time, parts included.
    """

    date: Fraction
    counts: tuple[tuple[Fraction, ...], ...]


def dispatched(
    courses: Sequence[Course],
    capacities: Callable[[str], int],
    policy: Policy,
    instances: int,
    *,
    overtake: bool = False,
    noise: Noise | None = None,
    weights: Mapping[str, Fraction] | None = None,
    check: Callable[[], None] = lambda: None,
) -> Measured:
    """Carry out instances until so many are complete.

    Parameters
    ----------
    courses
        What instances do.
    capacities
        How many operations a resource serves at a time.
    policy
        Which instance comes next.
    instances
        After how many the run ends, at least 2: those that are complete first.
    overtake
        Whether an operation that finds all its resources free may start before earlier ones.
    noise
        How times are wrong. None: they are exact. Then all dates are exact too, unless transfers share
        links.
    weights
        How many of each stream one instance of the schedule is. None: there is one stream.
    check
        Is called now and then; may raise.

    Notes
    -----
    What is measured is work. In a span of time, some step of a course has been done least often: so
    often all steps of it have been done. So the sum of these numbers over all courses is a number of
    instances whose operations fit into that time, and over the time it is never above an optimum. The
    span is the second half of what is complete, or the whole run, if more was done there. The most
    often done steps say how far off it may be.

    A heap of ends: O(log n) for each operation, n being those in progress, and the cost of `Ports`
    or `Shares`.
    """
    run = _Dispatched(courses, capacities, policy, overtake=overtake, noise=noise)
    return run.until(
        instances, weights or {course.stream: Fraction(1) for course in courses}, check
    )


class _Dispatched:
    def __init__(
        self,
        courses: Sequence[Course],
        capacities: Callable[[str], int],
        policy: Policy,
        *,
        overtake: bool,
        noise: Noise | None,
    ) -> None:
        self._policy = policy
        self._streams = [course.stream for course in courses]
        self._unit = _unit(courses) if noise is None else 0
        names: dict[str, int] = {}
        draws: dict[str, int] = {}
        waits: dict[str, int] = {}
        uses: list[dict[int, float]] = []
        flow_classes: dict[tuple[tuple[int, float], ...], int] = {}
        self._courses: list[list[_Doing]] = []
        for course in courses:
            after: list[list[int]] = [[] for _ in course.steps]
            for i, step in enumerate(course.steps):
                for need in step.needs:
                    after[need].append(i)
            last = max((i for i, step in enumerate(course.steps) if step.computes), default=-1)
            table = []
            for i, step in enumerate(course.steps):
                flow_class = -1
                if step.flow is not None and step.time:
                    shared: dict[int, float] = {}
                    for name, time in step.flow.uses:
                        place = names.setdefault(name, len(names))
                        shared[place] = shared.get(place, 0.0) + float(time)
                    flow_class = flow_classes.setdefault(
                        tuple(sorted(shared.items())), len(flow_classes)
                    )
                    if flow_class == len(uses):
                        uses.append(shared)
                kept = step.resources if step.time else ()
                table.append(
                    _Doing(
                        self._scaled(step.time + step.latency),
                        tuple(names.setdefault(name, len(names)) for name in kept),
                        draws.setdefault(step.draws, len(draws)),
                        len(step.needs),
                        tuple(after[i]),
                        waits.setdefault(step.what[1], len(waits))
                        if step.computes and step.needs
                        else -1,
                        i == last,
                        flow_class,
                        float(step.flow.data) if step.flow is not None else 0.0,
                        bool(step.time),
                    )
                )
            self._courses.append(table)
        kind = Overtaking if overtake else FirstComes
        self._ports = kind([capacities(name) for name in names])
        self._shares = Shares(uses) if uses else None
        self._factors: list[Factors] | None = None
        if noise is not None:
            self._factors = [factors_of(name, *noise) for name in draws]
        self._course: list[int] = []
        self._left: list[list[int]] = []
        self._unfinished: list[int] = []
        self._done: list[Date] = []
        self._heap: list[tuple[Date, int, int, int, Date]] = []
        """End, arrival, instance, step and start of what is in progress."""
        self._counts = [[0] * len(table) for table in self._courses]
        self._arrivals = 0
        self._waiting = [0] * len(waits)
        self._most_waiting = 0
        self._pending: list[int] = []

    def _scaled(self, time: Fraction) -> Date:
        unit = self._unit
        return time.numerator * (unit // time.denominator) if unit else float(time)

    def until(
        self, instances: int, weights: Mapping[str, Fraction], check: Callable[[], None]
    ) -> Measured:
        """Go on until so many instances are complete, whichever these are."""
        counted = instances - 1 - (instances - 1) // 2
        cycle = self._policy.cycle
        if 0 < cycle <= counted:
            counted -= counted % cycle
        for course in self._policy.begin():
            self._begin(course, 0)
        number = 0
        middle: _Work | None = None
        now: Date = 0
        while len(self._done) < instances:
            flows = self._shares.next_end() if self._shares is not None else float("inf")
            if self._heap and self._heap[0][0] <= flows:
                now, _, i, s, _ = heappop(self._heap)
                doing = self._courses[self._course[i]][s]
                if doing.resources:
                    for one in self._ports.release(doing.resources):
                        self._start(one, now)
            elif self._shares is not None and flows < float("inf"):
                now = flows
                i, s = self._shares.end(now)
            else:
                raise ValueError("nothing goes on, and not all instances are complete")
            number += 1
            if not number % _OFTEN:
                check()
            self._end(i, s, now)
            if middle is None and len(self._done) >= instances - counted:
                middle = self._work(now)
        assert middle is not None
        return self._measured(middle, self._work(now), counted, weights)

    def _begin(self, course: int, now: Date) -> None:
        i = len(self._course)
        table = self._courses[course]
        self._course.append(course)
        self._left.append([doing.needs for doing in table])
        self._unfinished.append(len(table))
        for s, doing in enumerate(table):
            if not doing.needs:
                self._ready(i, s, now)

    def _ready(self, i: int, s: int, now: Date) -> None:
        doing = self._courses[self._course[i]][s]
        self._arrivals += 1
        one = (self._arrivals, i, s)
        if doing.flow_class >= 0 or not doing.resources:
            self._start(one, now)
            return
        if doing.waits_at >= 0:
            self._waiting[doing.waits_at] += 1
        for other in self._ports.arrive(one, doing.resources):
            self._start(other, now)
        if doing.waits_at >= 0:
            self._most_waiting = max(self._most_waiting, self._waiting[doing.waits_at])

    def _start(self, one: Waiting, now: Date) -> None:
        _, i, s = one
        course = self._course[i]
        doing = self._courses[course][s]
        factor = 1 if self._factors is None else self._factors[doing.draws]()
        if doing.flow_class >= 0:
            assert self._shares is not None
            self._shares.start(now, doing.flow_class, doing.data * factor, i, s)
        else:
            if doing.waits_at >= 0 and doing.resources:
                self._waiting[doing.waits_at] -= 1
            heappush(self._heap, (now + doing.time * factor, one[0], i, s, now))
        if doing.is_last:
            # After this call: what it begins may ask for the ports that are being given out.
            self._pending += self._policy.started(course)

    def _end(self, i: int, s: int, now: Date) -> None:
        """Let what waits for a step go on."""
        left = self._left[i]
        course = self._course[i]
        self._counts[course][s] += 1
        for after in self._courses[course][s].after:
            left[after] -= 1
            if not left[after]:
                self._ready(i, after, now)
        self._unfinished[i] -= 1
        if not self._unfinished[i]:
            self._done.append(now)
            self._left[i] = []
            self._pending += self._policy.ended(course)
        while self._pending:
            coming, self._pending = self._pending, []
            for course in coming:
                self._begin(course, now)

    def _work(self, now: Date) -> _Work:
        """Count what has been done, what is in progress in parts."""
        parts: dict[tuple[int, int], Fraction] = {}
        for end, _, i, s, start in self._heap:
            if end > start:
                place = (self._course[i], s)
                done = Fraction(now - start) / Fraction(end - start)
                parts[place] = parts.get(place, Fraction(0)) + done
        for i, s, left in self._shares.unfinished_flows(now) if self._shares is not None else ():
            place = (self._course[i], s)
            parts[place] = parts.get(place, Fraction(0)) + 1 - Fraction(left)
        return _Work(
            self._unscaled(now),
            tuple(
                tuple(
                    counts[s] + parts.get((course, s), Fraction(0))
                    for s, doing in enumerate(table)
                    if doing.limits
                )
                for course, (counts, table) in enumerate(
                    zip(self._counts, self._courses, strict=True)
                )
            ),
        )

    def _rates(
        self, before: _Work, after: _Work, weights: Mapping[str, Fraction]
    ) -> tuple[Fraction, Fraction] | None:
        """Give instances per time unit: of which all was done between two dates, and at least a part."""
        if before.date == after.date:
            return None
        whole, some = dict.fromkeys(weights, Fraction(0)), dict.fromkeys(weights, Fraction(0))
        for stream, old, new in zip(self._streams, before.counts, after.counts, strict=True):
            done = [b - a for a, b in zip(old, new, strict=True)]
            whole[stream] += min(done, default=Fraction(0))
            some[stream] += max(done, default=Fraction(0))
        passed = after.date - before.date
        return (
            min(whole[stream] / weight for stream, weight in weights.items()) / passed,
            min(some[stream] / weight for stream, weight in weights.items()) / passed,
        )

    def _measured(
        self, middle: _Work, last: _Work, counted: int, weights: Mapping[str, Fraction]
    ) -> Measured:
        complete, instances = self._done, len(self._done)
        nothing = _Work(Fraction(0), tuple((Fraction(0),) * len(counts) for counts in last.counts))
        total = self._rates(nothing, last, weights)
        assert total is not None
        least, most = self._rates(middle, last, weights) or total
        throughput = max(least, total[0])
        cycle = self._policy.cycle
        step = cycle if 0 < cycle <= counted // _FEW else 1
        error = throughput * Fraction(batch_error(complete[-counted - 1 :: step]))
        error += max(Fraction(0), most - throughput)
        step = -(-instances // MOST_POINTS)
        shown: Iterator[int] = iter(range(step - 1, instances, step))
        return Measured(
            throughput,
            error,
            Fraction(counted),
            None,
            self._most_waiting,
            tuple((self._unscaled(complete[i]), i + 1) for i in shown),
        )

    def _unscaled(self, date: Date) -> Fraction:
        return Fraction(date) / (self._unit or 1)


def _unit(courses: Sequence[Course]) -> int:
    """Give the inverse of a time of which all times are multiples; 0 where transfers share links."""
    steps = [step for course in courses for step in course.steps]
    if any(step.flow is not None for step in steps):
        return 0
    return lcm(*{(step.time + step.latency).denominator for step in steps})
