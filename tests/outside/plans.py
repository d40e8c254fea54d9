"""What a schedule does, as a plan that SimGrid replays, and whether SimGrid agrees with it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.reality.conducting import Job, jobs_of
from steadygrid.answer import Answer
from steadygrid.domain.schedule import Schedule
from steadygrid.engine.executions.measured import measured
from steadygrid.engine.executions.parts import Part, Period, period_of
from steadygrid.engine.executions.steps import Network, Step, seen_of
from steadygrid.kinds import PROBLEMS

SCRIPT = Path(__file__).with_name("simgrid_replay.py")
CANDIDATES = (os.environ.get("STEADYGRID_SIMGRID_PYTHON"), sys.executable, "/usr/bin/python3")
NEAR = 1e-9
"""Of the period, and of the throughput: SimGrid computes in doubles."""
LONG = 1000
"""Seconds of a period in SimGrid, whose dates are exact to about a thousand-millionth."""
LARGE = 10**13
"""Bytes of the smallest transfer: they are whole numbers in SimGrid."""
SECONDS = 60


@cache
def python_with_simgrid() -> str | None:
    """Give a Python that has SimGrid's module: this one, or the system's."""
    for candidate in filter(None, CANDIDATES):
        if shutil.which(candidate) is None:
            continue
        asked = subprocess.run(
            [candidate, "-c", "import simgrid"], check=False, capture_output=True
        )
        if asked.returncode == 0:
            return candidate
    return None


class Doing(NamedTuple):
    """An operation, in the time units of the schedule."""

    at: Fraction
    time: Fraction
    group: int
    """The period in which its instances began."""
    position: int
    """Of its part."""
    asked: Mapping[str, Any]


@dataclass(frozen=True)
class Foreign:
    """A platform that SimGrid reads itself.

    Attributes
    ----------
    path
        Of its file.
    names
        Of SimGrid's hosts, by processors.
    works
        Work of each task, in flop.
    """

    path: Path
    names: Mapping[str, str]
    works: Mapping[str, Fraction]


class Replay:
    """A schedule for SimGrid, and what SimGrid says.

    Parameters
    ----------
    answer
        Whose schedule repeats.
    periods
        Of which all instances are complete.
    foreign
        The platform, where SimGrid reads it itself; its units are those of the problem.
    """

    def __init__(self, answer: Answer[Any], periods: int, foreign: Foreign | None = None) -> None:
        schedule, views = answer.schedule, PROBLEMS[answer.result.kind].views
        assert isinstance(schedule, Schedule)
        assert views is not None
        seen = seen_of(views(answer.submission.instance, answer.result))
        self.schedule, self.foreign = schedule, foreign
        self.network: Network = seen.network
        self.period: Period = period_of(schedule, seen)
        self.periods = periods + self.period.warm_up - 1
        self.jobs = [jobs_of(course, self.network) for course in self.period.courses]
        moved = [job.data for jobs in self.jobs for job in jobs if job.data]
        self.tick = Fraction(1) if foreign else LONG / schedule.period
        self.byte = Fraction(1) if foreign else LARGE / min(moved, default=Fraction(1))
        self.links: dict[str, float] = {}
        self.paths: dict[tuple[tuple[str, ...], Fraction], int] = {}
        self.ports: dict[str, int] = {}
        self.doings = sorted(self._doings(), key=lambda one: (one.at, one.position))

    def _doings(self) -> Iterator[Doing]:
        parts, length = self.period.parts, self.period.length
        shares = list(self._shares())
        for q in range(self.periods):
            for position, part in enumerate(parts):
                step = self.period.step(part)
                if (group := q + 1 - step.period) >= 0:
                    asked = self._asked(part, step, shares[position])
                    at = q * length + part.offset
                    yield Doing(at, part.time, group, position, asked)

    def _shares(self) -> Iterator[Fraction]:
        """Give how much of an instance each part of a period does."""
        before: dict[tuple[int, int], Fraction] = {}
        for part in self.period.parts:
            place = (part.course, part.step)
            yield part.upto - before.get(place, Fraction(0))
            before[place] = part.upto

    def _asked(self, part: Part, step: Step, share: Fraction) -> Mapping[str, Any]:
        """Say what is to be done; ports are taken by names, so that nothing waits in a ring."""
        job = self.jobs[part.course][part.step]
        multiport = self.schedule.ports == "multiport"
        ports = [] if multiport or not part.time else sorted(set(job.resources))
        for name in ports:
            self.ports[name] = self.period.capacities.get(name, 1)
        if len(job.path) == 1:
            return {"compute": self._amount(step, part, share), "ports": ports}
        sent = round(job.data * share * self.byte)
        rate = None
        if step.flow is not None and part.time:
            rate = float(job.data * share * self.byte / (part.time * self.tick))
        return {"send": [self._path(job, part, step, share), sent], "ports": ports, "rate": rate}

    def _amount(self, step: Step, part: Part, share: Fraction) -> tuple[str, float]:
        task, processor = step.what[0], step.what[1]
        if self.foreign is None:
            return processor, float(part.time * self.tick)
        return self.foreign.names[processor], float(self.foreign.works[str(task)] * share)

    def _path(self, job: Job, part: Part, step: Step, share: Fraction) -> int | list[str]:
        if self.foreign is not None:
            return [self.foreign.names[job.path[0]], self.foreign.names[job.path[-1]]]
        per_second = float(self.byte / self.tick)
        crossed: list[str] = []
        for ends in pairwise(job.path):
            hop = self.network.hops[ends]
            uses = hop.uses if step.flow is not None else ()
            for name, each in (("->".join(ends), hop.unit_time), *uses):
                bandwidth = per_second / float(each)
                assert self.links.setdefault(name, bandwidth) == bandwidth
                crossed.append(name)
        latency = part.time - step.time * share if step.flow is None else Fraction(0)
        return self.paths.setdefault((tuple(crossed), latency), len(self.paths))

    def document(self) -> dict[str, Any]:
        """Write the plan; operations that overlap have actors of their own."""
        actors: list[list[dict[str, Any]]] = []
        free: list[Fraction] = []
        for number, one in enumerate(self.doings):
            told = {"number": number, "at": float(one.at * self.tick), **one.asked}
            place = next((i for i, end in enumerate(free) if end <= one.at), len(free))
            if place == len(free):
                actors.append([])
                free.append(one.at)
            actors[place].append(told)
            free[place] = one.at + one.time
        processors = {one.asked["compute"][0] for one in self.doings if "compute" in one.asked}
        return {
            "platform": None if self.foreign is None else str(self.foreign.path),
            "settings": [] if self.foreign is None else ["surf/precision:1e-13"],
            "hosts": dict.fromkeys([*processors, "somewhere"], 1.0),
            "links": self.links,
            "paths": [
                {"links": links, "latency": float(latency * self.tick)}
                for links, latency in self.paths
            ],
            "ports": self.ports,
            "actors": actors,
        }

    def disagreements(self, dates: Sequence[tuple[float, float]]) -> list[str]:
        """List what SimGrid's dates say against the schedule.

        Parameters
        ----------
        dates
            Start and end of each operation of the plan.
        """
        near = NEAR * float(self.schedule.period * self.tick)
        found: list[str] = []
        ends: dict[tuple[int, int], float] = {}
        counts = [course.per_period for course in self.period.courses]
        done = [[0.0] * (count * self.periods) for count in counts]
        for one, (start, end) in zip(self.doings, dates, strict=True):
            part = self.period.parts[one.position]
            step, course = self.period.step(part), self.period.courses[part.course]
            planned = float(one.at * self.tick), float((one.at + one.time) * self.tick)
            if abs(start - planned[0]) > near or abs(end - planned[1]) > near:
                found.append(f"{step.what} is at {start} to {end}, planned {planned}")
            if any(ends[one.group, need] > start + near for need in part.needs):
                found.append(f"{step.what} begins at {start}, before what it needs")
            ends[one.group, one.position] = end
            if part.step in course.last and part.upto.denominator == 1:
                place = one.group * counts[part.course] + int(part.upto) - 1
                done[part.course][place] = max(done[part.course][place], end)
        complete = [
            times[: course.per_period * max(0, self.periods + 1 - course.periods)]
            for times, course in zip(done, self.period.courses, strict=True)
        ]
        rate = (
            measured(self.period, complete, Fraction, late=None, waiting=0).throughput * self.tick
        )
        if abs(rate / self.schedule.throughput - 1) > NEAR:
            found.append(f"the throughput is {float(rate)}, planned {self.schedule.throughput}")
        return found


def replayed(document: Mapping[str, Any]) -> list[tuple[float, float]]:
    """Let SimGrid replay a plan, in a process of its own; give start and end of each operation."""
    python = python_with_simgrid()
    assert python is not None
    said = subprocess.run(
        [python, str(SCRIPT)],
        input=json.dumps(document).encode(),
        check=False,
        capture_output=True,
        timeout=SECONDS,
    )
    assert said.returncode == 0, said.stderr.decode()[-2000:]
    return [(start, end) for start, end in json.loads(said.stdout)]
