"""Instances handed out one by one to machines: as dispatched, or on demand."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import steadygrid as sg
from benchmarks.reality.conducting import Conductor, Job, jobs_of
from steadygrid.domain.schedule import Schedule
from steadygrid.engine.executions.dispatched import OnDemandPolicy
from steadygrid.engine.executions.ports import FirstComes, Overtaking, Waiting
from steadygrid.engine.executions.steps import Course, Network


class Source(Protocol):
    """Who decides which instance comes next; courses are given by position."""

    def take(self) -> Iterable[tuple[int, int]]:
        """Give instances that may begin now, with their courses."""

    def started(self, course: int, /) -> None:
        """Hear that an instance has begun its last execution."""

    def ended(self, instance: int, /) -> None:
        """Hear that an instance is complete."""


class DispatcherSource:
    """Instances of `steadygrid.Dispatcher`.

    Parameters
    ----------
    schedule
        That is carried out.
    courses
        Of its allocations.
    """

    def __init__(self, schedule: Schedule, courses: Sequence[Course]) -> None:
        self.dispatcher = sg.Dispatcher(schedule)
        self._courses = {course.allocation.index: c for c, course in enumerate(courses)}

    def take(self) -> Iterable[tuple[int, int]]:
        """As `Source.take`."""
        while (one := self.dispatcher.next()) is not None:
            yield one.instance, self._courses[one.allocation.index]

    def started(self, _course: int, /) -> None:
        """As `Source.started`."""

    def ended(self, instance: int, /) -> None:
        """As `Source.ended`."""
        self.dispatcher.finish(instance)


class DemandSource:
    """Workers that ask for a task when they begin one.

    Parameters
    ----------
    courses
        One for each worker.
    buffer
        Tasks that each has or is sent, the one that it computes left out.
    """

    def __init__(self, courses: int, buffer: int) -> None:
        self._policy = OnDemandPolicy(courses, buffer)
        self._asked = deque(self._policy.begin())
        self._number = 0

    def take(self) -> Iterable[tuple[int, int]]:
        """As `Source.take`."""
        while self._asked:
            self._number += 1
            yield self._number - 1, self._asked.popleft()

    def started(self, course: int, /) -> None:
        """As `Source.started`."""
        self._asked += self._policy.started(course)

    def ended(self, instance: int, /) -> None:
        """As `Source.ended`."""


@dataclass
class _Instance:
    course: int
    missing: list[int]
    """Steps that each step waits for."""
    unfinished: int


class HandedOut:
    """Instances that come one by one; ports serve who comes first, or whom they can.

    Parameters
    ----------
    conductor
        That begins operations.
    courses
        What instances do.
    network
        On which.
    source
        Which instance comes next.
    overtake
        As of `steadygrid.engine.executions.dispatched`, whose ports these are.
    """

    def __init__(
        self,
        conductor: Conductor,
        courses: Sequence[Course],
        network: Network,
        source: Source,
        *,
        overtake: bool,
    ) -> None:
        self._conductor, self._courses, self._source = conductor, courses, source
        self._jobs = [jobs_of(course, network) for course in courses]
        names: dict[str, int] = {}
        for job in (job for jobs in self._jobs for job in jobs):
            for name in job.resources:
                names.setdefault(name, len(names))
        self._names = names
        self._ports = (Overtaking if overtake else FirstComes)([1] * len(names))
        self._after = [
            [
                [s for s, step in enumerate(course.steps) if need in step.needs]
                for need in range(len(course.steps))
            ]
            for course in courses
        ]
        self._last = [
            max((s for s, step in enumerate(course.steps) if step.computes), default=-1)
            for course in courses
        ]
        self._under_way: dict[int, _Instance] = {}
        self._running: dict[int, tuple[int, int]] = {}
        self._arrivals = 0
        self.done: dict[int, float] = {}
        """When each instance was complete."""

    async def until(self, instances: int) -> float:
        """Go on until so many instances are complete; give instances per time unit.

        Parameters
        ----------
        instances
            At least 2. The second half of what is complete counts.
        """
        while len(self.done) < instances:
            for number, course in self._source.take():
                self._begin(number, course)
            self._end(await self._conductor.next_end())
        before = (instances - 1) // 2
        ends = sorted(self.done.values())
        return (instances - 1 - before) / (ends[instances - 1] - ends[before])

    def _begin(self, number: int, course: int) -> None:
        needs = [len(step.needs) for step in self._courses[course].steps]
        self._under_way[number] = _Instance(course, needs, len(needs))
        for s, count in enumerate(needs):
            if not count:
                self._ready(number, s)

    def _ready(self, number: int, s: int) -> None:
        job = self._jobs[self._under_way[number].course][s]
        self._arrivals += 1
        waiting = (self._arrivals, number, s)
        if not job.resources:
            self._start(waiting)
        for one in self._ports.arrive(waiting, self._places(job)) if job.resources else ():
            self._start(one)

    def _places(self, job: Job) -> tuple[int, ...]:
        return tuple(self._names[name] for name in job.resources)

    def _start(self, one: Waiting) -> None:
        _, number, s = one
        course = self._under_way[number].course
        self._running[self._conductor.begin(self._jobs[course][s])] = (number, s)
        if s == self._last[course]:
            self._source.started(course)

    def _end(self, operation: int) -> None:
        """Let what waits go on."""
        number, s = self._running.pop(operation)
        instance = self._under_way[number]
        job = self._jobs[instance.course][s]
        for one in self._ports.release(self._places(job)) if job.resources else ():
            self._start(one)
        for after in self._after[instance.course][s]:
            instance.missing[after] -= 1
            if not instance.missing[after]:
                self._ready(number, after)
        instance.unfinished -= 1
        if instance.unfinished:
            return
        del self._under_way[number]
        self.done[number] = self._conductor.date
        self._source.ended(number)
