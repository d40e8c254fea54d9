"""A schedule on machines in its own order, by its dates or as early as that lets."""

from fractions import Fraction
from typing import Any

import steadygrid as sg
from benchmarks.reality.conducting import SILENT_SECONDS, Conductor, Job
from steadygrid.engine.executions.measured import measured
from steadygrid.engine.executions.parts import Period
from steadygrid.sequencer import Operation


class InOrder:
    """Every port, link and processor does things in the order of the schedule.

    It asks `steadygrid.Sequencer` what is next, reports what is finished, and knows nothing else of
    the order.

    Parameters
    ----------
    conductor
        That begins operations.
    answer
        Whose schedule is carried out.
    period
        Of the schedule; no resource serves several operations at a time.
    periods
        That are carried out, the warm-up included.
    clocked
        Whether nothing begins before its date.
    """

    def __init__(
        self,
        conductor: Conductor,
        answer: sg.Answer[Any],
        period: Period,
        periods: int,
        *,
        clocked: bool,
    ) -> None:
        self._conductor, self._period = conductor, period
        self._periods, self._clocked = periods, clocked
        self._sequencer = sg.Sequencer(answer, clocked=clocked, periods=periods)
        self._courses = {course.allocation.index: c for c, course in enumerate(period.courses)}
        self._done = [[0.0] * (course.per_period * periods) for course in period.courses]
        self._running: dict[int, Operation] = {}

    async def run(self) -> float:
        """Carry out all periods; give instances per time unit, measured as in a simulation."""
        while not self._sequencer.is_done:
            self._begin_all()
            try:
                ended = await self._conductor.next_end(self._patience())
            except TimeoutError:
                if self._sequencer.next_date() is None:
                    raise
                continue
            self._end(self._running.pop(ended))
        done = [
            dates[: course.per_period * max(0, self._periods + 1 - course.periods)]
            for dates, course in zip(self._done, self._period.courses, strict=True)
        ]
        found = measured(self._period, done, Fraction, late=None, waiting=0)
        return float(found.throughput)

    def _begin_all(self) -> None:
        while (one := self._sequencer.next(self._conductor.date)) is not None:
            job = Job(one.path, one.data, one.time, one.resources)
            earliest = one.date if self._clocked else None
            self._running[self._conductor.begin(job, earliest)] = one

    def _patience(self) -> float:
        """Give the seconds until something has to begin."""
        date = self._sequencer.next_date()
        if date is None:
            return SILENT_SECONDS
        return max(0.0, self._conductor.seconds_until(date))

    def _end(self, one: Operation) -> None:
        if one.ends:
            done = self._done[self._courses[one.allocation.index]]
            done[one.instance] = max(done[one.instance], self._conductor.date)
        self._sequencer.finish(one.number)
