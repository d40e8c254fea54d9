"""Instances handed out one by one, without a clock: each goes on as soon as resources let it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import islice
from typing import NamedTuple, Protocol

from steadygrid.domain.dispatch import DispatchOrder
from steadygrid.engine.executions.measured import MOST_POINTS, Measured
from steadygrid.engine.executions.noise import Factors, factors_of
from steadygrid.engine.executions.ordered import Noise
from steadygrid.engine.executions.ports import FirstComes, Overtaking, Waiting
from steadygrid.engine.executions.shares import Shares
from steadygrid.engine.executions.steps import Course

_OFTEN = 20_000


class Policy(Protocol):
    """Who decides which instance comes next. Courses are given by position."""

    def begin(self) -> Iterable[int]:
        """Give the courses of the first instances."""

    def started(self, course: int, /) -> Iterable[int]:
        """Give those that follow when an instance begins its last execution."""

    def ended(self, course: int, /) -> Iterable[int]:
        """Give those that follow when an instance is complete."""


class DispatchOrderPolicy:
    """Instances follow the rates, so many of them under way; see `steadygrid.dispatcher`.

    Parameters
    ----------
    rates
        Of the courses.
    window
        Instances under way, at most.
    """

    def __init__(self, rates: Sequence[Fraction], window: int) -> None:
        self._order = DispatchOrder(rates)
        self._window = window

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

    time: float
    resources: tuple[int, ...]
    draws: int
    needs: int
    after: tuple[int, ...]
    waits_at: int
    """The processor at which an instance waits for it with all it needs; -1 where it needs nothing."""
    is_last: bool
    """Whether it is the last execution."""
    sort: int
    """Of its flow; -1 for what is none."""
    data: float


def dispatched(
    courses: Sequence[Course],
    capacities: Callable[[str], int],
    policy: Policy,
    instances: int,
    *,
    overtake: bool = False,
    noise: Noise | None = None,
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
        How many are measured, at least 2; others go on beside the last of them.
    overtake
        Whether an operation that finds all its resources free may start before earlier ones.
    noise
        How times are wrong; None: they are exact.
    check
        Is called now and then; may raise.

    Notes
    -----
    A heap of ends: O(log n) for each operation, n being those under way, and the cost of `Ports` or
    `Shares`.
    """
    return _Dispatched(courses, capacities, policy, overtake=overtake, noise=noise).until(
        instances, check
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
        names: dict[str, int] = {}
        draws: dict[str, int] = {}
        waits: dict[str, int] = {}
        uses: list[dict[int, float]] = []
        sorts: dict[tuple[tuple[int, float], ...], int] = {}
        self._courses: list[list[_Doing]] = []
        for course in courses:
            after: list[list[int]] = [[] for _ in course.steps]
            for i, step in enumerate(course.steps):
                for need in step.needs:
                    after[need].append(i)
            last = max((i for i, step in enumerate(course.steps) if step.computes), default=-1)
            table = []
            for i, step in enumerate(course.steps):
                sort = -1
                if step.flow is not None and step.time:
                    shared: dict[int, float] = {}
                    for name, time in step.flow.uses:
                        place = names.setdefault(name, len(names))
                        shared[place] = shared.get(place, 0.0) + float(time)
                    sort = sorts.setdefault(tuple(sorted(shared.items())), len(sorts))
                    if sort == len(uses):
                        uses.append(shared)
                kept = step.resources if step.time else ()
                table.append(
                    _Doing(
                        float(step.time + step.latency),
                        tuple(names.setdefault(name, len(names)) for name in kept),
                        draws.setdefault(step.draws, len(draws)),
                        len(step.needs),
                        tuple(after[i]),
                        waits.setdefault(step.what[1], len(waits))
                        if step.computes and step.needs
                        else -1,
                        i == last,
                        sort,
                        float(step.flow.data) if step.flow is not None else 0.0,
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
        self._done: list[float] = []
        self._heap: list[tuple[float, int, int, int]] = []
        self._arrivals = 0
        self._waiting = [0] * len(waits)
        self._most_waiting = 0
        self._pending: list[int] = []

    def until(self, instances: int, check: Callable[[], None]) -> Measured:
        """Go on until the first so many instances are complete."""
        for course in self._policy.begin():
            self._begin(course, 0.0)
        missing = instances
        number = 0
        while missing:
            flows = self._shares.next_end() if self._shares is not None else float("inf")
            if self._heap and self._heap[0][0] <= flows:
                now, _, i, s = heappop(self._heap)
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
            if self._end(i, s, now) and i < instances:
                missing -= 1
        return self._measured(instances)

    def _begin(self, course: int, now: float) -> None:
        i = len(self._course)
        table = self._courses[course]
        self._course.append(course)
        self._left.append([doing.needs for doing in table])
        self._unfinished.append(len(table))
        self._done.append(float("inf"))
        for s, doing in enumerate(table):
            if not doing.needs:
                self._ready(i, s, now)

    def _ready(self, i: int, s: int, now: float) -> None:
        doing = self._courses[self._course[i]][s]
        self._arrivals += 1
        one = (self._arrivals, i, s)
        if doing.sort >= 0 or not doing.resources:
            self._start(one, now)
            return
        if doing.waits_at >= 0:
            self._waiting[doing.waits_at] += 1
        for other in self._ports.arrive(one, doing.resources):
            self._start(other, now)
        if doing.waits_at >= 0:
            self._most_waiting = max(self._most_waiting, self._waiting[doing.waits_at])

    def _start(self, one: Waiting, now: float) -> None:
        _, i, s = one
        course = self._course[i]
        doing = self._courses[course][s]
        factor = 1.0 if self._factors is None else self._factors[doing.draws]()
        if doing.sort >= 0:
            assert self._shares is not None
            self._shares.start(now, doing.sort, doing.data * factor, i, s)
        else:
            if doing.waits_at >= 0 and doing.resources:
                self._waiting[doing.waits_at] -= 1
            heappush(self._heap, (now + doing.time * factor, one[0], i, s))
        if doing.is_last:
            # After this call: what it begins may ask for the ports that are being given out.
            self._pending += self._policy.started(course)

    def _end(self, i: int, s: int, now: float) -> bool:
        """Let what waits for a step go on; tell whether its instance is complete."""
        left = self._left[i]
        for after in self._courses[self._course[i]][s].after:
            left[after] -= 1
            if not left[after]:
                self._ready(i, after, now)
        self._unfinished[i] -= 1
        over = not self._unfinished[i]
        if over:
            self._done[i] = now
            self._left[i] = []
            self._pending += self._policy.ended(self._course[i])
        while self._pending:
            coming, self._pending = self._pending, []
            for course in coming:
                self._begin(course, now)
        return over

    def _measured(self, instances: int) -> Measured:
        before = (instances - 1) // 2
        first = max(self._done[: before + 1])
        last = max(self._done[:instances])
        complete = sorted(self._done[:instances])
        step = -(-instances // MOST_POINTS)
        shown: Iterator[int] = iter(range(step - 1, instances, step))
        return Measured(
            Fraction(instances - 1 - before) / Fraction(last - first),
            Fraction(instances - 1 - before),
            None,
            self._most_waiting,
            tuple((Fraction(complete[i]), i + 1) for i in shown),
        )
