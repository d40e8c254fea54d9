"""Streams of tasks dealt out on a star, in whole steps of one lattice of dates."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heapreplace
from math import lcm

from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.solver.draws import Kind
from steadygrid.kinds.bag_of_tasks.solver.star import Star

_OFTEN = 1024
"""Tasks between two looks at the clock."""


@dataclass(frozen=True)
class Lattice:
    """What tasks take on workers, in steps of which all dates are multiples.

    Attributes
    ----------
    steps
        Of a time unit.
    sizes, works
        Of each kind of task, as whole numbers.
    per_size, per_work
        Steps of each worker for one of them. The master needs no step for its input.
    one_port
        Whether the master sends one input at a time; else each worker receives one at a time.
    """

    steps: int
    sizes: Sequence[int]
    works: Sequence[int]
    per_size: Sequence[int]
    per_work: Sequence[int]
    one_port: bool

    @classmethod
    def from_star(cls, star: Star, kinds: Sequence[Kind]) -> "Lattice":
        """Find a lattice for all tasks of some kinds.

        Parameters
        ----------
        star
            Classes, workers and resources of the instance.
        kinds
            Sizes and works of the tasks that are drawn.
        """
        receiving = [
            max((time for _, time in worker.per_data), default=Fraction(0))
            for worker in star.workers
        ]
        computing = [worker.per_work[0][1] for worker in star.workers]
        sizes, unit_size = _whole([one.input_size for one in kinds])
        works, unit_work = _whole([one.work for one in kinds])
        per_size, unit_receiving = _whole(receiving)
        per_work, unit_computing = _whole(computing)
        steps = lcm(unit_size * unit_receiving, unit_work * unit_computing)
        return cls(
            steps,
            sizes,
            works,
            [time * (steps // (unit_size * unit_receiving)) for time in per_size],
            [time * (steps // (unit_work * unit_computing)) for time in per_work],
            star.instance.ports == "one_port",
        )


def _whole(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """Scale values by their common denominator."""
    common = lcm(*(value.denominator for value in values))
    return [value.numerator * (common // value.denominator) for value in values], common


@dataclass
class Course:
    """Where each task of a stream went, and when; dates in steps."""

    workers: list[int] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    arrived: list[int] = field(default_factory=list)
    begun: list[int] = field(default_factory=list)
    done: list[int] = field(default_factory=list)

    @property
    def makespan(self) -> int:
        """Date at which the last task is done."""
        return max(self.done)


class _Simulation:
    """Workers that compute their tasks in the order in which they arrive."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice
        self._idle_from = [0] * len(lattice.per_work)
        self.port_free_from = 0
        self.course = Course()

    def serve(self, kind: int, worker: int, date: int) -> tuple[int, int]:
        """Send a task of a kind from a date on; give the dates of its arrival and beginning."""
        lattice, course = self._lattice, self.course
        per_size = lattice.per_size[worker]
        if lattice.one_port and per_size:
            date = max(date, self.port_free_from)
        arrival = date + lattice.sizes[kind] * per_size
        if lattice.one_port and per_size:
            self.port_free_from = arrival
        begin = max(arrival, self._idle_from[worker])
        end = begin + lattice.works[kind] * lattice.per_work[worker]
        self._idle_from[worker] = end
        course.workers.append(worker)
        course.sent.append(date)
        course.arrived.append(arrival)
        course.begun.append(begin)
        course.done.append(end)
        return arrival, begin


def on_demand(lattice: Lattice, tasks: Sequence[int], buffer: int, control: Control) -> Course:
    """Let workers ask for tasks, at date 0 in their order.

    The master serves requests by date, then by that order, with the next task of the stream. A
    worker asks again when its task has arrived and fewer than `buffer` tasks wait there to begin.

    Parameters
    ----------
    lattice
        Sizes, works and speeds in whole steps of time.
    tasks
        The stream: of each task, the position of its kind.
    buffer
        How many tasks may wait at a worker, at least 1.
    control
        Deadline and cancellation; asked every so many tasks.

    Raises
    ------
    Cancelled, OutOfTime
        If the time is over.
    """
    simulation = _Simulation(lattice)
    requests = [(0, worker) for worker in range(len(lattice.per_work))]
    # The n-th beginning before the last one, in a ring: a waiting room of `buffer` tasks.
    rooms = [[0] * buffer for _ in requests] if buffer < len(tasks) else []
    served = [0] * len(requests)
    for n, kind in enumerate(tasks):
        if not n % _OFTEN:
            control.check()
        date, worker = requests[0]
        arrival, begin = simulation.serve(kind, worker, date)
        if rooms:
            room, place = rooms[worker], served[worker] % buffer
            room[place] = begin
            served[worker] += 1
            arrival = max(arrival, room[served[worker] % buffer])
        heapreplace(requests, (arrival, worker))
    return simulation.course


def simulate_given_workers(
    lattice: Lattice, tasks: Sequence[int], workers: Iterable[int], control: Control
) -> Course:
    """Send each task to a worker that is known before, as early as possible, in the stream's order.

    Parameters
    ----------
    lattice
        Sizes, works and speeds in whole steps of time.
    tasks
        The stream: of each task, the position of its kind.
    workers
        Of each task, by position.
    control
        Deadline and cancellation; asked every so many tasks.

    Raises
    ------
    Cancelled, OutOfTime
        If the time is over.
    """
    simulation = _Simulation(lattice)
    free_from = [0] * len(lattice.per_work)
    for n, (kind, worker) in enumerate(zip(tasks, workers, strict=False)):
        if not n % _OFTEN:
            control.check()
        free_from[worker], _ = simulation.serve(kind, worker, free_from[worker])
    return simulation.course
