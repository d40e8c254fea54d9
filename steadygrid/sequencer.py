"""Hands out the operations of a schedule in their order, for a program that keeps dates or orders."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

from steadygrid.answer import Answer
from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.domain.slots import FileName
from steadygrid.engine.executions.parts import Part, period_of
from steadygrid.engine.executions.steps import moves_of, seen_of


class Operation(NamedTuple):
    """What a processor or a link does without a break, for an instance.

    Attributes
    ----------
    number
        Of the operation, from 0, in the order of dates.
    allocation
        Whose instance it is.
    instance
        Which one of the allocation, counted from 0.
    task
        That is executed. None for a transfer.
    file
        That is sent. None for a task.
    path
        On which data flow: two ends of a link, or under `multiport` the whole path; for a task the
        processor alone.
    data
        That flow.
    part
        How much of an instance it does; less than 1 where the schedule interrupts it.
    date
        When the schedule begins it, from the beginning of the first period.
    time
        How long it takes, with latencies that are paid.
    resources
        Names of what it keeps busy. A path of its own under `multiport`, where links are shared.
    ends
        Whether it ends the instance, or what is done of the instance at one of several ends.
    """

    number: int
    allocation: Allocation
    instance: int
    task: str | None
    file: FileName | None
    path: tuple[str, ...]
    data: Fraction
    part: Fraction
    date: Fraction
    time: Fraction
    resources: tuple[str, ...]
    ends: bool

    @property
    def processor(self) -> str:
        """Who begins it: who computes, or who sends."""
        return self.path[0]


@dataclass
class _Entry:
    """An operation of a period, with what it waits for."""

    operation: Operation
    period: int
    missing: int = 0
    """Operations that it waits for."""
    after: list["_Entry"] = field(default_factory=list)
    is_ready: bool = False
    is_begun: bool = False
    is_finished: bool = False


class Sequencer:
    """Says what is next on each processor: at its date, or as soon as the order of the schedule lets it.

    Every port, link and processor does things in the order of the schedule. An operation may begin
    when it is next on all that it needs, when what it needs of its instance is finished, and with a
    clock not before its date. Those that may begin are handed out. The program reports when they are
    finished. A program does this for all processors, or each processor asks for its own operations.

    Parameters
    ----------
    answer
        With a schedule that repeats.
    clocked
        Whether nothing begins before its date: the execution `clock` of a simulation, else `order`.
    periods
        That are carried out. None: no end.

    Raises
    ------
    InstanceError
        ``not_periodic`` of an answer without a schedule that repeats; ``invalid_parameter`` of fewer
        periods than 1.

    Examples
    --------
    >>> sequencer = sg.Sequencer(answer, clocked=False)
    >>> while (operation := sequencer.next()) is not None:
    ...     begin(operation)
    >>> sequencer.finish(operation.number)
    """

    def __init__(self, answer: Answer[Any], *, clocked: bool, periods: int | None = None) -> None:
        schedule, views_of = answer.schedule, answer.submission.problem.views
        if views_of is None or not isinstance(schedule, Schedule) or not schedule.allocations:
            raise _refused("schedule", "not_periodic", "only a schedule that repeats is handed out")
        if not schedule.instances_per_period:
            raise _refused("schedule", "not_periodic", "nothing runs in this schedule")
        if periods is not None and periods < 1:
            raise _refused("periods", "invalid_parameter", "at least one period is carried out")
        seen = seen_of(views_of(answer.submission.instance, answer.result))
        self._period = period_of(schedule, seen)
        self._moves = [moves_of(course, seen.network) for course in self._period.courses]
        self._parts = list(self._shares())
        self._clocked, self._periods = clocked, periods
        self._queues: dict[str, deque[_Entry]] = {}
        self._used: dict[str, int] = {}
        self._groups: dict[int, dict[int, _Entry]] = {}
        self._ready: list[tuple[int, _Entry]] = []
        self._ready_at: dict[str, list[tuple[int, _Entry]]] = {}
        self._unfinished: dict[int, _Entry] = {}
        self._numbers = count()
        self._listed = 0
        self._waiting = 0
        self._list_period()

    @property
    def unfinished(self) -> frozenset[int]:
        """Numbers of operations that have been handed out and are not finished."""
        return frozenset(self._unfinished)

    @property
    def is_done(self) -> bool:
        """Whether all operations of all periods are finished."""
        return not self._waiting and not self._unfinished

    def next_date(self, processor: str | None = None) -> Fraction | None:
        """Give the date of the next operation that waits for nothing else. None: there is none.

        Parameters
        ----------
        processor
            Whose operations are looked at. None: all.
        """
        entry = self._first(processor)
        return None if entry is None else entry.operation.date

    def next(
        self, date: Fraction | float | None = None, processor: str | None = None
    ) -> Operation | None:
        """Hand out an operation that may begin. None if there is none.

        Parameters
        ----------
        date
            It is now, from the beginning of the first period. Needed with a clock.
        processor
            Who computes or sends. None: anyone.

        Raises
        ------
        InstanceError
            ``missing_parameter`` without a date that is needed.
        """
        if self._clocked and date is None:
            raise _refused("date", "missing_parameter", "say what time it is: it goes by the clock")
        entry = self._first(processor)
        if entry is None or (date is not None and self._clocked and entry.operation.date > date):
            return None
        entry.is_begun = True
        self._waiting -= 1
        self._unfinished[entry.operation.number] = entry
        for name in entry.operation.resources:
            self._queues[name].popleft()
            self._used[name] = self._used.get(name, 0) + 1
        if entry.period == self._listed - 1:
            self._list_period()
        self._look_at(entry.operation.resources)
        return entry.operation

    def finish(self, number: int) -> None:
        """Take the report that an operation is finished.

        Parameters
        ----------
        number
            Of the operation.

        Raises
        ------
        InstanceError
            ``invalid_parameter`` of one that is not in progress.
        """
        entry = self._unfinished.pop(number, None)
        if entry is None:
            detail = f"operation {number} has not been handed out, or is finished already"
            raise _refused("number", "invalid_parameter", detail)
        entry.is_finished = True
        for name in entry.operation.resources:
            self._used[name] -= 1
        for one in entry.after:
            one.missing -= 1
            self._look(one)
        self._look_at(entry.operation.resources)

    def _first(self, processor: str | None) -> _Entry | None:
        ready = self._ready if processor is None else self._ready_at.get(processor, [])
        while ready and ready[0][1].is_begun:
            heappop(ready)
        return ready[0][1] if ready else None

    def _shares(self) -> Iterator[Fraction]:
        """Give how much of an instance each part of a period does."""
        before: dict[tuple[int, int], Fraction] = {}
        for part in self._period.parts:
            place = (part.course, part.step)
            yield part.upto - before.get(place, Fraction(0))
            before[place] = part.upto

    def _list_period(self) -> None:
        """List what the next period does, once something of the last one that is listed begins."""
        q = self._listed
        if self._periods is not None and q >= self._periods:
            return
        self._listed += 1
        period, fresh = self._period, []
        for position, part in enumerate(period.parts):
            group = q + 1 - period.step(part).period
            if group < 0:
                continue
            entry = self._entry(q, position, part, group)
            there = self._groups.setdefault(group, {})
            there[position] = entry
            for need in part.needs:
                if not there[need].is_finished:
                    there[need].after.append(entry)
                    entry.missing += 1
            for name in entry.operation.resources:
                self._queues.setdefault(name, deque()).append(entry)
            fresh.append(entry)
        self._waiting += len(fresh)
        self._groups.pop(q - period.warm_up, None)
        for entry in fresh:
            self._look(entry)
        if not fresh:
            self._list_period()

    def _entry(self, q: int, position: int, part: Part, group: int) -> _Entry:
        period = self._period
        course, step = period.courses[part.course], period.step(part)
        move, share = self._moves[part.course][part.step], self._parts[position]
        resources = step.resources if step.flow is None else (f"{part.course}:{part.step}",)
        operation = Operation(
            next(self._numbers),
            course.allocation,
            group * course.per_period + (-(-part.upto.numerator // part.upto.denominator)) - 1,
            step.what[0] if step.computes else None,
            None if step.computes else step.what[2],  # type: ignore[misc]  # a lane
            move.path,
            move.data * share,
            share,
            q * period.length + part.offset,
            part.time,
            resources if part.time else (),
            part.step in course.last and part.upto.denominator == 1,
        )
        return _Entry(operation, q)

    def _look_at(self, resources: tuple[str, ...]) -> None:
        for name in resources:
            if self._queues[name]:
                self._look(self._queues[name][0])

    def _look(self, entry: _Entry) -> None:
        """See whether an operation may begin but for its date: then nothing can come before it."""
        if entry.is_ready or entry.missing:
            return
        capacities = self._period.capacities
        for name in entry.operation.resources:
            if self._queues[name][0] is not entry:
                return
            if self._used.get(name, 0) >= capacities.get(name, 1):
                return
        entry.is_ready = True
        key = (entry.operation.number, entry)
        heappush(self._ready, key)
        heappush(self._ready_at.setdefault(entry.operation.processor, []), key)


def _refused(place: str, code: str, detail: str) -> InstanceError:
    return InstanceError(faults=[Fault((place,), code, detail)])
