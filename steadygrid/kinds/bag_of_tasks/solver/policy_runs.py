"""Policies that deal out the tasks of streams, run by run, each compared with what none can exceed."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from heapq import nsmallest
from itertools import cycle

from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.runs import (
    MOST_EVENTS,
    PlannedRate,
    PolicyName,
    PolicyRun,
    RunEvent,
    SampledClass,
    TaskPlan,
)
from steadygrid.kinds.bag_of_tasks.solver.by_cells import long_run_prices
from steadygrid.kinds.bag_of_tasks.solver.counters import counted_workers
from steadygrid.kinds.bag_of_tasks.solver.draws import Kind, draw_stream
from steadygrid.kinds.bag_of_tasks.solver.fallback import Rates
from steadygrid.kinds.bag_of_tasks.solver.program import Optimum, bound_of, optimum, readable_prices
from steadygrid.kinds.bag_of_tasks.solver.samples import Sample, sample_size
from steadygrid.kinds.bag_of_tasks.solver.simulation import (
    Course,
    Lattice,
    on_demand,
    simulate_given_workers,
)
from steadygrid.kinds.bag_of_tasks.solver.star import Star
from steadygrid.kinds.bag_of_tasks.solver.stream_bound import stream_prices

COARSE_BOUND = "there was no time to find the best bound of every run: some are only valid"


@dataclass
class Dealt:
    """A run, and what of it only the answer tells."""

    run: PolicyRun
    kinds: Sequence[Kind]
    tasks: Sequence[int]
    course: Course
    seconds: float


@dataclass
class Simulator:
    """What the runs of all seeds share."""

    star: Star
    control: Control
    notes: list[str] = field(default_factory=list)

    @cached_property
    def bags(self) -> Optimum:
        """The long-run optimum of bags that have classes."""
        return optimum(self.star, self.control)

    @cached_property
    def long_run(self) -> Mapping[str, Fraction]:
        """Prices that bound what any policy does in the long run."""
        if self.star.instance.has_uniform_bags:
            return readable_prices(long_run_prices(self.star.instance, self.control))
        return self.bags.prices

    def runs_of(self, seed: int, policies: Iterable[PolicyName]) -> Iterator[Dealt]:
        """Draw the stream of a seed and deal it out by each policy.

        Parameters
        ----------
        seed
            Of the random numbers that draw the stream.
        policies
            In the order of the runs.
        """
        kinds, stream = draw_stream(self.star.instance, seed, self.control)
        dealer = _Dealer(self, kinds, stream, Lattice.from_star(self.star, kinds))
        bounds: dict[int, dict[str, Fraction]] = {}
        for policy in policies:
            begun = time.perf_counter()
            left_out, plan, course = dealer.dealt_out(policy)
            tasks = stream[left_out:]
            if left_out not in bounds:
                bounds[left_out] = self._prices(kinds, tasks)
            makespan = Fraction(course.makespan, dealer.lattice.steps)
            run = PolicyRun(
                policy=policy,
                seed=seed,
                tasks=len(tasks),
                makespan=makespan,
                throughput=len(tasks) / makespan,
                empirical_bound=bound_of(bounds[left_out]),
                prices=bounds[left_out],
                plan=plan,
                events=dealer.events(tasks, course) if seed == self._first_seed else [],
            )
            yield Dealt(run, kinds, tasks, course, time.perf_counter() - begun)

    @property
    def _first_seed(self) -> int:
        stream = self.star.instance.stream
        assert stream is not None
        return stream.seed

    def _prices(self, kinds: Sequence[Kind], tasks: Sequence[int]) -> dict[str, Fraction]:
        prices, in_time = stream_prices(self.star, kinds, tasks, self.control)
        if not in_time and COARSE_BOUND not in self.notes:
            self.notes.append(COARSE_BOUND)
        return prices


@dataclass
class _Dealer:
    """The stream of one seed."""

    simulator: Simulator
    kinds: Sequence[Kind]
    stream: Sequence[int]
    lattice: Lattice

    def dealt_out(self, policy: PolicyName) -> tuple[int, TaskPlan | None, Course]:
        """Give the tasks that are left out at the beginning, the plan, and the course of the rest."""
        star, control, lattice = self.simulator.star, self.simulator.control, self.lattice
        if policy == "on_demand":
            return 0, None, on_demand(lattice, self.stream, star.instance.buffer, control)
        if policy == "round_robin":
            turns = cycle(range(len(star.workers)))
            return 0, None, simulate_given_workers(lattice, self.stream, turns, control)
        if policy == "dispatch":
            bags = self.simulator.bags
            workers = by_counters(bags.rates, self.stream)
            return (
                0,
                _plan(star, bags),
                simulate_given_workers(lattice, self.stream, workers, control),
            )
        left_out = sample_size(star.instance, len(self.stream))
        sample = Sample(star.instance, self.kinds, self.stream[:left_out])
        sampled = replace(star, others=sample.classes)
        best, rest = optimum(sampled, control), self.stream[left_out:]
        stands_for = {k: sample.class_of(k) for k in control.timed(sorted(set(rest)))}
        workers = by_counters(best.rates, [stands_for[k] for k in rest])
        return (
            left_out,
            _plan(sampled, best, sample),
            simulate_given_workers(lattice, rest, workers, control),
        )

    def events(self, tasks: Sequence[int], course: Course) -> list[RunEvent]:
        """List the first events of a course. The master gets no input."""
        workers, steps = self.simulator.star.workers, self.lattice.steps

        def all_events() -> Iterator[tuple[int, int, int, int]]:
            for n, worker in enumerate(course.workers):
                if workers[worker].per_data:
                    yield course.sent[n], n, 0, course.arrived[n]
                yield course.begun[n], n, 1, course.done[n]

        return [
            RunEvent(
                task=n,
                name=self.kinds[tasks[n]].name,
                event="compute" if is_computed else "transfer",
                processor=workers[course.workers[n]].name,
                start=Fraction(start, steps),
                end=Fraction(end, steps),
            )
            for start, n, is_computed, end in nsmallest(MOST_EVENTS, all_events())
        ]


def by_counters(rates: Rates, tasks: Sequence[int]) -> Iterator[int]:
    """Send the tasks of each class to workers by counters of its own, see `counted_workers`.

    Parameters
    ----------
    rates
        Tasks per time unit by class and worker, both by position; positive ones.
    tasks
        The stream: of each task, the position of its class in `rates`.

    Returns
    -------
    iterator of int
        Worker of each task, by position.
    """
    workers: dict[int, list[int]] = {}
    for k, worker in sorted(rates):
        workers.setdefault(k, []).append(worker)
    turns = {
        k: iter(counted_workers([rates[k, worker] for worker in workers[k]], number))
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
