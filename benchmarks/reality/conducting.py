"""The conductor: begins operations on machines whose ports are free, and hears when they end.

Times of ports, links and processors are token buckets, too: what is late by less than the depth of
a bucket is made up for, and no more.
"""

import time
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from benchmarks.reality.machines import Machines, Scale
from steadygrid.engine.executions.steps import Course, Network, moves_of

SILENT_SECONDS = 20.0
"""After which a run is given up."""


class Job(NamedTuple):
    """What is done at once: a step of an instance, or a part of it.

    Attributes
    ----------
    path
        On which data flow; the processor alone for a task.
    data
        Units that flow.
    time
        Time units that it takes.
    resources
        That it keeps busy.
    """

    path: tuple[str, ...]
    data: Fraction
    time: Fraction
    resources: tuple[str, ...]


def jobs_of(course: Course, network: Network) -> list[Job]:
    """Give the whole of each step of an allocation.

    Parameters
    ----------
    course
        The allocation.
    network
        Of its schedule.
    """
    return [
        Job(*move, step.time, step.resources)
        for move, step in zip(moves_of(course, network), course.steps, strict=True)
    ]


def unit_times(network: Network) -> Mapping[tuple[str, str], Fraction]:
    """Give the time of a unit of data on each direction of a link."""
    return {ends: hop.unit_time for ends, hop in network.hops.items()}


class Conductor:
    """Begins what may begin.

    Parameters
    ----------
    machines
        That carry it out.
    scale
        Of the model.
    blocks
        That a processor hashes in a second of computing; None: it sleeps.
    """

    def __init__(self, machines: Machines, scale: Scale, blocks: float | None = None) -> None:
        self._machines, self._scale, self._blocks = machines, scale, blocks
        self._free_at: dict[str, float] = {}
        self._due: dict[int, float] = {}
        self._number = 0
        self._began = time.monotonic()
        self.moved = 0
        """Bytes that have arrived."""
        self.lags: list[float] = []
        """Seconds by which operations ended later than their buckets say."""

    @property
    def date(self) -> float:
        """Time units since the conductor began."""
        return (time.monotonic() - self._began) / self._scale.tick

    def seconds_until(self, date: Fraction) -> float:
        """Give how far off a date is."""
        return self._began + float(date) * self._scale.tick - time.monotonic()

    def begin(self, job: Job, earliest: Fraction | None = None) -> int:
        """Begin an operation, and give its number.

        Parameters
        ----------
        job
            Its ports are free.
        earliest
            The date before which it does not begin; it has come.
        """
        self._number += 1
        number, seconds = self._number, float(job.time) * self._scale.tick
        start = time.monotonic() - self._scale.depth * bool(job.resources)
        if earliest is not None:
            start = max(start, self._began + float(earliest) * self._scale.tick)
        start = max([start, *(self._free_at.get(name, start) for name in job.resources)])
        self._free_at |= dict.fromkeys(job.resources, start + seconds)
        self._due[number] = start + seconds
        if len(job.path) > 1:
            total = max(1, round(float(job.data) * self._scale.data))
            self._machines.send(job.path, number, total, start, seconds)
        else:
            asked: dict[str, float] = {"start": start, "seconds": seconds}
            if self._blocks is not None:
                asked = {"blocks": max(1, round(seconds * self._blocks))}
            self._machines.say(job.path[0], operation=number, **asked)
        return number

    async def next_end(self, seconds: float = SILENT_SECONDS) -> int:
        """Wait until an operation ends, and give its number; TimeoutError after so many seconds."""
        said = await self._machines.ended(seconds)
        self.moved += said["bytes"]
        self.lags.append(time.monotonic() - self._due.pop(said["ended"]))
        return int(said["ended"])

    async def drain(self) -> None:
        """Wait until nothing is under way."""
        while self._due:
            await self.next_end()
