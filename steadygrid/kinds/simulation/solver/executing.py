"""One run after the other of a schedule, all of them over the same operations."""

from fractions import Fraction
from functools import cached_property, partial
from typing import NamedTuple

from steadygrid.domain.exported_program import ExportedProgram
from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.domain.timeline import Timeline
from steadygrid.engine.executions.batches import Graph, planned_batch
from steadygrid.engine.executions.dispatched import (
    DispatchOrderPolicy,
    OnDemandPolicy,
    Policy,
    dispatched,
)
from steadygrid.engine.executions.fastest import fastest_paths
from steadygrid.engine.executions.measured import Measured
from steadygrid.engine.executions.noise import Factors, factors_of
from steadygrid.engine.executions.ordered import Noise, in_order
from steadygrid.engine.executions.parts import period_of
from steadygrid.engine.executions.steps import Course, course_of, seen_of
from steadygrid.engine.executions.unrolled import Unrolled
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.simulation.schemas import SimulationInstance
from steadygrid.kinds.simulation.sizing import Extent, Variant, batched, completed, window_of
from steadygrid.kinds.simulation.subject import Subject

_TASK = "task"


class Executed(NamedTuple):
    """What a run did.

    Attributes
    ----------
    value
        Throughput, or makespan of a schedule that runs once.
    error
        By how much an endless run may differ from the throughput.
    late, waiting, progress
        As of `Measured`.
    """

    value: Fraction
    error: Fraction
    late: Fraction | None
    waiting: int
    progress: tuple[tuple[Fraction, int], ...]


class Executing:
    """Carries out a schedule by each execution that was asked for.

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
        if subject.is_unrolled:
            unrolled = subject.unrolled
            assert not isinstance(unrolled, list)
            self._unrolled = Unrolled(unrolled, instances)
            return
        self._views = subject.views
        self._seen = seen_of(self._views)
        self._period = period_of(subject.periodic, self._seen)

    def run(self, variant: Variant, noise: Noise | None) -> Executed:
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
        schedule = self._subject.schedule
        if variant.execution == "program":
            return self._as_program(noise)
        if variant.execution == "heft":
            return self._in_batches(noise)
        if not self._subject.is_unrolled:
            done = self._repeated(variant, noise)
            return Executed(done.throughput, done.error, done.late, done.waiting, done.progress)
        did = self._unrolled.carry_out(
            clocked=variant.execution == "clock", noise=noise, check=self._control.check
        )
        if isinstance(schedule, Timeline):
            late = did.late / schedule.makespan
            return Executed(did.ended, Fraction(0), late, did.waiting, did.progress)
        plan = schedule.throughput
        throughput = plan * did.planned / did.ended
        late = did.late / schedule.period
        if noise is None:
            kept = max(plan, self._instances / did.ended)
            return Executed(kept, throughput - kept, late, did.waiting, did.progress)
        error = throughput if did.steady is None else _apart(throughput, did.steady, did.error)
        return Executed(throughput, error, late, did.waiting, did.progress)

    def _as_program(self, noise: Noise | None) -> Executed:
        """Run one operation. What it does in its time is the throughput."""
        program = self._program
        factors = None
        if noise is not None:
            factors = partial(_factors, noise)
        ended = program.time(factors, self._control.check)
        return Executed(program.amount / ended, Fraction(0), None, 0, ((ended, 1),))

    @cached_property
    def _program(self) -> ExportedProgram:
        return self._subject.program_of(self._instance.bytes)

    def _in_batches(self, noise: Noise | None) -> Executed:
        did = self._batches.carry_out(clocked=False, noise=noise, check=self._control.check)
        assert did.kept is not None, "there are two batches"
        value = max(did.kept, batched(self._instance.batch, self._instances) / did.ended)
        steady = value if did.steady is None else did.steady
        error = _apart(value, steady, Fraction(0) if noise is None else did.error)
        return Executed(value, error, None, did.waiting, did.progress)

    @cached_property
    def _batches(self) -> Unrolled:
        subject, batch = self._subject, self._instance.batch
        runs = self._views.of(subject.periodic.allocations[0])
        graph = Graph(runs.times, runs.sizes, getattr(subject.instance, "master", None))
        planned = planned_batch(
            graph,
            self._seen.network,
            batch,
            paid=subject.periodic.grouping is not None,
            check=self._control.check,
        )
        assert planned is not None, "all processors reach each other"
        return Unrolled(planned, batched(batch, self._instances))

    def _repeated(self, variant: Variant, noise: Noise | None) -> Measured:
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
            weights=period.weights,
            check=check,
        )

    def _dispatched(self, variant: Variant) -> tuple[tuple[Course, ...], Policy, int]:
        if variant.execution == "on_demand":
            buffer, workers = self._instance.buffer, len(self._workers)
            return self._workers, OnDemandPolicy(workers, buffer), workers * (buffer + 1)
        courses = self._period.courses
        rates = [course.allocation.rate for course in courses]
        extent = Extent.from_schedule(self._subject.periodic)
        window = window_of(self._instance, extent, self._instances)
        return courses, DispatchOrderPolicy(rates, window), window

    @cached_property
    def _workers(self) -> tuple[Course, ...]:
        """One course for each processor that can compute a task.

        Files take the paths of the allocation that the schedule uses most for it, else those of the
        least time; with fixed routes only workers of the schedule ask.
        """
        schedule, inner = self._subject.periodic, self._subject.instance
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
        return fastest_paths(master, after)


def _factors(noise: Noise, name: str) -> Factors:
    return factors_of(name, *noise)


def _apart(value: Fraction, other: Fraction, error: Fraction) -> Fraction:
    """Give how far a value is from another, whose error is a part of it."""
    return abs(value - other) + other * error
