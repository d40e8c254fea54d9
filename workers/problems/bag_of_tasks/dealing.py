"""Policies that deal out the tasks of streams, run by run, each beside what none can exceed."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from heapq import nsmallest
from itertools import cycle

from steadygrid.domain.dispatch import dispatch_order
from steadygrid.problems.bag_of_tasks.runs import (
    MOST_EVENTS,
    PlannedRate,
    PolicyName,
    PolicyRun,
    RunEvent,
    SampledClass,
    TaskPlan,
)
from workers.problems.bag_of_tasks.draws import draw_stream
from workers.problems.bag_of_tasks.fallback import Rates
from workers.problems.bag_of_tasks.program import Optimum, bound_of, optimum
from workers.problems.bag_of_tasks.samples import Sample, sample_size
from workers.problems.bag_of_tasks.simulation import Course, Lattice, in_turn, on_demand
from workers.problems.bag_of_tasks.star import Star
from workers.problems.bag_of_tasks.stream_bound import stream_prices
from workers.solving.control import Control

COARSE_BOUND = "there was no time to find the best bound of every run: some are only valid"


@dataclass
class Dealt:
    """A run, and what of it only the answer tells."""

    run: PolicyRun
    tasks: Sequence[int]
    course: Course
    seconds: float


@dataclass
class Simulator:
    """All that runs share."""

    star: Star
    control: Control
    notes: list[str] = field(default_factory=list)

    @cached_property
    def lattice(self) -> Lattice:
        """Dates of all runs."""
        return Lattice.of(self.star)

    @cached_property
    def bags(self) -> Optimum:
        """The long-run optimum of the bags."""
        return optimum(self.star, self.control)

    def runs_of(self, seed: int, policies: Iterable[PolicyName]) -> Iterator[Dealt]:
        """Draw the stream of a seed and deal it out by each policy."""
        stream = draw_stream(self.star.instance, seed, self.control)
        bounds: dict[int, dict[str, Fraction]] = {}
        for policy in policies:
            begun = time.perf_counter()
            left_out, plan, course = self._dealt_out(policy, stream)
            tasks = stream[left_out:]
            if left_out not in bounds:
                bounds[left_out] = self._prices(tasks)
            makespan = Fraction(course.makespan, self.lattice.steps)
            run = PolicyRun(
                policy=policy,
                seed=seed,
                tasks=len(tasks),
                makespan=makespan,
                throughput=len(tasks) / makespan,
                empirical_bound=bound_of(bounds[left_out]),
                prices=bounds[left_out],
                plan=plan,
                events=self._events(tasks, course) if seed == self._first_seed else [],
            )
            yield Dealt(run, tasks, course, time.perf_counter() - begun)

    @property
    def _first_seed(self) -> int:
        stream = self.star.instance.stream
        assert stream is not None
        return stream.seed

    def _dealt_out(
        self, policy: PolicyName, stream: Sequence[int]
    ) -> tuple[int, TaskPlan | None, Course]:
        """Give the tasks that are left out at the beginning, the plan, and the course of the rest."""
        star, lattice, control = self.star, self.lattice, self.control
        if policy == "on_demand":
            return 0, None, on_demand(lattice, stream, star.instance.buffer, control)
        if policy == "round_robin":
            turns = cycle(range(len(star.workers)))
            return 0, None, in_turn(lattice, stream, turns, control)
        if policy == "dispatch":
            workers = by_counters(self.bags.rates, stream)
            return 0, _plan(star, self.bags), in_turn(lattice, stream, workers, control)
        left_out = sample_size(star.instance, len(stream))
        sample = Sample(star.instance, stream[:left_out])
        sampled = replace(star, others=sample.classes)
        best, rest = optimum(sampled, control), stream[left_out:]
        stands_for = {k: sample.class_of(k) for k in sorted(set(rest))}
        workers = by_counters(best.rates, [stands_for[k] for k in rest])
        return left_out, _plan(sampled, best, sample), in_turn(lattice, rest, workers, control)

    def _prices(self, tasks: Sequence[int]) -> dict[str, Fraction]:
        prices, in_time = stream_prices(self.star, tasks, self.control)
        if not in_time and COARSE_BOUND not in self.notes:
            self.notes.append(COARSE_BOUND)
        return prices

    def _events(self, tasks: Sequence[int], course: Course) -> list[RunEvent]:
        """List the first events of a course; the master gets no input."""
        star, steps = self.star, self.lattice.steps

        def events() -> Iterator[tuple[int, int, int, int]]:
            for n, worker in enumerate(course.workers):
                if star.workers[worker].per_data:
                    yield course.sent[n], n, 0, course.arrived[n]
                yield course.begun[n], n, 1, course.done[n]

        return [
            RunEvent(
                task=n,
                name=star.classes[tasks[n]].name,
                event="compute" if is_computed else "transfer",
                processor=star.workers[course.workers[n]].name,
                start=Fraction(start, steps),
                end=Fraction(end, steps),
            )
            for start, n, is_computed, end in nsmallest(MOST_EVENTS, events())
        ]


def by_counters(rates: Rates, tasks: Sequence[int]) -> Iterator[int]:
    """Send the tasks of each class to workers by counters of its own, see `dispatch_order`."""
    workers: dict[int, list[int]] = {}
    for k, worker in sorted(rates):
        workers.setdefault(k, []).append(worker)
    turns = {
        k: iter(dispatch_order([rates[k, worker] for worker in workers[k]], number))
        for k, number in Counter(tasks).items()
    }
    for k in tasks:
        yield workers[k][next(turns[k])]


def _plan(star: Star, best: Optimum, sample: Sample | None = None) -> TaskPlan:
    return TaskPlan(
        rates=[
            PlannedRate(
                name=star.classes[k].name, processor=star.workers[i].name, rate=best.rates[k, i]
            )
            for k, i in sorted(best.rates)
        ],
        prices=best.prices,
        classes=[
            SampledClass(
                name=one.name,
                bag=one.bag,
                size_bucket=size_bucket,
                work_bucket=work_bucket,
                count=len(tasks),
                input_size=one.input_size,
                work=one.work,
            )
            for one, ((_, size_bucket, work_bucket), tasks) in zip(
                sample.classes, sample.cells.items(), strict=True
            )
        ]
        if sample
        else [],
    )
