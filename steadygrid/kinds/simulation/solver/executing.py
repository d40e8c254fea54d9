"""One run after the other of a schedule, all of them over the same operations."""

from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush

from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.engine.executions.dispatched import (
    DispatchOrderPolicy,
    OnDemandPolicy,
    Policy,
    dispatched,
)
from steadygrid.engine.executions.measured import Measured
from steadygrid.engine.executions.ordered import Noise, in_order
from steadygrid.engine.executions.parts import period_of
from steadygrid.engine.executions.steps import Course, course_of, seen_of
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.simulation.schemas import SimulationInstance
from steadygrid.kinds.simulation.sizing import Extent, Variant, completed, window_of
from steadygrid.kinds.simulation.subject import Subject

_TASK = "task"


class Executing:
    """Carries out a schedule in any way that was asked for.

    Parameters
    ----------
    instance
        How.
    subject
        What.
    instances
        That each run completes.
    control
        Deadline and cancellation.
    """

    def __init__(
        self, instance: SimulationInstance, subject: Subject, instances: int, control: Control
    ) -> None:
        self._instance, self._subject = instance, subject
        self._instances, self._control = instances, control
        self._views = subject.views
        self._seen = seen_of(self._views)
        self._period = period_of(subject.schedule, self._seen)

    def run(self, variant: Variant, noise: Noise | None) -> Measured:
        """Carry it out once.

        Parameters
        ----------
        variant
            Of the executions.
        noise
            None: all times are exact.

        Raises
        ------
        Cancelled, OutOfTime
            If the time is over.
        """
        self._control.check()
        period, check = self._period, self._control.check
        if variant.execution in ("clock", "order"):
            return in_order(
                period,
                period.periods_for(self._instances),
                clocked=variant.execution == "clock",
                noise=noise,
                check=check,
            )
        courses, policy, under_way = self._dispatched(variant)
        return dispatched(
            courses,
            lambda name: period.capacities.get(name, 1),
            policy,
            completed(under_way, self._instances),
            overtake=variant.overtake is True,
            noise=noise,
            check=check,
        )

    def _dispatched(self, variant: Variant) -> tuple[tuple[Course, ...], Policy, int]:
        if variant.execution == "on_demand":
            buffer, workers = self._instance.buffer, len(self._workers)
            return self._workers, OnDemandPolicy(workers, buffer), workers * (buffer + 1)
        courses = self._period.courses
        rates = [course.allocation.rate for course in courses]
        extent = Extent.from_schedule(self._subject.schedule)
        window = window_of(self._instance, extent, self._instances)
        return courses, DispatchOrderPolicy(rates, window), window

    @cached_property
    def _workers(self) -> tuple[Course, ...]:
        """One course for each processor that can compute a task.

        Files take the paths of the allocation that the schedule uses most for it, else those of the
        least time; with fixed routes only workers of the schedule ask.
        """
        schedule, inner = self._subject.schedule, self._subject.instance
        used: dict[str, Allocation] = {}
        for one in sorted(schedule.allocations, key=lambda one: one.rate):
            if one.instances_per_period:
                used[one.tasks[_TASK][0]] = one
        found = list(used.values())
        if inner.routing == "free":
            runs = self._views.of(schedule.allocations[0])
            there = self._fastest(inner.master, {ends: ends for ends in self._views.network.hops})
            back = self._fastest(
                inner.master, {ends[::-1]: ends for ends in self._views.network.hops}
            )
            for worker in runs.times[_TASK]:
                if worker in used or worker not in there or worker not in back:
                    continue
                paths = {("begin", _TASK): there[worker], (_TASK, "end"): back[worker][::-1]}
                transfers = tuple(
                    Transfer(file, paths[file], Fraction(1))
                    for file in runs.sizes
                    if worker != inner.master
                )
                tasks = {_TASK: (worker,)}
                found.append(Allocation(len(found), Fraction(0), Fraction(1), tasks, transfers))
        return tuple(course_of(schedule, self._seen, one) for one in found)

    def _fastest(
        self, master: str, hops: dict[tuple[str, str], tuple[str, str]]
    ) -> dict[str, tuple[str, ...]]:
        """Give a path from the master to each processor, that of the least time (Dijkstra)."""
        after: dict[str, list[tuple[str, Fraction]]] = {}
        for (sender, receiver), ends in hops.items():
            time = self._views.network.hops[ends].unit_time
            after.setdefault(sender, []).append((receiver, time))
        waiting: list[tuple[Fraction, tuple[str, ...]]] = [(Fraction(0), (master,))]
        paths: dict[str, tuple[str, ...]] = {}
        while waiting:
            time, path = heappop(waiting)
            if path[-1] in paths:
                continue
            paths[path[-1]] = path
            for receiver, more in after.get(path[-1], ()):
                if receiver not in paths:
                    heappush(waiting, (time + more, (*path, receiver)))
        return paths
